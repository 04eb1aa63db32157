import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from "vitest";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { CHANNEL, createNotifier, PEER_AWAY } from "../../src/persistence/database/notifier.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { waitUntil } from "../support/eventually.ts";
import { describeHints, type HintsEnd, newEnd } from "./hint-cases.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

async function open(): Promise<HintsEnd> {
  const { end, listener } = newEnd();
  const onError = (error: Error): unknown => end.errors.push(error);
  const notifier = createNotifier(database.connection, onError);
  const hints = await startHintListener(database.connection, listener, onError);
  const close = async (): Promise<void> => {
    await notifier[Symbol.asyncDispose]();
    await hints[Symbol.asyncDispose]();
  };
  return Object.assign(end, { notifier, [Symbol.asyncDispose]: close });
}

async function cut(): Promise<void> {
  const client = new Client({ ...database.connection });
  await client.connect();
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await client.end();
}

describeHints("Postgres", open, cut);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("that another bus is away is heard, and is no topic", async () => {
  const { end, listener } = newEnd();
  let count = 0;
  const onError = (error: Error) => expect.unreachable(error.message);
  await using _ = await startHintListener(database.connection, listener, onError, () => (count += 1));
  const notifier = createNotifier(database.connection, onError);
  notifier.send([PEER_AWAY, "work"]);
  await waitUntil(() => count === 1 && end.received.includes("work"));
  await notifier[Symbol.asyncDispose]();
  expect(end.received).toEqual(["work"]);
});

it("what is no topic is no hint", async () => {
  const { end, listener } = newEnd();
  const onError = (error: Error) => expect.unreachable(error.message);
  await using _ = await startHintListener(database.connection, listener, onError);
  const client = new Client({ ...database.connection });
  await client.connect();
  for (const payload of ["", "nonsense", "run", "work"]) {
    await client.query("select pg_notify($1, $2)", [CHANNEL, payload]);
  }
  await client.end();
  await waitUntil(() => end.received.includes("work"));
  expect(end.received).toEqual(["work"]);
});

it("a start without a database fails", async () => {
  const { listener } = newEnd();
  const nowhere = { ...database.connection, database: "no_such_database" };
  await expect(startHintListener(nowhere, listener, () => undefined)).rejects.toThrow("no_such_database");
});

/** A listener that has lost its connection and gets no other: it waits for its next attempt, which is up to the test. */
async function lostListener(own: TestDatabase) {
  const { end, listener } = newEnd();
  const hints = await startHintListener(own.connection, listener, (error) => end.errors.push(error));
  const administration = new Client({ ...inject("postgres") });
  await administration.connect();
  const allow = (does: boolean) =>
    administration.query(`alter database ${own.connection.database} with allow_connections ${does}`);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await allow(false);
  await administration.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    own.connection.database,
  ]);
  // The loss, and the attempt that was refused.
  await waitUntil(() => end.errors.length >= 2 && vi.getTimerCount() === 1);
  return { end, hints, allow, close: () => administration.end() };
}

it("a connection that cannot be made again is tried again", async () => {
  await using own = await createTestDatabase();
  const { end, hints, allow, close } = await lostListener(own);
  // The reason that the server gave.
  expect(end.errors[0]?.message).toMatch(/terminating connection/);
  expect(end.errors[1]?.message).toMatch(/not currently accepting connections/);
  await allow(true);
  expect(end.received).toEqual([]);
  vi.advanceTimersByTime(1000);
  await waitUntil(() => end.received.includes("ALL"));
  await hints[Symbol.asyncDispose]();
  await close();
});

it("a listener that ends meanwhile does not wait for its next attempt", async () => {
  await using own = await createTestDatabase();
  const { hints, close } = await lostListener(own);
  await hints[Symbol.asyncDispose]();
  expect(vi.getTimerCount()).toBe(0);
  await close();
});

it("a connection is lost once, however many errors it has, also after the next one is there", async () => {
  const { end, listener } = newEnd();
  const connected = vi.spyOn(Client.prototype, "connect");
  await using _ = await startHintListener(database.connection, listener, (error) => end.errors.push(error));
  const first = connected.mock.contexts.find((one) => one instanceof Client);
  for (const text of ["one", "two"]) first?.emit("error", new Error(text));
  await waitUntil(() => end.received.includes("ALL"));
  first?.emit("error", new Error("three"));
  expect(end.errors.map(({ message }) => message)).toEqual(["one"]);
  expect(connected).toHaveBeenCalledTimes(2);
});
