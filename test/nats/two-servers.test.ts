import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitUntil } from "../support/eventually.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { startNatsServer } from "../support/nats-server.ts";
import { createRun, createWorkspace } from "../support/run-steps.ts";
import { expectSharedRun, startPair } from "../support/server-pair.ts";

/** Two servers start, and an engine plans and applies. */
const LIMIT_MS = 180_000;

let work: HeldWork;
beforeAll(async () => {
  work = await startHeldWork();
});
afterAll(() => work[Symbol.asyncDispose]());

describe("two servers with NATS", { timeout: LIMIT_MS }, () => {
  test("see each other's events, and either serves any run", async () => {
    await using nats = await startNatsServer();
    await expectSharedRun(work, { HOLDPOINT_NATS_URL: nats.url });
  });

  test("send hints over the database, where both listen, once NATS has stopped", async () => {
    await using nats = await startNatsServer();
    await using pair = await startPair(work, { HOLDPOINT_NATS_URL: nats.url });
    const received: (string | undefined)[] = [];
    await using stack = new AsyncDisposableStack();
    const client = new Client({ connectionString: pair.database.url });
    await client.connect();
    stack.defer(() => client.end());
    // Other files of this run have databases of their own on the same Postgres.
    const { rows } = await client.query(
      "select from pg_stat_activity where datname = current_database() and query = 'listen holdpoint'",
    );
    expect(rows).toHaveLength(2);
    client.on("notification", ({ payload }) => received.push(payload));
    await client.query("listen holdpoint");
    await nats.kill();
    await waitUntil(() =>
      [pair.first, pair.second].every((server) => server.output().includes("NATS cannot be reached")),
    );
    for (const [index, server] of [pair.first, pair.second].entries()) {
      const workspace = await createWorkspace(server.api, `alone-${index}`, await work.source(`alone-${index}`, ""));
      const run = await createRun(server.api, workspace);
      await waitUntil(() => received.includes(`run:${run}`));
    }
  });
});
