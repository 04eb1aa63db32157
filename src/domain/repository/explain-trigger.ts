/** Explains why a change started no run of a workspace, and what a push would start. Nothing is created or stored. */
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, can, countedCredential } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { branchOf, rememberedCommit, tagOf } from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import {
  isStored,
  judgeTrigger,
  skipped,
  type TriggerVerdict,
  withBrake,
} from "../../model/repository/trigger-decision.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { listGitRefs } from "../../persistence/repository/git-ref-store.ts";
import { findLooks } from "../../persistence/repository/look-store.ts";
import { findRepositories } from "../../persistence/repository/repository-store.ts";
import { listWorkspacesOfRepository } from "../../persistence/workspace/workspace-store.ts";
import type { RepositoryView } from "../kit/git-fetcher.ts";
import type { TokenLimit } from "../kit/token-limit.ts";
import { isMissingObject } from "../source/git-error.ts";
import {
  type JudgeDeps,
  type JudgedWorkspace,
  judgeView,
  settledBefore,
  wasThere,
  whyNotFollowed,
  withRepository,
} from "./judge-change.ts";

/** A decision that was worked out and not stored. */
export interface DerivedDecision extends TriggerVerdict {
  workspaceId: string;
  inputs: SourceInputs | null;
  changed: readonly string[];
}

/** A change, and a workspace, that the caller may read. */
export interface ExplainedPair {
  change: RefChange;
  workspace: Workspace;
}

/**
 * Explains what a change meant for a workspace for which nothing was stored. It is worked out from the mirror of the
 * repository, by the runs that were there when the change was decided and by the settings of now. Throws HOST_UNREACHABLE
 * if the host is needed and does not answer in time.
 */
export async function explainChange(
  deps: JudgeDeps,
  limit: TokenLimit,
  caller: ActorCaller,
  { change, workspace }: ExplainedPair,
): Promise<DerivedDecision> {
  const isMoved = await wasThere(deps.database, change);
  const known = knownReason(change, workspace, isMoved);
  if (known !== null) return { ...known, workspaceId: workspace.id, inputs: null, changed: [] };
  const [repository = null] = await findRepositories(deps.database, [change.repositoryId]);
  if (repository === null) return { ...DELETED, workspaceId: workspace.id, inputs: null, changed: [] };
  return inTime(limit, caller, () => deriveDecision(deps, repository, { change, workspace, isMoved }));
}

/** Returns the reason that follows without the contents of the repository; `null` if they are needed. */
function knownReason(change: RefChange, workspace: Workspace, isMoved: boolean): TriggerVerdict | null {
  const { ref, after, decidedAt, supersededById } = change;
  const isTag = tagOf(ref) !== null;
  const verdict = judgeTrigger({
    notFollowed: isOf(change, workspace) ? whyNotFollowed(workspace, ref) : "Its source is another repository.",
    isTag,
    isDeleted: after === null,
    isMoved,
    skips: false,
    after: { digest: "" },
    done: null,
    before: null,
  });
  if (verdict.reason === "NOT_TRACKED") return verdict;
  if (decidedAt !== null && workspace.createdAt > decidedAt) {
    return skipped("NOT_TRACKED", "The workspace was created after the change.");
  }
  if (supersededById !== null) {
    return skipped("SUPERSEDED", `A newer change of the ref was decided in its place: ${supersededById}.`);
  }
  return verdict.outcome === "RUN_CREATED" ? null : verdict;
}

/** Whether a change is one of the repository of a workspace. */
export function isOf({ repositoryId }: RefChange, { source }: Workspace): boolean {
  return source.type === "git" && source.repositoryId === repositoryId;
}

async function deriveDecision(
  deps: JudgeDeps,
  repository: Repository,
  { change, workspace, isMoved }: ExplainedPair & { isMoved: boolean },
): Promise<DerivedDecision> {
  const all = await listWorkspacesOfRepository(deps.database, repository.id);
  const { ref, after, decidedAt } = change;
  // Whether a change that is not decided yet starts too many runs depends on all workspaces.
  const asked = decidedAt === null ? all : [workspace];
  const settled = await settledBefore(deps, change);
  const question = { ref, isMoved, after: after ?? "", settled, all, asked, asOf: decidedAt };
  const most = await maxRunsOf(deps, repository);
  const workspaceId = workspace.id;
  const judged = await withRepository(deps, repository, [], async (view) => {
    if (!(await isThere(view, question.after))) return null;
    const { workspaces } = await judgeView(deps, view, question);
    return withBrake(workspaces, most).find((one) => one.workspace.id === workspaceId) ?? null;
  });
  if (judged === null) return { ...GONE, workspaceId, inputs: null, changed: [] };
  // It would have been stored: the settings were others, or the source was.
  const isOtherNow = decidedAt !== null && isStored(judged.verdict);
  return { ...toDerived(judged), ...(isOtherNow && OTHER_SETTINGS) };
}

