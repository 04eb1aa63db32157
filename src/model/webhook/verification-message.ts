import type { Actor } from "../people/actor.ts";
import type { Run } from "../run/run.ts";
import type { Verification } from "../verification/verification.ts";
import { type MessageContext, placeData, runData, short } from "./webhook-message.ts";

/** Builds the data of a verification that failed or is inconclusive. It names probes, and no address of theirs. */
export function verificationData(
  context: MessageContext,
  { run, createdBy, verification }: { run: Run; createdBy: Actor | null; verification: Verification },
): object {
  const { status, reason, baselinePassed, startedAt, probes } = verification;
  return {
    ...placeData(context),
    run: runData(run, createdBy),
    verification: {
      status,
      reason: short(reason),
      baselinePassed,
      startedAt,
      probes: probes.map(({ name, weight, attempts, passesInARow }) => ({ name, weight, attempts, passesInARow })),
    },
  };
}

/** Builds the data of a run by which a workspace goes back. */
export function rollbackData(
  context: MessageContext,
  {
    run,
    createdBy,
    failed,
    target,
    mode,
    risks,
  }: { run: Run; createdBy: Actor | null; failed: Run; target: Run; mode: string; risks: readonly string[] },
): object {
  const from = { id: failed.id, number: failed.number };
  const to = { id: target.id, number: target.number };
  return { ...placeData(context), run: runData(run, createdBy), rollback: { mode, from, to, risks } };
}
