import type { Reader, Transaction } from "./database.ts";
import { inOrder } from "./group.ts";

export interface RunnerRow {
  id: string;
  name: string;
}

/** Notes that a runner of that name was heard from; gives its id, `id` where it is new. */
export async function seeRunner(
  reader: Reader,
  runner: { id: string; name: string; version: string; at: string },
): Promise<string> {
  const row = await reader.sql
    .insertInto("runner")
    .values({ id: runner.id, name: runner.name, version: runner.version, last_seen_at: runner.at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ version: runner.version, last_seen_at: runner.at }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function touchRunner(tx: Transaction | Reader, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("runner").set({ last_seen_at: at }).where("id", "=", id).execute();
}

export async function findRunners(reader: Reader, ids: readonly string[]): Promise<(RunnerRow | null)[]> {
  const rows = await reader.sql.selectFrom("runner").select(["id", "name"]).where("id", "in", ids).execute();
  return inOrder(ids, rows, (row) => row.id);
}

/** When any runner was last heard from; null where none ever was. */
export async function runnersSeenAt(reader: Reader): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("runner")
    .select((eb) => eb.fn.max("last_seen_at").as("at"))
    .executeTakeFirst();
  return row?.at ?? null;
}
