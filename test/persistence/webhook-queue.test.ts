import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { expect, test } from "vitest";
import { openWebhookQueue, WebhookQueueError } from "../../src/persistence/webhook-queue.ts";
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
