import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { openScene, report, type Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import { waitUntil } from "../support/eventually.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

interface Answer {
  status: number;
  body: Data;
  headers: Headers;
}

interface Options {
  token?: string;
  url?: string;
  signal?: AbortSignal;
  method?: string;
}

async function wait(runId: string, query: string, options: Options = {}): Promise<Answer> {
  const { token = scene.api.token, url = scene.server.url, signal, method = "GET" } = options;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/runs/${runId}/wait?${query}`, { method, headers, ...(signal && { signal }) });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** Requests that are held open now, on the first server. */
const held = () => scene.server.hub.size;
const untilHeld = (count: number) => waitUntil(() => held() === count);
afterEach(() => untilHeld(0));

const approve = (runId: string, gate: string) => scene.quick("approveRun", { runId, gate, planVersion: 1 });

describe("a run that is where it is waited for", () => {
  it("is answered at once: at a gate", async () => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const run = await scene.run(runId);
    expect(await wait(runId, "until=gate")).toMatchObject({
      status: 200,
      body: {
        reached: true,
        run: {
          id: runId,
          number: 1,
          kind: "DEPLOY",
          status: "AWAITING_PLAN_APPROVAL",
          leg: "PLAN",
          outcome: null,
          isTerminal: false,
          version: run.version,
          planVersion: 1,
          requiredAction: "REVIEW_PLAN",
          reason: null,
          failure: null,
        },
      },
    });
  });

  it("is asked to decide at a gate, whether or not the workspace is locked", async () => {
    const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    await scene.quick("lockWorkspace", { workspaceId });
    expect((await wait(runId, "until=gate")).body.run.requiredAction).toBe("REVIEW_PLAN");
  });

  it("is answered at once: ended, for both, also if its end was seen", async () => {
    const { runId } = await scene.reach("FAILED");
    const failure = { code: "PLAN_FAILED", summary: "It failed." };
    const run = { status: "FAILED", isTerminal: true, requiredAction: "FIX_AND_RERUN", failure };
    for (const query of ["until=gate", "until=end", "until=end&after=2147483647"]) {
      expect(await wait(runId, query)).toMatchObject({ status: 200, body: { reached: true, run } });
    }
  });
});

describe("a run that is not there yet", () => {
  it("is answered with 202 when the time is over, with why it waits for a person", async () => {
    const { runId } = await scene.reach("READY");
    expect(await wait(runId, "until=gate&seconds=0")).toMatchObject({
      status: 202,
      body: { reached: false, run: { status: "READY", requiredAction: "WAIT" } },
    });
    expect(await wait(runId, "until=end&seconds=1")).toMatchObject({ status: 202, body: { reached: false } });
    const workspaceId = await scene.createWorkspace();
    await scene.quick("lockWorkspace", { workspaceId });
    const locked = await wait(await scene.createRun(workspaceId), "until=gate&seconds=0");
    expect(locked).toMatchObject({ status: 202, body: { run: { status: "QUEUED", requiredAction: "RELEASE_LOCK" } } });
  });

  it("is answered as soon as it is reached, on another server too", async () => {
    await using second = await scene.server.second();
    const spot = await scene.reach("PLANNING");
    const waiting = [
      wait(spot.runId, "until=gate&seconds=60"),
      wait(spot.runId, "until=gate&seconds=60", { url: second.url }),
    ];
    await waitUntil(() => held() === 1 && second.hub.size === 1);
    await spot.job.message({ type: "failed", failure: report("PLAN_FAILED") });
    for (const { status, body } of await Promise.all(waiting)) {
      expect({ status, reached: body.reached, run: body.run.status }).toEqual({
        status: 200,
        reached: true,
        run: "FAILED",
      });
    }
  });

  it("is waited for past the gate that was seen, and past gates for its end", async () => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const { version } = (await wait(runId, "until=gate")).body.run;
    expect(await wait(runId, `until=gate&after=${version}&seconds=0`)).toMatchObject({ status: 202 });
    const next = wait(runId, `until=gate&after=${version}&seconds=60`);
    const end = wait(runId, "until=end&seconds=60");
    await untilHeld(2);
    await approve(runId, "PLAN");
    expect(await next).toMatchObject({ status: 200, body: { run: { status: "AWAITING_APPLY_APPROVAL" } } });
    await untilHeld(1);
    await scene.quick("discardRun", { runId, comment: "not now" });
    expect(await end).toMatchObject({ status: 200, body: { run: { status: "DISCARDED", reason: "not now" } } });
  });
});

describe("who may not, and what cannot be used", () => {
  it("answers 401, 404 and 405 with JSON", async () => {
    const { runId } = await scene.reach("READY");
    const anonymous = await wait(runId, "until=end", { token: "hpt_unknown" });
    expect(anonymous).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    expect(anonymous.headers.get("www-authenticate")).toBe("Bearer");
    for (const id of ["run_00000000000000000000000000", "x", "%00", "ws_00000000000000000000000000"]) {
      expect(await wait(id, "until=end")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
    const post = await wait(runId, "until=end", { method: "POST" });
    expect(post).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
    const reader = await scene.login("READER");
    expect(await wait(runId, "until=end&seconds=0", { token: reader.token })).toMatchObject({ status: 202 });
  });

  it.each([
    ["", "until"],
    ["until=apply", "until"],
    ["until=gate&until=end", "until"],
    ["until=end&seconds=61", "seconds"],
    ["until=end&seconds=-1", "seconds"],
    ["until=end&seconds=1.5", "seconds"],
    ["until=end&seconds=", "seconds"],
    ["until=end&after=x", "after"],
    ["until=end&after=99999999999", "after"],
    ["until=end&timeout=5", "timeout"],
  ])("refuses ?%s, naming %s", async (query, parameter) => {
    const { runId } = await scene.reach("READY");
    const { status, body } = await wait(runId, query);
    expect({ status, code: body.code }).toEqual({ status: 400, code: "INVALID_INPUT" });
    expect(body.issues).toContainEqual({ path: [parameter], message: expect.any(String) });
    expect(body.message).toContain(`${parameter}: `);
  });
});

describe("a request that waits", () => {
  it("ends with 401 when its token is revoked", async () => {
    const { runId } = await scene.reach("READY");
    const reader = await scene.login("READER");
    const waiting = wait(runId, "until=end&seconds=60", { token: reader.token });
    await untilHeld(1);
    await scene.send("revokeToken", { tokenId: reader.tokenId });
    expect(await waiting).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
  });

  it("takes one of a token's places; who breaks off gives it back", async () => {
    const { runId } = await scene.reach("READY");
    const reader = await scene.login("READER");
    const leave = new AbortController();
    const ask = () => wait(runId, "until=end&seconds=60", { token: reader.token, signal: leave.signal });
    const waiting = Array.from({ length: LIMITS.runWaitsPerToken }, () => ask().catch(() => "gone"));
    await untilHeld(LIMITS.runWaitsPerToken);
    const refused = await wait(runId, "until=end", { token: reader.token });
    expect(refused).toMatchObject({ status: 503, body: { code: "TOO_MANY_WAITERS" } });
    expect(refused.headers.get("retry-after")).toBe("5");
    // What need not wait needs no place, and others have their own.
    expect(await wait(runId, "until=end&seconds=0", { token: reader.token })).toMatchObject({ status: 202 });
    const other = wait(runId, "until=end&seconds=60");
    await untilHeld(LIMITS.runWaitsPerToken + 1);
    leave.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["gone"]));
    await untilHeld(1);
    await scene.quick("cancelRun", { runId });
    expect(await other).toMatchObject({ status: 200 });
  });

  it("is answered at once when the server shuts down", async () => {
    const second = await scene.server.second();
    const { runId } = await scene.reach("READY");
    const waiting = wait(runId, "until=end&seconds=60", { url: second.url });
    await waitUntil(() => second.hub.size === 1);
    await second[Symbol.asyncDispose]();
    expect(await waiting).toMatchObject({ status: 202, body: { reached: false, run: { status: "READY" } } });
  });
});
