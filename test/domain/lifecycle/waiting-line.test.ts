import { describe, expect, test } from "vitest";
import {
  changedBlockers,
  firstClaimable,
  firstQueued,
  QUEUE_READ,
} from "../../../src/domain/lifecycle/waiting-line.ts";
import type { AdmissionConditions } from "../../../src/model/admission/eligibility.ts";
import type { Run } from "../../../src/model/run/run.ts";
import type { Line, WaitingRun } from "../../../src/persistence/run/run-queue-store.ts";
import { aRun, later, NOW } from "../../support/decided-run.ts";

const FREE: AdmissionConditions = { at: NOW, paused: false, lock: null, lockRunId: null, frozenUntil: null };

const run = (id: string, changes: Partial<Run> = {}): Run => aRun({ id, ...changes });
const waiting = (id: string, changes: Partial<Run> = {}, blockers = ""): WaitingRun => ({
  run: run(id, changes),
  blockers,
});
const numbered = (count: number, changes: Partial<Run> = {}): WaitingRun[] =>
  Array.from({ length: count }, (_, index) => waiting(`run_${index + 1}`, { number: index + 1, ...changes }));

function line(parts: Partial<Line> = {}): Line {
  const empty = { holder: null, waiting: [], next: null, plans: [], queuedPlans: [], queued: [], dispatched: [] };
  return { ...empty, ...parts };
}

const admittedOf = (...runs: Run[]) => new Map(runs.map((each) => [each.id, each]));
const idsOf = (all: readonly WaitingRun[] | null) => all?.map((each) => each.run.id);

describe("the first runs that wait for a runner", () => {
  test("are the approved, the plans and those just admitted, by priority and number", () => {
    const admitted = admittedOf(
      run("admitted", { status: "READY", number: 2, priority: 1 }),
      run("at-gate", { status: "AWAITING_APPLY_APPROVAL", number: 1 }),
    );
    const all = firstClaimable({
      line: line({
        waiting: [waiting("approved", { status: "CONFIRMED", number: 4 }, "WORKSPACE_PAUSED")],
        plans: [
          waiting("plan", { kind: "PLAN", status: "READY", number: 3 }),
          waiting("high", { number: 9, priority: 5 }),
        ],
        queued: [waiting("queued", { number: 5 })],
      }),
      admitted,
    });
    expect(idsOf(all)).toEqual(["high", "admitted", "plan", "approved"]);
    expect(all.map(({ blockers }) => blockers)).toEqual(["", "", "", "WORKSPACE_PAUSED"]);
  });

  test("are ten", () => {
    const all = firstClaimable({ line: line({ waiting: numbered(12, { status: "CONFIRMED" }) }), admitted: new Map() });
    expect(idsOf(all)).toEqual(idsOf(numbered(10)));
  });
});

describe("the first runs of the queue", () => {
  test("are ten, without those that were admitted", () => {
    const admitted = admittedOf(run("run_1"));
    expect(idsOf(firstQueued({ line: line({ queued: numbered(QUEUE_READ) }), admitted }))).toEqual(
      idsOf(numbered(11).slice(1)),
    );
    expect(idsOf(firstQueued({ line: line({ queued: numbered(QUEUE_READ) }), admitted: new Map() }))).toEqual(
      idsOf(numbered(10)),
    );
    expect(idsOf(firstQueued({ line: line({ queued: numbered(3) }), admitted }))).toEqual(["run_2", "run_3"]);
  });

  test("are read again if too few are left of a longer queue", () => {
    const admitted = admittedOf(run("run_1"), run("run_2"));
    expect(firstQueued({ line: line({ queued: numbered(QUEUE_READ) }), admitted })).toBeNull();
    expect(idsOf(firstQueued({ line: line({ queued: numbered(QUEUE_READ - 1) }), admitted }))).toHaveLength(8);
  });
});

