import { describe, expect, test } from "vitest";
import { FIRST_LEG, RUN_KINDS, RUN_LEGS, type RunKind, type RunLeg } from "../../../src/model/lifecycle/run-kind.ts";
import {
  autoApplies,
  type Decision,
  decide,
  type MachinePlan,
  type RunCommand,
  type MachineInput,
} from "../../../src/model/lifecycle/run-machine.ts";
import { reachablePositions } from "../../../src/model/lifecycle/legal-changes.ts";
import { isTerminal, RUN_STATUSES, type RunStatus } from "../../../src/model/lifecycle/run-status.ts";
import type { RunCommandType } from "../../../src/model/lifecycle/run-transitions.ts";

const NOW = Date.parse("2026-01-02T03:04:05.000Z");

const PLAN: MachinePlan = {
  version: 2,
  hasChanges: true,
  stateSerial: 7,
  changes: 1,
  destructions: 0,
  replacements: 0,
  forgets: 0,
  imports: 0,
  moves: 0,
  outputChanges: [],
  actionInvocationCount: 0,
  complete: true,
  targeted: false,
};

const NOWHERE = { prePlan: false, plan: false, preApply: false };
const JUDGED = { ...NOWHERE, plan: true };

type Overrides = Partial<Omit<MachineInput, "workspace">> & { workspace?: Partial<MachineInput["workspace"]> };

/** A run in a workspace as it comes: two-phase approval, nothing by itself. */
function facts(overrides: Overrides = {}): MachineInput {
  return {
    kind: "DEPLOY",
    status: "QUEUED",
    leg: "PLAN",
    attempt: 1,
    plan: PLAN,
    stopRequestedAtMs: null,
    rules: { plan: false, apply: false },
    planApproved: false,
    policies: NOWHERE,
    warnings: 0,
    probes: false,
    limits: { attempts: 3, forceAfterMs: 60_000 },
    ...overrides,
    workspace: {
      planApproval: "ALWAYS",
      autoApply: "NEVER",
      interruptApply: false,
      skipApplying: false,
      locked: false,
      frozen: false,
      stateSerial: 7,
      ...overrides.workspace,
    },
  };
}

/** Every command, as it comes when all is well. */
const COMMANDS: Record<RunCommandType, RunCommand> = {
  create: { type: "create" },
  createSkipped: { type: "createSkipped" },
  admit: { type: "admit" },
  skip: { type: "skip" },
  dependencyFailed: { type: "dependencyFailed" },
  cancel: { type: "cancel", force: false, atMs: NOW },
  claim: { type: "claim" },
  leaseLost: { type: "leaseLost", handedBack: false },
  restored: { type: "restored" },
  prepared: { type: "prepared" },
  initialized: { type: "initialized" },
  planned: { type: "planned", plan: PLAN, warnings: 0 },
  judged: { type: "judged", plan: PLAN, verdict: "passed", warnings: 0 },
  preJudged: { type: "preJudged", verdict: "passed" },
  keepPlan: { type: "keepPlan" },
  approvePlan: { type: "approvePlan", planVersion: 2, quorumReached: true },
  approveApply: { type: "approveApply", planVersion: 2, quorumReached: true },
  autoApply: { type: "autoApply", planVersion: 2 },
  withdrawPlan: { type: "withdrawPlan", quorumReached: false },
  withdrawApply: { type: "withdrawApply", quorumReached: false },
  reject: { type: "reject", planVersion: 2 },
  discard: { type: "discard", planVersion: 2 },
  replan: { type: "replan", planVersion: 2 },
  skipApply: { type: "skipApply" },
  applied: { type: "applied" },
  verified: { type: "verified" },
  concluded: { type: "concluded" },
  performed: { type: "performed" },
  fail: { type: "fail" },
  stopped: { type: "stopped" },
  queueTimeout: { type: "queueTimeout" },
  timeout: { type: "timeout" },
};
const COMMAND_TYPES = Object.values(COMMANDS).map((command) => command.type);

/** A decision in a word: the new place, "stays", or why not. */
function said(decision: Decision, leg: RunLeg): string {
  if (!decision.accepted) return decision.code;
  if (decision.change === null) return "stays";
  const { status, outcome } = decision.change;
  return [
    status,
    ...(decision.change.leg === leg ? [] : [`on ${decision.change.leg}`]),
    ...(outcome ? [outcome] : []),
  ].join(" ");
}

function answer(run: MachineInput, command: RunCommand): string {
  return said(decide(run, command), run.leg);
}

type Row = Partial<Record<RunCommandType, string>>;
const queued: Row = {
  preJudged: "stays",
  skip: "SKIPPED",
  dependencyFailed: "FAILED",
  cancel: "CANCELED",
  queueTimeout: "TIMED_OUT",
};
const waiting: Row = { claim: "PREPARING", cancel: "CANCELED", queueTimeout: "TIMED_OUT" };
const working: Row = { cancel: "stays", fail: "FAILED", timeout: "TIMED_OUT" };
const serverWork: Row = { cancel: "STOPPED", fail: "FAILED", timeout: "TIMED_OUT" };
/** No limit ends it: the end of its window is a failure. */
const verifying: Row = { cancel: "STOPPED", fail: "FAILED" };
const uninterrupted: Row = { fail: "FAILED", timeout: "TIMED_OUT" };
const planGate: Row = { cancel: "DISCARDED", discard: "DISCARDED", reject: "REJECTED", withdrawPlan: "stays" };
const taskGate: Row = { cancel: "DISCARDED", discard: "DISCARDED", withdrawApply: "stays" };
const applyGate: Row = { ...taskGate, withdrawPlan: "AWAITING_PLAN_APPROVAL" };
/** The plan of these facts is the second one, which a replan made. */
const approved: Row = {
  claim: "PREPARING",
  preJudged: "stays",
  discard: "DISCARDED on REPLAN",
  withdrawPlan: "AWAITING_PLAN_APPROVAL on REPLAN",
  withdrawApply: "AWAITING_APPLY_APPROVAL on REPLAN",
};

