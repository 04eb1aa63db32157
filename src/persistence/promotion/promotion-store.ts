/** The ways of changesets to stages: what soaks, what was promoted, and what they promote. */
import { type Selectable, sql } from "kysely";
import { RUN_OUTCOMES } from "../../model/lifecycle/run-kind.ts";
import type { OriginMember, Promotion } from "../../model/promotion/promotion.ts";
import type { WorkspaceSource } from "../../model/workspace/workspace.ts";
import { wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";
import { hasLabels } from "../workspace/label-store.ts";

function toPromotion(row: Selectable<Tables["promotion"]>): Promotion {
  return {
    originId: row.origin_id,
    pipelineId: row.pipeline_id,
    stage: row.stage,
    organizationId: row.organization_id,
    passedAt: row.passed_at,
    repositories: row.repositories,
    dueAt: row.due_at,
    changesetId: row.changeset_id,
    supersededById: row.superseded_by,
    problem: row.problem,
  };
}

/** A promotion by what identifies it. */
export type PromotionKey = Pick<Promotion, "originId" | "pipelineId" | "stage">;

export async function findPromotion(
  reader: Reader,
  { originId, pipelineId, stage }: PromotionKey,
): Promise<Promotion | null> {
  const row = await reader.sql
    .selectFrom("promotion")
    .selectAll()
    .where("origin_id", "=", originId)
    .where("pipeline_id", "=", pipelineId)
    .where("stage", "=", stage)
    .executeTakeFirst();
  return row === undefined ? null : toPromotion(row);
}

/** Inserts a promotion, or replaces the one of the same changeset to the same stage. */
export async function upsertPromotion(tx: Transaction, promotion: Promotion): Promise<void> {
  const { passedAt, repositories, dueAt, changesetId, supersededById, problem } = promotion;
  const facts = {
    passed_at: passedAt,
    repositories: [...repositories],
    due_at: dueAt,
    changeset_id: changesetId,
    superseded_by: supersededById,
    problem,
  };
  await tx.sql
    .insertInto("promotion")
    .values({
      origin_id: promotion.originId,
      pipeline_id: promotion.pipelineId,
      stage: promotion.stage,
      organization_id: promotion.organizationId,
      ...facts,
    })
    .onConflict((conflict) => conflict.columns(["origin_id", "pipeline_id", "stage"]).doUpdateSet(facts))
    .execute();
}

export async function deletePromotion(tx: Transaction, { originId, pipelineId, stage }: PromotionKey): Promise<void> {
  await tx.sql
    .deleteFrom("promotion")
    .where("origin_id", "=", originId)
    .where("pipeline_id", "=", pipelineId)
    .where("stage", "=", stage)
    .execute();
}

/** Lists promotions that are due, the longest overdue first. */
export async function listDuePromotions(reader: Reader, at: string, limit: number): Promise<PromotionKey[]> {
  const rows = await reader.sql
    .selectFrom("promotion")
    .select(["origin_id", "pipeline_id", "stage"])
    .where("due_at", "<=", at)
    .orderBy("due_at")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ originId: row.origin_id, pipelineId: row.pipeline_id, stage: row.stage }));
}

/**
 * Finds the newest promotion to a stage of a changeset that was applied after this one, of one of its repositories; `null`
 * if there is none. `isPromoted`: only those that the stage has got.
 */
