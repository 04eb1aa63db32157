import type { EvaluationStatus, StoredResultStatus } from "../../model/policy/policy-evaluation.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const PolicyEvaluationStatusEnum = describedEnum<EvaluationStatus>(
  "PolicyEvaluationStatus",
  "The status of an evaluation.",
  {
    PENDING: "It waits for a server.",
    RUNNING: "A server judges.",
    PASSED: "No policy found anything.",
    WARNED: "Policies found violations at the level ADVISORY, and no others.",
    FAILED: "Policies found violations, or demand approvals.",
    ERRORED: "A policy could not be judged.",
    CANCELED: "The run ended before.",
  },
);

export const PolicyResultStatusEnum = describedEnum<StoredResultStatus>(
  "PolicyResultStatus",
  "The status of a result. Policies that passed have none.",
  {
    FAILED: "A violation, or a demand for approvals.",
    WAIVED: "A violation that an exception covers: it does not count.",
    ERROR: "The policy could not be judged.",
  },
);
