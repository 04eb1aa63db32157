import type { ActorCaller } from "../../model/people/permission.ts";
import { ACTION_TRAITS, type Schedule } from "../../model/schedule/schedule.ts";
import { updateScheduleRow } from "../../persistence/schedule/schedule-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { requireLastingCredential } from "../sign-in/owner-caller.ts";
import { commandSchedule } from "./schedule-command.ts";
import { checkSchedule, type ScheduleSettings } from "./schedule-input.ts";

/** Absent fields stay unchanged; `null` clears `command` and is invalid elsewhere. */
export type UpdateScheduleInput = { scheduleId: string } & {
  [Field in keyof ScheduleSettings]?: ScheduleSettings[Field] | null | undefined;
};

const NOT_CLEARED = ["name", "cron", "timeZone", "spreadMinutes", "misfire", "action", "enabled", "label"] as const;

/** Changes a schedule. The caller becomes its owner, under whose rights its runs are created. */
export function updateSchedule(deps: Deps, caller: ActorCaller, input: UpdateScheduleInput): Promise<Schedule> {
  const { scheduleId, action } = input;
  let nextAt: Date | null = null;
  const spec = {
    name: "updateSchedule",
    scheduleId,
    words: "changing such schedules",
    demands: action ? [{ permission: ACTION_TRAITS[action].permission, words: "scheduling such runs" }] : [],
    check: (check: InputCheck, before: Schedule) => {
      for (const field of NOT_CLEARED) check.require(input[field] !== null, field, "cannot be cleared.");
      const isOfLabel = before.label !== null || typeof input.label !== "string";
      check.require(isOfLabel, "label", "is allowed only where the schedule selects workspaces by one.");
      const promotes = (input.action ?? before.action) === "PROMOTE";
      const isSame = promotes === (before.action === "PROMOTE");
      check.require(isSame, "action", "cannot change to PROMOTE or from it: create another schedule.");
      nextAt = checkSchedule(check, settingsAfter(before, input), deps.clock());
    },
  };
  return commandSchedule(deps, caller, spec, async (tx, before) => {
    await requireLastingCredential(deps, caller, "change schedules");
    const settings = settingsAfter(before, input);
    const isRetimed = (["cron", "timeZone", "enabled"] as const).some((field) => settings[field] !== before[field]);
    const after: Schedule = {
      ...before,
      ...settings,
      ownerId: caller.actor.id,
      // A due time that has passed and was not considered yet stays due.
      nextAt: isRetimed ? (nextAt?.toISOString() ?? null) : before.nextAt,
    };
    await updateScheduleRow(tx, after);
    return after;
  });
}

function settingsAfter(before: Schedule, input: UpdateScheduleInput): ScheduleSettings {
  const action = input.action ?? before.action;
  const kept = action === before.action ? before.command : null;
  return {
    name: input.name ?? before.name,
    cron: input.cron ?? before.cron,
    timeZone: input.timeZone ?? before.timeZone,
    spreadMinutes: input.spreadMinutes ?? before.spreadMinutes,
    misfire: input.misfire ?? before.misfire,
    action,
    command: input.command === undefined ? kept : input.command,
    enabled: input.enabled ?? before.enabled,
    label: input.label ?? before.label,
  };
}
