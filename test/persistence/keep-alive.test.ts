import { Socket } from "node:net";
import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { createHub } from "../../src/bus/hub.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { createNotifier } from "../../src/persistence/database/notifier.ts";
import { openWebhookQueue } from "../../src/persistence/webhook/webhook-queue.ts";
import { createTestDatabase } from "../support/database.ts";

afterEach(() => vi.restoreAllMocks());

const fail = (error: Error): never => {
  throw error;
};

test("every connection to Postgres is asked whether its other end is still there", async () => {
  const connected = vi.spyOn(Socket.prototype, "connect");
  const asked = vi.spyOn(Socket.prototype, "setKeepAlive");
  await using stack = new AsyncDisposableStack();
  const { connection } = stack.use(await createTestDatabase());
  const before = connected.mock.calls.length;
  const hub = createHub();
  const work = stack.use(hub.watch("work"));
  stack.use(await startHintListener(connection, hub, fail));
  const notifier = stack.use(createNotifier(connection, fail));
  const database = stack.use(openDatabase(connection, { notifier, onError: fail }));
  await sql`select 1`.execute(database.sql);
  notifier.send(["work"]);
  await work.changed(10_000);
  stack.use(await openWebhookQueue(connection, fail));
  const sockets = connected.mock.contexts.slice(before);
  // One each of the first three, and of the last one that asks for its schema and some of pg-boss.
  expect(sockets.length).toBeGreaterThanOrEqual(5);
  const steady = new Set(asked.mock.contexts.filter((_, index) => asked.mock.calls[index]?.join() === "true,10000"));
  expect(sockets.filter((socket) => !steady.has(socket))).toEqual([]);
});
