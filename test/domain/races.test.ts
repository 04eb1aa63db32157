import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { type Command, openScene, type Scene } from "./scene.ts";

const ROUNDS = 6;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** Everything that must be true of a run, whatever came first. */
async function expectConsistent(runId: string): Promise<Data> {
  const run = await scene.run(runId);
  const events = await scene.rows(
    "select version, type, to_status from run_event where run_id = $1 order by version",
    runId,
  );
  expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
  expect(events).toHaveLength(run.version);
  const statuses = events.filter(({ type }) => type === "STATUS_CHANGED");
  expect(statuses.at(-1)?.to_status).toBe(run.status);
  const [{ holds, jobs, running, queued }] = await scene.rows(
    `select holds_workspace as holds,
      (select count(*) from job where run_id = run.id and ended_at is null) as jobs,
      (select count(*) from phase where run_id = run.id and status = 'RUNNING') as running,
      (select count(*) from run q where q.workspace_id = run.workspace_id and q.status = 'QUEUED') as queued
     from run where id = $1`,
    runId,
  );
  expect({ holds, jobs, queued }).toEqual({ holds: !run.isTerminal, jobs: 0, queued: 0 });
  expect(running).toBe(run.status.startsWith("AWAITING") ? 1 : 0);
  return run;
}

it.each([
  ["PLAN", "AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"],
  ["APPLY", "AWAITING_APPLY_APPROVAL", "CONFIRMED"],
] as const)("fifty approvals of the gate %s at once make one transition", async (gate, place, next) => {
  const { runId } = await scene.reach(place);
  const approvers = await Promise.all([1, 2, 3, 4, 5].map(() => scene.login("APPROVER")));
  const before = await scene.run(runId);
  // Every approval comes over a connection of its own: fetch opens one for each request that is under way.
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      scene.send("approveRun", { runId, gate, planVersion: 1 }, approvers[index % approvers.length]),
    ),
  );
  const won = answers.filter((answer) => answer.__typename === "ApproveRunSuccess");
  const lost = answers.filter((answer) => answer.__typename === "RunStateConflictError");
  expect([won.length, lost.length]).toEqual([1, 49]);
  for (const { code, run } of lost) {
    expect(code).toBe("RUN_STATE_CONFLICT");
    expect(run).toMatchObject({ id: runId, status: next, version: won[0]?.run.version });
  }
  const run = await expectConsistent(runId);
  expect(run.status).toBe(next);
  const atGate = run.approvals.filter((approval: Data) => approval.gate === gate);
  expect(atGate).toMatchObject([{ counts: true, decision: "APPROVED", planVersion: 1, planDigest: run.plan.digest }]);
  expect(run.approvals).toHaveLength(before.approvals.length + 1);
  const [{ count }] = await scene.rows(
    "select count(*) from rejected_command where subject_id = $1 and code = 'RUN_STATE_CONFLICT'",
    runId,
  );
  expect(count).toBe(49);
});

/** What is left where the first of two won, and where the second did. */
const RIVALS: [Command, object, first: string, second: string][] = [
  ["cancelRun", {}, "CONFIRMED", "DISCARDED"],
  ["replanRun", { planVersion: 1 }, "CONFIRMED", "REPLAN_REQUESTED"],
];

describe("an approval of the apply", () => {
  it.each(RIVALS)("that meets %s: one of them wins, the other one is told", async (rival, input, first, second) => {
    const spots = await Promise.all(Array.from({ length: ROUNDS }, () => scene.reach("AWAITING_APPLY_APPROVAL")));
    const seen = new Set<string>();
    for (const [round, { runId }] of spots.entries()) {
      const approve = () => scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 });
      const other = () => scene.send(rival, { runId, ...input });
      // Whoever is sent first has a head start only: every third round is sent the other way round.
      const [one, two] = round % 2 === 0 ? [approve(), other()] : [other(), approve()];
      const answers = await Promise.all([one, two]);
      const run = await expectConsistent(runId);
      expect([first, second]).toContain(run.status);
      seen.add(run.status);
      expect(answers.filter(({ __typename }) => __typename.endsWith("Success"))).toHaveLength(1);
      const loser = answers.find(({ __typename }) => !__typename.endsWith("Success"));
      expect(loser).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { status: run.status, version: run.version } });
      const counting = run.approvals.filter((approval: Data) => approval.counts);
      expect(counting).toHaveLength({ CONFIRMED: 2, DISCARDED: 1, REPLAN_REQUESTED: 0 }[run.status as string] ?? -1);
    }
    // Sequentially, both ends are reached in any case.
    const end = await scene.reach("AWAITING_APPLY_APPROVAL");
    await scene.send(rival, { runId: end.runId, ...input });
    const late = await scene.send("approveRun", { runId: end.runId, gate: "APPLY", planVersion: 1 });
    expect(late).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { status: second } });
    expect(seen.size).toBeGreaterThan(0);
  });
});

