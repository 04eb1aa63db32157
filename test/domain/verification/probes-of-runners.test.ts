/** Probes that runners of a pool send: offered, leased under a fence, reported, and missed. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SamplingAnswer } from "../../../src/ingestion/wire.ts";
import { failedSample, passedSample } from "../../../src/model/probe/probe-sample.ts";
import { VERIFICATION_LIMITS } from "../../../src/model/workspace/verification-limits.ts";
import type { Data } from "../../support/api.ts";
import { addPool, type Pool } from "../../support/fleet.ts";
import { type SamplingRunner, samplingRunnerOf } from "../../support/sampling-runner.ts";
import {
  conclude,
  readVerified,
  startVerificationWork,
  type ToldProber,
  toldProber,
  type VerificationWork,
} from "../../support/verification-steps.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

const FAIL = failedSample("STATUS", "It answered with status 500; expected is 2xx, 3xx.");
const SECRET = "correct-horse-battery";

let scene: Scene;
let prober: ToldProber;
let work: VerificationWork;
let pool: Pool;
let poolName = "";
let runner: SamplingRunner;
let other: SamplingRunner;
let count = 0;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(async () => {
  prober = toldProber();
  work = startVerificationWork(scene.server.deps, prober);
  poolName = `inside${++count}`;
  pool = await addPool(scene.server, poolName, false);
  runner = samplingRunnerOf(scene.server.url, pool.secret, "one");
  other = samplingRunnerOf(scene.server.url, pool.secret, "two");
});
afterEach(async () => {
  await work[Symbol.asyncDispose]();
  await scene.rows(
    "update verification set due_at = null, samples_due_at = null, samples_lease_id = null, samples_lease_until = null",
  );
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const seconds = (amount: number): void => scene.server.advance(amount * 1000);
const read = (runId: string): Promise<Data> => readVerified(scene.api, runId);
const probe = (more: object = {}): object => {
  return { name: "db", kind: "TCP", use: "VERIFY", from: "RUNNERS", target: "10.0.0.7:5432", ...more };
};

interface Given {
  probes?: object[];
  verificationSettings?: object;
  settings?: object;
}

async function workspace({ probes = [probe()], verificationSettings = {}, settings = {} }: Given = {}) {
  const workspaceId = await scene.createWorkspace();
  await scene.quick("updateWorkspace", {
    workspaceId,
    probes,
    verificationSettings,
    runnerPoolId: pool.id,
    ...settings,
  });
  return workspaceId;
}

/** A run that is approved; the baseline of the server is taken. */
async function confirmed(workspaceId: string): Promise<string> {
  const runId = await scene.createRun(workspaceId);
  const job = await pool.claim();
  await job?.plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  await work.step();
  return runId;
}

async function applied(workspaceId: string): Promise<string> {
  const runId = await confirmed(workspaceId);
  const job = await pool.claim();
  await job?.apply(0, "line");
  return runId;
}

async function leased(by: SamplingRunner = runner): Promise<SamplingAnswer> {
  const found = await by.lease();
  if (found === null) throw new Error("There are no probes.");
  return found;
}

/** Lets a runner sample every ten seconds, for so many rounds. */
async function sample(rounds: number, result = passedSample(1)): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    seconds(10);
    expect(await runner.report(await leased(), result)).toBe(204);
  }
}

