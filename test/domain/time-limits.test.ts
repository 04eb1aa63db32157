/** What time does to runs, through the API and the runner protocol: limits at each level, schedules, freeze windows. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { ringAlarms } from "../../src/domain/lease/ring-alarms.ts";
import { lockForChange } from "../../src/domain/lifecycle/locked-run.ts";
import { applyTransition } from "../../src/domain/lifecycle/apply-transition.ts";
import { createTimeRound } from "../../src/domain/rounds/time-round.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { endLiveJob } from "../../src/persistence/dispatch/job-store.ts";
import type { Data } from "../support/api.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";
import { openScene, type Place, report, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const ring = () => ringAlarms(scene.server.deps, null);
/** Time passes, and the system looks at the clock. */
async function pass(ms: number): Promise<void> {
  scene.server.advance(ms);
  await ring();
}
const inFuture = (ms: number) => new Date(scene.server.deps.clock().getTime() + ms).toISOString();
const time = async (id: string): Promise<Data> =>
  (
    await scene.api.ask(
      "query ($id: ID!) { run(id: $id) { status leg escalatedAt expired { limit at } scheduledAt applyAt reason failure { code stage summary message stateUncertain } } }",
      { id },
    )
  ).run;
const events = (runId: string) =>
  scene.rows("select type, data->'fields' as fields from run_event where run_id = $1 order by version", runId);
let count = 0;

async function organization(limits: object): Promise<{ slug: string; id: string }> {
  const slug = `time-${++count}`;
  const id = await scene.quick("createOrganization", { slug, name: slug, concurrencyLimit: 1000, limits });
  return { slug, id };
}

/** The same limit as a setting of the workspace, and of the organization. */
const LEVELS = ["workspace", "organization"] as const;
async function reach(level: (typeof LEVELS)[number], place: Place, limits: object): Promise<Spot> {
  if (level === "workspace") return scene.reach(place, "DEPLOY", { limits });
  return scene.reach(place, "DEPLOY", { organization: (await organization(limits)).slug });
}

describe("the limit of the queue", () => {
  const limits = { queueSeconds: 600 };
  it("is none by default", async () => {
    const { runId } = await scene.reach("READY");
    await pass(30 * DAY);
    expect((await time(runId)).status).toBe("READY");
  });

  it.each(walk(LEVELS, 1))("of the %s ends what waits in READY or QUEUED", async (level) => {
    const first = await reach(level, "READY", limits);
    const second = await scene.createRun(first.workspaceId);
    await pass(590 * SECOND);
    expect((await time(first.runId)).status).toBe("READY");
    const third = await scene.createRun(first.workspaceId);
    await pass(20 * SECOND);
    for (const id of [first.runId, second]) {
      expect(await time(id)).toMatchObject({ status: "TIMED_OUT", failure: { code: "QUEUE_TIMED_OUT" } });
    }
    // The next one got the workspace.
    expect((await time(third)).status).toBe("READY");
    await scene.claim(third);
    await pass(DAY);
    expect((await time(third)).status).toBe("PREPARING");
  });

  it("counts on for a run that is admitted between its end and the next look", async () => {
    const first = await scene.reach("READY", "DEPLOY", { limits });
    const second = await scene.createRun(first.workspaceId);
    await scene.claim(first.runId);
    scene.server.advance(610 * SECOND);
    await scene.quick("cancelRun", { runId: first.runId });
    scene.server.advance(70 * SECOND);
    expect((await scene.send("cancelRun", { runId: first.runId, force: true })).run.status).toBe("STOPPED");
    expect((await time(second)).status).toBe("READY");
    await ring();
    expect((await time(second)).status).toBe("TIMED_OUT");
  });

  it("0 in a workspace is none, whatever the organization says", async () => {
    const { slug } = await organization(limits);
    const { runId } = await scene.reach("READY", "DEPLOY", { organization: slug, limits: { queueSeconds: 0 } });
    await pass(DAY);
    expect((await time(runId)).status).toBe("READY");
  });

  it("that is set later holds for runs that are live", async () => {
    const { slug, id } = await organization({});
    const one = await scene.reach("READY", "DEPLOY", { organization: slug });
    const other = await scene.reach("READY");
    await scene.quick("updateOrganization", { organizationId: id, limits });
    await scene.quick("updateWorkspace", { workspaceId: other.workspaceId, limits });
    await pass(590 * SECOND);
    expect((await time(one.runId)).status).toBe("READY");
    await pass(20 * SECOND);
    expect((await time(one.runId)).status).toBe("TIMED_OUT");
    expect((await time(other.runId)).status).toBe("TIMED_OUT");
  });

  it("counts a replan from its request", async () => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { limits });
    await pass(DAY);
    await scene.quick("replanRun", { runId, planVersion: 1 });
    await pass(590 * SECOND);
    expect((await time(runId)).status).toBe("REPLAN_REQUESTED");
    await pass(20 * SECOND);
    expect(await time(runId)).toMatchObject({ status: "TIMED_OUT", failure: { code: "QUEUE_TIMED_OUT" } });
  });
});

