/** The settings of policy sets, and the states of their versions. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { listVersionsInForce } from "../../../src/persistence/policy/policy-version-store.ts";
import type { Api, Data } from "../../support/api.ts";
import { addMachine } from "../../support/machine.ts";
import { createPolicySet, insertDraft, POLICY_SET, sendPolicy, setVersionState } from "../../support/policy-steps.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const create = (input: object = {}, api: Api = scene.api): Promise<Data> => createPolicySet(api, input);
const update = (input: object, api: Api = scene.api): Promise<Data> =>
  sendPolicy(api, "updatePolicySet", input, POLICY_SET);
const remove = (policySetId: string): Promise<Data> =>
  sendPolicy(scene.api, "deletePolicySet", { policySetId }, "deletedId");

async function list(api: Api = scene.api): Promise<string[]> {
  const query =
    "query ($id: ID!) { node(id: $id) { ... on Organization { policySets(first: 100) { edges { node { id } } } } } }";
  return (await api.ask(query, { id: organizationId })).node.policySets.edges.map(({ node }: Data) => node.id);
}

async function setsOf(workspaceId: string, api: Api = scene.api): Promise<string[]> {
  const query = "query ($id: ID!) { workspace(by: { id: $id }) { policySets { id } } }";
  return (await api.ask(query, { id: workspaceId })).workspace.policySets.map(({ id }: Data) => id);
}

async function workspacesOf(policySetId: string): Promise<string[]> {
  const query =
    "query ($id: ID!) { node(id: $id) { ... on PolicySet { workspaces(first: 100) { edges { node { id } } } } } }";
  return (await scene.api.ask(query, { id: policySetId })).node.workspaces.edges.map(({ node }: Data) => node.id);
}

it("a set has its settings, and is listed until it is deleted", async () => {
  const name = `storage-${randomUUID()}`;
  const { policySet, warnings } = await create({
    name,
    description: "Buckets",
    selector: { names: ["none-*"], kinds: ["DEPLOY"] },
    onError: "ASK",
    judgesUnchanged: true,
  });
  expect(policySet).toMatchObject({
    name,
    description: "Buckets",
    language: "CEL",
    dialect: "HOLDPOINT",
    onError: "ASK",
    judgesUnchanged: true,
    needsWholePlan: false,
    enabled: true,
    selector: { labels: [], names: ["none-*"], kinds: ["DEPLOY"], workspaceIds: [], excludedWorkspaceIds: [] },
    overriders: { approvers: [], teams: [], minimum: 1, excludeRequester: true, holds: "PLAN" },
    organization: { id: organizationId },
    activeVersion: null,
    shadowVersion: null,
  });
  expect(warnings).toEqual([expect.stringMatching(/selects no workspace/)]);
  expect(await list()).toContain(policySet.id);
  expect(await create({ name })).toMatchObject({ code: "NAME_TAKEN" });
  const other = (await create()).policySet.id;
  expect(await update({ policySetId: other, name })).toMatchObject({ code: "NAME_TAKEN" });
  expect((await remove(policySet.id)).deletedId).toBe(policySet.id);
  expect(await list()).not.toContain(policySet.id);
  expect(await update({ policySetId: policySet.id, name: "again" })).toMatchObject({ code: "NOT_FOUND" });
  expect((await create({ name })).policySet.id).not.toBe(policySet.id);
});

it("absent fields stay, and a selector is replaced as a whole", async () => {
  const workspaceId = await scene.createWorkspace({ labels: ["tier:gold"] });
  const { policySet } = await create({ description: "Why", selector: { labels: ["tier:gold"], kinds: ["DEPLOY"] } });
  const { id: policySetId } = policySet;
  const changed = await update({ policySetId, needsWholePlan: true, selector: { workspaceIds: [workspaceId] } });
  expect(changed.policySet).toMatchObject({
    name: policySet.name,
    description: "Why",
    needsWholePlan: true,
    selector: { labels: [], names: [], kinds: null, workspaceIds: [workspaceId], excludedWorkspaceIds: [] },
  });
  expect(changed.warnings).toEqual([]);
  expect((await update({ policySetId, description: null })).policySet.description).toBeNull();
  for (const field of ["name", "selector", "onError", "overriders", "enabled", "judgesUnchanged", "needsWholePlan"]) {
    const refused = await update({ policySetId, [field]: null });
    expect([field, refused.issues?.map(({ path }: Data) => path.join("."))]).toEqual([field, [field]]);
  }
});

it("shows for a workspace the enabled sets that select it, and for a set its workspaces", async () => {
  const label = `team:${randomUUID().slice(0, 8)}`;
  const mine = await scene.createWorkspace({ labels: [label] });
  const other = await scene.createWorkspace();
  const { id: policySetId } = (await create({ selector: { labels: [label] } })).policySet;
  expect(await workspacesOf(policySetId)).toEqual([mine]);
  expect(await setsOf(mine)).toContain(policySetId);
  expect(await setsOf(other)).not.toContain(policySetId);
  await update({ policySetId, enabled: false });
  expect(await setsOf(mine)).not.toContain(policySetId);
});

describe("bad input is refused by its field:", () => {
  const many = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n));
  const id = (n: number): string => `ws_${String(n).padStart(26, "0")}`;
  it.each<[string, object, string]>(
    walk(
      [
        ["no name", { name: " " }, "name"],
        ["a name of two lines", { name: "a\nb" }, "name"],
        ["a description without an end", { description: "x".repeat(LIMITS.textLength + 1) }, "description"],
        ["a label that none can have", { selector: { labels: ["env:prod", "_"] } }, "selector.labels.1"],
        ["too many labels", { selector: { labels: many(21, (n) => `k${n}`) } }, "selector.labels"],
        ["a name that no workspace has", { selector: { names: ["a b"] } }, "selector.names.0"],
        ["too many names", { selector: { names: many(21, (n) => `n${n}`) } }, "selector.names"],
        ["a kind that is not judged", { selector: { kinds: ["DEPLOY", "UNLOCK"] } }, "selector.kinds.1"],
        ["no kind", { selector: { kinds: [] } }, "selector.kinds"],
        ["10,000 ids", { selector: { workspaceIds: many(10_000, id) } }, "selector.workspaceIds"],
        [
          "10,000 excluded ids",
          { selector: { excludedWorkspaceIds: many(10_000, id) } },
          "selector.excludedWorkspaceIds",
        ],
        ["an id of no workspace", { selector: { workspaceIds: [id(1)] } }, "selector.workspaceIds.0"],
        ["an id of nothing", { selector: { excludedWorkspaceIds: ["x"] } }, "selector.excludedWorkspaceIds.0"],
        ["a dialect of another language", { dialect: "SPACELIFT" }, "dialect"],
        ["nobody who overrides", { overriders: { minimum: 0 } }, "overriders.minimum"],
        ["an overrider that is no person", { overriders: { approverIds: ["x"] } }, "overriders.approverIds.0"],
        [
          "an unknown overrider",
          { overriders: { approverIds: [`usr_${"1".repeat(26)}`] } },
          "overriders.approverIds.0",
        ],
        [
          "one overrider twice",
          { overriders: { approverIds: [ADMIN_ACTOR_ID, ADMIN_ACTOR_ID] } },
          "overriders.approverIds",
        ],
        ["too many overriders", { overriders: { teamIds: many(51, (n) => `t${n}`) } }, "overriders.teamIds"],
        ["an unknown team", { overriders: { teamIds: [`team_${"1".repeat(26)}`] } }, "overriders.teamIds.0"],
      ],
      8,
    ),
  )("%s", async (_name, input, path) => {
    const refused = await create(input);
    expect(refused.code).toBe("INVALID_INPUT");
    expect(refused.issues.map((issue: Data) => issue.path.join("."))).toEqual([path]);
  });

  it("one error for a workspace that is deleted, foreign or absent; one that was named before stays", async () => {
    const [organization] = await scene.rows(
      "insert into organization (id, slug, name, created_at) values ($1, $2, 'Other', now()) returning slug",
      `org_${"2".repeat(26)}`,
      `other-${randomUUID().slice(0, 8)}`,
    );
    const foreign = await scene.createWorkspace({ organization: organization?.["slug"] });
    const deleted = await scene.createWorkspace();
    const { id: policySetId } = (await create({ selector: { workspaceIds: [deleted] } })).policySet;
    await sendPolicy(scene.api, "deleteWorkspace", { workspaceId: deleted }, "deletedId");
    const messages = [foreign, deleted, id(7)].map(async (workspaceId) => {
      const { issues } = await create({ selector: { excludedWorkspaceIds: [workspaceId] } });
      return issues[0].message as string;
    });
    expect(new Set(await Promise.all(messages)).size).toBe(1);
    expect((await update({ policySetId, enabled: false })).policySet.enabled).toBe(false);
  });

  it("more sets than the limit", async () => {
    await scene.rows(
      `insert into policy_set (id, organization_id, name, language, dialect, selector, on_error, overriders, created_at)
        select 'pset_' || n, $1, 'many ' || n, 'CEL', 'HOLDPOINT', '{}', 'ASK', '{}', now() from generate_series(1, $2::int) n`,
      organizationId,
      LIMITS.policySetsPerOrganization,
    );
    expect((await create()).issues).toEqual([
      { path: ["organizationId"], message: expect.stringMatching(/is the limit/) },
    ]);
    await scene.rows("delete from policy_set where name like 'many %'");
  });
});

describe("rights", () => {
  it("changes take POLICY_WRITE in the organization: administrators of a workspace cannot take a set from it", async () => {
    const workspaceId = await scene.createWorkspace();
    const { id: policySetId } = (await create({ selector: { workspaceIds: [workspaceId] } })).policySet;
    const writer = await scene.login("APPROVER");
    const refused = await update({ policySetId, enabled: false }, writer);
    expect(refused).toMatchObject({ code: "FORBIDDEN", permission: "POLICY_WRITE" });
    expect(await list(writer)).toContain(policySetId);
    expect(await setsOf(workspaceId, writer)).toContain(policySetId);

    const local = await addMachine(scene.server.url, scene.api, ["ADMIN", workspaceId]);
    expect(await update({ policySetId, enabled: false }, local)).toMatchObject({ code: "NOT_FOUND" });
    expect(await setsOf(workspaceId, local)).toEqual([]);
    expect(await setsOf(workspaceId)).toContain(policySetId);
  });
});

describe("states of versions", () => {
  const stateOf = async (policySetId: string): Promise<Record<string, string>> => {
    const query =
      "query ($id: ID!) { node(id: $id) { ... on PolicySet { versions(first: 20) { edges { node { number state } } } } } }";
    const { edges } = (await scene.api.ask(query, { id: policySetId })).node.versions;
    return Object.fromEntries(edges.map(({ node }: Data) => [node.number, node.state]));
  };

  it("one is active and one a shadow; the former ones are retired, and can come back", async () => {
    const workspaceId = await scene.createWorkspace();
    const { id } = (await create({ selector: { workspaceIds: [workspaceId] } })).policySet;
    const [one, two, three] = [
      await insertDraft(scene, id),
      await insertDraft(scene, id),
      await insertDraft(scene, id),
    ];
    expect(await stateOf(id)).toEqual({ 1: "DRAFT", 2: "DRAFT", 3: "DRAFT" });
    const { version } = await setVersionState(scene.api, one, "ACTIVE");
    expect(version).toMatchObject({ state: "ACTIVE", activatedBy: { id: ADMIN_ACTOR_ID }, policySet: { id } });
    await setVersionState(scene.api, two, "SHADOW");
    expect(await stateOf(id)).toEqual({ 1: "ACTIVE", 2: "SHADOW", 3: "DRAFT" });
    await setVersionState(scene.api, three, "SHADOW");
    expect(await stateOf(id)).toEqual({ 1: "ACTIVE", 2: "RETIRED", 3: "SHADOW" });
    await setVersionState(scene.api, three, "ACTIVE");
    expect(await stateOf(id)).toEqual({ 1: "RETIRED", 2: "RETIRED", 3: "ACTIVE" });
    const { deps } = scene.server;
    const inForce = await listVersionsInForce(deps.database, workspaceId, "DEPLOY");
    expect(inForce.map(({ versionId }) => versionId)).toEqual([three]);
    await setVersionState(scene.api, one, "ACTIVE");
    expect(await stateOf(id)).toEqual({ 1: "ACTIVE", 2: "RETIRED", 3: "RETIRED" });
    await setVersionState(scene.api, one, "RETIRED");
    expect(await stateOf(id)).toEqual({ 1: "RETIRED", 2: "RETIRED", 3: "RETIRED" });
    expect(await listVersionsInForce(deps.database, workspaceId, "DEPLOY")).toEqual([]);
    expect((await setVersionState(scene.api, one, "DRAFT")).issues[0].path).toEqual(["state"]);
  });

  it("two people who activate at once leave one active version", async () => {
    const { id } = (await create()).policySet;
    const drafts = [await insertDraft(scene, id), await insertDraft(scene, id), await insertDraft(scene, id)];
    const holder = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    // Both wait for the row of the set, and have read the states of before.
    const blocking = scene.server.deps.database.transaction(async (tx) => {
      await tx.sql.selectFrom("policy_set").select("id").where("id", "=", id).forUpdate().execute();
      held.resolve();
      await holder.promise;
    });
    await held.promise;
    const clicks = drafts.map((draft) => setVersionState(scene.api, draft, "ACTIVE"));
    await waiting(3);
    holder.resolve();
    await blocking;
    expect((await Promise.all(clicks)).map(({ __typename }) => __typename)).toEqual(
      drafts.map(() => "SetPolicySetVersionStateSuccess"),
    );
    const states = Object.values(await stateOf(id)).toSorted((one, other) => one.localeCompare(other));
    expect(states).toEqual(["ACTIVE", "RETIRED", "RETIRED"]);
  });

  /** Waits until so many statements wait for the row of a set. */
  async function waiting(count: number): Promise<void> {
    const text = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%policy_set%'`;
    await expect.poll(async () => (await scene.rows(text))[0]?.["count"], { timeout: 10_000 }).toBe(count);
  }

  it("a version whose tests failed is not activated, and says which and why", async () => {
    const { id } = (await create()).policySet;
    const results = [
      { name: "a private bucket", problems: [] },
      { name: "a public bucket", problems: ["The policy no-public-bucket must fail, and passed."] },
    ];
    const draft = await insertDraft(scene, id, undefined, { testReport: { results } });
    const refused = await setVersionState(scene.api, draft, "ACTIVE");
    expect(refused.code).toBe("POLICY_INVALID");
    expect(refused.message).toContain('"a public bucket"');
    expect(refused.problems).toEqual([
      {
        file: "tests",
        line: null,
        column: null,
        message: "a public bucket: The policy no-public-bucket must fail, and passed.",
      },
    ]);
    expect(await stateOf(id)).toEqual({ 1: "DRAFT" });
    expect((await setVersionState(scene.api, draft, "SHADOW")).version.state).toBe("SHADOW");
  });

  it("versions of a deleted set are not found", async () => {
    const { id } = (await create()).policySet;
    const draft = await insertDraft(scene, id);
    await remove(id);
    expect(await setVersionState(scene.api, draft, "ACTIVE")).toMatchObject({ code: "NOT_FOUND" });
    expect((await scene.api.ask("query ($id: ID!) { node(id: $id) { id } }", { id: draft })).node).toBeNull();
  });
});
