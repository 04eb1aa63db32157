import { sql } from "kysely";
import type { Reader } from "../database/database.ts";

/** kysely's own: the target has them from its own migrations. */
const MIGRATION_TABLES = ["kysely_migration", "kysely_migration_lock"];

/** A table with its columns, each with its type, in the order in which Postgres writes a row. */
export interface TableShape {
  name: string;
  columns: string[];
}

/** Every table of the installation, by name. */
export async function listTables(reader: Reader): Promise<TableShape[]> {
  const { rows } = await sql<TableShape>`
    select c.relname as name,
           array_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relname <> all (${MIGRATION_TABLES})
       -- One that is cut into parts is one table; its parts are none.
       and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname
     order by c.relname
  `.execute(reader.sql);
  return rows;
}

/** The columns of each table that are written; the others are generated from them. */
export async function listWrittenColumns(reader: Reader): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
     group by c.relname
  `.execute(reader.sql);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Names of the migrations that the database has seen, in order; empty where it has seen none. */
export async function listMigrations(reader: Reader): Promise<string[]> {
  const { rows: found } = await sql`select 1 where to_regclass('kysely_migration') is not null`.execute(reader.sql);
  if (found.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(reader.sql);
  return rows.map(({ name }) => name);
}

/** Lifts the timeouts of this transaction, which may be long: no request waits for it. */
export async function liftTimeouts(reader: Reader): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(reader.sql);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(reader.sql);
}
