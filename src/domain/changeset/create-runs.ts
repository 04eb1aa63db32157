/** Creates the runs of changesets, in batches. */
import pLimit from "p-limit";
import type { Changeset, ChangesetMember } from "../../model/changeset/changeset.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunCause } from "../../model/run/run-cause.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import { isDriftCheck } from "../../model/workspace/drift-settings.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { refuseTask } from "../../model/workspace/workspace-use.ts";
import {
  listUncreatedMembers,
  lockUncreatedMembers,
  setMemberProblem,
  setMemberRun,
} from "../../persistence/changeset/changeset-member-store.ts";
import { listOrdered } from "../../persistence/changeset/changeset-order-store.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import { RightsChanged, type Transaction } from "../../persistence/database/database.ts";
import { listRequesterIds } from "../../persistence/run/requester-store.ts";
import { findWorkspaces, lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { authorize } from "../access/command.ts";
import type { CreationInput } from "../creation/creation-input.ts";
import { type CreationPolicies, UnjudgedCreation, underCreationPolicies } from "../creation/creation-policies.ts";
import type { Deps } from "../kit/deps.ts";
import { GitClosed } from "../kit/git-fetcher.ts";
import { withoutExpiredLock } from "../lifecycle/machine-input.ts";
import { queueRun, type Requester } from "../lifecycle/queue-run.ts";
import type { SourceCommit } from "../kit/git-fetcher.ts";
import { settleChangeset } from "../lifecycle/settle-changeset.ts";
import { supersedeOlder, type SupersedingCause } from "../lifecycle/supersede.ts";
import { findCurrentCaller } from "../sign-in/current-caller.ts";
import { underRightsOf } from "../sign-in/rights-in-use.ts";
import { readRollbackVariables } from "../variables/run-variables.ts";
import { BatchChanges } from "./batch-changes.ts";
import { type PreparedSource, prepareSource, storeSource } from "../source/prepare-source.ts";
import type { StepResult } from "./step-result.ts";

/** A member whose run can be created, or the reason why it cannot. */
interface Ready {
  member: ChangesetMember;
  /** `null`: the member brings its source. */
  source: PreparedSource | null;
  problem: string | null;
}

const GONE = "The workspace was deleted.";
const SIGNED_OUT = "The token or session that created this changeset has ended. Create it again with another one.";

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Creates the next runs of a changeset in one transaction, which waits for its turn. */
export async function createNextRuns(
  deps: Deps,
  changeset: Changeset,
  inTurn: InTurn = (work) => work(),
): Promise<StepResult> {
  if (changeset.heldAt !== null) return "NOTHING";
  const members = await listUncreatedMembers(deps.database, changeset.id, LIMITS.changesetBatch);
  if (members.length === 0) return "NOTHING";
  const caller = await callerOf(deps, changeset);
  const ready =
    caller === "ended"
      ? members.map((member): Ready => ({ member, source: null, problem: SIGNED_OUT }))
      : await prepare(deps, changeset, members);
  const acting = caller === "ended" || caller === null ? null : caller;
  const within = acting === null ? deps : underRightsOf(deps, acting);
  try {
    const denied = isAutomatic(acting) ? "SKIP" : "REFUSE";
    const created = await underCreationPolicies(deps, denied, (policies) =>
      inTurn(() =>
        within.database.transaction((tx) => createBatch(tx, deps, { changeset, caller: acting, policies }, ready)),
      ),
    );
    return created > 0 ? "DONE" : "ELSEWHERE";
  } catch (error) {
    // The members still wait; the next turn has the new rights.
    if (error instanceof RightsChanged) return "DONE";
    throw error;
  }
}

/** The caller under whose rights runs are created; `null`: the system. */
async function callerOf(deps: Deps, { credentialId }: Changeset): Promise<ActorCaller | "ended" | null> {
  if (credentialId === null) return null;
  return (await findCurrentCaller(deps, { credential: credentialKind(credentialId), credentialId })) ?? "ended";
}

function credentialKind(id: string): ActorCaller["credential"] {
  const kind = idKind(id);
  if (kind === "schedule" || kind === "inboundHook" || kind === "promotionPipeline") return "OWNER";
  if (kind === "job") return "RUN";
  return kind === "session" ? "SESSION" : "TOKEN";
}

/** Prepares the sources of members at once. A source that cannot be read is a problem of its member alone. */
async function prepare(deps: Deps, changeset: Changeset, members: readonly ChangesetMember[]): Promise<Ready[]> {
  const workspaces = await findWorkspaces(
    deps.database,
    members.map(({ workspaceId }) => workspaceId),
  );
  const limit = pLimit(LIMITS.changesetSourcesAtOnce);
  return Promise.all(
    members.map((member, index) => {
      const workspace = workspaces[index] ?? null;
      const work = (): Promise<Ready> => prepareMember(deps, { changeset, member, workspace });
      // Git sources have limits of their own, and those of one repository fetch their files together.
      return workspace?.source.type === "git" ? work() : limit(work);
    }),
  );
}

async function prepareMember(
  deps: Deps,
  { changeset, member, workspace }: { changeset: Changeset; member: ChangesetMember; workspace: Workspace | null },
): Promise<Ready> {
  if (workspace === null) return { member, source: null, problem: GONE };
  if (member.source !== null || member.skipReason !== null) return { member, source: null, problem: null };
  try {
    const source = await prepareSource(deps, workspace, commitOf(changeset, member, workspace));
    return { member, source, problem: null };
  } catch (error) {
    if (isConnectionLost(error) || error instanceof GitClosed) throw error;
    return { member, source: null, problem: problemOf(deps, error, member) };
  }
}

/** The commit of a push or a promotion, or that of the changeset; other members have the source of their workspace. */
function commitOf(
  { commit: ofChangeset }: Changeset,
  { cause }: ChangesetMember,
  { source }: Workspace,
): SourceCommit | undefined {
  if (cause?.type === "PUSH") return { ref: cause.ref, commit: cause.commit };
  const commit = cause?.type === "PROMOTION" ? cause.commit : ofChangeset;
  // The branch only names what is brought up to date: it need not have the commit any more.
  return commit === null || source.type !== "git" ? undefined : { ref: `refs/heads/${source.branch}`, commit };
}

function problemOf(deps: Deps, error: unknown, { changesetId, workspaceId }: ChangesetMember): string {
  if (error instanceof UserError) return error.message.slice(0, LIMITS.textLength);
  deps.reportError(error, `the run of ${changesetId} in ${workspaceId}`);
  return "The run could not be created. Read the log of the server.";
}

/** The changeset of a batch, under whose rights its runs are created (`null`: the system), and the policies. */
interface Batch {
  changeset: Changeset;
  caller: ActorCaller | null;
  policies: CreationPolicies;
}

/** Whether runs are created by the system, or by what acts for its owner: no caller waits for an answer. */
function isAutomatic(caller: ActorCaller | null): boolean {
  return caller === null || caller.credential === "OWNER";
}

/** Returns how many members it took from those that wait. Throws UnjudgedCreation with all that policies must judge first. */
async function createBatch(tx: Transaction, deps: Deps, batch: Batch, ready: readonly Ready[]): Promise<number> {
  const { changeset, caller } = batch;
  const open = await lockUncreatedMembers(
    tx,
    changeset.id,
    ready.map(({ member }) => member.workspaceId),
  );
  const ordered = new Set(await listOrdered(tx, changeset.id, open));
  // All workspaces before the first run, in the order of their ids: two batches cannot wait for each other.
  const workspaces = new Map<string, Workspace | null>();
  for (const id of open) workspaces.set(id, await lockKeptWorkspace(tx, id));
  const changes = new BatchChanges();
  const unjudged: CreationInput[] = [];
  let ended = false;
  for (const { member, source, problem } of ready) {
    const workspace = workspaces.get(member.workspaceId);
    if (workspace === undefined) continue;
    const refusal = problem ?? refusalOf(changeset, caller, workspace);
    if (refusal !== null || workspace === null) {
      await setMemberProblem(tx, member, refusal ?? GONE);
      changes.add(changeset.id, "RUN_NOT_CREATED", member.workspaceId);
      continue;
    }
    const awaitsUpstream = member.skipReason === null && (member.isByEdge || ordered.has(workspace.id));
    const created = await createRunOf(tx, deps, { ...batch, member, workspace, source, awaitsUpstream }).catch(
      asRefused,
    );
    if (created instanceof UnjudgedCreation) unjudged.push(...created.inputs);
    else if (created instanceof UserError) {
      await setMemberProblem(tx, member, created.message.slice(0, LIMITS.textLength));
      changes.add(changeset.id, "RUN_NOT_CREATED", member.workspaceId);
    } else {
      ended ||= isTerminal(created.run.status);
      for (const id of created.superseded) changes.add(id, "SUPERSEDED", workspace.id);
    }
  }
  if (unjudged.length > 0) throw new UnjudgedCreation(unjudged);
  const { organizationId, id: changesetId } = changeset;
  await changes.record(tx, deps, organizationId);
  if (changes.has("RUN_NOT_CREATED") || ended) {
    await settleChangeset(tx, deps, { organizationId, changesetId }, deps.clock().toISOString());
  }
  return open.length;
}

/** Returns the refusal of policies, or that they must judge first; nothing was written then. Rethrows other errors. */
function asRefused(error: unknown): UserError | UnjudgedCreation {
  if (error instanceof UnjudgedCreation) return error;
  if (error instanceof UserError && error.code === "POLICY_DENIED") return error;
  throw error;
}

/** Why the caller may not run this kind in the workspace as it is now; `null` if it may. */
function refusalOf({ kind }: Changeset, caller: ActorCaller | null, workspace: Workspace | null): string | null {
  if (workspace === null) return GONE;
  if (kind === "TASK") {
    const refused = refuseTask(workspace);
    if (refused !== null) return refused.reason;
  }
  if (caller === null) return null;
  try {
    const demand = { permission: permissionToRun(kind), words: "creating runs" } as const;
    authorize(caller, demand, workspacePlace(workspace));
    return null;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/**
 * Reads the creator of a run. What acts for its owner is the system's: the owner counts as the one that requested it, and so
 * do those that requested what caused it. Else someone would approve alone what an own run brought on its way.
 */
async function readRequester(
  tx: Transaction,
  { createdById }: Changeset,
  caller: ActorCaller | null,
  { cause }: ChangesetMember,
): Promise<Requester> {
  if (caller !== null && !isAutomatic(caller)) return caller;
  const owner = caller === null ? [] : [caller.actor.id];
  return { actor: { id: createdById }, requestedByIds: [...owner, ...(await readCausers(tx, cause))] };
}

async function readCausers(tx: Transaction, cause: ChangesetMember["cause"]): Promise<readonly string[]> {
  if (cause?.type === "EXPIRY") return [cause.setById];
  if (cause?.type === "DEPENDENCY") return listRequesterIds(tx, { runIds: [cause.upstreamRunId] });
  if (cause?.type === "PROMOTION") return listRequesterIds(tx, { changesetIds: [cause.changesetId] });
  return [];
}

/** The variables that came with the source of a member, with credentials of now; `null`: those of the workspace. */
async function variablesOf(tx: Transaction, deps: Deps, { workspaceId, source }: ChangesetMember) {
  const id = source?.variablesOfRunId ?? null;
  return id === null ? null : readRollbackVariables(tx, deps, { id, workspaceId });
}

/** Whether a run only refreshes the state because its workspace is checked for drift that way. */
function isRefreshCheck(changeset: Changeset, { driftSettings }: Workspace): boolean {
  return isDriftCheck(changeset) && driftSettings.mode === "REFRESH_ONLY";
}

/** Creates the run of a member. `superseded`: the ids of the changesets whose run it supersedes. */
async function createRunOf(
  tx: Transaction,
  deps: Deps,
  {
    changeset,
    caller,
    policies,
    member,
    workspace,
    source,
    awaitsUpstream,
  }: Batch & {
    member: ChangesetMember;
    workspace: Workspace;
    source: PreparedSource | null;
    awaitsUpstream: boolean;
  },
): Promise<{ run: Run; superseded: string[] }> {
  const requester = await readRequester(tx, changeset, caller, member);
  const row = withoutExpiredLock(workspace, deps.clock());
  const run = await queueRun(tx, deps, requester, row, {
    kind: changeset.kind,
    trigger: changeset.trigger,
    message: changeset.title,
    revision: source?.revision ?? member.source?.revision ?? changeset.commit,
    targets: [],
    replace: [],
    refreshOnly: changeset.refreshOnly || isRefreshCheck(changeset, workspace),
    command: changeset.command,
    metadata: member.cause?.type === "INBOUND_HOOK" ? { ...member.cause.metadata } : {},
    priority: changeset.priority,
    scheduledAt: member.scheduledAt,
    originId: null,
    planRunId: null,
    planVersion: 0,
    source: source === null ? member.source : await storeSource(tx, deps, workspace.id, source),
    createdAt: deps.clock().toISOString(),
    variables: await variablesOf(tx, deps, member),
    hooks: null,
    changesetId: changeset.id,
    cause: member.cause,
    skipReason: member.skipReason,
    awaitsUpstream,
    policies,
  });
  await setMemberRun(tx, member, run.id);
  if (isTerminal(run.status) || !supersedes(changeset, member.cause)) return { run, superseded: [] };
  return { run, superseded: await supersedeOlder(tx, deps, { workspace, run, cause: member.cause }) };
}

/** Whether a run takes the place of those of older commits. A tag does not. */
function supersedes({ source }: Changeset, cause: RunCause | null): cause is SupersedingCause {
  return cause?.type === "PROMOTION" || (cause?.type === "PUSH" && source === "PUSH");
}
