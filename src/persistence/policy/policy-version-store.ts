/** Versions of policy sets: their sources and their states. */
import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
import { POLICY_VERSION_STATES, type PolicyVersionState } from "../../model/policy/policy-set.ts";
import type { PolicySetVersion } from "../../model/policy/policy-set-version.ts";
import type { StoredPolicySource } from "../../model/policy/policy-source.ts";
import type { VersionContent } from "../../model/policy/version-content.ts";
import type { PolicyTest, PolicyTestReport } from "../../model/policy/policy-test.ts";
import type { VersionInForce } from "../../model/policy/version-in-force.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import { selectsWorkspace, toPolicySet } from "./policy-set-store.ts";

/** A version with the organization of its set. */
export type PlacedVersion = PolicySetVersion & { organizationId: string };

const COLUMNS = [
  "policy_set_version.id",
  "set_id",
  "number",
  "state",
  "digest",
  "message",
  "policies",
  "test_report",
  "created_by",
  "policy_set_version.created_at",
  "activated_at",
  "activated_by",
] as const;

type Row = Pick<
  Selectable<Tables["policy_set_version"]>,
  Exclude<(typeof COLUMNS)[number], `policy_set_version.${string}`>
> &
  Pick<Selectable<Tables["policy_set_version"]>, "id" | "created_at">;

function toVersion(row: Row & { organization_id: string }): PlacedVersion {
  return {
    id: row.id,
    setId: row.set_id,
    organizationId: row.organization_id,
    number: row.number,
    state: word(POLICY_VERSION_STATES, row.state),
    digest: row.digest,
    message: row.message,
    policies: row.policies,
    testReport: row.test_report,
    createdById: row.created_by,
    createdAt: row.created_at,
    activatedAt: row.activated_at,
    activatedById: row.activated_by,
  };
}

function ofKeptSets(reader: Reader) {
  return reader.sql
    .selectFrom("policy_set_version")
    .innerJoin("policy_set", "policy_set.id", "set_id")
    .select(COLUMNS)
    .select("organization_id")
    .where("deleted_at", "is", null);
}

export interface NewVersion {
  id: string;
  setId: string;
  digest: string;
  message: string | null;
  source: StoredPolicySource;
  moduleBlobId: string | null;
  policies: PolicySetVersion["policies"];
  tests: readonly PolicyTest[];
  testReport: PolicyTestReport;
  createdById: string;
  createdAt: string;
}

