/** Creates the run by which a workspace goes back after an apply that did not pass its verification. */
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { downgradedProviders, goesBack, isEngineDowngrade } from "../../model/run/rollback.ts";
import { SOURCE_RISKS, type SourceRisk } from "../../model/run/rollback-risk.ts";
import { plannedBy, requestersOf, type Run } from "../../model/run/run.ts";
import { VERIFICATION_LIMITS } from "../../model/workspace/verification-limits.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { RollbackGuard } from "../../model/workspace/rollback-settings.ts";
import { rollbackData } from "../../model/webhook/verification-message.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { insertRunComment } from "../../persistence/run/run-comment-store.ts";
import { findRun, getRunInput, type RunSource } from "../../persistence/run/run-store.ts";
import { hasNewerRun } from "../../persistence/verification/rollback-store.ts";
import {
  type LeasedVerification,
  lockVerification,
  setRollbackDone,
} from "../../persistence/verification/verification-store.ts";
import { findWorkspace, lockWorkspaceOfRun } from "../../persistence/workspace/workspace-store.ts";
import { type CreationPolicies, underCreationPolicies } from "../creation/creation-policies.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueRunEvent } from "../lifecycle/enqueue-webhooks.ts";
import { readWorkspaceContext } from "../lifecycle/locked-run.ts";
import { queueRun } from "../lifecycle/queue-run.ts";
import { readArchive } from "../source/read-archive.ts";
import { type SourceEntry, SourceRefused } from "../source/source-entry.ts";
import { readRollbackVariables } from "../variables/run-variables.ts";
import { isGuardMoved } from "./rollback-guards.ts";

const LOCK_FILE = ".terraform.lock.hcl";

/** Creates the run to go back, once. It reads both sources first: nothing in the transaction waits for a store. */
export async function proposeRollback(deps: Deps, leased: LeasedVerification, toRunId: string): Promise<void> {
  const failed = await findRun(deps.database, leased.runId);
  const target = await findRun(deps.database, toRunId);
  const workspace = failed === null ? null : await findWorkspace(deps.database, failed.workspaceId);
  if (failed === null || target === null || workspace === null) {
    return deps.database.transaction((tx) => note(tx, leased));
  }
  if (isTooLate(failed, deps.clock())) {
    return deps.database.transaction((tx) => giveUp(tx, deps, leased, { failed, target }));
  }
  const risks = await findRisks(deps, failed, target, workspace.rollback.guards);
  await underCreationPolicies(deps, "SKIP", (policies) =>
    deps.database.transaction((tx) => goBack(tx, deps, leased, { failed, target, risks, policies })),
  );
}

/** Whether a run to go back could not be created for so long that people have taken over. Each attempt was reported. */
function isTooLate({ finishedAt }: Run, at: Date): boolean {
  return finishedAt !== null && at.getTime() - Date.parse(finishedAt) > VERIFICATION_LIMITS.rollbackMs;
}

/** Notes that there will be no run to go back. */
async function note(tx: Transaction, { runId, fence }: LeasedVerification): Promise<void> {
  const verification = await lockVerification(tx, runId);
  if (verification?.fence === fence) await setRollbackDone(tx, verification.id);
}

/** Gives up going back. Where that is still wanted, a comment at the run that failed states it. */
async function giveUp(tx: Transaction, deps: Deps, leased: LeasedVerification, about: WantedRollback): Promise<void> {
  if ((await takeWanted(tx, deps, leased, about.failed)) === null) return;
  const { runId } = leased;
  const text =
    `There is no run to go back to run ${about.target.number}: none could be created within an hour after this run failed. ` +
    "The log of the server has what failed. Deploy a source that works.";
  const at = deps.clock().toISOString();
  await insertRunComment(tx, { id: deps.newId("comment"), runId, actorId: SYSTEM_ACTOR_ID, text, at });
  tx.announce(`run:${runId}`);
}

interface WantedRollback {
  failed: Run;
  target: Run;
}

interface Rollback extends WantedRollback {
  risks: readonly SourceRisk[];
  policies: CreationPolicies;
}

async function goBack(tx: Transaction, deps: Deps, leased: LeasedVerification, rollback: Rollback): Promise<void> {
  const workspace = await takeWanted(tx, deps, leased, rollback.failed);
  if (workspace !== null) await create(tx, deps, workspace, rollback);
}

