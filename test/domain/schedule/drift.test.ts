/** Checks for drift: of what was applied, while nothing else changes it, and one finding a workspace. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID as organizationId } from "../../../src/model/people/actor.ts";
import type { PlanContent } from "../../../src/model/plan/plan.ts";
import type { Data } from "../../support/api.ts";
import { stopOvertakenChecks } from "../../../src/domain/drift/stop-overtaken-checks.ts";
import { settleDueWorkspaces } from "../../../src/domain/rounds/settle-due-workspaces.ts";
import { listStaleDispatch } from "../../../src/persistence/dispatch/stale-dispatch-store.ts";
import { change, differs, driftSteps, REPORT, outside, SAME } from "../../support/drift-steps.ts";
import { openScene, report, type Scene } from "../scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { webhooks: true });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const { finish, send, schedule, runNow, check, apply, applied, reportOf, statusOf, driftOf, shownRuns } = driftSteps(
  () => scene,
);

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

  it("plans the source of a later run that had nothing to change, unless that was a part or a refresh", async () => {
    const workspaceId = await applied();
    const checks = await schedule(workspaceId);
    const sourceOf = async (id: string): Promise<string> =>
      (await scene.rows("select source_blob_id from run where id = $1", id))[0]?.["source_blob_id"];
    const checked = async (): Promise<string> => {
      const runId = await check(checks);
      await (await scene.claim(runId)).plan(SAME);
      return sourceOf(runId);
    };
    const unchanged = async (name: string, input: object = {}): Promise<string> => {
      const path = await scene.server.makeSource(`${name}-${workspaceId}`, { "main.tf": `# ${name}` });
      await scene.quick("updateWorkspace", { workspaceId, source: { directory: { path } } });
      const runId = await scene.createRun(workspaceId, input);
      await (await scene.claim(runId)).plan(SAME);
      expect((await scene.run(runId, "outcome")).outcome).toBe("NO_CHANGES");
      return sourceOf(runId);
    };
    const first = await checked();
    await unchanged("refreshed", { refreshOnly: true });
    await unchanged("part", { targets: ["terraform_data.a"] });
    await unchanged("plan", { kind: "PLAN" });
    expect(await checked()).toBe(first);
    const kept = await unchanged("kept");
    expect(kept).not.toBe(first);
    expect(await checked()).toBe(kept);
    await apply(await scene.createRun(workspaceId));
    expect(await checked()).toBe(kept);
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
    expect(await scene.run(runId, "outcome")).toMatchObject({ outcome: "NO_CHANGES" });
    expect(await shownRuns(workspaceId)).toEqual(before);
    expect(await driftOf(workspaceId)).toBeNull();
    const events = "select 1 from workspace_event where workspace_id = $1 and 'drift' = any(fields)";
    expect(await scene.rows(events, workspaceId)).toEqual([]);
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

  it("that waits for a runner is not put in line again and again", async () => {
    const workspaceId = await applied();
    const runId = await check(await schedule(workspaceId));
    const { deps } = scene.server;
    const stale = await listStaleDispatch(deps.database, deps.clock().toISOString(), 1000);
    expect(stale.filter((one) => one.workspaceId === workspaceId)).toEqual([]);
    // Where its row is missing it is put in line.
    await scene.rows("delete from dispatch where run_id = $1", runId);
    expect(await settleDueWorkspaces(deps)).toBe(1);
    await scene.quick("cancelRun", { runId });
  });

  it("stops when an apply begins in its workspace, and not before", async () => {
    const workspaceId = await applied();
    const other = await applied();
    const running = await check(await schedule(workspaceId));
    const job = await scene.claim(running);
    const waiting = await check(await schedule(workspaceId));
    const elsewhere = await check(await schedule(other));
    const deploy = await scene.createRun(workspaceId);
    await (await scene.claim(deploy)).plan();
    await stopOvertakenChecks(scene.server.deps);
    const read = (id: string) => scene.run(id, "status", "cancelRequested { at }", "supersededBy { id }");
    const untouched = { cancelRequested: null, supersededBy: null };
    expect(await read(running)).toMatchObject(untouched);
    expect(await read(waiting)).toMatchObject({ status: "READY", ...untouched });

    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId: deploy, gate, planVersion: 1 });
    const applying = await scene.claim(deploy);
    await stopOvertakenChecks(scene.server.deps);
    expect(await read(waiting)).toMatchObject({ status: "READY", ...untouched });
    await applying.message({ type: "prepared" });
    await stopOvertakenChecks(scene.server.deps);
    const number = Number((await scene.run(deploy, "number"))["number"]);
    const reason = `Run ${number} began to apply, so what this check finds would not count.`;
    const rows = await scene.rows("select status, reason from run where id = $1", waiting);
    expect(rows).toEqual([{ status: "CANCELED", reason }]);
    expect(await read(running)).toMatchObject({
      cancelRequested: { at: expect.any(String) },
      supersededBy: { id: deploy },
    });
    expect(await read(elsewhere)).toMatchObject({ status: "READY", ...untouched });
    // Asked once.
    const versionOf = async () => (await scene.run(running, "version"))["version"];
    const version = await versionOf();
    await stopOvertakenChecks(scene.server.deps);
    expect(await versionOf()).toBe(version);
    await job.message({ type: "stopped" });
    expect(await scene.run(running, "status")).toEqual({ status: "STOPPED" });
    // They are in no list, and what the schedule made is not discarded by it.
    expect(await shownRuns(workspaceId)).not.toEqual(expect.arrayContaining([running]));
    expect(await shownRuns(workspaceId)).not.toEqual(expect.arrayContaining([waiting]));
    const query = "query ($id: ID!) { run(id: $id) { changeset { state supersededBy { id } } } }";
    for (const id of [running, waiting]) {
      const { run } = await scene.api.ask(query, { id });
      expect(run.changeset).toEqual({ state: "NO_CHANGES", supersededBy: null });
    }
    await applying.message({ type: "applied", appliedAddresses: [] });
    await scene.quick("cancelRun", { runId: elsewhere });
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
    const given = await scene.createRun(workspaceId);
    await (await scene.claim(given)).plan();
    await scene.quick("discardRun", { runId: given });
    await (await scene.claim(await scene.createRun(workspaceId, { kind: "PLAN" }))).plan(SAME);
    expect(await driftOf(workspaceId)).not.toBeNull();
    await apply(await scene.createRun(workspaceId));
    expect(await driftOf(workspaceId)).toBeNull();
  });
});

describe("a finding goes as well", () => {
  it.each([
    ["when everything is destroyed", { kind: "DESTROY" }, "DESTROYED"],
    ["when a whole run has nothing to do", {}, "NO_CHANGES"],
  ])("%s", async (_when, input, outcome) => {
    const workspaceId = await applied();
    await (await scene.claim(await check(await schedule(workspaceId)))).plan(differs("terraform_data.a"));
    expect(await driftOf(workspaceId)).not.toBeNull();
    const runId = await scene.createRun(workspaceId, input);
    await (await scene.claim(runId)).plan(outcome === "NO_CHANGES" ? SAME : {});
    if (outcome === "DESTROYED") {
      await finish(runId);
    }
    expect((await scene.run(runId, "outcome")).outcome).toBe(outcome);
    expect(await driftOf(workspaceId)).toBeNull();
  });
});

describe("the report of a check", () => {
  it("has the resources that differ, what would be done about them, and what they are now", async () => {
    const workspaceId = await applied();
    const runId = await check(await schedule(workspaceId));
    const drift = [
      outside("terraform_data.a", { paths: ["input"] }),
      outside("terraform_data.gone", { action: "DELETE", after: null, paths: [] }),
      outside("terraform_data.unneeded", { relevant: false }),
    ];
    await (await scene.claim(runId)).plan({ ...differs("terraform_data.a"), drift });
    const { run, workspace } = await scene.api.ask(
      `query ($runId: ID!, $workspaceId: ID!) {
        run(id: $runId) { driftReport { id } plan { drift(first: 5) { edges { node { address action paths relevant before after } } } } }
        workspace(by: { id: $workspaceId }) { driftStatus driftReport { ${REPORT} } }
      }`,
      { runId, workspaceId },
    );
    expect(run.plan.drift.edges.map(({ node }: Data) => [node.address, node.action, node.relevant])).toEqual([
      ["terraform_data.a", "UPDATE", true],
      ["terraform_data.gone", "DELETE", true],
      ["terraform_data.unneeded", "UPDATE", false],
    ]);
    expect(workspace).toMatchObject({
      driftStatus: "DRIFTED",
      driftReport: {
        id: run.driftReport.id,
        result: "DRIFTED",
        resourceCount: 2,
        ignoredCount: 0,
        acknowledgement: null,
        reconciledBy: null,
        resources: {
          edges: [
            { node: { address: "terraform_data.a", change: "UPDATE", plannedAction: "UPDATE", paths: ["input"] } },
            { node: { address: "terraform_data.gone", change: "DELETE", plannedAction: null, paths: [] } },
          ],
        },
      },
    });
  });

  it("names the attributes that a run would change, and not those that are only known after it", async () => {
    const workspaceId = await applied();
    const runId = await check(await schedule(workspaceId));
    const values = { before: { input: 1, output: 1, size: 1 }, after: { input: 2, output: null, size: 1 } };
    const resourceChanges = [{ ...change("terraform_data.a", "UPDATE"), ...values, unknownPaths: ["output"] }];
    await (await scene.claim(runId)).plan({ ...differs("terraform_data.a"), resourceChanges } as Partial<PlanContent>);
    expect((await reportOf(workspaceId)).resources.edges).toMatchObject([{ node: { paths: ["input"] } }]);
  });

  it("counts the outputs that differ, whatever their order", async () => {
    const workspaceId = await applied();
    const id = await schedule(workspaceId);
    const outputs = async (...changes: [name: string, action: string][]): Promise<Data> => {
      const outputChanges = changes.map(([name, action]) => ({ name, action, sensitive: false }));
      await (await scene.claim(await check(id))).plan({
        ...differs(),
        hasChanges: true,
        outputChanges,
      } as Partial<PlanContent>);
      const query =
        "query ($id: ID!) { workspace(by: { id: $id }) { driftReport { outputs outputCount fingerprint } } }";
      return (await scene.api.ask(query, { id: workspaceId })).workspace.driftReport;
    };
    const first = await outputs(["size", "UPDATE"], ["same", "NO_OP"], ["read", "READ"], ["gone", "DELETE"]);
    expect(first).toMatchObject({ outputs: ["gone", "size"], outputCount: 2 });
    const found = await driftOf(workspaceId);
    expect(found).toMatchObject({ resources: 0, outputs: 2 });
    expect((await outputs(["gone", "DELETE"], ["size", "UPDATE"])).fingerprint).toBe(first.fingerprint);
    expect((await outputs(["size", "UPDATE"])).fingerprint).not.toBe(first.fingerprint);
    expect(await outputs(["read", "READ"])).toEqual({ outputs: [], outputCount: 0, fingerprint: "" });
    expect(await driftOf(workspaceId)).toBeNull();
  });

  it("is clean without drift, and an error if the check fails; before, nothing is known", async () => {
    const workspaceId = await applied();
    expect(await statusOf(workspaceId)).toBe("UNKNOWN");
    const id = await schedule(workspaceId);
    await (await scene.claim(await check(id))).plan(SAME);
    expect(await statusOf(workspaceId)).toBe("NONE");
    const failing = await scene.claim(await check(id));
    for (const type of ["prepared", "initialized"] as const) await failing.message({ type });
    await failing.message({ type: "failed", failure: report("PLAN_FAILED") });
    expect(await statusOf(workspaceId)).toBe("ERRORED");
    expect(await reportOf(workspaceId)).toMatchObject({ result: "ERRORED", resourceCount: 0, fingerprint: "" });
  });

  it("leaves out what the workspace ignores; if nothing else differs there is no drift", async () => {
    const workspaceId = await applied();
    const ignore = [{ addressGlob: "terraform_data.*", attribute: "tags" }];
    await scene.quick("updateWorkspace", { workspaceId, drift: { ignore } });
    const id = await schedule(workspaceId);
    const tags = outside("terraform_data.a", { paths: ["tags.Name"] });
    await (await scene.claim(await check(id))).plan({ ...SAME, drift: [tags] });
    expect(await reportOf(workspaceId)).toMatchObject({ result: "CLEAN", resourceCount: 0, ignoredCount: 1 });
    expect(await driftOf(workspaceId)).toBeNull();
    const more = outside("terraform_data.a", { paths: ["size", "tags.Name"] });
    await (await scene.claim(await check(id))).plan({ ...SAME, drift: [more] });
    expect(await reportOf(workspaceId)).toMatchObject({ result: "DRIFTED", resourceCount: 1, ignoredCount: 0 });
  });

  it("counts all that changed where the workspace is checked by a refresh", async () => {
    const workspaceId = await applied();
    await scene.quick("updateWorkspace", { workspaceId, drift: { mode: "REFRESH_ONLY" } });
    const runId = await check(await schedule(workspaceId));
    expect((await scene.rows("select refresh_only from run where id = $1", runId))[0]).toEqual({ refresh_only: true });
    await (await scene.claim(runId)).plan({ ...SAME, drift: [outside("terraform_data.a", { relevant: false })] });
    expect(await reportOf(workspaceId)).toMatchObject({ result: "DRIFTED", resourceCount: 1 });
  });

  it("of 50,000 attributes of one resource is one finding, of which the paths above are shown", async () => {
    const workspaceId = await applied();
    const runId = await check(await schedule(workspaceId));
    const tags = (value: number) => Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`t${at}`, value]));
    const drift = [
      outside("terraform_data.a", { paths: ["tags"], before: { tags: tags(1) }, after: { tags: tags(2) } }),
    ];
    await (await scene.claim(runId)).plan({ ...SAME, drift });
    expect(await reportOf(workspaceId)).toMatchObject({
      result: "DRIFTED",
      resourceCount: 1,
      resources: { edges: [{ node: { address: "terraform_data.a", paths: ["tags"] } }] },
    });
  });

  it("of more resources than it lists counts all, and lists the first", async () => {
    const workspaceId = await applied();
    const runId = await check(await schedule(workspaceId));
    const drift = Array.from({ length: LIMITS.driftedResources + 1 }, (_, at) => outside(`terraform_data.a[${at}]`));
    await (await scene.claim(runId)).plan({ ...SAME, hasChanges: true, drift });
    expect(await reportOf(workspaceId)).toMatchObject({
      result: "DRIFTED",
      resourceCount: LIMITS.driftedResources + 1,
    });
    const [listed] = await scene.rows(
      "select count(*)::int as count from drifted_resource d join drift_report r on r.id = d.report_id where r.run_id = $1",
      runId,
    );
    expect(listed).toEqual({ count: LIMITS.driftedResources });
  });
});

describe("settings of drift", () => {
  it("name the field that is wrong", async () => {
    const workspaceId = await scene.createWorkspace();
    const rules = (count: number) => Array.from({ length: count }, () => ({ attribute: "size" }));
    const wrong = [
      [{ ignore: rules(101) }, "drift.ignore"],
      [{ ignore: [{ attribute: "" }] }, "drift.ignore.0.attribute"],
      [{ ignore: [{ attribute: "tags.*" }] }, "drift.ignore.0.attribute"],
      [{ ignore: [{ attribute: "a", addressGlob: "x".repeat(501) }] }, "drift.ignore.0.addressGlob"],
      [{ mode: null }, "drift.mode"],
    ] as const;
    for (const [drift, path] of wrong) {
      const query = `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) {
        ... on InvalidInputError { issues { path } } } }`;
      const { updateWorkspace } = await scene.api.ask(query, { input: { workspaceId, drift } });
      expect(updateWorkspace.issues.map((issue: Data) => issue.path.join("."))).toEqual([path]);
    }
  });
});
