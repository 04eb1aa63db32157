import { expectSharedRun } from "../support/server-pair.ts";
import { startHeldWork } from "../support/held-work.ts";
import { startNatsServer } from "../support/nats-server.ts";
import { test } from "vitest";

/** Two servers start, and an engine plans and applies. */
const LIMIT_MS = 180_000;

test("two servers see each other's events over NATS, and either serves any run", { timeout: LIMIT_MS }, async () => {
  await using work = await startHeldWork();
  await using nats = await startNatsServer();
  await expectSharedRun(work, { HOLDPOINT_NATS_URL: nats.url });
});
