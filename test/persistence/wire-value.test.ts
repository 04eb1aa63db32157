import { afterAll, beforeAll, expect, test } from "vitest";
import { type RawBuilder, sql } from "kysely";
import { openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

/** The same statement three times: as it is met first, as it is prepared, and as it is executed from then on. */
async function thrice(query: RawBuilder<unknown>): Promise<unknown[]> {
  return stores.database.sql.connection().execute(async (connection) => {
    const answers: unknown[] = [];
    for (let time = 0; time < 3; time++) answers.push(...(await query.execute(connection)).rows);
    return answers;
  });
}

const TEXTS = ["", "plain", 'with "quotes"', "back\\slash", "{a,b}", "NULL", "ümläut ☃", "two\nlines"];

test.each([
  ["text", ...TEXTS],
  ["int", 0, -1, 2 ** 31 - 1, null],
  ["bigint", 2 ** 40, null],
  ["float8", 1.5, -0.25],
  ["boolean", true, false],
  ["text[]", [], TEXTS, [null, "a"]],
  ["int[]", [1, 2, null]],
  ["bytea", Buffer.from([0, 1, 255]), Buffer.alloc(0), null],
  ["bytea[]", [Buffer.from([0, 92, 34]), Buffer.from("x")]],
  ["timestamptz(3)", "2026-11-20T16:07:25.440Z", null],
] as const)("values of type %s go to Postgres and come back", async (type, ...values: unknown[]) => {
  for (const value of values) {
    const answer = { given: value };
    expect(await thrice(sql`select ${value}::${sql.raw(type)} as given`)).toEqual([answer, answer, answer]);
  }
});

test("objects are JSON, instants are in UTC, bytes may be a view", async () => {
  const object = { a: [1, "two", null], b: { c: "\"'" } };
  const at = new Date("2026-11-20T16:07:25.440Z");
  const bytes = new Uint8Array([1, 2, 3]).subarray(1);
  const query = sql`select ${object}::jsonb as object, ${at}::timestamptz(3) as at, ${bytes}::bytea as bytes,
    ${undefined}::text as nothing`;
  const answer = { object, at: at.toISOString(), bytes: Buffer.from([2, 3]), nothing: null };
  expect(await thrice(query)).toEqual([answer, answer, answer]);
});

test("of columns with one name the last one is shown, also where it is null", async () => {
  const answer = { given: null };
  expect(await thrice(sql`select ${1}::int as given, null::int as given`)).toEqual([answer, answer, answer]);
});

test("what a statement changes is counted", async () => {
  const { newId } = stores;
  const ids = [newId("user"), newId("user"), newId("user")];
  for (const id of ids) {
    const insert = stores.database.sql
      .insertInto("actor")
      .values({ id, kind: "USER", name: id, created_at: "2026-01-01T00:00:00Z" });
    expect((await insert.executeTakeFirst()).numInsertedOrUpdatedRows).toBe(1n);
  }
  for (const [index, id] of [...ids, newId("user")].entries()) {
    const update = stores.database.sql.updateTable("actor").set({ kind: "MACHINE" }).where("id", "=", id);
    expect((await update.executeTakeFirst()).numUpdatedRows).toBe(index < ids.length ? 1n : 0n);
  }
});

test("a statement that fails is an error of its caller, and works the next time", async () => {
  const answers = await stores.database.sql.connection().execute(async (connection) => {
    const outcomes: unknown[] = [];
    for (const divisor of [1, 1, 1, 0, 0, 1]) {
      const query = sql<{ quotient: number }>`select 1 / ${divisor}::int as quotient`.execute(connection);
      outcomes.push(await query.then(({ rows }) => rows[0]?.quotient).catch((error: unknown) => error));
    }
    return outcomes;
  });
  const zero = expect.objectContaining({ code: "22012", stack: expect.stringContaining("wire-value.test.ts") });
  expect(answers).toEqual([1, 1, 1, zero, zero, 1]);
});