/**
 * What each command does in each place, in a workspace as it comes, with no stop asked for. What is not named is a
 * conflict. Written from the description of the machine, not from the table.
 */
const MATRIX: Record<string, Row> = {
  "DEPLOY,DESTROY,PLAN QUEUED PLAN": { ...queued, admit: "READY" },
  "UNLOCK QUEUED TASK": { ...queued, admit: "READY", preJudged: "RUN_STATE_CONFLICT" },
  "APPLY QUEUED APPLY": { ...queued, admit: "AWAITING_PLAN_APPROVAL" },
  "TASK QUEUED TASK": { ...queued, admit: "AWAITING_APPLY_APPROVAL" },

  "DEPLOY,DESTROY,PLAN,UNLOCK READY PLAN,TASK": waiting,
  "DEPLOY,DESTROY REPLAN_REQUESTED REPLAN": waiting,
  "DEPLOY,DESTROY CONFIRMED APPLY,DESTROY": approved,
  "APPLY CONFIRMED APPLY": {
    claim: "PREPARING",
    preJudged: "stays",
    discard: "DISCARDED",
    withdrawPlan: "AWAITING_PLAN_APPROVAL",
    withdrawApply: "AWAITING_APPLY_APPROVAL",
  },
  "TASK CONFIRMED TASK": {
    claim: "PREPARING",
    preJudged: "stays",
    discard: "DISCARDED",
    withdrawApply: "AWAITING_APPLY_APPROVAL",
  },

  "DEPLOY,DESTROY,PLAN PREPARING PLAN": { ...working, prepared: "INITIALIZING", leaseLost: "READY" },
  "DEPLOY,DESTROY PREPARING REPLAN": { ...working, prepared: "INITIALIZING", leaseLost: "REPLAN_REQUESTED" },
  "DEPLOY,DESTROY,APPLY PREPARING APPLY,DESTROY": {
    ...uninterrupted,
    restored: "INITIALIZING",
    prepared: "APPLYING",
    leaseLost: "CONFIRMED",
  },
  "DEPLOY,DESTROY,APPLY INITIALIZING APPLY,DESTROY": { ...uninterrupted, prepared: "APPLYING", leaseLost: "CONFIRMED" },
  "TASK PREPARING TASK": { ...working, prepared: "INITIALIZING", leaseLost: "CONFIRMED" },
  "UNLOCK PREPARING TASK": { ...working, prepared: "INITIALIZING", leaseLost: "READY" },

  "DEPLOY,DESTROY,PLAN INITIALIZING PLAN": { ...working, initialized: "PLANNING", leaseLost: "READY" },
  "DEPLOY,DESTROY INITIALIZING REPLAN": { ...working, initialized: "PLANNING", leaseLost: "REPLAN_REQUESTED" },
  "TASK INITIALIZING TASK": { ...working, initialized: "PERFORMING", leaseLost: "CONFIRMED" },
  "UNLOCK INITIALIZING TASK": { ...working, initialized: "PERFORMING", leaseLost: "READY" },

  "DEPLOY,DESTROY PLANNING PLAN": { ...working, planned: "AWAITING_PLAN_APPROVAL", leaseLost: "READY" },
  "DEPLOY,DESTROY PLANNING REPLAN": {
    ...working,
    planned: "AWAITING_PLAN_APPROVAL",
    keepPlan: "AWAITING_PLAN_APPROVAL",
    leaseLost: "REPLAN_REQUESTED",
  },
  "PLAN PLANNING PLAN": { ...working, planned: "FINISHED PLANNED", leaseLost: "READY" },
  "DEPLOY,DESTROY POLICY_CHECKING PLAN,REPLAN": { ...serverWork, judged: "AWAITING_PLAN_APPROVAL" },
  "PLAN POLICY_CHECKING PLAN": { ...serverWork, judged: "FINISHED PLANNED" },
  "APPLY POLICY_CHECKING APPLY": { ...serverWork, judged: "AWAITING_PLAN_APPROVAL" },

  "DEPLOY,DESTROY AWAITING_PLAN_APPROVAL PLAN": {
    ...planGate,
    approvePlan: "AWAITING_APPLY_APPROVAL",
    replan: "REPLAN_REQUESTED on REPLAN",
  },
  "DEPLOY,DESTROY AWAITING_PLAN_APPROVAL REPLAN": {
    ...planGate,
    approvePlan: "AWAITING_APPLY_APPROVAL",
    replan: "REPLAN_REQUESTED",
  },
  "PLAN AWAITING_PLAN_APPROVAL PLAN": { ...planGate, approvePlan: "FINISHED PLANNED" },
  "APPLY AWAITING_PLAN_APPROVAL APPLY": { ...planGate, approvePlan: "AWAITING_APPLY_APPROVAL" },

  "DEPLOY AWAITING_APPLY_APPROVAL PLAN": {
    ...applyGate,
    approveApply: "CONFIRMED on APPLY",
    replan: "REPLAN_REQUESTED on REPLAN",
  },
  "DESTROY AWAITING_APPLY_APPROVAL PLAN": {
    ...applyGate,
    approveApply: "CONFIRMED on DESTROY",
    replan: "REPLAN_REQUESTED on REPLAN",
  },
  "DEPLOY AWAITING_APPLY_APPROVAL REPLAN": {
    ...applyGate,
    approveApply: "CONFIRMED on APPLY",
    replan: "REPLAN_REQUESTED",
  },
  "DESTROY AWAITING_APPLY_APPROVAL REPLAN": {
    ...applyGate,
    approveApply: "CONFIRMED on DESTROY",
    replan: "REPLAN_REQUESTED",
  },
  "APPLY AWAITING_APPLY_APPROVAL APPLY": { ...applyGate, approveApply: "CONFIRMED" },
  "TASK AWAITING_APPLY_APPROVAL TASK": { ...taskGate, approveApply: "CONFIRMED" },

  "DEPLOY,APPLY APPLYING APPLY": { ...uninterrupted, applied: "FINISHED APPLIED", leaseLost: "FAILED" },
  "DESTROY APPLYING DESTROY": { ...uninterrupted, applied: "FINISHED DESTROYED", leaseLost: "FAILED" },
  "DEPLOY,APPLY VERIFYING APPLY": { ...verifying, verified: "FINISHED APPLIED", concluded: "FINISHED APPLIED" },
  "DESTROY VERIFYING DESTROY": { ...verifying, verified: "FINISHED DESTROYED", concluded: "FINISHED DESTROYED" },
  "TASK PERFORMING TASK": { ...uninterrupted, performed: "FINISHED PERFORMED", leaseLost: "FAILED" },
  "UNLOCK PERFORMING TASK": { ...uninterrupted, performed: "FINISHED UNLOCKED", leaseLost: "FAILED" },
};