describe("the limits of approvals", () => {
  const limits = { planApprovalSeconds: 600, applyApprovalSeconds: 1200 };
  it("are none by default", async () => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    await pass(365 * DAY);
    expect((await time(runId)).status).toBe("AWAITING_PLAN_APPROVAL");
  });

  it.each(walk(LEVELS, 1))(
    "of the %s end the run: rejected at the plan gate, discarded at the apply gate",
    async (level) => {
      const one = await reach(level, "AWAITING_PLAN_APPROVAL", limits);
      await pass(590 * SECOND);
      expect((await time(one.runId)).status).toBe("AWAITING_PLAN_APPROVAL");
      await pass(20 * SECOND);
      const rejected = { status: "REJECTED", failure: { code: "APPROVAL_TIMED_OUT", stage: "APPROVAL" } };
      expect(await time(one.runId)).toMatchObject(rejected);
      const two = await reach(level, "AWAITING_APPLY_APPROVAL", limits);
      await pass(1190 * SECOND);
      expect((await time(two.runId)).status).toBe("AWAITING_APPLY_APPROVAL");
      await pass(20 * SECOND);
      expect(await time(two.runId)).toMatchObject({ status: "DISCARDED", failure: null, reason: /apply gate/ });
    },
  );

  it("or escalate, once at each gate, and the run goes on waiting", async () => {
    const input = { limits: { ...limits, approvalTimeoutAction: "ESCALATE" } };
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", input);
    expect((await time(runId)).escalatedAt).toBeNull();
    for (let i = 0; i < 3; i++) await pass(DAY);
    expect(await time(runId)).toMatchObject({ status: "AWAITING_PLAN_APPROVAL", escalatedAt: expect.any(String) });
    const told = async () => (await events(runId)).filter(({ fields }) => fields?.includes("escalatedAt"));
    expect(await told()).toHaveLength(1);
    await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    expect(await time(runId)).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", escalatedAt: null });
    for (let i = 0; i < 3; i++) await pass(DAY);
    expect(await told()).toHaveLength(2);
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    expect(await time(runId)).toMatchObject({ status: "CONFIRMED", escalatedAt: null });
  });
});