const DELETED = skipped("COMMIT_MISSING", "The repository was deleted here, so the reason cannot be worked out.");
const GONE = skipped(
  "COMMIT_MISSING",
  "The commit is not in the repository any more, so the reason cannot be worked out. No run was started.",
);
const OTHER_SETTINGS = skipped(
  "NOT_TRACKED",
  "The workspace did not follow the ref when the change was decided. By its settings of now it would have a run.",
);

function toDerived({ workspace, verdict, inputs, changed }: JudgedWorkspace): DerivedDecision {
  return { ...verdict, workspaceId: workspace.id, inputs, changed };
}

/** Whether the repository has a commit. Throws as git does if the host cannot be asked. */
async function isThere(view: RepositoryView, commit: string): Promise<boolean> {
  try {
    await view.objects(commit);
    return true;
  } catch (error) {
    if (isMissingObject(error)) return false;
    throw error;
  }
}

export interface PreviewInput {
  ref: string;
  commit: string;
}

/**
 * Decides, as for a push of a commit to a ref, for all workspaces of a repository that `mayRead` lets through, those with a
 * run first. Throws INVALID_INPUT for a commit that the repository does not have, and HOST_UNREACHABLE.
 */
export async function previewPush(
  deps: JudgeDeps,
  limit: TokenLimit,
  caller: ActorCaller,
  { repository, ref, commit }: PreviewInput & { repository: Repository },
): Promise<DerivedDecision[]> {
  checkPreview({ ref, commit });
  return inTime(limit, caller, async () => {
    const all = await listWorkspacesOfRepository(deps.database, repository.id);
    // Before the refs: a look that ends between the two has remembered tags that this one does not count yet.
    const [look = null] = await findLooks(deps.database, [repository.id]);
    const known = await listGitRefs(deps.database, repository.id);
    const remembered = rememberedCommit(known, ref, look?.tagsSeen ?? false);
    const judged = await withRepository(deps, repository, [ref], async (view) => {
      if (!(await isThere(view, commit))) {
        throw invalidField("commit", "must be a commit that the repository has: push it to any branch first.");
      }
      // A ref that is not followed yet is compared with the commit that it has when it is remembered: that of now.
      const before = remembered === undefined ? (view.commits.get(ref) ?? null) : remembered;
      const position = { id: null, repositoryId: repository.id, ref, seq: null, before, changesetId: null };
      const [settled, isMoved] = [await settledBefore(deps, position), await wasThere(deps.database, position)];
      return judgeView(deps, view, { ref, isMoved, after: commit, settled, all, asked: all, asOf: null });
    });
    const decided = withBrake(judged.workspaces, await maxRunsOf(deps, repository));
    const seen = decided.filter(({ workspace }) => can(caller, "RUN_READ", workspacePlace(workspace)));
    const runsFirst = seen.toSorted((a, b) => rankOf(a) - rankOf(b));
    return runsFirst.slice(0, LIMITS.previewedWorkspaces).map(toDerived);
  });
}

async function maxRunsOf({ database }: JudgeDeps, { organizationId }: Repository): Promise<number> {
  const [organization = null] = await findOrganizations(database, [organizationId]);
  return organization?.maxRunsPerPush ?? 0;
}

/** Workspaces with a run, then those that follow the ref, then others. */
function rankOf({ verdict }: JudgedWorkspace): number {
  if (verdict.outcome !== "SKIPPED") return 0;
  return verdict.reason === "NOT_TRACKED" ? 2 : 1;
}

/** Names that git refuses as refs, or reads as options or patterns. */
const BAD_REF = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.lock$|[/.]$|\/\./;

function checkPreview({ ref, commit }: PreviewInput): void {
  const name = branchOf(ref) ?? tagOf(ref);
  if (name === null || name === "" || ref.length > LIMITS.keyLength || BAD_REF.test(ref)) {
    const message = "must be the full name of a branch or a tag, such as refs/heads/main or refs/tags/v1.";
    throw invalidField("ref", message);
  }
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
    throw invalidField("commit", "must be the full id of a commit: 40 hexadecimal digits in small letters.");
  }
}

/** Does expensive work in turn with that of other callers. Throws HOST_UNREACHABLE if it takes too long. */
async function inTime<Result>(limit: TokenLimit, caller: ActorCaller, work: () => Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const seconds = LIMITS.explanationMs / 1000;
    late.reject(new UserError("HOST_UNREACHABLE", `The repository was not read within ${seconds} s. Try again later.`));
  }, LIMITS.explanationMs);
  try {
    return await Promise.race([limit(countedCredential(caller), work), late.promise]);
  } catch (error) {
    throw unreachable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** An error about the source of a workspace is one about the host here. */
function unreachable(error: unknown): unknown {
  if (!(error instanceof UserError) || error.code !== "INVALID_INPUT") return error;
  const [issue] = error.details.issues ?? [];
  if (issue?.path[0] !== "source") return error;
  return new UserError("HOST_UNREACHABLE", `The repository ${issue.message}`);
}
