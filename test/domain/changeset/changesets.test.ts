/** Changesets: opened at once, their runs created in batches, and seen by each caller as far as it may read runs. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bulkRound } from "../../../src/domain/bulk/bulk-round.ts";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { openChangeset } from "../../../src/domain/changeset/open-changeset.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import { type BuiltInRole, builtInRoleId } from "../../../src/model/people/role.ts";
import { startChangesetWorker } from "../../../src/workers/changesets.ts";
import type { Api, Data } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
import { TestRepository } from "../../support/git.ts";
import { addMachine } from "../../support/machine.ts";
import { openScene, type Scene } from "../scene.ts";

const CHANGESET = `id source kind state version title planDigest appliedAt discardedAt createdBy { id }
  counts { workspaces additions changes destructions noChanges applied skipped unwanted failed waiting }
  waves { index total ended failed } runs(first: 100) { totalCount edges { node { id workspace { id } } } }`;
const CREATE = `mutation ($input: CreateChangesetInput!) { createChangeset(input: $input) { __typename
  ... on CreateChangesetSuccess { created changeset { ${CHANGESET} } }
  ... on UserError { code message } ... on InvalidInputError { issues { path message } } } }`;
const organizationId = DEFAULT_ORGANIZATION_ID;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const never = new AbortController().signal;
/** Does what the workers of changesets do, until nothing is left. */
const work = () => changesetRound(scene.server.deps, never);

async function send(input: object, api: Api = scene.api): Promise<Data> {
  const given = { organizationId, title: "Raise the limits", ...input };
  return (await api.ask(CREATE, { input: given })).createChangeset;
}

async function create(input: object, api?: Api): Promise<Data> {
  const answer = await send(input, api);
  expect(answer).toMatchObject({ __typename: "CreateChangesetSuccess" });
  return answer.changeset;
}

async function read(id: string, api: Api = scene.api): Promise<Data> {
  return (await api.ask(`query ($id: ID!) { changeset(id: $id) { ${CHANGESET} } }`, { id })).changeset;
}

async function workspaces(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await scene.createWorkspace());
  return ids;
}

const runIds = (changeset: Data): string[] => changeset.runs.edges.map(({ node }: Data) => node.id);
const runIn = (changeset: Data, workspaceId: string): string =>
  changeset.runs.edges.find(({ node }: Data) => node.workspace.id === workspaceId).node.id;

/** A changeset of so many workspaces, with its runs. */
async function started(count: number, input: object = {}): Promise<{ ids: string[]; changeset: Data }> {
  const ids = await workspaces(count);
  const { id } = await create({ workspaceIds: ids, ...input });
  await work();
  return { ids, changeset: await read(id) };
}

/** A machine user with a role in one workspace and nowhere else. */
const machine = (role: BuiltInRole, workspaceId: string) =>
  addMachine(scene.server.url, scene.api, [role, workspaceId]);
const readerOf = (workspaceId: string): Promise<Api> => machine("READER", workspaceId);

/** Claims a run whose plan is approved, and applies it. */
async function apply(runId: string, serial = 1): Promise<void> {
  for (const gate of ["PLAN", "APPLY"]) await scene.send("approveRun", { runId, gate, planVersion: 1 });
  await (await scene.claim(runId)).apply(serial);
}

