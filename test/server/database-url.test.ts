/** Addresses of a Postgres behind a Unix socket, as libpq takes them, up to a connection. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { createNotifier } from "../../src/persistence/database/notifier.ts";
import { isReachable } from "../../src/persistence/installation/installation-store.ts";
import { openWebhookQueue } from "../../src/persistence/webhook/webhook-queue.ts";
import { parseConfig } from "../../src/server/config.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase[Symbol.asyncDispose]());

const FACTS = { cwd: "/", uid: undefined, packageRoot: "/", hostname: "here", isFolder: () => true };
const encode = encodeURIComponent;

test.each<[string, (database: TestDatabase["connection"]) => string]>([
  [
    "in host=",
    ({ host, port, user, password, database }) =>
      `postgresql://${encode(user)}:${encode(password)}@/${database}?host=${host}&port=${port}`,
  ],
  [
    "in host=, with the user there too",
    ({ host, port, user, password, database }) =>
      `postgresql:///${database}?host=${host}&port=${port}&user=${encode(user)}&password=${encode(password)}`,
  ],
  [
    "percent-encoded as the host",
    ({ host, port, user, password, database }) =>
      `postgres://${encode(user)}:${encode(password)}@${encode(host)}:${port}/${database}`,
  ],
])("a socket that is named %s", async (_where, write) => {
  const { databaseUrl } = parseConfig({ DATABASE_URL: write(testDatabase.connection) }, FACTS);
  const connection = { connectionString: databaseUrl ?? "" };
  const onError = (error: unknown): never => {
    throw error;
  };
  await using stack = new AsyncDisposableStack();
  const notifier = stack.use(createNotifier(connection, onError));
  const database = stack.use(openDatabase(connection, { notifier, onError }));
  expect(await isReachable(database)).toBe(true);
  stack.use(await openWebhookQueue(connection, onError));
});