const PLACES = reachablePositions();

function rowsOf(kind: RunKind, status: RunStatus, leg: RunLeg): Row[] {
  return Object.entries(MATRIX).flatMap(([key, row]) => {
    const [kinds = "", at = "", legs = ""] = key.split(" ");
    return kinds.split(",").includes(kind) && at === status && legs.split(",").includes(leg) ? [row] : [];
  });
}

describe("every command in every place", () => {
  test.each(
    PLACES.map((place) => [`${place.kind} ${place.status} ${place.leg} ${place.outcome ?? ""}`, place] as const),
  )("%s", (_name, { kind, status, leg }) => {
    const rows = rowsOf(kind, status, leg);
    expect(rows.length).toBe(isTerminal(status) ? 0 : 1);
    for (const type of COMMAND_TYPES) {
      const expected = rows[0]?.[type] ?? "RUN_STATE_CONFLICT";
      expect([type, answer(facts({ kind, status, leg }), COMMANDS[type])]).toEqual([type, expected]);
    }
  });

  test("nothing is applied without a judgement: all commands in all places, with all facts that matter", () => {
    const verdicts = ["passed", "asks", "denied"] as const;
    const commands = [
      ...Object.values(COMMANDS),
      ...verdicts.map((verdict) => ({ type: "judged", plan: PLAN, verdict, warnings: 0 }) as const),
      ...verdicts.map((verdict) => ({ type: "preJudged", verdict }) as const),
    ];
    const workspaces = (["ALWAYS", "WHEN_REQUIRED"] as const).flatMap((planApproval) =>
      (["NEVER", "ALWAYS"] as const).map((autoApply) => ({ planApproval, autoApply })),
    );
    const unjudged: string[] = [];
    for (const { kind, status, leg } of PLACES.filter((place) => !isTerminal(place.status))) {
      for (const workspace of workspaces) {
        for (const planApproved of [false, true]) {
          for (const command of commands) {
            const run = facts({ kind, status, leg, workspace, planApproved, policies: { ...JUDGED, preApply: true } });
            const decision = decide(run, command);
            if (!decision.accepted || decision.change === null) continue;
            const { status: to } = decision.change;
            const beforePlan = ["QUEUED", "PLANNING"].includes(status) && kind !== "TASK" && kind !== "UNLOCK";
            // Out of the plan, or of the queue with a plan, the one way is the judgement.
            const leaves = beforePlan && ["AWAITING_APPLY_APPROVAL", "CONFIRMED", "APPLYING"].includes(to);
            const kept = command.type === "keepPlan";
            // Nothing that was denied comes nearer to its apply.
            const ignored = "verdict" in command && command.verdict === "denied" && to !== "REJECTED";
            if ((leaves && !kept) || (ignored && status !== "VERIFYING")) {
              unjudged.push(`${kind} ${status} ${command.type} ${to}`);
            }
          }
        }
      }
    }
    expect(unjudged).toEqual([]);
  });

  test("the matrix names only words that exist", () => {
    for (const key of Object.keys(MATRIX)) {
      const [kinds = "", status = "", legs = ""] = key.split(" ");
      expect(RUN_KINDS).toEqual(expect.arrayContaining(kinds.split(",")));
      expect(RUN_STATUSES).toContain(status);
      expect(RUN_LEGS).toEqual(expect.arrayContaining(legs.split(",")));
    }
  });
});

