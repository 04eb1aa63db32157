// Runners that claim while runs are made, end and are cancelled, and the rules change: over real connections.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { ClaimedJob } from "../../src/domain/job/leased-job.ts";
import { UserError } from "../../src/model/kit/user-error.ts";
import { listOrganizationsToOffer } from "../../src/persistence/dispatch/dispatch-store.ts";
import { listStaleDispatch } from "../../src/persistence/dispatch/stale-dispatch-store.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { addPool } from "../support/fleet.ts";
import { ADMIN, type Line, openLine } from "../support/line.ts";

/** Half of them are shared runners, the others of a pool, where two of the workspaces run. */
const CLAIMERS = 8;
const RUNS = 55;
/** Who got nothing waits for a hint, as runners do. */
const LOOK_AGAIN_MS = 200;
const WORKSPACES = 5;
const LIMITS_OF_ORGANIZATION = [2, 4, 1, 3];

interface Races {
  server: InProcess;
  line: Line;
  workspaces: string[];
  /** Of the pool. */
  secret: string;
  /** When each claim was asked for, and when it was answered. */
  askedAt: Map<string, number>;
  answeredAt: Map<string, number>;
  /** Limits with the times between which they may have held. */
  limits: { limit: number; from: number; to: number }[];
  setLimit: (limit: number) => Promise<void>;
}

async function open(server: InProcess): Promise<Races> {
  const line = await openLine(server);
  const workspaces = [];
  const { id: runnerPoolId, secret } = await addPool(server, "pool", true);
  for (let i = 0; i < WORKSPACES; i++) workspaces.push(await line.addWorkspace(i < 2 ? { runnerPoolId } : {}));
  const [organization] = await server.deps.database.sql.selectFrom("organization").select("id").execute();
  const organizationId = organization?.id ?? "";
  const limits: Races["limits"] = [{ limit: 3, from: 0, to: Number.POSITIVE_INFINITY }];
  return {
    server,
    line,
    workspaces,
    secret,
    askedAt: new Map(),
    answeredAt: new Map(),
    limits,
    async setLimit(limit) {
      const last = limits.at(-1);
      limits.push({ limit, from: server.deps.clock().getTime(), to: Number.POSITIVE_INFINITY });
      await server.domain.updateOrganization(ADMIN, { organizationId, concurrencyLimit: limit });
      if (last !== undefined) last.to = server.deps.clock().getTime();
    },
  };
}

/** A loser of a race gets a conflict. */
async function orConflict(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
  });
}

async function makeRuns({ line, workspaces, server }: Races): Promise<void> {
  for (let i = 0; i < RUNS; i++) {
    const run = await line.queue(workspaces[i % WORKSPACES] ?? "", i % 3 === 0 ? "PLAN" : "DEPLOY", i % 4);
    const input = { runId: run.id, force: false, comment: null };
    if (i % 7 === 0) await orConflict(server.domain.cancelRun(ADMIN, input));
    if (i % 11 === 0) await orConflict(server.domain.prioritizeRun(ADMIN, { runId: run.id, priority: 50 }));
  }
}

async function changeRules({ setLimit, server, workspaces }: Races, isOver: () => boolean): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const workspaceId = workspaces[i % WORKSPACES] ?? "";
    await setLimit(LIMITS_OF_ORGANIZATION[i % LIMITS_OF_ORGANIZATION.length] ?? 3);
    await server.domain.updateWorkspace(ADMIN, { workspaceId, paused: true });
    await server.domain.lockWorkspace(ADMIN, { workspaceId, note: null, expiresAt: null });
    await server.domain.updateWorkspace(ADMIN, { workspaceId, paused: false });
    await server.domain.unlockWorkspace(ADMIN, { workspaceId, force: false, note: null });
  }
}

