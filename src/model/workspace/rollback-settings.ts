/** How a workspace goes back when the result of an apply does not pass its verification. */

/**
 * OFF: it does not. PROPOSE: a run is created, and waits for people. AUTO_SAFE: the run applies a plan that takes nothing
 * away, and waits with any other.
 */
export const ROLLBACK_MODES = ["OFF", "PROPOSE", "AUTO_SAFE"] as const;
export type RollbackMode = (typeof ROLLBACK_MODES)[number];

/** Modes by which a run to go back is created. */
export type ActiveRollbackMode = Exclude<RollbackMode, "OFF">;

/** A value that must be the same now as after the run to go back to, such as the version of a schema. */
export interface RollbackGuard {
  type: "OUTPUT" | "VARIABLE";
  name: string;
}

export interface RollbackSettings {
  mode: RollbackMode;
  guards: readonly RollbackGuard[];
}

export const DEFAULT_ROLLBACK: RollbackSettings = { mode: "OFF", guards: [] };

export const ROLLBACK_LIMITS = { guards: 20, guardNameLength: 256 } as const;
