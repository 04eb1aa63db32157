import { describe, expect, test } from "vitest";
import {
  machineInput,
  machinePlan,
  passedPlanGate,
  withoutExpiredLock,
  workspaceContextAt,
  type LockedRun,
} from "../../../src/domain/lifecycle/machine-input.ts";
import { quorumInput, requestedApplyAt } from "../../../src/domain/lifecycle/quorum-input.ts";
import type { Approval } from "../../../src/model/approval/approval.ts";
import type { RuleCondition } from "../../../src/model/approval/rule-condition.ts";
import type { ApprovalRule } from "../../../src/model/approval/run-rules.ts";
import type { RunStage } from "../../../src/model/approval/run-stage.ts";
import type { Judge } from "../../../src/model/policy/judge.ts";
import type { Plan } from "../../../src/model/plan/plan.ts";
import type { Run } from "../../../src/model/run/run.ts";
import type { WorkspaceLock } from "../../../src/model/workspace/workspace.ts";
import { aContext, aRun, aWorkspace, later, NOW } from "../../support/decided-run.ts";

const LOCK: WorkspaceLock = {
  reason: "MANUAL",
  runId: null,
  actorId: "a",
  note: null,
  since: NOW,
  expiresAt: later(60),
};

function rule(changes: Partial<ApprovalRule> = {}): ApprovalRule {
  return {
    name: "review",
    gate: "PLAN",
    kinds: ["DEPLOY", "APPLY"],
    minimum: 1,
    approverIds: [],
    teamIds: [],
    excludeRequester: false,
    distinctFromPlanApprover: false,
    commentRequired: false,
    machinesCount: false,
    requirePresence: false,
    ...changes,
  };
}

function approval(changes: Partial<Approval> = {}): Approval {
  return {
    id: "approval_1",
    runId: "run_1",
    gate: "PLAN",
    stage: "review",
    decision: "APPROVED",
    actorId: "actor_1",
    approverKind: "PERSON",
    countsAs: changes.actorId ?? "actor_1",
    teamIds: [],
    present: false,
    comment: null,
    planVersion: 1,
    planDigest: "digest",
    applyAt: null,
    at: NOW,
    counts: true,
    ...changes,
  };
}

function aPlan(changes: Partial<Plan> = {}): Plan {
  return {
    id: "plan_1",
    runId: "run_1",
    version: 1,
    targets: [],
    replace: [],
    outputChanges: [],
    archiveExpiredAt: null,
    createdAt: NOW,
    digest: "digest",
    stateSerial: 3,
    hasChanges: true,
    applyable: true,
    complete: true,
    engine: { name: "terraform", version: "1.9.0" },
    additions: 1,
    changes: 0,
    destructions: 0,
    replacements: 0,
    imports: 0,
    moves: 0,
    forgets: 0,
    ...changes,
  } as Plan;
}

function locked(changes: Partial<LockedRun> = {}, context: Parameters<typeof aContext>[0] = {}): LockedRun {
  return {
    ...aContext(context),
    run: aRun(),
    plan: null,
    rollback: null,
    stages: [],
    planApproved: false,
    warningsAccepted: false,
    ...changes,
  };
}

describe("the context of a workspace", () => {
  test("has the rules of both, and the freeze of the instant", () => {
    const window = { name: "noon", cron: "0 12 * * *", durationMs: 3_600_000, timeZone: "UTC" };
    const rules = { limits: { leaseMs: 5000 }, approvalRules: [], freezeWindows: [window] };
    const organization = {
      rules: { limits: { queueMs: 1000, leaseMs: 1 }, approvalRules: [rule()], freezeWindows: [] },
    };
    const context = workspaceContextAt(new Date(NOW), aWorkspace({ rules }), organization);
    expect(context).toMatchObject({
      rules: { limits: { leaseMs: 5000, queueMs: 1000 }, approvalRules: [rule()], freezeWindows: [window] },
      frozenUntil: later(3600),
    });
    expect(workspaceContextAt(new Date(later(3600)), aWorkspace({ rules }), organization).frozenUntil).toBeNull();
  });

  test("has no lock that has expired", () => {
    const workspace = aWorkspace({ lock: LOCK });
    const lockAt = (at: string) => withoutExpiredLock(workspace, new Date(at)).lock;
    expect(lockAt(later(59))).toEqual(LOCK);
    expect(lockAt(later(60))).toBeNull();
    expect(workspaceContextAt(new Date(later(60)), workspace, { rules: workspace.rules }).workspace.lock).toBeNull();
    const free = aWorkspace();
    expect(withoutExpiredLock(free, new Date(NOW))).toBe(free);
  });
});

