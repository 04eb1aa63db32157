import { randomBytes } from "node:crypto";
import { CompiledQuery } from "kysely";
import { Client } from "pg";
import { PgBoss } from "pg-boss";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { openWebhookQueue, WebhookQueueError } from "../../src/persistence/webhook/webhook-queue.ts";
import { createTestDatabase } from "../support/database.ts";

const fail = (error: Error): never => {
  throw error;
};

test("servers that start at the same time make one schema, and find it the next time", async () => {
  await using database = await createTestDatabase();
  const open = () => openWebhookQueue(database.connection, fail);
  const queues = await Promise.all([open(), open(), open()]);
  queues.push(await open());
  await Promise.all(queues.map((queue) => queue[Symbol.asyncDispose]()));
});

test("it is made by way of a URL as well", async () => {
  await using database = await createTestDatabase();
  const queue = await openWebhookQueue({ connectionString: database.url }, fail);
  expect(await queue.take(1, 1)).toEqual([]);
  await queue[Symbol.asyncDispose]();
});

test("what a server had taken when it was killed goes to another one when its time is over", async () => {
  await using stack = new AsyncDisposableStack();
  const { connection } = stack.use(await createTestDatabase());
  const notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  const database = stack.use(openDatabase(connection, { notifier, onError: fail }));
  const run = (text: string) => database.sql.executeQuery(CompiledQuery.raw(text));
  const dead = stack.use(await openWebhookQueue(connection, fail));
  const next = stack.use(await openWebhookQueue(connection, fail));
  const supervisor = new PgBoss({ ...connection, schema: "holdpoint_jobs", supervise: false });
  stack.defer(() => supervisor.stop({ graceful: false }));
  await supervisor.start();
  const look = async () => {
    await run("update holdpoint_jobs.queue set monitor_on = null, monitor_claim_on = null");
    await supervisor.supervise("webhook");
    // What is tried again waits for a moment.
    await run("update holdpoint_jobs.job set start_after = now()");
    return next.take(5, 1);
  };
  await database.transaction((tx) =>
    dead.enqueue(tx, [{ deliveryId: "dlv_1", webhookId: "hook_1", turn: 1, afterMs: 0 }]),
  );
  expect(await dead.take(5, 1)).toMatchObject([{ deliveryId: "dlv_1", turn: 1 }]);
  expect(await look()).toEqual([]);
  await run("update holdpoint_jobs.job set started_on = now() - interval '61 seconds'");
  expect(await look()).toMatchObject([{ deliveryId: "dlv_1", turn: 1 }]);
});

test("a user who may not make the schema is told what to do, and can be helped", async () => {
  await using database = await createTestDatabase();
  const user = `limited_${randomBytes(4).toString("hex")}`;
  const admin = new Client({ ...database.connection });
  await admin.connect();
  await admin.query(`create role ${user} login password 'limited'`);
  try {
    const connection = { ...database.connection, user, password: "limited" };
    const refused = await openWebhookQueue(connection, fail).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WebhookQueueError);
    expect(String(refused)).toMatch(/permission denied for database .*create schema holdpoint_jobs authorization/);
    await admin.query(`create schema holdpoint_jobs authorization ${user}`);
    const queue = await openWebhookQueue(connection, fail);
    await queue[Symbol.asyncDispose]();
  } finally {
    await admin.query(`drop owned by ${user} cascade`);
    await admin.query(`drop role ${user}`);
    await admin.end();
  }
});