describe("which error comes first", () => {
  const stale = { version: 1, moved: 8 };

  test("another gate's turn comes before a stale plan and a moved state", () => {
    const run = facts({ status: "AWAITING_APPLY_APPROVAL", workspace: { stateSerial: stale.moved } });
    expect(answer(run, { type: "approvePlan", planVersion: stale.version, quorumReached: true })).toBe(
      "RUN_STATE_CONFLICT",
    );
    expect(answer(run, { type: "reject", planVersion: stale.version })).toBe("RUN_STATE_CONFLICT");
  });

  test.each(["approvePlan", "approveApply"] as const)("%s: the version of the plan comes before the state", (type) => {
    const status = type === "approvePlan" ? "AWAITING_PLAN_APPROVAL" : "AWAITING_APPLY_APPROVAL";
    const run = facts({ status, workspace: { stateSerial: stale.moved } });
    const decisions = [stale.version, PLAN.version].map((planVersion) =>
      decide(run, { type, planVersion, quorumReached: false }),
    );
    expect(decisions).toEqual([
      { accepted: false, code: "STALE_PLAN", reason: "The current plan is version 2, not 1." },
      { accepted: false, code: "STALE_PLAN", reason: "The state moved from serial 7 to 8 since the plan was made." },
    ]);
  });

  test.each(["reject", "replan", "discard"] as const)(
    "%s: of an older plan is stale, after the state moved it is not",
    (type) => {
      const run = facts({ status: "AWAITING_PLAN_APPROVAL", workspace: { stateSerial: stale.moved } });
      expect(answer(run, { type, planVersion: stale.version })).toBe("STALE_PLAN");
      expect(decide(run, { type, planVersion: PLAN.version }).accepted).toBe(true);
    },
  );

  test("a discard that names no plan is about whatever is there", () => {
    const run = facts({ status: "AWAITING_PLAN_APPROVAL", workspace: { stateSerial: stale.moved } });
    expect(answer(run, { type: "discard", planVersion: null })).toBe("DISCARDED");
  });

  test("a task's command counts as version 0", () => {
    const run = facts({ kind: "TASK", leg: "TASK", status: "AWAITING_APPLY_APPROVAL", plan: null });
    expect(answer(run, { type: "approveApply", planVersion: 1, quorumReached: true })).toBe("STALE_PLAN");
    expect(answer(run, { type: "approveApply", planVersion: 0, quorumReached: true })).toBe("CONFIRMED");
  });

  test("below the quorum an approval is taken, and the run stays", () => {
    for (const type of ["approvePlan", "approveApply"] as const) {
      const status = type === "approvePlan" ? "AWAITING_PLAN_APPROVAL" : "AWAITING_APPLY_APPROVAL";
      expect(answer(facts({ status }), { type, planVersion: 2, quorumReached: false })).toBe("stays");
    }
  });

  test("a conflict says what cannot be done to what", () => {
    expect(decide(facts({ status: "FINISHED" }), COMMANDS.cancel)).toEqual({
      accepted: false,
      code: "RUN_STATE_CONFLICT",
      reason: "Cannot cancel a run of kind DEPLOY that is FINISHED.",
    });
  });
});

describe("what is approved is taken back", () => {
  const first = { ...PLAN, version: 1 };
  const confirmed = (kind: RunKind, leg: RunLeg, plan: MachinePlan | null): MachineInput =>
    facts({ kind, leg, status: "CONFIRMED", plan });

  test.each([
    ["DEPLOY", "APPLY"],
    ["DESTROY", "DESTROY"],
  ] as const)("a %s goes back to the leg that made its plan", (kind, leg) => {
    const withdraw = { type: "withdrawApply", quorumReached: false } as const;
    expect(answer(confirmed(kind, leg, first), withdraw)).toBe("AWAITING_APPLY_APPROVAL on PLAN");
    expect(answer(confirmed(kind, leg, PLAN), withdraw)).toBe("AWAITING_APPLY_APPROVAL on REPLAN");
    expect(answer(confirmed(kind, leg, first), { type: "discard", planVersion: 1 })).toBe("DISCARDED on PLAN");
    expect(answer(confirmed(kind, leg, PLAN), { type: "discard", planVersion: null })).toBe("DISCARDED on REPLAN");
  });

  test("a discard names the plan that was approved", () => {
    expect(answer(confirmed("DEPLOY", "APPLY", PLAN), { type: "discard", planVersion: 1 })).toBe("STALE_PLAN");
  });

  test("a withdrawal that leaves enough approvals is recorded, and the run stays", () => {
    for (const type of ["withdrawPlan", "withdrawApply"] as const) {
      expect(answer(confirmed("DEPLOY", "APPLY", PLAN), { type, quorumReached: true })).toBe("stays");
    }
  });

  test("an override at the apply gate: back to the plan gate, unless the others are enough", () => {
    for (const [kind, leg] of [
      ["DEPLOY", "PLAN"] as const,
      ["DESTROY", "REPLAN"] as const,
      ["APPLY", "APPLY"] as const,
    ]) {
      const run = facts({ kind, leg, status: "AWAITING_APPLY_APPROVAL" });
      expect(answer(run, { type: "withdrawPlan", quorumReached: false })).toBe("AWAITING_PLAN_APPROVAL");
      expect(answer(run, { type: "withdrawPlan", quorumReached: true })).toBe("stays");
    }
  });

  test("only until a runner has it", () => {
    const preparing = facts({ status: "PREPARING", leg: "APPLY" });
    for (const type of ["withdrawPlan", "withdrawApply", "discard"] as const) {
      expect(answer(preparing, COMMANDS[type])).toBe("RUN_STATE_CONFLICT");
    }
  });

  test("who cancels it reads what to do instead", () => {
    expect(decide(confirmed("DEPLOY", "APPLY", PLAN), COMMANDS.cancel)).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      reason:
        "Cannot cancel a run of kind DEPLOY that is CONFIRMED: it is approved. An approver can take it back with " +
        "`discardRun` or `withdrawApproval`.",
    });
  });
});

