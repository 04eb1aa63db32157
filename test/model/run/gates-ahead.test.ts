import { describe, expect, it } from "vitest";
import { gatesAhead } from "../../../src/model/run/gates-ahead.ts";
import type { MachinePlan, MachineInput } from "../../../src/model/lifecycle/run-machine.ts";

const PLAN: MachinePlan = {
  version: 1,
  hasChanges: true,
  stateSerial: 1,
  changes: 0,
  destructions: 0,
  replacements: 0,
  imports: 0,
  moves: 0,
  forgets: 0,
  outputChanges: [],
  actionInvocationCount: 0,
  complete: true,
  targeted: false,
};

function run(more: Partial<MachineInput> = {}, workspace: Partial<MachineInput["workspace"]> = {}): MachineInput {
  return {
    kind: "DEPLOY",
    status: "PLANNING",
    leg: "PLAN",
    attempt: 1,
    plan: null,
    stopRequestedAtMs: null,
    workspace: {
      planApproval: "WHEN_REQUIRED",
      autoApply: "CREATE_ONLY",
      interruptApply: false,
      skipApplying: false,
      locked: false,
      frozen: false,
      stateSerial: 1,
      ...workspace,
    },
    rules: { plan: false, apply: false },
    planApproved: false,
    policies: { prePlan: false, plan: false, preApply: false },
    warnings: 0,
    probes: false,
    limits: { attempts: 3, forceAfterMs: 60_000 },
    ...more,
  };
}

describe("the gates that a run is sure to meet", () => {
  it.each<[string, MachineInput, string[]]>([
    ["both, where a person is always asked", run({}, { planApproval: "ALWAYS" }), ["PLAN", "APPLY"]],
    ["the apply gate, where nothing is applied by itself", run({}, { autoApply: "NEVER" }), ["APPLY"]],
    ["none for sure, where auto-apply may cover the plan", run(), []],
    ["those of rules", run({ rules: { plan: true, apply: true } }), ["PLAN", "APPLY"]],
    ["before a destroy", run({ kind: "DESTROY" }), ["APPLY"]],
    ["of a speculative plan: by a rule alone", run({ kind: "PLAN", rules: { plan: true, apply: true } }), ["PLAN"]],
    ["of a speculative plan", run({ kind: "PLAN" }, { planApproval: "ALWAYS" }), []],
    ["of a task", run({ kind: "TASK", leg: "TASK", status: "QUEUED" }), ["APPLY"]],
    ["of an unlock", run({ kind: "UNLOCK", leg: "TASK", status: "QUEUED" }, { planApproval: "ALWAYS" }), []],
    ["while it is planned again", run({ leg: "REPLAN" }, { planApproval: "ALWAYS" }), ["PLAN", "APPLY"]],
    [
      "at the plan gate, with the plan of another run",
      run({ kind: "APPLY", leg: "APPLY", status: "AWAITING_PLAN_APPROVAL", plan: PLAN }, { autoApply: "NEVER" }),
      ["PLAN", "APPLY"],
    ],
    [
      "of the plan of another run, which auto-apply does not cover",
      run({ kind: "APPLY", leg: "APPLY", status: "QUEUED", plan: { ...PLAN, destructions: 1 } }),
      ["APPLY"],
    ],
    [
      "of the plan of another run",
      run({ kind: "APPLY", leg: "APPLY", status: "QUEUED", plan: PLAN }, { planApproval: "ALWAYS" }),
      ["PLAN", "APPLY"],
    ],
    [
      "of the plan of another run, which was approved there",
      run(
        { kind: "APPLY", leg: "APPLY", status: "QUEUED", plan: PLAN, planApproved: true },
        { planApproval: "ALWAYS" },
      ),
      ["APPLY"],
    ],
    [
      "at the plan gate, with a plan that auto-apply covers",
      run({ status: "AWAITING_PLAN_APPROVAL", plan: PLAN }),
      ["PLAN"],
    ],
    [
      "at the plan gate, with another one",
      run({ status: "AWAITING_PLAN_APPROVAL", plan: { ...PLAN, destructions: 1 } }),
      ["PLAN", "APPLY"],
    ],
    ["at the apply gate", run({ status: "AWAITING_APPLY_APPROVAL" }, { planApproval: "ALWAYS" }), ["APPLY"]],
    ["after them", run({ status: "CONFIRMED", leg: "APPLY" }, { planApproval: "ALWAYS" }), []],
    ["while it is applied", run({ status: "APPLYING", leg: "APPLY" }, { planApproval: "ALWAYS" }), []],
    ["of a run that has ended", run({ status: "CANCELED" }, { planApproval: "ALWAYS" }), []],
  ])("%s", (_name, facts, gates) => {
    expect(gatesAhead(facts, true)).toEqual(gates);
  });

  it("have the apply gate where warnings stop auto-apply and overrides alone pass the plan gate", () => {
    const warned = run({ status: "AWAITING_PLAN_APPROVAL", plan: PLAN, warnings: 1 });
    expect(gatesAhead(warned, true)).toEqual(["PLAN"]);
    expect(gatesAhead(warned, false)).toEqual(["PLAN", "APPLY"]);
    expect(gatesAhead({ ...warned, warnings: 0 }, false)).toEqual(["PLAN"]);
  });
});
