import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createJobs } from "../../src/domain/job/jobs.ts";
import { openScene, type Place, type Scene, type Spot } from "../domain/scene.ts";
import { claimAnswer } from "../support/fake-runner.ts";

let scene: Scene;
let plan: Spot;
let apply: Spot;
beforeAll(async () => {
  scene = await openScene();
  plan = await scene.reach("PLANNING");
  apply = await scene.reach("APPLYING");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const LOCK = { ID: "x", Operation: "", Info: "", Who: "", Version: "", Created: "", Path: "" };
/** Every request of a job. */
const REQUESTS: [method: string, path: string, body?: unknown][] = [
  ["POST", "heartbeat", { waitMs: 0 }],
  ["GET", "source"],
  ["GET", "archive"],
  ["PUT", "archive", Buffer.from("a")],
  ["POST", "log?phase=PLAN&firstLine=1", Buffer.from("0\tx")],
  ["POST", "messages", { sequence: 99, type: "prepared" }],
  ["GET", "state"],
  ["POST", "state?ID=x", { serial: 1, lineage: "l" }],
  ["POST", "state/lock", LOCK],
  ["POST", "state/unlock", LOCK],
];

describe.each(REQUESTS)("%s jobs/:id/%s", (method, path, body) => {
  it("lets in no other credential than the job's own", async () => {
    const { job } = plan;
    const own = job.job.token;
    const strangers = [
      "",
      "x",
      scene.api.token,
      scene.server.runnerToken,
      own.slice(0, -1),
      `${own}x`,
      own.toUpperCase(),
    ];
    const forged = [
      `hpj_${job.job.id}`,
      `hpj_${job.job.id}.`,
      `hpj_${apply.job.job.id}.${own.split(".")[1]}`,
      "hpj_x.y",
    ];
    for (const token of [...strangers, ...forged]) {
      const answer = await job.request(method, path, body, token);
      expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    }
    const foreign = await job.request(method, path, body, apply.job.job.token);
    expect(foreign).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  });
});

describe("a credential with one other character", () => {
  /** The text once for each of its characters, with another one there. */
  const altered = (text: string): string[] =>
    Array.from(text, (char, index) => text.slice(0, index) + (char === "A" ? "B" : "A") + text.slice(index + 1));

  it("of a job is refused, whether the job is known already or not", async () => {
    const jobs = createJobs(scene.server.deps);
    const { id, token } = plan.job.job;
    const prefix = `hpj_${id}.`;
    const forged = altered(token.slice(prefix.length)).map((mac) => prefix + mac);
    expect(forged).toHaveLength(43);
    for (const known of [false, true]) {
      for (const each of forged) expect([known, await jobs.authenticateJob(each)]).toEqual([known, null]);
      expect(await jobs.authenticateJob(token)).toMatchObject({ type: "job", jobId: id });
    }
  });

  it("of the embedded runner is refused", async () => {
    const jobs = createJobs(scene.server.deps);
    const { runnerToken } = scene.server;
    for (const each of altered(runnerToken)) expect(await jobs.authenticateRunner(each)).toBeNull();
    expect(await jobs.authenticateRunner(runnerToken)).toEqual({ type: "runner", poolId: null });
  });
});

describe("a job", () => {
  it("what each needs it gets", async () => {
    const get = (spot: Spot, path: string) =>
      fetch(`${scene.server.url}/runner/v1/jobs/${spot.job.job.id}/${path}`, {
        headers: { authorization: `bearer ${spot.job.job.token}` },
      });
    const source = await get(plan, "source");
    expect(source.headers.get("content-type")).toBe("application/octet-stream");
    const bytes = Buffer.from(await source.arrayBuffer());
    expect(bytes.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
    expect(await (await get(apply, "archive")).text()).toBe("archive");
    expect((await get(apply, "state")).status).toBe(204);
    expect((await get(plan, "state")).status).toBe(204);
  });
});

describe("asking for work", () => {
  it("is for runners alone", async () => {
    for (const token of ["", "x", scene.api.token, plan.job.job.token, `${scene.server.runnerToken}x`]) {
      expect(await claimAnswer(scene.server.url, token, "0123456789abcdef")).toMatchObject({
        status: 401,
        body: { code: "UNAUTHENTICATED" },
      });
    }
  });

  it("is all that a runner may do by itself", async () => {
    const { api, server } = scene;
    for (const token of [server.runnerToken, plan.job.job.token]) {
      expect((await api.as(token).send("{ viewer { role } }")).status).toBe(401);
      await using events = api.as(token).subscribe("subscription ($id: ID!) { runEvents(runId: $id) { __typename } }", {
        id: plan.runId,
      });
      await expect(events.next()).rejects.toMatchObject({ code: 4401 });
    }
  });
});

describe("what does not exist", () => {
  it.each([
    ["GET", "claim"],
    ["POST", "jobs"],
    ["POST", "nothing"],
    ["DELETE", "jobs/x/state"],
    ["GET", "jobs/x/constructor"],
    ["POST", "jobs/x/toString"],
  ])("%s %s is not found", async (method, path) => {
    const response = await fetch(`${scene.server.url}/runner/v1/${path}`, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a job that is over", () => {
  const OVER: [string, Place, (spot: Spot) => Promise<unknown>][] = [
    ["after its last message", "PLANNING", ({ job }) => job.message({ type: "handedBack" })],
    [
      "after a stop by force",
      "PLANNING",
      async ({ runId }) => {
        await scene.quick("cancelRun", { runId });
        scene.server.advance(60_000);
        await scene.quick("cancelRun", { runId, force: true });
      },
    ],
    [
      "after a stop by force before the apply",
      "PREPARING/APPLY",
      ({ runId }) => scene.quick("cancelRun", { runId, force: true }),
    ],
  ];
  it.each(OVER)("%s answers 410 to everything", async (_, place, end) => {
    const spot = await scene.reach(place);
    await end(spot);
    const before = await scene.run(spot.runId);
    for (const [method, path, body] of REQUESTS) {
      const answer = await spot.job.request(method, path, body);
      // What is not for its leg is not for it afterwards.
      const code = answer.status === 403 ? "FORBIDDEN" : "JOB_OVER";
      expect([path, answer.body.code]).toEqual([path, code]);
      expect([403, 410]).toContain(answer.status);
    }
    expect(await scene.run(spot.runId)).toEqual(before);
  });
});
