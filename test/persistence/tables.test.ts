import { readdir, readFile } from "node:fs/promises";
import { Client } from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "../support/database.ts";

interface Column {
  table: string;
  column: string;
  type: string;
}

/** Every `column: type` of the interface `Tables`, which nests one level deep. */
function declared(source: string): Column[] {
  const code = source.replace(/\/\*\*.*?\*\//gs, "");
  const body = code.slice(code.search(/^export interface \w*Tables\b/m));
  return [...body.matchAll(/^ {2}(\w+): \{([^}]*)\}/gm)].flatMap(([, table = "", columns = ""]) =>
    [...columns.matchAll(/(\w+): ([^;]+?)\s*(?:;|$)/g)].map(([, column = "", type = ""]) => ({ table, column, type })),
  );
}

/** What TypeScript sees of a column's type. */
const TYPES: Record<string, string> = {
  text: "string",
  xid8: "string",
  smallint: "number",
  integer: "number",
  bigint: "number",
  boolean: "boolean",
  bytea: "Buffer",
  ARRAY: "string[]",
  "timestamp with time zone": "Instant",
  jsonb: "JSON",
};

function simple(type: string): string {
  return type
    .replace(" | null", "")
    .replace(/^Generated<(.*)>$/, "$1")
    .replace(/^(JSONColumnType<.*>|RulesColumn<.*>|ColumnType<(Json|Record<.*>), .*>)$/, "JSON");
}

test("the rows that the stores read are the columns that the migrations made", async () => {
  const folder = new URL("../../src/persistence/database/", import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith("tables.ts"));
  const sources = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
  const columns = sources.flatMap(declared);
  await using database = await createTestDatabase();
  const client = new Client({ ...database.connection });
  await client.connect();
  const { rows } = await client.query<Record<string, string | null>>(`
    select table_name, column_name, data_type, is_nullable, column_default, is_identity
    from information_schema.columns where table_schema = 'public' and table_name not like 'kysely_%'`);
  await client.end();

  const actual = new Map(rows.map((row) => [`${row["table_name"]}.${row["column_name"]}`, row]));
  expect(columns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual([...actual.keys()].toSorted());
  for (const { table, column, type } of columns) {
    const row = actual.get(`${table}.${column}`);
    // A Json may be null itself.
    const nullable = type.endsWith("| null") || type.startsWith("ColumnType<Json,");
    const given = /^(Generated<|RulesColumn<|ColumnType<.*, string \| undefined,)/.test(type);
    expect({ table, column, type: simple(type), nullable, given: given || row?.["data_type"] === "ARRAY" }).toEqual({
      table,
      column,
      type: TYPES[row?.["data_type"] ?? ""],
      nullable: row?.["is_nullable"] === "YES",
      given: row?.["data_type"] === "ARRAY" || row?.["column_default"] !== null || row["is_identity"] === "YES",
    });
  }
});
