// Who is next, and who may not be yet.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ClaimedJob } from "../../src/domain/job/leased-job.ts";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import type { RunKind } from "../../src/model/lifecycle/run-kind.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { ADMIN, type Line, openLine } from "../support/line.ts";

let server: InProcess;
let line: Line;
let organizationId: string;
beforeAll(async () => {
  server = await startInProcess();
  line = await openLine(server);
  const [organization] = await server.deps.database.sql.selectFrom("organization").select("id").execute();
  organizationId = organization?.id ?? "";
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => expect(server.reported.splice(0)).toEqual([]));

const limit = (concurrencyLimit: number) =>
  server.domain.updateOrganization(ADMIN, { organizationId, concurrencyLimit });

async function take(): Promise<ClaimedJob> {
  const job = await line.claim();
  if (job === null) throw new Error("There is nothing to take.");
  return job;
}

async function drain(): Promise<void> {
  for (let job = await line.claim(); job !== null; job = await line.claim()) await line.end(job);
}

describe("fairness", () => {
  // Two kinds of lanes, backlogs of different lengths, and jobs that end in any order: each gets its share all the same.
  // A thousand claims of the dispatch table alone are in test/persistence/dispatch-store.test.ts.
  it.each<[RunKind, number]>([
    ["DEPLOY", 50],
    ["PLAN", 50],
  ])(
    "%s: over %i claims, each of five workspaces that are always busy gets a fifth",
    async (kind, claims) => {
      await limit(3);
      const backlog = [6, 1, 1, 1, 1];
      const workspaces: string[] = [];
      for (const length of backlog) {
        const id = await line.addWorkspace();
        workspaces.push(id);
        for (let i = 0; i < length; i++) await line.queue(id, kind);
      }
      const got = new Map(workspaces.map((id) => [id, 0]));
      const live: ClaimedJob[] = [];
      let seed = 7;
      for (let i = 0; i < claims; i++) {
        const job = await take();
        got.set(job.workspace.id, (got.get(job.workspace.id) ?? 0) + 1);
        live.push(job);
        await line.queue(job.workspace.id, kind);
        if (live.length < 3) continue;
        seed = (seed * 48_271) % 2_147_483_647;
        const [over] = live.splice(seed % live.length, 1);
        if (over !== undefined) await line.end(over);
      }
      const share = claims / workspaces.length;
      for (const count of got.values()) expect(Math.abs(count - share)).toBeLessThanOrEqual(share * 0.2);
      for (const job of live) await line.end(job);
      for (const { id } of await waitingRuns())
        await server.domain.cancelRun(ADMIN, { runId: id, force: false, comment: null });
      await drain();
    },
    60_000,
  );
});

function waitingRuns(): Promise<{ id: string }[]> {
  const waiting = ["QUEUED", "READY"];
  return server.deps.database.sql.selectFrom("run").select("id").where("status", "in", waiting).execute();
}

it("priority decides within a class, the class before it, and age last", async () => {
  await limit(10);
  const workspaces: string[] = [];
  for (let i = 0; i < 5; i++) workspaces.push(await line.addWorkspace());
  const [a = "", b = "", c = "", d = "", e = ""] = workspaces;
  await line.queue(a, "PLAN", 100);
  await line.queue(b, "DEPLOY");
  await line.queue(c, "DEPLOY", 7);
  await line.queue(d, "DEPLOY");
  await line.queue(e, "PLAN", 50);
  // In one workspace, too: the second comes first.
  await line.queue(b, "PLAN", 1);
  await line.queue(b, "PLAN", 2);
  const order = [];
  for (let job = await line.claim(); job !== null; job = await line.claim()) order.push(job);
  expect(order.map(({ workspace, run }) => `${run.kind} ${workspaces.indexOf(workspace.id)}`)).toEqual([
    "DEPLOY 2",
    "DEPLOY 1",
    "DEPLOY 3",
    "PLAN 0",
    "PLAN 4",
    "PLAN 1",
    "PLAN 1",
  ]);
  expect(order.slice(-2).map(({ run }) => run.number)).toEqual([3, 2]);
  for (const job of order) await line.end(job);
});

describe("the limit of the organization", () => {
  it("gives its place to whoever comes first, also where somebody else had it already", async () => {
    await limit(1);
    const plan = await line.queue(await line.addWorkspace(), "PLAN");
    const deploy = await line.queue(await line.addWorkspace(), "DEPLOY");
    expect((await take()).run.id).toBe(deploy.id);
    expect(await line.claim()).toBeNull();
    await limit(2);
    expect((await take()).run.id).toBe(plan.id);
    await limit(1000);
    await endAll();
  });

  it("raised lets in who waits, lowered lets nobody in before there is a place again", async () => {
    await limit(2);
    const runs = [];
    for (let i = 0; i < 5; i++) runs.push(await line.queue(await line.addWorkspace()));
    const jobs = [await take(), await take()];
    expect(await line.claim()).toBeNull();
    await limit(3);
    jobs.push(await take());
    expect(await line.claim()).toBeNull();
    await limit(1);
    const [first, second, third] = jobs;
    for (const job of [first, second]) {
      if (job !== undefined) await line.end(job);
      expect(await line.claim()).toBeNull();
    }
    if (third !== undefined) await line.end(third);
    expect((await take()).run.id).toBe(runs[3]?.id);
    // A place that was given and not taken yet goes back.
    await limit(2);
    await limit(1);
    expect(await line.claim()).toBeNull();
    await limit(1000);
    await endAll();
  });
});

/** Whatever is at work is over, whatever waits is taken and over. */
async function endAll(): Promise<void> {
  server.advance(31_000);
  while ((await loseExpiredLeases(server.deps)) > 0);
  await drain();
}

it("a run that cannot be claimed is reported, and keeps nobody else from being claimed", async () => {
  await limit(10);
  const broken = await line.queue(await line.addWorkspace());
  const next = await line.queue(await line.addWorkspace());
  const sql = server.deps.database.sql;
  // Its lease would be a second one.
  const job = await take();
  expect(job.run.id).toBe(broken.id);
  await line.end(job, "handedBack");
  await sql.updateTable("job").set({ ended_at: null }).where("id", "=", job.id).execute();
  // It is behind the next one now.
  const first = await take();
  expect(first.run.id).toBe(next.id);
  const third = await line.queue(await line.addWorkspace());
  expect((await take()).run.id).toBe(third.id);
  expect(server.reported.splice(0)).toHaveLength(1);
  await sql.updateTable("job").set({ ended_at: server.deps.clock().toISOString() }).where("id", "=", job.id).execute();
  await endAll();
});
