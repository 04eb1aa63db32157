/** Checks for drift: of what was applied, while nothing else changes it, and one finding a workspace. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { PlanContent } from "../../../src/model/plan/plan.ts";
import type { Data } from "../../support/api.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { webhooks: true });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const organizationId = DEFAULT_ORGANIZATION_ID;
let serial = 0;

async function send(name: string, input: object, fields: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  return (await scene.api.ask(query, { input }))[name];
}

async function schedule(workspaceId: string, action = "DETECT_DRIFT"): Promise<string> {
  const input = { organizationId, workspaceId, name: "drift", cron: "0 3 * * *", action };
  return (await send("createSchedule", input, "schedule { id }")).schedule.id;
}

/** Runs a schedule now; gives its run, or why there is none. */
async function runNow(scheduleId: string): Promise<{ runId: string } | { message: string }> {
  const answer = await send("runScheduleNow", { scheduleId }, "changeset { id }");
  if (answer.code !== undefined) return { message: answer.message };
  await changesetRound(scene.server.deps, new AbortController().signal);
  const [row] = await scene.rows("select run_id from changeset_member where changeset_id = $1", answer.changeset.id);
  return { runId: row?.run_id };
}
async function check(scheduleId: string): Promise<string> {
  const answer = await runNow(scheduleId);
  if ("message" in answer) throw new Error(answer.message);
  return answer.runId;
}

/** Brings a run to its end. */
async function apply(runId: string): Promise<void> {
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  serial += 1;
  await (await scene.claim(runId)).apply(serial);
  expect((await scene.run(runId)).outcome).toBe("APPLIED");
}
async function applied(input: object = {}): Promise<string> {
  const workspaceId = await scene.createWorkspace({ labels: ["drift"] });
  await apply(await scene.createRun(workspaceId, input));
  return workspaceId;
}

const change = (address: string, action: string) => ({
  address,
  type: "terraform_data",
  name: "a",
  module: null,
  action,
  createBeforeDestroy: null,
  previousAddress: null,
  imported: false,
  before: null,
  after: null,
  sensitivePaths: [],
  unknownPaths: [],
});
const differs = (...addresses: string[]): Partial<PlanContent> =>
  ({
    hasChanges: true,
    counts: {
      additions: 0,
      changes: addresses.length,
      destructions: 0,
      replacements: 0,
      imports: 0,
      moves: 0,
      forgets: 0,
    },
    resourceChanges: addresses.map((address) => change(address, "UPDATE")),
    outputChanges: [],
  }) as Partial<PlanContent>;
const SAME = { ...differs(), hasChanges: false };