describe("a run at work", () => {
  const LONG = { leaseSeconds: 3600, silenceSeconds: 2_592_000 };
  const plan = { ...LONG, planSeconds: 600 };
  const expired = { type: "timedOut", failure: report("RUN_TIMED_OUT", { message: "what it said" }) } as const;

  it.each(walk(LEVELS, 1))("that takes longer than the %s allows is asked to end, and ends", async (level) => {
    const { runId, workspaceId, job } = await reach(level, "PLANNING", plan);
    await pass(590 * SECOND);
    expect(await time(runId)).toMatchObject({ status: "PLANNING", expired: null });
    expect((await job.message(expired, 3)).status).toBe(409);
    await pass(20 * SECOND);
    expect(await time(runId)).toMatchObject({ status: "PLANNING", expired: { limit: "RUN" } });
    expect((await events(runId)).filter(({ fields }) => fields?.includes("expired"))).toHaveLength(1);
    expect((await job.heartbeat()).body).toEqual({ cancelRequested: false, expired: "RUN" });
    expect((await job.message(expired)).body.goOn).toBe(false);
    const failure = { code: "RUN_TIMED_OUT", stage: "PLAN", message: "what it said", stateUncertain: false };
    expect(await time(runId)).toMatchObject({ status: "TIMED_OUT", failure });
    expect((await time(runId)).failure.summary).toContain("10 min");
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, currentRun: null });
  });

  it("by default: two hours for a plan, a day for an apply, half an hour of silence", async () => {
    const noisy = { limits: { silenceSeconds: 2_592_000 } };
    const planning = await scene.reach("PLANNING", "DEPLOY", noisy);
    await pass(119 * MINUTE);
    expect((await time(planning.runId)).expired).toBeNull();
    await pass(2 * MINUTE);
    expect((await time(planning.runId)).expired).toMatchObject({ limit: "RUN" });
    const applying = await scene.reach("APPLYING", "DEPLOY", noisy);
    await pass(DAY - 15 * MINUTE);
    expect((await time(applying.runId)).expired).toBeNull();
    await pass(16 * MINUTE);
    expect((await time(applying.runId)).expired).toMatchObject({ limit: "RUN" });
    const silent = await scene.reach("APPLYING");
    await pass(29 * MINUTE);
    expect((await time(silent.runId)).expired).toBeNull();
    await silent.job.log("APPLY", "one line");
    await pass(29 * MINUTE);
    expect((await time(silent.runId)).expired).toBeNull();
    await pass(2 * MINUTE);
    expect((await time(silent.runId)).expired).toMatchObject({ limit: "SILENCE" });
  });

  it("a held heartbeat is answered at once", async () => {
    const { job } = await scene.reach("PLANNING", "DEPLOY", { limits: plan });
    scene.server.advance(610 * SECOND);
    const beat = job.request("POST", "heartbeat", { waitMs: 10_000 });
    await ring();
    expect((await beat).body).toEqual({ cancelRequested: false, expired: "RUN" });
  });

  it("what was done in spite of it counts, and the next leg begins anew", async () => {
    const { runId, job } = await scene.reach("INITIALIZING", "DEPLOY", { limits: plan });
    await pass(610 * SECOND);
    expect((await time(runId)).expired).toMatchObject({ limit: "RUN" });
    await job.message({ type: "initialized" });
    expect((await time(runId)).expired).toMatchObject({ limit: "RUN" });
    await job.request("PUT", "archive", Buffer.from("archive"));
    expect((await job.message({ type: "planned", plan: fakePlan() })).status).toBe(200);
    expect(await time(runId)).toMatchObject({ status: "AWAITING_PLAN_APPROVAL", expired: null });
  });

  it.each(
    walk(
      [
        ["PLANNING", "PLAN", { planSeconds: 600 }, false],
        ["APPLYING", "APPLY", { applySeconds: 600 }, true],
      ] as const,
      2,
    ),
  )("a runner that does not answer is fenced: %s", async (place, stage, own, uncertain) => {
    const limits = { ...LONG, ...own };
    const { runId, workspaceId, job } = await scene.reach(place, "DEPLOY", { limits });
    await pass(610 * SECOND);
    await pass(LIMITS.timeoutGraceMs - 10 * SECOND);
    expect((await time(runId)).status).toBe(place);
    await pass(20 * SECOND);
    const failure = { code: "RUN_TIMED_OUT", stage, stateUncertain: uncertain };
    expect(await time(runId)).toMatchObject({ status: "TIMED_OUT", failure });
    expect((await job.message({ type: "handedBack" })).status).toBe(410);
    const lock = uncertain ? { reason: "APPLY_INTERRUPTED", run: { id: runId } } : null;
    expect((await scene.workspace(workspaceId)).lock).toEqual(lock === null ? null : expect.objectContaining(lock));
  });

  it.each(
    walk(
      [
        ["saved its state", {}, null],
        ["had to be killed", { stateUncertain: true }, "APPLY_INTERRUPTED"],
      ],
      2,
    ),
  )("an apply whose engine %s", async (_, more, lock) => {
    const limits = { ...LONG, silenceSeconds: 600 };
    const { runId, workspaceId, job } = await scene.reach("APPLYING", "DEPLOY", { limits });
    await pass(610 * SECOND);
    const failure = report("APPLY_INTERRUPTED", { appliedAddresses: ["a.b"], ...more });
    await job.message({ type: "timedOut", failure });
    const ended = { code: "SILENCE_TIMED_OUT", stage: "APPLY", stateUncertain: lock !== null };
    expect(await time(runId)).toMatchObject({ status: "TIMED_OUT", leg: "APPLY", failure: ended });
    expect((await scene.workspace(workspaceId)).lock?.reason ?? null).toBe(lock);
  });

  it("a runner that is lost, or drains, when the time is over does not begin again", async () => {
    const limits = { ...plan, leaseSeconds: 30 };
    await scene.rows("update runner set lost_at = null");
    const lost = await scene.reach("PLANNING", "DEPLOY", { limits });
    const drained = await scene.reach("PLANNING", "DEPLOY", { limits });
    await pass(610 * SECOND);
    expect((await drained.job.message({ type: "handedBack" })).status).toBe(200);
    const over = scene.server.deps.clock();
    await loseExpiredLeases(scene.server.deps);
    for (const { runId } of [lost, drained]) {
      expect(await time(runId)).toMatchObject({ status: "TIMED_OUT", failure: { code: "RUN_TIMED_OUT" } });
    }
    // It is shown as gone from then on, and not once it was not seen for a while.
    const [{ lost_at: lostAt }, ...others] = await scene.rows("select lost_at from runner where lost_at is not null");
    expect(others).toEqual([]);
    expect(new Date(lostAt).getTime()).toBeGreaterThanOrEqual(over.getTime());
  });

  it("silence does not count while no server or no database was there to hear", async () => {
    const limits = { leaseSeconds: 30, silenceSeconds: 600, planSeconds: 86_400 };
    const { runId, job } = await scene.reach("PLANNING", "DEPLOY", { limits });
    scene.server.advance(3600 * SECOND);
    // A server starts.
    const round = createTimeRound(scene.server.deps);
    const steps = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 9) {
        scene.server.advance(9 * SECOND);
        await round();
      }
    };
    await round();
    await steps(540);
    expect((await time(runId)).expired).toBeNull();
    // It is suspended.
    scene.server.advance(3600 * SECOND);
    await steps(540);
    expect((await time(runId)).expired).toBeNull();
    await job.heartbeat();
    await steps(90);
    expect((await time(runId)).expired).toMatchObject({ limit: "SILENCE" });
  });
});