describe("the input of the machine", () => {
  test("has what the run is, and the settings of its workspace", () => {
    const run = aRun({ kind: "APPLY", status: "CONFIRMED", leg: "APPLY", attempt: 2 });
    const rollback = { stateVersionId: "sv_1", stateSerial: 4 };
    const input = machineInput(
      locked(
        { run, rollback, planApproved: true },
        {
          workspace: { planApproval: "ALWAYS", autoApply: "ALWAYS", interruptApply: true, stateSerial: 7 },
          limits: { attemptsPerLeg: 5, forceStopAfterMs: 1234 },
        },
      ),
    );
    expect(input).toEqual({
      kind: "APPLY",
      status: "CONFIRMED",
      leg: "APPLY",
      attempt: 2,
      plan: null,
      rollback,
      stopRequestedAtMs: null,
      workspace: {
        planApproval: "ALWAYS",
        autoApply: "ALWAYS",
        interruptApply: true,
        skipApplying: false,
        locked: false,
        frozen: false,
        stateSerial: 7,
      },
      rules: { plan: false, apply: false },
      planApproved: true,
      policies: { prePlan: false, plan: false, preApply: false },
      warnings: 0,
      probes: false,
      limits: { attempts: 5, forceAfterMs: 1234 },
    });
  });

  test("is locked by a lock or a pause, frozen by a window, and asked to stop by a request", () => {
    expect(machineInput(locked({}, { workspace: { lock: LOCK } })).workspace.locked).toBe(true);
    expect(machineInput(locked({}, { workspace: { paused: true } })).workspace.locked).toBe(true);
    expect(machineInput(locked({}, { frozenUntil: later(5) })).workspace.frozen).toBe(true);
    expect(machineInput(locked({ skipApplying: true })).workspace.skipApplying).toBe(true);
    const run = aRun({ cancelRequest: { actorId: "a", at: later(5) } });
    expect(machineInput(locked({ run })).stopRequestedAtMs).toBe(Date.parse(later(5)));
  });

  test("is judged by what selects it, and has the warnings that nobody has accepted", () => {
    const judge: Judge = {
      type: "POLICY",
      id: "pver_1",
      name: "network",
      points: ["PLAN"],
      kinds: null,
      judgesUnchanged: false,
      isShadow: false,
    };
    const inputOf = (judges: Judge[], changes: Partial<LockedRun> = {}) => machineInput(locked(changes, { judges }));
    expect(inputOf([judge]).policies).toEqual({ prePlan: false, plan: true, preApply: false });
    expect(inputOf([{ ...judge, isShadow: true }]).policies.plan).toBe(false);
    expect(inputOf([{ ...judge, kinds: ["DESTROY"] }]).policies.plan).toBe(false);
    expect(inputOf([{ ...judge, points: ["PRE_APPLY"] }]).policies).toMatchObject({ plan: false, preApply: true });
    const unchanged = { plan: aPlan({ hasChanges: false }) };
    expect(inputOf([judge], unchanged).policies.plan).toBe(false);
    expect(inputOf([{ ...judge, judgesUnchanged: true }], unchanged).policies.plan).toBe(true);
    expect(inputOf([judge], { run: aRun({ kind: "TASK" }) }).policies.plan).toBe(false);
    const warned = { run: aRun({ policyWarnings: 2 }) };
    expect(inputOf([], warned).warnings).toBe(2);
    expect(inputOf([], { ...warned, warningsAccepted: true }).warnings).toBe(0);
  });

  test("has the rules of the kind of the run at each gate", () => {
    const rulesOf = (approvalRules: ApprovalRule[]) => machineInput(locked({}, { rules: { approvalRules } })).rules;
    expect(rulesOf([rule()])).toEqual({ plan: true, apply: false });
    expect(rulesOf([rule({ gate: "APPLY" })])).toEqual({ plan: false, apply: true });
    expect(rulesOf([rule({ kinds: ["DESTROY"] }), rule({ gate: "APPLY", kinds: ["PLAN"] })])).toEqual({
      plan: false,
      apply: false,
    });
  });

  test("has the plan, and whether it is of a part or of a refresh alone", () => {
    const input = machineInput(locked({ plan: aPlan({ targets: ["a.b"] }), run: aRun({ refreshOnly: true }) }));
    expect(input.plan).toMatchObject({ version: 1, digest: "digest", targeted: true, refreshOnly: true });
    expect(machinePlan(aPlan(), { refreshOnly: false })).toMatchObject({ targeted: false, refreshOnly: false });
  });
});

