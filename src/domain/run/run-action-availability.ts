import type { UserErrorCode } from "../../model/kit/user-error.ts";
import type { RunAction } from "../../model/run/run.ts";
export interface RunActionAvailability {
  action: RunAction;
  allowed: boolean;
  code: UserErrorCode | null;
  reason: string | null;
}
