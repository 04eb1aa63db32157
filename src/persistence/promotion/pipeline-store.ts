/** Pipelines of promotion. */
import type { Selectable } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { PromotionPipeline } from "../../model/promotion/promotion.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

function toPipeline(row: Selectable<Tables["promotion_pipeline"]>): PromotionPipeline {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    stages: row.stages,
    ownerId: row.owner_id,
    createdAt: row.created_at,
  };
}

function kept(reader: Reader) {
  return reader.sql.selectFrom("promotion_pipeline").selectAll().where("deleted_at", "is", null);
}

function settingsOf({ name, stages, ownerId }: PromotionPipeline) {
  return { name, stages: JSON.stringify(stages), owner_id: ownerId };
}

/** Inserts a pipeline. Throws a violation of `promotion_pipeline_name` for a name that is in use. */
export async function insertPipeline(tx: Transaction, pipeline: PromotionPipeline): Promise<void> {
  const { id, organizationId, createdAt } = pipeline;
  await tx.sql
    .insertInto("promotion_pipeline")
    .values({ id, organization_id: organizationId, created_at: createdAt, ...settingsOf(pipeline) })
    .execute();
}

/** Changes what a person may change of a pipeline. Throws as `insertPipeline` does. */
export async function updatePipelineRow(tx: Transaction, pipeline: PromotionPipeline): Promise<void> {
  await tx.sql.updateTable("promotion_pipeline").set(settingsOf(pipeline)).where("id", "=", pipeline.id).execute();
}

export async function markPipelineDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("promotion_pipeline").set({ deleted_at: at }).where("id", "=", id).execute();
}

/** Locks a pipeline, before changesets: promotions of one pipeline come one after the other. `null` if there is none. */
export async function lockPipeline(tx: Transaction, id: string): Promise<PromotionPipeline | null> {
  const row = await kept(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toPipeline(row);
}

export async function findPipelines(reader: Reader, ids: readonly string[]): Promise<(PromotionPipeline | null)[]> {
  const rows = await kept(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toPipeline), ({ id }) => id);
}

/** Lists all pipelines of an organization, of which there are few, in the order in which they are locked. */
export async function listAllPipelines(reader: Reader, organizationId: string): Promise<PromotionPipeline[]> {
  const rows = await kept(reader).where("organization_id", "=", organizationId).orderBy("id").execute();
  return rows.map(toPipeline);
}

/** Lists the pipelines of an organization, oldest first; positions are ids. */
export async function listPipelines(
  reader: Reader,
  organizationId: string,
  page: PageRequest<string>,
): Promise<Page<PromotionPipeline>> {
  const { after, before } = page;
  const rows = await kept(reader)
    .where("organization_id", "=", organizationId)
    .$if(after !== null, (q) => q.where("id", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("id", "<", before ?? ""))
    .orderBy("id", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toPipeline));
}

export async function countPipelines(reader: Reader, organizationId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("promotion_pipeline")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return row.count;
}