export async function findNewerPromotion(
  reader: Reader,
  { originId, pipelineId, stage, passedAt, repositories }: Promotion,
  { isPromoted }: { isPromoted: boolean },
): Promise<Promotion | null> {
  const row = await reader.sql
    .selectFrom("promotion")
    .selectAll()
    .where("pipeline_id", "=", pipelineId)
    .where("stage", "=", stage)
    .where(sql<boolean>`(passed_at, origin_id) > (${passedAt}, ${originId})`)
    .where(sql<boolean>`repositories && ${[...repositories]}::text[]`)
    .$if(isPromoted, (q) => q.where("changeset_id", "is not", null))
    .orderBy("passed_at", "desc")
    .orderBy("origin_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toPromotion(row);
}

/** Ends the soaking of older changesets of the same repositories. */
export async function supersedeSoaking(
  tx: Transaction,
  { originId, pipelineId, stage, passedAt, repositories }: Promotion,
): Promise<void> {
  await tx.sql
    .updateTable("promotion")
    .set({ due_at: null, superseded_by: originId, problem: null })
    .where("pipeline_id", "=", pipelineId)
    .where("stage", "=", stage)
    .where("changeset_id", "is", null)
    .where("superseded_by", "is", null)
    .where(sql<boolean>`(passed_at, origin_id) < (${passedAt}, ${originId})`)
    .where(sql<boolean>`repositories && ${[...repositories]}::text[]`)
    .execute();
}

/** Lets those promotions of a pipeline be considered again that soak or have a problem; `null` ends them. */
export async function setPromotionsDue(tx: Transaction, pipelineId: string, at: string | null): Promise<void> {
  const open = tx.sql
    .updateTable("promotion")
    .where("pipeline_id", "=", pipelineId)
    .where("changeset_id", "is", null)
    .where("superseded_by", "is", null);
  await open.set(at === null ? { due_at: null, problem: "The pipeline was deleted." } : { due_at: at }).execute();
}

/** Lists the promotions of changesets to further stages. */
export async function listPromotionsOf(reader: Reader, originIds: readonly string[]): Promise<Promotion[][]> {
  const rows = await reader.sql
    .selectFrom("promotion")
    .selectAll()
    .where("origin_id", "in", originIds)
    .orderBy("pipeline_id")
    .orderBy("stage")
    .execute();
  return grouped(originIds, rows.map(toPromotion), ({ originId }) => originId);
}

/** Lists the ids of changesets that were applied, and not considered for the next stages yet; oldest first. */
export async function listPromotable(reader: Reader, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("changeset")
    .select("id")
    .where("promotable", "=", sql.lit(true))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Notes that a changeset was considered. Returns false if another server was first, or it is not applied any more. */
export async function takePromotable(tx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("changeset")
    .set({ promotable: false })
    .where("id", "=", id)
    .where("promotable", "=", sql.lit(true))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lists the ids of changesets that have passed, and whose workspaces all have a label; the newest first. */
export async function listPassed(
  reader: Reader,
  organizationId: string,
  label: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from changeset c
    where c.organization_id = ${organizationId} and c.passed_at is not null
      and not exists (
        select from changeset_member m join workspace w on w.id = m.workspace_id
        where m.changeset_id = c.id and w.deleted_at is null and not ${hasLabels("w", [label])})
    order by c.passed_at desc, c.id desc limit ${limit}`.execute(reader.sql);
  return rows.map(({ id }) => id);
}

/** Lists the workspaces of a changeset, with what its runs have applied. Deleted workspaces do not count. */
export async function listOriginMembers(reader: Reader, changesetId: string): Promise<OriginMember[]> {
  const { rows } = await sql<{
    workspace_id: string;
    labels: string[];
    source: WorkspaceSource;
    outcome: string | null;
    skipped: boolean;
    commit: string | null;
  }>`
    select w.id as workspace_id, w.labels, w.source, r.outcome, coalesce(r.status = 'SKIPPED', false) as skipped,
      case when r.inputs_digest is not null then r.revision end as commit
    from changeset_member m join workspace w on w.id = m.workspace_id left join run r on r.id = m.run_id
    where m.changeset_id = ${changesetId} and w.deleted_at is null order by w.id`.execute(reader.sql);
  return rows.map(({ workspace_id: workspaceId, labels, source, outcome, skipped: isSkipped, commit }) => {
    return { workspaceId, labels, source, outcome: wordOrNull(RUN_OUTCOMES, outcome), isSkipped, commit };
  });
}
