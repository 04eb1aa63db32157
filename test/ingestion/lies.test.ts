/** What a runner may say that is not so: refused with a clear error, recorded, and nothing is changed by it. */
import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { openScene, type Place, report, type Scene, type Spot } from "../domain/scene.ts";
import { fakePlan, type ProtocolAnswer } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const AT = "2026-11-20T16:07:25.447Z";
const state = (serial: number, lineage = "line") => ({ version: 4, serial, lineage, outputs: {} });

function lines({ job }: Spot, firstLine: number, texts: string[], phase = "PLAN"): Promise<ProtocolAnswer> {
  return job.sendLog({ phase, firstLine, lines: texts.map((text) => ({ at: AT, text })) });
}

/** Whatever may depend on what a runner says about this run. */
async function everything({ runId, workspaceId }: Spot): Promise<unknown[]> {
  const of = (text: string, id: string) => scene.rows(text, id);
  return [
    await of("select * from run where id = $1", runId),
    await of("select * from run_event where run_id = $1 order by version", runId),
    await of("select * from phase where run_id = $1 order by id", runId),
    await of("select * from plan where run_id = $1", runId),
    await of("select * from log_head where run_id = $1", runId),
    await of("select * from log_batch where run_id = $1 order by last_line", runId),
    await of("select id, ended_at, message_sequence, archive_blob_id from job where run_id = $1 order by id", runId),
    await of("select * from workspace where id = $1", workspaceId),
    await of("select * from state_version where workspace_id = $1", workspaceId),
    await of("select * from state_lock where workspace_id = $1", workspaceId),
    await of("select id, digest from blob where workspace_id = $1 order by id", workspaceId),
    await of("select * from recovered_state where workspace_id = $1", workspaceId),
  ];
}

type Lie = [
  what: string,
  place: Place,
  prepare: (spot: Spot) => Promise<unknown>,
  tell: (spot: Spot) => Promise<ProtocolAnswer>,
  status: number,
  request: string,
  code: string,
];

const nothing = () => Promise.resolve();
const locked = async ({ job }: Spot) => {
  await job.lockState("x");
  await job.writeState("x", state(5));
};
const three = (spot: Spot) => lines(spot, 1, ["a", "b", "c"]);
const oversize = () => Array.from({ length: 9 }, () => "x".repeat(64 * 1024));

