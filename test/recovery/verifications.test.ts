/** Servers and runners that are killed while they verify applies and go back: real processes, a real engine. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Data, waitForStatus } from "../support/api.ts";
import { createCheck } from "../support/check-steps.ts";
import { RECOVERY_MS, waitFor, waitUntil } from "../support/eventually.ts";
import { report, sendReport, startRunTaskService } from "../support/run-task-service.ts";
import * as steps from "../support/run-steps.ts";
import { type RunnerIndex, RUNNERS, SERVERS, type ServerIndex, VerifiedScene } from "../support/verified-scene.ts";

const LIMIT_MS = 300_000;
const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };
/** Servers and probers that are killed in turn. */
const KILLS = inject("soaks") ? 30 : 4;

let scene: VerifiedScene;
beforeAll(async () => {
  scene = await VerifiedScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

async function readVerified(runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status outcome requiredAction trigger rollbackRisks failure { code }
    rollsBackTo { id } rollbackCandidate { id } origin { id } verification { status endsBy baselinePassed probes { name attempts lastFailure } }
    workspace { outputs { name value } } } }`;
  return (await scene.api.ask(query, { id: runId })).run;
}

const rollbacksOf = async (workspaceId: string): Promise<Data[]> =>
  (await scene.rows.query(`select id from run where workspace_id = $1 and "trigger" = 'ROLLBACK'`, [workspaceId])).rows;

/** As if the time of the leases of those that were killed had passed. */
async function passLeases(): Promise<void> {
  await scene.rows.query("update verification set lease_until = now() where lease_until > now()");
  await scene.rows.query("update verification set samples_lease_until = now() where samples_lease_until > now()");
}

/** Kills the runner that runs the command of a probe at the moment, and starts it again. Returns which one it was. */
async function killProber(): Promise<RunnerIndex> {
  const file = join(scene.folder, "written", "prober");
  await rm(file, { force: true });
  const pid = await waitFor(async () => Number(await readFile(file, "utf8")), PATIENCE);
  const index = RUNNERS.find((one) => scene.runners[one]?.pid === pid);
  if (index === undefined) throw new Error(`${pid} is no runner.`);
  await killRunner(index);
  return index;
}

async function killRunner(index: RunnerIndex): Promise<void> {
  const runner = scene.runners[index];
  if (runner?.pid === undefined) throw new Error(`Runner ${index} is not there.`);
  process.kill(runner.pid, "SIGKILL");
  await runner.exited;
  await passLeases();
  await scene.startRunner(index);
}

async function killServer(index: ServerIndex): Promise<void> {
  await scene.servers[index]?.kill();
  await passLeases();
  await scene.startServer(index);
}

it(`${KILLS} times kill -9 of servers and probers while VERIFYING`, { timeout: LIMIT_MS * (KILLS / 4) }, async () => {
  const written = join(scene.folder, "written");
  const workspaceId = await scene.createWorkspace("killed", {
    text: `output "url" { value = "http://127.0.0.1:${scene.port}/v1" }\nresource "terraform_data" "a" { input = 1 }`,
    mode: "AUTO_SAFE",
    // One failure goes back: the service is well, so that only a killed prober could be taken for one.
    verificationSettings: { windowSeconds: 3600, successesInARow: 2, failFastAfter: 1 },
    probes: [
      { name: "inside", kind: "HTTP", use: "VERIFY", from: "RUNNERS", target: "{{outputs.url}}", timeoutMs: 10_000 },
      { name: "outside", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "{{outputs.url}}", timeoutMs: 10_000 },
      {
        name: "command",
        kind: "COMMAND",
        use: "VERIFY",
        timeoutMs: 10_000,
        // Its parent is the runner. It stays for long enough to be killed meanwhile.
        target: `echo $PPID > ${written}/$$ && mv ${written}/$$ ${written}/prober && sleep 1`,
      },
    ],
  });
  const good = await steps.createRun(scene.api, workspaceId);
  await waitForStatus(scene.api, good, "FINISHED");

  // The verification ends once a check has answered, after all kills.
  await using service = await startRunTaskService();
  const stages = { stages: ["POST_APPLY"], selector: { names: ["killed"] }, totalSeconds: 3600, progressSeconds: 3600 };
  await createCheck(scene.api, service, stages);
  await scene.write(
    "killed",
    `resource "terraform_data" "a" { input = 2 }\noutput "url" { value = "http://127.0.0.1:${scene.port}/v1" }`,
  );
  const runId = await steps.createRun(scene.api, workspaceId);
  await waitForStatus(scene.api, runId, "VERIFYING");
  await service.next();
  const before = (await readVerified(runId))["verification"];
  const killed = new Set<RunnerIndex>();
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % 2 === 0) killed.add(await killProber());
    else await killServer(kill % 4 === 1 ? 0 : 1);
  }
  // Those that ran no command when the others were killed.
  for (const index of RUNNERS) if (!killed.has(index)) await killRunner(index);
  const during = await readVerified(runId);
  expect(during).toMatchObject({ status: "VERIFYING", verification: { status: "RUNNING", endsBy: before.endsBy } });
  expect((await readVerified(runId))["rollbackCandidate"]).toEqual({ id: good });
  const [request] = service.requests.slice(-1);
  if (request === undefined) throw new Error("The check was not asked.");
  expect(await sendReport(scene.api.url, request, report("passed"))).toEqual({ status: 200, errors: [] });
  await waitForStatus(scene.api, runId, "FINISHED");

  expect(await readVerified(runId)).toMatchObject({
    outcome: "APPLIED",
    verification: { status: "PASSED", endsBy: before.endsBy },
  });
  const { statuses } = await steps.readRun(scene.api, runId);
  expect(statuses.filter((one) => one === "VERIFYING" || one === "FINISHED")).toEqual(["VERIFYING", "FINISHED"]);
  expect(await rollbacksOf(workspaceId)).toEqual([]);
});

/** A release that works as v1, and does not as v2. */
const release = (version: string, isReplaced: boolean): string => `
  resource "terraform_data" "app" {
    input = "${version}"
    ${isReplaced ? `triggers_replace = ["${version}"]` : ""}
  }
  output "url" { value = "http://127.0.0.1:${scene.port}/${version}" }`;

it("kill -9 of both servers while they go back", async () => {
  const cases = [
    { name: "safe", mode: "AUTO_SAFE", isReplaced: false },
    { name: "unsafe", mode: "AUTO_SAFE", isReplaced: true },
    { name: "proposed", mode: "PROPOSE", isReplaced: false },
  ];
  const given = await Promise.all(
    cases.map(async (one) => {
      const workspaceId = await scene.createWorkspace(one.name, {
        text: release("v1", one.isReplaced),
        mode: one.mode,
        verificationSettings: { windowSeconds: 60, successesInARow: 2, failFastAfter: 2 },
        probes: [{ name: "app", kind: "HTTP", use: "VERIFY", from: "RUNNERS", target: "{{outputs.url}}" }],
      });
      const good = await steps.createRun(scene.api, workspaceId);
      await waitForStatus(scene.api, good, "FINISHED");
      await scene.write(one.name, release("v2", one.isReplaced));
      return { ...one, workspaceId, good };
    }),
  );

  // Holds the creation of runs that go back, in the middle of its transaction.
  const holder = new Client({ ...scene.database.connection });
  await holder.connect();
  await holder.query(`create function hold() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(42); return new; end $$`);
  await holder.query(`create trigger held before insert on run for each row when (new."trigger" = 'ROLLBACK')
    execute function hold()`);
  await holder.query("select pg_advisory_lock(42)");
  const failed = await Promise.all(
    given.map(async ({ workspaceId }) => {
      const runId = await steps.createRun(scene.api, workspaceId);
      await waitForStatus(scene.api, runId, "FAILED");
      return runId;
    }),
  );
  const waiting = "select 1 from pg_locks where locktype = 'advisory' and objid = 42 and not granted";
  await waitUntil(async () => (await holder.query(waiting)).rows.length > 0, PATIENCE);
  await Promise.all(scene.servers.map((server) => server.kill()));
  await holder.query("select pg_advisory_unlock(42)");
  await holder.query("drop trigger held on run");
  await holder.end();
  for (const { workspaceId } of given) expect(await rollbacksOf(workspaceId)).toEqual([]);
  await passLeases();
  await Promise.all(SERVERS.map((index) => scene.startServer(index)));

  const ends = await Promise.all(
    given.map(async ({ workspaceId, name }) => {
      const [back] = await waitFor(async () => {
        const found = await rollbacksOf(workspaceId);
        expect(found).toHaveLength(1);
        return found;
      }, PATIENCE);
      await waitForStatus(scene.api, back?.["id"], name === "safe" ? "FINISHED" : "AWAITING_APPLY_APPROVAL");
      return readVerified(back?.["id"]);
    }),
  );
  for (const [index, end] of ends.entries()) {
    expect(end).toMatchObject({
      trigger: "ROLLBACK",
      rollsBackTo: { id: given[index]?.good },
      origin: { id: failed[index] },
    });
  }
  const [safe, unsafe, proposed] = ends;
  const url = (version: string) => [{ name: "url", value: `http://127.0.0.1:${scene.port}/${version}` }];
  expect(safe).toMatchObject({
    outcome: "APPLIED",
    verification: { status: "PASSED" },
    workspace: { outputs: url("v1") },
  });
  expect(unsafe).toMatchObject({ rollbackRisks: ["DESTROYS"], workspace: { outputs: url("v2") } });
  expect(proposed).toMatchObject({ rollbackRisks: [], workspace: { outputs: url("v2") } });
  for (const { workspaceId } of given) expect(await rollbacksOf(workspaceId)).toHaveLength(1);
});
