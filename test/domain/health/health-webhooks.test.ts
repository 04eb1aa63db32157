/** The webhook of a workspace whose health changed, as the listener gets it over HTTP. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { appliedWorkspace, healthSteps, RED } from "../../support/health-steps.ts";
import { isSigned, readWebhookDeliveries, sendWebhookCommand, startDeliverer } from "../../support/webhook-steps.ts";
import { startWebhookTarget, status } from "../../support/webhook-target.ts";
import { openScene, type Scene } from "../scene.ts";

const URL = "https://a.test/health";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true, webhooks: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

it("comes signed after its target is down, and once more where it was not taken", async () => {
  await using listener = await startWebhookTarget();
  await using deliverer = startDeliverer(scene.server);
  await using steps = healthSteps(scene);
  const probe = { name: "web", kind: "HTTP", use: "HEALTH", from: "SERVER", target: URL };
  const workspaceId = await appliedWorkspace(scene, [probe]);
  await steps.follow();
  const { webhook, secret } = await sendWebhookCommand(scene.api, "createWebhook", {
    organizationId: DEFAULT_ORGANIZATION_ID,
    workspaceId,
    url: `${listener.url}/hook`,
    events: ["WORKSPACE_HEALTH_CHANGED"],
  });
  await steps.start("a");
  await steps.pass(110);
  const first = await listener.next();
  expect(first.message.data).toMatchObject({ health: { from: "UNKNOWN", to: "HEALTHY" } });
  expect(await deliverer.next()).toBe("DELIVERED");

  listener.answer(status(503), status(200));
  steps.answers.set(URL, RED);
  await steps.pass(150);
  const refused = await listener.next();
  const taken = await listener.next();
  expect([await deliverer.next(), await deliverer.next()]).toEqual(["FAILED", "DELIVERED"]);
  for (const received of [refused, taken]) {
    expect(received.path).toBe("/hook");
    expect(isSigned(received, secret)).toBe(true);
    expect(isSigned({ ...received, body: received.body.replace("UNREACHABLE", "HEALTHY") }, secret)).toBe(false);
    expect(received.message).toMatchObject({
      type: "workspace.health.changed",
      data: {
        organization: { id: DEFAULT_ORGANIZATION_ID },
        workspace: { id: workspaceId },
        health: { from: "HEALTHY", to: "UNREACHABLE", reason: "The probe web: The connection was refused." },
      },
    });
  }
  expect(taken.body).toBe(refused.body);
  expect(taken.headers["webhook-id"]).toBe(refused.headers["webhook-id"]);
  const [delivery] = await readWebhookDeliveries(scene.api, webhook.id);
  expect(delivery).toMatchObject({ id: taken.headers["webhook-id"], payload: taken.body, state: "DELIVERED" });
  expect(listener.received).toHaveLength(3);
});
