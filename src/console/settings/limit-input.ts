/** The limits of runs: in words, and as the API takes them from their form. */
import type { ApprovalTimeoutAction, RunLimitsInput } from "../generated/graphql.ts";
import { changedOf, choiceOfField, numberOfField } from "../parts/field.ts";

/** A limit that is a number. */
export type LimitName = Exclude<keyof RunLimitsInput, "approvalTimeoutAction">;

interface LimitText {
  readonly label: string;
  /** Whether it is a time, in seconds. */
  readonly isTime: boolean;
}

/** The limits in words; the compiler finds one that is missing. */
export const LIMITS: Readonly<Record<LimitName, LimitText>> = {
  planSeconds: { label: "A plan", isTime: true },
  applySeconds: { label: "An apply", isTime: true },
  silenceSeconds: { label: "Without a line of output", isTime: true },
  queueSeconds: { label: "In the queue", isTime: true },
  planApprovalSeconds: { label: "At the plan gate", isTime: true },
  applyApprovalSeconds: { label: "At the apply gate", isTime: true },
  leaseSeconds: { label: "Without a heartbeat of the runner", isTime: true },
  attemptsPerLeg: { label: "Attempts where a runner is lost", isTime: false },
  forceStopAfterSeconds: { label: "Until a stop may be forced", isTime: true },
};

/** The names of the limits, in their order. */
export const LIMIT_NAMES = Object.keys(LIMITS).filter((name): name is LimitName => Object.hasOwn(LIMITS, name));

const UNBOUNDED: readonly LimitName[] = ["queueSeconds", "planApprovalSeconds", "applyApprovalSeconds"];

/** Whether a limit may be 0, which means that there is none. */
export const allowsNoLimit = (name: LimitName): boolean => UNBOUNDED.includes(name);

/** The effects on a run that waits for people longer than its limit; the compiler finds one that is missing. */
export const TIMEOUT_ACTIONS: Readonly<Record<ApprovalTimeoutAction, string>> = {
  END: "It ends",
  ESCALATE: "It is escalated",
};

/** Reads the limits that a person has changed in a form. */
export function changedLimits(form: HTMLFormElement): RunLimitsInput {
  const numbers: RunLimitsInput = Object.fromEntries(LIMIT_NAMES.map((name) => [name, numberOfField(form, name)]));
  const approvalTimeoutAction = choiceOfField(form, "approvalTimeoutAction", TIMEOUT_ACTIONS);
  return changedOf(form, { ...numbers, approvalTimeoutAction });
}