describe("a changeset of a person", () => {
  it("is opened without its runs, which follow", async () => {
    const ids = await workspaces(3);
    const changeset = await create({ workspaceIds: ids });
    expect(changeset).toMatchObject({
      source: "MANUAL",
      kind: "DEPLOY",
      state: "PLANNING",
      title: "Raise the limits",
      version: 3,
      planDigest: null,
      counts: { workspaces: 3, failed: 0 },
      waves: [{ index: 0, total: 3, ended: 0, failed: 0 }],
      runs: { totalCount: 0 },
    });
    await work();
    const after = await read(changeset.id);
    expect(after).toMatchObject({ state: "PLANNING", version: 6, runs: { totalCount: 3 } });
    expect(after.runs.edges.map(({ node }: Data) => node.workspace.id).toSorted()).toEqual(ids.toSorted());
    const run = await scene.api.ask(
      "query ($id: ID!) { run(id: $id) { message trigger changeset { id } cause { __typename } } }",
      {
        id: runIds(after)[0],
      },
    );
    expect(run.run).toEqual({
      message: "Raise the limits",
      trigger: "MANUAL",
      changeset: { id: changeset.id },
      cause: null,
    });
    expect(await scene.rows("select due from changeset where id = $1", changeset.id)).toEqual([{ due: false }]);
  });

  it("has no changeset where a run was requested alone", async () => {
    const id = await scene.createRun(await scene.createWorkspace());
    expect(await scene.api.ask("query ($id: ID!) { run(id: $id) { changeset { id } } }", { id })).toEqual({
      run: { changeset: null },
    });
  });

  it("creates its runs in batches, each in one transaction", async () => {
    const count = LIMITS.changesetBatch + 3;
    const ids = await workspaces(count);
    const { id } = await create({ workspaceIds: ids, kind: "PLAN" });
    let committed = 0;
    const { database } = scene.server.deps;
    const deps = {
      ...scene.server.deps,
      database: {
        ...database,
        transaction: (async (workOf, rights) => {
          const result = await database.transaction(workOf, rights);
          committed += 1;
          return result;
        }) as typeof database.transaction,
      },
    };
    await changesetRound(deps, never);
    // Two batches, and one that notes that nothing is left.
    expect(committed).toBe(3);
    expect((await read(id)).runs.totalCount).toBe(count);
  });

  it("is the same one for the same key, and another request with it is refused", async () => {
    const workspaceIds = await workspaces(1);
    const input = { workspaceIds, idempotencyKey: `key of ${workspaceIds[0]}` };
    const [first, second] = await Promise.all([send(input), send(input)]);
    expect(second.changeset.id).toBe(first.changeset.id);
    expect(first.created).toBe(!second.created);
    const other = await send({ ...input, title: "Another" });
    expect(other).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["idempotencyKey"] }] });
  });

  it("names the fields of an input that is not valid", async () => {
    const [workspaceId = ""] = await workspaces(1);
    const pathsOf = async (input: object) => (await send(input)).issues.map(({ path }: Data) => path.join("."));
    expect(await pathsOf({ workspaceIds: [] })).toEqual(["workspaceIds"]);
    expect(await pathsOf({ workspaceIds: [workspaceId, workspaceId] })).toEqual(["workspaceIds"]);
    const many = Array.from({ length: LIMITS.workspacesSelected + 1 }, (_, i) => `ws_${i}`);
    expect(await pathsOf({ workspaceIds: many })).toEqual(["workspaceIds"]);
    expect(await pathsOf({ workspaceIds: [workspaceId], title: " " })).toEqual(["title"]);
    expect(await pathsOf({ workspaceIds: [workspaceId], kind: "TASK" })).toEqual(["command"]);
    expect(await pathsOf({ workspaceIds: [workspaceId], command: "true" })).toEqual(["command"]);
  });

  it("takes workspaces that the caller sees and may run, all of them or none", async () => {
    const [mine = "", other = ""] = await workspaces(2);
    const api = await machine("WRITER", mine);
    expect(await send({ workspaceIds: [mine, other] }, api)).toMatchObject({ code: "NOT_FOUND" });
    expect(await send({ workspaceIds: [mine, "ws_none"] }, api)).toMatchObject({ code: "NOT_FOUND" });
    expect(await send({ workspaceIds: [mine] }, await readerOf(mine))).toMatchObject({ code: "FORBIDDEN" });
    expect((await create({ workspaceIds: [mine] }, api)).counts.workspaces).toBe(1);
    await work();
  });

  it("takes the workspaces of labels, of those that the caller may run", async () => {
    const labels = [`team:t${Date.now()}`];
    const mine = await scene.createWorkspace({ labels });
    await scene.createWorkspace({ labels });
    const api = await machine("WRITER", mine);
    expect((await create({ labels }, api)).counts.workspaces).toBe(1);
    expect((await create({ labels })).counts.workspaces).toBe(2);
    expect(await send({ labels: ["team:none"] })).toMatchObject({ issues: [{ path: ["labels"] }] });
    expect(await send({ labels, workspaceIds: [mine] })).toMatchObject({ issues: [{ path: ["workspaceIds"] }] });
    expect(await send({})).toMatchObject({ issues: [{ path: ["workspaceIds"] }] });
    await work();
  });

  it("has a problem where a right was lost, a workspace deleted or a source lost before the run was created", async () => {
    const [kept = "", deleted = "", sourceless = ""] = await workspaces(3);
    const api = await scene.login("ADMIN");
    const { id } = await create({ workspaceIds: [kept, deleted, sourceless] }, api);
    await scene.send("deleteWorkspace", { workspaceId: deleted });
    await scene.rows(
      `update workspace set source = '{"type": "directory", "path": "/nowhere"}' where id = $1`,
      sourceless,
    );
    await work();
    const after = await read(id);
    expect(after).toMatchObject({ counts: { workspaces: 2, failed: 1 }, runs: { totalCount: 1 } });
    const second = await create({ workspaceIds: [kept] }, api);
    await scene.send("revokeToken", { tokenId: api.tokenId });
    await work();
    expect(await read(second.id)).toMatchObject({ state: "FAILED", counts: { failed: 1 }, runs: { totalCount: 0 } });
    const [{ problem }] = await scene.rows("select problem from changeset_member where changeset_id = $1", second.id);
    expect(problem).toMatch(/has ended/);
  });
});