describe("cancel", () => {
  test.each(["APPLYING", "PERFORMING"] as const)("of a run that is %s names interruptApply", (status) => {
    for (const force of [false, true]) {
      expect(decide(facts({ status, leg: "APPLY" }), { type: "cancel", force, atMs: 0 })).toMatchObject({
        code: "RUN_STATE_CONFLICT",
        reason: expect.stringContaining(
          `that is ${status}: this workspace does not allow interrupting an apply. Wait for its end, or let ` +
            "an approver set `interruptApply` with `updateWorkspace` and cancel again",
        ),
      });
    }
  });

  type Case = [status: RunStatus, leg: RunLeg, plain: string, early: string, late: string];
  const conflict = "RUN_STATE_CONFLICT";
  /** Plain; with force where the stop was asked for 59,999 ms ago; with force where that was 60,000 ms ago. */
  const cases: Case[] = [
    ["QUEUED", "PLAN", "CANCELED", "CANCELED", "CANCELED"],
    ["READY", "PLAN", "CANCELED", "CANCELED", "CANCELED"],
    ["REPLAN_REQUESTED", "REPLAN", "CANCELED", "CANCELED", "CANCELED"],
    ["PREPARING", "PLAN", "stays", "stays", "STOPPED"],
    ["PREPARING", "REPLAN", "stays", "stays", "STOPPED"],
    ["INITIALIZING", "PLAN", "stays", "stays", "STOPPED"],
    ["INITIALIZING", "REPLAN", "stays", "stays", "STOPPED"],
    ["PLANNING", "PLAN", "stays", "stays", "STOPPED"],
    ["PLANNING", "REPLAN", "stays", "stays", "STOPPED"],
    ["POLICY_CHECKING", "PLAN", "STOPPED", "STOPPED", "STOPPED"],
    ["VERIFYING", "APPLY", "STOPPED", "STOPPED", "STOPPED"],
    ["AWAITING_PLAN_APPROVAL", "PLAN", "DISCARDED", "DISCARDED", "DISCARDED"],
    ["AWAITING_APPLY_APPROVAL", "PLAN", "DISCARDED", "DISCARDED", "DISCARDED"],
    ["CONFIRMED", "APPLY", conflict, "STOPPED", "STOPPED"],
    ["PREPARING", "APPLY", conflict, "STOPPED", "STOPPED"],
    ["INITIALIZING", "APPLY", conflict, "STOPPED", "STOPPED"],
    ["APPLYING", "APPLY", conflict, conflict, conflict],
    ...RUN_STATUSES.filter(isTerminal).map((status): Case => [status, "APPLY", conflict, conflict, conflict]),
  ];

  test.each(cases)("%s on leg %s", (status, leg, plain, early, late) => {
    const asked = facts({ status, leg, stopRequestedAtMs: NOW });
    expect(answer(facts({ status, leg }), { type: "cancel", force: false, atMs: NOW })).toBe(plain);
    expect(answer(asked, { type: "cancel", force: false, atMs: NOW + 60_000 })).toBe(plain);
    expect(answer(asked, { type: "cancel", force: true, atMs: NOW + 59_999 })).toBe(early);
    expect(answer(asked, { type: "cancel", force: true, atMs: NOW + 60_000 })).toBe(late);
  });

  test.each(["PREPARING", "INITIALIZING", "PLANNING"] as const)(
    "force on %s without an earlier request is a request",
    (status) => {
      expect(answer(facts({ status }), { type: "cancel", force: true, atMs: NOW })).toBe("stays");
    },
  );

  test.each([
    ["DEPLOY", "APPLYING", "APPLY"],
    ["DESTROY", "APPLYING", "DESTROY"],
    ["TASK", "PERFORMING", "TASK"],
    ["UNLOCK", "PERFORMING", "TASK"],
  ] as const)("%s, %s: only where applies may be interrupted", (kind, status, leg) => {
    const allowed = { kind, status, leg, workspace: { interruptApply: true } };
    const asked = facts({ ...allowed, stopRequestedAtMs: NOW });
    expect(answer(facts({ kind, status, leg }), { type: "cancel", force: true, atMs: NOW })).toBe(conflict);
    expect(answer(facts(allowed), { type: "cancel", force: false, atMs: NOW })).toBe("stays");
    expect(answer(facts(allowed), { type: "cancel", force: true, atMs: NOW })).toBe("stays");
    expect(answer(asked, { type: "cancel", force: true, atMs: NOW + 59_999 })).toBe("stays");
    expect(answer(asked, { type: "cancel", force: true, atMs: NOW + 60_000 })).toBe("STOPPED");
    expect(answer(asked, COMMANDS.stopped)).toBe("STOPPED");
    expect(answer(facts({ kind, status, leg, stopRequestedAtMs: NOW }), COMMANDS.stopped)).toBe(conflict);
  });

  test("a runner's acknowledgement counts where a stop was asked for, and only before the apply", () => {
    for (const status of ["PREPARING", "INITIALIZING", "PLANNING"] as const) {
      expect(answer(facts({ status, stopRequestedAtMs: NOW }), COMMANDS.stopped)).toBe("STOPPED");
      expect(answer(facts({ status }), COMMANDS.stopped)).toBe(conflict);
    }
    // No runner has the run there, so none can acknowledge.
    for (const [status, leg] of [
      ["POLICY_CHECKING", "PLAN"],
      ["VERIFYING", "APPLY"],
    ] as const) {
      expect(answer(facts({ status, leg, stopRequestedAtMs: NOW }), COMMANDS.stopped)).toBe(conflict);
    }
    for (const status of ["PREPARING", "APPLYING"] as const) {
      expect(answer(facts({ status, leg: "APPLY", stopRequestedAtMs: NOW }), COMMANDS.stopped)).toBe(conflict);
    }
  });
});

