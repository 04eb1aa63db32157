/**
 * DESTROYS: the plan deletes, replaces or forgets something. INCOMPLETE_PLAN: it does not show everything. PROVIDER_DOWNGRADE:
 * the earlier source locks an older provider, which may not read the state. ENGINE_DOWNGRADE: the earlier run was made by an
 * older engine, or another one, than wrote the state. GUARD_MOVED: a value that must be the same is not.
 */
export const ROLLBACK_RISKS = [
  "DESTROYS",
  "INCOMPLETE_PLAN",
  "PROVIDER_DOWNGRADE",
  "ENGINE_DOWNGRADE",
  "GUARD_MOVED",
] as const;
export type RollbackRisk = (typeof ROLLBACK_RISKS)[number];

/** The risks that are known before the plan of a rollback. */
export const SOURCE_RISKS = ["PROVIDER_DOWNGRADE", "ENGINE_DOWNGRADE", "GUARD_MOVED"] as const;
export type SourceRisk = (typeof SOURCE_RISKS)[number];
