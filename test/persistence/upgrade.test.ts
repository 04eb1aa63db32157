/** A database of an older release, full of live runs: after the upgrade each of them goes on as it should. */
import { randomBytes } from "node:crypto";
import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLeaseRound } from "../../src/domain/rounds/lease-round.ts";
import { jobToken } from "../../src/domain/token/credentials.ts";
import { scheduleRound } from "../../src/domain/rounds/scheduler-round.ts";
import { createTimeRound } from "../../src/domain/rounds/time-round.ts";
import { createIds } from "../../src/model/kit/id.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { migrateToLatest, migrateUpTo } from "../../src/persistence/database/migrate.ts";
import { createApi, type Data } from "../support/api.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { claim, FakeJob, fakePlan } from "../support/fake-runner.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { type OlderRelease, type OldRun, olderRelease, way } from "../support/older-release.ts";

const SECOND = 1000;
const masterKey = randomBytes(32);
const cipher = createCipher(masterKey);
let old: Awaited<ReturnType<typeof fill>>;
let client: Client;
let server: InProcess;
/** What a server does by itself, each with the memory of one that has just started. */
let look: () => Promise<void>;

beforeAll(async () => {
  const testDatabase = await createEmptyDatabase();
  client = new Client({ ...testDatabase.connection });
  await client.connect();
  const pool = new Pool({ ...testDatabase.connection, max: 2 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await migrateUpTo(db, "0006-former-secrets");
  const newId = createIds(() => new Date(), randomBytes);
  const ago = (seconds: number): string => new Date(Date.now() - seconds * SECOND).toISOString();
  // Longer than a runner may be silent; the leases ran out while nobody was up.
  old = await fill(olderRelease({ client, cipher, newId, at: ago(3600), leasesEndAt: ago(60) }));
  await migrateToLatest(db);
  await db.destroy();
  server = await startInProcess({ standing: true, existing: { testDatabase, masterKey } });
  const rounds = [createLeaseRound(server.deps), createTimeRound(server.deps), () => scheduleRound(server.deps)];
  look = async () => {
    for (const round of rounds) await round();
  };
});
afterAll(async () => {
  await client.end();
  await server[Symbol.asyncDispose]();
});

async function fill(release: OlderRelease) {
  await client.query("update organization set concurrency_limit = 20");
  const inOwn = async (...args: [Parameters<typeof way>[0], ...Parameters<OlderRelease["addWorkspace"]>]) =>
    release.addRun(await release.addWorkspace(args[1]), "DEPLOY", way(args[0]));
  const planning = await inOwn("PLANNING");
  const interrupted = await release.addWorkspace({ lock: "APPLY_INTERRUPTED" });
  return {
    planning,
    behindPlanning: await release.addRun(planning.workspaceId, "DEPLOY", []),
    speculative: await release.addRun(planning.workspaceId, "PLAN", [["READY", "PLAN"]]),
    ready: await inOwn("READY"),
    preparing: await inOwn("PREPARING"),
    preparingApply: await release.addRun(
      await release.addWorkspace(),
      "DEPLOY",
      way("CONFIRMED", ["PREPARING", "APPLY"]),
    ),
    initializing: await inOwn("INITIALIZING"),
    planGate: await inOwn("AWAITING_PLAN_APPROVAL"),
    applyGate: await inOwn("AWAITING_APPLY_APPROVAL"),
    replan: await release.addRun(
      await release.addWorkspace(),
      "DEPLOY",
      way("AWAITING_PLAN_APPROVAL", ["REPLAN_REQUESTED", "REPLAN"]),
    ),
    confirmed: await inOwn("CONFIRMED"),
    applying: await inOwn("APPLYING"),
    applyingAndLost: await inOwn("APPLYING"),
    ended: await release.addRun(
      await release.addWorkspace(),
      "DEPLOY",
      way("APPLYING", ["FINISHED", "APPLY", "APPLIED"]),
    ),
    paused: await inOwn("READY", { paused: true }),
    locked: await inOwn("CONFIRMED", { lock: "MANUAL" }),
    lost: await release.addRun(interrupted, "DEPLOY", way("APPLYING", ["FAILED", "APPLY"])),
    behindLost: await release.addRun(interrupted, "DEPLOY", []),
  };
}

type Name = keyof typeof old;
const nameOf = (runId: string): string => Object.entries(old).find(([, { id }]) => id === runId)?.[0] ?? runId;

async function rows(text: string, ...values: unknown[]): Promise<Data[]> {
  return (await client.query(text, values)).rows;
}

/** What each run is in, by its name. */
async function places(): Promise<Data> {
  const found = await rows("select id, status, leg from run");
  return Object.fromEntries(found.map(({ id, status, leg }) => [nameOf(id), `${status} ${leg}`]));
}

async function statuses(...names: Name[]): Promise<string[]> {
  const found = await places();
  return names.map((name) => found[name].split(" ")[0]);
}

const RUN = `id status leg outcome planVersion: plan { version } failure { code stateUncertain }
  approvals { gate stage counts actor { id } } blockers { kind }`;
const read = async (name: Name): Promise<Data> =>
  (await server.api.ask(`query ($id: ID!) { run(id: $id) { ${RUN} } }`, { id: old[name].id })).run;

/** Sends a command, and gives the code of its error; null: it was done. */
async function send(command: string, input: object, api = server.api): Promise<string | null> {
  const type = command.charAt(0).toUpperCase() + command.slice(1);
  const query = `mutation ($input: ${type}Input!) { ${command}(input: $input) { ... on UserError { code } } }`;
  return (await api.ask(query, { input }))[command].code ?? null;
}

const approve = (name: Name, gate: "PLAN" | "APPLY", api = server.api): Promise<string | null> =>
  send("approveRun", { runId: old[name].id, gate, planVersion: 1 }, api);

/** The runner that has had a run since before the upgrade. */
function runnerOf({ jobId, sequence }: OldRun): FakeJob {
  const job = new FakeJob(server.url, JSON.parse(JSON.stringify({ id: jobId, nextLine: 1, stateSerial: 0 })));
  Object.assign(job.job, { token: jobToken(cipher, jobId) });
  job.sequence = sequence;
  return job;
}

/** Claims all that there is, by the names of the runs. */
async function claimAll(): Promise<Map<string, FakeJob>> {
  const jobs = new Map<string, FakeJob>();
  for (;;) {
    const job = await claim(server.url, server.runnerToken);
    if (job === null) return jobs;
    jobs.set(nameOf(job.job.run.id), job);
  }
}

function take(jobs: Map<string, FakeJob>, name: Name): FakeJob {
  const job = jobs.get(name);
  if (job === undefined) throw new Error(`${name} was not claimed.`);
  return job;
}

test("nothing of an organization with runs is removed because nobody has said how long it is kept", async () => {
  expect(await rows("select log_days, event_days, archive_days from organization")).toEqual([
    { log_days: null, event_days: null, archive_days: null },
  ]);
});

test("every run that lives is looked at, and what waits for a runner waits in the new table", async () => {
  const alarms = await rows("select id, alarm_at is not null as alarm, finished_at is null as live from run");
  expect(alarms.filter(({ alarm, live }) => alarm !== live)).toEqual([]);
  expect(alarms.filter(({ live }) => !live).map(({ id }) => nameOf(id))).toEqual(["ended", "lost"]);
  const waiting = await rows("select run_id, class, offered from dispatch order by class, turn");
  const named = waiting.map(({ run_id, class: rank }) => [nameOf(run_id), rank]);
  expect(Object.fromEntries(named)).toEqual({ confirmed: 0, ready: 1, replan: 1, speculative: 2 });
});

test("the first looks of a server that starts change nothing, and set the alarms of this release", async () => {
  const before = await places();
  const told = () => rows("select type, data -> 'fields' as fields, count(*)::int from run_event group by 1, 2");
  const events = await told();
  await look();
  expect(await places()).toEqual(before);
  // But for what those hear that wait.
  const blockers = { type: "CHANGED", fields: ["blockers"], count: expect.any(Number) };
  expect(await told()).toEqual(expect.arrayContaining([...events, blockers]));
  expect(await told()).toHaveLength(events.length + 1);
  const at = server.deps.clock();
  const alarmed = await rows("select id from run where alarm_at > $1", at);
  const working: Name[] = ["planning", "preparing", "preparingApply", "initializing", "applying", "applyingAndLost"];
  expect(alarmed.map(({ id }) => nameOf(id)).toSorted()).toEqual(working.toSorted());
  expect(await rows("select id from run where alarm_at <= $1", at)).toEqual([]);
  // All of them have waited for more than a moment, and say what for.
  for (const name of ["ready", "replan", "confirmed", "speculative", "behindPlanning", "behindLost"] as const) {
    expect([name, (await read(name)).blockers]).not.toEqual([name, []]);
  }
  expect(server.reported).toEqual([]);
});

test("runners at work go on; those that are not heard from lose their leases as ever", async () => {
  const heard = (["planning", "initializing", "applying"] as const).map((name) => runnerOf(old[name]));
  for (let passed = 0; passed < 45; passed += 9) {
    server.advance(9 * SECOND);
    for (const job of heard) expect((await job.heartbeat()).body).toEqual({ cancelRequested: false, expired: null });
    await look();
  }
  expect(await statuses("planning", "initializing", "applying")).toEqual(["PLANNING", "INITIALIZING", "APPLYING"]);
  expect(await statuses("preparing", "preparingApply", "applyingAndLost")).toEqual(["READY", "CONFIRMED", "FAILED"]);
  expect((await read("applyingAndLost")).failure).toEqual({ code: "RUNNER_LOST", stateUncertain: true });
  const locks = await rows("select lock_reason from workspace where id = $1", old.applyingAndLost.workspaceId);
  expect(locks).toEqual([{ lock_reason: "APPLY_INTERRUPTED" }]);

  const [planning, initializing, applying] = heard;
  await initializing?.message({ type: "initialized" });
  for (const job of [planning, initializing]) {
    await job?.request("PUT", "archive", Buffer.from("archive"));
    expect((await job?.message({ type: "planned", plan: fakePlan() }))?.status).toBe(200);
  }
  expect((await applying?.message({ type: "applied", appliedAddresses: [] }))?.status).toBe(200);
  expect(await statuses("planning", "initializing", "applying")).toEqual([
    "AWAITING_PLAN_APPROVAL",
    "AWAITING_PLAN_APPROVAL",
    "FINISHED",
  ]);
});

test("what waits is claimed, applies first, and goes on", async () => {
  const jobs = await claimAll();
  const names = [...jobs.keys()];
  expect(names.slice(0, 2).toSorted()).toEqual(["confirmed", "preparingApply"]);
  expect(names.slice(2, 5).toSorted()).toEqual(["preparing", "ready", "replan"]);
  expect(names.slice(5)).toEqual(["speculative"]);
  for (const name of ["confirmed", "preparingApply"] as const) {
    const job = take(jobs, name);
    expect(job.job.plan).toMatchObject({ version: 1, digest: "d1" });
    expect((await job.apply(1, name)).status).toBe(200);
    expect(await read(name)).toMatchObject({ status: "FINISHED", outcome: "APPLIED" });
  }
  for (const name of ["preparing", "ready", "replan", "speculative"] as const) await take(jobs, name).plan();
  expect(await read("replan")).toMatchObject({ status: "AWAITING_PLAN_APPROVAL", planVersion: { version: 2 } });
  expect(await read("speculative")).toMatchObject({ status: "FINISHED", outcome: "PLANNED" });
  expect(await statuses("preparing", "ready")).toEqual(["AWAITING_PLAN_APPROVAL", "AWAITING_PLAN_APPROVAL"]);
});

test("runs of workspaces that are paused or locked wait until that is over", async () => {
  expect((await read("paused")).blockers).toMatchObject([{ kind: "WORKSPACE_PAUSED" }]);
  expect((await read("locked")).blockers).toMatchObject([{ kind: "WORKSPACE_LOCKED" }]);
  expect((await read("behindLost")).blockers).toMatchObject([{ kind: "WORKSPACE_LOCKED" }]);
  await send("updateWorkspace", { workspaceId: old.paused.workspaceId, paused: false });
  await send("unlockWorkspace", { workspaceId: old.locked.workspaceId, force: true });
  await send("unlockWorkspace", { workspaceId: old.behindLost.workspaceId, force: true });
  const jobs = await claimAll();
  expect([...jobs.keys()].toSorted()).toEqual(["behindLost", "locked", "paused"]);
  for (const name of ["behindLost", "paused"] as const) await take(jobs, name).plan();
  await take(jobs, "locked").apply(1);
  expect(await statuses("behindLost", "paused", "locked")).toEqual([
    "AWAITING_PLAN_APPROVAL",
    "AWAITING_PLAN_APPROVAL",
    "FINISHED",
  ]);
});

test("approvals of the older release count, also by rules that it did not have", async () => {
  const { approvals } = await read("applyGate");
  expect(approvals).toMatchObject([{ gate: "PLAN", stage: null, counts: true }]);
  expect((await read("replan")).approvals).toEqual([]);
  const token = `mutation { createToken(input: { name: "other", role: APPROVER }) { ... on CreateTokenSuccess { secret } } }`;
  const other = createApi(server.url, (await server.api.ask(token)).createToken.secret);
  const rule = { name: "somebody else", gate: "APPLY", distinctFromPlanApprover: true };
  const { workspaceId } = old.applyGate;
  expect(await send("updateWorkspace", { workspaceId, approvalRules: [rule] })).toBeNull();
  expect(await approve("applyGate", "APPLY")).toBe("FORBIDDEN");
  expect(await approve("applyGate", "APPLY", other)).toBeNull();
  expect(await approve("planGate", "PLAN")).toBeNull();
  expect(await approve("planGate", "APPLY")).toBeNull();
  const jobs = await claimAll();
  expect([...jobs.keys()].toSorted()).toEqual(["applyGate", "planGate"]);
  for (const [name, job] of jobs) await job.apply(1, name);
  expect(await statuses("applyGate", "planGate", "ended")).toEqual(["FINISHED", "FINISHED", "FINISHED"]);
  await look();
  expect(server.reported).toEqual([]);
});
