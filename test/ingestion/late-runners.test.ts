import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { openScene, report, type Scene, type Spot } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";

const LEASE_MS = 31_000;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const state = (serial: number, more: object = {}) => ({
  version: 4,
  serial,
  lineage: "line",
  outputs: {},
  resources: [{ mode: "managed", instances: [{}, {}] }],
  ...more,
});

/** An apply whose runner was lost after it wrote one state. */
async function lost(): Promise<Spot> {
  const spot = await scene.reach("APPLYING");
  await spot.job.lockState("engine");
  await spot.job.writeState("engine", state(1));
  scene.server.advance(LEASE_MS);
  await loseExpiredLeases(scene.server.deps);
  expect((await scene.run(spot.runId, "status")).status).toBe("FAILED");
  return spot;
}

const STATE = "id serial lineage size resourceCount digest decision decidedBy { id } note run { id } workspace { id }";

async function seen({ workspaceId, runId }: Spot): Promise<Data> {
  const query = `query ($ws: ID!, $run: ID!) {
    workspace(by: { id: $ws }) { recoveredStates { ${STATE} } lock { reason recoveredStates { id } } }
    run(id: $run) { recoveredStates { id decision } refusedRequests(last: 5) {
      totalCount edges { node { request code message jobId runner { name } } } } } }`;
  return scene.api.ask(query, { ws: workspaceId, run: runId });
}

async function serials({ workspaceId }: Spot): Promise<number[]> {
  const rows = await scene.rows(
    "select serial from state_version where workspace_id = $1 order by serial",
    workspaceId,
  );
  return rows.map(({ serial }) => serial);
}

async function decide(command: "adopt" | "discard", id: string, api = scene.api): Promise<Data> {
  const type = command === "adopt" ? "Adopt" : "Discard";
  const errors = `... on UserError { code message } ... on InvalidInputError { issues { path message } }
    ${command === "adopt" ? "... on RunStateConflictError { run { id } }" : ""}`;
  const answer = await api.ask(
    `mutation ($input: ${type}RecoveredStateInput!) { it: ${command}RecoveredState(input: $input) {
      __typename ... on ${type}RecoveredStateSuccess { recoveredState { ${STATE} } workspace { lock { reason } } } ${errors} } }`,
    { input: { recoveredStateId: id, note: "looked" } },
  );
  return answer.it;
}

describe("what comes under an old token", () => {
  it("is refused, changes nothing, and is seen by whoever looks at the run", async () => {
    const spot = await lost();
    const before = await scene.run(spot.runId);
    expect((await spot.job.message({ type: "applied", appliedAddresses: [] }, 2)).status).toBe(410);
    expect((await spot.job.log("APPLY", "secret text")).status).toBe(410);
    expect((await spot.job.heartbeat()).status).toBe(410);
    expect(await scene.run(spot.runId)).toEqual(before);
    const { refusedRequests } = (await seen(spot)).run;
    expect(refusedRequests.totalCount).toBe(3);
    expect(refusedRequests.edges.map(({ node }: Data) => node)).toMatchObject([
      { request: "message applied", code: "JOB_OVER", jobId: spot.job.job.id, runner: { name: "fake" } },
      { request: "POST log", code: "JOB_OVER" },
      { request: "POST heartbeat", code: "JOB_OVER" },
    ]);
    expect(JSON.stringify(await scene.rows("select * from refused_request"))).not.toContain("secret text");
  });

  it("is kept a hundred times and counted after that", async () => {
    const spot = await lost();
    for (let i = 0; i < 13; i++) {
      await Promise.all(Array.from({ length: 10 }, () => spot.job.heartbeat()));
    }
    expect((await seen(spot)).run.refusedRequests.totalCount).toBe(130);
    const [{ rows }] = await scene.rows("select count(*) as rows from refused_request where run_id = $1", spot.runId);
    expect(rows).toBe(LIMITS.refusedPerJob);
  });

  it("is nobody's news where the heartbeat was there in time and the job ended meanwhile", async () => {
    const spot = await scene.reach("PLANNING");
    const expiry = async () =>
      (await scene.rows("select expires_at from job where id = $1", spot.job.job.id))[0].expires_at;
    const before = await expiry();
    scene.server.advance(1000);
    const held = spot.job.request("POST", "heartbeat", { waitMs: 10_000 });
    await expect.poll(expiry).not.toBe(before);
    await spot.job.message({ type: "failed", failure: report("PLAN_FAILED") });
    expect([410, 200]).toContain((await held).status);
    expect((await seen(spot)).run.refusedRequests.totalCount).toBe(0);
  });

  it("is nobody's news where a heartbeat crosses the report that ends the job, only when the lease would be over", async () => {
    const spot = await scene.reach("PLANNING");
    await spot.job.message({ type: "failed", failure: report("PLAN_FAILED") });
    expect(await spot.job.heartbeat()).toMatchObject({ status: 410, body: { code: "JOB_OVER" } });
    expect((await seen(spot)).run.refusedRequests.totalCount).toBe(0);
    scene.server.advance(LEASE_MS);
    expect((await spot.job.heartbeat()).status).toBe(410);
    expect((await seen(spot)).run.refusedRequests.edges).toMatchObject([{ node: { request: "POST heartbeat" } }]);
  });
});