describe("changed blockers", () => {
  const reports = (
    runs: WaitingRun[],
    {
      holder = null,
      dispatched = [],
      ...conditions
    }: Partial<AdmissionConditions> & { holder?: Run | null; dispatched?: string[] } = {},
  ) =>
    Object.fromEntries(
      changedBlockers(runs, { conditions: { ...FREE, ...conditions }, holder, dispatched: new Set(dispatched) }).map(
        ({ run: { id }, reported }) => [id, reported],
      ),
    );

  test("are those that differ from the recorded ones", () => {
    const runs = [
      waiting("new", {}, ""),
      waiting("known", {}, "WORKSPACE_PAUSED,WORKSPACE_BUSY holder"),
      waiting("other", {}, "WORKSPACE_BUSY holder"),
    ];
    const paused = "WORKSPACE_PAUSED,WORKSPACE_BUSY holder";
    expect(reports(runs, { paused: true, holder: run("holder") })).toEqual({ new: paused, other: paused });
  });

  test("name the run that holds the workspace, or whose lock is in the way", () => {
    const holder = run("holder", { status: "APPLYING", holdsWorkspace: true });
    expect(reports([waiting("next")], { holder })).toEqual({ next: "WORKSPACE_BUSY holder" });
    expect(reports([waiting("next", { kind: "PLAN" }, "x")], { holder })).toEqual({ next: "" });
    const held = waiting("holder", { status: "READY", holdsWorkspace: true }, "x");
    expect(reports([held], { holder })).toEqual({ holder: "" });
    const lock = { lock: "APPLY_INTERRUPTED", lockRunId: "broken" } as const;
    expect(reports([waiting("next")], lock)).toEqual({ next: "WORKSPACE_LOCKED broken" });
    expect(reports([waiting("next")], { lock: "MANUAL" })).toEqual({ next: "WORKSPACE_LOCKED" });
  });

  test("name the run that comes before in a free workspace", () => {
    const approved = waiting("approved", { status: "CONFIRMED", leg: "APPLY" }, "x");
    const [first, second] = [waiting("first", { number: 1 }, "x"), waiting("second", { number: 2 }, "x")];
    expect(reports([first, second])).toEqual({ first: "", second: "WORKSPACE_BUSY first" });
    // The order of claims: approved runs come before queued ones, and applies before plans.
    expect(reports([first, approved, second])).toEqual({
      approved: "",
      first: "WORKSPACE_BUSY approved",
      second: "WORKSPACE_BUSY approved",
    });
    const again = waiting("again", { status: "CONFIRMED", leg: "PLAN" }, "x");
    expect(reports([again, approved])).toEqual({ approved: "", again: "WORKSPACE_BUSY approved" });
  });

  test("pass over runs that cannot go themselves", () => {
    const scheduled = waiting("scheduled", { number: 1, scheduledAt: later(60) }, "SCHEDULED_AT");
    expect(reports([scheduled, waiting("second", {}, "x")])).toEqual({ second: "" });
    const plan = waiting("plan", { kind: "PLAN", status: "READY" }, "x");
    expect(reports([plan, waiting("second", {}, "x")])).toEqual({ plan: "", second: "" });
    // A queued run comes first even though a lock is in its way as well.
    expect(reports([waiting("first", {}, "x"), waiting("second", {}, "x")], { lock: "MANUAL" })).toEqual({
      first: "WORKSPACE_LOCKED",
      second: "WORKSPACE_LOCKED,WORKSPACE_BUSY first",
    });
    const frozen = waiting("frozen", { status: "CONFIRMED", leg: "APPLY" }, "x");
    expect(reports([frozen, waiting("second", {}, "x")], { frozenUntil: later(60) })).toEqual({
      frozen: "FREEZE_WINDOW",
      second: "",
    });
  });

  test.each(["", "ORGANIZATION_LIMIT", "NO_RUNNER"])("leave a shortage to its own round: %j", (shortage) => {
    const dispatched = waiting("first", { status: "READY" }, shortage);
    expect(reports([dispatched], { dispatched: ["first"], paused: true })).toEqual({});
    // Without a place in the dispatch table it has no shortage.
    const expected = shortage === "" ? {} : { first: "" };
    expect(reports([dispatched])).toEqual(expected);
  });

  test("end where a run is in the dispatch table", () => {
    const first = waiting("first", { status: "READY" }, "WORKSPACE_BUSY holder");
    expect(reports([first], { dispatched: ["first"], holder: run("holder") })).toEqual({ first: "" });
  });
});
