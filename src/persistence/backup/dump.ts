import { sql } from "kysely";
import type { Reader } from "../database/database.ts";
import type { BackupHeader, BackupPart } from "./format.ts";
import { liftTimeouts, listMigrations, listTables, type TableShape } from "./tables.ts";

/** Rows that are read at a time. Those with bytes may have a mebibyte each, twice as much as text. */
const ROWS = 100;
const ROWS_WITH_BYTES = 8;

/**
 * Reads everything in the database as of one instant, in one read-only transaction under REPEATABLE READ. It delays
 * VACUUM and no other statement.
 */
export async function* dumpDatabase(
  reader: Reader,
  facts: Omit<BackupHeader, "migrations">,
): AsyncGenerator<BackupPart> {
  const start = reader.sql.startTransaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  const tx = await start.execute();
  try {
    const snapshot: Reader = { sql: tx };
    await liftTimeouts(snapshot);
    yield { type: "header", header: { ...facts, migrations: await listMigrations(snapshot) } };
    for (const table of await listTables(snapshot)) yield* dumpTable(snapshot, table);
  } finally {
    // Nothing was written; and a reader that stopped early is no error.
    await tx.rollback().execute();
  }
}

async function* dumpTable(reader: Reader, table: TableShape): AsyncGenerator<BackupPart> {
  yield { type: "table", table };
  const count = table.columns.some((column) => column.endsWith(" bytea")) ? ROWS_WITH_BYTES : ROWS;
  await sql`declare backup no scroll cursor for select t::text as row from ${sql.table(table.name)} t`.execute(
    reader.sql,
  );
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(count)} from backup`.execute(reader.sql);
    if (rows.length === 0) break;
    yield { type: "rows", rows: rows.map(({ row }) => row) };
  }
  await sql`close backup`.execute(reader.sql);
}
