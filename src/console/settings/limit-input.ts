/** The limits of runs: in words, and as the API takes them from their form. */
import type { ApprovalTimeoutAction, LimitsItemFragment, RunLimitsInput } from "../generated/graphql.ts";
import { numberOfField, textOfField } from "../parts/field.ts";

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

/** The effects on a run that waits for people longer than its limit. */
export const TIMEOUT_ACTIONS: readonly (readonly [ApprovalTimeoutAction, string])[] = [
  ["END", "It ends"],
  ["ESCALATE", "It is escalated"],
];

/** Reads the limits of a form that differ from those of now: others may have changed the rest. */
export function changedLimits(form: HTMLFormElement, before: LimitsItemFragment): RunLimitsInput {
  const numbers = LIMIT_NAMES.map((name) => [name, numberOfField(form, name)] as const);
  const changed = numbers.filter(([name, value]) => value !== (before[name] ?? null));
  const chosen = textOfField(form, "approvalTimeoutAction");
  const action = TIMEOUT_ACTIONS.find(([known]) => known === chosen)?.[0] ?? null;
  const isSame = action === (before.approvalTimeoutAction ?? null);
  return { ...Object.fromEntries(changed), ...(!isSame && { approvalTimeoutAction: action }) };
}