it("an approval of the apply that meets discardRun: it is discarded, before the approval or after it", async () => {
  const spots = await Promise.all(Array.from({ length: ROUNDS }, () => scene.reach("AWAITING_APPLY_APPROVAL")));
  for (const [round, { runId }] of spots.entries()) {
    const approve = () => scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    const discard = () => scene.send("discardRun", { runId, planVersion: 1 });
    const [one, two] = round % 2 === 0 ? [approve(), discard()] : [discard(), approve()];
    const answers = await Promise.all([one, two]);
    const { __typename: approval, ...rest } = answers[round % 2];
    const run = await expectConsistent(runId);
    expect(run).toMatchObject({ status: "DISCARDED", leg: "PLAN" });
    expect(answers[1 - (round % 2)].__typename).toBe("DiscardRunSuccess");
    const counting = run.approvals.filter((each: Data) => each.counts);
    if (approval === "ApproveRunSuccess") expect(counting).toHaveLength(2);
    else expect([counting.length, rest.code, rest.run.status]).toEqual([1, "RUN_STATE_CONFLICT", "DISCARDED"]);
  }
});

describe("an approval of the plan", () => {
  it.each(["cancelRun", "discardRun", "rejectRun", "replanRun"] as const)("that meets %s", async (rival) => {
    const spots = await Promise.all(Array.from({ length: ROUNDS }, () => scene.reach("AWAITING_PLAN_APPROVAL")));
    for (const [round, { runId }] of spots.entries()) {
      const calls = [
        () => scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }),
        () => scene.send(rival, { runId, ...(rival !== "cancelRun" && { planVersion: 1 }) }),
      ];
      if (round % 2 === 1) calls.reverse();
      const answers = await Promise.all(calls.map((call) => call()));
      const run = await expectConsistent(runId);
      // The apply gate takes these too, but a rejection: then both commands took place, one after the other.
      const wins = answers.filter(({ __typename }) => __typename.endsWith("Success")).length;
      if (run.status === "AWAITING_APPLY_APPROVAL") expect([rival, wins]).toEqual(["rejectRun", 1]);
      else expect(run.approvals).toHaveLength(wins - (rival === "rejectRun" ? 0 : 1));
      for (const approval of run.approvals) expect(approval.counts).toBe(run.status !== "REPLAN_REQUESTED");
    }
  });
});

it("a cancel that meets a claim: the runner has it and is asked, or it is gone", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const { runId } = await scene.reach("READY");
    const cancel = () => scene.send("cancelRun", { runId });
    const take = () => scene.claim(runId).catch(() => null);
    const [left, right] = round % 2 === 0 ? [cancel(), take()] : [take(), cancel()];
    const job = (await Promise.all([left, right])).find((each) => each !== null && "lockState" in each);
    const run = await scene.run(runId);
    seen.add(run.status);
    if (job === undefined) expect(run).toMatchObject({ status: "CANCELED", phases: [] });
    else {
      expect(run.status).toBe("PREPARING");
      expect(run.cancelRequested).not.toBeNull();
      await job.message({ type: "stopped" });
      await expectConsistent(runId);
    }
  }
  for (const status of seen) expect(["CANCELED", "PREPARING"]).toContain(status);
});

it("log lines, heartbeats, messages and a stop by force of one run never wait for each other in a circle", async () => {
  for (let round = 0; round < 6; round++) {
    const { runId, job } = await scene.reach("PLANNING");
    await scene.send("cancelRun", { runId });
    scene.server.advance(61_000);
    await Promise.all([
      job.log("PLAN", "one"),
      job.heartbeat(),
      scene.send("cancelRun", { runId, force: true }),
      job.request("PUT", "archive", Buffer.from("a")),
      job.log("PLAN", "one"),
      job.message({ type: "stopped" }),
    ]);
    expect((await expectConsistent(runId)).status).toBe("STOPPED");
  }
  // Statistics of a backend come with a delay; they are asked for at once by this call.
  await scene.rows("select pg_stat_force_next_flush()");
  const [{ deadlocks }] = await scene.rows("select deadlocks from pg_stat_database where datname = current_database()");
  expect(deadlocks).toBe(0);
});
