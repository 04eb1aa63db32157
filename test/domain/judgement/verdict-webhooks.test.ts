/** Messages to webhooks about what policies found: a run that they deny, and policies that could not be judged. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import { attach, judgeAll, planned, statusOf } from "../../support/judged-runs.ts";
import type { NewPolicy, NewPolicySet } from "../../support/judgement-rows.ts";
import { readWebhookDeliveries, sendWebhookCommand } from "../../support/webhook-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const BROKEN = { name: "broken", when: "resource.missing.attribute == 1" };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** Judges a new run of a new workspace; gives the messages about it. */
async function judged(policies: NewPolicy[], set: Partial<NewPolicySet> = {}) {
  const workspaceId = await scene.createWorkspace();
  const { setId } = await attach(scene, workspaceId, policies, set);
  const hook = { organizationId: DEFAULT_ORGANIZATION_ID, workspaceId, url: "https://example.com/" };
  const events = ["RUN_POLICY_DENIED", "POLICY_ERRORED"];
  const { webhook } = await sendWebhookCommand(scene.api, "createWebhook", { ...hook, events });
  const { runId } = await planned(scene, workspaceId);
  await judgeAll(scene);
  const deliveries = await readWebhookDeliveries(scene.api, webhook.id);
  const messages = deliveries.map(({ payload }): Data => JSON.parse(payload));
  const types = messages.map(({ type }): string => type).toSorted();
  return { workspaceId, setId, runId, messages, types, status: await statusOf(scene, runId) };
}

it("a denial is told with the findings that deny", async () => {
  const warning = { name: "warn", level: "ADVISORY" } as const;
  const { workspaceId, setId, runId, messages, status } = await judged([{ name: "deny" }, warning]);
  expect(status).toBe("REJECTED");
  const { createdBy } = await scene.run(runId, "createdBy");
  expect(messages).toEqual([
    {
      type: "run.policy.denied",
      timestamp: expect.any(String),
      data: {
        organization: expect.objectContaining({ id: DEFAULT_ORGANIZATION_ID }),
        workspace: expect.objectContaining({ id: workspaceId }),
        run: expect.objectContaining({
          id: runId,
          status: "REJECTED",
          createdBy: expect.objectContaining({ id: createdBy.id }),
        }),
        planVersion: 1,
        findingCount: 1,
        findings: [
          expect.objectContaining({
            owner: expect.objectContaining({ id: setId }),
            policy: "deny",
            level: "MANDATORY",
            status: "FAILED",
            message: "deny objects.",
          }),
        ],
      },
    },
  ]);
});

it("an error is told under any mode of errors, and none where all were judged", async () => {
  // One after the other: a round that runs at the same time may have leased the run, and is not done with it.
  const each = [
    await judged([BROKEN], { onError: "FAIL_OPEN" }),
    await judged([BROKEN], { onError: "ASK" }),
    await judged([BROKEN], { onError: "FAIL_CLOSED" }),
    await judged([{ name: "ask", level: "SOFT_MANDATORY" }]),
  ];
  expect(each.map(({ types }) => types)).toEqual([
    ["policy.errored"],
    ["policy.errored"],
    ["policy.errored", "run.policy.denied"],
    [],
  ]);
  for (const { runId, messages } of each) {
    const { data } = messages.find(({ type }) => type === "policy.errored") ?? {};
    if (data === undefined) continue;
    expect(data).toMatchObject({
      run: { id: runId },
      findingCount: 1,
      findings: [{ policy: "broken", status: "ERROR" }],
    });
  }
});
