/** Actors by the permissions that their grants give them at a place. */
import { sql } from "kysely";
import { approverKindOf } from "../../model/approval/approver.ts";
import type { EligibleApprover } from "../../model/approval/eligible-approver.ts";
import { ACTOR_KINDS } from "../../model/people/actor.ts";
import { IDENTIFICATIONS } from "../../model/people/identification.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { builtInRoleId, builtInRolesWith } from "../../model/people/role.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { prepared, type Slot } from "../database/prepared.ts";

/** A question for the actors whose grants reach some place. */
export interface ReachAsked {
  key: string;
  /** Ids of scopes; `null`: the installation. */
  scopeIds: readonly (string | null)[];
}

interface Places {
  keys: readonly string[];
  scopeIds: readonly string[];
  at: string;
}

function placesOf(asked: readonly ReachAsked[], at: string): Places {
  const pairs = asked.flatMap(({ key, scopeIds }) => scopeIds.map((scopeId) => ({ key, scopeId })));
  return { keys: pairs.map(({ key }) => key), scopeIds: pairs.map(({ scopeId }) => scopeId ?? ""), at };
}

/** Grants in force in the asked scopes with their roles, and the actors that hold them and can prove who they are. */
const held = (slot: Slot<Places>) => sql`
    unnest(${slot("keys")}::text[], ${slot("scopeIds")}::text[]) as asked (key, scope_id)
    join access_grant g on (g.scope_id = asked.scope_id or (asked.scope_id = '' and g.scope_id is null))
      and g.revoked_at is null and (g.expires_at is null or g.expires_at > ${slot("at")}::timestamptz)
    join role on role.id = g.role_id
    cross join lateral (
      select g.principal_id as id
      union
      select m.actor_id from team_member m join team on team.id = m.team_id and team.deleted_at is null
      where m.team_id = g.principal_id and (m.lapses_at is null or m.lapses_at > ${slot("at")}::timestamptz)
    ) holder
    join actor on actor.id = holder.id and actor.disabled_at is null
      and (actor.identified_by is not null or exists (
        select from token where token.actor_id = actor.id and token.revoked_at is null
          and (token.expires_at is null or token.expires_at > ${slot("at")}::timestamptz)))`;

const actorsReaching = prepared(
  (_db, slot: Slot<Places & { roleIds: readonly string[]; permission: string }>) => sql<{ key: string; id: string }>`
    select distinct asked.key, actor.id
    from ${held(slot)}
    where role.id = any(${slot("roleIds")}::text[]) or ${slot("permission")}::text = any(role.permissions)
    order by asked.key, actor.id
  `,
);

/**
 * Ids of the actors that have a permission by a grant in one of these scopes, and can sign in or have a token, by id; at
 * most so many for each question.
 */
export async function listActorIdsReaching(
  reader: Reader,
  permission: Permission,
  asked: readonly ReachAsked[],
  at: string,
  limit: number,
): Promise<string[][]> {
  const roleIds = builtInRolesWith(permission).map(builtInRoleId);
  const rows = await actorsReaching(reader, { ...placesOf(asked, at), roleIds, permission });
  const keys = asked.map(({ key }) => key);
  return grouped(keys, rows, (row) => row.key).map((own) => own.slice(0, limit).map(({ id }) => id));
}

interface ApproverRow {
  key: string;
  id: string;
  kind: string;
  identified_by: string | null;
  counts_as: string;
  plan: boolean;
  apply: boolean;
  team_ids: string[];
}

const approversReaching = prepared(
  (_db, slot: Slot<Places & { planRoleIds: readonly string[]; applyRoleIds: readonly string[] }>) => sql<ApproverRow>`
    select found.*, array(
      select distinct m.team_id from team_member m join team on team.id = m.team_id and team.deleted_at is null
      where m.actor_id = found.id and (m.lapses_at is null or m.lapses_at > ${slot("at")}::timestamptz)
      order by m.team_id) as team_ids
    from (
      select asked.key, actor.id, actor.kind, actor.identified_by,
        case when actor.sponsored_until > ${slot("at")}::timestamptz then actor.sponsor_id else actor.id end as counts_as,
        bool_or(role.id = any(${slot("planRoleIds")}::text[]) or 'PLAN_APPROVE' = any(role.permissions)) as plan,
        bool_or(role.id = any(${slot("applyRoleIds")}::text[]) or 'APPLY_APPROVE' = any(role.permissions)) as apply
      from ${held(slot)}
      group by asked.key, actor.id
    ) found
    where found.plan or found.apply
    order by found.key, found.id
  `,
);

/** The actors that may approve at a gate by a grant in one of these scopes, as `listActorIdsReaching` lists them. */
export async function listApproversReaching(
  reader: Reader,
  asked: readonly ReachAsked[],
  { at, limit, hasProvider }: { at: string; limit: number; hasProvider: boolean },
): Promise<EligibleApprover[][]> {
  const rows = await approversReaching(reader, {
    ...placesOf(asked, at),
    planRoleIds: builtInRolesWith("PLAN_APPROVE").map(builtInRoleId),
    applyRoleIds: builtInRolesWith("APPLY_APPROVE").map(builtInRoleId),
  });
  const keys = asked.map(({ key }) => key);
  return grouped(keys, rows, (row) => row.key).map((own) =>
    own.slice(0, limit).map((row) => toApprover(row, hasProvider)),
  );
}

function toApprover(row: ApproverRow, hasProvider: boolean): EligibleApprover {
  const identifiedBy = wordOrNull(IDENTIFICATIONS, row.identified_by);
  return {
    actorId: row.id,
    kind: approverKindOf(word(ACTOR_KINDS, row.kind), identifiedBy, hasProvider),
    countsAs: row.counts_as,
    teamIds: row.team_ids,
    gates: [...(row.plan ? (["PLAN"] as const) : []), ...(row.apply ? (["APPLY"] as const) : [])],
  };
}

/** The scopes in which an organization has grants; `null`: the installation. */
export async function listScopesWithGrants(reader: Reader, organizationId: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string | null }>`
    select distinct scope_id as id from access_grant
    where revoked_at is null and (organization_id = ${organizationId} or organization_id is null)
  `.execute(reader.sql);
  return rows.map(({ id }) => id);
}