describe("the limit of what the server does itself", () => {
  /** Moves a run as the machine does once policies or probes exist. */
  async function enter(runId: string, status: "POLICY_CHECKING" | "VERIFYING"): Promise<void> {
    const { deps } = scene.server;
    await deps.database.transaction(async (tx) => {
      const locked = await lockForChange(tx, deps, runId);
      if (locked === null) throw new Error(`${runId} is gone.`);
      await endLiveJob(tx, runId, deps.clock().toISOString());
      const change = { status, leg: locked.run.leg, outcome: null };
      await applyTransition(tx, deps, locked, { accepted: true, name: "test", change }, { actorId: SYSTEM_ACTOR_ID });
    });
  }

  it.each(
    walk(
      [
        {
          status: "POLICY_CHECKING",
          before: "PLANNING",
          seconds: 600,
          ends: "TIMED_OUT",
          failure: {
            code: "RUN_TIMED_OUT",
            stage: "POLICY",
            message: /not judged within 10 min.*Nothing was applied/s,
          },
        },
        {
          status: "VERIFYING",
          before: "APPLYING",
          seconds: 27 * 3600,
          ends: "FAILED",
          failure: {
            code: "DEPLOYMENT_VERIFICATION_FAILED",
            stage: "VERIFY",
            message: /not verified within 27 h.*The apply itself succeeded/s,
          },
        },
      ] as const,
      2,
    ),
  )("ends $status", async ({ status, before, seconds, ends, failure }) => {
    const limits = { planSeconds: 600, applySeconds: 600 };
    const { runId, workspaceId } = await scene.reach(before, "DEPLOY", { limits });
    await enter(runId, status);
    const next = await scene.createRun(workspaceId);
    // Real time passes as well.
    await pass((seconds - 10) * SECOND);
    expect((await time(runId)).status).toBe(status);
    await pass(10 * SECOND);
    expect(await time(runId)).toMatchObject({
      status: ends,
      failure: { ...failure, message: expect.stringMatching(failure.message), stateUncertain: false },
    });
    expect((await time(next)).status).toBe("READY");
  });

  it.each(
    walk(
      [
        ["POLICY_CHECKING", "PLANNING"],
        ["VERIFYING", "APPLYING"],
      ] as const,
      2,
    ),
  )("%s ends at once where it is cancelled: no runner has it", async (status, before) => {
    const { runId } = await scene.reach(before);
    await enter(runId, status);
    await scene.quick("cancelRun", { runId });
    expect(await time(runId)).toMatchObject({ status: "STOPPED" });
  });
});

