/** Streams over real sockets: every event and line exactly once, whatever happens to connections and hints. */
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createJobs } from "../../src/domain/job/jobs.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import type { FailureReport } from "../../src/model/lifecycle/failure.ts";
import type { ExecutedPhase } from "../../src/model/run/phase.ts";
import { waitForStatus } from "../support/api.ts";
import { startRun } from "../support/change-source.ts";
import { claim, type FakeJob, fakePlan } from "../support/fake-runner.ts";
import { Follower } from "../support/follower.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { approveBoth, countTo, readRun } from "../support/run-steps.ts";
import { waitUntil } from "../support/eventually.ts";
import { walk } from "../support/walk.ts";

const SEEDS = [1, 2, 3];

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.reported.length = 0;
});

/** Numbers from 0 to below `end`, the same ones for the same seed (mulberry32). */
function randomOf(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

async function mustClaim(): Promise<FakeJob> {
  const job = await claim(server.url, server.runnerToken);
  if (job === null) throw new Error("There is no work.");
  return job;
}

/** From the plan to the end, with log lines in every phase. */
async function finish(run: string, job: FakeJob, batches: number, size: (batch: number) => number): Promise<void> {
  const write = async (to: FakeJob, phase: ExecutedPhase): Promise<void> => {
    for (let batch = 0; batch < batches; batch += 1) {
      const lines = Array.from({ length: size(batch) }, (_, line) => `${phase} ${batch} ${line}`);
      expect((await to.log(phase, ...lines)).status).toBe(200);
    }
  };
  await write(job, "PREPARE");
  await job.message({ type: "prepared" });
  await write(job, "INIT");
  await job.message({ type: "initialized" });
  await write(job, "PLAN");
  await job.request("PUT", "archive", Buffer.from("archive"));
  await job.message({ type: "planned", plan: fakePlan() });
  await approveBoth(server.api, run);
  const apply = await mustClaim();
  await write(apply, "PREPARE");
  await apply.apply(1);
}

/** Reads to the end; after a drop again from the cursor. Gives how often it had to connect. */
async function followToEnd(follower: Follower, api: InProcess["api"], dropAfter: () => number): Promise<number> {
  for (let connections = 1; ; connections += 1) {
    const ending = await follower.connect(api, dropAfter());
    if (ending === "completed") return connections;
    expect(ending).toBe("dropped");
  }
}

describe("a stream", () => {
  it("begins with the run as it is, goes on with every event in order, and completes after the last", async () => {
    const { run, job } = await startRun(server);
    const [events, log] = [new Follower("runEvents", run), new Follower("runLog", run)];
    const both = Promise.all([events.connect(server.api), log.connect(server.api)]);
    await events.until(({ run: snapshot }) => snapshot !== undefined);
    await finish(run, job, 3, () => 5);
    expect(await both).toEqual(["completed", "completed"]);
    const record = await readRun(server.api, run);
    const [snapshot, ...rest] = events.items;
    expect(snapshot).toMatchObject({ __typename: "RunSnapshot", run: { status: "PREPARING" } });
    expect(events.versions).toEqual(record.versions.filter((version) => version > snapshot.run.version));
    expect(rest.at(-1)).toMatchObject({ __typename: "RunStatusChanged", to: "FINISHED" });
    expect(rest.map(({ __typename }) => __typename)).toContain("PlanReady");
    expect(log.lineNumbers).toEqual(countTo(60));
    expect(log.lineTexts).toEqual(record.lines.map(({ text }) => text));
    // Of a run that has ended there is the snapshot, or what is after the cursor, and then the end.
    const late = new Follower("runEvents", run);
    expect(await late.connect(server.api)).toBe("completed");
    expect(late.items).toMatchObject([{ __typename: "RunSnapshot", run: { status: "FINISHED" } }]);
    expect(await events.connect(server.api)).toBe("completed");
    expect(events.items).toHaveLength(rest.length + 1);
    expect(server.reported).toEqual([]);
  });

  it.each(walk(SEEDS, 1))("cut at random points is the table all the same (seed %i)", async (seed) => {
    const random = randomOf(seed);
    const { run, job } = await startRun(server);
    const logs = Array.from({ length: 4 }, () => new Follower("runLog", run));
    const events = Array.from({ length: 4 }, () => new Follower("runEvents", run));
    const readers = [...logs, ...events].map((follower) =>
      followToEnd(follower, server.api, () => 1 + random(follower.items.length === 0 ? 2 : 6)),
    );
    await Promise.all(events.map((follower) => follower.until(() => true)));
    await finish(run, job, 12, () => 1 + random(40));
    const connections = await Promise.all(readers);
    const record = await readRun(server.api, run);
    for (const log of logs) {
      expect(log.lineNumbers).toEqual(countTo(record.lines.length));
      expect(log.lineTexts).toEqual(record.lines.map(({ text }) => text));
    }
    for (const stream of events) {
      const [snapshot] = stream.items;
      expect(stream.versions).toEqual(record.versions.filter((version) => version > snapshot.run.version));
    }
    expect(Math.min(...connections), "all of them were cut").toBeGreaterThan(1);
    await waitUntil(() => server.hub.size === 0);
    expect(server.reported).toEqual([]);
  });

  it("cannot be resumed by a cursor that is not its own", async () => {
    const [one, other] = [await startRun(server), await startRun(server)];
    await one.job.log("PREPARE", "a line");
    const foreign: string[] = [];
    for (const field of ["runEvents", "runLog"] as const) {
      const follower = new Follower(field, one.run);
      await follower.connect(server.api, 1);
      foreign.push(follower.cursor ?? "");
    }
    const [ofEvents = "", ofLog = ""] = foreign;
    const cases = [
      ["runEvents", other.run, ofEvents],
      ["runLog", other.run, ofLog],
      ["runEvents", one.run, ofLog],
      ["runLog", one.run, ofEvents],
      ...["", "x", "%", "\u0000", "AAAA", `x${ofEvents}`, "a".repeat(10_000)].flatMap((cursor) => [
        ["runEvents", one.run, cursor] as const,
        ["runLog", one.run, cursor] as const,
      ]),
    ] as const;
    for (const [field, run, cursor] of cases) {
      const follower = new Follower(field, run);
      follower.cursor = cursor;
      expect(await follower.connect(server.api), `${field} ${cursor}`).toBe("completed");
      expect(follower.items, `${field} ${cursor}`).toEqual([{ __typename: "CursorExpired" }]);
    }
    for (const { job } of [one, other]) await job.message({ type: "failed", failure: FAILURE });
    expect(server.reported).toEqual([]);
  });
});

describe("an idle stream that is closed leaves nothing behind", () => {
  it.each(["leaves", "vanishes"])("where the client %s", async (how) => {
    const { run, job } = await startRun(server);
    expect(server.hub.size).toBe(0);
    const followers = [1, 2, 3].flatMap(() => [new Follower("runEvents", run), new Follower("runLog", run)]);
    await job.log("PREPARE", "a line");
    const endings = followers.map((follower) => follower.connect(server.api));
    await Promise.all(followers.map((follower) => follower.until(() => true)));
    // One source for all who read the same.
    await waitUntil(() => server.hub.size === 2);
    for (const follower of followers) {
      if (how === "leaves") await follower.leave();
      else follower.drop();
    }
    await Promise.all(endings);
    await waitUntil(() => server.hub.size === 0);
    await job.message({ type: "failed", failure: FAILURE });
    expect(server.reported).toEqual([]);
  });

  it("also over server-sent events", async () => {
    const { run, job } = await startRun(server);
    const gone = new AbortController();
    const response = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.api.token}`,
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      body: JSON.stringify({ query: `subscription { runEvents(runId: "${run}") { __typename } }` }),
      signal: gone.signal,
    });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("RunSnapshot")) text += new TextDecoder().decode((await reader?.read())?.value);
    await job.message({ type: "prepared" });
    while (!text.includes("RunStatusChanged")) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(server.hub.size).toBe(1);
    gone.abort();
    await waitUntil(() => server.hub.size === 0);
    await job.message({ type: "failed", failure: FAILURE });
    expect(server.reported).toEqual([]);
  });
});

describe("hints", () => {
  it("that are lost are made up for by the poll", async () => {
    const { run, job } = await startRun(server);
    const [events, log] = [new Follower("runEvents", run), new Follower("runLog", run)];
    const endings = [events.connect(server.api), log.connect(server.api)];
    await events.until(() => true);
    await waitUntil(() => server.hub.size === 2);
    // The same use cases over a database whose hints go nowhere.
    const silent = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
    await using database = openDatabase(server.testDatabase.connection, { notifier: silent, onError: () => undefined });
    const jobs = createJobs({ ...server.deps, database });
    const caller = await jobs.authenticateJob(job.job.token);
    if (caller === null) throw new Error("This is no job's token.");
    const text = Buffer.from("1795190845447\tunheard");
    const summary = { lineCount: 1, byteCount: 8, streams: 1 };
    await jobs.appendLog(caller, { phase: "PREPARE", firstLine: 1, text, summary, follows: false });
    await jobs.report(caller, { sequence: 1, type: "prepared" });
    await events.until(({ to }) => to === "INITIALIZING");
    await log.until(({ lines }) => lines?.[0]?.text === "unheard");
    await Promise.all([events.leave(), log.leave(), ...endings]);
  });

  it("come again after their connection was cut, and what was missed meanwhile is read", async () => {
    const { run, job } = await startRun(server);
    const [events, log] = [new Follower("runEvents", run), new Follower("runLog", run)];
    const endings = [events.connect(server.api), log.connect(server.api)];
    await events.until(() => true);
    const admin = new Client({ ...server.testDatabase.connection });
    await admin.connect();
    const cut = async (): Promise<number> => {
      const { rows } = await admin.query(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ilike 'listen %'`,
      );
      return rows.length;
    };
    for (const round of [1, 2, 3]) {
      await waitUntil(async () => (await cut()) === 1);
      await job.log("PREPARE", `line ${round}`);
      await log.until(({ lines }) => lines?.some(({ text }: { text: string }) => text === `line ${round}`));
    }
    await job.message({ type: "prepared" });
    await events.until(({ to }) => to === "INITIALIZING");
    expect(log.lineNumbers).toEqual([1, 2, 3]);
    expect(server.reported.length).toBeGreaterThanOrEqual(3);
    await admin.end();
    await Promise.all([events.leave(), log.leave(), ...endings]);
    await job.message({ type: "failed", failure: FAILURE });
  });
});

