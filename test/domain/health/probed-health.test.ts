/** The health of workspaces by what probers find, with real rows and a clock that is set. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  applyAgain,
  appliedWorkspace,
  confirmedRun,
  GREEN,
  type HealthSteps,
  healthSteps,
  output,
  RED,
} from "../../support/health-steps.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { failedSample } from "../../../src/model/probe/probe-sample.ts";
import { openScene, type Scene } from "../scene.ts";

const URL = "https://a.test/health";
const SLOW = failedSample("LATENCY", "It took 900 ms; at most 500 ms are expected.", 900);

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
  // What a test leaves is not probed by the next one.
  for (const { id } of await scene.rows("select id from workspace where deleted_at is null")) {
    await scene.rows("delete from probe where workspace_id = $1", id);
  }
  await steps.follow();
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const probe = (more: object = {}): object => {
  return { name: "web", kind: "HTTP", use: "HEALTH", from: "SERVER", target: URL, ...more };
};
const healthOf = async (workspaceId: string): Promise<string | undefined> => (await steps.health(workspaceId))?.health;

/** The changes of a workspace's health, as streams get them. */
async function changesOf(workspaceId: string): Promise<string[]> {
  const rows = await scene.rows(
    "select health from workspace_event where workspace_id = $1 and health is not null order by id",
    workspaceId,
  );
  return rows.map(({ health }) => `${health.from} ${health.to}`);
}

async function watched(...probes: object[]): Promise<string> {
  const workspaceId = await appliedWorkspace(scene, probes.length === 0 ? [probe()] : probes);
  await steps.follow();
  return workspaceId;
}

describe("a workspace that is applied", () => {
  it("is healthy after three answers, UNREACHABLE within 60 s of an outage, and healthy again", async () => {
    const workspaceId = await watched();
    expect(await steps.health(workspaceId)).toEqual({
      health: "UNKNOWN",
      reason: "The probe web: It has no result yet.",
    });
    await steps.start("a");
    await steps.pass(35);
    expect(await steps.health(workspaceId)).toEqual({ health: "HEALTHY", reason: null });
    // The worst moment: right after a probe that was good.
    const { length } = steps.sent;
    while (steps.sent.length === length) await steps.pass(1);
    steps.answers.set(URL, RED);
    await steps.pass(60);
    expect(await steps.health(workspaceId)).toEqual({
      health: "UNREACHABLE",
      reason: "The probe web: The connection was refused.",
    });
    steps.answers.set(URL, GREEN);
    await steps.pass(60);
    expect(await healthOf(workspaceId)).toBe("HEALTHY");
    expect(await changesOf(workspaceId)).toEqual(["UNKNOWN HEALTHY", "HEALTHY UNREACHABLE", "UNREACHABLE HEALTHY"]);
  });

  it("stays healthy where one answer is lost, and is probed again soon", async () => {
    const workspaceId = await watched();
    await steps.start("a");
    await steps.pass(40);
    steps.answers.set(URL, RED);
    const { length } = steps.sent;
    while (steps.sent.length === length) await steps.pass(1);
    const lostMs = steps.sent.at(-1)?.atMs ?? 0;
    steps.answers.set(URL, GREEN);
    await steps.pass(60);
    expect((steps.sent[length + 1]?.atMs ?? 0) - lostMs).toBeLessThanOrEqual(6000);
    expect(await changesOf(workspaceId)).toEqual(["UNKNOWN HEALTHY"]);
  });

  it("is DEGRADED by one of two required targets, a slow one, or an informational one", async () => {
    const second = "https://b.test/health";
    const workspaceId = await watched(probe(), probe({ name: "other", target: second }));
    await steps.start("a");
    await steps.pass(40);
    steps.answers.set(second, RED);
    await steps.pass(60);
    expect(await steps.health(workspaceId)).toEqual({
      health: "DEGRADED",
      reason: "The probe other: The connection was refused.",
    });
    steps.answers.set(second, SLOW);
    await steps.pass(60);
    expect(await steps.health(workspaceId)).toEqual({ health: "DEGRADED", reason: `The probe other: ${SLOW.reason}` });
    await scene.quick("updateWorkspace", {
      workspaceId,
      probes: [probe(), probe({ name: "other", target: second, weight: "INFORMATIONAL" })],
    });
    steps.answers.set(second, RED);
    await steps.pass(60);
    expect(await healthOf(workspaceId)).toBe("DEGRADED");
  });

  it("is probed half as often once it is down for long", async () => {
    await watched();
    steps.answers.set(URL, RED);
    await steps.start("a");
    await steps.pass(330);
    const { length } = steps.sent;
    await steps.pass(240);
    expect(steps.sent.length - length).toBe(4);
  });
});

