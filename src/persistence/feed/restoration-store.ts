/** The epoch of the rows. It changes when a backup is restored: events after the backup may have been sent already. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../database/database.ts";
import { renewFeedEpochs } from "./feed-store.ts";

/** Part of the cursors of runs; empty where no backup was ever restored. */
export async function findEpoch(reader: Reader): Promise<string> {
  const row = await reader.sql.selectFrom("restoration").select("epoch").executeTakeFirst();
  return row?.epoch ?? "";
}

/**
 * Makes every cursor of before worthless: after the database was put back to an earlier state their positions are given
 * out a second time.
 */
export async function renewEpochs(tx: Transaction): Promise<void> {
  await renewFeedEpochs(tx);
  await sql`
    insert into restoration (epoch) values (left(replace(gen_random_uuid()::text, '-', ''), 6))
    on conflict (singleton) do update set epoch = excluded.epoch
  `.execute(tx.sql);
}