it("two servers on one database: a client of one sees what the other wrote, and can change over", async () => {
  await using second = await server.second();
  const { run, job } = await startRun(server);
  const [events, log] = [new Follower("runEvents", run), new Follower("runLog", run)];
  let turn = 0;
  const either = (): InProcess["api"] => ((turn += 1) % 2 === 0 ? server : second).api;
  const follow = async (follower: Follower): Promise<void> => {
    while ((await follower.connect(either(), 3)) !== "completed");
  };
  const both = Promise.all([follow(events), follow(log)]);
  const still = new Follower("runEvents", run);
  const watching = still.connect(second.api);
  await Promise.all([events, still].map((follower) => follower.until(() => true)));
  await job.log("PREPARE", "one", "two");
  await job.plan();
  await waitForStatus(second.api, run, "AWAITING_PLAN_APPROVAL");
  await approveBoth(second.api, run);
  // The second server's runner takes over.
  const apply = await claim(second.url, second.runnerToken);
  await apply?.log("PREPARE", "three");
  await apply?.apply(1);
  await both;
  expect(await watching).toBe("completed");
  const record = await readRun(second.api, run);
  for (const { versions, items } of [events, still]) {
    expect(versions).toEqual(record.versions.filter((version) => version > items[0].run.version));
  }
  expect(log.lineTexts).toEqual(["one", "two", "three"]);
  await waitUntil(() => server.hub.size + second.hub.size === 0);
  expect(second.reported).toEqual([]);
});

const FAILURE: FailureReport = { code: "PLAN_FAILED", stage: "PLAN", summary: "No.", message: "No.", evidence: [] };
