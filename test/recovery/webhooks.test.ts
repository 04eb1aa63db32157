import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { createTestDatabase } from "../support/database.ts";
import { makeDataDir, removeDataDir, startServerProcess } from "../support/server-process.ts";
import { isSigned, readWebhookDeliveries, sendWebhookCommand } from "../support/webhook-steps.ts";
import { startWebhookTarget } from "../support/webhook-target.ts";
import { waitFor } from "../support/eventually.ts";

test("what a killed server was to deliver is delivered after its restart, and no log has the address", async () => {
  await using database = await createTestDatabase();
  const dataDir = await makeDataDir();
  // Keeps the port from other processes, and answers nothing.
  const silent = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const env = {
    DATABASE_URL: database.url,
    HOLDPOINT_WEBHOOK_ALLOW: `127.0.0.1:${port}`,
    HOLDPOINT_RUNNER_SLOTS: "0",
    HOLDPOINT_LOG_LEVEL: "trace",
  };
  const first = await startServerProcess({ dataDir, env });
  const url = `http://127.0.0.1:${port}/token-in-the-path`;
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, url, events: ["RUN_ENDED"] };
  const { webhook, secret } = await sendWebhookCommand(first.api, "createWebhook", input);
  const { delivery } = await sendWebhookCommand(first.api, "testWebhook", { webhookId: webhook.id });
  await waitFor(async () => {
    const [found] = await readWebhookDeliveries(first.api, webhook.id);
    expect(found?.["attempts"]).toMatchObject([{ statusCode: null, error: expect.any(String) }]);
  });
  await first.kill();
  await new Promise((resolve) => silent.close(resolve));
  await using target = await startWebhookTarget(port);
  const second = await startServerProcess({ dataDir, env });
  const received = await target.next();
  expect(received.headers["webhook-id"]).toBe(delivery.id);
  expect(isSigned(received, secret)).toBe(true);
  await second.stop();
  for (const output of [first.output(), second.output()]) {
    expect(output).not.toContain("token-in-the-path");
    expect(output).not.toContain(secret);
  }
  for (const server of [first, second]) await server[Symbol.asyncDispose]();
  await removeDataDir(dataDir);
});
