import type { Selectable } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import { MISFIRES, type Schedule, SCHEDULED_ACTIONS } from "../../model/schedule/schedule.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { grouped, inOrder } from "../database/group.ts";
import { within } from "../database/scope.ts";
import type { Tables } from "../database/tables.ts";

type Row = Selectable<Tables["schedule"]> & { project_id: string | null };

function toSchedule(row: Row): Schedule {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    label: row.label,
    pipelineId: row.pipeline_id,
    stage: row.stage,
    name: row.name,
    cron: row.cron,
    timeZone: row.time_zone,
    spreadMinutes: row.spread_minutes,
    misfire: word(MISFIRES, row.misfire),
    action: word(SCHEDULED_ACTIONS, row.action),
    command: row.command,
    enabled: row.enabled,
    ownerId: row.owner_id,
    createdAt: row.created_at,
    nextAt: row.next_at,
    lastAt: row.last_at,
    lastChangesetId: row.last_changeset_id,
    lastProblem: row.last_problem,
  };
}

/** Schedules that were not deleted, nor their workspaces. */
function kept(reader: Reader) {
  return reader.sql
    .selectFrom("schedule")
    .leftJoin("workspace", "workspace.id", "schedule.workspace_id")
    .selectAll("schedule")
    .select("workspace.project_id")
    .where("schedule.deleted_at", "is", null)
    .where("workspace.deleted_at", "is", null);
}

function settingsOf(schedule: Schedule) {
  return {
    label: schedule.label,
    name: schedule.name,
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    spread_minutes: schedule.spreadMinutes,
    misfire: schedule.misfire,
    action: schedule.action,
    command: schedule.command,
    enabled: schedule.enabled,
    owner_id: schedule.ownerId,
    next_at: schedule.nextAt,
  };
}

export async function insertSchedule(tx: Transaction, schedule: Schedule): Promise<void> {
  await tx.sql
    .insertInto("schedule")
    .values({
      id: schedule.id,
      organization_id: schedule.organizationId,
      workspace_id: schedule.workspaceId,
      pipeline_id: schedule.pipelineId,
      stage: schedule.stage,
      created_at: schedule.createdAt,
      ...settingsOf(schedule),
    })
    .execute();
}

/** Changes what a person may change of a schedule, and its next due time. */
export async function updateScheduleRow(tx: Transaction, schedule: Schedule): Promise<void> {
  await tx.sql.updateTable("schedule").set(settingsOf(schedule)).where("id", "=", schedule.id).execute();
}

export async function markScheduleDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("schedule").set({ deleted_at: at, next_at: null }).where("id", "=", id).execute();
}

/** Locks a schedule; `null` if there is none, or it was deleted. */
export async function lockSchedule(tx: Transaction, id: string): Promise<Schedule | null> {
  const row = await kept(tx).where("schedule.id", "=", id).forNoKeyUpdate("schedule").executeTakeFirst();
  return row === undefined ? null : toSchedule(row);
}

export async function findSchedules(reader: Reader, ids: readonly string[]): Promise<(Schedule | null)[]> {
  const rows = await kept(reader).where("schedule.id", "in", ids).execute();
  return inOrder(ids, rows.map(toSchedule), ({ id }) => id);
}

/** Lists the schedules of an organization that lie in a scope, oldest first; positions are ids. */
export async function listSchedules(
  reader: Reader,
  scope: CallerScope,
  organizationId: string,
  page: PageRequest<string>,
): Promise<Page<Schedule>> {
  const { after, before } = page;
  const limits = within(scope, {
    organization: "schedule.organization_id",
    project: "workspace.project_id",
    workspace: "schedule.workspace_id",
    isProjectNullable: true,
  });
  const rows = await kept(reader)
    .where("schedule.organization_id", "=", organizationId)
    .$if(limits !== null, (q) => (limits === null ? q : q.where(limits)))
    .$if(after !== null, (q) => q.where("schedule.id", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("schedule.id", "<", before ?? ""))
    .orderBy("schedule.id", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toSchedule));
}

/** The schedules that name each workspace, oldest first. */
export async function listSchedulesOfWorkspaces(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<Schedule[][]> {
  const rows = await kept(reader).where("schedule.workspace_id", "in", workspaceIds).orderBy("schedule.id").execute();
  return grouped(workspaceIds, rows.map(toSchedule), ({ workspaceId }) => workspaceId ?? "");
}

export async function countSchedules(reader: Reader, organizationId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("schedule")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(inKeptWorkspace("schedule.workspace_id"))
    .executeTakeFirstOrThrow();
  return row.count;
}
