import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { Place, Placed } from "../../model/people/place.ts";
import { type Permission, PERMISSIONS } from "../../model/people/permission-set.ts";
import type { RejectedCommand, RejectionsOf } from "../../model/people/rejected-command.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

export interface NewRejection extends Omit<RejectedCommand, "id" | "sight"> {
  /** The place of the subject, and the permission to see it, if it takes one; `null` if no subject was found. */
  found: { place: Place; sight: Permission | null } | null;
}

/** Records a command that was refused; outside of its transaction, which was rolled back. */
export async function recordRejectedCommand(reader: Reader, rejected: NewRejection): Promise<void> {
  const { found } = rejected;
  await reader.sql
    .insertInto("rejected_command")
    .values({
      at: rejected.at,
      actor_id: rejected.actorId,
      credential_id: rejected.credentialId,
      command: rejected.command,
      subject_id: rejected.subjectId,
      organization_id: found?.place.organizationId ?? null,
      workspace_id: found?.place.workspaceId ?? null,
      sight: found?.sight ?? null,
      code: rejected.code,
      message: rejected.message,
    })
    .execute();
}

type Row = Selectable<Tables["rejected_command"]> & { project_id: string | null };

function toRejectedCommand(row: Row): Placed<RejectedCommand> {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    sight: word(PERMISSIONS, row.sight ?? ""),
    at: row.at,
    actorId: row.actor_id,
    credentialId: row.credential_id,
    command: row.command,
    subjectId: row.subject_id,
    code: row.code,
    message: row.message,
  };
}

/** The project that the workspace is in now. */
const PROJECT = sql<
  string | null
>`(select project_id from workspace where workspace.id = rejected_command.workspace_id)`.as("project_id");

/** Newest first; positions are ids. Only those whose subjects may be seen with one of the permissions. */
export async function listRejectedCommands(
  reader: Reader,
  of: RejectionsOf,
  sights: readonly Permission[],
  page: PageRequest<number>,
): Promise<Page<Placed<RejectedCommand>>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("rejected_command")
    .selectAll("rejected_command")
    .select(PROJECT)
    .$if("runId" in of, (q) => q.where("subject_id", "=", "runId" in of ? of.runId : ""))
    .$if("workspaceId" in of, (q) => q.where("workspace_id", "=", "workspaceId" in of ? of.workspaceId : ""))
    .$if("organizationId" in of, (q) =>
      q.where("organization_id", "=", "organizationId" in of ? of.organizationId : ""),
    )
    .where(sql<boolean>`sight = any(${sights})`)
    .$if(after !== null, (q) => q.where("id", "<", after ?? 0))
    .$if(before !== null, (q) => q.where("id", ">", before ?? 0))
    .orderBy("id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toRejectedCommand));
}

/** When each of these runs first had a command refused for its status, since it has that status; null: never. */
export async function findFirstRefusals(
  reader: Reader,
  command: string,
  runIds: readonly string[],
): Promise<(string | null)[]> {
  const rows = await reader.sql
    .selectFrom("rejected_command")
    .innerJoin("run", "run.id", "rejected_command.subject_id")
    .select((eb) => ["run.id", eb.fn.min("rejected_command.at").as("at")])
    .where("run.id", "in", runIds)
    .where("rejected_command.command", "=", command)
    .where("rejected_command.code", "=", "RUN_STATE_CONFLICT")
    .whereRef("rejected_command.at", ">=", "run.status_at")
    .groupBy("run.id")
    .execute();
  return inOrder(runIds, rows, (row) => row.id).map((row) => row?.at ?? null);
}

/** Removes what was refused in an organization before an instant, but not what was refused about runs; gives how many. */
export async function removeOtherRejectedCommands(
  tx: Transaction,
  organizationId: string,
  before: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rejected_command where id in (
      select id from rejected_command
      where organization_id = ${organizationId} and sight <> 'RUN_READ' and at < ${before}
      order by id limit ${limit}
    )
  `.execute(tx.sql);
  return Number(numAffectedRows ?? 0);
}

/** Removes what was refused about these runs before an instant. */
export async function removeRejectedCommands(tx: Transaction, runIds: string[], before: string): Promise<void> {
  await tx.sql.deleteFrom("rejected_command").where("subject_id", "in", runIds).where("at", "<", before).execute();
}
