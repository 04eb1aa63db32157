import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Run } from "../../model/run/run.ts";
import { concernsInboxes } from "../../model/run/inbox.ts";
import { changedWorkspaceFields } from "../../model/run/changed-fields.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import type { AcceptedTransition } from "../../model/lifecycle/run-machine.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { type RunChanges, updateRun } from "../../persistence/run/run-change-store.ts";
import type { NewPhase, NewRunEvent } from "../../persistence/run/run-event-parts.ts";
import { appendBlockerReports, type BlockerReport } from "../../persistence/dispatch/blocker-report-store.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueRunWebhooks } from "./enqueue-webhooks.ts";
import { openAfterApply } from "./open-after-apply.ts";
import type { WorkspaceContext } from "./machine-input.ts";
import { followVerification } from "./follow-verification.ts";
import { endJudgement } from "./order-judgement.ts";
import { settleChangeset } from "./settle-changeset.ts";
import { settleDrift } from "./settle-drift.ts";
import { type ChangeDetails, type EventBody, transitionChanges } from "./transition-changes.ts";

/**
 * Persists an accepted transition: the row, its events and its phases. The event of the status comes last. Use
 * `applyTransition` unless the caller admits waiting runs itself.
 */
export async function recordTransition(
  tx: Transaction,
  deps: Deps,
  locked: WorkspaceContext & { run: Run },
  accepted: AcceptedTransition,
  details: ChangeDetails,
): Promise<Run> {
  const { run } = locked;
  const { change } = accepted;
  const at = deps.clock().toISOString();
  const newPhaseId = () => deps.newId("phase");
  const { bodies, set, phase } = transitionChanges(locked, accepted, details, { at, newPhaseId });
  if (bodies.length === 0) return run;
  const changed = await write(tx, deps, run, { bodies, set, at, actorId: details.actorId, phase });
  await settleDrift(tx, deps, locked.workspace, changed);
  await endJudgement(tx, deps, run, changed);
  await followVerification(tx, deps, locked, run, changed);
  await openAfterApply(tx, deps, locked, changed);
  const waitedMs = Date.parse(at) - Date.parse(run.statusAt);
  if (changed.status !== run.status) tx.observe({ type: "wait", status: run.status, waitedMs });
  if (change !== null && isTerminal(change.status)) tx.announce(`log:${run.id}`);
  return changed;
}

/**
 * Persists a change of a run that is no transition: columns, and the events that name what changed. The status stays.
 * The run's row must be locked.
 */
export function recordUpdate(
  tx: Transaction,
  deps: Deps,
  run: Run,
  { actorId, set = {}, events }: Pick<ChangeDetails, "actorId" | "set"> & { events: RunEventBody[] },
): Promise<Run> {
  return write(tx, deps, run, { bodies: events, set, at: deps.clock().toISOString(), actorId });
}

/** Persists that a runner has begun another phase, in the same status. The run's row must be locked. */
export function recordPhase(
  tx: Transaction,
  deps: Deps,
  run: Run,
  { kind, runnerId }: Pick<NewPhase, "kind" | "runnerId">,
): Promise<Run> {
  const id = deps.newId("phase");
  const bodies: EventBody[] = [
    { type: "PHASE_ENDED", to: "PASSED" },
    { type: "PHASE_CHANGED", phaseId: id, to: "RUNNING" },
  ];
  const at = deps.clock().toISOString();
  return write(tx, deps, run, { bodies, set: {}, at, actorId: SYSTEM_ACTOR_ID, phase: { id, kind, runnerId } });
}

/**
 * Records changed blockers of runs of one workspace, whose row must be locked. Nothing else changes: no event of the
 * workspace and no webhook follows.
 */
export async function recordBlockers(
  tx: Transaction,
  { clock }: Pick<Deps, "clock">,
  reports: readonly BlockerReport[],
): Promise<void> {
  if (reports.length === 0) return;
  await appendBlockerReports(tx, reports, {
    at: clock().toISOString(),
    actorId: SYSTEM_ACTOR_ID,
    fields: ["blockers"],
  });
  for (const { run } of reports) tx.announce(`run:${run.id}`);
}

interface Change {
  bodies: readonly EventBody[];
  set: RunChanges;
  at: string;
  actorId: string;
  /** The phase that starts. */
  phase?: NewPhase | null;
}

async function write(
  tx: Transaction,
  deps: Deps,
  run: Run,
  { bodies, set, at, actorId, phase = null }: Change,
): Promise<Run> {
  const events = bodies.map((body, index): NewRunEvent => {
    return { ...body, runId: run.id, version: run.version + index + 1, at, actorId };
  });
  const { status = { to: run.status }, holdsWorkspace = run.holdsWorkspace } = set;
  const workspaceFields = changedWorkspaceFields(run, { kind: run.kind, status: status.to, holdsWorkspace });
  const changed = await updateRun(tx, run, set, events, { phase, workspaceFields });
  await enqueueRunWebhooks(tx, deps, run, changed);
  const { organizationId, changesetId } = run;
  if (changesetId !== null && isTerminal(changed.status))
    await settleChangeset(tx, deps, { organizationId, changesetId }, at);
  // Workspaces downstream may have something to do.
  if (run.outcome === null && changed.outcome === "APPLIED") tx.announce("changesets");
  if (concernsInboxes(run.status, changed.status)) tx.announce("inbox");
  tx.announce(`run:${run.id}`);
  return changed;
}
