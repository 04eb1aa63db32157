import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { ACTION_TRAITS, type Schedule } from "../../model/schedule/schedule.ts";
import type { Changeset } from "../../model/changeset/changeset.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertFiring, moveSchedule, removeFirings, stopSchedule } from "../../persistence/schedule/firing-store.ts";
import { findSchedules, lockSchedule } from "../../persistence/schedule/schedule-store.ts";
import { type ChangesetOrder, openChangeset } from "../changeset/open-changeset.ts";
import type { Deps } from "../kit/deps.ts";
import { promoteNewest, type PromotedNewest } from "../promotion/promote-newest.ts";
import { callerOfOwner } from "../sign-in/owner-caller.ts";
import { underRightsOf } from "../sign-in/rights-in-use.ts";
import { dueTimes } from "./due-times.ts";
import { planFiring } from "./plan-firing.ts";

/**
 * Considers the due times of a schedule that have passed, under the rights that its owner has now. They count once: the
 * row is locked, and a due time has one row. Throws RightsChanged if the owner's rights change meanwhile.
 */
export async function fireSchedule(deps: Deps, id: string): Promise<void> {
  const [schedule = null] = await findSchedules(deps.database, [id]);
  if (schedule === null) return deps.database.transaction((tx) => stopSchedule(tx, id));
  const caller = await callerOfOwner(deps, { credentialId: id, ownerId: schedule.ownerId });
  const within = caller === null ? deps : underRightsOf(deps, caller);
  await within.database.transaction(async (tx) => {
    const locked = await lockSchedule(tx, id);
    const at = deps.clock();
    // Another server was first, or it was changed meanwhile: the next round sees what it is now.
    if (locked === null || locked.nextAt === null || new Date(locked.nextAt) > at) return;
    if (locked.ownerId !== schedule.ownerId) return;
    await consider(tx, deps, locked, caller, at);
  });
}

async function consider(
  tx: Transaction,
  deps: Deps,
  schedule: Schedule,
  caller: ActorCaller | null,
  at: Date,
): Promise<void> {
  const nextAt = new Date(schedule.nextAt ?? at);
  const times = dueTimes({ ...schedule, nextAt }, at, LIMITS.scheduleGraceMs);
  const passedAt = times.passedAt.toISOString();
  const { changesetId, problem } = await fire(tx, deps, schedule, caller, times.dueAt);
  const firing = { scheduleId: schedule.id, dueAt: passedAt, at: at.toISOString(), changesetId, problem };
  if (!(await insertFiring(tx, firing))) throw new Error(`${schedule.id} was due at ${passedAt} already.`);
  const next = times.nextAt?.toISOString() ?? null;
  await moveSchedule(tx, schedule.id, { nextAt: next, lastAt: passedAt, changesetId, problem });
  const before = new Date(at.getTime() - LIMITS.scheduleFiringKeptMs).toISOString();
  await removeFirings(tx, schedule.id, before);
}

async function fire(
  tx: Transaction,
  deps: Deps,
  schedule: Schedule,
  caller: ActorCaller | null,
  dueAt: Date | null,
): Promise<PromotedNewest> {
  if (dueAt === null)
    return { changesetId: null, problem: "It was due while no server was up, and `misfire` is SKIP." };
  if (caller === null) return { changesetId: null, problem: "Its owner was disabled. Change it as someone else." };
  const target = stageOf(schedule);
  if (target !== null) {
    const createdBy = { actorId: SYSTEM_ACTOR_ID, credentialId: schedule.id };
    return promoteNewest(tx, deps, target, { caller, createdBy });
  }
  const { members, problem } = await planFiring(tx, schedule, caller, dueAt.toISOString());
  const changeset = members.length === 0 ? null : await openChangesetOf(tx, deps, schedule, members);
  return { changesetId: changeset?.id ?? null, problem };
}

/** The stage to which a schedule promotes; `null` for other actions. */
export function stageOf({ pipelineId, stage }: Schedule): { pipelineId: string; stage: string } | null {
  return pipelineId === null || stage === null ? null : { pipelineId, stage };
}

/** Opens the changeset of a schedule. The system creates it, and its runs take the rights of the owner. */
export function openChangesetOf(
  tx: Transaction,
  deps: Deps,
  schedule: Schedule,
  members: ChangesetOrder["members"],
  by: Pick<ChangesetOrder, "createdBy" | "trigger"> | null = null,
): Promise<Changeset> {
  const { kind, trigger } = ACTION_TRAITS[schedule.action];
  return openChangeset(tx, deps, {
    organizationId: schedule.organizationId,
    source: "SCHEDULE",
    title: schedule.name,
    commit: null,
    kind,
    command: schedule.command,
    trigger,
    members,
    createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: schedule.id },
    ...by,
  });
}
