import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { ACTOR_KINDS, type Actor } from "../../model/people/actor.ts";
import type { Member } from "../../model/people/member.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

export function toActor(row: Pick<Selectable<Tables["actor"]>, "id" | "kind" | "name">): Actor {
  return { id: row.id, kind: word(ACTOR_KINDS, row.kind), name: row.name };
}

/** Adds a machine user that belongs to one organization. */
export async function insertServiceAccount(
  tx: Transaction,
  { id, name }: Actor,
  organizationId: string,
  createdAt: string,
): Promise<void> {
  await tx.sql
    .insertInto("actor")
    .values({ id, kind: "MACHINE", name, organization_id: organizationId, created_at: createdAt })
    .execute();
}

/** The machine users of organizations, by name. */
export async function listServiceAccounts(reader: Reader, organizationIds: readonly string[]): Promise<Actor[][]> {
  const rows = await reader.sql
    .selectFrom("actor")
    .select(["id", "kind", "name", "organization_id"])
    .where("organization_id", "in", organizationIds)
    .where("workspace_id", "is", null)
    .orderBy("name")
    .orderBy("id")
    .execute();
  const accounts = rows.map((row) => ({ actor: toActor(row), organizationId: row.organization_id }));
  return grouped(organizationIds, accounts, (account) => account.organizationId).map((own) =>
    own.map(({ actor }) => actor),
  );
}

/** An actor that is not disabled. */
export interface EnabledActor {
  actor: Actor;
  /** That of a machine user; `null`: it belongs to none. */
  organizationId: string | null;
  /** Whether it is the actor of what the runs of a workspace do. Its rights are those of the workspace. */
  isOfRuns: boolean;
}

export async function findEnabledActor(reader: Reader, id: string): Promise<EnabledActor | null> {
  const row = await reader.sql
    .selectFrom("actor")
    .select(["id", "kind", "name", "organization_id", "workspace_id"])
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { actor: toActor(row), organizationId: row.organization_id, isOfRuns: row.workspace_id !== null };
}

/** Disables a person or a machine user, or enables it again; gives whether that changed something. */
export async function setActorDisabled(tx: Transaction, id: string, at: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("actor")
    .set({ disabled_at: at })
    .where("id", "=", id)
    .where("disabled_at", at === null ? "is not" : "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Adds an actor. Names are for people: several actors may have the same, and only the id identifies one. */
export async function insertActor(tx: Transaction, actor: Actor, createdAt: string): Promise<void> {
  await tx.sql
    .insertInto("actor")
    .values({ ...actor, created_at: createdAt })
    .execute();
}

/** The organizations that actors belong to: by a grant, by a team, or as machine users. `null`: the installation. */
export async function listOrganizationsOfActors(reader: Reader, ids: readonly string[]): Promise<(string | null)[][]> {
  const { rows } = await sql<{ actor_id: string; organization_id: string | null }>`
    select id as actor_id, organization_id from actor where id = any(${ids}::text[]) and organization_id is not null
    union
    select principal_id, organization_id from access_grant where principal_id = any(${ids}::text[]) and revoked_at is null
    union
    select m.actor_id, team.organization_id from team_member m join team on team.id = m.team_id
    where m.actor_id = any(${ids}::text[]) and team.deleted_at is null
  `.execute(reader.sql);
  return grouped(ids, rows, (row) => row.actor_id).map((own) => own.map((row) => row.organization_id));
}

interface MemberFacts
  extends Pick<
    Selectable<Tables["actor"]>,
    "id" | "kind" | "name" | "email" | "disabled_at" | "invited_by" | "sponsored_until"
  > {
  last_seen_at: string | null;
}

function toMember(row: MemberFacts): Omit<Member, "organizationId"> {
  return {
    actor: toActor(row),
    email: row.email,
    lastSeenAt: row.last_seen_at,
    disabledAt: row.disabled_at,
    invitedById: row.invited_by,
    countsAloneAt: row.sponsored_until,
  };
}

/** The actors with a grant or a team in organizations, and their machine users, by name. */
export async function listOrganizationMembers(reader: Reader, organizationIds: readonly string[]): Promise<Member[][]> {
  const { rows } = await sql<MemberFacts & { organization_id: string }>`
    select held.organization_id, actor.id, actor.kind, actor.name, actor.email, actor.disabled_at,
      actor.invited_by, actor.sponsored_until,
      (select max(last_used_at) from token where token.actor_id = actor.id) as last_seen_at
    from (
      select organization_id, id as actor_id from actor
      where organization_id = any(${organizationIds}::text[]) and workspace_id is null
      union
      select organization_id, principal_id from access_grant
      where organization_id = any(${organizationIds}::text[]) and revoked_at is null
      union
      select team.organization_id, m.actor_id from team join team_member m on m.team_id = team.id
      where team.organization_id = any(${organizationIds}::text[]) and team.deleted_at is null
    ) held
    join actor on actor.id = held.actor_id
    order by actor.name, actor.id
  `.execute(reader.sql);
  const members = rows.map((row) => ({ ...toMember(row), organizationId: row.organization_id }));
  return grouped(organizationIds, members, (member) => member.organizationId);
}

/**
 * Lists the people of the installation, then its machine users, each newest first; positions are ids. `search`: only those
 * with this text in their name. Names have no index for parts of them: an installation has some thousands of actors.
 */
export async function listMembers(
  reader: Reader,
  page: PageRequest<string>,
  search: string | null = null,
): Promise<Page<Omit<Member, "organizationId">>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("actor")
    .select(["id", "kind", "name", "email", "disabled_at", "invited_by", "sponsored_until"])
    .select(
      sql<string | null>`(select max(last_used_at) from token where token.actor_id = actor.id)`.as("last_seen_at"),
    )
    .where("kind", "!=", "SYSTEM")
    .where("workspace_id", "is", null)
    .$if(search !== null, (q) => q.where(sql<boolean>`strpos(lower(name), lower(${search})) > 0`))
    .$if(after !== null, (q) => q.where("id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("id", ">", before ?? ""))
    .orderBy("id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toMember));
}

const actorsById = prepared((db, slot: Slot<{ ids: readonly string[] }>) =>
  db
    .selectFrom("actor")
    .select(["id", "kind", "name"])
    .where("id", "=", isAnyOf(slot("ids"))),
);

export async function findActors(reader: Reader, ids: readonly string[]): Promise<(Actor | null)[]> {
  const rows = await actorsById(reader, { ids });
  return inOrder(ids, rows.map(toActor), (actor) => actor.id);
}