describe("a private service", () => {
  it("is verified by a runner within 35 s of the apply, without a server that probes", async () => {
    const runId = await applied(await workspace());
    expect(await read(runId)).toMatchObject({ status: "VERIFYING", verification: { status: "RUNNING" } });
    expect(await runner.lease()).toBeNull();
    await sample(3);
    expect(await read(runId)).toMatchObject({
      status: "FINISHED",
      verification: { status: "PASSED", probes: [{ name: "db", passesInARow: 3, attempts: 3, from: "RUNNERS" }] },
    });
    expect(prober.asked).toEqual([]);
  });

  it("is not sampled by another probe than the one with which its verification began", async () => {
    const settings = { verificationSettings: { successesInARow: 1 } };
    const workspaceId = await workspace(settings);
    const runId = await applied(workspaceId);
    await sample(1, FAIL);
    const easier = probe({ timeoutMs: 9000 });
    await scene.quick("updateWorkspace", { workspaceId, probes: [easier] });
    seconds(10);
    // The runner is faster than the server.
    expect(await runner.lease()).toBeNull();
    await work.step();
    expect(await read(runId)).toMatchObject({
      status: "VERIFYING",
      verification: { status: "INCONCLUSIVE", reason: "The required probe db was changed since the apply." },
    });
    await conclude(scene.api, { runId, judgement: "BAD", comment: "It was red." });
  });

  it("leaves the runner's slot and the workspace's place free", async () => {
    await applied(await workspace());
    seconds(10);
    await leased();
    expect(
      await scene.rows(
        "select 1 from job where ended_at is null and runner_id in (select id from runner where pool_id = $1)",
        pool.id,
      ),
    ).toEqual([]);
    expect(await scene.rows("select 1 from runner where pool_id = $1 and probes_at is not null", pool.id)).toHaveLength(
      1,
    );
  });

  it("takes no place of the organization, which an apply does", async () => {
    const [organization] = await scene.rows("select id from organization where slug = 'default'");
    const limit = (concurrencyLimit: number) =>
      scene.send("updateOrganization", { organizationId: organization?.["id"], concurrencyLimit });
    const workspaceId = await workspace();
    await confirmed(workspaceId);
    await limit(1);
    const applying = await pool.claim();
    const waiting = await scene.createRun(await scene.createWorkspace());
    expect(await pool.claim({ name: "idle" })).toBeNull();
    await applying?.apply(0, "line");
    seconds(10);
    // One runner samples, and another one gets the run for which there was no place.
    await leased();
    const job = await pool.claim({ name: "idle" });
    await limit(1000);
    expect(job?.job.run.id).toBe(waiting);
    await job?.plan();
    await scene.quick("discardRun", { runId: waiting });
  });

  it("that is red fails the run, and passes of the server do not help it", async () => {
    const probes = [probe(), probe({ name: "web", kind: "HTTP", from: "SERVER", target: "https://a.test/x" })];
    const runId = await applied(await workspace({ probes, verificationSettings: { windowSeconds: 40 } }));
    await work.step();
    for (let round = 0; round < 4; round++) {
      await sample(1, FAIL);
      await work.step();
    }
    seconds(10);
    await work.step();
    expect(await read(runId)).toMatchObject({
      status: "FAILED",
      failure: { code: "DEPLOYMENT_VERIFICATION_FAILED", evidence: [`db (10.0.0.7:5432): ${FAIL.reason}`] },
      verification: { status: "FAILED" },
    });
  });

  it("passes with the server's probes at the same time, whoever is last", async () => {
    const probes = [probe(), probe({ name: "web", kind: "HTTP", from: "SERVER", target: "https://a.test/x" })];
    const runId = await applied(await workspace({ probes }));
    await sample(3);
    expect((await read(runId))["status"]).toBe("VERIFYING");
    for (let round = 0; round < 3; round++) {
      await work.step();
      seconds(10);
    }
    expect((await read(runId))["verification"].probes).toMatchObject([{ passesInARow: 3 }, { passesInARow: 3 }]);
    expect((await read(runId))["status"]).toBe("FINISHED");
  });

  it("is sampled where its probe is set after the apply", async () => {
    const shown = probe({ kind: "HTTP", from: "SERVER", target: "https://a.test/x", weight: "INFORMATIONAL" });
    const workspaceId = await workspace({ probes: [shown] });
    const runId = await applied(workspaceId);
    seconds(10);
    expect(await runner.lease()).toBeNull();
    await scene.quick("updateWorkspace", { workspaceId, probes: [probe()] });
    await work.step();
    expect(await runner.report(await leased())).toBe(204);
    expect((await read(runId))["verification"].probes).toMatchObject([{ name: "db", attempts: 1 }]);
  });
});

