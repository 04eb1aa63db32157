import { type Expression, type ExpressionBuilder, type Selectable, sql, type SqlBool } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { CHANGE_REASONS } from "../../model/plan/change-reason.ts";
import { type ChangeFilter, EVERY_CHANGE } from "../../model/plan/change-filter.ts";
import { RESOURCE_ACTIONS, type ResourceChange } from "../../model/plan/plan.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { changeDigest } from "./change-digest.ts";
import { fitting, inParts } from "./sized-rows.ts";
import type { Tables } from "../database/tables.ts";

/** A change with its digest, and with its place in its plan, from 1: destructions first, as the runner ordered them. */
export type PlacedChange = ResourceChange & { position: number; digest: string };

export async function insertResourceChanges(
  tx: Transaction,
  planId: string,
  changes: readonly ResourceChange[],
): Promise<void> {
  const rows = changes.map((change, index) => ({ plan_id: planId, position: index + 1, ...toValues(change) }));
  for (const part of inParts(rows)) await tx.sql.insertInto("resource_change").values(part).execute();
}

function toValues(change: ResourceChange) {
  const before = JSON.stringify(change.before);
  const after = JSON.stringify(change.after);
  return {
    address: change.address,
    type: change.type,
    name: change.name,
    module: change.module,
    action: change.action,
    create_before_destroy: change.createBeforeDestroy,
    previous_address: change.previousAddress,
    imported: change.imported,
    before,
    after,
    bytes: Buffer.byteLength(before) + Buffer.byteLength(after),
    sensitive_paths: change.sensitivePaths,
    unknown_paths: change.unknownPaths,
    digest: changeDigest(change),
    replace_paths: change.replacePaths,
    depends_on: change.dependsOn,
    reason: change.reason,
    provider: change.provider,
    index: change.index,
    deposed: change.deposed,
    import_id: change.importId,
  };
}

function toChange(row: Selectable<Tables["resource_change"]>): PlacedChange {
  const change: ResourceChange = {
    address: row.address,
    type: row.type,
    name: row.name,
    module: row.module,
    action: word(RESOURCE_ACTIONS, row.action),
    createBeforeDestroy: row.create_before_destroy,
    previousAddress: row.previous_address,
    imported: row.imported,
    before: row.before,
    after: row.after,
    sensitivePaths: row.sensitive_paths,
    unknownPaths: row.unknown_paths,
    replacePaths: row.replace_paths,
    dependsOn: row.depends_on,
    reason: wordOrNull(CHANGE_REASONS, row.reason),
    provider: row.provider,
    index: row.index,
    deposed: row.deposed,
    importId: row.import_id,
  };
  return { ...change, position: row.position, digest: row.digest };
}

/**
 * Positions count from 1. A page ends early where its objects would be too large together, but not before its first
 * one: sizes are read before any object.
 */
export async function listResourceChanges(
  reader: Reader,
  planId: string,
  filter: ChangeFilter,
  page: PageRequest<number>,
): Promise<Page<PlacedChange>> {
  const { after, before } = page;
  if (selectsNothing(filter)) return toPage(page, []);
  const places = await reader.sql
    .selectFrom("resource_change")
    .select(["position", "bytes"])
    .where((eb) => eb.and(conditions(eb, planId, filter)))
    .$if(after !== null, (q) => q.where("position", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("position", "<", before ?? 0))
    .orderBy("position", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  const found = toPage({ ...page, limit: fitting(places.slice(0, page.limit)) }, places);
  return { ...found, items: await readPlaces(reader, planId, found.items) };
}

/** Counts the changes of a plan that a filter selects. */
export async function countResourceChanges(reader: Reader, planId: string, filter: ChangeFilter): Promise<number> {
  if (selectsNothing(filter)) return 0;
  const row = await reader.sql
    .selectFrom("resource_change")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where((eb) => eb.and(conditions(eb, planId, filter)))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function selectsNothing({ actions, addresses }: ChangeFilter): boolean {
  return actions?.length === 0 || addresses?.length === 0;
}

function conditions(
  eb: ExpressionBuilder<Tables, "resource_change">,
  planId: string,
  { actions, addresses, module, type, search }: ChangeFilter,
): Expression<SqlBool>[] {
  return [
    eb("plan_id", "=", planId),
    ...(actions === null ? [] : [eb("action", "in", actions)]),
    ...(addresses === null ? [] : [eb("address", "=", sql<string>`any(${addresses})`)]),
    ...(module === null ? [] : [inModule(eb, module)]),
    ...(type === null ? [] : [eb("type", "=", type)]),
    ...(search === null ? [] : [sql<SqlBool>`strpos(lower(address), lower(${search})) > 0`]),
  ];
}

function inModule(eb: ExpressionBuilder<Tables, "resource_change">, module: string): Expression<SqlBool> {
  if (module === "") return eb("module", "is", null);
  const below = ["[", "."].map((next) => sql<SqlBool>`starts_with(module, ${module + next})`);
  return eb.or([eb("module", "=", module), ...below]);
}

async function readPlaces(reader: Reader, planId: string, places: { position: number }[]): Promise<PlacedChange[]> {
  if (places.length === 0) return [];
  const rows = await reader.sql
    .selectFrom("resource_change")
    .selectAll()
    .where("plan_id", "=", planId)
    .where(
      "position",
      "in",
      places.map(({ position }) => position),
    )
    .orderBy("position")
    .execute();
  return rows.map(toChange);
}

/** Rows of a part of `readChanges`, if these are not too large together. */
const ROWS_PER_READ = 500;

/** Reads all changes of a plan in order, in parts that fit into memory. */
export async function* readChanges(reader: Reader, planId: string): AsyncGenerator<PlacedChange[], void, undefined> {
  const request = { limit: ROWS_PER_READ, direction: "forward", before: null } as const;
  for (let after: number | null = null, hasMore = true; hasMore; ) {
    const page: Page<PlacedChange> = await listResourceChanges(reader, planId, EVERY_CHANGE, { ...request, after });
    if (page.items.length > 0) yield page.items;
    after = page.items.at(-1)?.position ?? after;
    hasMore = page.hasNextPage;
  }
}

/** Addresses of the first `limit` resources that each plan destroys. */
export async function listDestroyed(reader: Reader, planIds: readonly string[], limit: number): Promise<string[][]> {
  const rows = await reader.sql
    .selectFrom("plan")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("resource_change")
          .select(["resource_change.address", "resource_change.position"])
          .whereRef("resource_change.plan_id", "=", "plan.id")
          .where("resource_change.action", "=", "DELETE")
          .orderBy("resource_change.position")
          .limit(limit)
          .as("gone"),
      (join) => join.onTrue(),
    )
    .select(["plan.id", "gone.address"])
    .where("plan.id", "in", planIds)
    .orderBy("plan.id")
    .orderBy("gone.position")
    .execute();
  return grouped(planIds, rows, (row) => row.id).map((group) => group.map(({ address }) => address));
}

/** Returns the types of the resources that a plan changes, imports or forgets, by name. */
export async function listChangedTypes(reader: Reader, planId: string): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("resource_change")
    .select("type")
    .distinct()
    .where("plan_id", "=", planId)
    .where((eb) => eb.or([eb("action", "not in", ["READ", "NO_OP"]), eb("imported", "=", eb.lit(true))]))
    .orderBy("type")
    .execute();
  return rows.map(({ type }) => type);
}
