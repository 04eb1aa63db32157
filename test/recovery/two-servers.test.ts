/** Two servers on one database: either serves everything, and what one leaves undone the other finishes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Data, waitForStatus } from "../support/api.ts";
import { Follower } from "../support/follower.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { liveProcesses, survivors } from "../support/live-processes.ts";
import * as steps from "../support/run-steps.ts";
import { expectSharedRun, facts, startPair } from "../support/server-pair.ts";
import { startServerProcess } from "../support/server-process.ts";
import { waitUntil } from "../support/eventually.ts";

/** A lease of 30 s has to run out. */
const FREE = { lock: null, stateLock: null, currentRun: null };

let work: HeldWork;
beforeAll(async () => {
  work = await startHeldWork();
});
afterAll(() => work[Symbol.asyncDispose]());

describe("two servers on one database", { concurrent: true }, () => {
  it("see each other's events, and either serves any run", () => expectSharedRun(work));

  it("a plan of one's runner is applied by the other's, from the state that the first stored", async () => {
    await using pair = await startPair(work);
    const { first, second } = pair;
    const path = await work.source(
      "handover",
      `variable "input" { default = "a" }
       resource "terraform_data" "a" { input = var.input }
       output "made" { value = terraform_data.a.output }`,
    );
    const workspace = await steps.createWorkspace(first.api, "handover", path);
    const before = await steps.createRun(first.api, workspace);
    await steps.approveBoth(first.api, before);
    await waitForStatus(first.api, before, "FINISHED");
    await steps.setVariable(first.api, { workspaceId: workspace, key: "input", value: "b" });
    const run = await steps.createRun(first.api, workspace);
    const planned = await waitForStatus(first.api, run, "AWAITING_PLAN_APPROVAL");
    expect(planned.plan).toMatchObject({ additions: 0, changes: 1 });
    await first.killGroup();
    await using third = await pair.start(1);
    await steps.approveBoth(second.api, run);
    expect(await waitForStatus(second.api, run, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
    const found = await facts(third, run, workspace);
    expect(found.run.plan.digest).toBe(planned.plan?.digest);
    expect(found.workspace).toEqual({ stateLock: null, currentRun: null, outputs: [{ name: "made", value: "b" }] });
    const next = await steps.createRun(third.api, workspace);
    expect(await waitForStatus(third.api, next, "FINISHED")).toMatchObject({ outcome: "NO_CHANGES" });
    const listed: Data = await third.api.ask(
      '{ organization(slug: "default") { runners(first: 9) { edges { node { name slots } } } } }',
    );
    expect(listed.organization.runners.edges.map(({ node }: { node: unknown }) => node)).toEqual([
      { name: "server-1", slots: 2 },
      { name: "server-3", slots: 1 },
    ]);
  });

  it("one is killed: its plan is made again by the other, its apply is known to be uncertain", async () => {
    await using pair = await startPair(work);
    const { api } = pair.second;
    const plan = await work.heldPlan("killed-plan");
    const apply = await work.heldApply("killed-apply");
    const applyWorkspace = await steps.createWorkspace(api, "killed-apply", apply.path);
    const applying = await steps.createRun(api, applyWorkspace);
    const applyLog = new Follower("runLog", applying);
    const applyEnds = applyLog.connect(api);
    await steps.approveBoth(api, applying);
    await applyLog.until(({ lines }) => lines?.some(({ text }: Data) => text.includes("waiting")));
    const planWorkspace = await steps.createWorkspace(api, "killed-plan", plan.path);
    const planning = await steps.createRun(api, planWorkspace);
    const events = new Follower("runEvents", planning);
    const eventEnds = events.connect(api);
    await plan.reached;
    await events.until(({ to }) => to === "PLANNING");
    const had = liveProcesses(pair.first.dataDir, pair.first.pid);
    await pair.first.killGroup();
    await using third = await pair.start(1);
    plan.release();

    await steps.approveBoth(api, planning);
    expect(await waitForStatus(third.api, planning, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
    expect((await waitForStatus(api, applying, "FAILED")).failure).toMatchObject({
      code: "RUNNER_LOST",
      stateUncertain: true,
    });
    expect([await eventEnds, await applyEnds]).toEqual(["completed", "completed"]);
    const record = await steps.readRun(api, planning);
    expect(record.phases.filter(({ kind }) => kind === "PLAN")).toEqual([
      { kind: "PLAN", attempt: 1, status: "LOST" },
      { kind: "PLAN", attempt: 2, status: "PASSED" },
    ]);
    expect(events.versions).toEqual(record.versions.filter((version) => version > events.items[0].run.version));
    expect(await steps.holdsOf(api, planWorkspace)).toEqual(FREE);
    expect(await steps.holdsOf(api, applyWorkspace)).toMatchObject({ lock: { reason: "APPLY_INTERRUPTED" } });
    // The one that was killed comes back, and ends what is left of its engine.
    expect(survivors(had)).not.toEqual([]);
    await using back = await pair.start(1, pair.first.dataDir);
    await waitUntil(() => survivors(had).length === 0, { timeout: 30_000 });
    expect((await back.api.ask("{ viewer { role } }")).viewer.role).toBe("ADMIN");
  });

  it("refuse a third one whose key does not fit", async () => {
    await using pair = await startPair(work);
    const env = { DATABASE_URL: pair.database.url, HOLDPOINT_MASTER_KEY: "00".repeat(32) };
    const text = await startServerProcess({ env }).then(
      () => "It has started.",
      (error: Error) => error.message,
    );
    expect(text).toContain("The server ended with 1:");
    expect(text).toContain("The master key does not fit this database");
    for (const { api } of [pair.first, pair.second]) {
      expect((await api.ask("{ viewer { role } }")).viewer.role).toBe("ADMIN");
    }
  });
});