const LIES: Lie[] = [
  [
    "lines of the apply, from a plan",
    "PLANNING",
    nothing,
    (s) => lines(s, 1, ["x"], "APPLY"),
    403,
    "POST log",
    "FORBIDDEN",
  ],
  [
    "lines of the plan, from an apply",
    "APPLYING",
    nothing,
    (s) => lines(s, 1, ["x"], "PLAN"),
    403,
    "POST log",
    "FORBIDDEN",
  ],
  [
    "lines of a phase that has not begun",
    "PREPARING",
    nothing,
    (s) => lines(s, 1, ["x"], "INIT"),
    409,
    "POST log",
    "OUT_OF_ORDER",
  ],
  ["a gap between lines", "PLANNING", three, (s) => lines(s, 5, ["x"]), 409, "POST log", "OUT_OF_ORDER"],
  ["lines that overlap", "PLANNING", three, (s) => lines(s, 2, ["b", "c", "d"]), 409, "POST log", "OUT_OF_ORDER"],
  [
    "other lines under old numbers",
    "PLANNING",
    three,
    (s) => lines(s, 1, ["a", "b", "other"]),
    409,
    "POST log",
    "OUT_OF_ORDER",
  ],
  [
    "an old batch in part, with another line",
    "PLANNING",
    three,
    (s) => lines(s, 1, ["a", "x"]),
    409,
    "POST log",
    "OUT_OF_ORDER",
  ],
  ["a batch that is too large", "PLANNING", nothing, (s) => lines(s, 1, oversize()), 413, "POST log", "TOO_LARGE"],
  ["a negative number", "PLANNING", nothing, (s) => lines(s, -1, ["x"]), 400, "POST log", "MALFORMED"],
  [
    "a number that is none",
    "PLANNING",
    nothing,
    (s) => s.job.sendLogText("phase=PLAN&firstLine=1e400", "0\tx"),
    400,
    "POST log",
    "MALFORMED",
  ],
  [
    "an instant that is none",
    "PLANNING",
    nothing,
    (s) => s.job.sendLogText("phase=PLAN&firstLine=1", "2026-02-30T00:00:00.000Z\tx"),
    400,
    "POST log",
    "MALFORMED",
  ],
  [
    "no JSON",
    "PLANNING",
    nothing,
    (s) => s.job.request("POST", "messages", Buffer.from([0xff, 0xfe, 0x00])),
    400,
    "POST messages",
    "MALFORMED",
  ],
  [
    "a message before its time",
    "PREPARING",
    nothing,
    (s) => s.job.message({ type: "initialized" }),
    409,
    "message initialized",
    "OUT_OF_ORDER",
  ],
  [
    "a message out of order",
    "PLANNING",
    nothing,
    (s) => s.job.message({ type: "handedBack" }, 7),
    409,
    "message handedBack",
    "OUT_OF_ORDER",
  ],
  [
    "another message under an old number",
    "PLANNING",
    nothing,
    (s) => s.job.message({ type: "failed", failure: report("PLAN_FAILED") }, 2),
    409,
    "message failed",
    "OUT_OF_ORDER",
  ],
  [
    "a plan without its archive",
    "PLANNING",
    nothing,
    (s) => s.job.message({ type: "planned", plan: fakePlan() }),
    400,
    "message planned",
    "MALFORMED",
  ],
  [
    "a plan with counts that nothing can have",
    "PLANNING",
    (s) => s.job.request("PUT", "archive", Buffer.from("a")),
    (s) => s.job.message({ type: "planned", plan: fakePlan({ counts: { ...fakePlan().counts, destructions: -1 } }) }),
    400,
    "POST messages",
    "MALFORMED",
  ],
  [
    "a plan that destroys more than it counts",
    "PLANNING",
    (s) => s.job.request("PUT", "archive", Buffer.from("b")),
    (s) => {
      const [change] = fakePlan().resourceChanges;
      const resourceChanges = change === undefined ? [] : [{ ...change, action: "DELETE" as const }];
      return s.job.message({ type: "planned", plan: fakePlan({ resourceChanges }) });
    },
    400,
    "message planned",
    "MALFORMED",
  ],
  [
    "that it applied, from a plan",
    "PLANNING",
    nothing,
    (s) => s.job.message({ type: "applied", appliedAddresses: [] }),
    409,
    "message applied",
    "OUT_OF_ORDER",
  ],
  [
    "that it performed, from an apply",
    "APPLYING",
    nothing,
    (s) => s.job.message({ type: "performed" }),
    409,
    "message performed",
    "OUT_OF_ORDER",
  ],
  [
    "that a limit was exceeded",
    "PLANNING",
    nothing,
    (s) => s.job.message({ type: "timedOut", failure: report("RUN_TIMED_OUT") }),
    409,
    "message timedOut",
    "OUT_OF_ORDER",
  ],
  [
    "that somebody asked to stop",
    "PLANNING",
    nothing,
    (s) => s.job.message({ type: "stopped" }),
    409,
    "message stopped",
    "OUT_OF_ORDER",
  ],
  [
    "an apply handed back",
    "APPLYING",
    nothing,
    (s) => s.job.message({ type: "handedBack" }),
    409,
    "message handedBack",
    "OUT_OF_ORDER",
  ],
  [
    "a result after the end",
    "FINISHED",
    nothing,
    (s) => s.job.message({ type: "failed", failure: report("APPLY_FAILED") }),
    410,
    "message failed",
    "JOB_OVER",
  ],
  ["lines after the end", "FINISHED", nothing, (s) => lines(s, 1, ["x"], "APPLY"), 410, "POST log", "JOB_OVER"],
  [
    "another archive after the plan",
    "AWAITING_PLAN_APPROVAL",
    nothing,
    (s) => s.job.request("PUT", "archive", Buffer.from("another")),
    410,
    "PUT archive",
    "JOB_OVER",
  ],
  [
    "a state from a plan",
    "PLANNING",
    (s) => s.job.lockState("x"),
    (s) => s.job.writeState("x", state(1)),
    403,
    "POST state",
    "FORBIDDEN",
  ],
  [
    "a state before the apply",
    "PREPARING/APPLY",
    (s) => s.job.lockState("x"),
    (s) => s.job.writeState("x", state(1)),
    409,
    "POST state",
    "OUT_OF_ORDER",
  ],
  [
    "a state without the lock",
    "APPLYING",
    nothing,
    (s) => s.job.writeState("x", state(1)),
    423,
    "POST state",
    "STATE_LOCKED",
  ],
  [
    "a state under another lock",
    "APPLYING",
    locked,
    (s) => s.job.writeState("y", state(6)),
    423,
    "POST state",
    "STATE_LOCKED",
  ],
  [
    "a state of another lineage",
    "APPLYING",
    locked,
    (s) => s.job.writeState("x", state(6, "other")),
    409,
    "POST state",
    "STATE_REFUSED",
  ],
  [
    "a state of a lower serial",
    "APPLYING",
    locked,
    (s) => s.job.writeState("x", state(4)),
    409,
    "POST state",
    "STATE_REFUSED",
  ],
  [
    "another state of the same serial",
    "APPLYING",
    locked,
    (s) => s.job.writeState("x", { ...state(5), more: 1 }),
    409,
    "POST state",
    "STATE_REFUSED",
  ],
  [
    "a state of a huge serial",
    "APPLYING",
    locked,
    (s) => s.job.writeState("x", state(2 ** 53)),
    400,
    "POST state",
    "MALFORMED",
  ],
  [
    "a state of a huge lineage",
    "APPLYING",
    nothing,
    (s) => s.job.writeState("x", state(1, "l".repeat(1000))),
    400,
    "POST state",
    "MALFORMED",
  ],
  [
    "a lock given back that is not its own",
    "APPLYING",
    locked,
    (s) => s.job.unlockState("y"),
    409,
    "POST state/unlock",
    "STATE_LOCKED",
  ],
];

