import { createServer } from "node:net";
import { Client, type ClientConfig } from "pg";
import { expect, it } from "vitest";
import { isConnectionLost } from "../../src/persistence/database/connection-lost.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { createTestDatabase } from "../support/database.ts";
import { sql } from "kysely";

const NO_NOTIFIER = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };

async function failureOf(config: ClientConfig): Promise<unknown> {
  const client = new Client(config);
  client.on("error", () => undefined);
  const error = await client.connect().then(
    () => null,
    (reason: unknown) => reason,
  );
  await client.end().catch(() => undefined);
  return error;
}

it("knows a database that nobody serves, or that hangs up", async () => {
  const rude = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await new Promise((resolve) => rude.once("listening", resolve));
  const address = rude.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  expect(isConnectionLost(await failureOf({ host: "127.0.0.1", port }))).toBe(true);
  await new Promise((resolve) => rude.close(resolve));
  expect(isConnectionLost(await failureOf({ host: "127.0.0.1", port }))).toBe(true);
  expect(isConnectionLost(await failureOf({ host: "/nowhere" }))).toBe(true);
});

it("knows neither bugs nor files that are missing", async () => {
  const missing = Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" });
  const canceled = Object.assign(new Error("canceling statement"), { code: "57014" });
  const all = [missing, canceled, new Error("x"), new AggregateError([]), new AggregateError([missing]), null, "57P01"];
  expect(all.filter(isConnectionLost)).toEqual([]);
  await using database = await createTestDatabase();
  expect(isConnectionLost(await failureOf({ ...database.connection, password: "wrong" }))).toBe(false);
});

it("a connection that breaks between two statements of a transaction is an error of its next one, not of the process", async () => {
  await using database = await createTestDatabase();
  await using opened = openDatabase(database.connection, { notifier: NO_NOTIFIER, onError: () => undefined });
  const killer = new Client({ ...database.connection });
  await killer.connect();
  let tries = 0;
  const work = opened.transaction(async (tx) => {
    tries += 1;
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.sql);
    await killer.query("select pg_terminate_backend($1, 10000)", [rows[0]?.pid]);
    await sql`select 1`.execute(tx.sql);
  });
  expect(
    await work.then(
      () => "committed",
      (error: unknown) => isConnectionLost(error),
    ),
  ).toBe(true);
  expect(tries, "whether it took effect may not be known: it is not tried again by itself").toBe(1);
  expect((await sql`select 1 as one`.execute(opened.sql)).rows).toEqual([{ one: 1 }]);
  await killer.end();
});
