/** Ephemeral workspaces: announced, destroyed, deleted when nothing is left, and told of if that fails. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { expireWorkspaces } from "../../../src/domain/schedule/expire-workspaces.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import type { InProcess } from "../../support/in-process.ts";
import { addMachine } from "../../support/machine.ts";
import { openScene, type Scene } from "../scene.ts";

const HOUR_MS = 3_600_000;

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true, webhooks: true });
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...other.reported.splice(0)]).toEqual([]));

const now = (): number => scene.server.deps.clock().getTime();
const inHours = (hours: number): string => new Date(now() + hours * HOUR_MS).toISOString();
/** Moves the clock on, and does what is due, on two servers at once. */
async function pass(hours: number): Promise<void> {
  scene.server.advance(hours * HOUR_MS);
  await Promise.all([expireWorkspaces(scene.server.deps), expireWorkspaces(other.deps)]);
  await changesetRound(scene.server.deps, new AbortController().signal);
}
async function read(id: string): Promise<Data> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { expiresAt expiryProblem runs { edges { node {
    id kind status trigger createdBy { id } cause { ... on ExpiryCause { expiresAt } } } } } } }`;
  return (await scene.api.ask(query, { id })).workspace;
}
const runsOf = async (id: string): Promise<Data[]> => (await read(id)).runs.edges.map(({ node }: Data) => node);
const update = (workspaceId: string, expiresAt: string | null, api = scene.api) =>
  scene.send("updateWorkspace", { workspaceId, expiresAt }, api);

/** A workspace whose state has one resource. */
async function full(input: object = {}): Promise<string> {
  const id = await scene.createWorkspace(input);
  await putState(id, 1, 1);
  return id;
}
async function putState(id: string, serial: number, count: number): Promise<void> {
  const instances = [{ schema_version: 0, attributes: { id: "1" } }];
  const resource = { mode: "managed", type: "terraform_data", name: "a", provider: 'provider["a"]', instances };
  const state = {
    version: 4,
    terraform_version: "1.9.0",
    serial,
    lineage: id,
    outputs: {},
    resources: count > 0 ? [resource] : [],
  };
  const sent = await fetch(`${scene.server.url}/workspaces/${id}/state`, {
    method: "POST",
    headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/json" },
    body: JSON.stringify(state),
  });
  expect(sent.ok, await sent.text()).toBe(true);
}

describe("an expiry", () => {
  it("is in the future; it is extended and removed, and an earlier one takes the right to delete", async () => {
    const id = await scene.createWorkspace({ expiresAt: inHours(10) });
    expect(await read(id)).toMatchObject({ expiresAt: inHours(10), expiryProblem: null });
    const wrong = { code: "INVALID_INPUT", issues: [{ path: ["expiresAt"] }] };
    expect(await update(id, inHours(-1))).toMatchObject(wrong);
    expect(await update(id, inHours(24 * 366 * 11))).toMatchObject(wrong);
    const writer = await addMachine(scene.server.url, scene.api, ["WRITER", id]);
    expect(await update(id, inHours(5), writer)).toMatchObject({ code: "FORBIDDEN" });
    expect((await update(id, inHours(20), writer)).workspace.id).toBe(id);
    expect((await read(id)).expiresAt).toBe(inHours(20));
    await update(id, null, writer);
    expect((await read(id)).expiresAt).toBeNull();
    expect(await update(id, inHours(20), writer)).toMatchObject({ code: "FORBIDDEN" });
    await pass(30);
    expect(await read(id)).not.toBeNull();
  });

  it("is announced a day and an hour before, on however many servers", async () => {
    const workspaceId = await full({ expiresAt: inHours(48) });
    const query = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) {
      ... on CreateWebhookSuccess { webhook { id } } } }`;
    const hook = { organizationId: DEFAULT_ORGANIZATION_ID, workspaceId, url: "https://example.com/" };
    const input = { ...hook, events: ["WORKSPACE_EXPIRING", "WORKSPACE_EXPIRY_FAILED"] };
    const { webhook } = (await scene.api.ask(query, { input })).createWebhook;
    const events = async () =>
      (await scene.rows("select event from webhook_delivery where webhook_id = $1 order by id", webhook.id)).map(
        (row) => row.event,
      );
    await pass(23);
    expect(await events()).toEqual([]);
    await pass(1);
    expect(await events()).toEqual(["workspace.expiring"]);
    await pass(23);
    expect(await events()).toEqual(["workspace.expiring", "workspace.expiring"]);
    expect(await runsOf(workspaceId)).toEqual([]);
    await update(workspaceId, null);
  });

  it("of an empty workspace deletes it", async () => {
    const id = await scene.createWorkspace({ expiresAt: inHours(0.5) });
    await pass(0.6);
    expect(await read(id)).toBeNull();
  });

  it("destroys what is there, by a run of the system; then the workspace is deleted", async () => {
    const expiresAt = inHours(0.5);
    const id = await full({ expiresAt });
    await pass(0.5);
    const runs = await runsOf(id);
    expect(runs).toMatchObject([
      { kind: "DESTROY", trigger: "SCHEDULE", createdBy: { id: SYSTEM_ACTOR_ID }, cause: { expiresAt } },
    ]);
    const [row] = await scene.rows("select requested_by from run where id = $1", runs[0]?.id);
    expect(row?.requested_by).toEqual(["usr_00000000000000000000000000"]);
    await pass(0.1);
    expect((await read(id)).expiryProblem).toContain("in use");
    expect(await runsOf(id)).toHaveLength(1);
    // The run ends, and nothing is left.
    await scene.quick("cancelRun", { runId: runs[0]?.id });
    await putState(id, 2, 0);
    await pass(0.1);
    expect(await read(id)).toBeNull();
  });

  it("is tried three times in a day; then it is told, and a new one begins anew", async () => {
    const id = await full({ expiresAt: inHours(0.5) });
    await pass(0.5);
    for (let count = 1; count <= 3; count++) {
      const runs = await runsOf(id);
      expect(runs).toHaveLength(count);
      await scene.quick("cancelRun", { runId: runs[0]?.id });
      await pass(1);
      if (count < 3) expect(await runsOf(id)).toHaveLength(count);
      await pass(7.1);
    }
    expect(await runsOf(id)).toHaveLength(3);
    expect((await read(id)).expiryProblem).toContain("3 tries");
    await pass(100);
    expect(await runsOf(id)).toHaveLength(3);
    await update(id, inHours(1));
    expect(await read(id)).toMatchObject({ expiryProblem: null });
    await pass(1);
    expect(await runsOf(id)).toHaveLength(4);
  });
});