it("a clock that was ahead for a while keeps no limit from being exceeded", async () => {
  const { runId } = await scene.reach("PLANNING", "DEPLOY", { limits: { leaseSeconds: 30, planSeconds: 600 } });
  const round = createTimeRound(scene.server.deps);
  scene.server.advance(86_400 * SECOND);
  await round();
  scene.server.advance(-86_400 * SECOND);
  for (let passed = 0; passed <= 640; passed += 8) {
    scene.server.advance(8 * SECOND);
    await round();
  }
  expect((await time(runId)).expired).toMatchObject({ limit: "RUN" });
});

describe("leases and attempts", () => {
  it.each(walk(LEVELS, 1))("are those of the %s", async (level) => {
    const { runId, job } = await reach(level, "PREPARING", { leaseSeconds: 100, attemptsPerLeg: 1 });
    expect(job.job).toMatchObject({ leaseMs: 100_000, heartbeatMs: 10_000 });
    scene.server.advance(90 * SECOND);
    await job.heartbeat();
    scene.server.advance(90 * SECOND);
    await loseExpiredLeases(scene.server.deps);
    expect((await time(runId)).status).toBe("PREPARING");
    scene.server.advance(20 * SECOND);
    await loseExpiredLeases(scene.server.deps);
    expect(await time(runId)).toMatchObject({ status: "FAILED", failure: { code: "RUNNER_LOST" } });
  });

  it.each(walk(LEVELS, 1))("so is when a stop may be forced: %s", async (level) => {
    const { runId } = await reach(level, "PLANNING", { leaseSeconds: 3600, forceStopAfterSeconds: 300 });
    await scene.quick("cancelRun", { runId });
    const { at, forceAllowedAt } = (await scene.run(runId, "cancelRequested")).cancelRequested;
    expect(Date.parse(forceAllowedAt) - Date.parse(at)).toBe(300 * SECOND);
    scene.server.advance(200 * SECOND);
    expect((await scene.send("cancelRun", { runId, force: true })).run.status).toBe("PLANNING");
    scene.server.advance(110 * SECOND);
    expect((await scene.send("cancelRun", { runId, force: true })).run).toMatchObject({ status: "STOPPED" });
  });
});

describe("looking at the clock", () => {
  it("two servers and a person at once: one of them decides, and nothing is told twice", async () => {
    const limits = { planApprovalSeconds: 600 };
    const spots = await Promise.all(
      Array.from({ length: 6 }, () => scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { limits })),
    );
    scene.server.advance(610 * SECOND);
    const approve = (runId: string) => scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    const [, , ...answers] = await Promise.all([ring(), ring(), ...spots.map(({ runId }) => approve(runId))]);
    for (const [index, { runId }] of spots.entries()) {
      const { status } = await time(runId);
      const refused = answers[index]?.["code"] === "RUN_STATE_CONFLICT";
      expect(status).toBe(refused ? "REJECTED" : "AWAITING_APPLY_APPROVAL");
      const changes = (await events(runId)).filter(({ type }) => type === "STATUS_CHANGED");
      expect(changes).toHaveLength(7);
    }
  });

  it("a run that cannot be looked at is reported, and keeps no other from it", async () => {
    const limits = { queueSeconds: 600 };
    const [broken, sound] = [
      await scene.reach("READY", "DEPLOY", { limits }),
      await scene.reach("READY", "DEPLOY", { limits }),
    ];
    const windows = JSON.stringify([{ name: "x", cron: "x", durationMs: 1, timeZone: "UTC" }]);
    await scene.rows("update workspace set freeze_windows = $2 where id = $1", broken.workspaceId, windows);
    const reported: string[] = [];
    const reportError = (_error: unknown, context: string) => void reported.push(context);
    scene.server.advance(610 * SECOND);
    await ringAlarms({ ...scene.server.deps, reportError }, null);
    expect((await time(sound.runId)).status).toBe("TIMED_OUT");
    expect(reported).toEqual([`checking the deadlines of ${broken.runId}`]);
    await ring();
    expect(scene.server.reported).toEqual([]);
    await scene.rows("update workspace set freeze_windows = '[]' where id = $1", broken.workspaceId);
    await pass(2 * MINUTE);
    expect((await time(broken.runId)).status).toBe("TIMED_OUT");
  });
});

