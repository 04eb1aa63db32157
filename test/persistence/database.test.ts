import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { sql } from "kysely";
import { Client, type ClientConfig, type PoolConfig } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dumpDatabase } from "../../src/persistence/backup/dump.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../src/model/people/actor.ts";
import { putAdminToken } from "../../src/persistence/people/token-store.ts";
import { readAccessVersion } from "../../src/persistence/people/access-store.ts";
import { openDatabase, parseInstant, type Reader, RightsChanged } from "../../src/persistence/database/database.ts";
import {
  checkMasterKey,
  checkServerVersion,
  InstallationError,
} from "../../src/persistence/installation/installation-store.ts";
import { CHANNEL, createNotifier, type Notifier } from "../../src/persistence/database/notifier.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

const SILENT: Notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };

let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
  const at = new Date().toISOString();
  const token = { id: ADMIN_TOKEN_ID, actorId: ADMIN_ACTOR_ID, secretHash: randomBytes(32), at };
  await stores.database.transaction((tx) => putAdminToken(tx, token));
});

afterAll(() => stores[Symbol.asyncDispose]());

describe("instants", () => {
  const CASES = [
    ["2026-11-20 16:07:25+00", "2026-11-20T16:07:25.000Z"],
    ["2026-11-20 16:07:25.4+00", "2026-11-20T16:07:25.400Z"],
    ["2026-11-20 16:07:25.44+00", "2026-11-20T16:07:25.440Z"],
    ["2026-11-20 16:07:25.444+00", "2026-11-20T16:07:25.444Z"],
    ["2026-11-20 16:07:25.004+00", "2026-11-20T16:07:25.004Z"],
    ["0001-01-01 00:00:00+00", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31 23:59:59.999+00", "9999-12-31T23:59:59.999Z"],
  ] as const;

  test.each(CASES)("%s", (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  test.each(CASES)("Postgres writes %s so, and reads it back", async (text, instant) => {
    const { rows } = await sql<{ at: string; text: string }>`
      select ${instant}::timestamptz(3) as at, ${instant}::timestamptz(3)::text as text`.execute(stores.database.sql);
    expect(rows).toEqual([{ at: instant, text }]);
  });

  test("an instant of another zone is the same instant", async () => {
    const { rows } = await sql`select '2026-07-01T12:00:00+02:00'::timestamptz(3) as at`.execute(stores.database.sql);
    expect(rows).toEqual([{ at: "2026-07-01T10:00:00.000Z" }]);
  });
});

test("counts and serials are numbers", async () => {
  const { rows } = await sql`select count(*) as count, 1099511627776::bigint as big from actor`.execute(
    stores.database.sql,
  );
  expect(rows).toEqual([{ count: 2, big: 2 ** 40 }]);
});

describe("transactions", () => {
  test("a deadlock is tried again, and both get through", async () => {
    const [one, two] = [await stores.addWorkspace(), await stores.addWorkspace()];
    const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const through = Promise.withResolvers<void>();
    const tries = [0, 0];
    const both = [
      [one, two],
      [two, one],
    ].map((order, me) =>
      stores.database.transaction(async (tx) => {
        tries[me] = (tries[me] ?? 0) + 1;
        // Who was refused could take its first row again before the other is awake to take it: a second deadlock.
        if (tries[me] > 1) await through.promise;
        for (const [index, { id }] of order.entries()) {
          await tx.sql
            .updateTable("workspace")
            .set((eb) => ({ last_run_number: eb("last_run_number", "+", 1) }))
            .where("id", "=", id)
            .execute();
          if (index > 0) {
            through.resolve();
            continue;
          }
          met[me]?.resolve();
          await Promise.all(met.map(({ promise }) => promise));
        }
      }),
    );
    await Promise.all(both);
    expect(tries.toSorted((a, b) => a - b)).toEqual([1, 2]);
    const rows = await stores.database.sql
      .selectFrom("workspace")
      .select("last_run_number")
      .where("id", "in", [one.id, two.id])
      .execute();
    expect(rows).toEqual([{ last_run_number: 2 }, { last_run_number: 2 }]);
  });

  test("another error is not tried again", async () => {
    let tries = 0;
    const broken = stores.database.transaction(async (tx) => {
      tries++;
      await sql`select 1 / 0`.execute(tx.sql);
    });
    await expect(broken).rejects.toMatchObject({ code: "22012" });
    expect(tries).toBe(1);
  });

  test("the begin travels with the first statement, also where that fails, and where there is none", async () => {
    await using database = openDatabase(
      { ...stores.connection, max: 1 },
      { notifier: SILENT, onError: () => undefined },
    );
    const divide = (by: number) => (reader: Reader) => sql`select 1 / ${by}::int as is`.execute(reader.sql);
    // From the third time on the statement is prepared on the connection.
    for (let time = 0; time < 4; time++) await database.transaction(divide(1));
    await expect(database.transaction(divide(0))).rejects.toMatchObject({ code: "22012" });
    await database.transaction(() => Promise.resolve());
    // Each of them alone is committed: none is left open.
    const transactions = new Set<string>();
    for (let time = 0; time < 2; time++) {
      const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(database.sql);
      for (const { id } of rows) transactions.add(id);
    }
    expect(transactions.size).toBe(2);
    const { id } = await stores.addWorkspace();
    const number = (value: number) => sql`update workspace set last_run_number = ${value} where id = ${id}`;
    for (let time = 1; time <= 4; time++) await database.transaction((tx) => number(time).execute(tx.sql));
    const undone = database.transaction(async (tx) => {
      await number(9).execute(tx.sql);
      throw new Error("enough");
    });
    await expect(undone).rejects.toThrow("enough");
    // What cannot be sent takes no begin along: whoever goes on is in the transaction all the same.
    const asJson = (reader: Reader, value: unknown) => sql`select ${value}::jsonb as json`.execute(reader.sql);
    for (let time = 0; time < 3; time++) await asJson(database, {});
    const endless: Record<string, unknown> = {};
    endless["self"] = endless;
    const unsent = database.transaction(async (tx) => {
      await expect(asJson(tx, endless)).rejects.toThrow("circular");
      await number(9).execute(tx.sql);
      throw new Error("enough");
    });
    await expect(unsent).rejects.toThrow("enough");
    const row = stores.database.sql.selectFrom("workspace").select("last_run_number").where("id", "=", id);
    expect(await row.executeTakeFirst()).toEqual({ last_run_number: 4 });
  });

  test("nothing more is done in a transaction that has ended", async () => {
    let left: Stores["database"]["sql"] | undefined;
    await stores.database.transaction(async (tx) => {
      left = tx.sql;
      await sql`select 1`.execute(tx.sql);
    });
    await expect(sql`select 1`.execute(left ?? stores.database.sql)).rejects.toThrow("already returned");
  });

  test("an error that the work swallows is no commit", async () => {
    const { id } = await stores.addWorkspace();
    const work = stores.database.transaction(async (tx) => {
      await tx.sql.updateTable("workspace").set({ last_run_number: 7 }).where("id", "=", id).execute();
      await sql`select 1 / 0`.execute(tx.sql).catch(() => undefined);
    });
    await expect(work).rejects.toThrow("nothing was committed");
    const row = stores.database.sql.selectFrom("workspace").select("last_run_number").where("id", "=", id);
    expect(await row.executeTakeFirst()).toEqual({ last_run_number: 0 });
  });

  test("topics are told after the commit; of a transaction that failed, none", async () => {
    const told: string[][] = [];
    const notifier: Notifier = {
      send: (topics) => told.push([...topics]),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    await using database = openDatabase(stores.connection, { notifier, onError: () => undefined });
    await database.transaction(async (tx) => {
      tx.announce("work");
      tx.announce("run:1");
      tx.announce("work");
      expect(told).toEqual([]);
      await sql`select 1`.execute(tx.sql);
    });
    const broken = database.transaction(async (tx) => {
      tx.announce("run:2");
      await sql`select 1 / 0`.execute(tx.sql);
    });
    await expect(broken).rejects.toThrow();
    expect(told).toEqual([["work", "run:1"]]);
  });
});

describe("a transaction under rights", () => {
  const setNumber = (id: string, value: number) => (tx: Reader) =>
    tx.sql.updateTable("workspace").set({ last_run_number: value }).where("id", "=", id).execute();
  const numberOf = async (id: string) => {
    const row = stores.database.sql.selectFrom("workspace").select("last_run_number").where("id", "=", id);
    return (await row.executeTakeFirst())?.last_run_number;
  };
  const bump = (tx: Reader) => sql`update team_member set confirmed_at = confirmed_at`.execute(tx.sql);
  const rightsNow = async () => {
    const { version } = await readAccessVersion(stores.database);
    return { version, credentialId: ADMIN_TOKEN_ID };
  };

  // The first commit of a connection prepares the check, the others send it in one message with the commit.
  test.each([1, 2, 3])("commits while they are in force, and not after (%i)", async (time) => {
    const { id } = await stores.addWorkspace();
    const rights = await rightsNow();
    await stores.database.transaction(setNumber(id, time), rights);
    await bump(stores.database);
    await expect(stores.database.transaction(setNumber(id, 9), rights)).rejects.toThrow(RightsChanged);
    await expect(
      stores.database.transaction(setNumber(id, 9), { ...(await rightsNow()), credentialId: "token_none" }),
    ).rejects.toThrow(RightsChanged);
    expect(await numberOf(id)).toBe(time);
    await stores.database.transaction(setNumber(id, 10), null);
    expect(await numberOf(id)).toBe(10);
  });

  test("compares them with those from before its own changes, however many", async () => {
    const { id } = await stores.addWorkspace();
    const rights = await rightsNow();
    const change = async (tx: Reader) => {
      for (const _ of [1, 2, 3]) await bump(tx);
      await setNumber(id, 1)(tx);
    };
    await stores.database.transaction(change, rights);
    expect(await rightsNow()).toEqual({ ...rights, version: rights.version + 3 });
    await expect(stores.database.transaction(change, rights)).rejects.toThrow(RightsChanged);
    await expect(stores.database.transaction(change, { ...rights, version: rights.version + 2 })).rejects.toThrow(
      RightsChanged,
    );
    await stores.database.transaction(change, await rightsNow());
  });

  test("begins and commits nothing without a statement", async () => {
    await stores.database.transaction(async () => undefined, { version: 0, credentialId: "" });
  });

  test("does not take the error of a statement that the work swallowed for changed rights", async () => {
    const work = async (tx: Reader) => {
      await sql`select 1 / 0`.execute(tx.sql).catch(() => undefined);
    };
    for (const _ of [1, 2]) {
      await expect(stores.database.transaction(work, await rightsNow())).rejects.toThrow("transaction is aborted");
    }
  });
});

describe("the notifier", () => {
  /** Everything that is heard until a topic comes. */
  async function heardUntil(last: string, say: () => Promise<unknown>): Promise<string[]> {
    const listener = new Client({ ...stores.connection });
    await listener.connect();
    const heard: string[] = [];
    const done = Promise.withResolvers<void>();
    listener.on("notification", ({ channel, payload }) => {
      heard.push(`${channel} ${payload}`);
      if (payload === last) done.resolve();
    });
    await listener.query(`listen ${CHANNEL}`);
    await say();
    await done.promise;
    await listener.end();
    return heard;
  }

  test("listeners hear the topics of what was committed, and nothing of what was rolled back", async () => {
    const heard = await heardUntil("run:last", async () => {
      await stores.database.transaction(async (tx) => {
        tx.announce("run:first");
        tx.announce("log:first");
        await sql`select 1`.execute(tx.sql);
      });
      await stores.database
        .transaction(async (tx) => {
          tx.announce("run:never");
          await sql`select 1 / 0`.execute(tx.sql);
        })
        .catch(() => undefined);
      await stores.database.transaction((tx) => Promise.resolve(tx.announce("run:last")));
    });
    expect(heard.toSorted()).toEqual([`${CHANNEL} log:first`, `${CHANNEL} run:first`, `${CHANNEL} run:last`]);
  });

  test("what is sent before it is closed arrives, what is sent after is dropped", async () => {
    const errors: Error[] = [];
    const heard = await heardUntil("run:kept", async () => {
      const notifier = createNotifier(stores.connection, (error) => errors.push(error));
      notifier.send(["run:kept"]);
      await notifier[Symbol.asyncDispose]();
      notifier.send(["run:dropped"]);
    });
    expect(heard).toEqual([`${CHANNEL} run:kept`]);
    expect(errors).toEqual([]);
  });

  test("after its connection was cut it goes on with a new one", async () => {
    const cut = Promise.withResolvers<Error>();
    const connection = { ...stores.connection, application_name: "to be cut" };
    const notifier = createNotifier(connection, cut.resolve);
    await heardUntil("run:before", () => Promise.resolve(notifier.send(["run:before"])));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = ${connection.application_name}`.execute(
      stores.database.sql,
    );
    await cut.promise;
    await heardUntil("run:after", () => Promise.resolve(notifier.send(["run:after"])));
    await notifier[Symbol.asyncDispose]();
  });
});

describe("the installation", () => {
  test("a database takes the first master key, and no other after it", async () => {
    await using fresh = await openStores();
    const cipher = createCipher(randomBytes(32));
    await checkMasterKey(fresh.database, cipher);
    await checkMasterKey(fresh.database, cipher);
    const other = checkMasterKey(fresh.database, createCipher(randomBytes(32)));
    await expect(other).rejects.toThrow(InstallationError);
    await expect(other).rejects.toThrow("HOLDPOINT_MASTER_KEY");
    await checkMasterKey(fresh.database, cipher);
  });

  test("of two servers that start with different keys, one is refused", async () => {
    await using fresh = await openStores();
    const ciphers = Array.from({ length: 2 }, () => createCipher(randomBytes(32)));
    const checks = await Promise.allSettled(ciphers.map((cipher) => checkMasterKey(fresh.database, cipher)));
    expect(checks.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("this server is new enough", async () => {
    await expect(checkServerVersion(stores.database)).resolves.toBeUndefined();
  });
});

describe("statements that nobody waits for", () => {
  const silent: Notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  const connect = (more: PoolConfig = {}) =>
    openDatabase({ ...stores.connection, max: 1, ...more }, { notifier: silent, onError: () => undefined });

  test("a statement ends in Postgres when its client is gone", async () => {
    const clients: Client[] = [];
    class KeptClient extends Client {
      constructor(config?: ClientConfig) {
        super(config);
        clients.push(this);
      }
    }
    const application_name = "to be left";
    await using database = connect({ application_name, Client: KeptClient });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.sql);
    const left = sql`select pg_sleep(3600)`.execute(database.sql);
    const state = async () => {
      const found = await sql<{ state: string; query: string }>`select state, query from pg_stat_activity
        where pid = ${rows[0]?.pid} and application_name = ${application_name}`.execute(stores.database.sql);
      return found.rows[0];
    };
    await expect.poll(state).toMatchObject({ state: "active", query: "select pg_sleep(3600)" });
    // As by kill -9 of the server: no farewell is said.
    for (const { connection } of clients as unknown as { connection: { stream: Socket } }[])
      connection.stream.destroy();
    await expect(left).rejects.toThrow();
    await expect.poll(state).toBeUndefined();
  });

  test("a statement that takes too long is ended, and the connection is good for the next", async () => {
    await using database = connect();
    const setting = sql<{ value: string }>`select current_setting('statement_timeout') as value`;
    expect((await setting.execute(database.sql)).rows).toEqual([{ value: "30s" }]);
    await sql`set statement_timeout = 500`.execute(database.sql);
    await expect(sql`select pg_sleep(3600)`.execute(database.sql)).rejects.toMatchObject({ code: "57014" });
    expect((await setting.execute(database.sql)).rows).toEqual([{ value: "500ms" }]);
  });

  test("a Postgres that cannot look after its clients serves all the same", async () => {
    class RefusedClient extends Client {
      // oxlint-disable-next-line typescript/no-explicit-any -- one of many overloads
      override query(statement: any, ...rest: any[]): any {
        const refused = statement === "set client_connection_check_interval = 1000";
        return super.query.apply(this, [
          refused ? "set client_connection_check_interval = -1" : statement,
          ...rest,
        ] as never);
      }
    }
    await using database = connect({ Client: RefusedClient });
    const setting = sql`select current_setting('client_connection_check_interval') as value`;
    expect((await setting.execute(database.sql)).rows).toEqual([{ value: "0" }]);
    expect((await setting.execute(stores.database.sql)).rows).toEqual([{ value: "1s" }]);
  });
});

test("a backup is of one instant, whatever is written meanwhile", async () => {
  const rows: string[] = [];
  let added: string | null = null;
  for await (const part of dumpDatabase(stores.database, { createdAt: "2026-11-21T00:00:00Z", secrets: null })) {
    added ??= (await stores.addWorkspace("while-it-is-read")).id;
    if (part.type === "rows") rows.push(...part.rows);
  }
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((row) => row.includes("while-it-is-read") || row.includes(String(added)))).toEqual([]);
});

test("a connection that breaks while idle is reported, and another takes its place", async () => {
  const broken = Promise.withResolvers<Error>();
  const notifier: Notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using database = openDatabase({ ...stores.connection, max: 1 }, { notifier, onError: broken.resolve });
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.sql);
  const killer = new Client({ ...stores.connection });
  await killer.connect();
  await killer.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  const ended = once(killer, "end");
  await killer.end();
  await ended;
  expect(await broken.promise).toBeInstanceOf(Error);
  expect((await sql`select 1 as one`.execute(database.sql)).rows).toEqual([{ one: 1 }]);
});
