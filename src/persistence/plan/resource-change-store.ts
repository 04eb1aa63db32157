import type { Selectable } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { RESOURCE_ACTIONS, type ResourceAction, type ResourceChange } from "../../model/plan/plan.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { fitting, inParts } from "./sized-rows.ts";
import type { Tables } from "../database/tables.ts";

/** A change with its place in its plan, from 1: destructions first, as the runner ordered them. */
export type PlacedChange = ResourceChange & { position: number };

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
  };
}

function toChange(row: Selectable<Tables["resource_change"]>): PlacedChange {
  return {
    position: row.position,
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
  };
}

/**
 * Positions count from 1. A page ends early where its objects would be too large together, but not before its first
 * one: sizes are read before any object.
 */
export async function listResourceChanges(
  reader: Reader,
  planId: string,
  actions: readonly ResourceAction[] | null,
  page: PageRequest<number>,
): Promise<Page<PlacedChange>> {
  const { after, before } = page;
  if (actions?.length === 0) return toPage(page, []);
  const places = await reader.sql
    .selectFrom("resource_change")
    .select(["position", "bytes"])
    .where("plan_id", "=", planId)
    .$if(actions !== null, (q) => q.where("action", "in", actions ?? []))
    .$if(after !== null, (q) => q.where("position", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("position", "<", before ?? 0))
    .orderBy("position", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  const found = toPage({ ...page, limit: fitting(places.slice(0, page.limit)) }, places);
  return { ...found, items: await readPlaces(reader, planId, found.items) };
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
