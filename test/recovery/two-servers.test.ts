/** Two servers on one database: either serves everything, and what one leaves undone the other finishes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Data, waitForStatus } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { Follower } from "../support/follower.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { liveProcesses, survivors } from "../support/live-processes.ts";
import { startNatsServer } from "../support/nats-server.ts";
import * as steps from "../support/run-steps.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { MASTER_KEY } from "../e2e/holdpoint.ts";
import { waitUntil } from "../support/eventually.ts";

/** A lease of 30 s has to run out. */
const LIMIT_MS = 180_000;
const FREE = { lock: null, stateLock: null, currentRun: null };

let work: HeldWork;
beforeAll(async () => {
  work = await startHeldWork();
});
afterAll(() => work[Symbol.asyncDispose]());

interface Pair extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly first: ServerProcess;
  readonly second: ServerProcess;
  /** One more server on the same database. */
  start(slots: number, dataDir?: string): Promise<ServerProcess>;
}

/** The first one has a runner, the second one has none. */
async function startPair(more: Record<string, string> = {}): Promise<Pair> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase());
  let started = 0;
  const start = (slots: number, dataDir?: string): Promise<ServerProcess> => {
    const env = {
      DATABASE_URL: database.url,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_ADMIN_TOKEN: "t".repeat(32),
      HOLDPOINT_SOURCE_ROOTS: work.root,
      HOLDPOINT_RUNNER_SLOTS: `${slots}`,
      HOLDPOINT_RUNNER_NAME: `server-${(started += 1)}`,
      ...more,
    };
    return startServerProcess({ env, ...(dataDir !== undefined && { dataDir }) });
  };
  const [first, second] = await Promise.all([start(2), start(0)]);
  for (const server of [first, second]) stack.use(server);
  const owned = stack.move();
  return { database, first, second, start, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What a client knows of a run by asking, the plan and the log included. */
async function facts({ api }: ServerProcess, run: string, workspace: string): Promise<Data> {
  return api.ask(
    `query ($run: ID!, $workspace: ID!) {
      run(id: $run) { status outcome version plan { digest text } log(first: 5000) { edges { node { number text } } }
        phases { kind attempt status } }
      workspace(by: { id: $workspace }) { stateLock { id } currentRun { id } outputs { name value } } }`,
    { run, workspace },
  );
}

describe("two servers on one database", { concurrent: true, timeout: LIMIT_MS }, () => {
  it.each(["Postgres", "NATS"])("see each other's events over %s, and either serves any run", async (bus) => {
    await using nats = bus === "NATS" ? await startNatsServer() : null;
    await using pair = await startPair(nats === null ? {} : { HOLDPOINT_NATS_URL: nats.url });
    const { first, second } = pair;
    const { path, release } = await work.heldApply(`both-${bus}`);
    // Made by one, followed at the other, and the reverse.
    const workspace = await steps.createWorkspace(second.api, "both", path);
    const run = await steps.createRun(second.api, workspace);
    const followers = [first, second].map((server) => {
      const [events, log] = [new Follower("runEvents", run), new Follower("runLog", run)];
      return { events, log, ends: Promise.all([events.connect(server.api), log.connect(server.api)]) };
    });
    await waitForStatus(second.api, run, "AWAITING_PLAN_APPROVAL");
    await steps.approve(first.api, run, "PLAN");
    await steps.approve(second.api, run, "APPLY");
    for (const { log } of followers) {
      await log.until(({ lines }) => lines?.some(({ text }: Data) => text.includes("waiting")));
    }
    await release();
    for (const { ends } of followers) expect(await ends).toEqual(["completed", "completed"]);
    const record = await steps.readRun(second.api, run);
    expect(record.statuses.at(-1)).toBe("FINISHED");
    for (const { events, log } of followers) {
      expect(events.versions).toEqual(record.versions.filter((version) => version > events.items[0].run.version));
      expect(log.lineTexts).toEqual(record.lines.map(({ text }) => text));
    }
    const [one, other] = await Promise.all([first, second].map((server) => facts(server, run, workspace)));
    expect(one).toEqual(other);
    expect(one.run.plan.text).toContain("terraform_data.first");
    // The first goes, and its runner with it: what it planned and stored is served on.
    expect(await first.stop()).toBe(0);
    expect(await facts(second, run, workspace)).toEqual(one);
  });

  it("a plan of one's runner is applied by the other's, from the state that the first stored", async () => {
    await using pair = await startPair();
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
    await using pair = await startPair();
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
    await using pair = await startPair();
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