describe("a runner that lies", () => {
  /** No lie changes anything, so that all who need the same place tell theirs there. */
  const spots = new Map<string, Spot>();

  it.each(walk(LIES, 12))("%s", async (_what, place, prepare, tell, status, request, code) => {
    const key = `${place} ${prepare.toString()}`;
    const spot = spots.get(key) ?? (await scene.reach(place));
    if (!spots.has(key)) await prepare(spot);
    spots.set(key, spot);
    const { sequence } = spot.job;
    const before = await everything(spot);
    const answer = await tell(spot);
    spot.job.sequence = sequence;
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(await everything(spot)).toEqual(before);
    const refused = await scene.rows(
      "delete from refused_request where run_id = $1 returning request, code, message",
      spot.runId,
    );
    expect(refused).toEqual([{ request, code, message: expect.stringMatching(/^.{10,500}$/) }]);
  });

  it("cannot have what was approved be another archive, however the two meet", async () => {
    for (let round = 0; round < 4; round++) {
      const spot = await scene.reach("PLANNING");
      await spot.job.request("PUT", "archive", Buffer.from("first"));
      const [planned, put] = await Promise.all([
        spot.job.message({ type: "planned", plan: fakePlan() }),
        spot.job.request("PUT", "archive", Buffer.from("second")),
      ]);
      expect(planned.status).toBe(200);
      const [row] = await scene.rows(
        "select b.digest from plan p join blob b on b.id = p.archive_blob_id where p.run_id = $1",
        spot.runId,
      );
      const digest = createHash("sha256")
        .update(put.status === 204 ? "second" : "first")
        .digest("hex");
      expect([put.status, row.digest]).toEqual([put.status === 204 ? 204 : 410, digest]);
    }
  });

  it("cannot take the lock of a job in another workspace, nor end it", async () => {
    const mine = await scene.reach("APPLYING");
    const theirs = await scene.reach("APPLYING");
    await theirs.job.lockState("theirs");
    const before = await everything(theirs);
    // Its own workspace's state is all that it reaches, whatever lock it names.
    expect((await mine.job.unlockState("theirs")).status).toBe(200);
    expect((await mine.job.writeState("theirs", state(1))).status).toBe(423);
    expect(await everything(theirs)).toEqual(before);
  });

  it("is answered at once where it holds too many heartbeats open", async () => {
    const { job } = await scene.reach("PLANNING");
    const gone = new AbortController();
    const held = Array.from({ length: 12 }, () =>
      fetch(`${scene.server.url}/runner/v1/jobs/${job.job.id}/heartbeat`, {
        method: "POST",
        headers: { authorization: `Bearer ${job.job.token}` },
        body: JSON.stringify({ waitMs: 10_000 }),
        signal: gone.signal,
      }),
    );
    const answered: number[] = [];
    for (const each of held) {
      each.then(
        ({ status }) => answered.push(status),
        () => undefined,
      );
    }
    await expect.poll(() => answered.length).toBe(10);
    gone.abort();
    await Promise.allSettled(held);
    expect(answered).toEqual(answered.map(() => 200));
  });
});

