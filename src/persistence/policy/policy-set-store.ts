/** Sets of policies, and the workspaces that they select. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import {
  POLICY_DIALECTS,
  POLICY_ERROR_MODES,
  POLICY_LANGUAGES,
  type PolicyOverriders,
  type PolicySelector,
  type PolicySet,
} from "../../model/policy/policy-set.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import { within } from "../database/scope.ts";
import type { Tables } from "../database/tables.ts";
import { toWorkspace } from "../workspace/workspace-store.ts";

/** Converts a row to the set that it stores. */
export function toPolicySet(row: Selectable<Tables["policy_set"]>): PolicySet {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    language: word(POLICY_LANGUAGES, row.language),
    dialect: word(POLICY_DIALECTS, row.dialect),
    selector: row.selector,
    onError: word(POLICY_ERROR_MODES, row.on_error),
    judgesUnchanged: row.judges_unchanged,
    needsWholePlan: row.needs_whole_plan,
    overriders: row.overriders,
    enabled: row.enabled,
    createdAt: row.created_at,
  };
}

function kept(reader: Reader) {
  return reader.sql.selectFrom("policy_set").selectAll("policy_set").where("policy_set.deleted_at", "is", null);
}

function settingsOf(set: PolicySet) {
  return {
    name: set.name,
    description: set.description,
    selector: JSON.stringify(set.selector),
    on_error: set.onError,
    judges_unchanged: set.judgesUnchanged,
    needs_whole_plan: set.needsWholePlan,
    overriders: JSON.stringify(set.overriders),
    enabled: set.enabled,
  };
}

/**
 * The condition that a set selects a workspace, for a kind of run or for any. `set` and `workspace` name the tables in the
 * statement.
 */
export function selectsWorkspace(
  set: string,
  workspace: string,
  kind: RawBuilder<RunKind | null> = sql`null`,
): RawBuilder<boolean> {
  const ofWorkspace = (column: string) => sql.ref(`${workspace}.${column}`);
  const selector = sql.ref(`${set}.selector`);
  return sql<boolean>`policy_selects(${selector}, ${ofWorkspace("id")}, ${ofWorkspace("name")}, ${ofWorkspace("labels")}, ${kind}::text)`;
}

/** Inserts a set. Throws a violation of `policy_set_name` for a name that is in use. */
export async function insertPolicySet(tx: Transaction, set: PolicySet): Promise<void> {
  const { id, organizationId, language, dialect, createdAt } = set;
  await tx.sql
    .insertInto("policy_set")
    .values({ id, organization_id: organizationId, language, dialect, created_at: createdAt, ...settingsOf(set) })
    .execute();
}

/** Changes what a person may change of a set. Throws as `insertPolicySet` does. */
export async function updatePolicySetRow(tx: Transaction, set: PolicySet): Promise<void> {
  await tx.sql.updateTable("policy_set").set(settingsOf(set)).where("id", "=", set.id).execute();
}

export async function markPolicySetDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("policy_set").set({ deleted_at: at }).where("id", "=", id).execute();
}

/** Locks a set: changes of it and of the states of its versions come one after the other. `null` if there is none. */
export async function lockPolicySet(tx: Transaction, id: string): Promise<PolicySet | null> {
  const row = await kept(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toPolicySet(row);
}

export async function findPolicySets(reader: Reader, ids: readonly string[]): Promise<(PolicySet | null)[]> {
  const rows = await kept(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toPolicySet), ({ id }) => id);
}

/** Returns who may override the results of sets, also of deleted ones; `null` for an id of something else. */
export async function findOverriders(reader: Reader, ids: readonly string[]): Promise<(PolicyOverriders | null)[]> {
  const rows = await reader.sql.selectFrom("policy_set").select(["id", "overriders"]).where("id", "in", ids).execute();
  return inOrder(ids, rows, ({ id }) => id).map((row) => row?.overriders ?? null);
}

/** Lists the sets of an organization, oldest first; positions are ids. */
export async function listPolicySets(
  reader: Reader,
  organizationId: string,
  page: PageRequest<string>,
): Promise<Page<PolicySet>> {
  const { after, before } = page;
  const rows = await kept(reader)
    .where("organization_id", "=", organizationId)
    .$if(after !== null, (q) => q.where("id", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("id", "<", before ?? ""))
    .orderBy("id", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toPolicySet));
}

export async function countPolicySets(reader: Reader, organizationId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("policy_set")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** A policy set that names a team: among its overriders, or in rules of versions that judge. */
export interface NamingSet {
  name: string;
  overrides: boolean;
  /** The numbers of these versions. */
  versions: readonly number[];
}

/** Lists the policy sets that name a team of their organization, by name. */
export async function listSetsNamingTeam(
  reader: Reader,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<NamingSet[]> {
  const { rows } = await sql<NamingSet>`
    select s.name, jsonb_exists(s.overriders -> 'teamIds', ${id}) as overrides, named.versions
    from policy_set s cross join lateral (
      select array(
        select v.number from policy_set_version v
        where v.set_id = s.id and v.state in ('ACTIVE', 'SHADOW') and exists (
          select from jsonb_array_elements(v.source -> 'rules') rule
          where jsonb_exists(rule -> 'approvers' -> 'teamIds', ${id}))
        order by v.number) as versions) named
    where s.organization_id = ${organizationId} and s.deleted_at is null
      and (jsonb_exists(s.overriders -> 'teamIds', ${id}) or named.versions <> '{}')
    order by s.name`.execute(reader.sql);
  return rows;
}

/** Lists the enabled sets that select each workspace, oldest first. An organization has few sets. */
export async function listPolicySetsOf(reader: Reader, workspaceIds: readonly string[]): Promise<PolicySet[][]> {
  const rows = await kept(reader)
    .innerJoin("workspace", "workspace.organization_id", "policy_set.organization_id")
    .select("workspace.id as workspace_id")
    .where("workspace.id", "in", workspaceIds)
    .where("policy_set.enabled", "=", sql.lit(true))
    .where(selectsWorkspace("policy_set", "workspace"))
    .orderBy("policy_set.id")
    .execute();
  const found = rows.map((row) => ({ workspaceId: row.workspace_id, set: toPolicySet(row) }));
  return grouped(workspaceIds, found, ({ workspaceId }) => workspaceId).map((some) => some.map(({ set }) => set));
}

/** Lists the workspaces of a scope that a selector selects, by name; positions are names. */
export async function listSelectedWorkspaces(
  reader: Reader,
  scope: CallerScope,
  { organizationId, selector }: { organizationId: string; selector: PolicySelector },
  page: PageRequest<string>,
): Promise<Page<Workspace>> {
  const { after, before } = page;
  const limits = within(scope, { organization: "organization_id", project: "project_id", workspace: "id" });
  const rows = await reader.sql
    .selectFrom("workspace")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(sql<boolean>`policy_selects(${JSON.stringify(selector)}::jsonb, id, name, labels, null)`)
    .$if(limits !== null, (q) => q.where(limits ?? sql<boolean>`true`))
    .$if(after !== null, (q) => q.where("name", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("name", "<", before ?? ""))
    .orderBy("name", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toWorkspace));
}
