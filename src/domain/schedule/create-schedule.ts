import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Place } from "../../model/people/place.ts";
import { ACTION_TRAITS, type Schedule } from "../../model/schedule/schedule.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { countSchedules, insertSchedule } from "../../persistence/schedule/schedule-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { requireLastingCredential } from "../sign-in/owner-caller.ts";
import { lookUpWorkspace } from "../workspace/look-up-workspace.ts";
import { checkSchedule, checkTarget, type ScheduleSettings } from "./schedule-input.ts";

export interface CreateScheduleInput extends ScheduleSettings {
  organizationId: string;
  /** `null`: the workspaces of the organization that have the label. */
  workspaceId: string | null;
}

/**
 * Creates a schedule. The caller becomes its owner, under whose rights its runs are created. A schedule of a label takes the
 * permission in the whole organization.
 */
export function createSchedule(deps: Deps, caller: ActorCaller, input: CreateScheduleInput): Promise<Schedule> {
  const { organizationId, workspaceId, ...settings } = input;
  let nextAt: Date | null = null;
  const spec = {
    name: "createSchedule",
    subjectId: workspaceId ?? organizationId,
    noun: workspaceId === null ? "organization" : "workspace",
    find: (tx: Transaction) => findPlace(tx, input),
    placeOf: (place: Place) => place,
    sight: workspaceId === null ? "ORGANIZATION_READ" : "WORKSPACE_READ",
    permission: ACTION_TRAITS[input.action].permission,
    words: "scheduling such runs",
    check: (check: InputCheck) => {
      checkTarget(check, input);
      nextAt = checkSchedule(check, settings, deps.clock());
    },
  } as const;
  return command(deps, caller, spec, async (tx, place) => {
    await requireLastingCredential(deps, caller, "create schedules");
    // Concurrent requests may exceed the limit, which only bounds a runaway script.
    if ((await countSchedules(tx, organizationId)) >= LIMITS.schedulesPerOrganization) {
      const message = `has ${LIMITS.schedulesPerOrganization} schedules, which is the limit. Delete one first.`;
      throw invalidField("organizationId", message);
    }
    const schedule: Schedule = {
      ...settings,
      id: deps.newId("schedule"),
      organizationId,
      projectId: place.projectId,
      workspaceId,
      ownerId: caller.actor.id,
      createdAt: deps.clock().toISOString(),
      nextAt: nextAt?.toISOString() ?? null,
      lastAt: null,
      lastChangesetId: null,
      lastProblem: null,
    };
    await insertSchedule(tx, schedule);
    return schedule;
  });
}

/** Returns the place of the new schedule; `null` if there is no such organization, or no such workspace in it. */
async function findPlace(tx: Transaction, { organizationId, workspaceId }: CreateScheduleInput): Promise<Place | null> {
  const organization = await lookUpOrganization(tx, organizationId);
  const workspace = workspaceId === null ? null : await lookUpWorkspace(tx, workspaceId);
  const isThere = workspaceId === null || workspace?.organizationId === organizationId;
  if (organization === null || !isThere) return null;
  return { organizationId, projectId: workspace?.projectId ?? null, workspaceId };
}
