/** Judges what a change of a ref means for the workspaces of its repository. Decisions and explanations share it. */
import type { RefChange } from "../../model/repository/ref-change.ts";
import { branchOf, tagOf } from "../../model/repository/look.ts";
import type { Repository } from "../../model/repository/repository.ts";
import {
  asksToSkip,
  type FoundInputs,
  judgeTrigger,
  titleOf,
  type TriggerFacts,
  type TriggerVerdict,
} from "../../model/repository/trigger-decision.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listReportedFolders } from "../../persistence/inputs/source-inputs-store.ts";
import {
  type ChangePosition,
  type DoneInputs,
  findDoneInputs,
  findSettledCommit,
  isNewWithin,
} from "../../persistence/repository/trigger-store.ts";
import { changedPaths } from "../inputs/input-set.ts";
import { firstOf, readInputs, type WorkspaceInputs } from "../inputs/read-inputs.ts";
import type { Deps } from "../kit/deps.ts";
import type { RepositoryView, SourceCommit } from "../kit/git-fetcher.ts";
import { namePattern } from "../kit/patterns.ts";
import { openSourceAccess } from "../source/host-access.ts";
import { openScanCache } from "../source/scan-cache.ts";

export type JudgeDeps = Pick<Deps, "database" | "cipher" | "clock" | "git" | "appTokens">;

/**
 * Works with a repository of a host. Without `refs` its mirror is read as it is; with a commit the host is asked only if the
 * mirror does not have it. Throws as git does.
 */
export async function withRepository<Result>(
  deps: Pick<Deps, "database" | "cipher" | "git" | "appTokens">,
  repository: Repository,
  refs: readonly string[] | SourceCommit,
  work: (view: RepositoryView) => Promise<Result>,
): Promise<Result> {
  const access = await openSourceAccess(deps, repository);
  const [ref = ""] = "commit" in refs ? [refs.ref] : refs;
  return deps.git.read({ url: repository.url, branch: branchOf(ref) ?? ref }, access, refs, work);
}

/** Returns why changes of a ref start no runs of a workspace, as a sentence; `null` if they do. */
export function whyNotFollowed({ trigger: { branch, tags } }: Workspace, ref: string): string | null {
  const tag = tagOf(ref);
  if (tag !== null) {
    if (tags === null) return "The workspace follows no tags.";
    return namePattern(tags)(tag) ? null : `The workspace follows tags that match ${tags}.`;
  }
  if (branch === null) return "The workspace follows no branch.";
  return branch === branchOf(ref) ? null : `The workspace follows the branch ${branch}.`;
}

/**
 * Finds the commit with which workspaces without a run are compared: that before the change, or before earlier ones of which
 * nothing was run yet.
 */
export async function settledBefore(
  { database }: Pick<Deps, "database">,
  { before, ...position }: ChangePosition & Pick<RefChange, "before">,
): Promise<string | null> {
  const found = await findSettledCommit(database, position);
  return found === null ? before : found.commit;
}

/**
 * Whether a ref was there before a change, and before the earlier ones of which nothing was decided: a tag that was created
 * and moved at once is new.
 */
export async function wasThere(
  reader: Reader,
  { before, changesetId, ...position }: ChangePosition & Pick<RefChange, "before" | "changesetId">,
): Promise<boolean> {
  if (before === null || tagOf(position.ref) === null) return before !== null;
  // Only a new tag has runs. Those earlier changes may have been removed since.
  return changesetId === null && !(await isNewWithin(reader, position));
}

/** A change, and the workspaces that are judged. */
export interface Question extends Pick<RefChange, "ref"> {
  after: string;
  /** Whether the ref was there before, as `wasThere` finds it. */
  isMoved: boolean;
  /** The commit with which workspaces without a run are compared; `null`: with none. */
  settled: string | null;
  /** All of the repository. */
  all: readonly Workspace[];
  /** Those of them that are judged. */
  asked: readonly Workspace[];
  /** Runs that were made since do not count; `null`: all count. */
  asOf: string | null;
}

/** A workspace, and what a change means for it. */
export interface JudgedWorkspace {
  workspace: Workspace;
  verdict: TriggerVerdict;
  /** Everything that it reads at the new commit; `null` if that was not read. */
  inputs: SourceInputs | null;
  /** The paths that differ from those of the commit to which it was compared; `[]` if they are not known. */
  changed: readonly string[];
}

export interface Judgement {
  /** The first line of the commit's message. */
  title: string;
  workspaces: JudgedWorkspace[];
}

