/** Decides which runs the changes of refs start. */
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { branchOf, tagOf } from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import {
  asksToSkip,
  type FoundInputs,
  isStored,
  judgeTrigger,
  titleOf,
  type TriggerDecision,
  type TriggerVerdict,
} from "../../model/repository/trigger-decision.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listReportedFolders } from "../../persistence/inputs/source-inputs-store.ts";
import { findHostCredential } from "../../persistence/repository/git-host-store.ts";
import { findRefChanges } from "../../persistence/repository/ref-change-store.ts";
import { findRepositories } from "../../persistence/repository/repository-store.ts";
import {
  claimRefChanges,
  deferRefChange,
  endRefChange,
  failRefChange,
  findDoneDigests,
  insertDecisions,
  lockUndecided,
} from "../../persistence/repository/trigger-store.ts";
import { listWorkspacesOfRepository } from "../../persistence/workspace/workspace-store.ts";
import { openChangeset } from "../changeset/open-changeset.ts";
import { readInputs, type WorkspaceInputs } from "../inputs/read-inputs.ts";
import type { Deps } from "../kit/deps.ts";
import type { RepositoryView } from "../kit/git-fetcher.ts";
import { namePattern } from "../kit/patterns.ts";
import { hostVariables } from "../source/git-credentials.ts";
import { openScanCache } from "../source/scan-cache.ts";

/** Decides the changes that are due. Returns their number; those that fail are due again later. */
export async function decideRound(deps: Deps): Promise<number> {
  const now = deps.clock().getTime();
  const at = new Date(now).toISOString();
  const until = new Date(now + LIMITS.decisionMs).toISOString();
  const ids = await deps.database.statement((statement) =>
    claimRefChanges(statement, { at, until }, LIMITS.decisionsAtOnce),
  );
  const changes = ids.length === 0 ? [] : await findRefChanges(deps.database, ids);
  await Promise.all(changes.flatMap((change) => (change === null ? [] : [decideOrDefer(deps, change)])));
  return ids.length;
}

async function decideOrDefer(deps: Deps, change: RefChange): Promise<void> {
  try {
    await decideChange(deps, change);
  } catch (error) {
    if (!(error instanceof UserError)) deps.reportError(error, `deciding ${change.id}`);
    const message =
      error instanceof UserError ? error.message : "The change could not be decided. Read the log of the server.";
    await deps.database.transaction(async (tx) => {
      const failures = await failRefChange(tx, change.id, message.slice(0, LIMITS.textLength));
      const pauseMs = Math.min(LIMITS.decisionRetryMs * 2 ** Math.min(failures, 10), LIMITS.lookRetryMs);
      await deferRefChange(tx, change.id, new Date(deps.clock().getTime() + pauseMs).toISOString());
    });
  }
}

/** A workspace that follows the ref, and what the change means for it. */
interface JudgedWorkspace {
  workspace: Workspace;
  verdict: TriggerVerdict;
  inputsDigest: string | null;
}

/** A change of which the commits were read. */
interface JudgedChange {
  title: string;
  forced: boolean | null;
  workspaces: JudgedWorkspace[];
}

async function decideChange(deps: Deps, change: RefChange): Promise<void> {
  const [repository = null] = await findRepositories(deps.database, [change.repositoryId]);
  const judged = repository === null ? NOTHING : await judgeChange(deps, repository, change);
  await deps.database.transaction((tx) => recordDecision(tx, deps, change, judged));
}

const NOTHING: JudgedChange = { title: "", forced: null, workspaces: [] };

/** Judges all workspaces that follow a ref. Throws as git does. */
async function judgeChange(
  deps: Deps,
  repository: Repository,
  change: Pick<RefChange, "ref" | "before" | "after">,
): Promise<JudgedChange> {
  const { ref, before, after } = change;
  const all = await listWorkspacesOfRepository(deps.database, repository.id);
  const following = all.filter((workspace) => follows(workspace, ref));
  if (after === null || following.length === 0) return NOTHING;
  const variables = hostVariables(await findHostCredential(deps.database, deps.cipher, repository.gitHostId));
  const source = { url: repository.url, branch: branchOf(ref) ?? ref };
  const read = (view: RepositoryView) => judgeView(deps, view, { all, following, ref, before, after });
  return deps.git.read(source, variables, [ref], read);
}

