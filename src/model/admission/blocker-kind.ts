export const BLOCKER_KINDS = [
  "WORKSPACE_BUSY",
  "WORKSPACE_LOCKED",
  "WORKSPACE_PAUSED",
  "ORGANIZATION_LIMIT",
  "UPSTREAM_RUN",
  "NO_RUNNER",
  "FREEZE_WINDOW",
  "SCHEDULED_AT",
  "SOAKING",
] as const;
export type BlockerKind = (typeof BLOCKER_KINDS)[number];
