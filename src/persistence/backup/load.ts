import { sql } from "kysely";
import type { Cipher } from "../installation/cipher.ts";
import type { Database, Reader, Transaction } from "../database/database.ts";
import { masterKeyFits } from "../installation/installation-store.ts";
import { migrateWithin } from "../database/migrate.ts";
import { renewEpochs } from "../feed/restoration-store.ts";
import { BackupError, type BackupPart } from "./format.ts";
import { liftTimeouts, listMigrations, listTables, listWrittenColumns } from "./tables.ts";

/**
 * Puts the rows of a backup into a database that has seen the same migrations and holds no installation yet, and applies
 * those that came later. All of it happens in one transaction. Foreign keys are dropped for its duration and made again at
 * its end, which checks every row: rows come table by table, and no order of tables suits all keys. Triggers of our own
 * sleep meanwhile: they judge changes, and these are none.
 *
 * `cipher` null: there is no key that opens what was sealed; a new one is taken at the next start.
 *
 * @throws BackupError where the database or the key does not suit, or the backup turns out to be damaged.
 */
export function loadDatabase(
  database: Database,
  readParts: () => AsyncIterable<BackupPart>,
  cipher: Cipher | null,
): Promise<void> {
  return database.transaction(async (tx) => {
    await liftTimeouts(tx);
    await requireEmpty(tx);
    const tables = await listTables(tx);
    const foreignKeys = await dropForeignKeys(tx);
    for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx.sql);
    // The migrations have put first rows into some of them; the backup has its own.
    await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx.sql);
    await insertRows(tx, readParts(), new Map(tables.map(({ name, columns }) => [name, columns])));
    await continueSequences(tx);
    await settleKey(tx, cipher);
    for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx.sql);
    for (const { table, name, definition } of foreignKeys) {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx.sql);
    }
    // Cursors of clients are about events that this database may never have seen.
    await migrateWithin(tx.sql);
    await renewEpochs(tx);
  });
}

/** An installation begins when a server first starts on a database. */
async function requireEmpty(tx: Transaction): Promise<void> {
  await sql`lock table installation in access exclusive mode`.execute(tx.sql);
  const { rows } = await sql`select 1 from installation union all select 1 from workspace limit 1`.execute(tx.sql);
  if (rows.length === 0) return;
  throw new BackupError(
    "The database holds an installation already, and a restore replaces nothing. " +
      "Choose an empty HOLDPOINT_DATA_DIR, or an empty database in DATABASE_URL.",
  );
}

async function insertRows(
  tx: Transaction,
  parts: AsyncIterable<BackupPart>,
  shapes: ReadonlyMap<string, string[]>,
): Promise<void> {
  const written = await listWrittenColumns(tx);
  let table: string | null = null;
  for await (const part of parts) {
    if (part.type === "header") await requireMigrations(tx, part.header.migrations);
    if (part.type === "table") {
      const { name, columns } = part.table;
      if (shapes.get(name)?.join() !== columns.join())
        throw new BackupError(`The table ${name} of the backup has other columns than that of the database.`);
      table = name;
    }
    if (part.type === "rows") {
      if (table === null) throw new BackupError("The backup has rows without a table.");
      const columns = sql.join((written.get(table) ?? []).map((column) => sql.ref(column)));
      // Identity columns keep the numbers that they have.
      await sql`
        insert into ${sql.table(table)} (${columns}) overriding system value
        select ${columns} from (select (row::${sql.table(table)}).* from unnest(${part.rows}::text[]) as row) as found
      `.execute(tx.sql);
    }
  }
}

async function requireMigrations(reader: Reader, wanted: readonly string[]): Promise<void> {
  const seen = await listMigrations(reader);
  if (seen.join() === wanted.join()) return;
  throw new BackupError(
    `The database has seen the migrations up to ${seen.at(-1) ?? "none"}, the backup those up to ${wanted.at(-1)}.`,
  );
}

async function settleKey(tx: Transaction, cipher: Cipher | null): Promise<void> {
  if (cipher === null) await tx.sql.deleteFrom("installation").execute();
  else if ((await masterKeyFits(tx, cipher)) !== true) {
    throw new BackupError(
      "The master key does not fit the backup: set HOLDPOINT_MASTER_KEY to the one it was made with.",
    );
  }
}

async function dropForeignKeys(tx: Transaction): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_class r on r.oid = c.conrelid
     where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and c.conparentid = 0
     order by c.oid
  `.execute(tx.sql);
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx.sql);
  }
  return rows;
}

/** Moves the sequences behind the rows that were loaded. */
async function continueSequences(tx: Transaction): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    select r.relname as table, a.attname as column, s.oid::regclass::text as sequence
      from pg_class s
      join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
      join pg_class r on r.oid = d.refobjid
      join pg_attribute a on a.attrelid = r.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace
  `.execute(tx.sql);
  for (const { table, column, sequence } of rows) {
    const newest = sql`(select max(${sql.ref(column)}) from ${sql.table(table)})`;
    await sql`select setval(${sequence}, coalesce(${newest}, 1), ${newest} is not null)`.execute(tx.sql);
  }
}
