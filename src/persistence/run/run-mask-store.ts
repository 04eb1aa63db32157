/** Values that the output of a run declared as sensitive. */
import type { Cipher } from "../installation/cipher.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";

function owner(runId: string): string {
  return `run/${runId}/mask`;
}

const masksOf = prepared((db, slot: Slot<{ runId: string }>) =>
  db
    .selectFrom("run_mask")
    .select(["run_mask.run_id", "value_sealed"])
    .innerJoin("run", (join) =>
      join.on((eb) =>
        eb.or([eb("run.id", "=", eb.ref("run_mask.run_id")), eb("plan_run_id", "=", eb.ref("run_mask.run_id"))]),
      ),
    )
    .where("run.id", "=", slot("runId")),
);

/** Lists the masks of a run, with those of the run whose plan it applies. */
export async function listRunMasks(reader: Reader, cipher: Cipher, runId: string): Promise<string[]> {
  const rows = await masksOf(reader, { runId });
  return rows.map((row) => cipher.open(row.value_sealed, owner(row.run_id)).toString());
}

/** How many a run has itself. */
export async function countRunMasks(reader: Reader, runId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("run_mask")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Serializes declarations of masks of one run. */
export async function lockRunMasks(tx: Transaction, runId: string): Promise<void> {
  await tx.sql.selectFrom("log_head").select("run_id").where("run_id", "=", runId).forUpdate().execute();
}

/** Inserts masks behind the `count` that are there. */
export async function insertRunMasks(
  tx: Transaction,
  cipher: Cipher,
  runId: string,
  masks: { values: readonly string[]; count: number; createdAt: string },
): Promise<void> {
  if (masks.values.length === 0) return;
  const rows = masks.values.map((value, index) => ({
    run_id: runId,
    position: masks.count + index + 1,
    value_sealed: cipher.seal(Buffer.from(value), owner(runId)),
    created_at: masks.createdAt,
  }));
  await tx.sql.insertInto("run_mask").values(rows).execute();
}