describe("where a changeset is", () => {
  it("has NO_CHANGES and no time of an apply where there was nothing to apply", async () => {
    const { ids, changeset } = await started(2);
    for (const id of ids) await (await scene.claim(runIn(changeset, id))).plan({ hasChanges: false });
    expect(await read(changeset.id)).toMatchObject({
      state: "NO_CHANGES",
      appliedAt: null,
      counts: { noChanges: 2, applied: 0 },
    });
    expect(await scene.rows("select applied_at from changeset where id = $1", changeset.id)).toEqual([
      { applied_at: null },
    ]);
  });

  it("is APPLIED where one had changes, though the last to end had none", async () => {
    const { ids, changeset } = await started(2);
    const [one = "", other = ""] = ids.map((id) => runIn(changeset, id));
    await (await scene.claim(one)).plan();
    await apply(one);
    expect(await read(changeset.id)).toMatchObject({ state: "APPLYING", appliedAt: null });
    await (await scene.claim(other)).plan({ hasChanges: false });
    const applied = await read(changeset.id);
    expect(applied.state).toBe("APPLIED");
    expect(await scene.rows("select applied_at from changeset where id = $1", changeset.id)).toEqual([
      { applied_at: applied.appliedAt },
    ]);
  });

  it("is found in lists by the state that its caller sees", async () => {
    const { ids, changeset } = await started(2);
    const [one = "", other = ""] = ids;
    await (await scene.claim(runIn(changeset, one))).plan({ hasChanges: false });
    const listed = async (states: string[], api?: Api): Promise<boolean> => {
      const query = `query ($states: [ChangesetState!]) { organization(slug: "default") {
        changesets(first: 5, states: $states) { edges { node { id state } } } } }`;
      const { edges } = (await (api ?? scene.api).ask(query, { states })).organization.changesets;
      for (const { node } of edges) expect(states).toContain(node.state);
      return edges.some(({ node }: Data) => node.id === changeset.id);
    };
    const reader = await readerOf(one);
    expect([await listed(["PLANNING"]), await listed(["NO_CHANGES"])]).toEqual([true, false]);
    expect([await listed(["PLANNING"], reader), await listed(["NO_CHANGES", "APPLIED"], reader)]).toEqual([
      false,
      true,
    ]);
    expect(await listed(["NO_CHANGES"], await readerOf(other))).toBe(false);
  });

  it("follows its runs, until all that had changes are applied", async () => {
    const { ids, changeset } = await started(2);
    const [one = "", other = ""] = ids.map((id) => runIn(changeset, id));
    await (await scene.claim(one)).plan();
    const first = await read(changeset.id);
    expect(first).toMatchObject({ state: "PLANNING", version: 5, counts: { waiting: 1, additions: 1 } });
    const job = await scene.claim(other);
    await job.plan({ hasChanges: false });
    expect((await scene.run(other, "outcome")).outcome).toBe("NO_CHANGES");
    const planned = await read(changeset.id);
    expect(planned).toMatchObject({ state: "PLANNED", version: 6, counts: { noChanges: 1, waiting: 1 } });
    expect(planned.planDigest).not.toBe(first.planDigest);
    await scene.send("approveRun", { runId: one, gate: "PLAN", planVersion: 1 });
    expect(await read(changeset.id)).toMatchObject({ state: "PLANNED", appliedAt: null });
    await scene.send("approveRun", { runId: one, gate: "APPLY", planVersion: 1 });
    expect(await read(changeset.id)).toMatchObject({ state: "APPLYING" });
    await (await scene.claim(one)).apply(1);
    const applied = await read(changeset.id);
    expect(applied).toMatchObject({ state: "APPLIED", counts: { applied: 1, waiting: 0 } });
    const [row] = await scene.rows("select applied_at from changeset where id = $1", changeset.id);
    expect(row["applied_at"]).toBe(applied.appliedAt);
    expect(applied.waves).toEqual([{ index: 0, total: 2, ended: 2, failed: 0 }]);
  });

  it("is partly applied where a run was not wanted, and is tried again by its retry", async () => {
    const { ids, changeset } = await started(2);
    const [one = "", other = ""] = ids.map((id) => runIn(changeset, id));
    for (const runId of [one, other]) await (await scene.claim(runId)).plan();
    await apply(one);
    await scene.send("discardRun", { runId: other });
    expect(await read(changeset.id)).toMatchObject({ state: "PARTLY_APPLIED", appliedAt: null });
    const before = await read(changeset.id);
    const retry = (await scene.send("retryRun", { runId: other })).run.id;
    const after = await read(changeset.id);
    expect(after).toMatchObject({ state: "APPLYING", runs: { totalCount: 3 } });
    expect(after.version).toBeGreaterThan(before.version);
    await (await scene.claim(retry)).plan();
    await apply(retry);
    expect(await read(changeset.id)).toMatchObject({ state: "APPLIED", counts: { applied: 2, workspaces: 2 } });
  });
});

