import type { ActorCaller } from "../../model/people/permission.ts";
import { markScheduleDeleted } from "../../persistence/schedule/schedule-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandSchedule } from "./schedule-command.ts";

/** Deletes a schedule. Its runs stay. */
export function deleteSchedule(deps: Deps, caller: ActorCaller, input: { scheduleId: string }): Promise<string> {
  const { scheduleId } = input;
  const spec = { name: "deleteSchedule", scheduleId, words: "deleting such schedules" };
  return commandSchedule(deps, caller, spec, async (tx) => {
    await markScheduleDeleted(tx, scheduleId, deps.clock().toISOString());
    return scheduleId;
  });
}
