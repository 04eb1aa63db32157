import type { VerificationStatus } from "../../model/verification/verification.ts";
import { describedEnum } from "./described-enum.ts";

export const VerificationStatusEnum = describedEnum<VerificationStatus>(
  "VerificationStatus",
  "The status of a verification.",
  {
    PENDING: "The apply has not ended.",
    RUNNING: "Probes are sent, or external checks are asked.",
    PASSED: "The applied configuration works, by its probes or by the judgement of a person.",
    FAILED: "The applied configuration does not work, by its probes or by the judgement of a person.",
    INCONCLUSIVE:
      "There is no result: no prober was there, an output is missing, there are too few samples, or a required probe was changed.",
    SKIPPED: "Nothing was applied, so there was nothing to verify.",
    CANCELED: "The run ended before.",
  },
);
