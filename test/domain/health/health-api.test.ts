/** The health of workspaces as people see it: fields, history, deployment status, streams and verifications. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keepBuckets } from "../../../src/domain/health/keep-buckets.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import { appliedWorkspace, confirmedRun, type HealthSteps, healthSteps, RED } from "../../support/health-steps.ts";
import { openEventSource } from "../../support/event-source.ts";
import { conclude, startVerificationWork, toldProber } from "../../support/verification-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const URL = "https://a.test/health";
const HOUR = 3_600_000;

let scene: Scene;
let steps: HealthSteps;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(() => {
  steps = healthSteps(scene);
});
afterEach(async () => {
  await steps[Symbol.asyncDispose]();
  await scene.rows("delete from probe");
  await steps.follow();
  await scene.rows("delete from prober");
  await scene.rows("delete from probe_shard");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const probe = (more: object = {}): object => {
  return { name: "web", kind: "HTTP", use: "HEALTH", from: "SERVER", target: URL, ...more };
};
const TARGET = "number address status since lastSampleAt latencyMs failure reason";
const HEALTH = `deploymentStatus runtimeHealth healthSince healthReason
  probes { name health { ${TARGET} } targets { number status } }`;

const read = async (workspaceId: string): Promise<Data> =>
  (await scene.api.ask(`query ($id: ID!) { workspace(by: { id: $id }) { ${HEALTH} } }`, { id: workspaceId })).workspace;

function ask(workspaceId: string, from: number, to: number, name = "web"): Promise<Data> {
  const query = `query ($id: ID!, $probe: String!, $from: DateTime!, $to: DateTime!) { workspace(by: { id: $id }) {
    healthHistory(probe: $probe, from: $from, to: $to) { from seconds samples bad held medianMs maxMs } } }`;
  const at = scene.server.deps.clock().getTime();
  const iso = (ms: number): string => new Date(at + ms).toISOString();
  return scene.api.ask(query, { id: workspaceId, probe: name, from: iso(from), to: iso(to) });
}
const history = async (workspaceId: string, from: number, to: number, name?: string): Promise<Data[]> =>
  (await ask(workspaceId, from, to, name)).workspace.healthHistory;

async function watched(...probes: object[]): Promise<string> {
  const workspaceId = await appliedWorkspace(scene, probes.length === 0 ? [probe()] : probes);
  await steps.follow();
  return workspaceId;
}

describe("the fields", () => {
  it("are UNKNOWN for a workspace without probes, and for one that is probed after applies alone", async () => {
    const none = await scene.createWorkspace();
    const reason = "No probe watches the health of this workspace.";
    const unknown = { runtimeHealth: "UNKNOWN", healthSince: null, healthReason: reason };
    expect(await read(none)).toMatchObject(unknown);
    const workspaceId = await watched(probe({ use: "VERIFY" }));
    await steps.start("a");
    await steps.pass(40);
    expect(await read(workspaceId)).toMatchObject({ ...unknown, probes: [{ health: null, targets: [] }] });
  });

  it("show the target of each probe, with its newest sample", async () => {
    const workspaceId = await watched();
    await steps.start("a");
    await steps.pass(40);
    const { healthSince } = await read(workspaceId);
    await steps.pass(400);
    const health = await read(workspaceId);
    expect(health).toMatchObject({
      deploymentStatus: "RUNNING",
      runtimeHealth: "HEALTHY",
      healthSince,
      healthReason: null,
    });
    const [{ health: target }] = health["probes"];
    expect(target).toMatchObject({
      number: 0,
      address: URL,
      status: "HEALTHY",
      latencyMs: 3,
      failure: null,
      reason: null,
    });
    // The row was written 400 s ago; the buckets since then have newer samples.
    expect(Date.parse(target.lastSampleAt)).toBeGreaterThan(Date.parse(healthSince) + 30_000);
  });

  it("show the deployment status UNREACHABLE and DEGRADED, and RUNNING again", async () => {
    const second = "https://b.test/health";
    const workspaceId = await watched(probe(), probe({ name: "other", target: second }));
    await steps.start("a");
    await steps.pass(40);
    steps.answers.set(second, RED);
    await steps.pass(60);
    expect(await read(workspaceId)).toMatchObject({
      deploymentStatus: "DEGRADED",
      runtimeHealth: "DEGRADED",
      healthReason: "The probe other: The connection was refused.",
      probes: [{ health: { status: "HEALTHY" } }, { health: { status: "UNREACHABLE", failure: "CONNECT" } }],
    });
    steps.answers.set(URL, RED);
    await steps.pass(60);
    expect(await read(workspaceId)).toMatchObject({ deploymentStatus: "UNREACHABLE", runtimeHealth: "UNREACHABLE" });
    const runId = await scene.createRun(workspaceId);
    expect(await read(workspaceId)).toMatchObject({ deploymentStatus: "DEPLOYING", runtimeHealth: "UNREACHABLE" });
    await scene.quick("cancelRun", { runId });
    steps.answers.clear();
    await steps.pass(90);
    expect(await read(workspaceId)).toMatchObject({ deploymentStatus: "RUNNING", runtimeHealth: "HEALTHY" });
  });
});

describe("the history", () => {
  it("has a bucket for each five minutes, and joins the targets of a probe", async () => {
    const urls = {
      urls: { value: ["https://a.test/", "https://b.test/"], type: ["list", "string"], sensitive: false },
    };
    const workspaceId = await appliedWorkspace(scene, [probe({ target: "{{outputs.urls[*]}}health" })], urls);
    await steps.follow();
    await steps.start("a");
    await steps.pass(610);
    steps.answers.set("https://b.test/health", RED);
    await steps.pass(620);
    const buckets = await history(workspaceId, -2 * HOUR, 0);
    // The first one began before the first sample, the last one goes on.
    expect(buckets.length).toBeGreaterThanOrEqual(3);
    for (const [index, bucket] of buckets.entries()) {
      expect(bucket).toMatchObject({ seconds: 300, held: 0, maxMs: 3 });
      const before = buckets[index - 1];
      if (before !== undefined) expect(Date.parse(bucket["from"]) - Date.parse(before["from"])).toBe(300_000);
    }
    const whole = buckets.slice(1, -1);
    for (const { samples } of whole) expect(samples).toBeGreaterThanOrEqual(18);
    expect(buckets[0]?.["bad"]).toBe(0);
    expect(buckets.reduce((sum, { bad }) => sum + Number(bad), 0)).toBeGreaterThanOrEqual(10);
    expect(await history(workspaceId, -2 * HOUR, 0, "nope")).toEqual([]);
    expect(await history(workspaceId, -2 * HOUR, -HOUR)).toEqual([]);
  });

  it.each([
    ["an end before its beginning", 0, -HOUR, "to", "Must be later than `from`."],
    ["more than 500 days", -501 * 24 * HOUR, 0, "from", "Must be at most 500 days before `to`."],
  ])("with %s is refused", async (_name, from, to, field, message) => {
    const workspaceId = await scene.createWorkspace();
    const refusal: unknown = await ask(workspaceId, from, to).catch((error: unknown) => error);
    expect(String(refusal)).toContain(JSON.stringify({ path: [field], message }));
  });

  it("goes on as hours and days, after the samples are gone", async () => {
    const workspaceId = await watched();
    await keepBuckets(scene.server.deps);
    await steps.start("a");
    await steps.pass(700);
    const before = await history(workspaceId, -HOUR, 0);
    const samples = before.reduce((sum, bucket) => sum + Number(bucket["samples"]), 0);
    expect(samples).toBeGreaterThan(15);
    scene.server.advance(3 * HOUR);
    await keepBuckets(scene.server.deps);
    await keepBuckets(scene.server.deps);
    scene.server.advance(50 * HOUR);
    await keepBuckets(scene.server.deps);
    const hours = await history(workspaceId, -60 * HOUR, 0);
    expect(hours.map(({ seconds }) => seconds)).toContain(3600);
    expect(hours.reduce((sum, bucket) => sum + Number(bucket["samples"]), 0)).toBe(samples);
    scene.server.advance(3 * 24 * HOUR);
    await keepBuckets(scene.server.deps);
    const [{ left }] = (await scene.rows("select count(*)::int as left from health_bucket")) as [Data];
    expect(left).toBe(0);
    scene.server.advance(31 * 24 * HOUR);
    await keepBuckets(scene.server.deps);
    const days = await history(workspaceId, -60 * 24 * HOUR, 0);
    expect(days.map(({ seconds }) => seconds)).toEqual(days.map(() => 86_400));
    expect(days.reduce((sum, bucket) => sum + Number(bucket["samples"]), 0)).toBe(samples);
    expect(await scene.rows("select 1 from health_hour")).toEqual([]);
    // Back to now, for the other tests of this file.
    scene.server.advance(-(3 + 50 + 72 + 31 * 24) * HOUR);
    await scene.rows("delete from health_rollup");
  });

  it("has a partition for each of the coming days, and loses those that are over", async () => {
    const days = async (): Promise<string[]> =>
      (
        await scene.rows(
          "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'health_bucket'::regclass",
        )
      ).map(({ relname }) => relname);
    const nameOf = (ms: number): string => {
      const at = new Date(scene.server.deps.clock().getTime() + ms);
      return `health_bucket_d${at.toISOString().slice(0, 10).replaceAll("-", "")}`;
    };
    // Buckets of a day that had no partition stay where they are.
    await scene.rows("delete from health_bucket");
    await keepBuckets(scene.server.deps);
    const today = nameOf(0);
    expect(await days()).toEqual(expect.arrayContaining([today, nameOf(24 * HOUR), nameOf(48 * HOUR)]));
    scene.server.advance(4 * 24 * HOUR);
    await keepBuckets(scene.server.deps);
    expect(await days()).not.toContain(today);
    expect(await days()).toContain(nameOf(48 * HOUR));
    scene.server.advance(-4 * 24 * HOUR);
    await scene.rows("delete from health_rollup");
  });
});

describe("the streams of a workspace and of its organization", () => {
  const ITEM = `__typename ... on StreamItem { cursor } ... on WorkspaceChanged { fields }
    ... on HealthChanged { at previousHealth runtimeHealth reason workspace { id runtimeHealth deploymentStatus } }`;
  const STREAMS = [
    `subscription ($id: ID!) { stream: workspaceEvents(workspaceId: $id) { ${ITEM} } }`,
    `subscription ($id: ID!) { stream: organizationEvents(organizationId: $id) { ${ITEM} } }`,
  ] as const;

  it("have one HealthChanged for each change, in order, and can be resumed after it", async () => {
    const workspaceId = await watched();
    await steps.start("a");
    const [ofWorkspace, ofOrganization] = STREAMS;
    await using one = await openEventSource(scene.api, ofWorkspace, { id: workspaceId });
    await using all = await openEventSource(scene.api, ofOrganization, { id: DEFAULT_ORGANIZATION_ID });
    expect((await one.next()).data.stream.__typename).toBe("WorkspaceSnapshot");
    expect((await all.next()).data.stream.__typename).toBe("StreamCheckpoint");
    await steps.pass(40);
    steps.answers.set(URL, RED);
    await steps.pass(60);
    for (const source of [one, all]) {
      const changes = [await source.next(), await source.next()].map(({ data }) => data.stream);
      expect(changes).toMatchObject([
        {
          __typename: "HealthChanged",
          previousHealth: "UNKNOWN",
          runtimeHealth: "HEALTHY",
          reason: null,
          workspace: { id: workspaceId },
        },
        {
          __typename: "HealthChanged",
          previousHealth: "HEALTHY",
          runtimeHealth: "UNREACHABLE",
          reason: "The probe web: The connection was refused.",
          workspace: { runtimeHealth: "UNREACHABLE", deploymentStatus: "UNREACHABLE" },
        },
      ]);
    }
  });
});

describe("a verification", () => {
  it("has the health before the apply as its baseline, and sends nothing for it", async () => {
    const workspaceId = await watched(probe({ use: "BOTH" }));
    await steps.start("a");
    const [first] = await scene.rows("select id from run where workspace_id = $1", workspaceId);
    await conclude(scene.api, { runId: first?.["id"], judgement: "GOOD", comment: "It works." });
    await steps.pass(45);
    const prober = toldProber();
    await using work = startVerificationWork(scene.server.deps, prober);
    const baseline = async (): Promise<unknown> => {
      const runId = await confirmedRun(scene, workspaceId);
      await work.step();
      const [row] = await scene.rows("select baseline_passed from verification where run_id = $1", runId);
      await scene.quick("discardRun", { runId });
      return row?.["baseline_passed"];
    };
    expect((await read(workspaceId))["runtimeHealth"]).toBe("HEALTHY");
    expect(await baseline()).toBe(true);
    steps.answers.set(URL, RED);
    await steps.pass(70);
    expect((await read(workspaceId))["runtimeHealth"]).toBe("UNREACHABLE");
    expect(await baseline()).toBe(false);
    expect(prober.asked).toEqual([]);
  });
});
