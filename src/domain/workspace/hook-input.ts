import { type Hook, HOOK_PURPOSES, HOOK_STAGES } from "../../model/workspace/hook.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";

/** Absent: unchanged. The list is replaced as a whole. */
export type HooksInput = readonly Hook[] | null | undefined;

/** Checks that the hooks can be stored and executed; `null` is refused. */
export function checkHooks(check: InputCheck, hooks: HooksInput): void {
  if (hooks === undefined) return;
  if (hooks === null) return check.refuse("hooks", "cannot be cleared: give an empty list.");
  const { hooksPerWorkspace, hookCommandLength } = LIMITS;
  check.require(hooks.length <= hooksPerWorkspace, "hooks", `must have at most ${hooksPerWorkspace} entries.`);
  for (const [index, { stage, purpose = "GENERIC", command }] of hooks.slice(0, hooksPerWorkspace).entries()) {
    check.require(HOOK_STAGES.includes(stage), `hooks.${index}.stage`, `must be one of ${HOOK_STAGES.join(", ")}.`);
    const purposes = `must be one of ${HOOK_PURPOSES.join(", ")}.`;
    check.require(HOOK_PURPOSES.includes(purpose), `hooks.${index}.purpose`, purposes);
    const ok =
      command.trim() !== "" && command.length <= hookCommandLength && isStorable(command) && command.isWellFormed();
    const words = `must have 1 to ${hookCommandLength} characters that are not all blank, and not U+0000.`;
    check.require(ok, `hooks.${index}.command`, words);
  }
}

/** Converts hooks to their stored form. */
export function toHooks(hooks: readonly Hook[]): Hook[] {
  return hooks.map(({ stage, purpose = "GENERIC", command }) => {
    return purpose === "GENERIC" ? { stage, command } : { stage, purpose, command };
  });
}
