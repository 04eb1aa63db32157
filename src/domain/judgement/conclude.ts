/** Lets a run proceed, or rejects it, once everything that judges it has finished. */
import { toFailure } from "../../model/lifecycle/failure.ts";
import type { AcceptedTransition } from "../../model/lifecycle/run-machine.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { type Plan, staleReason } from "../../model/plan/plan.ts";
import { type JudgePoint, type PassedJudgement, requiredBefore } from "../../model/policy/judge.ts";
import { type Finding, type Verdict, verdictBeforeApply, verdictOf } from "../../model/policy/verdict.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import type { Run } from "../../model/run/run.ts";
import { insertRunStages } from "../../persistence/approval/run-stage-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { RunChanges } from "../../persistence/run/run-change-store.ts";
import type { Deps } from "../kit/deps.ts";
import { applyTransition, mustAccept } from "../lifecycle/apply-transition.ts";
import { decideCostStages } from "../lifecycle/conditional-stages.ts";
import { enqueueVerdictWebhooks } from "../lifecycle/enqueue-verdict-webhooks.ts";
import { JUDGE_SOURCES } from "../lifecycle/judge-sources.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { type LockedRun, machinePlan } from "../lifecycle/machine-input.ts";
import { isJudged } from "../lifecycle/order-judgement.ts";
import { recordTransition, recordUpdate } from "../lifecycle/record-transition.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import { SKIPPED_REASON } from "../lifecycle/skip-applying.ts";
import type { ChangeDetails } from "../lifecycle/transition-changes.ts";
import { relieve } from "../lifecycle/plan-findings.ts";
import { storePolicyStages } from "../lifecycle/store-policy-stages.ts";
import { denialFailure } from "../policy/denial-failure.ts";
import { noteHeldOverrides } from "../policy/held-overrides.ts";
import { noteWaivers } from "../policy/note-waivers.ts";
import { findWaivers } from "../policy/waivers.ts";

/** Concludes the judgement that a run waits for, if it is complete. Returns whether it was. */
export function concludeJudgement(deps: Deps, runId: string): Promise<boolean> {
  return deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, runId);
    // Another server, a cancel or a time-out was first.
    if (locked === null || !isJudged(locked.run)) return false;
    const point = locked.run.awaitedCheck?.point ?? "PLAN";
    const { findings, judgeIds, beforeApplyIds, events, isComplete } = await readReports(tx, locked.run, point);
    if (!isComplete) {
      if (events.length > 0)
        await recordUpdate(tx, deps, locked.run, { actorId: SYSTEM_ACTOR_ID, events: [...events] });
      return false;
    }
    const at = deps.clock().toISOString();
    const waivers = await findWaivers(tx, locked.run, findings, at);
    await noteWaivers(tx, findings, waivers);
    const relieved = await relieve(tx, locked, findings, waivers);
    await noteHeldOverrides(tx, locked.run, relieved.held);
    const outcome: Outcome = { point, judgeIds, beforeApplyIds, findings: relieved.findings, waivers, events };
    await (point === "PLAN" ? concludePlan : concludeBefore)(tx, deps, locked, outcome);
    return true;
  });
}

interface Outcome {
  point: JudgePoint;
  judgeIds: readonly string[];
  beforeApplyIds: readonly string[];
  findings: readonly Finding[];
  /** The exceptions by the findings that they cover. */
  waivers: ReadonlyMap<string, string>;
  events: readonly RunEventBody[];
}

/** Reads what all judges found; their events are recorded by the caller. */
async function readReports(
  tx: Transaction,
  run: Run,
  point: JudgePoint,
): Promise<Pick<Outcome, "judgeIds" | "beforeApplyIds" | "findings" | "events"> & { isComplete: boolean }> {
  const judgeIds: string[] = [];
  const beforeApplyIds: string[] = [];
  const findings: Finding[] = [];
  const events: RunEventBody[] = [];
  let isComplete = true;
  for (const source of JUDGE_SOURCES) {
    const report = await source.read(tx, run, point);
    judgeIds.push(...report.judgeIds);
    beforeApplyIds.push(...report.beforeApplyIds);
    findings.push(...report.findings);
    events.push(...report.events);
    isComplete &&= report.awaited.length === 0;
    if (report.events.length > 0) await source.noteEvents(tx, report.events);
  }
  return { judgeIds, beforeApplyIds, findings, events, isComplete };
}

