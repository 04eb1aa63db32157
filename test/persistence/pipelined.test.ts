/** Statements of several requests travel in one message, and each has its own result or its own error. */
import { sql } from "kysely";
import { Client, type PoolConfig } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isConnectionLost } from "../../src/persistence/database/connection-lost.ts";
import { type Database, openDatabase } from "../../src/persistence/database/database.ts";
import { prepared, type Slot } from "../../src/persistence/database/prepared.ts";
import { RowQuery } from "../../src/persistence/database/row-query.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { waitersIn } from "../support/overlapping.ts";

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase();
});
afterAll(() => server[Symbol.asyncDispose]());

/** A database of one connection, and how many statements each message of prepared statements had. */
function open(more: PoolConfig = {}): { opened: Database; take: () => number[] } {
  let counts: number[] = [];
  class NotingClient extends Client {
    // oxlint-disable-next-line typescript/no-explicit-any -- it has many overloads, and all of them begin with this
    override query(...given: [statement: any, ...rest: any[]]): any {
      const [statement] = given;
      if (statement instanceof RowQuery) counts.push(statement.statements.length);
      return super.query(...given);
    }
  }
  const notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  const connection: PoolConfig = { ...server.connection, max: 1, Client: NotingClient, ...more };
  const opened = openDatabase(connection, { notifier, onError: () => undefined });
  const take = (): number[] => {
    const taken = counts;
    counts = [];
    return taken;
  };
  return { opened, take };
}

interface Divide {
  by: number;
}
const divide = () =>
  prepared<Divide, { is: number }>(
    (_db, slot: Slot<Divide>) => sql<{ is: number }>`select 12 / ${slot("by")}::int as is`,
  );
const double = () =>
  prepared<{ text: string }, { twice: string }>(
    (_db, slot: Slot<{ text: string }>) => sql<{ twice: string }>`select repeat(${slot("text")}::text, 2) as twice`,
  );

/** A statement has a name from the second time on, and a shape on its connection from the third. */
async function prepare(...asks: (() => Promise<unknown>)[]): Promise<void> {
  for (let time = 0; time < 3; time += 1) for (const ask of asks) await ask();
}

test("statements that are asked in one turn travel in one message, each with its own rows", async () => {
  const { opened, take } = open();
  await using database = opened;
  const [divided, doubled] = [divide(), double()];
  await prepare(
    () => divided(database, { by: 1 }),
    () => doubled(database, { text: "a" }),
  );
  take();
  const found = await Promise.all([
    divided(database, { by: 3 }),
    doubled(database, { text: "ab" }),
    divided(database, { by: 4 }),
  ]);
  expect(found).toEqual([[{ is: 4 }], [{ twice: "abab" }], [{ is: 3 }]]);
  expect(take()).toEqual([3]);
});

test("a message has at most eight statements", async () => {
  const { opened, take } = open();
  await using database = opened;
  const divided = divide();
  await prepare(() => divided(database, { by: 1 }));
  take();
  const found = await Promise.all(Array.from({ length: 20 }, (_value, index) => divided(database, { by: index + 1 })));
  expect(found.map(([row]) => row?.is)).toEqual(
    Array.from({ length: 20 }, (_value, index) => Math.floor(12 / (index + 1))),
  );
  expect(take()).toEqual([8, 8, 4]);
});

test("equal reads that wait together are executed once", async () => {
  const { opened, take } = open();
  await using database = opened;
  const [divided, doubled] = [divide(), double()];
  await prepare(
    () => divided(database, { by: 1 }),
    () => doubled(database, { text: "a" }),
  );
  take();
  const found = await Promise.all([
    divided(database, { by: 3 }),
    doubled(database, { text: "3" }),
    divided(database, { by: 3 }),
    divided(database, { by: 4 }),
    doubled(database, { text: "3" }),
  ]);
  expect(found).toEqual([[{ is: 4 }], [{ twice: "33" }], [{ is: 4 }], [{ is: 3 }], [{ twice: "33" }]]);
  expect(take()).toEqual([3]);
});

test("a read that is asked for while an equal one is under way sees what was written since", async () => {
  const { opened } = open({ max: 3 });
  await using database = opened;
  await sql`create table counted (n int)`.execute(database.sql);
  await sql`insert into counted values (1)`.execute(database.sql);
  await sql`create function wait_for(key int) returns boolean language plpgsql as $$ begin
    perform pg_advisory_lock_shared(key); perform pg_advisory_unlock_shared(key); return true; end $$`.execute(
    database.sql,
  );
  const count = prepared<{ key: number }, { n: number }>(
    (_db, slot: Slot<{ key: number }>) => sql<{ n: number }>`select n, wait_for(${slot("key")}::int) from counted`,
  );
  const [free, locked] = [91, 92];
  await prepare(() => count(database, { key: free }));
  const holder = new Client(server.connection);
  await holder.connect();
  await using _end = { [Symbol.asyncDispose]: () => holder.end() };
  await holder.query("select pg_advisory_lock($1)", [locked]);
  // Its snapshot is taken before it waits in Postgres.
  const first = count(database, { key: locked });
  while ((await waitersIn(database)) === 0);
  await holder.query("update counted set n = 2");
  const second = count(database, { key: locked });
  await holder.query("select pg_advisory_unlock($1)", [locked]);
  expect(await Promise.all([first, second])).toMatchObject([[{ n: 1 }], [{ n: 2 }]]);
});

