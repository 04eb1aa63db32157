import type { Gate } from "./approval.ts";
import type { Approver } from "./approver.ts";

/** An actor that may approve at these gates. */
export interface EligibleApprover extends Approver {
  gates: readonly Gate[];
}
