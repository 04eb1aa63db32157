import type { Selectable } from "kysely";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ACTION_INVOCATIONS_SHOWN, type OutputValues, type Plan, type PlanContent } from "../../model/plan/plan.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Placed } from "../../model/people/place.ts";
import { grouped, inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import { insertResourceChanges } from "./resource-change-store.ts";
import { insertResourceDrift } from "./resource-drift-store.ts";
import type { Tables } from "../database/tables.ts";

type Row = Omit<Selectable<Tables["plan"]>, "text_zstd" | "output_values" | "instances_zstd" | "archive_blob_id">;

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
  "replace",
  "output_changes",
  "action_invocations",
  "action_invocation_count",
  "failed_check_count",
  "archive_expired_at",
  "created_at",
] as const;

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
    replace: row.replace,
    outputChanges: row.output_changes,
    actionInvocations: row.action_invocations,
    actionInvocationCount: row.action_invocation_count,
    failedCheckCount: row.failed_check_count,
    archiveExpiredAt: row.archive_expired_at,
    createdAt: row.created_at,
  };
}

export interface NewPlan {
  id: string;
  runId: string;
  version: number;
  targets: string[];
  replace: string[];
  archiveBlobId: string;
  createdAt: string;
  content: PlanContent;
}

export async function insertPlan(tx: Transaction, plan: NewPlan): Promise<Plan> {
  const { content } = plan;
  const invocations = content.actionInvocations ?? [];
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
      replace: plan.replace,
      output_changes: JSON.stringify(content.outputChanges),
      output_values: content.outputValues === undefined ? null : JSON.stringify(content.outputValues),
      action_invocations: JSON.stringify(invocations.slice(0, ACTION_INVOCATIONS_SHOWN)),
      action_invocation_count: invocations.length,
      failed_check_count: content.checks?.failedCount ?? 0,
      text_zstd: zstdCompressSync(content.text),
      instances_zstd: content.instances === undefined ? null : zstdCompressSync(content.instances.join("\n")),
      archive_blob_id: plan.archiveBlobId,
      created_at: plan.createdAt,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await insertResourceChanges(tx, plan.id, content.resourceChanges);
  await insertResourceDrift(tx, plan.id, content.drift ?? []);
  return toPlan(row);
}

export async function findPlans(reader: Reader, ids: readonly string[]): Promise<(Placed<Plan> | null)[]> {
  if (ids.length === 0) return [];
  const rows = await reader.sql
    .selectFrom("plan")
    .innerJoin("run", "run.id", "plan.run_id")
    .select(COLUMNS.map((column) => `plan.${column}` as const))
    .select(PLACE_OF_RUN)
    .where("plan.id", "in", ids)
    .where(inKeptWorkspace("run.workspace_id"))
    .execute();
  return placedInOrder(ids, rows, toPlan);
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

const newestPlansOfRuns = prepared((db, slot: Slot<{ runIds: readonly string[] }>) =>
  db
    .selectFrom("plan")
    .distinctOn("run_id")
    .select(COLUMNS)
    .where("run_id", "=", isAnyOf(slot("runIds")))
    .orderBy("run_id")
    .orderBy("version", "desc"),
);

export async function findNewestPlans(reader: Reader, runIds: readonly string[]): Promise<(Plan | null)[]> {
  const rows = await newestPlansOfRuns(reader, { runIds });
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

/** Finds the values of the outputs that each plan changes; `null` for a plan that was stored without them. */
export async function findOutputValues(reader: Reader, ids: readonly string[]): Promise<(OutputValues[] | null)[]> {
  const rows = await reader.sql.selectFrom("plan").select(["id", "output_values"]).where("id", "in", ids).execute();
  return inOrder(ids, rows, (row) => row.id).map((row) => row?.output_values ?? null);
}

/** The resource instances that any plan of a run knows; `null` unless one of the plans knows all of them. */
export async function findPlanInstances(reader: Reader, runId: string): Promise<Set<string> | null> {
  const rows = await reader.sql
    .selectFrom("plan")
    .select(["complete", "instances_zstd"])
    .where("run_id", "=", runId)
    .where("instances_zstd", "is not", null)
    .execute();
  if (!rows.some(({ complete }) => complete)) return null;
  const lists = rows.map((row) => zstdDecompressSync(row.instances_zstd ?? "").toString());
  return new Set(lists.flatMap((list) => list.split("\n")));
}

/** Where the archive of the newest plan of a run lies; null where there is none, or it is no longer kept. */
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

/** Finds the id of a plan by its run and version; `null` if there is none. */
export async function findPlanId(reader: Reader, runId: string, version: number): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("plan")
    .select("id")
    .where("run_id", "=", runId)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.id ?? null;
}