describe("a baseline", () => {
  it.each(
    walk(
      [
        [passedSample(1), true],
        [FAIL, false],
        [failedSample("NO_PROBER", "It could not run."), null],
      ],
      2,
    ),
  )("of %o is %s", async (found, baselinePassed) => {
    const runId = await confirmed(await workspace());
    const asked = await leased();
    expect(asked.tries).toBe(VERIFICATION_LIMITS.baselineTries);
    expect((await read(runId))["verification"]).toMatchObject({ status: "PENDING", baselinePassed: null });
    expect(await runner.report(asked, found)).toBe(204);
    expect((await read(runId))["verification"]).toMatchObject({ baselinePassed });
    expect(await runner.lease()).toBeNull();
    await scene.quick("discardRun", { runId });
  });

  it("is that of server and runners together, and no command is a part of it", async () => {
    const probes = [
      probe(),
      probe({ name: "web", kind: "HTTP", from: "SERVER", target: "https://a.test/x" }),
      probe({ name: "smoke", kind: "COMMAND", target: "true", weight: "INFORMATIONAL" }),
    ];
    const runId = await confirmed(await workspace({ probes }));
    expect((await read(runId))["verification"].baselinePassed).toBeNull();
    const asked = await leased();
    expect(asked.commands).toEqual([]);
    await runner.report(asked);
    expect((await read(runId))["verification"].baselinePassed).toBe(true);
    await scene.quick("discardRun", { runId });
  });

  it("that comes after the apply has ended is refused", async () => {
    const runId = await confirmed(await workspace());
    const asked = await leased();
    await (await pool.claim())?.apply(0, "line");
    expect(await runner.report(asked, FAIL)).toBe(410);
    expect((await read(runId))["verification"]).toMatchObject({ status: "RUNNING", baselinePassed: null });
    await scene.quick("cancelRun", { runId });
  });
});

describe("without a prober", () => {
  it("it is inconclusive, never failed, and the reason names the pool and the setting", async () => {
    const runId = await applied(await workspace({ verificationSettings: { windowSeconds: 30 } }));
    for (let round = 0; round < 12; round++) {
      seconds(10);
      await work.step();
    }
    const reason = `The probe db was never sent. No runner of the pool ${poolName} sends probes. Start one with HOLDPOINT_RUNNER_PROBES=50.`;
    expect(await read(runId)).toMatchObject({
      status: "VERIFYING",
      requiredAction: "JUDGE_VERIFICATION",
      verification: { status: "INCONCLUSIVE", reason },
    });
    await runner.lease();
    expect(await runner.lease()).toBeNull();
    await conclude(scene.api, { runId, judgement: "GOOD", comment: "It works." });
  });

  it("names the labels that are asked for", async () => {
    const settings = { runnerLabels: ["vpc"] };
    const workspaceId = await workspace({ verificationSettings: { windowSeconds: 30 }, settings });
    const runId = await scene.createRun(workspaceId);
    await (await pool.claim({ name: "vpc", labels: ["vpc"] }))?.plan();
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
    await (await pool.claim({ name: "vpc", labels: ["vpc"] }))?.apply(0, "line");
    seconds(10);
    // Of the pool, but without the label.
    expect(await runner.lease()).toBeNull();
    for (let round = 0; round < 6; round++) {
      seconds(10);
      await work.step();
    }
    expect((await read(runId))["verification"].reason).toContain(`of the pool ${poolName} with the labels vpc sends`);
  });

  it("a runner that died while it failed does not fail the run", async () => {
    const runId = await applied(await workspace({ verificationSettings: { windowSeconds: 120 } }));
    await sample(3, FAIL);
    for (let round = 0; round < 12; round++) {
      seconds(10);
      await work.step();
    }
    expect((await read(runId))["verification"]).toMatchObject({
      status: "INCONCLUSIVE",
      reason: expect.stringContaining("has 3 results of this window"),
    });
  });

  it.each([
    ["of another pool", () => addPool(scene.server, `other${++count}`, false)],
    ["of a reserved pool", () => addPool(scene.server, `reserved${++count}`, true)],
  ])("a runner %s gets nothing", async (_name, make) => {
    await applied(await workspace());
    seconds(10);
    const theirs = samplingRunnerOf(scene.server.url, (await make()).secret);
    expect(await theirs.lease()).toBeNull();
    expect(await samplingRunnerOf(scene.server.url, scene.server.runnerToken).lease()).toBeNull();
    expect(await runner.lease()).not.toBeNull();
  });

  it("a workspace that names no pool is sampled by any runner of its organization", async () => {
    const runId = await applied(await workspace());
    await scene.rows(
      "update workspace set runner_pool_id = null where id = (select workspace_id from run where id = $1)",
      runId,
    );
    seconds(10);
    const shared = samplingRunnerOf(scene.server.url, scene.server.runnerToken, "embedded");
    expect(await shared.report(await leased(shared))).toBe(204);
  });
});

