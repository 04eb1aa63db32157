/** The hooks that runs were created with. */
import type { Hook } from "../../model/workspace/hook.ts";
import type { Reader } from "../database/database.ts";
import { ofKeptRun } from "../database/deleted.ts";
import { inOrder } from "../database/group.ts";

export async function findRunHooks(reader: Reader, runIds: readonly string[]): Promise<Hook[][]> {
  const rows = await reader.sql
    .selectFrom("run")
    .select(["id", "hooks"])
    .where("id", "in", runIds)
    .where(ofKeptRun("run.id"))
    .execute();
  return inOrder(runIds, rows, (row) => row.id).map((row) => row?.hooks ?? []);
}

export async function getRunHooks(reader: Reader, runId: string): Promise<Hook[]> {
  const [hooks = []] = await findRunHooks(reader, [runId]);
  return hooks;
}
