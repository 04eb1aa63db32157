import {
  ROLLBACK_LIMITS,
  type RollbackGuard,
  type RollbackMode,
  type RollbackSettings,
} from "../../model/workspace/rollback-settings.ts";
import type { InputCheck } from "../kit/input.ts";

/** Absent fields stay unchanged; `null` is invalid. */
export interface RollbackSettingsInput {
  mode?: RollbackMode | null | undefined;
  guards?: readonly RollbackGuard[] | null | undefined;
}

/** Checks how a workspace goes back. `planAlways`: a person accepts every plan. */
export function checkRollback(
  check: InputCheck,
  before: RollbackSettings,
  input: RollbackSettingsInput | null | undefined,
  planAlways: boolean,
): void {
  check.require(input !== null, "rollbackSettings", "cannot be null.");
  const { mode } = rollbackAfter(before, input);
  check.require(
    mode !== "AUTO_SAFE" || !planAlways,
    "rollbackSettings.mode",
    "must not be AUTO_SAFE while planApproval is ALWAYS: each rollback would wait for a person. Choose PROPOSE, or planApproval WHEN_REQUIRED.",
  );
  if (input === null || input === undefined) return;
  check.require(input.mode !== null, "rollbackSettings.mode", "cannot be null.");
  check.require(input.guards !== null, "rollbackSettings.guards", "cannot be null.");
  checkGuards(check, input.guards ?? []);
}

function checkGuards(check: InputCheck, guards: readonly RollbackGuard[]): void {
  const { guards: most, guardNameLength: length } = ROLLBACK_LIMITS;
  const path = "rollbackSettings.guards";
  if (guards.length > most) return check.refuse(path, `must have at most ${most} entries, not ${guards.length}.`);
  for (const [index, { type, name }] of guards.entries()) {
    const isName = name.trim() !== "" && name.length <= length && !/\p{Cc}/u.test(name) && name.isWellFormed();
    check.require(isName, `${path}.${index}.name`, `must have 1 to ${length} characters on one line.`);
    const first = guards.findIndex((other) => other.type === type && other.name === name);
    check.require(first === index, `${path}.${index}`, "must occur once.");
  }
}

/** Returns the merged settings; absent fields stay unchanged. */
export function rollbackAfter(
  before: RollbackSettings,
  input: RollbackSettingsInput | null | undefined,
): RollbackSettings {
  if (input === null || input === undefined) return before;
  return { mode: input.mode ?? before.mode, guards: input.guards ?? before.guards };
}
