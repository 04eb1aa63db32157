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
