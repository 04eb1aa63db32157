import { type Selectable, sql } from "kysely";
import { MEMBERSHIP_SOURCES, type Team, type TeamMember } from "../../model/people/team.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

function toTeam(row: Selectable<Tables["team"]>): Team {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    externalIds: row.external_ids,
    createdAt: row.created_at,
  };
}

function toMember(row: Selectable<Tables["team_member"]>): TeamMember {
  return {
    teamId: row.team_id,
    actorId: row.actor_id,
    source: word(MEMBERSHIP_SOURCES, row.source),
    addedAt: row.added_at,
    confirmedAt: row.confirmed_at,
    lapsesAt: row.lapses_at,
  };
}

function kept(reader: Reader) {
  return reader.sql.selectFrom("team").selectAll().where("deleted_at", "is", null);
}

/** Throws a unique violation of `team_name` where the organization has a team of that name. */
export async function insertTeam(tx: Transaction, team: Team): Promise<void> {
  await tx.sql
    .insertInto("team")
    .values({
      id: team.id,
      organization_id: team.organizationId,
      name: team.name,
      external_ids: [...team.externalIds],
      created_at: team.createdAt,
    })
    .execute();
}

/** Throws as `insertTeam` does. */
export async function updateTeamRow(
  tx: Transaction,
  id: string,
  { name, externalIds }: Pick<Team, "name" | "externalIds">,
): Promise<void> {
  await tx.sql
    .updateTable("team")
    .set({ name, external_ids: [...externalIds] })
    .where("id", "=", id)
    .execute();
}

/** Its grants have no effect any more, and its name is free. */
export async function markTeamDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("team").set({ deleted_at: at }).where("id", "=", id).execute();
}

export async function lockTeam(tx: Transaction, id: string): Promise<Team | null> {
  const row = await kept(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toTeam(row);
}

/** Locks teams against being deleted; returns the ids of those that exist. */
export async function holdTeams(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.sql
    .selectFrom("team")
    .select("id")
    .where("deleted_at", "is", null)
    .where("id", "in", ids)
    .orderBy("id")
    .forShare()
    .execute();
  return rows.map(({ id }) => id);
}

/** An approval rule that names a team; `workspace` is null if it is a rule of the organization. */
export interface NamingRule {
  name: string;
  workspace: { id: string; organizationId: string; projectId: string; name: string } | null;
}

/** The approval rules that name a team: those of its organization first, then by the name of the workspace. */
export async function listRulesNamingTeam(
  reader: Reader,
  { id, organizationId }: Pick<Team, "id" | "organizationId">,
): Promise<NamingRule[]> {
  const naming = sql`jsonb_exists(rule -> 'teamIds', ${id})`;
  const { rows } = await sql<{ rule: string; id: string | null; project_id: string | null; name: string | null }>`
    select rule ->> 'name' as rule, null as id, null as project_id, null as name
    from organization, jsonb_array_elements(approval_rules) rule
    where organization.id = ${organizationId} and ${naming}
    union all
    select rule ->> 'name', workspace.id, project_id, name from workspace, jsonb_array_elements(approval_rules) rule
    where organization_id = ${organizationId} and deleted_at is null and ${naming}
    order by name nulls first, rule
  `.execute(reader.sql);
  return rows.map(({ rule, id: workspaceId, project_id: projectId, name }) => ({
    name: rule,
    workspace:
      workspaceId === null || projectId === null || name === null
        ? null
        : { id: workspaceId, organizationId, projectId, name },
  }));
}

export async function findTeams(reader: Reader, ids: readonly string[]): Promise<(Team | null)[]> {
  const rows = await kept(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toTeam), (team) => team.id);
}

/** Ids of the teams that an actor is a member of. */
export async function listTeamIdsOfActor(reader: Reader, actorId: string, at: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct m.team_id as id from team_member m join team on team.id = m.team_id and team.deleted_at is null
    where m.actor_id = ${actorId} and (m.lapses_at is null or m.lapses_at > ${at}::timestamptz)
    order by m.team_id
  `.execute(reader.sql);
  return rows.map(({ id }) => id);
}

/** By name. */
export async function listTeams(reader: Reader, organizationIds: readonly string[]): Promise<Team[][]> {
  const rows = await kept(reader).where("organization_id", "in", organizationIds).orderBy("name").execute();
  return grouped(organizationIds, rows.map(toTeam), (team) => team.organizationId);
}

/** Adds a member by hand; a member that is there already stays. */
export async function insertMember(
  tx: Transaction,
  { teamId, actorId, addedAt }: Pick<TeamMember, "teamId" | "actorId" | "addedAt">,
): Promise<void> {
  await tx.sql
    .insertInto("team_member")
    .values({ team_id: teamId, actor_id: actorId, source: "MANUAL", added_at: addedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes a member of every source; gives whether there was one. */
export async function deleteMember(tx: Transaction, teamId: string, actorId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("team_member")
    .where("team_id", "=", teamId)
    .where("actor_id", "=", actorId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The teams of actors at an instant, by name. */
export async function listTeamsOfActors(reader: Reader, actorIds: readonly string[], at: string): Promise<Team[][]> {
  const rows = await reader.sql
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .selectAll("team")
    .select("team_member.actor_id")
    .distinct()
    .where("team_member.actor_id", "in", actorIds)
    .where("team.deleted_at", "is", null)
    .where((eb) => eb.or([eb("lapses_at", "is", null), eb("lapses_at", ">", at)]))
    .orderBy("team.name")
    .orderBy("team.id")
    .execute();
  const teams = rows.map((row) => ({ team: toTeam(row), actorId: row.actor_id }));
  return grouped(actorIds, teams, ({ actorId }) => actorId).map((own) => own.map(({ team }) => team));
}

/** The members of teams at an instant, those first who were added first. */
export async function listMembers(reader: Reader, teamIds: readonly string[], at: string): Promise<TeamMember[][]> {
  const rows = await reader.sql
    .selectFrom("team_member")
    .selectAll()
    .where("team_id", "in", teamIds)
    .where((eb) => eb.or([eb("lapses_at", "is", null), eb("lapses_at", ">", at)]))
    .orderBy("added_at")
    .orderBy("actor_id")
    .orderBy("source")
    .execute();
  return grouped(teamIds, rows.map(toMember), (member) => member.teamId);
}