/**
 * Notes that the rollback is decided, once, and returns its workspace, which is then locked. `null`: it was decided before, or
 * is not wanted any more.
 */
async function takeWanted(
  tx: Transaction,
  deps: Deps,
  leased: LeasedVerification,
  failed: Run,
): Promise<Workspace | null> {
  const locked = await lockWorkspaceOfRun(tx, leased.runId);
  const verification = await lockVerification(tx, leased.runId);
  if (verification === null || verification.fence !== leased.fence) return null;
  await setRollbackDone(tx, verification.id);
  if (locked === null) return null;
  const context = await readWorkspaceContext(tx, deps, locked);
  const isFrozen = context.frozenUntil !== null;
  const { baselinePassed } = verification;
  // A person may have paused, locked or changed it meanwhile, or has ordered something newer.
  if (!goesBack(failed, context.workspace, { baselinePassed, isFrozen })) return null;
  return (await hasNewerRun(tx, failed)) ? null : context.workspace;
}

async function create(
  tx: Transaction,
  deps: Deps,
  workspace: Workspace,
  { failed, target, risks, policies }: Rollback,
): Promise<void> {
  const { mode } = workspace.rollback;
  if (mode === "OFF") return;
  const requester = { actor: { id: SYSTEM_ACTOR_ID }, requestedByIds: requestersOf(failed) };
  const run = await queueRun(tx, deps, requester, workspace, {
    kind: "DEPLOY",
    trigger: "ROLLBACK",
    message: `Go back to run ${target.number}: the result of run ${failed.number} did not pass its verification.`,
    revision: target.revision,
    targets: [],
    replace: [],
    refreshOnly: false,
    command: null,
    metadata: {},
    priority: failed.priority,
    scheduledAt: null,
    originId: failed.id,
    planRunId: null,
    planVersion: 0,
    source: (await getRunInput(tx, target.id)).source,
    variables: await readRollbackVariables(tx, deps, target),
    hooks: null,
    policies,
    cause: { type: "ROLLBACK", mode, toRunId: target.id, risks: [...risks] },
    createdAt: deps.clock().toISOString(),
  });
  await enqueueRunEvent(tx, deps, "run.rollback.proposed", run, (context, createdBy) =>
    rollbackData(context, { run, createdBy, failed, target, mode, risks }),
  );
}

async function findRisks(
  deps: Deps,
  failed: Run,
  target: Run,
  guards: readonly RollbackGuard[],
): Promise<SourceRisk[]> {
  const [then, now] = [await getRunInput(deps.database, target.id), await getRunInput(deps.database, failed.id)];
  const [lockedThen, lockedNow] = [await readLockFile(deps, then.source), await readLockFile(deps, now.source)];
  const isOlder = lockedThen !== null && lockedNow !== null && downgradedProviders(lockedThen, lockedNow).length > 0;
  const found: Record<SourceRisk, boolean> = {
    PROVIDER_DOWNGRADE: isOlder,
    ENGINE_DOWNGRADE: await hasOlderEngine(deps, failed, target),
    GUARD_MOVED: await isGuardMoved(deps, { failed, target }, guards),
  };
  return SOURCE_RISKS.filter((risk) => found[risk]);
}

/** Whether the earlier run was planned by an older engine than the one that wrote the state last. */
async function hasOlderEngine({ database }: Deps, failed: Run, target: Run): Promise<boolean> {
  const then = await findNewestPlan(database, plannedBy(target));
  const now = await findNewestPlan(database, plannedBy(failed));
  return then !== null && now !== null && isEngineDowngrade(then.engine, now.engine);
}

/** Reads the lock file beside the configuration of a source; `null` if it has none. */
async function readLockFile(deps: Deps, source: RunSource | null): Promise<string | null> {
  if (source === null) return null;
  const pieces: Buffer[] = [];
  for await (const piece of await deps.blobs.read(source.blobId)) pieces.push(piece);
  const entries = await readArchive(Buffer.concat(pieces)).catch(refusedAsNone);
  const path = source.workFolder === "." ? LOCK_FILE : `${source.workFolder}/${LOCK_FILE}`;
  const entry = entries.find(({ name }) => name === path);
  return entry === undefined ? null : (await entry.read()).toString();
}

/** A source that cannot be read has no lock file. */
function refusedAsNone(error: unknown): SourceEntry[] {
  if (error instanceof SourceRefused) return [];
  throw error;
}