/** Whether changes of a ref start runs of a workspace. */
function follows({ trigger }: Workspace, ref: string): boolean {
  const tag = tagOf(ref);
  if (tag !== null) return trigger.tags !== null && namePattern(trigger.tags)(tag);
  return trigger.branch !== null && trigger.branch === branchOf(ref);
}

interface Asked {
  all: readonly Workspace[];
  following: readonly Workspace[];
  ref: string;
  before: string | null;
  after: string;
}

async function judgeView(
  deps: Deps,
  view: RepositoryView,
  { all, following, ref, before, after }: Asked,
): Promise<JudgedChange> {
  const isTag = tagOf(ref) !== null;
  const now = await inputsAt(deps, view, all, after);
  const done = await findDoneDigests(
    deps.database,
    following.map(({ id }) => id),
    ref,
  );
  const isFirst = !isTag && before !== null && following.some(({ id }) => !done.has(id));
  const then = isFirst ? await inputsAt(deps, view, all, before).catch(missing) : null;
  const message = await view.messageOf(after);
  const facts = { isTag, isMoved: before !== null, skips: asksToSkip(message) };
  const workspaces = following.map((workspace): JudgedWorkspace => {
    const found = foundOf(now.get(workspace.id));
    const former = foundOf(then?.get(workspace.id));
    const beforeDigest = then !== null && "digest" in former ? former.digest : null;
    const verdict = judgeTrigger({
      ...facts,
      after: found,
      done: done.get(workspace.id) ?? null,
      before: beforeDigest,
    });
    return { workspace, verdict, inputsDigest: "digest" in found ? found.digest : null };
  });
  const forced = before === null ? false : !(await view.isAncestor(before, after).catch(() => false));
  return { title: titleOf(message, after), forced, workspaces };
}

/** A commit that was replaced by a forced push may be gone. */
function missing(error: unknown): null {
  if (error instanceof Error) return null;
  throw error;
}

async function inputsAt(
  deps: Deps,
  view: RepositoryView,
  workspaces: readonly Workspace[],
  commit: string,
): Promise<ReadonlyMap<string, WorkspaceInputs>> {
  const ids = workspaces.map(({ id }) => id);
  const reported = Map.groupBy(await listReportedFolders(deps.database, ids), ({ workspaceId }) => workspaceId);
  const tracked = workspaces.flatMap(({ id, source, trigger: { ignores, alsoReads } }) => {
    if (source.type !== "git") return [];
    const folders = (reported.get(id) ?? []).map(({ path }) => path);
    return [{ workspaceId: id, path: source.path, engine: null, ignores, alsoReads, reported: folders }];
  });
  return readInputs(await view.objects(commit), openScanCache(deps, view.mirror), tracked);
}

function foundOf(inputs: WorkspaceInputs | undefined): FoundInputs {
  if (inputs === undefined) return { problem: "is no repository." };
  return inputs.type === "READ" ? { digest: inputs.inputs.digest } : { problem: inputs.message };
}

/** Records the verdicts and opens the changeset of the runs, in one transaction: each change starts its runs once. */
async function recordDecision(tx: Transaction, deps: Deps, change: RefChange, judged: JudgedChange): Promise<void> {
  if (!(await lockUndecided(tx, change.id))) return;
  const at = deps.clock().toISOString();
  const { ref, after, organizationId, id: refChangeId } = change;
  const cause = { type: "PUSH", refChangeId, ref, commit: after ?? "" } as const;
  const isTag = tagOf(ref) !== null;
  const members = judged.workspaces.flatMap(({ workspace, verdict }) => {
    if (verdict.outcome === "RUN_CREATED") return [{ workspaceId: workspace.id, cause }];
    if (verdict.reason !== "MESSAGE_SAYS_SKIP") return [];
    return [{ workspaceId: workspace.id, cause, skipReason: verdict.message }];
  });
  const changeset =
    members.length === 0
      ? null
      : await openChangeset(tx, deps, {
          organizationId,
          source: isTag ? "TAG" : "PUSH",
          trigger: isTag ? "TAG" : "PUSH",
          kind: "DEPLOY",
          title: judged.title,
          commit: after,
          members,
          createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
        });
  const decisions = judged.workspaces
    .filter(({ verdict }) => isStored(verdict))
    .map(({ workspace, verdict, inputsDigest }): TriggerDecision => {
      return { ...verdict, refChangeId, workspaceId: workspace.id, inputsDigest, at };
    });
  await insertDecisions(tx, decisions);
  await endRefChange(tx, { id: refChangeId, at, forced: judged.forced, changesetId: changeset?.id ?? null });
}
