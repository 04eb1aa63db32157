/** Persists the result of a verification, and ends its run. */
import { toFailure } from "../../model/lifecycle/failure.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { goesBack } from "../../model/run/rollback.ts";
import type { Run } from "../../model/run/run.ts";
import { reasonOfProbes } from "../../model/verification/failure-of-probes.ts";
import type { VerificationVerdict } from "../../model/verification/judge-verification.ts";
import type { Verification } from "../../model/verification/verification.ts";
import { VERIFICATION_LIMITS } from "../../model/workspace/verification-limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findRollbackCandidates } from "../../persistence/verification/rollback-store.ts";
import { updateVerification } from "../../persistence/verification/verification-store.ts";
import type { Deps } from "../kit/deps.ts";
import { applyTransition, mustAccept } from "../lifecycle/apply-transition.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";
import { withoutCandidate } from "../lifecycle/rollback-failure.ts";
import { enqueueVerificationWebhooks } from "./verification-webhooks.ts";

type Result = Exclude<VerificationVerdict, { verdict: "CONTINUE" }>;

/** Takes the result of a verification. Without one the run waits for a person, if its settings ask for that. */
export async function settleVerification(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  verification: Verification,
  result: Result,
): Promise<void> {
  if (result.verdict === "PASSED") return pass(tx, deps, locked, { ...verification, status: "PASSED" });
  const { reason } = result;
  if (result.verdict === "FAILED") {
    await failVerification(tx, deps, locked, { ...verification, status: "FAILED", reason }, SYSTEM_ACTOR_ID);
    return;
  }
  const unknown = { ...verification, status: "INCONCLUSIVE", reason } as const;
  const { onInconclusive } = verification.settings;
  if (onInconclusive === "PASS" && result.needsPerson !== true) return pass(tx, deps, locked, unknown);
  if (onInconclusive === "FAIL") {
    await failVerification(tx, deps, locked, unknown, SYSTEM_ACTOR_ID);
    return;
  }
  const endsAt = new Date(deps.clock().getTime() + VERIFICATION_LIMITS.judgementMs).toISOString();
  await updateVerification(tx, { ...unknown, endsAt }, endsAt);
  await recordVerification(tx, deps, locked.run, unknown, ["requiredAction"]);
  await enqueueVerificationWebhooks(tx, deps, locked.run, unknown);
}

/** Records that a verification has another status. */
export async function recordVerification(
  tx: Transaction,
  deps: Deps,
  run: Run,
  { id, status }: Pick<Verification, "id" | "status">,
  fields: readonly string[] = [],
): Promise<Run> {
  const changed = { type: "VERIFICATION_CHANGED", verificationId: id, to: status } as const;
  const events = fields.length === 0 ? [changed] : [changed, { type: "CHANGED" as const, fields: [...fields] }];
  return recordUpdate(tx, deps, run, { actorId: SYSTEM_ACTOR_ID, events });
}

async function pass(tx: Transaction, deps: Deps, locked: LockedRun, passed: Verification): Promise<void> {
  await updateVerification(tx, { ...passed, finishedAt: deps.clock().toISOString() }, null);
  await applyTransition(tx, deps, locked, mustAccept(locked, { type: "verified" }), {
    actorId: SYSTEM_ACTOR_ID,
    events: [{ type: "VERIFICATION_CHANGED", verificationId: passed.id, to: passed.status }],
  });
}

/** Fails a run whose result is bad, or was not judged in time. What is known to be bad may be rolled back. */
export async function failVerification(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  failed: Verification,
  actorId: string,
): Promise<Run> {
  const finishedAt = deps.clock().toISOString();
  const back = await findWayBack(tx, locked, failed);
  const rollbackTo = back.type === "TO" ? back.runId : null;
  await updateVerification(tx, { ...failed, finishedAt }, rollbackTo === null ? null : finishedAt, rollbackTo);
  // That the target of a destroy still answers is no matter of its start.
  const reason = locked.run.kind === "DESTROY" ? null : reasonOfProbes(failed);
  const bad = toFailure({ ...failureReport(failed), reason }, false);
  const failure = back.type === "NO_CANDIDATE" ? withoutCandidate(bad) : bad;
  const run = await applyTransition(tx, deps, locked, mustAccept(locked, { type: "fail" }), {
    actorId,
    reason: failed.comment ?? failure.summary,
    events: [{ type: "VERIFICATION_CHANGED", verificationId: failed.id, to: failed.status }],
    set: { failure },
  });
  await enqueueVerificationWebhooks(tx, deps, run, failed);
  return run;
}

type WayBack = { type: "NONE" | "NO_CANDIDATE" } | { type: "TO"; runId: string };

/** Returns the run to which the workspace goes back. Nothing that is merely unknown is rolled back. */
async function findWayBack(
  tx: Transaction,
  { run, workspace, frozenUntil }: LockedRun,
  { status, baselinePassed }: Verification,
): Promise<WayBack> {
  const isBack =
    status !== "INCONCLUSIVE" && goesBack(run, workspace, { baselinePassed, isFrozen: frozenUntil !== null });
  if (!isBack) return { type: "NONE" };
  const [runId = null] = await findRollbackCandidates(tx, [run.id]);
  return runId === null ? { type: "NO_CANDIDATE" } : { type: "TO", runId };
}

/** Lines of evidence in a failure. */
const EVIDENCE_LINES = 6;

function failureReport({ status, reason, probes, concludedById, baselinePassed }: Verification) {
  const summary = summaryOf(status, concludedById);
  const evidence = probes
    .flatMap(({ name, resolvedTarget, lastFailure }) => {
      if (lastFailure === null) return [];
      return [`${name}${resolvedTarget === null ? "" : ` (${resolvedTarget})`}: ${lastFailure}`];
    })
    .slice(0, EVIDENCE_LINES);
  const before = baselinePassed === false ? "The probes did not pass before the apply either." : "";
  const message = [summary, reason ?? "", before, "The apply itself succeeded."]
    .filter((text) => text !== "")
    .join(" ");
  return { code: "DEPLOYMENT_VERIFICATION_FAILED", summary, message, evidence } as const;
}

function summaryOf(status: Verification["status"], concludedById: string | null): string {
  if (concludedById !== null) return "A person judged the result of the apply as bad.";
  return status === "INCONCLUSIVE"
    ? "Nothing is known about the result of the apply."
    : "The result of the apply did not pass its verification.";
}
