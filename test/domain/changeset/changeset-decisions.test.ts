/** Decisions about whole changesets that meet one another, runs that move, and servers that stop. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bulkRound } from "../../../src/domain/bulk/bulk-round.ts";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import type { InProcess } from "../../support/in-process.ts";
import { addMachine } from "../../support/machine.ts";
import { must, signedIn, SITE } from "../../support/people-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const never = new AbortController().signal;

let scene: Scene;
let second: InProcess;
beforeAll(async () => {
  scene = await openScene(1000, { signIn: { origin: SITE, oidc: null } });
  second = await scene.server.second();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...second.reported.splice(0)]).toEqual([]));
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

const atSecond = (api: Api): Api => createApi(second.url, api.token);

/** A changeset whose runs wait at the gate of their plans. */
async function planned(count: number): Promise<{ id: string; runIds: string[]; workspaceIds: string[] }> {
  const workspaceIds: string[] = [];
  for (let index = 0; index < count; index += 1) workspaceIds.push(await scene.createWorkspace());
  const { createChangeset } = await scene.api.ask(
    "mutation ($input: CreateChangesetInput!) { createChangeset(input: $input) { ... on CreateChangesetSuccess { changeset { id } } } }",
    { input: { organizationId, title: "one", workspaceIds } },
  );
  const { id } = createChangeset.changeset;
  await changesetRound(scene.server.deps, never);
  const rows = await scene.rows("select id from run where changeset_id = $1 order by id", id);
  const runIds: string[] = rows.map((row) => row["id"]);
  for (const runId of runIds) await (await scene.claim(runId)).plan();
  return { id, runIds, workspaceIds };
}

async function look(changesetId: string, api: Api = scene.api): Promise<Data> {
  const query = "query ($id: ID!) { changeset(id: $id) { version planDigest } }";
  return { changesetId, gate: "PLAN", ...(await api.ask(query, { id: changesetId })).changeset };
}

const APPROVE = `mutation ($input: ApproveChangesetInput!) { done: approveChangeset(input: $input) { __typename
  ... on ApproveChangesetSuccess { operation { id total } } ... on UserError { code message } } }`;
const DISCARD = `mutation ($input: DiscardChangesetInput!) { done: discardChangeset(input: $input) { __typename
  ... on DiscardChangesetSuccess { operation { id total } } ... on UserError { code message } } }`;
const send = async (document: string, input: object, api: Api = scene.api): Promise<Data> =>
  (await api.ask(document, { input })).done;

const work = (server: InProcess = scene.server, signal = never): Promise<void> => bulkRound(server.deps, signal);

async function approvalsOf(runIds: readonly string[]): Promise<number[]> {
  const counts: number[] = [];
  for (const runId of runIds) counts.push((await scene.run(runId, "approvals")).approvals.length);
  return counts;
}

async function statusesOf(runIds: readonly string[]): Promise<string[]> {
  const statuses: string[] = [];
  for (const runId of runIds) statuses.push((await scene.run(runId, "status")).status);
  return statuses;
}

async function operationOf({ operation }: Data, api: Api = scene.api): Promise<Data> {
  const query = `query ($id: ID!) { node(id: $id) { ... on BulkOperation { state total done succeeded
    results(first: 50) { edges { node { ok code } } } } } }`;
  return (await api.ask(query, { id: operation.id })).node;
}

/** The API of a person who may approve the runs of one workspace. */
async function approverOf(workspaceId: string): Promise<Api> {
  const person = await signedIn(scene, randomUUID(), null);
  const grant = { principalId: person.id, roleId: builtInRoleId("APPROVER"), scopeId: workspaceId };
  await must(scene.api, "createGrant", grant, "grant { id }");
  const { secret } = await must(person, "createToken", { name: randomUUID(), ownerId: person.id }, "secret");
  return createApi(scene.server.url, secret);
}

describe("two people who approve a changeset at once", () => {
  it("approve each run once; the other learns for each run that it was no longer at the gate", async () => {
    const { id, runIds, workspaceIds } = await planned(3);
    const other = await approverOf(workspaceIds[0] ?? "");
    const [mine, theirs] = await Promise.all([
      send(APPROVE, await look(id)),
      send(APPROVE, await look(id, other), atSecond(other)),
    ]);
    expect([mine.operation.total, theirs.operation.total]).toEqual([3, 1]);
    await Promise.all([work(), work(second)]);
    await work();
    expect(await approvalsOf(runIds)).toEqual([1, 1, 1]);
    expect(new Set(await statusesOf(runIds))).toEqual(new Set(["AWAITING_APPLY_APPROVAL"]));
    const [whole, part] = [await operationOf(mine), await operationOf(theirs, other)];
    expect([whole.state, part.state]).toEqual(["FINISHED", "FINISHED"]);
    expect(whole.succeeded + part.succeeded).toBe(3);
    const refused = [...whole.results.edges, ...part.results.edges].filter(({ node }: Data) => !node.ok);
    // One of the two was first at the run that both may approve.
    expect(refused).toMatchObject([{ node: { code: "RUN_STATE_CONFLICT" } }]);
  });
});

it("the refusal of a gate without runs names the one that has some", async () => {
  const { id, runIds } = await planned(1);
  const atApply = async () => send(APPROVE, { ...(await look(id)), gate: "APPLY" });
  const problem = "gate: is one at which no run of the changeset waits.";
  expect(await atApply()).toMatchObject({ code: "INVALID_INPUT", message: `${problem} Runs wait at PLAN.` });
  await scene.send("cancelRun", { runId: runIds[0] });
  expect(await atApply()).toMatchObject({ message: `${problem} None waits at the other one either.` });
});

