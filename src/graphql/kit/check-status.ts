import type { CheckStatus } from "../../model/check/external-check.ts";
import { describedEnum } from "./described-enum.ts";

export const CheckStatusEnum = describedEnum<CheckStatus>(
  "CheckStatus",
  "The state of the result of an external check.",
  {
    PENDING: "The service has not accepted the request yet.",
    RUNNING: "The service has accepted the request, and has not ended.",
    PASSED: "The service had nothing against it.",
    FAILED: "The service was against it.",
    ERRORED: "The service accepted none of the requests.",
    TIMED_OUT: "The service exceeded a limit.",
    CANCELED: "The result is of no use any more: its run has gone on, or its check was deleted or disabled.",
  },
);