describe("while a run changes a workspace", () => {
  it("samples are marked, and change nothing", async () => {
    const workspaceId = await watched();
    await steps.start("a");
    await steps.pass(40);
    const runId = await confirmedRun(scene, workspaceId);
    const job = await scene.claim(runId);
    await job.message({ type: "prepared" });
    steps.answers.set(URL, RED);
    await steps.pass(120);
    expect(await healthOf(workspaceId)).toBe("HEALTHY");
    steps.answers.set(URL, GREEN);
    await job.message({ type: "applied", appliedAddresses: [] });
    await steps.pass(400);
    expect(await changesOf(workspaceId)).toEqual(["UNKNOWN HEALTHY"]);
    const [row] = await scene.rows(
      `select sum(b.held) as held, sum(b.bad) as bad from health_bucket b join probe_target t on t.id = b.target_id
       where t.workspace_id = $1`,
      workspaceId,
    );
    expect(Number(row?.["held"])).toBeGreaterThanOrEqual(3);
    // Those of the first heartbeat after its begin, before the prober knew.
    expect(Number(row?.["bad"])).toBeLessThanOrEqual(1);
  });

  it("an outage that begins then is found after it", async () => {
    const workspaceId = await watched();
    await steps.start("a");
    await steps.pass(40);
    const job = await scene.claim(await confirmedRun(scene, workspaceId));
    await job.message({ type: "prepared" });
    steps.answers.set(URL, RED);
    await steps.pass(60);
    await job.message({ type: "applied", appliedAddresses: [] });
    await steps.pass(65);
    expect(await healthOf(workspaceId)).toBe("UNREACHABLE");
  });
});

describe("targets", () => {
  const rowsOf = (workspaceId: string) =>
    scene.rows(
      "select probe, number, address, unresolved, status, pool from probe_target where workspace_id = $1 order by probe, number",
      workspaceId,
    );

  it("are one for each element of an output, and follow it after each apply", async () => {
    const urls = (...names: string[]): object => {
      return {
        urls: { value: names.map((name) => `https://${name}.test/`), type: ["list", "string"], sensitive: false },
      };
    };
    const workspaceId = await appliedWorkspace(scene, [probe({ target: "{{outputs.urls[*]}}health" })], urls("a", "b"));
    await steps.follow();
    await steps.start("a");
    await steps.pass(40);
    expect(await rowsOf(workspaceId)).toMatchObject([
      { number: 0, address: "https://a.test/health", status: "HEALTHY" },
      { number: 1, address: "https://b.test/health", status: "HEALTHY" },
    ]);
    await applyAgain(scene, workspaceId, urls("a", "c", "d"));
    await steps.follow();
    // What is the same target stays as it is; another address is another target.
    expect(await rowsOf(workspaceId)).toMatchObject([
      { number: 0, address: "https://a.test/health", status: "HEALTHY" },
      { number: 1, address: "https://c.test/health", status: "UNKNOWN" },
      { number: 2, address: "https://d.test/health", status: "UNKNOWN" },
    ]);
    expect(await healthOf(workspaceId)).toBe("UNKNOWN");
    await steps.pass(40);
    expect(await healthOf(workspaceId)).toBe("HEALTHY");
    await applyAgain(scene, workspaceId, urls("a"));
    await steps.follow();
    expect(await rowsOf(workspaceId)).toMatchObject([{ number: 0 }]);
    const { length } = steps.sent;
    await steps.pass(40);
    expect(new Set(steps.sent.slice(length).map(({ url }) => url))).toEqual(new Set(["https://a.test/health"]));
  });

  it.each([
    ["an output that is missing", { target: "{{outputs.nope}}" }, 'There is no output "nope".'],
    [
      "an output that is sensitive",
      { target: "{{outputs.secret}}" },
      'The output "secret" is sensitive: use it in headers or the body.',
    ],
    [
      "too many elements",
      { target: "{{outputs.many[*]}}" },
      "The list has 21 elements; a probe has at most 20 targets.",
    ],
  ])("%s makes the health UNKNOWN, with the reason", async (_name, more, reason) => {
    const outputs = {
      secret: output("https://a.test/", true),
      many: { value: Array.from({ length: 21 }, () => "https://a.test/"), type: ["list", "string"], sensitive: false },
    };
    const workspaceId = await appliedWorkspace(scene, [probe(more)], outputs);
    await steps.follow();
    await steps.start("a");
    await steps.pass(40);
    expect(await steps.health(workspaceId)).toEqual({ health: "UNKNOWN", reason: `The probe web: ${reason}` });
    expect(steps.sent).toEqual([]);
  });

  it("are none before the first apply, after a destroy, and after the workspace was deleted", async () => {
    const workspaceId = await scene.createWorkspace();
    await scene.quick("updateWorkspace", { workspaceId, probes: [probe()] });
    await steps.start("a");
    await steps.pass(40);
    expect(await steps.health(workspaceId)).toMatchObject({ reason: "The probe web: Nothing is applied yet." });
    await applyAgain(scene, workspaceId);
    await steps.pass(45);
    expect(await healthOf(workspaceId)).toBe("HEALTHY");
    const job = await scene.claim(await confirmedRun(scene, workspaceId, "DESTROY"));
    await job.apply(2, "line");
    await steps.pass(10);
    expect(await steps.health(workspaceId)).toEqual({
      health: "UNKNOWN",
      reason: "The probe web: The applied resources are destroyed.",
    });
    await scene.quick("deleteWorkspace", { workspaceId }).catch(() => undefined);
    await steps.follow();
    const { length } = steps.sent;
    await steps.pass(60);
    expect(steps.sent.length).toBe(length);
  });

  it("of runners are not the server's, and are UNKNOWN without one", async () => {
    const workspaceId = await watched(probe({ from: "RUNNERS" }));
    await steps.start("a");
    await steps.pass(100);
    expect(await steps.health(workspaceId)).toEqual({
      health: "UNKNOWN",
      reason: "The probe web: No runner that may reach it sends probes: start one with HOLDPOINT_RUNNER_PROBES.",
    });
    expect(steps.sent).toEqual([]);
    await steps.start("r", "shared");
    await steps.pass(30);
    expect(await healthOf(workspaceId)).toBe("HEALTHY");
  });

  it("get new headers without a new beginning", async () => {
    const workspaceId = await watched(probe({ headers: [{ name: "x-key", value: "{{var.KEY}}" }] }));
    expect(await healthOf(workspaceId)).toBe("UNKNOWN");
    await scene.send("setVariable", { workspaceId, key: "KEY", value: "canary-1", sensitive: true });
    await steps.start("a");
    await steps.pass(45);
    expect(await healthOf(workspaceId)).toBe("HEALTHY");
    await scene.send("setVariable", { workspaceId, key: "KEY", value: "canary-2", sensitive: true });
    await steps.pass(10);
    expect(await healthOf(workspaceId)).toBe("HEALTHY");
    const [row] = await scene.rows("select * from probe_target where workspace_id = $1", workspaceId);
    expect(JSON.stringify(row)).not.toContain("canary");
  });
});