describe("a state that comes too late", () => {
  it("is kept beside the line and shown on the lock; nothing makes it current by itself", async () => {
    const spot = await lost();
    const answer = await spot.job.writeState("engine", state(2));
    expect(answer).toEqual({ status: 202, body: { recovered: true } });
    expect((await spot.job.writeState("another", state(2))).status).toBe(202);
    // The answer to this one was lost before the lease was.
    expect((await spot.job.writeState("engine", state(1))).status).toBe(200);
    const { workspace, run } = await seen(spot);
    expect(workspace.recoveredStates).toMatchObject([
      { serial: 2, lineage: "line", resourceCount: 2, decision: null, run: { id: spot.runId } },
    ]);
    const [{ id }] = workspace.recoveredStates;
    // Whoever decides about it can look at it.
    const download = (token: string) =>
      fetch(`${scene.server.url}/state-versions/${id}`, { headers: { authorization: `Bearer ${token}` } });
    expect(await (await download(scene.api.token)).json()).toEqual(state(2));
    expect((await download((await scene.login("READER")).token)).status).toBe(403);
    const READINGS = `query ($id: ID!) { node(id: $id) { ... on RecoveredState { readings { way actor { id } credentialId } } } }`;
    expect((await scene.api.ask(READINGS, { id })).node.readings).toEqual([
      { way: "DOWNLOAD", actor: { id: ADMIN_ACTOR_ID }, credentialId: expect.stringMatching(/^tok_/) },
    ]);
    expect(workspace.lock).toEqual({ reason: "APPLY_INTERRUPTED", recoveredStates: [{ id }] });
    expect(run.recoveredStates).toEqual([{ id, decision: null }]);
    expect(run.refusedRequests.totalCount).toBe(0);
    expect(await serials(spot)).toEqual([1]);
    expect((await scene.api.ask("query ($id: ID!) { node(id: $id) { __typename id } }", { id })).node).toEqual({
      __typename: "RecoveredState",
      id,
    });
  });

  it("is one of five at most, and refused where it is malformed", async () => {
    const spot = await lost();
    const answers = await Promise.all(
      [2, 3, 4, 5, 6, 7, 8].map((serial) => spot.job.writeState("engine", state(serial))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 202, 202, 202, 410, 410]);
    expect((await spot.job.writeState("engine", { serial: 9 })).status).toBe(400);
    expect((await seen(spot)).workspace.recoveredStates).toHaveLength(5);
    expect((await seen(spot)).run.refusedRequests.totalCount).toBe(3);
  });

  it("is taken from the last job of an ended run alone", async () => {
    // Not the last one: the apply was taken up again before it began.
    const early = await scene.reach("PREPARING/APPLY");
    scene.server.advance(LEASE_MS);
    await loseExpiredLeases(scene.server.deps);
    expect((await early.job.writeState("x", state(1))).status).toBe(410);
    const again = await scene.claim(early.runId);
    expect((await early.job.writeState("x", state(1))).status).toBe(410);
    await again.apply(1);
    expect((await early.job.writeState("x", state(2))).status).toBe(410);
    expect((await again.writeState("x", state(2))).status).toBe(202);
    // Not on a leg that may write one.
    const plan = await scene.reach("FAILED");
    expect((await plan.job.writeState("x", state(1))).status).toBe(403);
    expect((await seen(plan)).workspace.recoveredStates).toEqual([]);
  });

  it("becomes a version of its run where somebody adopts it, and the lock stays", async () => {
    const spot = await lost();
    await spot.job.writeState("engine", state(2, { outputs: { a: { value: "x", sensitive: false } } }));
    const [{ id }] = (await seen(spot)).workspace.recoveredStates;
    const writer = await scene.login("APPROVER");
    expect(await decide("adopt", id, writer)).toMatchObject({ code: "FORBIDDEN" });
    expect(await decide("adopt", "rcv_01m7y4p43ns2fjhfh67kxqcdjj")).toMatchObject({ code: "NOT_FOUND" });
    expect(await decide("adopt", spot.runId)).toMatchObject({ code: "NOT_FOUND" });
    const adopted = await decide("adopt", id);
    expect(adopted).toMatchObject({
      recoveredState: { decision: "ADOPTED", note: "looked" },
      workspace: { lock: { reason: "APPLY_INTERRUPTED" } },
    });
    expect(await decide("adopt", id)).toEqual(adopted);
    expect(await decide("discard", id)).toMatchObject({ code: "INVALID_INPUT" });
    expect(await serials(spot)).toEqual([1, 2]);
    expect(await scene.workspace(spot.workspaceId)).toMatchObject({ outputs: [{ name: "a", value: "x" }] });
    expect((await seen(spot)).workspace).toMatchObject({ recoveredStates: [], lock: { recoveredStates: [] } });
    await scene.quick("unlockWorkspace", { workspaceId: spot.workspaceId, force: true });
    const next = await scene.claim(await scene.createRun(spot.workspaceId));
    expect(next.job.stateSerial).toBe(2);
    expect((await next.request("GET", "state")).body).toMatchObject({ serial: 2 });
  });

  it("is not adopted while a run is at work, nor where the state moved on, and plans of the older one go", async () => {
    const spot = await lost();
    await spot.job.writeState("engine", state(5));
    await spot.job.writeState("engine", state(3, { lineage: "other" }));
    const [other, mine] = (await seen(spot)).workspace.recoveredStates;
    const refusal = { code: "INVALID_INPUT", issues: [{ path: ["recoveredStateId"] }] };
    expect(await decide("adopt", other.id)).toMatchObject(refusal);
    expect(await decide("discard", other.id)).toMatchObject({ recoveredState: { decision: "DISCARDED" } });
    const { unlockWorkspace } = await scene.api.ask(
      `mutation ($input: UnlockWorkspaceInput!) { unlockWorkspace(input: $input) { ... on UnlockWorkspaceSuccess { warnings } } }`,
      { input: { workspaceId: spot.workspaceId, force: true } },
    );
    expect(unlockWorkspace.warnings).toEqual([expect.stringContaining("stored and undecided")]);
    const runId = await scene.createRun(spot.workspaceId);
    const job = await scene.claim(runId);
    expect(await decide("adopt", mine.id)).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      message: expect.stringMatching(/^Run \d+ is PREPARING: wait for its end, then adopt the state\.$/),
      run: { id: runId },
    });
    await job.plan();
    // At its gate a plan is nobody's work: it is stale from then on.
    const second = await lost();
    await second.job.writeState("engine", state(2));
    await scene.quick("unlockWorkspace", { workspaceId: second.workspaceId, force: true });
    const waiting = await scene.createRun(second.workspaceId);
    await (await scene.claim(waiting)).plan();
    const [late] = (await seen(second)).workspace.recoveredStates;
    // Who locks a workspace means that its state stays as it is.
    await scene.quick("lockWorkspace", { workspaceId: second.workspaceId, note: "mine" });
    expect(await decide("adopt", late.id, await scene.login("ADMIN"))).toMatchObject({
      code: "WORKSPACE_LOCKED",
      message: expect.stringMatching(/ locked by admin since \S+: "mine"\. Unlock it, then adopt the state\.$/),
    });
    expect(await decide("adopt", late.id)).toMatchObject({ recoveredState: { decision: "ADOPTED" } });
    expect((await scene.run(waiting, "status")).status).toBe("DISCARDED");
    // What another run has written since is not in it, however high its serial is.
    await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    await (await scene.claim(runId)).apply(2, "line");
    expect(await decide("adopt", mine.id)).toMatchObject(refusal);
    expect(await serials(spot)).toEqual([1, 2]);
  });

  it("is mentioned by the run that breaks the lock", async () => {
    const spot = await lost();
    await spot.job.writeState("engine", state(2));
    const runId = await scene.createRun(spot.workspaceId, { kind: "UNLOCK" });
    const job = await scene.claim(runId);
    for (const type of ["prepared", "initialized", "performed"] as const) await job.message({ type });
    expect(await scene.run(runId, "outcome", "reason")).toMatchObject({
      outcome: "UNLOCKED",
      reason: expect.stringContaining("stored and undecided"),
    });
    expect((await seen(spot)).workspace.recoveredStates).toHaveLength(1);
  });
});
