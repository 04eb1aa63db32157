/** Commands that were refused can be read where their objects are, by those who may see these. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN_TOKEN_ID, DEFAULT_ORGANIZATION_ID as ORGANIZATION } from "../../src/model/people/actor.ts";
import type { Api, Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let reader: Api & { actorId: string };
let writer: Api & { actorId: string };
beforeAll(async () => {
  scene = await openScene();
  reader = await scene.login("READER");
  writer = await scene.login("WRITER");
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const FIELDS = `rejectedCommands(first: $first, after: $after, last: $last, before: $before) { edges { cursor node {
  at actor { id } credentialId command subjectId subject { id } code message } } pageInfo { hasNextPage hasPreviousPage } }`;

/** A page of what was refused about a node, newest first. */
async function page(id: string, args: object = { first: 10 }, api: Api = scene.api): Promise<Data> {
  const query = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    node(id: $id) { ... on Run { ${FIELDS} } ... on Workspace { ${FIELDS} } ... on Organization { ${FIELDS} } } }`;
  return (await api.ask(query, { id, ...args })).node.rejectedCommands;
}
const rejected = async (id: string, api?: Api): Promise<Data[]> =>
  (await page(id, { first: 10 }, api)).edges.map(({ node }: Data) => node);
const names = (commands: readonly Data[]): string[] => commands.map(({ command }) => command);

it("are shown on the run, its workspace and its organization, with who was refused and why", async () => {
  const { runId, workspaceId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  const at = Date.now();
  const refused = await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 7 });
  await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, writer);
  await scene.send("lockWorkspace", { workspaceId }, reader);
  const [last, first] = await rejected(runId);
  expect(first).toEqual({
    at: expect.any(String),
    actor: { id: expect.any(String) },
    credentialId: ADMIN_TOKEN_ID,
    command: "approveRun",
    subjectId: runId,
    subject: { id: runId },
    code: "STALE_PLAN",
    message: refused.message,
  });
  expect(Date.parse(first?.at)).toBeGreaterThanOrEqual(at);
  expect(last).toMatchObject({ actor: { id: writer.actorId }, code: "FORBIDDEN" });
  const ofWorkspace = await rejected(workspaceId);
  expect(names(ofWorkspace)).toEqual(["lockWorkspace", "approveRun", "approveRun"]);
  expect(ofWorkspace[0]).toMatchObject({ subject: { id: workspaceId }, actor: { id: reader.actorId } });
  expect((await rejected(ORGANIZATION)).slice(0, 3)).toEqual(ofWorkspace);
  const other = await scene.createWorkspace();
  expect(await rejected(other)).toEqual([]);
});

it("are shown for a new run and for a deleted object", async () => {
  const workspaceId = await scene.createWorkspace();
  await scene.send("createRun", { workspaceId, kind: "APPLY" });
  await scene.send("deleteWorkspace", { workspaceId, force: false });
  await scene.send("lockWorkspace", { workspaceId });
  // The last command found no workspace, so that it belongs nowhere.
  const [created] = await rejected(ORGANIZATION);
  expect(created).toMatchObject({ command: "createRun", subjectId: workspaceId, subject: null, code: "INVALID_INPUT" });
});

it("are left out where the caller may not see the object", async () => {
  const workspaceId = await scene.createWorkspace();
  const { createWebhook } = await scene.api.ask(
    `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) {
      ... on CreateWebhookSuccess { webhook { id } } ... on UserError { message } } }`,
    { input: { organizationId: ORGANIZATION, workspaceId, url: "https://127.0.0.1/", events: ["RUN_ENDED"] } },
  );
  const { updateWebhook } = await scene.api.ask(
    `mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { ... on UserError { code } } }`,
    { input: { webhookId: createWebhook.webhook.id, url: "no address" } },
  );
  expect(updateWebhook).toEqual({ code: "INVALID_INPUT" });
  await scene.send("unlockWorkspace", { workspaceId }, reader);
  expect(names(await rejected(workspaceId))).toEqual(["unlockWorkspace", "updateWebhook"]);
  expect(names(await rejected(workspaceId, writer))).toEqual(["unlockWorkspace"]);
  expect(names(await rejected(ORGANIZATION, writer))).not.toContain("updateWebhook");
});

it("come in pages, in both directions", async () => {
  const { runId } = await scene.reach("READY");
  const versions = [1, 2, 3, 4, 5];
  for (const planVersion of versions) await scene.send("discardRun", { runId, planVersion, comment: `${planVersion}` });
  const all = (await page(runId)).edges;
  expect(all).toHaveLength(versions.length);
  const cursors: string[] = all.map(({ cursor }: Data) => cursor);
  const two = await page(runId, { first: 2, after: cursors[1] });
  expect(two.edges).toEqual(all.slice(2, 4));
  expect(two.pageInfo).toMatchObject({ hasNextPage: true });
  const back = await page(runId, { last: 2, before: cursors[3] });
  expect(back.edges).toEqual(all.slice(1, 3));
  expect(back.pageInfo).toMatchObject({ hasPreviousPage: true });
});
