import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { ACTION_TRAITS, type Schedule } from "../../model/schedule/schedule.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertFiring, moveSchedule } from "../../persistence/schedule/firing-store.ts";
import type { Deps } from "../kit/deps.ts";
import { promoteNewest, type PromotedNewest } from "../promotion/promote-newest.ts";
import { openChangesetOf, stageOf } from "./fire-schedule.ts";
import { planFiring } from "./plan-firing.ts";
import { commandSchedule } from "./schedule-command.ts";

/** The schedule after it was run, and the changeset with its runs. */
export interface ScheduleRun {
  schedule: Schedule;
  changesetId: string;
}

/** Does the action of a schedule now, under the rights of the caller. Its next due time stays. */
export function runScheduleNow(deps: Deps, caller: ActorCaller, input: { scheduleId: string }): Promise<ScheduleRun> {
  const { scheduleId } = input;
  const spec = { name: "runScheduleNow", scheduleId, words: "making such runs" };
  return commandSchedule(deps, caller, spec, async (tx, schedule) => {
    const at = deps.clock().toISOString();
    const { changesetId, problem } = await fireNow(tx, deps, schedule, { caller, at });
    if (changesetId === null) throw invalidField("scheduleId", `has no run now. ${problem ?? ""}`.trim());
    const isFirst = await insertFiring(tx, { scheduleId, dueAt: at, at, changesetId, problem });
    if (!isFirst) throw invalidField("scheduleId", "was run at this very moment already.");
    await moveSchedule(tx, scheduleId, { nextAt: schedule.nextAt, lastAt: at, changesetId, problem });
    const after = { ...schedule, lastAt: at, lastChangesetId: changesetId, lastProblem: problem };
    return { schedule: after, changesetId };
  });
}

async function fireNow(
  tx: Transaction,
  deps: Deps,
  schedule: Schedule,
  { caller, at }: { caller: ActorCaller; at: string },
): Promise<PromotedNewest> {
  const createdBy = { actorId: caller.actor.id, credentialId: caller.credentialId };
  const target = stageOf(schedule);
  if (target !== null) return promoteNewest(tx, deps, target, { caller, createdBy });
  const { members, problem } = await planFiring(tx, { ...schedule, spreadMinutes: 0 }, caller, at);
  if (members.length === 0) return { changesetId: null, problem };
  const isDrift = ACTION_TRAITS[schedule.action].trigger === "DRIFT";
  const by = { createdBy, trigger: isDrift ? "DRIFT" : "SCHEDULE" } as const;
  return { changesetId: (await openChangesetOf(tx, deps, schedule, members, by)).id, problem };
}