const APPROVE = `mutation ($input: ApproveChangesetInput!) { done: approveChangeset(input: $input) { __typename
  ... on ApproveChangesetSuccess { operation { id total state } changeset { id } } ... on UserError { code message }
  ... on StaleChangesetError { changeset { version planDigest } } } }`;
const DISCARD = `mutation ($input: DiscardChangesetInput!) { done: discardChangeset(input: $input) { __typename
  ... on DiscardChangesetSuccess { operation { total } changeset { discardedAt } } ... on UserError { code message } } }`;
const CONTINUE = `mutation ($input: ContinueChangesetInput!) { done: continueChangeset(input: $input) { __typename
  ... on ContinueChangesetSuccess { changeset { heldAt } } ... on UserError { code message } } }`;
const order = async (document: string, input: object, api: Api = scene.api): Promise<Data> =>
  (await api.ask(document, { input })).done;
const lookedAt = ({ id: changesetId, version, planDigest }: Data, gate: string) => {
  return { changesetId, gate, version, planDigest };
};

describe("approveChangeset", () => {
  it("approves exactly the plans that were reviewed", async () => {
    const { ids, changeset } = await started(2);
    const runs = ids.map((id) => runIn(changeset, id));
    for (const runId of runs) await (await scene.claim(runId)).plan();
    const before = await read(changeset.id);
    const [one = ""] = runs;
    await scene.send("replanRun", { runId: one, planVersion: 1 });
    await (await scene.claim(one)).plan();
    const stale = await order(APPROVE, lookedAt(before, "PLAN"));
    expect(stale).toMatchObject({ code: "STALE_CHANGESET", changeset: { version: before.version + 1 } });
    for (const runId of runs) expect((await scene.run(runId, "approvals")).approvals).toEqual([]);
    const answer = await order(APPROVE, lookedAt(await read(changeset.id), "PLAN"));
    expect(answer).toMatchObject({ operation: { total: 2 }, changeset: { id: changeset.id } });
    await bulkRound(scene.server.deps, never);
    for (const runId of runs) expect((await scene.run(runId, "status")).status).toBe("AWAITING_APPLY_APPROVAL");
    expect(await order(APPROVE, lookedAt(await read(changeset.id), "PLAN"))).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("approves nothing of a plan that is made while the approvals are at work", async () => {
    const { ids, changeset } = await started(1);
    const runId = runIn(changeset, ids[0] ?? "");
    await (await scene.claim(runId)).plan();
    await order(APPROVE, lookedAt(await read(changeset.id), "PLAN"));
    await scene.send("replanRun", { runId, planVersion: 1 });
    await (await scene.claim(runId)).plan();
    await bulkRound(scene.server.deps, never);
    expect(await scene.run(runId, "status", "approvals")).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      approvals: [],
    });
  });

  it("is about the runs that the caller may read, each under the rights of the caller", async () => {
    const { ids, changeset } = await started(2);
    const [seen = "", hidden = ""] = ids;
    for (const id of ids) await (await scene.claim(runIn(changeset, id))).plan();
    const approver = await machine("APPROVER", seen);
    const whole = await read(changeset.id);
    expect(await order(APPROVE, lookedAt(whole, "PLAN"), approver)).toMatchObject({ code: "STALE_CHANGESET" });
    const part = await read(changeset.id, approver);
    expect(await order(APPROVE, lookedAt(part, "PLAN"), approver)).toMatchObject({ operation: { total: 1 } });
    await bulkRound(scene.server.deps, never);
    expect((await scene.run(runIn(changeset, hidden), "approvals")).approvals).toEqual([]);
    expect(await order(APPROVE, lookedAt(part, "PLAN"), await readerOf(seen))).toMatchObject({ code: "FORBIDDEN" });
    const stranger = await machine("APPROVER", (await workspaces(1))[0] ?? "");
    expect(await order(APPROVE, lookedAt(part, "PLAN"), stranger)).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("discardChangeset", () => {
  it("ends what is not approved, and lets the rest go on", async () => {
    const { ids, changeset } = await started(3);
    const [atGate = "", approved = "", ready = ""] = ids.map((id) => runIn(changeset, id));
    for (const runId of [atGate, approved]) await (await scene.claim(runId)).plan();
    for (const gate of ["PLAN", "APPLY"]) await scene.send("approveRun", { runId: approved, gate, planVersion: 1 });
    const answer = await order(DISCARD, { changesetId: changeset.id });
    expect(answer).toMatchObject({ operation: { total: 2 } });
    expect(answer.changeset.discardedAt).not.toBeNull();
    await bulkRound(scene.server.deps, never);
    expect((await scene.run(atGate, "status")).status).toBe("DISCARDED");
    expect((await scene.run(ready, "status")).status).toBe("CANCELED");
    expect((await scene.run(approved, "status")).status).toBe("CONFIRMED");
  });

  it("creates no more runs, and is no discard of the whole for a caller of a part", async () => {
    const [mine = "", other = ""] = await workspaces(2);
    const { id } = await create({ workspaceIds: [mine, other] });
    const answer = await order(DISCARD, { changesetId: id }, await machine("WRITER", mine));
    expect(answer).toMatchObject({ operation: { total: 0 }, changeset: { discardedAt: null } });
    await work();
    expect(await read(id)).toMatchObject({ counts: { failed: 0, unwanted: 1 }, runs: { totalCount: 1 } });
  });

  it("leaves a changeset DISCARDED whose runs were not created yet, or were being planned", async () => {
    const { id } = await create({ workspaceIds: await workspaces(2) });
    await order(DISCARD, { changesetId: id });
    await work();
    expect(await read(id)).toMatchObject({ state: "DISCARDED", counts: { failed: 0, unwanted: 2 } });
    const { ids, changeset } = await started(1);
    const job = await scene.claim(runIn(changeset, ids[0] ?? ""));
    await order(DISCARD, { changesetId: changeset.id });
    await bulkRound(scene.server.deps, never);
    await job.message({ type: "stopped" });
    expect(await read(changeset.id)).toMatchObject({ state: "DISCARDED", counts: { failed: 0, unwanted: 1 } });
  });
});

describe("a changeset of very many workspaces", () => {
  it("waits for a person before it creates runs", async () => {
    const ids = await workspaces(3);
    const { deps } = scene.server;
    const { id } = await deps.database.transaction((tx) =>
      openChangeset(tx, deps, {
        organizationId,
        source: "PUSH",
        title: "Merge",
        commit: null,
        kind: "PLAN",
        trigger: "PUSH",
        members: ids.map((workspaceId) => ({ workspaceId })),
        createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
        holdAbove: 2,
      }),
    );
    await scene.rows("update changeset set due = true where id = $1", id);
    await work();
    expect((await read(id)).runs.totalCount).toBe(0);
    const planner = await machine("PLANNER", ids[0] ?? "");
    expect(await order(CONTINUE, { changesetId: id }, planner)).toMatchObject({ code: "FORBIDDEN" });
    expect(await order(CONTINUE, { changesetId: id })).toMatchObject({ changeset: { heldAt: null } });
    await work();
    expect((await read(id)).runs.totalCount).toBe(3);
  });
});

describe("continueChangeset", () => {
  it("takes the permission in a workspace that the caller does not see", async () => {
    const send = async (name: string, input: object, fields: string): Promise<Data> => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const query = `mutation ($input: ${type}Input!) { done: ${name}(input: $input) { ... on ${type}Success { ${fields} } } }`;
      return order(query, input);
    };
    const project = { organizationId, name: `isolated-${Date.now()}`, isolated: true };
    const { id: projectId } = (await send("createProject", project, "project { id }")).project;
    const grant = { principalId: ADMIN_ACTOR_ID, roleId: builtInRoleId("WRITER"), scopeId: projectId };
    await send("createGrant", grant, "grant { id }");
    const hidden = await scene.createWorkspace({ projectId });
    const { id } = await create({ workspaceIds: [...(await workspaces(1)), hidden] });
    await scene.rows("update changeset set held_at = now(), due = false where id = $1", id);
    const writer = await addMachine(scene.server.url, scene.api, ["WRITER", organizationId]);
    const answer = await order(CONTINUE, { changesetId: id }, writer);
    expect(answer).toMatchObject({ code: "FORBIDDEN" });
    expect(JSON.stringify(answer)).not.toContain(hidden);
    expect(await order(CONTINUE, { changesetId: id })).toMatchObject({ changeset: { heldAt: null } });
    await work();
  });
});

describe("a changeset with a commit", () => {
  it("has runs of that commit, also if the branch has moved", async () => {
    const repository = new TestRepository(join(scene.server.sourceRoot, `c-${Date.now()}`));
    const commit = repository.commit({ "main.tf": "# one\n" });
    repository.commit({ "main.tf": "# two\n" });
    const source = { git: { url: `file://${repository.folder}`, branch: "main" } };
    const workspaceId = await scene.createWorkspace({ source });
    const { deps } = scene.server;
    const { id } = await deps.database.transaction((tx) =>
      openChangeset(tx, deps, {
        organizationId,
        source: "MANUAL",
        title: "Go back",
        commit,
        kind: "PLAN",
        trigger: "MANUAL",
        members: [{ workspaceId }],
        createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
      }),
    );
    await work();
    const [runId = ""] = runIds(await read(id));
    expect(await scene.run(runId, "revision")).toMatchObject({ revision: commit });
  });
});

describe("a caller who may read some of the runs", () => {
  it("sees and counts those, and learns nothing of the others", async () => {
    const { ids, changeset } = await started(2);
    const [seen = "", hidden = ""] = ids;
    const reader = await readerOf(seen);
    const shown = await read(changeset.id, reader);
    expect(shown).toMatchObject({
      version: 2,
      counts: { workspaces: 1 },
      waves: [{ total: 1 }],
      runs: { totalCount: 1 },
    });
    await (await scene.claim(runIn(changeset, hidden))).plan();
    expect(await read(changeset.id, reader)).toEqual(shown);
    const list = '{ organization(slug: "default") { changesets(first: 100) { edges { node { id } } } } }';
    const listed = (await reader.ask(list)).organization.changesets.edges.map(({ node }: Data) => node.id);
    expect(listed).toEqual([changeset.id]);
  });

  it("is answered as for a changeset that does not exist where it sees none", async () => {
    const { changeset } = await started(1);
    const reader = await readerOf((await workspaces(1))[0] ?? "");
    expect(await read(changeset.id, reader)).toBeNull();
    expect(await read("cs_0000000000000000000000zzzz", reader)).toBeNull();
    expect((await reader.ask("query ($id: ID!) { node(id: $id) { id } }", { id: changeset.id })).node).toBeNull();
  });
});

describe("a changeset of the system", () => {
  it("is opened with its cause, and has runs that are skipped with a reason", async () => {
    const [one = "", other = ""] = await workspaces(2);
    const upstreamRunId = await scene.createRun(await scene.createWorkspace());
    const { deps } = scene.server;
    const cause = { type: "DEPENDENCY", upstreamRunId, changedOutputs: ["network"] } as const;
    const { id } = await deps.database.transaction((tx) =>
      openChangeset(tx, deps, {
        organizationId,
        source: "PUSH",
        title: "Merge",
        commit: "c0ffee",
        kind: "PLAN",
        trigger: "PUSH",
        members: [
          { workspaceId: one, cause },
          { workspaceId: other, skipReason: "The message says so." },
        ],
        createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
      }),
    );
    await work();
    const changeset = await read(id);
    expect(changeset).toMatchObject({ source: "PUSH", createdBy: { id: SYSTEM_ACTOR_ID } });
    const skipped = await scene.run(runIn(changeset, other));
    expect(skipped).toMatchObject({
      status: "SKIPPED",
      reason: "The message says so.",
      trigger: "PUSH",
      isTerminal: true,
    });
    expect(await scene.rows("select 1 from dispatch where run_id = $1", skipped.id)).toEqual([]);
    const shown = await scene.api.ask(
      "query ($id: ID!) { run(id: $id) { cause { ... on DependencyCause { upstream { id } changedOutputs } } } }",
      { id: runIn(changeset, one) },
    );
    expect(shown.run.cause).toEqual({
      upstream: { id: upstreamRunId },
      changedOutputs: ["network"],
    });
  });
});

describe("workers on two servers", () => {
  it("create each run once", async () => {
    await using second = await scene.server.second();
    const first = startChangesetWorker(scene.server.deps, scene.server.hub);
    const other = startChangesetWorker(second.deps, second.hub);
    const ids = await workspaces(5);
    const { id } = await create({ workspaceIds: ids, kind: "PLAN" });
    await waitUntil(async () => (await read(id)).runs.totalCount === 5);
    await first[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    expect(await scene.rows("select count(*) from run where changeset_id = $1", id)).toEqual([{ count: 5 }]);
    expect(second.reported).toEqual([]);
  });
});