test("a statement that fails has its own error; those behind it are executed by themselves", async () => {
  const { opened, take } = open();
  await using database = opened;
  const [divided, alike] = [divide(), divide()];
  await prepare(() => divided(database, { by: 1 }));
  take();
  const found = await Promise.allSettled([
    ...[1, 0, 2].map((by) => divided(database, { by })),
    ...[0, 3].map((by) => alike(database, { by })),
  ]);
  expect(found.map((one) => (one.status === "fulfilled" ? one.value[0]?.is : one.reason.message))).toEqual([
    12,
    "division by zero",
    6,
    "division by zero",
    4,
  ]);
  expect(take()).toEqual([5, 1, 1, 1]);
});

test("a statement that the connection has not prepared is executed beside the others", async () => {
  const { opened } = open();
  await using database = opened;
  const [divided, doubled] = [divide(), double()];
  await prepare(() => divided(database, { by: 1 }));
  expect(await Promise.all([doubled(database, { text: "c" }), divided(database, { by: 2 })])).toEqual([
    [{ twice: "cc" }],
    [{ is: 6 }],
  ]);
});

test("statements whose columns have changed are prepared anew", async () => {
  const { opened } = open();
  await using database = opened;
  await sql`create table changing (id int)`.execute(database.sql);
  await sql`insert into changing values (7)`.execute(database.sql);
  const all = prepared<Divide, { id: number }>(
    (_db, slot: Slot<Divide>) => sql<{ id: number }>`select * from changing where id > ${slot("by")}::int`,
  );
  await prepare(() => all(database, { by: 1 }));
  await sql`alter table changing add column more text default 'x'`.execute(database.sql);
  const found = await Promise.all([all(database, { by: 1 }), all(database, { by: 2 })]);
  expect(found).toEqual([[{ id: 7, more: "x" }], [{ id: 7, more: "x" }]]);
});

test("a lost connection is the error of all statements of its message, and the next read works", async () => {
  const { opened } = open();
  await using database = opened;
  const divided = divide();
  const end = prepared<{ pid: number }, { done: boolean }>(
    (_db, slot: Slot<{ pid: number }>) =>
      sql<{ done: boolean }>`select pg_terminate_backend(pg_backend_pid()) as done where ${slot("pid")}::int > 0`,
  );
  await prepare(
    () => divided(database, { by: 1 }),
    () => end(database, { pid: 0 }),
  );
  const found = await Promise.allSettled([
    divided(database, { by: 2 }),
    end(database, { pid: 1 }),
    divided(database, { by: 3 }),
  ]);
  expect(found[0]).toEqual({ status: "fulfilled", value: [{ is: 6 }] });
  for (const one of found.slice(1)) expect(one.status === "rejected" && isConnectionLost(one.reason)).toBe(true);
  expect(await divided(database, { by: 4 })).toEqual([{ is: 3 }]);
});

test("a read within a transaction stays on its connection", async () => {
  const { opened, take } = open();
  await using database = opened;
  const divided = divide();
  await prepare(() => divided(database, { by: 1 }));
  take();
  const found = await database.transaction((tx) => Promise.all([divided(tx, { by: 2 }), divided(tx, { by: 3 })]));
  expect(found).toEqual([[{ is: 6 }], [{ is: 4 }]]);
  expect(take()).toEqual([1, 1]);
});

test.each([
  ["an update", "update written set n = n + 1 where n >= $n$ returning n"],
  [
    "an update below a select",
    "with moved as (update written set n = n + 1 where n >= $n$ returning n) select n from moved",
  ],
  ["a select that locks", "select n from written where n >= $n$ for update"],
  ["a select that shares a lock", "select n from written where n >= $n$ for key share"],
  ["an advisory lock", "select pg_advisory_xact_lock($n$), 1 as n"],
])("%s shares no message, and what fails beside it does not undo it", async (_name, text) => {
  const { opened, take } = open();
  await using database = opened;
  await sql`create table if not exists written (n int)`.execute(database.sql);
  await sql`delete from written`.execute(database.sql);
  await sql`insert into written values (1)`.execute(database.sql);
  const [before = "", after = ""] = text.split("$n$");
  const write = prepared<{ n: number }, { n: number }>(
    (_db, slot: Slot<{ n: number }>) => sql<{ n: number }>`${sql.raw(before)}${slot("n")}::int${sql.raw(after)}`,
  );
  const divided = divide();
  await prepare(
    () => divided(database, { by: 1 }),
    () => write(database, { n: 0 }),
  );
  take();
  const found = await Promise.allSettled([
    write(database, { n: 0 }),
    divided(database, { by: 0 }),
    divided(database, { by: 1 }),
  ]);
  expect(found.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  // The write alone, then the two reads, of which the second is executed again.
  expect(take().toSorted((one, other) => one - other)).toEqual([1, 1, 2]);
  const { rows } = await sql<{ n: number }>`select n from written`.execute(database.sql);
  expect(rows).toEqual([{ n: text.includes("update written") ? 5 : 1 }]);
});
