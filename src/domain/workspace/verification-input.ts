import {
  type InconclusiveAction,
  type DestroyVerification,
  type VerificationSettings,
  verificationProblems,
} from "../../model/workspace/verification-settings.ts";
import type { InputCheck } from "../kit/input.ts";

/** Absent fields stay unchanged; `null` clears `failFastAfter`, and is invalid elsewhere. */
export interface VerificationSettingsInput {
  initialDelaySeconds?: number | null | undefined;
  intervalSeconds?: number | null | undefined;
  windowSeconds?: number | null | undefined;
  successesInARow?: number | null | undefined;
  failFastAfter?: number | null | undefined;
  onInconclusive?: InconclusiveAction | null | undefined;
  afterDestroy?: DestroyVerification | null | undefined;
}

const NOT_CLEARED = [
  "initialDelaySeconds",
  "intervalSeconds",
  "windowSeconds",
  "successesInARow",
  "onInconclusive",
  "afterDestroy",
] as const;

/** Checks how the applies of a workspace are verified. */
export function checkVerification(
  check: InputCheck,
  before: VerificationSettings,
  input: VerificationSettingsInput | null | undefined,
): void {
  check.require(input !== null, "verificationSettings", "cannot be null.");
  if (input === null || input === undefined) return;
  for (const field of NOT_CLEARED) {
    check.require(input[field] !== null, `verificationSettings.${field}`, "cannot be null.");
  }
  for (const { field, message } of verificationProblems(verificationAfter(before, input))) {
    check.refuse(`verificationSettings.${field}`, message);
  }
}

/** Returns the merged settings; absent fields stay unchanged. */
export function verificationAfter(
  before: VerificationSettings,
  input: VerificationSettingsInput | null | undefined,
): VerificationSettings {
  if (input === null || input === undefined) return before;
  return {
    initialDelaySeconds: input.initialDelaySeconds ?? before.initialDelaySeconds,
    intervalSeconds: input.intervalSeconds ?? before.intervalSeconds,
    windowSeconds: input.windowSeconds ?? before.windowSeconds,
    successesInARow: input.successesInARow ?? before.successesInARow,
    failFastAfter: input.failFastAfter === undefined ? before.failFastAfter : input.failFastAfter,
    onInconclusive: input.onInconclusive ?? before.onInconclusive,
    afterDestroy: input.afterDestroy ?? before.afterDestroy,
  };
}