/** Takes and ends jobs; keeps the last one where it is told to stop. */
async function work(
  { line, askedAt, answeredAt, server }: Races,
  isOver: () => boolean,
  secret: string | undefined,
): Promise<ClaimedJob | null> {
  using waiting = server.hub.watch("work");
  for (let i = 0; ; i++) {
    const claimId = randomUUID();
    askedAt.set(claimId, server.deps.clock().getTime());
    waiting.reset();
    const job = await line.claim(claimId, secret);
    answeredAt.set(claimId, server.deps.clock().getTime());
    if (isOver()) return job;
    if (job !== null) await line.end(job, i % 5 === 0 ? "handedBack" : "failed");
    else await waiting.changed(LOOK_AGAIN_MS);
  }
}

interface JobTimes {
  claim_id: string;
  run_id: string;
  workspace_id: string;
  kind: string;
  claimed_at: string;
  ended_at: string | null;
}

/** What must hold whatever happened, from the times of all jobs. */
async function check({ server, askedAt, answeredAt, limits }: Races): Promise<void> {
  const jobs: JobTimes[] = await server.deps.database.sql
    .selectFrom("job")
    .innerJoin("run", "run.id", "job.run_id")
    .select(["claim_id", "run_id", "job.workspace_id", "kind", "claimed_at", "ended_at"])
    .execute();
  expect(new Set(jobs.map(({ claim_id }) => claim_id)).size).toBe(jobs.length);
  for (const job of jobs) {
    const at = Date.parse(job.claimed_at);
    const asked = askedAt.get(job.claim_id) ?? 0;
    const live = jobs.filter(
      (other) => other.claimed_at <= job.claimed_at && (other.ended_at === null || other.ended_at > job.claimed_at),
    );
    // A claim takes its time, then may wait for a lock: it is decided at any moment until it is answered.
    const answered = answeredAt.get(job.claim_id) ?? at;
    const most = Math.max(
      ...limits.filter(({ from, to }) => from <= answered && to >= asked).map(({ limit }) => limit),
    );
    const throughout = live.filter(
      (other) => other === job || other.ended_at === null || Date.parse(other.ended_at) > answered,
    );
    expect(throughout.length).toBeLessThanOrEqual(most);
    expect(live.filter(({ run_id }) => run_id === job.run_id)).toHaveLength(1);
    const holding = live.filter(({ kind, workspace_id }) => kind !== "PLAN" && workspace_id === job.workspace_id);
    expect(holding.length).toBeLessThanOrEqual(1);
  }
}

it("no limit is exceeded, no run is claimed twice, nobody is forgotten", async () => {
  await using server = await startInProcess();
  const races = await open(server);
  let over = false;
  const isOver = () => over;
  const claimers = Array.from({ length: CLAIMERS }, (_, i) =>
    work(races, isOver, i % 2 === 0 ? undefined : races.secret),
  );
  const rules = changeRules(races, isOver);
  await makeRuns(races);
  over = true;
  const kept = (await Promise.all(claimers)).filter((job) => job !== null);
  await rules;
  await check(races);
  // All is quiet, and no round of the scheduler was needed: whoever can go has a place, or there is none.
  const { database, clock } = server.deps;
  expect(await listOrganizationsToOffer(database)).toEqual([]);
  expect(await listStaleDispatch(database, clock().toISOString(), 100)).toEqual([]);
  await races.setLimit(3);
  expect(await listOrganizationsToOffer(database)).toEqual([]);
  for (const job of kept) await races.line.end(job);
  const next = async () => (await races.line.claim()) ?? (await races.line.claim(undefined, races.secret));
  for (let job = await next(); job !== null; job = await next()) await races.line.end(job);
  await check(races);
  const left = await database.sql.selectFrom("run").select(["id", "status"]).where("finished_at", "is", null).execute();
  expect(left).toEqual([]);
  expect(await database.sql.selectFrom("dispatch").selectAll().execute()).toEqual([]);
  expect(server.reported).toEqual([]);
}, 120_000);