describe("a lease", () => {
  it("is one runner's until it ends, then another's; the window is kept", async () => {
    const runId = await applied(await workspace());
    const before = (await read(runId))["verification"].endsBy;
    seconds(10);
    const lost = await leased();
    expect(await other.lease()).toBeNull();
    seconds(VERIFICATION_LIMITS.leaseMs / 1000);
    const next = await leased(other);
    expect(next.fence).toBe(lost.fence + 1);
    expect(await runner.report(lost)).toBe(410);
    expect(await other.report(next)).toBe(204);
    expect(await other.report(next)).toBe(410);
    expect((await read(runId))["verification"]).toMatchObject({ endsBy: before, probes: [{ attempts: 1 }] });
  });

  it("that has ended is refused although no one else has it: its samples are old", async () => {
    const runId = await applied(await workspace());
    seconds(10);
    const late = await leased();
    seconds(VERIFICATION_LIMITS.leaseMs / 1000);
    expect(await runner.report(late)).toBe(410);
    expect((await read(runId))["verification"].probes).toMatchObject([{ attempts: 0 }]);
  });

  it("is the same for a repeated request", async () => {
    await applied(await workspace());
    seconds(10);
    const leaseId = randomUUID();
    const first = await runner.lease({ leaseId });
    expect(first).not.toBeNull();
    expect(await runner.lease({ leaseId })).toEqual(first);
  });

  it("is of one runner of two that ask at the same time", async () => {
    await applied(await workspace());
    seconds(10);
    const got = await Promise.all([runner.lease(), other.lease()]);
    expect(got.filter((one) => one !== null)).toHaveLength(1);
  });

  it("wakes a runner that waits, at the instant when probes are due", async () => {
    const workspaceId = await workspace({ verificationSettings: { initialDelaySeconds: 0 } });
    await confirmed(workspaceId);
    await runner.report(await leased());
    const waiting = runner.lease({ waitMs: 20_000 });
    await (await pool.claim())?.apply(0, "line");
    expect(await waiting).not.toBeNull();
  });

  it("is not given to a runner that drains", async () => {
    await applied(await workspace());
    seconds(10);
    expect(await runner.lease({ draining: true })).toBeNull();
  });

  it("ends with the run", async () => {
    const runId = await applied(await workspace());
    seconds(10);
    const asked = await leased();
    await scene.quick("cancelRun", { runId });
    expect(await runner.report(asked, FAIL)).toBe(410);
    expect(await read(runId)).toMatchObject({ status: "STOPPED", verification: { status: "CANCELED" } });
    expect(await runner.lease()).toBeNull();
  });

  it("after the window counts for nothing", async () => {
    const runId = await applied(await workspace({ verificationSettings: { windowSeconds: 30 } }));
    seconds(39);
    const asked = await leased();
    seconds(2);
    expect(await runner.report(asked, FAIL)).toBe(204);
    expect(await runner.lease()).toBeNull();
    expect((await read(runId))["verification"].probes).toMatchObject([{ attempts: 0 }]);
  });
});