describe("after a plan", () => {
  const single = { planApproval: "WHEN_REQUIRED" } as const;
  const by = (autoApply: MachineInput["workspace"]["autoApply"]) => ({ ...single, autoApply }) as const;
  const planned = (overrides: Overrides, plan: Partial<MachinePlan> = {}): string =>
    answer(facts({ status: "PLANNING", ...overrides }), { type: "planned", plan: { ...PLAN, ...plan }, warnings: 0 });
  const judged = (
    overrides: Overrides,
    verdict: "passed" | "asks" | "denied",
    plan: Partial<MachinePlan> = {},
    warnings = 0,
  ): string =>
    answer(facts({ status: "POLICY_CHECKING", policies: JUDGED, ...overrides }), {
      type: "judged",
      plan: { ...PLAN, ...plan },
      verdict,
      warnings,
    });

  test.each(["DEPLOY", "DESTROY", "PLAN"] as const)("%s: no changes end the run, nobody is asked", (kind) => {
    expect(planned({ kind }, { hasChanges: false })).toBe("FINISHED NO_CHANGES");
    expect(judged({ kind }, "asks", { hasChanges: false })).toBe("FINISHED NO_CHANGES");
  });

  test("a replan that cannot be made comes back to the first gate that asks, and applies nothing by itself", () => {
    const kept = (overrides: Overrides): string =>
      answer(facts({ status: "PLANNING", leg: "REPLAN", ...overrides }), COMMANDS.keepPlan);
    expect(kept({})).toBe("AWAITING_PLAN_APPROVAL");
    expect(kept({ workspace: single })).toBe("AWAITING_APPLY_APPROVAL");
    expect(kept({ workspace: by("ALWAYS") })).toBe("AWAITING_APPLY_APPROVAL");
    expect(kept({ workspace: by("ALWAYS"), rules: { plan: true, apply: false } })).toBe("AWAITING_PLAN_APPROVAL");
  });

  test("single confirmation: the apply gate alone", () => {
    expect(planned({ workspace: single })).toBe("AWAITING_APPLY_APPROVAL");
    expect(judged({ workspace: single }, "passed")).toBe("AWAITING_APPLY_APPROVAL");
    expect(planned({ workspace: single, kind: "DESTROY" })).toBe("AWAITING_APPLY_APPROVAL");
  });

  test("policies are asked first; they deny, ask for a reviewer, or let pass", () => {
    expect(planned({ policies: JUDGED, workspace: by("ALWAYS") })).toBe("POLICY_CHECKING");
    expect(judged({ workspace: by("ALWAYS") }, "denied")).toBe("REJECTED");
    expect(judged({ workspace: by("ALWAYS") }, "asks")).toBe("AWAITING_PLAN_APPROVAL");
    expect(judged({ workspace: by("ALWAYS") }, "passed")).toBe("CONFIRMED on APPLY");
    expect(judged({ workspace: by("ALWAYS"), kind: "PLAN" }, "asks")).toBe("AWAITING_PLAN_APPROVAL");
    expect(judged({ workspace: by("ALWAYS"), kind: "PLAN" }, "passed")).toBe("FINISHED PLANNED");
  });

  test("a plan without changes that is judged all the same may be denied, and is otherwise at its end", () => {
    expect(planned({ policies: JUDGED }, { hasChanges: false })).toBe("POLICY_CHECKING");
    expect(judged({}, "denied", { hasChanges: false })).toBe("REJECTED");
    expect(judged({}, "passed", { hasChanges: false }, 3)).toBe("FINISHED NO_CHANGES");
  });

  test("a warning stops auto-apply, until a person approves the plan", () => {
    const gate = "AWAITING_APPLY_APPROVAL";
    expect(judged({ workspace: by("ALWAYS") }, "passed", {}, 1)).toBe(gate);
    expect(judged({ workspace: { ...by("ALWAYS"), skipApplying: true } }, "passed", {}, 1)).toBe(gate);
    expect(judged({ workspace: by("ALWAYS"), kind: "APPLY", leg: "APPLY" }, "passed", {}, 1)).toBe(gate);
    // Those of the plan before do not count.
    expect(planned({ workspace: by("ALWAYS"), warnings: 2 })).toBe("APPLYING on APPLY");
    expect(judged({ workspace: by("ALWAYS"), warnings: 2 }, "passed")).toBe("CONFIRMED on APPLY");
    const asked = { status: "AWAITING_PLAN_APPROVAL", workspace: by("ALWAYS") } as const;
    expect(answer(facts({ ...asked, warnings: 1 }), COMMANDS.approvePlan)).toBe(gate);
    expect(answer(facts(asked), COMMANDS.approvePlan)).toBe("CONFIRMED on APPLY");
    const held = { status: gate, workspace: by("ALWAYS") } as const;
    expect(answer(facts({ ...held, warnings: 1 }), COMMANDS.autoApply)).toBe("RUN_STATE_CONFLICT");
    expect(answer(facts(held), COMMANDS.autoApply)).toBe("CONFIRMED on APPLY");
  });

  test("an APPLY is judged before it comes to a gate", () => {
    const run = { kind: "APPLY", leg: "APPLY", policies: JUDGED } as const;
    for (const workspace of [{}, single, by("ALWAYS")]) {
      expect(answer(facts({ ...run, workspace }), COMMANDS.admit)).toBe("POLICY_CHECKING");
      expect(answer(facts({ ...run, workspace, planApproved: true }), COMMANDS.admit)).toBe("POLICY_CHECKING");
    }
    const place = { kind: "APPLY", leg: "APPLY" } as const;
    expect(judged({ ...place, workspace: by("ALWAYS") }, "denied")).toBe("REJECTED");
    expect(judged({ ...place, workspace: by("ALWAYS"), planApproved: true }, "asks")).toBe("AWAITING_PLAN_APPROVAL");
    expect(judged({ ...place, workspace: single }, "passed")).toBe("AWAITING_APPLY_APPROVAL");
    expect(judged({ ...place, workspace: by("ALWAYS") }, "passed")).toBe("CONFIRMED");
  });

  test("no runner waits for a check before the apply", () => {
    const preApply = { ...NOWHERE, preApply: true };
    expect(planned({ policies: preApply, workspace: by("ALWAYS") })).toBe("CONFIRMED on APPLY");
    expect(planned({ policies: preApply, workspace: single })).toBe("AWAITING_APPLY_APPROVAL");
    expect(planned({ policies: { ...preApply, plan: true }, workspace: by("ALWAYS") })).toBe("POLICY_CHECKING");
  });

  test.each(["DEPLOY", "DESTROY", "PLAN", "APPLY", "TASK", "UNLOCK"] as const)(
    "%s: what is denied before its plan or its apply is rejected, and a question is a denial there",
    (kind) => {
      const leg = FIRST_LEG[kind];
      const before = (overrides: Overrides, verdict: "passed" | "asks" | "denied"): string =>
        answer(facts({ kind, leg, ...overrides }), { type: "preJudged", verdict });
      const words = kind === "UNLOCK" ? ["RUN_STATE_CONFLICT", "RUN_STATE_CONFLICT"] : ["stays", "REJECTED"];
      expect([before({}, "passed"), before({}, "denied")]).toEqual(words);
      expect(before({}, "asks")).toBe(words[1]);
      if (kind === "PLAN" || kind === "UNLOCK") return;
      const approved = {
        status: "CONFIRMED",
        leg: kind === "DESTROY" ? "DESTROY" : kind === "TASK" ? "TASK" : "APPLY",
      };
      const place = approved as Overrides;
      expect([before(place, "passed"), before(place, "asks"), before(place, "denied")]).toEqual([
        "stays",
        "REJECTED",
        "REJECTED",
      ]);
    },
  );

  test("auto-apply goes on at once with the same runner", () => {
    expect(planned({ workspace: by("ALWAYS") })).toBe("APPLYING on APPLY");
    expect(planned({ workspace: by("ALWAYS"), leg: "REPLAN" })).toBe("APPLYING on APPLY");
  });

  test("auto-apply covers no destroy, no locked workspace, and nothing where both gates are the rule", () => {
    expect(planned({ workspace: by("ALWAYS"), kind: "DESTROY" })).toBe("AWAITING_APPLY_APPROVAL");
    expect(planned({ workspace: { ...by("ALWAYS"), locked: true } })).toBe("AWAITING_APPLY_APPROVAL");
    expect(planned({ workspace: { autoApply: "ALWAYS" } })).toBe("AWAITING_PLAN_APPROVAL");
    expect(
      answer(facts({ status: "AWAITING_PLAN_APPROVAL", workspace: { autoApply: "ALWAYS" } }), COMMANDS.approvePlan),
    ).toBe("AWAITING_APPLY_APPROVAL");
  });

  test("only what a freeze window alone holds back is applied when the window closes", () => {
    const frozen = { ...by("ALWAYS"), frozen: true };
    const heldBack = (overrides: Overrides, command: RunCommand): unknown => {
      const decision = decide(facts(overrides), command);
      return decision.accepted ? [decision.change?.status, decision.held] : decision.code;
    };
    const gate = "AWAITING_APPLY_APPROVAL";
    const planning = { status: "PLANNING", workspace: frozen } as const;
    expect(heldBack(planning, COMMANDS.planned)).toEqual([gate, true]);
    expect(heldBack({ ...planning, status: "POLICY_CHECKING" }, COMMANDS.judged)).toEqual([gate, true]);
    expect(heldBack({ ...planning, kind: "APPLY", status: "QUEUED", leg: "APPLY" }, COMMANDS.admit)).toEqual([
      gate,
      true,
    ]);
    expect(heldBack({ ...planning, status: "AWAITING_PLAN_APPROVAL" }, COMMANDS.approvePlan)).toEqual([gate, true]);
    for (const more of [{ locked: true }, { autoApply: "NEVER" }, { frozen: false, locked: true }] as const) {
      expect(heldBack({ ...planning, workspace: { ...frozen, ...more } }, COMMANDS.planned)).toEqual([gate, undefined]);
    }
    expect(heldBack({ ...planning, rules: { plan: false, apply: true } }, COMMANDS.planned)).toEqual([gate, undefined]);
    const held = { status: gate, workspace: by("ALWAYS") } as const;
    expect(heldBack(held, COMMANDS.autoApply)).toEqual(["CONFIRMED", undefined]);
    for (const more of [{ frozen: true }, { locked: true }, { autoApply: "NEVER" }] as const) {
      expect(heldBack({ ...held, workspace: { ...by("ALWAYS"), ...more } }, COMMANDS.autoApply)).toBe(
        "RUN_STATE_CONFLICT",
      );
    }
    expect(heldBack({ ...held, kind: "DESTROY" }, COMMANDS.autoApply)).toBe("RUN_STATE_CONFLICT");
    expect(heldBack({ ...held, workspace: { ...by("ALWAYS"), stateSerial: 8 } }, COMMANDS.autoApply)).toBe(
      "STALE_PLAN",
    );
  });

  test("what auto-apply would apply is skipped where the workspace says so", () => {
    const workspace = { ...by("ALWAYS"), skipApplying: true };
    expect(planned({ workspace })).toBe("FINISHED on APPLY APPLY_SKIPPED");
    expect(judged({ workspace }, "passed")).toBe("FINISHED on APPLY APPLY_SKIPPED");
    expect(planned({ workspace: { ...single, skipApplying: true } })).toBe("AWAITING_APPLY_APPROVAL");
    const confirmed = facts({ status: "PREPARING", leg: "APPLY", workspace: { skipApplying: true } });
    expect(answer(confirmed, COMMANDS.skipApply)).toBe("FINISHED APPLY_SKIPPED");
    expect(
      answer(facts({ status: "PREPARING", leg: "PLAN", workspace: { skipApplying: true } }), COMMANDS.skipApply),
    ).toBe("RUN_STATE_CONFLICT");
  });

  test("after a plan gate that a policy opened, auto-apply spares the second question", () => {
    const run = facts({ status: "AWAITING_PLAN_APPROVAL", workspace: by("ALWAYS") });
    expect(answer(run, COMMANDS.approvePlan)).toBe("CONFIRMED on APPLY");
    expect(answer({ ...run, kind: "DESTROY" }, COMMANDS.approvePlan)).toBe("AWAITING_APPLY_APPROVAL");
  });

  test("an APPLY run is let in to the first gate that asks", () => {
    const run = (workspace: Partial<MachineInput["workspace"]>): string =>
      answer(facts({ kind: "APPLY", leg: "APPLY", workspace }), COMMANDS.admit);
    expect(run({})).toBe("AWAITING_PLAN_APPROVAL");
    expect(run(single)).toBe("AWAITING_APPLY_APPROVAL");
    expect(run(by("ALWAYS"))).toBe("CONFIRMED");
  });

  test("probes follow an apply where there are any", () => {
    expect(answer(facts({ status: "APPLYING", leg: "APPLY", probes: true }), COMMANDS.applied)).toBe("VERIFYING");
  });
});

