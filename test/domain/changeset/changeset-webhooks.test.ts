/** The message to webhooks of an organization that a changeset is applied. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import type { FakeJob } from "../../support/fake-runner.ts";
import { readWebhookDeliveries, sendWebhookCommand } from "../../support/webhook-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;

let scene: Scene;
let webhookId: string;
beforeAll(async () => {
  scene = await openScene();
  const hook = { organizationId, url: "https://example.com/", events: ["CHANGESET_APPLIED"] };
  webhookId = (await sendWebhookCommand(scene.api, "createWebhook", hook)).webhook.id;
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** A changeset over workspaces, with the run of each. */
async function create(workspaceIds: readonly string[]): Promise<{ id: string; runIds: string[] }> {
  const { createChangeset } = await scene.api.ask(
    "mutation ($input: CreateChangesetInput!) { createChangeset(input: $input) { ... on CreateChangesetSuccess { changeset { id } } } }",
    { input: { organizationId, title: "Raise the limits", workspaceIds } },
  );
  const { id } = createChangeset.changeset;
  await changesetRound(scene.server.deps, new AbortController().signal);
  const runIds: string[] = [];
  for (const workspaceId of workspaceIds) {
    const text = "select run_id from changeset_member where changeset_id = $1 and workspace_id = $2";
    runIds.push((await scene.rows(text, id, workspaceId))[0]?.["run_id"]);
  }
  return { id, runIds };
}

/** Brings a run to a runner that applies it. */
async function approved(runId: string): Promise<FakeJob> {
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.send("approveRun", { runId, gate, planVersion: 1 });
  return scene.claim(runId);
}

async function apply(runId: string, serial = 1): Promise<void> {
  await (await approved(runId)).apply(serial);
}

async function messagesOf(changesetId: string): Promise<Data[]> {
  const deliveries = await readWebhookDeliveries(scene.api, webhookId, "(first: 50)");
  const messages = deliveries.map(({ payload }) => JSON.parse(payload));
  return messages.filter(({ data }) => data.changeset.id === changesetId);
}

/** A workspace in a project below another one, which can be isolated. */
async function nestedWorkspace(): Promise<{ id: string; isolate: (isolated: boolean) => Promise<unknown> }> {
  const { newId } = scene.server.deps;
  const [outer, inner] = [newId("project"), newId("project")];
  await scene.rows(
    `insert into project (id, organization_id, parent_id, name, path, created_at)
      values ($1, $3, null, $1, array[$1], now()), ($2, $3, $1, $2, array[$1, $2], now())`,
    outer,
    inner,
    organizationId,
  );
  const isolate = (isolated: boolean) => scene.rows("update project set isolated = $2 where id = $1", outer, isolated);
  return { id: await scene.createWorkspace({ projectId: inner }), isolate };
}

it("comes once, when the last run that had changes is applied", async () => {
  const { id, runIds } = await create([await scene.createWorkspace(), await scene.createWorkspace()]);
  const [one = "", other = ""] = runIds;
  await apply(one);
  expect(await messagesOf(id)).toEqual([]);
  await (await scene.claim(other)).plan({ hasChanges: false });
  const { changeset } = await scene.api.ask(
    "query ($id: ID!) { changeset(id: $id) { appliedAt createdAt createdBy { id } } }",
    {
      id,
    },
  );
  expect(await messagesOf(id)).toMatchObject([
    {
      type: "changeset.applied",
      data: {
        organization: { id: organizationId },
        changeset: {
          id,
          source: "MANUAL",
          kind: "DEPLOY",
          title: "Raise the limits",
          commit: null,
          appliedAt: changeset.appliedAt,
          createdAt: changeset.createdAt,
          createdBy: { id: changeset.createdBy.id },
        },
        counts: { workspaces: 2, applied: 1, noChanges: 1, skipped: 0 },
      },
    },
  ]);
  // A run that is tried again is no second changeset.
  const retry = (await scene.send("retryRun", { runId: one })).run.id;
  await apply(retry, 2);
  const [row] = await scene.rows("select applied_at > announced_at as later from changeset where id = $1", id);
  expect(row["later"]).toBe(true);
  expect(await messagesOf(id)).toHaveLength(1);
});

it("does not come where there was nothing to apply, or not all was", async () => {
  const none = await create([await scene.createWorkspace()]);
  await (await scene.claim(none.runIds[0] ?? "")).plan({ hasChanges: false });
  const partly = await create([await scene.createWorkspace(), await scene.createWorkspace()]);
  const [one = "", other = ""] = partly.runIds;
  await apply(one);
  await scene.send("cancelRun", { runId: other });
  for (const { id } of [none, partly]) expect(await messagesOf(id)).toEqual([]);
});

it("is about the workspaces outside of isolated projects, and waits for no other", async () => {
  const apart = await nestedWorkspace();
  const both = await create([await scene.createWorkspace(), apart.id]);
  const [seen, hidden] = [await approved(both.runIds[0] ?? ""), await approved(both.runIds[1] ?? "")];
  await apart.isolate(true);
  await seen.apply(1);
  const messages = await messagesOf(both.id);
  expect(messages).toMatchObject([{ data: { counts: { workspaces: 1, applied: 1 } } }]);
  expect(messages[0].data.changeset.appliedAt).not.toBeNull();
  expect(JSON.stringify(messages)).not.toContain(apart.id);
  await hidden.apply(1);
  expect(await messagesOf(both.id)).toHaveLength(1);
});

it("does not come of a changeset that lies in isolated projects", async () => {
  const apart = await nestedWorkspace();
  const { id, runIds } = await create([apart.id]);
  const job = await approved(runIds[0] ?? "");
  await apart.isolate(true);
  await job.apply(1);
  const text = "select applied_at is null as open, announced_at from changeset where id = $1";
  expect(await scene.rows(text, id)).toEqual([{ open: false, announced_at: null }]);
  expect(await messagesOf(id)).toEqual([]);
});
