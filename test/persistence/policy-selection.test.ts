/** Selectors of policy sets, and the versions that judge a workspace. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { EVERYTHING } from "../../src/model/people/permission.ts";
import type { PolicySelector, PolicySet, PolicyVersionState } from "../../src/model/policy/policy-set.ts";
import type { Workspace } from "../../src/model/workspace/workspace.ts";
import {
  insertPolicySet,
  listPolicySetsOf,
  listSelectedWorkspaces,
  markPolicySetDeleted,
  updatePolicySetRow,
} from "../../src/persistence/policy/policy-set-store.ts";
import {
  insertPolicyVersion,
  listCurrentVersions,
  listVersionsInForce,
  setPolicyVersionState,
} from "../../src/persistence/policy/policy-version-store.ts";
import { EVERY_WORKSPACE, policySet, policyVersion } from "../support/policy-rows.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
let prod: Workspace;
let dev: Workspace;
let plain: Workspace;

beforeAll(async () => {
  stores = await openStores();
  prod = await labelled("web_prod", ["env:prod", "team:web"]);
  dev = await labelled("web-dev", ["env:dev"]);
  plain = await stores.addWorkspace("api");
});
afterAll(() => stores[Symbol.asyncDispose]());

async function labelled(name: string, labels: string[]): Promise<Workspace> {
  const workspace = await stores.addWorkspace(name);
  const { sql } = stores.database;
  await sql.updateTable("workspace").set({ labels }).where("id", "=", workspace.id).execute();
  return { ...workspace, labels };
}

async function addSet(set: Partial<PolicySet> = {}): Promise<PolicySet> {
  const { organizationId } = plain;
  const made = policySet({ id: stores.newId("policySet"), organizationId, createdAt: AT, ...set });
  await stores.database.transaction((tx) => insertPolicySet(tx, made));
  return made;
}

async function addVersion(setId: string, state: PolicyVersionState): Promise<string> {
  const id = stores.newId("policySetVersion");
  const version = policyVersion({ id, setId, createdById: SYSTEM_ACTOR_ID, createdAt: AT });
  await stores.database.transaction(async (tx) => {
    await insertPolicyVersion(tx, version);
    await setPolicyVersionState(tx, version, { state, at: AT, byId: SYSTEM_ACTOR_ID });
  });
  return id;
}

async function selected(selector: Partial<PolicySelector>): Promise<string[]> {
  const { organizationId } = plain;
  const page = { limit: 10, direction: "forward", after: null, before: null } as const;
  const given = { organizationId, selector: { ...EVERY_WORKSPACE, ...selector } };
  const { items } = await listSelectedWorkspaces(stores.database, EVERYTHING, given, page);
  return items.map(({ name }) => name).toSorted();
}

test.each<[string, Partial<PolicySelector>, string[]]>([
  ["nothing: all", {}, ["api", "web-dev", "web_prod"]],
  ["a label", { labels: ["env:prod"] }, ["web_prod"]],
  ["a key", { labels: ["env"] }, ["web-dev", "web_prod"]],
  ["labels of one key: alternatives", { labels: ["env:prod", "env:dev"] }, ["web-dev", "web_prod"]],
  ["labels of two keys: both", { labels: ["env:dev", "env:prod", "team:web"] }, ["web_prod"]],
  ["a label that no workspace has", { labels: ["env:prod", "team:none"] }, []],
  ["a glob", { names: ["web*"] }, ["web-dev", "web_prod"]],
  ["a glob of one character", { names: ["web?prod", "ap?"] }, ["api", "web_prod"]],
  ["_ stands for itself", { names: ["web_*"] }, ["web_prod"]],
  ["% stands for itself", { names: ["%"] }, []],
  ["a backslash stands for itself", { names: ["\\*"] }, []],
  ["a name in full, and not a part of it", { names: ["web"] }, []],
  ["a label and a name", { labels: ["env"], names: ["*dev"] }, ["web-dev"]],
])("%s", async (_name, selector, names) => {
  expect(await selected(selector)).toEqual(names);
});

test("ids select these alone, and exclusions win", async () => {
  expect(await selected({ workspaceIds: [prod.id, plain.id] })).toEqual(["api", "web_prod"]);
  expect(await selected({ workspaceIds: [prod.id], excludedWorkspaceIds: [prod.id] })).toEqual([]);
  expect(await selected({ excludedWorkspaceIds: [prod.id] })).toEqual(["api", "web-dev"]);
});

test("the active and the shadow version of each enabled set that selects a workspace and a kind are in force", async () => {
  const set = await addSet({ selector: { ...EVERY_WORKSPACE, labels: ["env:prod"], kinds: ["DEPLOY", "DESTROY"] } });
  await addVersion(set.id, "DRAFT");
  const retired = await addVersion(set.id, "ACTIVE");
  const active = await addVersion(set.id, "ACTIVE");
  const shadow = await addVersion(set.id, "SHADOW");
  const inForce = async (workspace: Workspace, kind: "DEPLOY" | "PLAN"): Promise<string[]> => {
    const found = await listVersionsInForce(stores.database, workspace.id, kind);
    return found.map((one) => `${one.versionId} ${one.shadow ? "shadow" : "active"} ${one.set.name}`);
  };
  expect(await inForce(prod, "DEPLOY")).toEqual([`${active} active ${set.name}`, `${shadow} shadow ${set.name}`]);
  expect(await inForce(prod, "PLAN")).toEqual([]);
  expect(await inForce(dev, "DEPLOY")).toEqual([]);
  const [found] = await listPolicySetsOf(stores.database, [prod.id]);
  expect(found?.map(({ id }) => id)).toEqual([set.id]);
  const [current = []] = await listCurrentVersions(stores.database, [set.id]);
  expect(Object.fromEntries(current.map(({ id, state, number }) => [id, `${state} ${number}`]))).toEqual({
    [active]: "ACTIVE 3",
    [shadow]: "SHADOW 4",
  });
  expect([active, shadow]).not.toContain(retired);

  await stores.database.transaction((tx) => updatePolicySetRow(tx, { ...set, enabled: false }));
  expect(await inForce(prod, "DEPLOY")).toEqual([]);
  expect((await listPolicySetsOf(stores.database, [prod.id])).flat()).toEqual([]);
  await stores.database.transaction((tx) => updatePolicySetRow(tx, set));
  await stores.database.transaction((tx) => markPolicySetDeleted(tx, set.id, AT));
  expect(await inForce(prod, "DEPLOY")).toEqual([]);
});

test("a set of another organization selects nothing here", async () => {
  await stores.database.sql
    .insertInto("organization")
    .values({ id: "org_other", slug: "other", name: "Other", created_at: AT })
    .execute();
  const set = await addSet({ organizationId: "org_other", name: "theirs" });
  await addVersion(set.id, "ACTIVE");
  expect(await listVersionsInForce(stores.database, plain.id, "DEPLOY")).toEqual([]);
});

test("the database keeps one active and one shadow version of a set, whatever a program does", async () => {
  const set = await addSet({ name: "one of each" });
  for (const state of ["ACTIVE", "SHADOW"] as const) {
    await addVersion(set.id, state);
    const other = await addVersion(set.id, "DRAFT");
    const { sql } = stores.database;
    const forced = sql.updateTable("policy_set_version").set({ state }).where("id", "=", other).execute();
    await expect(forced).rejects.toThrow(`policy_set_version_${state.toLowerCase()}`);
  }
});