describe("lost leases", () => {
  const lost = (overrides: Overrides, handedBack = false): string =>
    answer(facts(overrides), { type: "leaseLost", handedBack });

  test.each([
    ["PREPARING", "PLAN", "READY"],
    ["INITIALIZING", "REPLAN", "REPLAN_REQUESTED"],
    ["PLANNING", "PLAN", "READY"],
    ["PREPARING", "APPLY", "CONFIRMED"],
  ] as const)("%s on leg %s: two more attempts, then it fails; a drain does not count", (status, leg, back) => {
    expect([1, 2, 3, 4].map((attempt) => lost({ status, leg, attempt }))).toEqual([back, back, "FAILED", "FAILED"]);
    expect([1, 2, 3, 4].map((attempt) => lost({ status, leg, attempt }, true))).toEqual([back, back, back, back]);
  });

  test("with a stop asked for, the run stops, whatever the attempt", () => {
    for (const attempt of [1, 3]) {
      expect(lost({ status: "PLANNING", attempt, stopRequestedAtMs: NOW })).toBe("STOPPED");
      expect(lost({ status: "PLANNING", attempt, stopRequestedAtMs: NOW }, true)).toBe("STOPPED");
    }
  });

  test("an apply is never tried again, not even by a drain", () => {
    for (const handedBack of [false, true]) {
      expect(lost({ status: "APPLYING", leg: "APPLY" }, handedBack)).toBe("FAILED");
      expect(lost({ kind: "TASK", status: "PERFORMING", leg: "TASK" }, handedBack)).toBe("FAILED");
    }
  });
});

