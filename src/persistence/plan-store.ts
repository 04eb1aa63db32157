import type { Selectable } from "kysely";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { type Page, type PageRequest, toPage } from "../model/page.ts";
import {
  type Plan,
  type PlanContent,
  RESOURCE_ACTIONS,
  type ResourceAction,
  type ResourceChange,
} from "../model/plan.ts";
import { word } from "./closed-set.ts";
import type { Reader, Transaction } from "./database.ts";
import { grouped, inOrder } from "./group.ts";
import type { Tables } from "./tables.ts";

type Row = Omit<Selectable<Tables["plan"]>, "text_zstd" | "archive_blob_id">;

const COLUMNS = [
  "id",
  "run_id",
  "version",
  "digest",
  "engine_name",
  "engine_version",
  "has_changes",
  "complete",
  "additions",
  "changes",
  "destructions",
  "replacements",
  "imports",
  "moves",
  "forgets",
  "state_serial",
  "targets",
  "output_changes",
  "created_at",
] as const;

/** Rows of changes go in by this many: a statement has at most 65,535 parameters. */
const CHANGES_PER_INSERT = 1000;

function toPlan(row: Row): Plan {
  return {
    id: row.id,
    runId: row.run_id,
    version: row.version,
    engine: { name: row.engine_name, version: row.engine_version },
    digest: row.digest,
    hasChanges: row.has_changes,
    complete: row.complete,
    additions: row.additions,
    changes: row.changes,
    destructions: row.destructions,
    replacements: row.replacements,
    imports: row.imports,
    moves: row.moves,
    forgets: row.forgets,
    stateSerial: row.state_serial,
    targets: row.targets,
    outputChanges: row.output_changes,
    createdAt: row.created_at,
  };
}

export interface NewPlan {
  id: string;
  runId: string;
  version: number;
  targets: string[];
  archiveBlobId: string;
  createdAt: string;
  content: PlanContent;
}

export async function insertPlan(tx: Transaction, plan: NewPlan): Promise<Plan> {
  const { content } = plan;
  const row = await tx.sql
    .insertInto("plan")
    .values({
      id: plan.id,
      run_id: plan.runId,
      version: plan.version,
      digest: content.digest,
      engine_name: content.engine.name,
      engine_version: content.engine.version,
      has_changes: content.hasChanges,
      complete: content.complete,
      ...content.counts,
      state_serial: content.stateSerial,
      targets: plan.targets,
      output_changes: JSON.stringify(content.outputChanges),
      text_zstd: zstdCompressSync(content.text),
      archive_blob_id: plan.archiveBlobId,
      created_at: plan.createdAt,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await insertResourceChanges(tx, plan.id, content.resourceChanges);
  return toPlan(row);
}

async function insertResourceChanges(tx: Transaction, planId: string, changes: ResourceChange[]): Promise<void> {
  for (let start = 0; start < changes.length; start += CHANGES_PER_INSERT) {
    await tx.sql
      .insertInto("resource_change")
      .values(
        changes.slice(start, start + CHANGES_PER_INSERT).map((change, index) => ({
          plan_id: planId,
          position: start + index + 1,
          address: change.address,
          type: change.type,
          name: change.name,
          module: change.module,
          action: change.action,
          create_before_destroy: change.createBeforeDestroy,
          previous_address: change.previousAddress,
          imported: change.imported,
          before: JSON.stringify(change.before),
          after: JSON.stringify(change.after),
          sensitive_paths: change.sensitivePaths,
          unknown_paths: change.unknownPaths,
        })),
      )
      .execute();
  }
}

export async function findPlans(reader: Reader, ids: readonly string[]): Promise<(Plan | null)[]> {
  const rows = await reader.sql.selectFrom("plan").select(COLUMNS).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toPlan), (plan) => plan.id);
}

/** Oldest first. */
export async function listPlans(reader: Reader, runIds: readonly string[]): Promise<Plan[][]> {
  const rows = await reader.sql
    .selectFrom("plan")
    .select(COLUMNS)
    .where("run_id", "in", runIds)
    .orderBy("version")
    .execute();
  return grouped(runIds, rows.map(toPlan), (plan) => plan.runId);
}

export async function findNewestPlans(reader: Reader, runIds: readonly string[]): Promise<(Plan | null)[]> {
  const rows = await reader.sql
    .selectFrom("plan")
    .distinctOn("run_id")
    .select(COLUMNS)
    .where("run_id", "in", runIds)
    .orderBy("run_id")
    .orderBy("version", "desc")
    .execute();
  return inOrder(runIds, rows.map(toPlan), (plan) => plan.runId);
}

export async function findNewestPlan(reader: Reader, runId: string): Promise<Plan | null> {
  const [plan = null] = await findNewestPlans(reader, [runId]);
  return plan;
}

export async function findPlanTexts(reader: Reader, ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await reader.sql.selectFrom("plan").select(["id", "text_zstd"]).where("id", "in", ids).execute();
  return inOrder(ids, rows, (row) => row.id).map((row) =>
    row === null ? null : zstdDecompressSync(row.text_zstd).toString(),
  );
}

/** Where the archive of the newest plan of a run lies. */
export async function findArchiveBlob(reader: Reader, runId: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("plan")
    .select("archive_blob_id")
    .where("run_id", "=", runId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.archive_blob_id ?? null;
}

/** Destructions first, as the runner ordered them; positions count from 1. */
export async function listResourceChanges(
  reader: Reader,
  planId: string,
  actions: readonly ResourceAction[] | null,
  page: PageRequest<number>,
): Promise<Page<ResourceChange & { position: number }>> {
  const { after, before } = page;
  if (actions?.length === 0) return toPage(page, []);
  const rows = await reader.sql
    .selectFrom("resource_change")
    .selectAll()
    .where("plan_id", "=", planId)
    .$if(actions !== null, (q) => q.where("action", "in", actions ?? []))
    .$if(after !== null, (q) => q.where("position", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("position", "<", before ?? 0))
    .orderBy("position", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(
    page,
    rows.map((row) => ({
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
    })),
  );
}
