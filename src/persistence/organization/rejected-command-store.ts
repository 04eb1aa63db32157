import { type RawBuilder, type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { Place, Placed } from "../../model/people/place.ts";
import { type CallerScope, NOTHING } from "../../model/people/permission.ts";
import { type Permission, PERMISSIONS } from "../../model/people/permission-set.ts";
import type { RejectedCommand, RejectionsOf } from "../../model/people/rejected-command.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { within } from "../database/scope.ts";
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

/** Where the subjects of a permission are seen. */
interface SightScope {
  sight: Permission;
  scope: CallerScope;
}

const PLACE = {
  organization: "rejected_command.organization_id",
  project: "place.project_id",
  workspace: "rejected_command.workspace_id",
  isProjectNullable: true,
} as const;

/** The condition that the subject is seen. Hidden rows must not take part in a page: a short page would reveal them. */
function isSeen(sights: readonly SightScope[]): RawBuilder<boolean> {
  const of = (some: readonly SightScope[]) => sql<boolean>`sight = any(${some.map(({ sight }) => sight)})`;
  const byScope = Map.groupBy(sights, ({ scope }) => JSON.stringify(scope));
  const conditions = [...byScope.values()].map((some) => {
    const limits = within(some[0]?.scope ?? NOTHING, PLACE);
    return limits === null ? of(some) : sql<boolean>`(${of(some)} and ${limits})`;
  });
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** Newest first; positions are ids. Only those whose subjects are seen. */
export async function listRejectedCommands(
  reader: Reader,
  of: RejectionsOf,
  sights: readonly SightScope[],
  page: PageRequest<number>,
): Promise<Page<Placed<RejectedCommand>>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("rejected_command")
    // The project that the workspace is in now.
    .leftJoin("workspace as place", "place.id", "rejected_command.workspace_id")
    .selectAll("rejected_command")
    .select("place.project_id")
    .$if("runId" in of, (q) => q.where("subject_id", "=", "runId" in of ? of.runId : ""))
    .$if("workspaceId" in of, (q) =>
      q.where("rejected_command.workspace_id", "=", "workspaceId" in of ? of.workspaceId : ""),
    )
    .$if("organizationId" in of, (q) =>
      q.where("rejected_command.organization_id", "=", "organizationId" in of ? of.organizationId : ""),
    )
    .where(isSeen(sights))
    .$if(after !== null, (q) => q.where("rejected_command.id", "<", after ?? 0))
    .$if(before !== null, (q) => q.where("rejected_command.id", ">", before ?? 0))
    .orderBy("rejected_command.id", page.direction === "forward" ? "desc" : "asc")
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
