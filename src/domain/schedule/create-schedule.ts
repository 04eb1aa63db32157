import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Place } from "../../model/people/place.ts";
import type { PromotionPipeline } from "../../model/promotion/promotion.ts";
import { ACTION_TRAITS, type Schedule } from "../../model/schedule/schedule.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findPipelines } from "../../persistence/promotion/pipeline-store.ts";
import { countSchedules, insertSchedule } from "../../persistence/schedule/schedule-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { requireLastingCredential } from "../sign-in/owner-caller.ts";
import { lookUpWorkspace } from "../workspace/look-up-workspace.ts";
import { checkSchedule, checkTarget, type ScheduleSettings, type StageTarget } from "./schedule-input.ts";

export interface CreateScheduleInput extends ScheduleSettings, StageTarget {
  organizationId: string;
  /** `null`: the workspaces of the organization that have the label, or the stage. */
  workspaceId: string | null;
}

/** The place of a new schedule, and the pipeline that it names. */
type Target = Place & { pipeline: PromotionPipeline | null };

/**
 * Creates a schedule. The caller becomes its owner, under whose rights its runs are created. A schedule of a label or a
 * stage takes the permission in the whole organization.
 */
export function createSchedule(deps: Deps, caller: ActorCaller, input: CreateScheduleInput): Promise<Schedule> {
  const { organizationId, workspaceId, ...settings } = input;
  let nextAt: Date | null = null;
  const spec = {
    name: "createSchedule",
    ...subjectOf(input),
    find: (tx: Transaction) => findTarget(tx, input),
    placeOf: (target: Target): Place => target,
    permission: ACTION_TRAITS[input.action].permission,
    words: "scheduling such runs",
    check: (check: InputCheck, { pipeline }: Target) => {
      checkTarget(check, input, pipeline);
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

/** A pipeline is seen by callers who may read the runs of the organization. */
function subjectOf({ organizationId, workspaceId, pipelineId }: CreateScheduleInput) {
  if (workspaceId !== null) return { subjectId: workspaceId, noun: "workspace", sight: "WORKSPACE_READ" } as const;
  if (pipelineId !== null) return { subjectId: pipelineId, noun: "pipeline", sight: "RUN_READ" } as const;
  return { subjectId: organizationId, noun: "organization", sight: "ORGANIZATION_READ" } as const;
}

/** Returns the target of the new schedule; `null` if the organization, or what it names in it, does not exist. */
async function findTarget(
  tx: Transaction,
  { organizationId, workspaceId, pipelineId }: CreateScheduleInput,
): Promise<Target | null> {
  const organization = await lookUpOrganization(tx, organizationId);
  const workspace = workspaceId === null ? null : await lookUpWorkspace(tx, workspaceId);
  // Beside a workspace it is refused, whether there is one or not: the caller need not see pipelines then.
  const asked = workspaceId === null ? pipelineId : null;
  const pipeline = asked === null ? null : await findPipeline(tx, asked);
  const named = workspaceId === null ? pipeline : workspace;
  const isThere = (workspaceId ?? asked) === null || named?.organizationId === organizationId;
  if (organization === null || !isThere) return null;
  return { organizationId, projectId: workspace?.projectId ?? null, workspaceId, pipeline };
}

async function findPipeline(tx: Transaction, id: string): Promise<PromotionPipeline | null> {
  const [pipeline = null] = idKind(id) === "promotionPipeline" ? await findPipelines(tx, [id]) : [];
  return pipeline;
}
