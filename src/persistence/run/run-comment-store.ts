import type { Selectable } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { RunComment } from "../../model/run/run-comment.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Placed } from "../../model/people/place.ts";
import type { Tables } from "../database/tables.ts";

function toComment(row: Selectable<Tables["run_comment"]>): RunComment {
  return { id: row.id, runId: row.run_id, actorId: row.actor_id, text: row.text, at: row.at };
}

export async function insertRunComment(tx: Transaction, { id, runId, actorId, text, at }: RunComment): Promise<void> {
  await tx.sql.insertInto("run_comment").values({ id, run_id: runId, actor_id: actorId, text, at }).execute();
}

export async function findRunComments(reader: Reader, ids: readonly string[]): Promise<(Placed<RunComment> | null)[]> {
  const rows = await reader.sql
    .selectFrom("run_comment")
    .innerJoin("run", "run.id", "run_comment.run_id")
    .selectAll("run_comment")
    .select(PLACE_OF_RUN)
    .where("run_comment.id", "in", ids)
    .where(inKeptWorkspace("run.workspace_id"))
    .execute();
  return placedInOrder(ids, rows, toComment);
}

/** Oldest first; positions are ids. */
export async function listRunComments(
  reader: Reader,
  runId: string,
  page: PageRequest<string>,
): Promise<Page<RunComment>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("run_comment")
    .selectAll()
    .where("run_id", "=", runId)
    .$if(after !== null, (q) => q.where("id", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("id", "<", before ?? ""))
    .orderBy("id", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toComment));
}
