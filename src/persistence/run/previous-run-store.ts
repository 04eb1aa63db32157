import type { Run } from "../../model/run/run.ts";
import { RUN_STATUSES } from "../../model/lifecycle/run-status.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";

export type PreviousRun = Pick<Run, "id" | "status" | "message" | "revision" | "createdAt">;

/** Finds the last run of a workspace before another one, or at all, that has ended; `null` if there is none. */
export async function findPreviousRun(
  reader: Reader,
  workspaceId: string,
  before: number | null,
): Promise<PreviousRun | null> {
  const row = await reader.sql
    .selectFrom("run")
    .select(["id", "status", "message", "revision", "created_at"])
    .where("workspace_id", "=", workspaceId)
    .$if(before !== null, (q) => q.where("number", "<", before ?? 0))
    .where("finished_at", "is not", null)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, status, message, revision, created_at: createdAt } = row;
  return { id, status: word(RUN_STATUSES, status), message, revision, createdAt };
}
