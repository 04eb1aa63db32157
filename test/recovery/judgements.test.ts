/** A server that is killed while it judges a plan, and the process that evaluates: the plan is judged again, with the same verdict. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Data, waitForStatus } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { type LiveProcess, liveProcesses } from "../support/live-processes.ts";
import { createPolicySet, pushVersion } from "../support/policy-steps.ts";
import * as steps from "../support/run-steps.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";

/** A lease of 30 s has to run out. */
const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };

let work: HeldWork;
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  [work, database, dataDir] = await Promise.all([startHeldWork(), createTestDatabase(), makeDataDir()]);
});
afterAll(async () => {
  await work[Symbol.asyncDispose]();
  await removeDataDir(dataDir);
  await database[Symbol.asyncDispose]();
});

const start = (): Promise<ServerProcess> =>
  startServerProcess({ dataDir, env: { DATABASE_URL: database.url, HOLDPOINT_SOURCE_ROOTS: work.root } });

/** Some seconds of CPU time, below the limit of a policy. */
const DIGITS = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
const LONG = ["a", "b", "c", "d", "e"].reduceRight(
  (inner, name) => `${DIGITS}.all(${name}, ${inner})`,
  "a + b + c + d + e >= 0",
);
const rules = [
  { name: "slow", level: "MANDATORY", each: "PLAN", when: LONG, message: "It was judged." },
  { name: "quick", level: "ADVISORY", each: "PLAN", when: "true", message: "It was seen." },
];

/** The processes that evaluate for a server. */
function evaluatorsOf({ pid }: ServerProcess): LiveProcess[] {
  return liveProcesses(dataDir, pid).filter(({ command }) => command.includes("evaluator/child/main"));
}

async function read(server: ServerProcess, id: string): Promise<Data> {
  const { run } = await server.api.ask(
    `query ($id: ID!) { run(id: $id) { status failure { code summary } dialects { forgecroft { plan } }
      policyEvaluations { point status results(first: 10) { edges { node { policy level status message } } } } } }`,
    { id },
  );
  return run;
}

it("kill -9 of the evaluator, then of the server, while a plan is judged", async () => {
  const first = await start();
  // Everything is applied by itself, unless a policy denies it.
  const workspace = await steps.createWorkspaceOf(first.api, {
    name: "judged",
    source: { directory: { path: await work.source("judged", 'resource "terraform_data" "a" {}') } },
    planApproval: "WHEN_REQUIRED",
    autoApply: "ALWAYS",
  });
  const { policySet } = await createPolicySet(first.api, { selector: { workspaceIds: [workspace] } });
  expect(await pushVersion(first.api, { policySetId: policySet.id, rules, state: "ACTIVE" })).toMatchObject({
    version: { state: "ACTIVE" },
  });
  const undisturbed = await steps.createRun(first.api, workspace);
  await waitForStatus(first.api, undisturbed, "REJECTED");
  const expected = await read(first, undisturbed);
  expect(expected).toMatchObject({ failure: { code: "POLICY_DENIED" }, policyEvaluations: [{ status: "FAILED" }] });

  // The evaluator alone: the server judges again at once.
  const orphan = await steps.createRun(first.api, workspace);
  await waitForStatus(first.api, orphan, "POLICY_CHECKING");
  expect(await read(first, orphan)).toMatchObject({ dialects: { forgecroft: { plan: "PENDING_POLICY" } } });
  await waitUntil(async () => (await read(first, orphan)).policyEvaluations[0]?.status === "RUNNING", PATIENCE);
  const killed = evaluatorsOf(first);
  expect(killed).not.toEqual([]);
  for (const { pid } of killed) process.kill(pid, "SIGKILL");
  expect(await read(first, orphan)).toMatchObject({ status: "POLICY_CHECKING" });
  await waitForStatus(first.api, orphan, "REJECTED");
  expect(await read(first, orphan)).toEqual(expected);

  // The server: another one has the evaluation after its lease.
  const left = await steps.createRun(first.api, workspace);
  await waitForStatus(first.api, left, "POLICY_CHECKING");
  await waitUntil(async () => (await read(first, left)).policyEvaluations[0]?.status === "RUNNING", PATIENCE);
  await first.killGroup();
  const second = await start();
  expect((await read(second, left)).status).toBe("POLICY_CHECKING");
  await waitUntil(async () => (await read(second, left)).status !== "POLICY_CHECKING", PATIENCE);
  expect(await read(second, left)).toEqual(expected);
  for (const id of [undisturbed, orphan, left]) {
    expect((await steps.readRun(second.api, id)).statuses).not.toContain("APPLYING");
  }
  expect(await second.stop()).toBe(0);
});