/** Concludes the judgement of a plan: the run goes to a gate, to its apply or to its end. */
async function concludePlan(tx: Transaction, deps: Deps, locked: LockedRun, outcome: Outcome): Promise<void> {
  const { run, plan } = locked;
  if (plan === null) throw new Error(`The run ${run.id} is judged and has no plan.`);
  const verdict = verdictOf(outcome.findings);
  // Those of now are about the run itself: they were found before it was created.
  const warnings = verdict.warnings + run.policyWarnings;
  const command = { type: "judged", plan: machinePlan(plan, run), verdict: verdict.verdict, warnings } as const;
  const asked = verdict.verdict === "asks" ? [...verdict.asks, ...verdict.demands] : [];
  const costed = await storeCostStages(tx, locked, plan);
  const staged = await storePolicyStages(tx, costed.locked, asked);
  const judged = { policyWarnings: warnings, policyAsks: verdict.asks.length > 0, judged: passedBy(run, outcome) };
  const set = { ...judged, ...costed.set, ...staged.set };
  const decision = mustAccept(staged.locked, command);
  const changed = await change(tx, deps, staged.locked, { decision, set, verdict, events: outcome.events });
  await discardStale(tx, deps, { ...locked, run: changed });
}

/** Adds the stages of rules about the cost, which external checks have estimated meanwhile. */
async function storeCostStages(
  tx: Transaction,
  locked: LockedRun,
  plan: Plan,
): Promise<{ locked: LockedRun; set: Pick<RunChanges, "stageCount"> }> {
  const added = await decideCostStages(tx, { ...locked, plan });
  if (added.length === 0) return { locked, set: {} };
  const { run, stages } = locked;
  await insertRunStages(tx, { runId: run.id, planVersion: plan.version, after: stages.length }, added);
  return { locked: { ...locked, stages: [...stages, ...added] }, set: { stageCount: stages.length + added.length } };
}

/** Concludes the judgement before a plan or an apply: the run proceeds as if it had not waited, or is rejected. */
async function concludeBefore(tx: Transaction, deps: Deps, locked: LockedRun, outcome: Outcome): Promise<void> {
  const { run, judges } = locked;
  const point = outcome.point === "PRE_PLAN" ? "PRE_PLAN" : "PRE_APPLY";
  const required = requiredBefore(judges, point, run.kind);
  const judgeIds = new Set(required.map(({ id }) => id));
  const verdict = point === "PRE_PLAN" ? verdictOf(outcome.findings) : verdictBeforeApply(outcome.findings, judgeIds);
  const decision = mustAccept(locked, { type: "preJudged", verdict: verdict.verdict });
  if (decision.change !== null) {
    await change(tx, deps, locked, { decision, set: {}, verdict, events: outcome.events });
    return;
  }
  const set = { awaitedCheck: null, judged: passedBy(run, outcome) };
  const events = [...outcome.events, { type: "CHANGED" as const, fields: ["blockers"] }];
  await recordTransition(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID, set, events });
  const { rules, frozenUntil, hasProbes } = locked;
  await settleWorkspace(tx, deps, run.workspaceId, { known: { rules, frozenUntil, judges, hasProbes } });
}

/**
 * The judgement as it is remembered: by those that have judged, which need not be those of now. It covers the run until
 * another judge is there, or an exception ends.
 */
function passedBy({ planVersion }: Run, { judgeIds, beforeApplyIds, waivers }: Outcome): PassedJudgement {
  return {
    planVersion,
    by: [...new Set(judgeIds)],
    beforeApply: [...new Set(beforeApplyIds)],
    exceptionIds: [...new Set(waivers.values())],
  };
}

async function change(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  {
    decision,
    set,
    verdict,
    events,
  }: { decision: AcceptedTransition; set: RunChanges; verdict: Verdict; events: readonly RunEventBody[] },
): Promise<Run> {
  const isRejected = decision.change?.status === "REJECTED";
  const failure = isRejected ? toFailure(denialFailure(verdict), false) : null;
  const warned = (set.policyWarnings ?? locked.run.policyWarnings) !== locked.run.policyWarnings;
  const details: ChangeDetails = {
    actorId: SYSTEM_ACTOR_ID,
    set: { ...set, ...(failure !== null && { failure }) },
    events: [...events, ...(warned ? [{ type: "CHANGED" as const, fields: ["policyWarnings"] }] : [])],
    ...(failure !== null && { reason: failure.summary }),
    ...(decision.name === "skipApply" && { reason: SKIPPED_REASON }),
  };
  const changed = await applyTransition(tx, deps, locked, decision, details);
  await enqueueVerdictWebhooks(tx, deps, changed, verdict);
  return changed;
}

/** Discards a run whose state moved while it was judged: its plan could not be approved at the gate. */
async function discardStale(tx: Transaction, deps: Deps, locked: LockedRun): Promise<void> {
  const { run, plan, workspace } = locked;
  if (plan === null || STATUS_TRAITS[run.status].gate === null) return;
  const reason = staleReason(plan, workspace);
  if (reason === null) return;
  const discarded = mustAccept(locked, { type: "discard", planVersion: null });
  await applyTransition(tx, deps, locked, discarded, { actorId: SYSTEM_ACTOR_ID, reason });
}
