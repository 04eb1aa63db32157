import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";
import { WARNING } from "../support/diagnostics.ts";
import { fakePlan, RUNNER_SELF } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";

let scene: Scene;
let plan: Spot;
let apply: Spot;
beforeAll(async () => {
  scene = await openScene();
  plan = await scene.reach("PLANNING");
  await plan.job.request("PUT", "archive", Buffer.from("archive"));
  apply = await scene.reach("APPLYING");
  await apply.job.lockState("x");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const LOCK = { ID: "x", Operation: "", Info: "", Who: "", Version: "", Created: "", Path: "" };
const planned = (plan: object) => ({ sequence: 3, type: "planned", plan: { ...fakePlan(), ...plan } });
const changed = (change: object) => planned({ resourceChanges: [{ ...fakePlan().resourceChanges[0], ...change }] });
const engineError = (error: object) => ({ summary: "x", detail: "", ...error });
const failed = (failure: object) => ({
  sequence: 3,
  type: "failed",
  failure: { code: "PLAN_FAILED", summary: "", message: "", evidence: [], ...failure },
});

/** What is wrong, and the field that the answer names. */
const BAD: [path: string, body: unknown, field: string][] = [
  ["heartbeat", { waitMs: -1 }, "waitMs"],
  ["heartbeat", { waitMs: 10_001 }, "waitMs"],
  ["heartbeat", { waitMs: "1" }, "waitMs"],
  ["messages", { type: "prepared" }, "sequence"],
  ["messages", { sequence: 0, type: "prepared" }, "sequence"],
  ["messages", { sequence: 3, type: "finished" }, "type"],
  ["messages", { sequence: 3, type: "planned" }, "plan"],
  ["messages", planned({ digest: "x" }), "plan.digest"],
  ["messages", planned({ stateSerial: -1 }), "plan.stateSerial"],
  ["messages", planned({ engine: { name: "", version: "1" } }), "plan.engine.name"],
  ["messages", planned({ counts: { ...fakePlan().counts, additions: 2 ** 31 } }), "plan.counts.additions"],
  [
    "messages",
    planned({ resourceChanges: [{ ...fakePlan().resourceChanges[0], action: "?" }] }),
    "plan.resourceChanges.0.action",
  ],
  ["messages", changed({ reason: "BECAUSE" }), "plan.resourceChanges.0.reason"],
  ["messages", changed({ replacePaths: "size" }), "plan.resourceChanges.0.replacePaths"],
  ["messages", changed({ replacePaths: Array(101).fill("a") }), "plan.resourceChanges.0.replacePaths"],
  ["messages", changed({ dependsOn: "a.b" }), "plan.resourceChanges.0.dependsOn"],
  ["messages", changed({ dependsOn: Array(101).fill("a.b") }), "plan.resourceChanges.0.dependsOn"],
  ["messages", changed({ index: 1 }), "plan.resourceChanges.0.index"],
  ["messages", changed({ provider: {} }), "plan.resourceChanges.0.provider"],
  ["messages", changed({ deposed: false }), "plan.resourceChanges.0.deposed"],
  ["messages", changed({ importId: 5 }), "plan.resourceChanges.0.importId"],
  ["messages", planned({ outputValues: [{ name: "o", before: 1, after: 2 }] }), "plan.outputValues.0.unknown"],
  ["messages", planned({ diagnostics: [{ ...WARNING, severity: "INFO" }] }), "plan.diagnostics.0.severity"],
  ["messages", planned({ diagnostics: [{ ...WARNING, logLine: 0 }] }), "plan.diagnostics.0.logLine"],
  ["messages", planned({ diagnostics: [{ ...WARNING, summary: "x".repeat(501) }] }), "plan.diagnostics.0.summary"],
  ["messages", planned({ diagnostics: Array(201).fill(WARNING) }), "plan.diagnostics"],
  ["messages", failed({ diagnostics: [{ ...WARNING, line: "3" }] }), "failure.diagnostics.0.line"],
  ["messages", planned({ outputChanges: [{ name: 1 }] }), "plan.outputChanges.0.name"],
  ["messages", failed({ code: "OTHER" }), "failure.code"],
  ["messages", failed({ stage: "NOWHERE" }), "failure.stage"],
  ["messages", failed({ evidence: "x" }), "failure.evidence"],
  ["messages", failed({ engine: "other" }), "failure.engine"],
  ["messages", failed({ errors: [{ summary: "x" }] }), "failure.errors.0.detail"],
  ["messages", failed({ errors: [engineError({ address: "x".repeat(1001) })] }), "failure.errors.0.address"],
  ["messages", failed({ errors: [engineError({ summary: "x".repeat(501) })] }), "failure.errors.0.summary"],
  ["messages", failed({ errors: [engineError({ detail: "ü".repeat(2049) })] }), "failure.errors.0.detail"],
  ["messages", failed({ errors: Array.from({ length: 101 }, () => engineError({})) }), "failure.errors"],
  ["state/lock", { ...LOCK, ID: "" }, "ID"],
  ["state/lock", { ...LOCK, ID: "x".repeat(201) }, "ID"],
  ["state/lock", { ID: "x" }, "Operation"],
  ["state/unlock", {}, "ID"],
];

describe("a body that is malformed names its field", () => {
  it.each(walk(BAD, 12))("%s %j", async (path, body, field) => {
    const before = await scene.run(plan.runId);
    const answer = await plan.job.request("POST", path, body);
    expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    expect(answer.body.message).toMatch(new RegExp(`^${field.replaceAll(".", "\\.")}: `));
    expect(await scene.run(plan.runId)).toEqual(before);
  });

  it.each(
    walk(
      [
        [{ lineage: "l" }, "serial"],
        [{ serial: -1, lineage: "l" }, "serial"],
        [{ serial: 1 }, "lineage"],
        [{ serial: 1, lineage: "" }, "lineage"],
        [{ serial: 1, lineage: "l", outputs: { a: { sensitive: 1, value: 1 } } }, "outputs.a.sensitive"],
        [{ serial: 1, lineage: "l", outputs: [] }, "outputs"],
      ],
      2,
    ),
  )("state %j", async (state, field) => {
    const answer = await apply.job.writeState("x", state);
    expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    expect(answer.body.message).toMatch(new RegExp(`^${field}`));
  });

  it.each(
    walk(
      [
        [{ claimId: "short" }, "claimId"],
        // What the server calls the claim of an apply that follows its plan: nobody may take it, nor its place.
        [{ claimId: "after:job_01m7y4p43ns2fjhfh67kxqcdjj" }, "claimId"],
        [{ runner: { ...RUNNER_SELF, name: "" } }, "runner.name"],
        [{ runner: { ...RUNNER_SELF, instance: undefined } }, "runner.instance"],
        [{ runner: { ...RUNNER_SELF, labels: ["a b"] } }, "runner.labels.0"],
        [{ runner: { ...RUNNER_SELF, slots: 0 } }, "runner.slots"],
        [{ runner: { ...RUNNER_SELF, draining: "no" } }, "runner.draining"],
        [{ engine: { name: "terraform" } }, "engine.version"],
        [{ engine: undefined }, "engine"],
        [{ waitMs: 25_001 }, "waitMs"],
      ],
      3,
    ),
  )("claim %j", async (input, field) => {
    const body = { claimId: "x".repeat(16), runner: RUNNER_SELF, engine: null, waitMs: 0, ...input };
    const response = await fetch(`${scene.server.url}/runner/v1/claim`, {
      method: "POST",
      headers: { authorization: `Bearer ${scene.server.runnerToken}` },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(400);
    expect((await response.json()).message).toMatch(new RegExp(`^${field}: `));
  });
});

describe("what is no JSON, or holds what text cannot hold", () => {
  it.each(walk(["", "{", "null", "[]", '"x"', "1", "\u0000", '{"waitMs":0}}', "{'waitMs':0}"], 3))(
    "%j",
    async (text) => {
      for (const path of ["messages", "state/lock"]) {
        expect(await plan.job.request("POST", path, Buffer.from(text))).toMatchObject({
          status: 400,
          body: { code: "MALFORMED" },
        });
      }
    },
  );

  it("U+0000 in any text", async () => {
    const bodies: [string, unknown][] = [
      ["messages", planned({ text: "a\0b" })],
      ["messages", planned({ outputChanges: [{ name: "\0", action: "CREATE", sensitive: false }] })],
      ["messages", failed({ message: "a\0b" })],
      ["state/lock", { ...LOCK, Who: "\0" }],
    ];
    for (const [path, body] of bodies) {
      const answer = await plan.job.request("POST", path, body);
      expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
      expect(answer.body.message).toContain("U+0000");
    }
  });

  it("a backslash before u0000 is text", async () => {
    expect((await plan.job.log("PLAN", String.raw`a\u0000b`)).status).toBe(200);
  });

  it("half a character is kept as the replacement character", async () => {
    const spot = await scene.reach("PLANNING");
    await spot.job.request("PUT", "archive", Buffer.from("archive"));
    expect((await spot.job.log("PLAN", "a\ud83d")).status).toBe(200);
    const [change] = fakePlan().resourceChanges;
    const message = {
      ...planned({ text: "\ud83d", resourceChanges: [{ ...change, after: { "k\udc00": "v\ud83d" } }] }),
    };
    expect((await spot.job.request("POST", "messages", message)).status).toBe(200);
    const failing = await scene.reach("PLANNING");
    const answer = await failing.job.request("POST", "messages", failed({ evidence: ["\ud83d"], message: "\ud83d" }));
    expect(answer.status).toBe(200);
    expect((await scene.run(failing.runId, "failure")).failure.evidence).toEqual(["\ufffd"]);
  });
});

describe("what is too large is refused before it is read", () => {
  it.each([
    ["log", 512 * 1024],
    ["heartbeat", 1024 * 1024],
    ["state/lock", 1024 * 1024],
    ["messages", 64 * 1024 * 1024],
  ])("%s past %d bytes", async (path, limit) => {
    const answer = await plan.job.request("POST", path, Buffer.alloc(limit + 1, " "));
    expect(answer).toMatchObject({ status: 413, body: { code: "TOO_LARGE" } });
    expect((await plan.job.request("POST", path, Buffer.alloc(1024, " "))).status).toBe(400);
  });

  it("and what is just not too large is taken", async () => {
    const spot = await scene.reach("PLANNING");
    const lines = Array.from({ length: 7 }, () => "x".repeat(64 * 1024 + 256));
    const { status, body } = await spot.job.log("PLAN", ...lines);
    expect({ status, body }).toEqual({ status: 200, body: { nextLine: 8, atOnce: LIMITS.logPostsAtOnce } });
  });
});