async function driftOf(workspaceId: string): Promise<Data> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { drift { foundAt resources outputs run { id } } } }`;
  return (await scene.api.ask(query, { id: workspaceId })).workspace.drift;
}
async function shownRuns(workspaceId: string): Promise<string[]> {
  const lists = `query ($id: ID!) { workspace(by: { id: $id }) { runs { edges { node { id } } } }
    runs(filter: { workspaceId: $id }) { totalCount edges { node { id } } } all: runs { edges { node { id } } } }`;
  const { workspace, runs, all } = await scene.api.ask(lists, { id: workspaceId });
  const ids = (list: Data): string[] => list.edges.map(({ node }: Data) => node.id);
  expect(ids(runs)).toEqual(ids(workspace.runs));
  expect(runs.totalCount).toBe(ids(runs).length);
  return ids(workspace.runs).filter((id) => ids(all).includes(id));
}

describe("a check for drift", () => {
  it("plans the source and the variables that were applied, not those of now", async () => {
    const workspaceId = await scene.createWorkspace();
    await scene.send("setVariable", { workspaceId, key: "size", value: "small" });
    const first = await scene.createRun(workspaceId);
    await apply(first);
    await scene.send("setVariable", { workspaceId, key: "size", value: "large" });
    const path = await scene.server.makeSource(`newer-${workspaceId}`, { "main.tf": "# newer" });
    await scene.quick("updateWorkspace", { workspaceId, source: { directory: { path } } });
    const runId = await check(await schedule(workspaceId));
    const sourceOf = async (id: string): Promise<Data> =>
      (await scene.rows("select source_blob_id, revision, kind, trigger from run where id = $1", id))[0];
    expect(await sourceOf(runId)).toEqual({ ...(await sourceOf(first)), kind: "PLAN", trigger: "DRIFT" });
    const query = "query ($id: ID!) { run(id: $id) { variables { key value } } }";
    expect((await scene.api.ask(query, { id: runId })).run.variables).toEqual([{ key: "size", value: "small" }]);
  });

  it("is left out where nothing is applied, or a run is live that may change something", async () => {
    const bare = await scene.createWorkspace();
    expect(await runNow(await schedule(bare))).toMatchObject({
      message: expect.stringContaining("nothing is applied"),
    });
    const busy = await applied();
    const id = await schedule(busy);
    const runId = await scene.createRun(busy);
    expect(await runNow(id)).toMatchObject({ message: expect.stringContaining("a run is live") });
    await scene.quick("cancelRun", { runId });
    await check(id);
    const targeted = await applied({ targets: ["terraform_data.a"] });
    expect(await runNow(await schedule(targeted))).toMatchObject({
      message: expect.stringContaining("limited to targets"),
    });
  });

  it("without drift is in no list, and is found by its id", async () => {
    const workspaceId = await applied();
    const before = await shownRuns(workspaceId);
    const runId = await check(await schedule(workspaceId));
    expect(await shownRuns(workspaceId)).toEqual([runId, ...before]);
    await (await scene.claim(runId)).plan(SAME);
    expect(await scene.run(runId)).toMatchObject({ outcome: "NO_CHANGES" });
    expect(await shownRuns(workspaceId)).toEqual(before);
    expect(await driftOf(workspaceId)).toBeNull();
  });

  it("ends without a webhook if it finds none, and with one if it finds some", async () => {
    const workspaceId = await applied();
    const hook = { organizationId, workspaceId, url: "https://example.com/", events: ["RUN_ENDED"] };
    const { webhook } = await send("createWebhook", hook, "webhook { id }");
    const told = () => scene.rows("select event from webhook_delivery where webhook_id = $1", webhook.id);
    const id = await schedule(workspaceId);
    await (await scene.claim(await check(id))).plan(SAME);
    const reads = { ...differs(), hasChanges: true, resourceChanges: [change("data.http.a", "READ")] };
    await (await scene.claim(await check(id))).plan(reads as Partial<PlanContent>);
    expect(await told()).toEqual([]);
    await (await scene.claim(await check(id))).plan(differs("terraform_data.a"));
    expect(await told()).toEqual([{ event: "run.ended" }]);
  });

  it("opens one finding, which changes, is told of, and goes", async () => {
    const workspaceId = await applied();
    const hook = { organizationId, workspaceId, url: "https://example.com/", events: ["DRIFT_FOUND"] };
    const { webhook } = await send("createWebhook", hook, "webhook { id }");
    const messages = async () => {
      const rows = await scene.rows(
        "select payload from webhook_delivery where webhook_id = $1 order by id",
        webhook.id,
      );
      return rows.map(({ payload }) => JSON.parse(payload));
    };
    const id = await schedule(workspaceId);
    const first = await check(id);
    await (await scene.claim(first)).plan(differs("terraform_data.a"));
    const found = await driftOf(workspaceId);
    expect(found).toMatchObject({ resources: 1, outputs: 0, run: { id: first } });
    expect(await shownRuns(workspaceId)).toContain(first);

    const same = await check(id);
    await (await scene.claim(same)).plan(differs("terraform_data.a"));
    expect(await driftOf(workspaceId)).toEqual({ ...found, run: { id: same } });
    const changed = await check(id);
    await (await scene.claim(changed)).plan(differs("terraform_data.b"));
    expect(await driftOf(workspaceId)).toEqual({ ...found, run: { id: changed } });
    const told = await messages();
    expect(told.map(({ type, data }) => [type, data.change, data.drift.runId])).toEqual([
      ["drift.found", "FOUND", first],
      ["drift.found", "CHANGED", changed],
    ]);
    await (await scene.claim(await check(id))).plan(SAME);
    expect(await driftOf(workspaceId)).toBeNull();
    const events = await scene.rows(
      "select fields from workspace_event where workspace_id = $1 and 'drift' = any(fields)",
      workspaceId,
    );
    expect(events).toHaveLength(4);
  });

  it("of data sources that would be read again finds nothing", async () => {
    const workspaceId = await applied();
    const runId = await check(await schedule(workspaceId));
    const reads = { ...differs(), hasChanges: true, resourceChanges: [change("data.http.a", "READ")] };
    await (await scene.claim(runId)).plan(reads as Partial<PlanContent>);
    expect(await driftOf(workspaceId)).toBeNull();
    expect(await shownRuns(workspaceId)).not.toContain(runId);
  });

  it("during which the state moved finds nothing", async () => {
    const workspaceId = await applied();
    const runId = await check(await schedule(workspaceId));
    const job = await scene.claim(runId);
    await apply(await scene.createRun(workspaceId));
    await job.plan(differs("terraform_data.a"));
    expect(await driftOf(workspaceId)).toBeNull();
  });
});

describe("a finding", () => {
  it("goes when the whole configuration is applied; a run with targets or of a refresh leaves it", async () => {
    const workspaceId = await applied();
    const runId = await check(await schedule(workspaceId));
    await (await scene.claim(runId)).plan(differs("terraform_data.a"));
    await apply(await scene.createRun(workspaceId, { targets: ["terraform_data.a"] }));
    expect(await driftOf(workspaceId)).not.toBeNull();
    await apply(await scene.createRun(workspaceId, { refreshOnly: true }));
    expect(await driftOf(workspaceId)).not.toBeNull();
    await apply(await scene.createRun(workspaceId));
    expect(await driftOf(workspaceId)).toBeNull();
  });
});

describe("RECONCILE", () => {
  it("deploys what was applied last, and stops at the gates", async () => {
    const workspaceId = await applied();
    const path = await scene.server.makeSource(`newer-${workspaceId}`, { "main.tf": "# newer" });
    await scene.quick("updateWorkspace", { workspaceId, source: { directory: { path } } });
    const runId = await check(await schedule(workspaceId, "RECONCILE"));
    const rows = await scene.rows(
      "select source_blob_id, kind from run where workspace_id = $1 order by number",
      workspaceId,
    );
    expect(rows[1]).toEqual({ source_blob_id: rows[0]?.source_blob_id, kind: "DEPLOY" });
    await (await scene.claim(runId)).plan(differs("terraform_data.a"));
    expect((await scene.run(runId)).status).toBe("AWAITING_PLAN_APPROVAL");
  });
});
