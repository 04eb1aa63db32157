/** The workspaces of changesets, with their newest runs. */
import { type Selectable, sql } from "kysely";
import type { Gate } from "../../model/approval/approval.ts";
import type { ChangesetMember } from "../../model/changeset/changeset.ts";
import { standingOf } from "../../model/changeset/member-standing.ts";
import { RUN_LEGS, RUN_OUTCOMES } from "../../model/lifecycle/run-kind.ts";
import { RUN_STATUSES, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { within } from "../database/scope.ts";
import type { Tables } from "../database/tables.ts";

const COLUMNS = [
  "changeset_id",
  "workspace_id",
  "wave",
  "cause",
  "source_blob_id",
  "work_folder",
  "inputs_digest",
  "commit_url",
  "revision",
  "variables_of_run_id",
  "scheduled_at",
  "skip_reason",
  "by_edge",
] as const;

function toMember(row: Pick<Selectable<Tables["changeset_member"]>, (typeof COLUMNS)[number]>): ChangesetMember {
  return {
    changesetId: row.changeset_id,
    workspaceId: row.workspace_id,
    wave: row.wave,
    cause: row.cause,
    source:
      row.source_blob_id === null
        ? null
        : {
            blobId: row.source_blob_id,
            workFolder: row.work_folder ?? ".",
            inputsDigest: row.inputs_digest,
            commitUrl: row.commit_url,
            revision: row.revision,
            variablesOfRunId: row.variables_of_run_id,
          },
    scheduledAt: row.scheduled_at,
    skipReason: row.skip_reason,
    isByEdge: row.by_edge,
  };
}

/** A push that takes the place of earlier ones. */
interface NewerPush {
  refChangeId: string;
  workspaceIds: readonly string[];
  problem: string;
}

/**
 * Gives up the creation of runs that wait for a person, because of an earlier push of the ref. A changeset of which nothing
 * waits any more is not held back.
 */
export async function withdrawHeldMembers(
  tx: Transaction,
  { refChangeId, workspaceIds, problem }: NewerPush,
): Promise<void> {
  // Members first, as where a changeset is discarded: both lock in this order.
  const { rows } = await sql<{ id: string }>`
    update changeset_member m set problem = ${problem}, discarded = true
    from changeset s join ref_change c on c.changeset_id = s.id
      join ref_change this on this.id = ${refChangeId} and this.repository_id = c.repository_id and this.ref = c.ref
    where s.held_at is not null and c.seq < this.seq and m.changeset_id = s.id
      and m.workspace_id = any(${workspaceIds}) and m.run_id is null and m.problem is null
    returning m.changeset_id as id`.execute(tx.sql);
  if (rows.length === 0) return;
  await sql`
    update changeset s set held_at = null, due = true
    where s.id = any(${[...new Set(rows.map(({ id }) => id))]}) and not exists (
      select from changeset_member m where m.changeset_id = s.id and m.run_id is null and m.problem is null)`.execute(
    tx.sql,
  );
}

export async function insertMembers(tx: Transaction, members: readonly ChangesetMember[]): Promise<void> {
  const columns = {
    changeset_id: members.map(({ changesetId }) => changesetId),
    workspace_id: members.map(({ workspaceId }) => workspaceId),
    wave: members.map(({ wave }) => wave),
    cause: members.map(({ cause }) => (cause === null ? null : JSON.stringify(cause))),
    source_blob_id: members.map(({ source }) => source?.blobId ?? null),
    work_folder: members.map(({ source }) => source?.workFolder ?? null),
    inputs_digest: members.map(({ source }) => source?.inputsDigest ?? null),
    commit_url: members.map(({ source }) => source?.commitUrl ?? null),
    revision: members.map(({ source }) => source?.revision ?? null),
    variables_of_run_id: members.map(({ source }) => source?.variablesOfRunId ?? null),
    scheduled_at: members.map(({ scheduledAt }) => scheduledAt),
    skip_reason: members.map(({ skipReason }) => skipReason),
    by_edge: members.map(({ isByEdge }) => isByEdge),
  };
  await sql`
    insert into changeset_member (${sql.join(COLUMNS.map((name) => sql.ref(name)))})
    select * from unnest(${columns.changeset_id}::text[], ${columns.workspace_id}::text[], ${columns.wave}::int[],
      ${columns.cause}::jsonb[], ${columns.source_blob_id}::text[], ${columns.work_folder}::text[], ${columns.inputs_digest}::text[],
      ${columns.commit_url}::text[], ${columns.revision}::text[], ${columns.variables_of_run_id}::text[],
      ${columns.scheduled_at}::timestamptz[], ${columns.skip_reason}::text[],
      ${columns.by_edge}::boolean[])`.execute(tx.sql);
}

/** Members without a run; those of the first wave first. */
export async function listUncreatedMembers(
  reader: Reader,
  changesetId: string,
  limit: number,
): Promise<ChangesetMember[]> {
  const rows = await reader.sql
    .selectFrom("changeset_member")
    .select(COLUMNS)
    .where("changeset_id", "=", changesetId)
    .where("run_id", "is", null)
    .where("problem", "is", null)
    .orderBy("wave")
    .orderBy("workspace_id")
    .limit(limit)
    .execute();
  return rows.map(toMember);
}

/**
 * Locks members that still have no run, and passes over those that another server creates. Returns the ids of their
 * workspaces, in the order in which rows of workspaces are locked.
 */
export async function lockUncreatedMembers(
  tx: Transaction,
  changesetId: string,
  workspaceIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.sql
    .selectFrom("changeset_member")
    .select("workspace_id")
    .where("changeset_id", "=", changesetId)
    .where("workspace_id", "in", workspaceIds)
    .where("run_id", "is", null)
    .where("problem", "is", null)
    .orderBy("workspace_id")
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map((row) => row.workspace_id);
}

/** Whether a run is the newest one of a member. */
export async function isMemberRun(reader: Reader, changesetId: string, runId: string): Promise<boolean> {
  const row = await reader.sql
    .selectFrom("changeset_member")
    .select("workspace_id")
    .where("changeset_id", "=", changesetId)
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes the newest run of a member. */
export async function setMemberRun(
  tx: Transaction,
  { changesetId, workspaceId }: Pick<ChangesetMember, "changesetId" | "workspaceId">,
  runId: string,
): Promise<void> {
  await tx.sql
    .updateTable("changeset_member")
    .set({ run_id: runId })
    .where("changeset_id", "=", changesetId)
    .where("workspace_id", "=", workspaceId)
    .execute();
}

/** Notes why a member gets no run. */
export async function setMemberProblem(
  tx: Transaction,
  { changesetId, workspaceId }: Pick<ChangesetMember, "changesetId" | "workspaceId">,
  problem: string,
): Promise<void> {
  await tx.sql
    .updateTable("changeset_member")
    .set({ problem })
    .where("changeset_id", "=", changesetId)
    .where("workspace_id", "=", workspaceId)
    .where("run_id", "is", null)
    .execute();
}

/** The newest run of a member, as far as commands about the changeset depend on it. */
export interface MemberRun {
  runId: string;
  workspaceId: string;
  planVersion: number;
  /** The gate at which it waits; `null` if it does not. */
  gate: Gate | null;
  hasEnded: boolean;
  /** Its plan is approved, or being applied. */
  isApproved: boolean;
}

type MemberRunRow = Pick<
  Selectable<Tables["run"]>,
  "id" | "workspace_id" | "status" | "leg" | "outcome" | "plan_version"
> & { overtaken: boolean };

/** Lists the newest runs of the members within a scope, oldest first. */
export async function listMemberRuns(reader: Reader, scope: CallerScope, changesetId: string): Promise<MemberRun[]> {
  const limits = within(scope, { organization: "w.organization_id", project: "w.project_id", workspace: "w.id" });
  const { rows } = await sql<MemberRunRow>`
    select r.id, r.workspace_id, r.status, r.leg, r.outcome, r.plan_version, run_overtaken(r.trigger, r.superseded_by) as overtaken
    from changeset_member m join workspace w on w.id = m.workspace_id join run r on r.id = m.run_id
    where m.changeset_id = ${changesetId} and w.deleted_at is null ${limits === null ? sql`` : sql`and ${limits}`}
    order by r.id`.execute(reader.sql);
  return rows.map((row) => {
    const status = word(RUN_STATUSES, row.status);
    const leg = word(RUN_LEGS, row.leg);
    const run = { status, leg, outcome: wordOrNull(RUN_OUTCOMES, row.outcome), overtaken: row.overtaken };
    const { gate, terminal: hasEnded } = STATUS_TRAITS[status];
    const isApproved = standingOf({ run, problem: null }) === "APPROVED";
    return { runId: row.id, workspaceId: row.workspace_id, planVersion: row.plan_version, gate, hasEnded, isApproved };
  });
}

/** Ids of the workspaces of a changeset. */
export async function listMemberWorkspaces(reader: Reader, changesetId: string): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("changeset_member")
    .select("workspace_id")
    .where("changeset_id", "=", changesetId)
    .orderBy("workspace_id")
    .execute();
  return rows.map((row) => row.workspace_id);
}
