/**
 * Searches objects of all kinds by their names. Names that begin with a text are read from an index. For those that have it
 * elsewhere a number of the newest objects is read, because no btree finds them.
 */
import { type RawBuilder, sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import { type IdRange, MATCHES, SEARCH_KINDS, type SearchHit, type SearchKind } from "../../model/search/search-hit.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { SCOPE_OF_RUN } from "../database/place.ts";
import { within } from "../database/scope.ts";
import { PLANNED_EACH_TIME } from "../database/statement-names.ts";

/** Returns where the objects of a kind are searched. */
export type SearchScopes = (kind: SearchKind) => CallerScope;

type Condition = RawBuilder<boolean>;

interface Source {
  table: string;
  /** Whether a row can be found at all. */
  shown: Condition;
  /** The condition that a row lies in a scope; `null` if there is none. */
  within: (scope: CallerScope) => Condition | null;
}

const KEPT = sql<boolean>`deleted_at is null`;
const inOrganization = (scope: CallerScope) => within(scope, { organization: "organization_id" });
const ofOrganization = (table: string): Source => ({ table, shown: KEPT, within: inOrganization });
/** People and machine users are in one table. The actor of the runs of a workspace has no page of its own. */
const ACTORS: Source = {
  table: "actor",
  shown: sql<boolean>`kind <> 'SYSTEM' and workspace_id is null`,
  within: amongMembers,
};
const KIND_OF_ACTOR = sql<string>`case kind when 'USER' then 'user' else 'machineUser' end`;

/** The condition that an actor belongs to an organization of the scope: by a grant, by a team, or as a machine user. */
function amongMembers(scope: CallerScope): Condition | null {
  if (scope.type !== "some" || scope.organizationIds === "ALL") return scope.type === "nothing" ? sql`false` : null;
  const ids = sql`${scope.organizationIds}::text[]`;
  return sql<boolean>`(actor.organization_id = any(${ids})
    or exists (select from access_grant held where held.principal_id = actor.id and held.organization_id = any(${ids})
      and held.revoked_at is null)
    or exists (select from team_member m join team on team.id = m.team_id
      where m.actor_id = actor.id and team.organization_id = any(${ids}) and team.deleted_at is null))`;
}

const SOURCES: Readonly<Record<SearchKind, Source>> = {
  workspace: {
    table: "workspace",
    shown: KEPT,
    within: (scope) => within(scope, { organization: "organization_id", project: "project_id", workspace: "id" }),
  },
  run: {
    table: "run",
    shown: sql<boolean>`not run.hidden and ${inKeptWorkspace("run.workspace_id")}`,
    within: (scope) => within(scope, SCOPE_OF_RUN),
  },
  project: {
    table: "project",
    shown: KEPT,
    // No workspace has the id of a project.
    within: (scope) => within(scope, { organization: "organization_id", project: "id", workspace: "id" }),
  },
  organization: {
    table: "organization",
    shown: sql<boolean>`true`,
    within: (scope) => within(scope, { organization: "id" }),
  },
  team: ofOrganization("team"),
  user: ACTORS,
  machineUser: ACTORS,
  policySet: ofOrganization("policy_set"),
  promotionPipeline: ofOrganization("promotion_pipeline"),
  repository: ofOrganization("repository"),
  runnerPool: ofOrganization("runner_pool"),
};

/** Machine users are found with people, and runs have no names. */
const NAMED_KINDS = SEARCH_KINDS.filter((kind) => kind !== "machineUser" && kind !== "run");

/** The name of a run, which has a number in its workspace and the first line of a message. */
const RUN_TITLE = sql<string>`concat_ws(' ', '#' || run.number, nullif(split_part(left(run.message, 200), E'\n', 1), ''))`;

interface HitRow {
  id: string;
  kind: string;
  title: string;
  match: string;
}

const toHit = ({ id, kind, title, match }: HitRow): SearchHit => ({
  id,
  kind: word(SEARCH_KINDS, kind),
  title,
  match: word(MATCHES, match),
});

const inScope = ({ shown, within: limit }: Source, scope: CallerScope): Condition => {
  const limits = limit(scope);
  return limits === null ? shown : sql<boolean>`${shown} and ${limits}`;
};

/** Finds objects of one kind by the beginning of their ids, oldest first. */
export async function findByIds(
  reader: Reader,
  { kind, from, to }: IdRange,
  scope: CallerScope,
  limit: number,
): Promise<SearchHit[]> {
  const source = SOURCES[kind];
  const title = kind === "run" ? RUN_TITLE : sql.ref("name");
  const { rows } = await sql<HitRow>`
    select id, ${sql.lit(kind)} as kind, ${title} as title, case when ${from} = ${to} then 'EXACT' else 'PREFIX' end as match
    from ${sql.table(source.table)} where ${inScope(source, scope)} and id between ${from} and ${to}
    order by id limit ${limit} ${sql.raw(PLANNED_EACH_TIME)}`.execute(reader.sql);
  return rows.map(toHit);
}

const kindOf = (kind: SearchKind): RawBuilder<string> => (kind === "user" ? KIND_OF_ACTOR : sql.lit(kind));

/** Every text that begins with a text is less than this text with the greatest character behind it. */
const LAST = sql`chr(1114111)`;

function named(kind: SearchKind, scope: CallerScope, text: string, limit: number, column = "name"): RawBuilder<HitRow> {
  const source = SOURCES[kind];
  const from = sql.table(source.table);
  const isShown = inScope(source, scope);
  const name = sql.ref(column);
  const asked = sql`lower(${text})`;
  const sorted = sql`lower(${name}) collate "C"`;
  const row = (kinds: RawBuilder<string>, match: RawBuilder<string>) =>
    sql`id, ${kinds} as kind, name as title, ${match} as match`;
  return sql<HitRow>`
    (select ${row(kindOf(kind), sql`case when lower(${name}) = ${asked} then 'EXACT' else 'PREFIX' end`)}
      from ${from} where ${isShown} and ${sorted} >= ${asked} and ${sorted} < ${asked} || ${LAST}
      order by ${sorted}, id limit ${limit})
    union all
    (select ${row(sql`kind`, sql`'PART'`)}
      from (select id, ${kindOf(kind)} as kind, name, ${name} as searched from ${from} where ${isShown} order by id desc limit ${sql.lit(LIMITS.searchedNames)}) newest
      where strpos(lower(searched), ${asked}) > 1
      order by lower(searched) collate "C", id limit ${limit})`;
}

/** Finds objects whose names have a text, without regard to case; of each kind at most so many, the best first. */
export async function findByName(
  reader: Reader,
  scopeOf: SearchScopes,
  text: string,
  limit: number,
): Promise<SearchHit[]> {
  const kinds = NAMED_KINDS.filter((kind) => scopeOf(kind).type !== "nothing");
  const parts = kinds.map((kind) => named(kind, scopeOf(kind), text, limit));
  if (kinds.includes("organization")) parts.push(named("organization", scopeOf("organization"), text, limit, "slug"));
  if (parts.length === 0) return [];
  const { rows } = await sql<HitRow>`${sql.join(parts, sql` union all `)} ${sql.raw(PLANNED_EACH_TIME)}`.execute(
    reader.sql,
  );
  return rows.map(toHit);
}
