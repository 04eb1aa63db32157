/** Rows are read from the bytes of messages, however these arrive, and all other messages come to `pg` as they were. */
import { sql } from "kysely";
import { Client, type PoolConfig } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AnswerReader } from "../../src/persistence/database/answer-reader.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { prepared, type Slot } from "../../src/persistence/database/prepared.ts";
import { type Outcome, RowQuery } from "../../src/persistence/database/row-query.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase();
});
afterAll(() => server[Symbol.asyncDispose]());

const LONG = "ä long text ".repeat(300);
const SHAPE = {
  columns: [
    { name: "id", parse: null },
    { name: "number", parse: Number },
    { name: "text", parse: null },
  ],
  nulls: { id: null, number: null, text: null },
};

function message(code: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, code, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function dataRow(...fields: (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(fields.length);
  const parts = fields.flatMap((field) => {
    const bytes = Buffer.from(field ?? "");
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : bytes.length);
    return [length, bytes];
  });
  return message("D", Buffer.concat([count, ...parts]));
}

const bindComplete = message("2", Buffer.alloc(0));
const complete = (tag: string): Buffer => message("C", Buffer.from(`${tag}\0`));
const notice = message("N", Buffer.from("a notice, not read here\0"));
const ready = message("Z", Buffer.from("I"));

const ROWS = [
  ["run_01jabcdefghjkmnpqrstvwxyz0", "7", "ascii"],
  ["", null, null],
  ["run_2", "-1", "grün, 日本, 👍"],
  ["run_3", "0", LONG],
] as const;
const READ = ROWS.map(([id, number, text]) => ({ id, number: number === null ? null : Number(number), text }));

/** Two statements with the rows, a notice among them, and a row that belongs to a query of `pg`. */
const ANSWER = Buffer.concat([
  bindComplete,
  ...ROWS.slice(0, 2).map((row) => dataRow(...row)),
  notice,
  ...ROWS.slice(2).map((row) => dataRow(...row)),
  complete("SELECT 4"),
  bindComplete,
  complete("SELECT 0"),
  ready,
  dataRow("of another query"),
  ready,
]);
const PASSED = Buffer.concat([notice, ready, dataRow("of another query"), ready]);

function readIn(pieces: readonly Buffer[]): { outcomes: readonly Outcome<unknown>[]; passed: Buffer } {
  const passed: Buffer[] = [];
  const reader = new AnswerReader((messages) => passed.push(Buffer.from(messages)));
  let outcomes: readonly Outcome<unknown>[] = [];
  const statement = { name: "s1", values: [], shape: SHAPE };
  const query = new RowQuery<unknown>([statement, statement], (settled) => (outcomes = settled));
  reader.begin(query);
  for (const piece of pieces) reader.read(piece);
  query.handleReadyForQuery();
  return { outcomes, passed: Buffer.concat(passed) };
}

const EXPECTED = [
  { type: "done", tag: "SELECT 4", rows: READ },
  { type: "done", tag: "SELECT 0", rows: [] },
];

test.each([1, 2, 3, 5, 7, 64, 1000, ANSWER.length])("an answer that arrives in pieces of %i bytes", (size) => {
  const count = Math.ceil(ANSWER.length / size);
  const pieces = Array.from({ length: count }, (_, index) => ANSWER.subarray(index * size, (index + 1) * size));
  const { outcomes, passed } = readIn(pieces);
  expect(outcomes).toEqual(EXPECTED);
  expect(passed).toEqual(PASSED);
});

test("an answer that is cut at each of its bytes", () => {
  for (let cut = 1; cut < ANSWER.length; cut++) {
    const { outcomes, passed } = readIn([ANSWER.subarray(0, cut), ANSWER.subarray(cut)]);
    expect(outcomes).toEqual(EXPECTED);
    expect(passed).toEqual(PASSED);
  }
});

test("after an error the rest comes to pg", () => {
  const passed: Buffer[] = [];
  const reader = new AnswerReader((messages) => passed.push(Buffer.from(messages)));
  reader.begin(new RowQuery([], () => undefined));
  const rest = [message("E", Buffer.from("S\0\0")), dataRow("x"), complete("SELECT 1"), ready];
  reader.read(Buffer.concat(rest));
  expect(passed).toEqual(rest);
});

interface Size {
  size: number;
}

test("rows of Postgres: texts of all lengths and languages, nulls, notices between them, and one larger than a socket takes", async () => {
  const notices: string[] = [];
  class NotingClient extends Client {
    constructor(...given: ConstructorParameters<typeof Client>) {
      super(...given);
      this.on("notice", ({ message: text = "" }) => notices.push(text));
    }
  }
  const connection: PoolConfig = { ...server.connection, max: 1, Client: NotingClient };
  const notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using database = openDatabase(connection, { notifier, onError: () => undefined });
  await sql`create function noted(n int) returns int language plpgsql as
    $$ begin raise notice 'row %', n; return n; end $$`.execute(database.sql);
  const texts = prepared<Size, { n: number; text: string; nothing: null; at: string }>(
    (_db, slot: Slot<Size>) => sql`select noted(n) as n, repeat('grün 👍', n * ${slot("size")}::int) as text,
      null as nothing, timestamptz '2026-11-26 07:00Z' as at from generate_series(0, 3) n`,
  );
  const row = (n: number, size: number) => ({
    n,
    text: "grün 👍".repeat(n * size),
    nothing: null,
    at: "2026-11-26T07:00:00.000Z",
  });
  // The last ones are prepared, and read from bytes.
  for (const size of [1, 1, 1, 100, 100_000]) {
    notices.length = 0;
    expect(await texts(database, { size })).toEqual([0, 1, 2, 3].map((n) => row(n, size)));
    expect(notices).toEqual(["row 0", "row 1", "row 2", "row 3"]);
  }
});