describe("the plan gate of an APPLY was passed in its PLAN run", () => {
  const apply = { kind: "APPLY", createdById: "requester", requestedByIds: [] } as const;
  const passed = (approvals: Approval[], ...approvalRules: ApprovalRule[]) =>
    passedPlanGate(aContext({ rules: { approvalRules } }).rules, apply, [], approvals);

  test("without rules by any approval of the plan that counts", () => {
    expect(passed([approval()])).toBe(true);
    expect(passed([])).toBe(false);
    expect(passed([approval({ gate: "APPLY" })])).toBe(false);
    expect(passed([approval({ decision: "REJECTED" })])).toBe(false);
    expect(passed([approval({ counts: false })])).toBe(false);
    expect(passed([approval({ approverKind: "UNIDENTIFIED" })])).toBe(true);
    expect(passed([approval({ approverKind: "MACHINE" })])).toBe(false);
    expect(passed([approval({ approverKind: "MACHINE" }), approval()])).toBe(true);
  });

  test("by a token alone only where the gates need not be passed by different people", () => {
    const token = approval({ approverKind: "UNIDENTIFIED" });
    const separating = rule({ gate: "APPLY", distinctFromPlanApprover: true });
    expect(passed([token], separating)).toBe(false);
    expect(passed([approval()], separating)).toBe(true);
    expect(passed([token], rule(), separating)).toBe(false);
    expect(passed([token], rule())).toBe(true);
  });

  test("by the stages of an APPLY, without its requester where a rule says so", () => {
    const two = rule({ minimum: 2 });
    expect(passed([approval()], two)).toBe(false);
    expect(passed([approval(), approval({ id: "approval_2", actorId: "actor_2" })], two)).toBe(true);
    expect(passed([approval({ actorId: "requester" })], rule())).toBe(true);
    expect(passed([approval({ actorId: "requester" })], rule({ excludeRequester: true }))).toBe(false);
    expect(passed([], rule())).toBe(false);
    // Rules for other kinds do not matter.
    expect(passed([approval()], rule({ minimum: 2, kinds: ["DEPLOY"] }))).toBe(true);
  });
});

describe("stages that were decided for a plan", () => {
  const origin = { source: "RULE", reason: "The plan destroys 1 resource.", ownerId: null } as const;
  const stage = (changes: Partial<RunStage> = {}): RunStage => {
    const { kinds: _kinds, ...fields } = rule();
    return { ...fields, origin, ...changes };
  };
  const when: RuleCondition = {
    minDestructions: 1,
    minReplacements: null,
    resourceTypes: [],
    labels: [],
    triggers: [],
    monthlyCostDeltaOver: null,
  };

  test("come after those of rules without a condition, at their gate", () => {
    const context = aContext({ rules: { approvalRules: [rule({ name: "rare", when }), rule({ name: "always" })] } });
    const stages = [stage({ name: "matched" }), stage({ name: "apply", gate: "APPLY" })];
    const namesAt = (gate: "PLAN" | "APPLY", decided: RunStage[]) =>
      quorumInput({ ...context, stages: decided, run: aRun(), plan: aPlan() }, gate, []).rules.map(({ name }) => name);
    expect(namesAt("PLAN", stages)).toEqual(["always", "matched"]);
    expect(namesAt("APPLY", stages)).toEqual(["apply"]);
    expect(namesAt("PLAN", [])).toEqual(["always"]);
  });

  test("are rules to the machine; a condition alone is none", () => {
    const rules = { approvalRules: [rule({ when }), rule({ gate: "APPLY", when })] };
    expect(machineInput(locked({}, { rules })).rules).toEqual({ plan: false, apply: false });
    expect(machineInput(locked({ stages: [stage()] }, { rules })).rules).toEqual({ plan: true, apply: false });
    const atApply = locked({ stages: [stage({ gate: "APPLY" })] }, { rules });
    expect(machineInput(atApply).rules).toEqual({ plan: false, apply: true });
  });

  test("of an APPLY ask for more than its PLAN run got", () => {
    const { rules } = aContext();
    const apply = { kind: "APPLY", createdById: "requester", requestedByIds: [] } as const;
    expect(passedPlanGate(rules, apply, [], [approval()])).toBe(true);
    expect(passedPlanGate(rules, apply, [stage({ name: "matched" })], [approval()])).toBe(false);
    expect(passedPlanGate(rules, apply, [stage()], [approval()])).toBe(true);
  });

  test("separate the gates where they ask for another person at the apply gate", () => {
    const separating = { gate: "APPLY", distinctFromPlanApprover: true } as const;
    const separated = (run: Run, approvalRules: ApprovalRule[], stages: RunStage[]) =>
      quorumInput({ ...aContext({ rules: { approvalRules } }), stages, run, plan: aPlan() }, "PLAN", []).gatesSeparated;
    const conditional = rule({ ...separating, when });
    expect(separated(aRun(), [conditional], [])).toBe(false);
    expect(separated(aRun(), [conditional], [stage(separating)])).toBe(true);
    expect(separated(aRun(), [rule(separating)], [])).toBe(true);
    // The conditions of the APPLY that follows are not decided yet.
    expect(separated(aRun({ kind: "PLAN" }), [conditional], [])).toBe(true);
    expect(separated(aRun({ kind: "PLAN" }), [rule({ ...separating, when, kinds: ["DEPLOY"] })], [])).toBe(false);
  });
});