/** Inserts a version as a draft and returns its number. The row of its set must be locked. */
export async function insertPolicyVersion(tx: Transaction, version: NewVersion): Promise<number> {
  const { id, setId, digest, message, source, moduleBlobId, policies, tests, testReport } = version;
  const row = await tx.sql
    .insertInto("policy_set_version")
    .values({
      id,
      set_id: setId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from policy_set_version where set_id = ${setId})`,
      state: "DRAFT",
      digest,
      message,
      source: JSON.stringify(source),
      module_blob_id: moduleBlobId,
      policies: JSON.stringify(policies),
      tests: JSON.stringify(tests),
      test_report: JSON.stringify(testReport),
      created_by: version.createdById,
      created_at: version.createdAt,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  return row.number;
}

/**
 * Changes the state of a version. One that becomes ACTIVE or SHADOW retires the one that was it. The row of the set must be
 * locked.
 */
export async function setPolicyVersionState(
  tx: Transaction,
  { id, setId }: Pick<PolicySetVersion, "id" | "setId">,
  { state, at, byId }: { state: PolicyVersionState; at: string; byId: string },
): Promise<void> {
  if (state === "ACTIVE" || state === "SHADOW") {
    await tx.sql
      .updateTable("policy_set_version")
      .set({ state: "RETIRED" })
      .where("set_id", "=", setId)
      .where("state", "=", state)
      .where("id", "<>", id)
      .execute();
  }
  await tx.sql
    .updateTable("policy_set_version")
    .set({ state, ...(state === "ACTIVE" && { activated_at: at, activated_by: byId }) })
    .where("id", "=", id)
    .execute();
}

/** Finds a version and locks its set, so that states of its versions change one after the other. `null` if there is none. */
export async function lockPolicyVersion(tx: Transaction, id: string): Promise<PlacedVersion | null> {
  const row = await ofKeptSets(tx)
    .where("policy_set_version.id", "=", id)
    .forNoKeyUpdate("policy_set")
    .executeTakeFirst();
  return row === undefined ? null : toVersion(row);
}

export async function findPolicyVersions(reader: Reader, ids: readonly string[]): Promise<(PlacedVersion | null)[]> {
  const rows = await ofKeptSets(reader).where("policy_set_version.id", "in", ids).execute();
  return inOrder(ids, rows.map(toVersion), ({ id }) => id);
}

/** Lists the versions of a set, newest first; positions are numbers. */
export async function listPolicyVersions(
  reader: Reader,
  setId: string,
  page: PageRequest<number>,
): Promise<Page<PlacedVersion>> {
  const { after, before } = page;
  const rows = await ofKeptSets(reader)
    .where("set_id", "=", setId)
    .$if(after !== null, (q) => q.where("number", "<", after ?? 0))
    .$if(before !== null, (q) => q.where("number", ">", before ?? 0))
    .orderBy("number", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toVersion));
}

export async function countPolicyVersions(reader: Reader, setId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("policy_set_version")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("set_id", "=", setId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Lists the versions of each set that are ACTIVE or SHADOW. */
export async function listCurrentVersions(reader: Reader, setIds: readonly string[]): Promise<PlacedVersion[][]> {
  const rows = await ofKeptSets(reader)
    .where("set_id", "in", setIds)
    .where("state", "in", ["ACTIVE", "SHADOW"])
    .execute();
  return grouped(setIds, rows.map(toVersion), ({ setId }) => setId);
}

const versionsInForce = prepared((db, slot: Slot<{ workspaceId: string; kind: RunKind | null }>) =>
  db
    .selectFrom("workspace")
    .innerJoin("policy_set", "policy_set.organization_id", "workspace.organization_id")
    .innerJoin("policy_set_version as version", "version.set_id", "policy_set.id")
    .selectAll("policy_set")
    .select(["version.id as version_id", "version.state", "version.policies", "version.digest"])
    .where("workspace.id", "=", slot("workspaceId"))
    .where("policy_set.deleted_at", "is", null)
    .where("policy_set.enabled", "=", sql.lit(true))
    .where("version.state", "in", [sql.lit("ACTIVE"), sql.lit("SHADOW")])
    .where(selectsWorkspace("policy_set", "workspace", slot("kind")))
    .orderBy("policy_set.id")
    .orderBy("version.state"),
);

/**
 * Lists the active and the shadow versions of the enabled sets that select a workspace for a kind of run, by sets. Each
 * set's active version comes first.
 */
export async function listVersionsInForce(
  reader: Reader,
  workspaceId: string,
  kind: RunKind,
): Promise<VersionInForce[]> {
  const rows = await versionsInForce(reader, { workspaceId, kind });
  return rows.map((row) => ({
    versionId: row.version_id,
    shadow: row.state === "SHADOW",
    digest: row.digest,
    policies: row.policies,
    set: toPolicySet(row),
  }));
}

/** Reads the sources and the tests of versions of sets that exist, for people. */
export async function findVersionContents(reader: Reader, ids: readonly string[]): Promise<(VersionContent | null)[]> {
  const rows = await reader.sql
    .selectFrom("policy_set_version")
    .innerJoin("policy_set", "policy_set.id", "set_id")
    .select(["policy_set_version.id", "source", "tests"])
    .where("policy_set_version.id", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  return inOrder(ids, rows, ({ id }) => id);
}

/** A source as it is stored. `moduleBlobId`: the compiled module. */
export interface SourceRow {
  versionId: string;
  source: StoredPolicySource;
  moduleBlobId: string | null;
}

/** Reads the sources of versions, those of deleted sets included: an evaluation keeps its version. */
export async function findPolicySources(reader: Reader, ids: readonly string[]): Promise<(SourceRow | null)[]> {
  const rows = await reader.sql
    .selectFrom("policy_set_version")
    .select(["id", "source", "module_blob_id"])
    .where("id", "in", ids)
    .execute();
  const found = rows.map((row) => ({ versionId: row.id, source: row.source, moduleBlobId: row.module_blob_id }));
  return inOrder(ids, found, ({ versionId }) => versionId);
}

/** Lists the names of the policies that any version of a set has, in order. */
export async function listPolicyNames(reader: Reader, setId: string): Promise<string[]> {
  const rows = await sql<{ name: string }>`
    select distinct policy ->> 'name' as name
    from policy_set_version, jsonb_array_elements(policies) policy
    where set_id = ${setId} order by name`.execute(reader.sql);
  return rows.rows.map(({ name }) => name);
}

/** Lists the teams whose approvals the rules of a version demand, by the names of the rules. */
export async function listDemandedTeams(
  reader: Reader,
  versionId: string,
): Promise<{ rule: string; teamId: string }[]> {
  const { rows } = await sql<{ rule: string; teamId: string }>`
    select rule ->> 'name' as rule, team as "teamId"
    from policy_set_version, jsonb_array_elements(source -> 'rules') rule,
      jsonb_array_elements_text(case when jsonb_typeof(rule -> 'approvers') = 'object' then rule -> 'approvers' -> 'teamIds' end) team
    where id = ${versionId} order by 1, 2`.execute(reader.sql);
  return rows;
}
