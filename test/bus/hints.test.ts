import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { createNotifier } from "../../src/persistence/database/notifier.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
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
