/** Runs that undo drift. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { reconcileDrift } from "../../../src/domain/drift/reconcile-drift.ts";
import type { PlanContent } from "../../../src/model/plan/plan.ts";
import type { Data } from "../../support/api.ts";
import { change, differs, driftSteps, SAME } from "../../support/drift-steps.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { webhooks: true });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const { send, schedule, check, apply, applied, reportOf } = driftSteps(() => scene);

it("a reconciliation is due once for each drift, where the workspace asks for one", async () => {
  const dueAfter = async (reconcile: string): Promise<boolean[]> => {
    const workspaceId = await applied();
    await scene.quick("updateWorkspace", { workspaceId, drift: { reconcile } });
    const id = await schedule(workspaceId);
    for (const content of [
      differs("terraform_data.a"),
      differs("terraform_data.a"),
      differs("terraform_data.b"),
      SAME,
    ]) {
      await (await scene.claim(await check(id))).plan(content);
    }
    const text = "select reconcile_due as due from drift_report where workspace_id = $1 order by id";
    return (await scene.rows(text, workspaceId)).map(({ due }) => due);
  };
  expect(await dueAfter("PROPOSE")).toEqual([true, false, true, false]);
  expect(await dueAfter("OFF")).toEqual([false, false, false, false]);
});

describe("reconciliation", () => {
  async function drifted(drift: object, workspace: object = {}): Promise<{ workspaceId: string; id: string }> {
    const workspaceId = await applied();
    await scene.quick("updateWorkspace", { workspaceId, drift, ...workspace });
    const id = await schedule(workspaceId);
    await (await scene.claim(await check(id))).plan(differs("terraform_data.a"));
    return { workspaceId, id };
  }
  async function reconciling(workspaceId: string): Promise<Data[]> {
    await reconcileDrift(scene.server.deps);
    await changesetRound(scene.server.deps, new AbortController().signal);
    return scene.rows(
      "select id, status, kind from run where workspace_id = $1 and trigger = 'DRIFT' and kind = 'DEPLOY' order by number",
      workspaceId,
    );
  }

  it("makes no run by default", async () => {
    const { workspaceId } = await drifted({});
    expect(await reconciling(workspaceId)).toEqual([]);
  });

  it("proposes one run for a drift, which waits for people whatever the workspace applies by itself", async () => {
    const { workspaceId, id } = await drifted(
      { reconcile: "PROPOSE" },
      { autoApply: "ALWAYS", planApproval: "WHEN_REQUIRED" },
    );
    const [run] = await reconciling(workspaceId);
    await (await scene.claim(run?.["id"])).plan(differs("terraform_data.a"));
    expect((await scene.run(run?.["id"], "status")).status).toBe("AWAITING_APPLY_APPROVAL");
    const { driftReport } = (
      await scene.api.ask(
        `query ($id: ID!) { workspace(by: { id: $id }) { driftReport { id reconciledBy { runs(first: 1) {
          edges { node { id cause { ... on DriftCause { report { id } } } } } } } } } }`,
        { id: workspaceId },
      )
    ).workspace;
    expect(driftReport.reconciledBy.runs.edges).toEqual([
      { node: { id: run?.["id"], cause: { report: { id: driftReport.id } } } },
    ]);
    // While it waits there is no other check, and no other run.
    await expect(check(id)).rejects.toThrow("a run is live");
    expect(await reconciling(workspaceId)).toHaveLength(1);
  });

  it("waits for a live run, and makes none if that one removes the drift", async () => {
    const { workspaceId } = await drifted({ reconcile: "PROPOSE" });
    const runId = await scene.createRun(workspaceId);
    expect(await reconciling(workspaceId)).toEqual([]);
    await apply(runId);
    expect(await reconciling(workspaceId)).toEqual([]);
    const due = await scene.rows("select 1 from drift_report where workspace_id = $1 and reconcile_due", workspaceId);
    expect(due).toEqual([]);
  });

  it("makes none for a drift that people have acknowledged", async () => {
    const { workspaceId } = await drifted({ reconcile: "PROPOSE" });
    const { id: reportId } = await reportOf(workspaceId);
    const until = new Date(scene.server.deps.clock().getTime() + 60_000).toISOString();
    await send("acknowledgeDrift", { reportId, until }, "report { id }");
    expect(await reconciling(workspaceId)).toEqual([]);
  });

  it.each(
    walk(
      [
        ["UPDATE", "CONFIRMED"],
        ["DELETE", "AWAITING_APPLY_APPROVAL"],
        ["REPLACE", "AWAITING_APPLY_APPROVAL"],
        ["FORGET", "AWAITING_APPLY_APPROVAL"],
      ],
      2,
    ),
  )("AUTO_SAFE with a plan of %s leads to %s", async (action, status) => {
    const { workspaceId } = await drifted({ reconcile: "AUTO_SAFE" }, { planApproval: "WHEN_REQUIRED" });
    const [run] = await reconciling(workspaceId);
    const counter = { UPDATE: "changes", DELETE: "destructions", REPLACE: "replacements", FORGET: "forgets" }[action];
    const plan = differs("terraform_data.a");
    const counts = { ...plan.counts, changes: 0, [counter ?? ""]: 1 } as PlanContent["counts"];
    const job = await scene.claim(run?.["id"]);
    await job.plan({ ...plan, counts, resourceChanges: [change("terraform_data.a", action)] as never });
    const { status: now } = await scene.run(run?.["id"], "status");
    expect(now === "APPLYING" ? "CONFIRMED" : now).toBe(status);
  });

  it("makes one run on two servers", async () => {
    const { workspaceId } = await drifted({ reconcile: "PROPOSE" });
    await Promise.all([reconcileDrift(scene.server.deps), reconcileDrift(scene.server.deps)]);
    expect(await reconciling(workspaceId)).toHaveLength(1);
    const changesets = await scene.rows(
      "select changeset_id from drift_report where workspace_id = $1 and changeset_id is not null",
      workspaceId,
    );
    expect(changesets).toHaveLength(1);
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
    expect((await scene.run(runId, "status")).status).toBe("AWAITING_PLAN_APPROVAL");
  });
});
