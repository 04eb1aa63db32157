import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../domain/scene.ts";
import { claim, claimAnswer, RUNNER_SELF } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

it("two servers' runners that claim at once never get the same run, and together get all", async () => {
  await using own = await openScene();
  await using second = await own.server.second();
  const runs: string[] = [];
  for (let i = 0; i < 24; i++) runs.push((await own.reach("READY")).runId);
  const taken: string[] = [];
  let rounds = 0;
  while (taken.length < runs.length && rounds++ < runs.length) {
    // All of a round are sent before the first is answered.
    const urls = [own.server.url, second.url, own.server.url, second.url];
    const jobs = await Promise.all(urls.map((url) => claim(url, own.server.runnerToken)));
    for (const job of jobs) if (job !== null) taken.push(job.job.run.id);
  }
  expect(taken.toSorted()).toEqual(runs.toSorted());
  const jobs = await own.rows("select run_id from job where ended_at is null");
  expect(jobs).toHaveLength(runs.length);
  expect(await claim(own.server.url, own.server.runnerToken)).toBeNull();
  await own.rows("select pg_stat_force_next_flush()");
  const [{ deadlocks }] = await own.rows("select deadlocks from pg_stat_database where datname = current_database()");
  expect(deadlocks).toBe(0);
  expect([...own.server.reported, ...second.reported]).toEqual([]);
});

it("the organization's limit holds however many claim at once", async () => {
  await using own = await openScene(2);
  for (let i = 0; i < 6; i++) await own.reach("READY");
  const jobs = await Promise.all(Array.from({ length: 8 }, () => claim(own.server.url, own.server.runnerToken)));
  expect(jobs.filter((job) => job !== null)).toHaveLength(2);
  expect(await own.rows("select status from run where status = 'PREPARING'")).toHaveLength(2);
});

// Each has a server of its own, and waits for it most of the time.
describe("a claim that waits", { concurrent: true }, () => {
  /** Sends a long poll, and gives it when the server has begun to wait for it. */
  async function wait(own: Scene, server = own.server): Promise<{ answer: ReturnType<typeof claimAnswer> }> {
    const before = server.hub.size;
    const answer = claimAnswer(server.url, server.runnerToken, crypto.randomUUID(), 25_000);
    while (server.hub.size === before) await setImmediate();
    return { answer };
  }

  it.each(
    walk(
      [
        ["a run is created", "CANCELED"],
        ["a replan is asked for", "AWAITING_PLAN_APPROVAL"],
        ["an apply is approved", "AWAITING_APPLY_APPROVAL"],
        ["a workspace is unlocked", "CONFIRMED"],
        ["a runner hands its job back", "PLANNING"],
      ] as const,
      2,
    ),
  )("is answered as soon as %s", async (_, place) => {
    await using own = await openScene();
    const { runId, workspaceId, job } = await own.reach(place);
    if (place === "CONFIRMED") {
      await own.rows("update workspace set lock_reason = 'MANUAL', locked_at = now() where id = $1", workspaceId);
    }
    const { answer } = await wait(own);
    // Whether it is still open: the poll's own end is 25 s away, longer than this test may take.
    const order: string[] = [];
    const answered = answer.then((each) => {
      order.push("answered");
      return each;
    });
    order.push("asked for");
    if (place === "CANCELED") await own.createRun(workspaceId);
    else if (place === "AWAITING_PLAN_APPROVAL") await own.quick("replanRun", { runId, planVersion: 1 });
    else if (place === "AWAITING_APPLY_APPROVAL")
      await own.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    else if (place === "CONFIRMED") await own.quick("unlockWorkspace", { workspaceId, force: true });
    else await job.message({ type: "handedBack" });
    const { status, body } = await answered;
    expect(status).toBe(200);
    expect(body.job.workspace.id).toBe(workspaceId);
    expect(order).toEqual(["asked for", "answered"]);
  });

  it("is answered as soon as another workspace's run makes room", async () => {
    await using own = await openScene(1);
    const { job } = await own.reach("PLANNING");
    const { runId } = await own.reach("READY");
    const { answer } = await wait(own);
    await job.request("PUT", "archive", Buffer.from("a"));
    // At a gate it occupies no runner any more, though it has not ended.
    await job.plan();
    await job.message({ type: "handedBack" }, 3);
    expect((await answer).body.job.run.id).toBe(runId);
  });

  it("is answered as soon as another server's run may go", async () => {
    await using own = await openScene();
    await using second = await own.server.second();
    const workspaceId = await own.createWorkspace();
    const { answer } = await wait(own, second);
    const runId = await own.createRun(workspaceId);
    expect((await answer).body.job.run.id).toBe(runId);
  });

  it("looks again by itself where the hint was lost", async () => {
    await using own = await openScene();
    const { runId } = await own.reach("READY");
    await own.rows("update dispatch set offered = false");
    const { answer } = await wait(own);
    await own.rows("update dispatch set offered = true");
    expect((await answer).body.job.run.id).toBe(runId);
  });

  it("is given up when its runner goes away, and takes nothing", async () => {
    await using own = await openScene();
    const gone = new AbortController();
    const request = fetch(`${own.server.url}/runner/v1/claim`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.server.runnerToken}` },
      body: JSON.stringify({
        claimId: "0123456789abcdef",
        runner: RUNNER_SELF,
        engine: null,
        waitMs: 25_000,
      }),
      signal: gone.signal,
    });
    while (own.server.hub.size === 0) await setImmediate();
    gone.abort();
    await expect(request).rejects.toThrow();
    while (own.server.hub.size > 0) await setImmediate();
    const { runId } = await own.reach("READY");
    expect((await own.run(runId)).status).toBe("READY");
    expect(own.server.reported).toEqual([]);
  });
});

it("a heartbeat that waits is answered as soon as a stop is asked for", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  const before = scene.server.hub.size;
  const beat = job.request("POST", "heartbeat", { waitMs: 10_000 });
  while (scene.server.hub.size === before) await setImmediate();
  await scene.quick("cancelRun", { runId });
  expect(await beat).toEqual({ status: 200, body: { cancelRequested: true, expired: null } });
});

it("a claim id that another runner has used is refused, and says what to do", async () => {
  const { url, runnerToken } = scene.server;
  await scene.reach("READY");
  const claimId = crypto.randomUUID();
  expect((await claimAnswer(url, runnerToken, claimId)).status).toBe(200);
  const message = "The claim belongs to another runner. Claim with a new claimId.";
  expect(await claimAnswer(url, runnerToken, claimId, 0, "other")).toMatchObject({
    status: 403,
    body: { code: "FORBIDDEN", message },
  });
});

it("applies come before plans, then whoever waited longest", async () => {
  await using own = await openScene();
  const young = await own.reach("AWAITING_APPLY_APPROVAL");
  const first = await own.reach("READY");
  const second = await own.reach("READY");
  await own.quick("approveRun", { runId: young.runId, gate: "APPLY", planVersion: 1 });
  const order = [];
  for (let i = 0; i < 3; i++) order.push((await claim(own.server.url, own.server.runnerToken))?.job.run.id);
  expect(order).toEqual([young.runId, first.runId, second.runId]);
});
