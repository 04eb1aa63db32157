/** Why a plan changes a resource, as the engine states it. */
export const CHANGE_REASONS = [
  "REPLACE_TAINTED",
  "REPLACE_BY_REQUEST",
  "REPLACE_CANNOT_UPDATE",
  "REPLACE_BY_TRIGGERS",
  "DELETE_NO_CONFIG",
  "DELETE_COUNT_INDEX",
  "DELETE_EACH_KEY",
  "DELETE_NO_MODULE",
  "READ_UNKNOWN",
  "READ_DEPENDENCY",
  "OTHER",
] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];