describe("a time that was named", () => {
  it("a run that is scheduled begins then", async () => {
    const workspaceId = await scene.createWorkspace({ limits: { queueSeconds: 600 } });
    const runId = await scene.createRun(workspaceId, { scheduledAt: inFuture(3600 * SECOND) });
    await pass(3590 * SECOND);
    expect((await time(runId)).status).toBe("QUEUED");
    await pass(20 * SECOND);
    expect((await time(runId)).status).toBe("READY");
    await pass(600 * SECOND);
    expect((await time(runId)).status).toBe("TIMED_OUT");
  });

  it("an apply that is approved for later is claimed then", async () => {
    const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL");
    const applyAt = inFuture(3600 * SECOND);
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1, applyAt });
    expect(await time(runId)).toMatchObject({ status: "CONFIRMED", applyAt });
    await pass(3590 * SECOND);
    await expect(scene.claim(runId)).rejects.toThrow();
    await pass(20 * SECOND);
    await scene.claim(runId);
  });
});

describe("a freeze window", () => {
  /** Opens with the minute that is so far away, for an hour. */
  function window(fromNowMinutes: number): object {
    const opens = new Date(scene.server.deps.clock().getTime() + fromNowMinutes * MINUTE);
    return { name: "freeze", cron: `${opens.getUTCMinutes()} ${opens.getUTCHours()} * * *`, durationMinutes: 60 };
  }

  it("holds what is approved until it ends", async () => {
    const { runId, workspaceId } = await scene.reach("AWAITING_APPLY_APPROVAL");
    await scene.quick("updateWorkspace", { workspaceId, freezeWindows: [window(0)] });
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    expect((await scene.run(runId, "blockers")).blockers).toMatchObject([{ kind: "FREEZE_WINDOW" }]);
    await expect(scene.claim(runId)).rejects.toThrow();
    await pass(50 * MINUTE);
    await expect(scene.claim(runId)).rejects.toThrow();
    await pass(11 * MINUTE);
    await scene.claim(runId);
  });

  it("that opens before a runner comes holds it as well, and one that is taken away lets it go", async () => {
    const { runId, workspaceId } = await scene.reach("CONFIRMED");
    await scene.quick("updateWorkspace", { workspaceId, freezeWindows: [window(10)] });
    const places = () => scene.rows("select run_id from dispatch where run_id = $1", runId);
    expect(await places()).toHaveLength(1);
    await pass(20 * MINUTE);
    // It keeps no place from others.
    expect(await places()).toEqual([]);
    expect((await scene.run(runId, "blockers")).blockers).toMatchObject([{ kind: "FREEZE_WINDOW" }]);
    await expect(scene.claim(runId)).rejects.toThrow();
    await pass(60 * MINUTE);
    await scene.claim(runId);
    const other = await scene.reach("CONFIRMED");
    await scene.quick("updateWorkspace", { workspaceId: other.workspaceId, freezeWindows: [window(0)] });
    await expect(scene.claim(other.runId)).rejects.toThrow();
    await scene.quick("updateWorkspace", { workspaceId: other.workspaceId, freezeWindows: [] });
    await scene.claim(other.runId);
  });

  it("that opened unnoticed holds what is claimed then", async () => {
    const { runId, workspaceId } = await scene.reach("CONFIRMED");
    await scene.quick("updateWorkspace", { workspaceId, freezeWindows: [window(10)] });
    scene.server.advance(20 * MINUTE);
    await expect(scene.claim(runId)).rejects.toThrow();
    await pass(60 * MINUTE);
    await scene.claim(runId);
  });

  it("of an organization holds the runs of all its workspaces, also those that were approved before", async () => {
    const { slug, id } = await organization({});
    const { runId } = await scene.reach("CONFIRMED", "DEPLOY", { organization: slug });
    await scene.quick("updateOrganization", { organizationId: id, freezeWindows: [window(0)] });
    await ring();
    await expect(scene.claim(runId)).rejects.toThrow();
    await pass(61 * MINUTE);
    await scene.claim(runId);
  });

  it("keeps a plan from being applied without a person", async () => {
    const eager = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
    const frozen = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { ...eager, freezeWindows: [window(0)] });
    expect((await time(frozen.runId)).status).toBe("AWAITING_APPLY_APPROVAL");
    const free = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", eager);
    expect((await time(free.runId)).status).toBe("APPLYING");
  });

  it("plans are made all the same", async () => {
    const { runId } = await scene.reach("READY", "DEPLOY", { freezeWindows: [window(0)] });
    await scene.claim(runId);
  });
});
