import type { FailureReason } from "./failure-reason.ts";

/** The words of a reason. A message that has one of them has the reason. */
export interface FailurePattern {
  reason: FailureReason;
  /** Absent: both engines. */
  engine?: "terraform" | "tofu";
  /** Whole summaries of an engine. */
  summaries?: readonly string[];
  /** Error codes of APIs. */
  codes?: readonly string[];
  /** The forms of error codes of APIs: services have codes of one form, each with a name of its own in it. */
  forms?: readonly RegExp[];
  /** Whole sentences or errors of a library, in the summary or the detail, whose white space is single blanks. */
  texts?: readonly RegExp[];
  /** The summaries of the messages that it holds for. Absent: all. */
  within?: readonly string[];
  /** The types of the resources that it holds for. Absent: all, also none. */
  types?: RegExp;
}
