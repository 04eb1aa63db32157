/** Settings that are changed only if they are still those that were read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateOrganization } from "../../src/domain/organization/update-organization.ts";
import { updateWorkspace } from "../../src/domain/workspace/update-workspace.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { ADMIN } from "../support/line.ts";
import { overlapping } from "../support/overlapping.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const digestOf = async (id: string): Promise<string> => {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { settingsDigest } }`;
  return (await scene.api.ask(query, { id })).workspace.settingsDigest;
};
const organizationDigest = async (): Promise<string> =>
  (await scene.api.ask(`{ organization(slug: "default") { settingsDigest } }`)).organization.settingsDigest;

const UPDATE = `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) {
  __typename ... on UserError { code message } ... on InvalidInputError { issues { path } } ... on UpdateWorkspaceSuccess { workspace { settingsDigest } } } }`;
const update = async (workspaceId: string, changes: object) =>
  (await scene.api.ask(UPDATE, { input: { workspaceId, ...changes } })).updateWorkspace;
const UPDATE_ORGANIZATION = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) {
  __typename ... on UserError { code message } ... on InvalidInputError { issues { path } } ... on UpdateOrganizationSuccess { organization { settingsDigest } } } }`;
const updateOwner = async (changes: object) => {
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, ...changes };
  return (await scene.api.ask(UPDATE_ORGANIZATION, { input })).updateOrganization;
};

/** The refusal of a digest that is out of date. */
const STALE = { code: "INVALID_INPUT", details: { issues: [{ path: ["settingsDigest"] }] } };
const rule = (name: string) => ({ name, gate: "APPLY", minimum: 1 });
const window = (name: string) => ({ name, cron: "0 0 24 12 *", timeZone: "UTC", durationMinutes: 60 });
const PROBE = { name: "front", kind: "TCP", target: "shop.example.com:443", headers: [], use: "VERIFY" };

describe("the digest of the settings of a workspace", () => {
  it.each<[string, object]>([
    ["a name", { name: "renamed" }],
    ["a description", { description: "the shop" }],
    ["approval rules", { approvalRules: [rule("two")] }],
    ["freeze windows", { freezeWindows: [window("holidays")] }],
    ["limits", { limits: { planSeconds: 600 } }],
    ["hooks", { hooks: [{ stage: "BEFORE_PLAN", command: "true" }] }],
    ["labels", { labels: ["b", "a:1"] }],
    ["what is no drift", { drift: { ignore: [{ addressGlob: "a.b", attribute: "tags" }] } }],
    ["probes", { probes: [PROBE] }],
    ["verification", { verificationSettings: { windowSeconds: 900 } }],
    ["a pause", { paused: true }],
    ["an expiry", { expiresAt: `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}+00:00` }],
    ["a shape", { deployShape: "SERVER" }],
  ])("is another one with %s, and the answer has the one that is read afterwards", async (_words, changes) => {
    const id = await scene.createWorkspace();
    const before = await digestOf(id);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    const { workspace } = await update(id, { ...changes, settingsDigest: before });
    expect(workspace.settingsDigest).toBe(await digestOf(id));
    expect(workspace.settingsDigest).not.toBe(before);
    const again = await update(id, { ...changes, settingsDigest: before });
    expect(again).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["settingsDigest"] }] });
    expect(await digestOf(id)).toBe(workspace.settingsDigest);
  });

  it("stays with what is no setting, and with settings as they were", async () => {
    const id = await scene.createWorkspace();
    await update(id, { approvalRules: [rule("one")], labels: ["a"] });
    const before = await digestOf(id);
    await scene.send("setVariable", { workspaceId: id, key: "TF_LOG", value: "x", category: "ENVIRONMENT" });
    await scene.send("lockWorkspace", { workspaceId: id });
    await scene.send("unlockWorkspace", { workspaceId: id });
    await update(id, { approvalRules: [rule("one")], labels: ["a"] });
    expect(await digestOf(id)).toBe(before);
  });

  it("is not needed for a change, and says nothing to callers who may not change it", async () => {
    const id = await scene.createWorkspace();
    const before = await digestOf(id);
    for (const settingsDigest of [null, undefined]) {
      expect((await update(id, { labels: [], settingsDigest })).__typename).toBe("UpdateWorkspaceSuccess");
    }
    const reader = await scene.login("READER");
    const input = { workspaceId: id, labels: ["a"], settingsDigest: "another" };
    expect((await reader.ask(UPDATE, { input })).updateWorkspace).toMatchObject({ code: "FORBIDDEN" });
    expect(await digestOf(id)).toBe(before);
  });
});

describe("the digest of the settings of an organization", () => {
  it.each<[string, object]>([
    ["a name", { name: "Acme" }],
    ["a limit", { concurrencyLimit: 7 }],
    ["a limit of pushes", { maxRunsPerPush: 30 }],
    ["approval rules", { approvalRules: [rule("two")] }],
    ["freeze windows", { freezeWindows: [window("holidays")] }],
    ["limits", { limits: { planSeconds: 600 } }],
    ["retention", { retention: { logDays: 400 } }],
  ])("is another one with %s, and the answer has the one that is read afterwards", async (_words, changes) => {
    const before = await organizationDigest();
    const { organization } = await updateOwner({ ...changes, settingsDigest: before });
    expect(organization.settingsDigest).toBe(await organizationDigest());
    expect(organization.settingsDigest).not.toBe(before);
    expect(await updateOwner({ ...changes, settingsDigest: before })).toMatchObject({ code: "INVALID_INPUT" });
    expect(await organizationDigest()).toBe(organization.settingsDigest);
  });
});

describe("two people who save what they have read at the same time", () => {
  it("do not overwrite one another's rules of a workspace", async () => {
    const id = await scene.createWorkspace();
    const settingsDigest = await digestOf(id);
    const { deps } = scene.server;
    const save = (name: string, within = deps) =>
      updateWorkspace(within, ADMIN, { workspaceId: id, settingsDigest, freezeWindows: [window(name)] });
    const second = await overlapping(
      deps,
      (within) => save("first", within),
      () => save("second"),
    );
    expect(second).toMatchObject({ status: "rejected", reason: STALE });
  });

  it("do not overwrite one another's rules of an organization", async () => {
    const settingsDigest = await organizationDigest();
    const { deps } = scene.server;
    const organizationId = DEFAULT_ORGANIZATION_ID;
    const save = (name: string, within = deps) =>
      updateOrganization(within, ADMIN, { organizationId, settingsDigest, freezeWindows: [window(name)] });
    const second = await overlapping(
      deps,
      (within) => save("first", within),
      () => save("second"),
    );
    expect(second).toMatchObject({ status: "rejected", reason: STALE });
  });
});
