/** The template of commands about a schedule. */
import type { ActorCaller } from "../../model/people/permission.ts";
import { ACTION_TRAITS, type Schedule } from "../../model/schedule/schedule.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockSchedule } from "../../persistence/schedule/schedule-store.ts";
import { command, type Demand } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { isScheduleId } from "./schedule-input.ts";

interface ScheduleCommandSpec {
  name: string;
  scheduleId: string;
  words: string;
  demands?: readonly Demand[];
  check?: (input: InputCheck, schedule: Schedule) => void;
}

/** Runs a command about a schedule, under the lock of its row. It takes the permission of the schedule's action. */
export function commandSchedule<T>(
  deps: Deps,
  caller: ActorCaller,
  { scheduleId, ...spec }: ScheduleCommandSpec,
  work: (tx: Transaction, schedule: Schedule) => Promise<T>,
): Promise<T> {
  return command(
    deps,
    caller,
    {
      ...spec,
      subjectId: scheduleId,
      noun: "schedule",
      find: async (tx: Transaction) => (isScheduleId(scheduleId) ? lockSchedule(tx, scheduleId) : null),
      placeOf: (schedule: Schedule) => schedule,
      sight: "RUN_READ",
      permission: ({ action }: Schedule) => ACTION_TRAITS[action].permission,
    },
    work,
  );
}