describe("a runner that comes back in time", () => {
  it("with the true result under a valid token: the result stands", async () => {
    const { runId, workspaceId, job } = await scene.reach("APPLYING");
    scene.server.advance(300_000);
    // Nobody looked at the leases meanwhile.
    await job.lockState("x");
    expect((await job.writeState("x", state(1))).status).toBe(200);
    expect((await job.message({ type: "applied", appliedAddresses: ["a.b"] })).status).toBe(200);
    await loseExpiredLeases(scene.server.deps);
    expect(await scene.run(runId, "status", "outcome", "failure")).toMatchObject({
      status: "FINISHED",
      outcome: "APPLIED",
      failure: null,
    });
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null });
  });

  /** Holds both at the row that each of them needs first, so that they go on in the order in which they came. */
  async function meet(spot: Spot, first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
    const { database } = scene.server.deps;
    const waiting = async (): Promise<number> => {
      const [{ n }] = await scene.rows(
        "select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return n;
    };
    const pending = await database.transaction(async (tx) => {
      await tx.sql.selectFrom("workspace").select("id").where("id", "=", spot.workspaceId).forUpdate().execute();
      const one = first();
      await expect.poll(waiting).toBe(1);
      const two = second();
      await expect.poll(waiting).toBe(2);
      return [one, two];
    });
    await Promise.all(pending);
  }

  it.each(["message", "reaper"])(
    "meets the reaper: the %s was first, and one of them is true as a whole",
    async (first) => {
      const spot = await scene.reach("APPLYING");
      scene.server.advance(31_000);
      let answer: ProtocolAnswer | undefined;
      const message = async () => {
        answer = await spot.job.message({ type: "applied", appliedAddresses: [] });
      };
      const reaper = () => loseExpiredLeases(scene.server.deps);
      await (first === "message" ? meet(spot, message, reaper) : meet(spot, reaper, message));
      const run = await scene.run(spot.runId);
      const { lock } = await scene.workspace(spot.workspaceId);
      const refused = await scene.rows("select request, code from refused_request where run_id = $1", spot.runId);
      if (first === "message") {
        expect([answer?.status, run.status, run.outcome, lock, refused]).toEqual([
          200,
          "FINISHED",
          "APPLIED",
          null,
          [],
        ]);
      } else {
        expect([answer?.status, run.status, run.failure.code, lock.reason]).toEqual([
          410,
          "FAILED",
          "RUNNER_LOST",
          "APPLY_INTERRUPTED",
        ]);
        expect(refused).toEqual([{ request: "message applied", code: "JOB_OVER" }]);
      }
    },
  );

  it("meets the reaper with a heartbeat: the lease goes on, or the run is lost", async () => {
    const spot = await scene.reach("APPLYING");
    scene.server.advance(31_000);
    // The reaper has found the lease run out and waits for the workspace; the heartbeat comes meanwhile.
    let beat: ProtocolAnswer | undefined;
    const { database } = scene.server.deps;
    const reaping = await database.transaction(async (tx) => {
      await tx.sql.selectFrom("workspace").select("id").where("id", "=", spot.workspaceId).forUpdate().execute();
      const pending = loseExpiredLeases(scene.server.deps);
      beat = await spot.job.heartbeat();
      return [pending];
    });
    await Promise.all(reaping);
    expect(beat?.status).toBe(200);
    expect((await scene.run(spot.runId, "status")).status).toBe("APPLYING");
    expect((await spot.job.message({ type: "applied", appliedAddresses: [] })).status).toBe(200);
  });
});
