import type { JudgeLimits } from "./evaluator.ts";
import type { PolicyPoint } from "./policy-set.ts";

/** The bounds of judgements. Durations in milliseconds, sizes in bytes. */
export const JUDGEMENT_LIMITS = {
  /** CPU time of one policy, and of all policies of a version at a point. */
  cpuMsPerPolicy: { RUN_CREATE: 2_000, PLAN: 10_000, PRE_APPLY: 10_000 },
  cpuMs: { RUN_CREATE: 10_000, PLAN: 300_000, PRE_APPLY: 30_000 },
  memoryBytes: 512 * 1024 * 1024,
  /** After this time an evaluation that has not ended counts as one that cannot be judged. */
  waitMs: 600_000,
  /** A server has an evaluation for this long, and extends it as long as it works. */
  leaseMs: 30_000,
  renewalMs: 10_000,
  /** Servers that may end while they have an evaluation. */
  attempts: 2,
  /** Evaluations that a server judges at once. */
  atOnce: 4,
  /** The interval at which a server looks for evaluations, if no hint comes. */
  pollMs: 2_000,
  /** Runs that one round concludes. */
  concludedAtOnce: 100,
  /** Results that are stored of one policy; the others are counted. */
  resultsPerPolicy: 1_000,
  addressesPerResult: 100,
  messageLength: 2_000,
  /** How often the creation of a run is judged again because what the policies read has changed meanwhile. */
  creationTries: 5,
  /** Results that the refusal of a run lists. */
  denialsShown: 50,
} as const;

/** Returns the bounds of the judgement of a version at a point. */
export function limitsAt(point: PolicyPoint): JudgeLimits {
  const { cpuMsPerPolicy, cpuMs, memoryBytes } = JUDGEMENT_LIMITS;
  return { cpuMsPerPolicy: cpuMsPerPolicy[point], cpuMs: cpuMs[point], memoryBytes };
}
