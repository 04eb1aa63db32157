/** The changes that something else made since the last apply, as plans found them. */
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { DRIFT_ACTIONS, type ResourceDrift } from "../../model/plan/resource-drift.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { fitting, inParts } from "./sized-rows.ts";

/** A drift with its place in its plan, from 1, in the order of the engine. */
export type PlacedDrift = ResourceDrift & { position: number };

export async function insertResourceDrift(
  tx: Transaction,
  planId: string,
  drift: readonly ResourceDrift[],
): Promise<void> {
  const rows = drift.map(({ address, type, action, paths, relevant, sensitivePaths, ...values }, index) => {
    const [before, after] = [JSON.stringify(values.before), JSON.stringify(values.after)];
    const bytes = Buffer.byteLength(before) + Buffer.byteLength(after);
    const position = index + 1;
    const row = { address, type, action, paths, relevant, before, after, sensitive_paths: sensitivePaths, bytes };
    return { plan_id: planId, position, ...row };
  });
  for (const part of inParts(rows)) await tx.sql.insertInto("resource_drift").values(part).execute();
}

/** Positions count from 1. A page ends early where its objects would be too large together, but not before its first one. */
export async function listResourceDrift(
  reader: Reader,
  planId: string,
  page: PageRequest<number>,
): Promise<Page<PlacedDrift>> {
  const { after, before } = page;
  const places = await reader.sql
    .selectFrom("resource_drift")
    .select(["position", "bytes"])
    .where("plan_id", "=", planId)
    .$if(after !== null, (q) => q.where("position", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("position", "<", before ?? 0))
    .orderBy("position", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  const found = toPage({ ...page, limit: fitting(places.slice(0, page.limit)) }, places);
  const positions = found.items.map(({ position }) => position);
  return { ...found, items: await readPlaces(reader, planId, positions) };
}

async function readPlaces(reader: Reader, planId: string, positions: readonly number[]): Promise<PlacedDrift[]> {
  if (positions.length === 0) return [];
  const rows = await reader.sql
    .selectFrom("resource_drift")
    .selectAll()
    .where("plan_id", "=", planId)
    .where("position", "in", positions)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({
    position: row.position,
    address: row.address,
    type: row.type,
    action: word(DRIFT_ACTIONS, row.action),
    paths: row.paths,
    relevant: row.relevant,
    before: row.before,
    after: row.after,
    sensitivePaths: row.sensitive_paths,
  }));
}