describe("a runner that lies", () => {
  it("reports nothing without the token of its lease, and nothing of the server's probes", async () => {
    const probes = [probe(), probe({ name: "web", kind: "HTTP", from: "SERVER", target: "https://a.test/x" })];
    const runId = await applied(await workspace({ probes }));
    seconds(10);
    const asked = await leased();
    for (const change of [{ token: "x" }, { fence: asked.fence + 1 }, { id: "ver_0000000000000000000000000a" }]) {
      expect((await runner.post("report", { ...asked, ...change, samples: [] })).status).toBe(410);
    }
    const all = ["db", "web"].flatMap((name) =>
      ["10.0.0.7:5432", "https://a.test/x"].map((resolvedTarget) => {
        const samples = [passedSample(1), passedSample(1), passedSample(1)];
        return { name, target: 0, resolvedTarget, samples };
      }),
    );
    expect((await runner.post("report", { ...asked, samples: all })).status).toBe(204);
    expect((await read(runId))["verification"].probes).toMatchObject([
      { name: "db", attempts: 1 },
      { name: "web", attempts: 0 },
    ]);
  });

  it.each(
    walk(
      [
        { samples: [{ name: "db", target: 0, resolvedTarget: null, samples: [{ ...FAIL, ok: true }] }] },
        { samples: [{ name: "db", target: 0, resolvedTarget: null, samples: [{ ...FAIL, failure: "OTHER" }] }] },
        { samples: [{ name: "db", target: 0, resolvedTarget: null, samples: [{ ...FAIL, reason: "x".repeat(501) }] }] },
        { samples: [{ name: "db", target: 0, resolvedTarget: null, samples: Array(4).fill(FAIL) }] },
        { samples: Array(401).fill({ name: "db", target: 0, resolvedTarget: null, samples: [] }) },
        { fence: 0 },
      ],
      2,
    ),
  )("is refused with %o", async (change) => {
    await applied(await workspace());
    seconds(10);
    const asked = await leased();
    const { status, text } = await runner.post("report", { samples: [], ...asked, ...change });
    expect([status, JSON.parse(text).code]).toEqual([400, "MALFORMED"]);
  });

  it("gets nothing without a token", async () => {
    const stranger = samplingRunnerOf(scene.server.url, "hpr_nothing");
    expect((await stranger.post("lease", {})).status).toBe(401);
    expect((await stranger.post("report", {})).status).toBe(401);
  });
});

describe("commands", () => {
  const command = probe({ name: "smoke", kind: "COMMAND", target: "curl -f $HOLDPOINT_OUTPUT_URL" });

  it("come with the variables of the run and the outputs, and are stored with none of them in clear", async () => {
    const workspaceId = await workspace({ probes: [command] });
    await scene.send("setVariable", {
      workspaceId,
      key: "TOKEN",
      value: SECRET,
      category: "ENVIRONMENT",
      sensitive: true,
    });
    const runId = await applied(workspaceId);
    seconds(10);
    const asked = await leased();
    expect(asked).toMatchObject({
      requests: [],
      commands: [{ name: "smoke", command: "curl -f $HOLDPOINT_OUTPUT_URL", timeoutMs: 5000, resolvedTarget: null }],
      context: { run: { id: runId }, variables: [{ key: "TOKEN", value: SECRET, sensitive: true }], outputs: [] },
    });
    const [row] = await scene.rows("select v::text as text from verification v where run_id = $1", runId);
    expect(row?.["text"]).not.toContain(SECRET);
    expect(await runner.report(asked, failedSample("COMMAND", "The command ended with exit code 22."))).toBe(204);
    expect((await read(runId))["verification"].probes).toMatchObject([
      { name: "smoke", resolvedTarget: null, lastFailure: "The command ended with exit code 22." },
    ]);
  });

  it("have no context where there are none", async () => {
    await applied(await workspace());
    seconds(10);
    expect((await leased()).context).toBeNull();
  });
});