describe("a changeset of which a run moves between the look and the click", () => {
  it("is approved without a run that has ended since", async () => {
    const { id, runIds } = await planned(3);
    const reviewed = await look(id);
    const [gone = "", ...left] = runIds;
    await scene.send("cancelRun", { runId: gone });
    const answer = await send(APPROVE, reviewed);
    expect(answer.operation.total).toBe(2);
    await work();
    expect(await approvalsOf(left)).toEqual([1, 1]);
    expect(await scene.run(gone, "status", "approvals")).toMatchObject({ status: "DISCARDED", approvals: [] });
  });

  it("is not approved if one was planned again, is being planned again, or has another run", async () => {
    const { id, runIds } = await planned(2);
    const [one = "", other = ""] = runIds;
    const first = await look(id);
    await scene.send("replanRun", { runId: one, planVersion: 1 });
    await (await scene.claim(one)).plan();
    expect(await send(APPROVE, first)).toMatchObject({ code: "STALE_CHANGESET" });
    const reviewed = await look(id);
    await scene.send("cancelRun", { runId: other });
    await scene.send("retryRun", { runId: other });
    expect(await send(APPROVE, reviewed)).toMatchObject({ code: "STALE_CHANGESET" });
    expect(await approvalsOf(runIds)).toEqual([0, 0]);
  });

  it("shows an approver who may not see one of its runs another version, and takes only that", async () => {
    const { id, runIds, workspaceIds } = await planned(2);
    const approver = await addMachine(scene.server.url, scene.api, ["APPROVER", workspaceIds[0] ?? ""]);
    const [whole, part] = [await look(id), await look(id, approver)];
    expect(part.planDigest).not.toBe(whole.planDigest);
    expect(await send(APPROVE, part)).toMatchObject({ code: "STALE_CHANGESET" });
    expect(await send(APPROVE, { ...part, planDigest: whole.planDigest }, approver)).toMatchObject({
      code: "STALE_CHANGESET",
    });
    expect(await approvalsOf(runIds)).toEqual([0, 0]);
    // The hidden run moves: that is nothing to the approver.
    const [hidden = ""] = await hiddenRunsOf(id, workspaceIds[1] ?? "");
    await scene.send("replanRun", { runId: hidden, planVersion: 1 });
    expect(await look(id, approver)).toEqual(part);
    expect((await send(APPROVE, part, approver)).operation.total).toBe(1);
    await work();
    expect(await scene.run(hidden, "approvals")).toMatchObject({ approvals: [] });
  });
});

async function hiddenRunsOf(changesetId: string, workspaceId: string): Promise<string[]> {
  const text = "select id from run where changeset_id = $1 and workspace_id = $2";
  return (await scene.rows(text, changesetId, workspaceId)).map((row) => row["id"]);
}

describe("approvals that are at work", () => {
  it("are continued by another server after each run at which one stopped, each run once", async () => {
    const { id, runIds } = await planned(4);
    const answer = await send(APPROVE, await look(id));
    const servers = [scene.server, second];
    for (let turn = 0; turn < runIds.length; turn += 1) {
      const server = servers[turn % 2] ?? second;
      const stop = new AbortController();
      const { database } = server.deps;
      // The server stops after the first run that it committed.
      const transaction: typeof database.transaction = async (of, rights) => {
        const result = await database.transaction(of, rights);
        if ((await approvalsOf(runIds)).reduce((sum, count) => sum + count, 0) > turn) stop.abort();
        return result;
      };
      await bulkRound({ ...server.deps, database: { ...database, transaction } }, stop.signal);
      expect((await approvalsOf(runIds)).reduce((sum, count) => sum + count, 0)).toBe(turn + 1);
    }
    await work(second);
    expect(await approvalsOf(runIds)).toEqual([1, 1, 1, 1]);
    expect(await operationOf(answer)).toMatchObject({ state: "FINISHED", total: 4, done: 4, succeeded: 4 });
  });
});

describe("a changeset that one person approves and another discards at once", () => {
  it("has each run approved or discarded, and what was approved last is discarded by neither", async () => {
    const { id, runIds } = await planned(4);
    const reviewed = await look(id);
    const [approving, discarding] = await Promise.all([
      send(APPROVE, reviewed),
      send(DISCARD, { changesetId: id }, atSecond(scene.api)),
    ]);
    expect([approving.operation.total, discarding.operation.total]).toEqual([4, 4]);
    await Promise.all([work(), work(second)]);
    await work();
    const statuses = await statusesOf(runIds);
    // A run whose plan is approved still waits at the gate of its apply, and may be discarded there.
    expect(statuses).toEqual(["DISCARDED", "DISCARDED", "DISCARDED", "DISCARDED"]);
    const { changeset } = await scene.api.ask("query ($id: ID!) { changeset(id: $id) { state discardedAt } }", { id });
    expect(changeset).toEqual({ state: "DISCARDED", discardedAt: expect.any(String) });
  });

  it("keeps an approved run that a runner has fetched, and has not begun to apply", async () => {
    const { id, runIds } = await planned(2);
    const [approved = "", other = ""] = runIds;
    for (const gate of ["PLAN", "APPLY"]) await scene.send("approveRun", { runId: approved, gate, planVersion: 1 });
    const job = await scene.claim(approved);
    const answer = await send(DISCARD, { changesetId: id });
    expect(answer.operation.total).toBe(1);
    await work();
    expect(await statusesOf([approved, other])).toEqual(["PREPARING", "DISCARDED"]);
    expect((await scene.run(approved, "cancelRequested")).cancelRequested).toBeNull();
    await job.apply(1);
    const { changeset } = await scene.api.ask("query ($id: ID!) { changeset(id: $id) { state } }", { id });
    expect(changeset.state).toBe("PARTLY_APPLIED");
  });
});
