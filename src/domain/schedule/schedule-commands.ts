import type { Commands } from "../kit/bind-commands.ts";
import { createSchedule } from "./create-schedule.ts";
import { deleteSchedule } from "./delete-schedule.ts";
import { runScheduleNow } from "./run-schedule-now.ts";
import { updateSchedule } from "./update-schedule.ts";

/** The commands about schedules, by name. */
export const SCHEDULE_COMMANDS = {
  createSchedule: { run: createSchedule, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  deleteSchedule: { run: deleteSchedule, errors: ["NOT_FOUND", "FORBIDDEN"] },
  runScheduleNow: { run: runScheduleNow, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  updateSchedule: { run: updateSchedule, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