describe("webhooks", () => {
  const deliveries = async (workspaceId: string): Promise<unknown[]> => {
    const rows = await scene.rows(
      "select payload from webhook_delivery where event = 'workspace.health.changed' order by id",
    );
    return rows
      .map(({ payload }) => JSON.parse(payload))
      .filter(({ data }) => data.workspace.id === workspaceId)
      .map(({ data }) => `${data.health.from} ${data.health.to}`);
  };

  it("have one message for a change that lasts, and none for one that is over soon", async () => {
    const workspaceId = await watched();
    const organizationId = DEFAULT_ORGANIZATION_ID;
    await scene.api.ask(
      `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { __typename
        ... on UserError { message } ... on InvalidInputError { issues { path message } } } }`,
      { input: { organizationId, workspaceId, url: "https://hooks.test/", events: ["WORKSPACE_HEALTH_CHANGED"] } },
    );
    await steps.start("a");
    await steps.pass(40);
    expect(await deliveries(workspaceId)).toEqual([]);
    await steps.pass(70);
    expect(await deliveries(workspaceId)).toEqual(["UNKNOWN HEALTHY"]);
    steps.answers.set(URL, RED);
    while ((await healthOf(workspaceId)) === "HEALTHY") await steps.pass(1);
    steps.answers.set(URL, GREEN);
    await steps.pass(150);
    expect(await changesOf(workspaceId)).toHaveLength(3);
    expect(await deliveries(workspaceId)).toEqual(["UNKNOWN HEALTHY"]);
    steps.answers.set(URL, RED);
    await steps.pass(200);
    expect(await deliveries(workspaceId)).toEqual(["UNKNOWN HEALTHY", "HEALTHY UNREACHABLE"]);
  });

  it("cost no second write where none listens", async () => {
    const workspaceId = await watched();
    await steps.start("a");
    while ((await healthOf(workspaceId)) !== "HEALTHY") await steps.pass(1);
    expect(
      await scene.rows("select announced, announce_at from workspace_health where workspace_id = $1", workspaceId),
    ).toEqual([{ announced: "HEALTHY", announce_at: null }]);
  });
});