describe("the input of a quorum", () => {
  const context = aContext({ rules: { approvalRules: [rule(), rule({ name: "apply", gate: "APPLY" })] } });

  test("has the approvals of this gate, run and plan that count", () => {
    const good = approval({ gate: "APPLY" });
    const approvals = [
      good,
      approval({ actorId: "planner" }),
      approval({ actorId: "planner_2", runId: "run_0" }),
      approval({ actorId: "guest", countsAs: "host" }),
      approval({ gate: "APPLY", runId: "run_0" }),
      approval({ gate: "APPLY", counts: false }),
      approval({ gate: "APPLY", decision: "REJECTED" }),
      approval({ gate: "APPLY", planVersion: 2 }),
      approval({ actorId: "older", planVersion: 2 }),
    ];
    const input = quorumInput({ ...context, stages: [], run: aRun(), plan: aPlan() }, "APPLY", approvals);
    expect(input).toEqual({
      gate: "APPLY",
      rules: [rule({ name: "apply", gate: "APPLY" })],
      requesterIds: ["actor_creator"],
      gatesSeparated: false,
      planApproverIds: ["planner", "planner_2", "guest", "host"],
      approvals: [good],
    });
    expect(quorumInput({ ...context, stages: [], run: aRun(), plan: null }, "APPLY", approvals).approvals).toEqual([]);
    const first = approval({ gate: "APPLY", planVersion: 0 });
    expect(quorumInput({ ...context, stages: [], run: aRun(), plan: null }, "APPLY", [first]).approvals).toEqual([
      first,
    ]);
  });

  test("has who asked for a new plan as another requester", () => {
    const run = aRun({ replannedById: "actor_replan" });
    const input = quorumInput({ ...context, stages: [], run, plan: null }, "PLAN", []);
    expect(input.requesterIds).toEqual(["actor_creator", "actor_replan"]);
    expect(input.rules).toEqual([rule()]);
  });

  test("has the time of the newest approval with one that counts at a stage", () => {
    const quorum = (rules: ApprovalRule[], ...approvals: Approval[]) =>
      quorumInput(
        { ...aContext({ rules: { approvalRules: rules } }), stages: [], run: aRun(), plan: aPlan() },
        "APPLY",
        approvals,
      );
    const by = (actorId: string, applyAt: string | null) => approval({ gate: "APPLY", id: actorId, actorId, applyAt });
    const two = rule({ gate: "APPLY", minimum: 2 });
    expect(requestedApplyAt(quorum([two], by("a", later(5)), by("b", later(3))))).toBe(later(3));
    expect(requestedApplyAt(quorum([two], by("a", later(5)), by("b", null)))).toBe(later(5));
    expect(requestedApplyAt(quorum([two], by("a", null), by("b", null)))).toBeNull();
    expect(requestedApplyAt(quorum([two]))).toBeNull();
    const named = rule({ gate: "APPLY", approverIds: ["a"] });
    expect(requestedApplyAt(quorum([named], by("a", later(5)), by("b", later(3))))).toBe(later(5));
  });
});