describe("a refusal says what cannot be done, of which run, and what can be done instead", () => {
  const reason = (overrides: Overrides, command: RunCommand): string => {
    const decision = decide(facts(overrides), command);
    return decision.accepted ? "accepted" : decision.reason;
  };

  test.each([
    ["approve the plan of", COMMANDS.approvePlan],
    ["approve the apply of", COMMANDS.approveApply],
    ["withdraw an approval of the plan of", COMMANDS.withdrawPlan],
    ["withdraw an approval of the apply of", COMMANDS.withdrawApply],
    ["reject the plan of", COMMANDS.reject],
    ["discard", COMMANDS.discard],
    ["replan", COMMANDS.replan],
    ["cancel", COMMANDS.cancel],
    ["performed:", COMMANDS.performed],
  ])("%s", (words, command) => {
    expect(reason({ kind: "DESTROY", status: "FAILED" }, command)).toBe(
      `Cannot ${words} a run of kind DESTROY that is FAILED.`,
    );
  });

  test("how to take back what is approved, and to interrupt what is applied, only where cancelling was asked", () => {
    const approved = { status: "CONFIRMED", leg: "APPLY" } as const;
    const applying = { status: "APPLYING", leg: "APPLY" } as const;
    expect(reason(approved, COMMANDS.cancel)).toContain("An approver can take it back with `discardRun`");
    expect(reason(applying, COMMANDS.cancel)).toContain("`interruptApply` with `updateWorkspace`");
    expect(reason(approved, COMMANDS.replan)).toBe("Cannot replan a run of kind DEPLOY that is CONFIRMED.");
    expect(reason(applying, COMMANDS.replan)).toBe("Cannot replan a run of kind DEPLOY that is APPLYING.");
  });
});

describe("auto-apply decides by the plan at hand", () => {
  const workspace = { planApproval: "WHEN_REQUIRED", autoApply: "NO_DESTROY" } as const;
  const destroying = { ...PLAN, destructions: 1 };

  test("a run without a plan is not applied by itself", () => {
    expect(autoApplies(facts({ workspace }), PLAN)).toBe(true);
    expect(autoApplies(facts({ workspace }), null)).toBe(false);
  });

  test("the reported plan counts, not the one before", () => {
    const planning = { status: "PLANNING", workspace } as const;
    expect(answer(facts({ ...planning, plan: null }), { type: "planned", plan: PLAN, warnings: 0 })).toBe(
      "APPLYING on APPLY",
    );
    // The run itself has a warning, which a new plan does not take away.
    expect(answer(facts({ ...planning, plan: null }), { type: "planned", plan: PLAN, warnings: 1 })).toBe(
      "AWAITING_APPLY_APPROVAL",
    );
    expect(answer(facts(planning), { type: "planned", plan: destroying, warnings: 0 })).toBe("AWAITING_APPLY_APPROVAL");
    expect(answer(facts({ ...planning, plan: destroying }), { type: "planned", plan: PLAN, warnings: 0 })).toBe(
      "APPLYING on APPLY",
    );
  });

  test("a run is held for the end of a freeze window at its gate alone", () => {
    const frozen = { status: "AWAITING_APPLY_APPROVAL", workspace: { ...workspace, frozen: true } } as const;
    const confirmed = decide(facts(frozen), COMMANDS.approveApply);
    expect(confirmed).toMatchObject({ accepted: true, change: { status: "CONFIRMED" } });
    expect(confirmed).not.toHaveProperty("held");
  });
});
