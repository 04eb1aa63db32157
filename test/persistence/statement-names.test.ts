import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStatementNames, PLANNED_EACH_TIME } from "../../src/persistence/database/statement-names.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

describe("which statements have names", () => {
  const BOUNDS = { names: 3, met: 2 };
  const twice = (text: string, names = createStatementNames(BOUNDS)): (string | undefined)[] => [
    names.nameOf(text),
    names.nameOf(text),
    names.nameOf(text),
  ];

  test("one that is met again, the same for ever", () => {
    expect(twice("select $1")).toEqual([undefined, "s1", "s1"]);
  });

  test.each([
    ["one that is planned each time", `select $1 ${PLANNED_EACH_TIME}`],
    ["one with a list of items", `select from run where status in ($1, $2) limit $3`],
    ["one with rows of values", `insert into t values ($1, $2), ($3, $4)`],
  ])("not %s", (_what, text) => {
    expect(twice(text)).toEqual([undefined, undefined, undefined]);
  });

  test("no more than the bound, and what is met once does not count", () => {
    const names = createStatementNames(BOUNDS);
    for (let index = 0; index < 100; index++) names.nameOf(`select ${index}, $1`);
    const named = ["a", "b", "c", "d", "e"].map((text) => twice(text, names)[2]);
    expect(named).toEqual(["s1", "s2", "s3", undefined, undefined]);
  });

  test("another one once it is renewed", () => {
    const names = createStatementNames(BOUNDS);
    twice("select $1", names);
    names.renew("select $1");
    names.renew("select $2");
    expect([names.nameOf("select $1"), names.nameOf("select $2")]).toEqual(["s2", undefined]);
  });
});

describe("prepared statements", () => {
  let stores: Stores;
  beforeAll(async () => {
    stores = await openStores();
  });
  afterAll(() => stores[Symbol.asyncDispose]());

  const ask = async (reader: Pick<Stores["database"], "sql">) =>
    (await sql<object>`select * from growing where id = ${1}`.execute(reader.sql)).rows;
  const grow = (column: string) =>
    sql`alter table growing add ${sql.ref(column)} int not null default 7`.execute(stores.database.sql);

  test("are prepared once a connection, and answer when another server has added a column", async () => {
    await sql`create table growing (id int)`.execute(stores.database.sql);
    await sql`insert into growing values (1)`.execute(stores.database.sql);
    await ask(stores.database);
    const prepared = await stores.database.transaction(async (tx) => {
      await ask(tx);
      await ask(tx);
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_prepared_statements
        where statement like '%from growing%' and ${true}`.execute(tx.sql);
      return rows[0]?.count;
    });
    expect(prepared).toBe(1);

    await grow("second");
    expect(await ask(stores.database)).toEqual([{ id: 1, second: 7 }]);
    await ask(stores.database);
    await grow("third");
    let tries = 0;
    const answer = await stores.database.transaction((tx) => {
      tries++;
      return ask(tx);
    });
    expect(answer).toEqual([{ id: 1, second: 7, third: 7 }]);
    expect(tries).toBe(2);
  });
});