/** Judges workspaces by the contents of a repository. Throws as git does. */
export async function judgeView(deps: JudgeDeps, view: RepositoryView, question: Question): Promise<Judgement> {
  const { ref, isMoved, after, settled, asked, asOf } = question;
  const isTag = tagOf(ref) !== null;
  const message = await view.messageOf(after);
  const common = { isTag, isDeleted: false, isMoved, skips: asksToSkip(message) };
  const following = asked.filter((workspace) => whyNotFollowed(workspace, ref) === null);
  const ids = new Set(following.map(({ id }) => id));
  const now = await inputsAt(deps, view, question.all, { commit: after, ids });
  const done = await findDoneInputs(deps.database, [...ids], ref, asOf);
  const isCompared = !isTag && settled !== null && ids.size > 0;
  const former = isCompared ? await inputsIfThere(deps, view, question.all, { commit: settled, ids }) : NONE;
  const judged = asked.map((workspace): JudgedWorkspace => {
    const { id } = workspace;
    const [read, known] = [now.get(id), former.get(id)];
    const facts: TriggerFacts = {
      ...common,
      notFollowed: whyNotFollowed(workspace, ref),
      after: foundOf(read),
      done: done.get(id)?.digest ?? null,
      before: known?.type === "READ" ? known.inputs.digest : null,
    };
    const inputs = read?.type === "READ" ? read.inputs : null;
    return { workspace, verdict: judgeTrigger(facts), inputs, changed: [] };
  });
  const workspaces = isTag ? judged : await withChanged(deps, view, question, { judged, now, former, done });
  return { title: titleOf(message, after), workspaces };
}

type ReadInputs = ReadonlyMap<string, WorkspaceInputs>;

const NONE: ReadInputs = new Map();

interface Compared {
  judged: readonly JudgedWorkspace[];
  now: ReadInputs;
  former: ReadInputs;
  done: ReadonlyMap<string, DoneInputs>;
}

/** Names the paths that differ: from the settled commit where that is what was run, else from the commit that was. */
async function withChanged(
  deps: JudgeDeps,
  view: RepositoryView,
  { all }: Question,
  { judged, now, former, done }: Compared,
): Promise<JudgedWorkspace[]> {
  const isFirst = (id: string): boolean => {
    const [known, made] = [former.get(id), done.get(id)];
    return known?.type === "READ" && (made === undefined || made.digest === known.inputs.digest);
  };
  const differing = judged.filter(({ workspace: { id }, inputs }) => {
    return inputs !== null && inputs.digest !== done.get(id)?.digest && !isFirst(id);
  });
  const byCommit = Map.groupBy(differing, ({ workspace }) => done.get(workspace.id)?.commit ?? null);
  const largest = [...byCommit].toSorted(([, a], [, b]) => b.length - a.length).slice(0, LIMITS.comparedCommits);
  const runInputs = new Map<string, WorkspaceInputs>();
  for (const [commit, some] of largest) {
    const ids = new Set(some.map(({ workspace: { id } }) => id));
    const read = commit === null ? NONE : await inputsIfThere(deps, view, all, { commit, ids });
    for (const [id, inputs] of read) runInputs.set(id, inputs);
  }
  return judged.map((one) => {
    const { id } = one.workspace;
    const [read, compared] = [now.get(id), isFirst(id) ? former.get(id) : runInputs.get(id)];
    if (read?.type !== "READ" || compared?.type !== "READ") return one;
    return { ...one, changed: firstOf(changedPaths(compared.entries, read.entries), LIMITS.changedPathsShown) };
  });
}

function foundOf(inputs: WorkspaceInputs | undefined): FoundInputs {
  if (inputs === undefined) return { problem: "is no repository." };
  return inputs.type === "READ" ? { digest: inputs.inputs.digest } : { problem: inputs.message };
}

interface Wanted {
  commit: string;
  ids: ReadonlySet<string>;
}

/** A commit that was replaced by a forced push may be gone: then nothing is read. */
async function inputsIfThere(
  deps: JudgeDeps,
  view: RepositoryView,
  all: readonly Workspace[],
  wanted: Wanted,
): Promise<ReadInputs> {
  try {
    return await inputsAt(deps, view, all, wanted);
  } catch (error) {
    if (error instanceof Error) return NONE;
    throw error;
  }
}

/** Reads what workspaces read at a commit. `all`: those of the repository. */
export async function inputsAt(
  deps: JudgeDeps,
  view: RepositoryView,
  all: readonly Workspace[],
  { commit, ids }: Wanted,
): Promise<ReadInputs> {
  if (ids.size === 0) return NONE;
  const found = await listReportedFolders(deps.database, [...ids]);
  const reported = Map.groupBy(found, ({ workspaceId }) => workspaceId);
  const tracked = all.flatMap(({ id, source, trigger: { ignores, alsoReads } }) => {
    if (source.type !== "git") return [];
    const folders = (reported.get(id) ?? []).map(({ path }) => path);
    return [{ workspaceId: id, path: source.path, engine: null, ignores, alsoReads, reported: folders }];
  });
  return readInputs(await view.objects(commit), openScanCache(deps, view.mirror), tracked, ids);
}
