/** Demands of an APPLY that people met in its PLAN run. */
import { describe, expect, it } from "vitest";
import type { Approval } from "../../../src/model/approval/approval.ts";
import type { RunStage } from "../../../src/model/approval/run-stage.ts";
import { type Demand, metDemands, type PlanGate } from "../../../src/model/policy/met-demands.ts";
import { policyStages } from "../../../src/model/policy/policy-stages.ts";
import { DBA, finding } from "../../support/findings.ts";

const demand = (changes: Partial<Demand> = {}): Demand => ({ ...finding({ approvers: DBA }), ...changes });

function stagesOf(demands: readonly Demand[]): RunStage[] {
  const findings = demands.map((one) => ({ ...finding(), ...one }));
  return policyStages(
    findings,
    () => {
      throw new Error("No one is asked to override.");
    },
    { requirePresence: false, approvesPlan: false },
  );
}

function approval(changes: Partial<Approval> = {}): Approval {
  return {
    id: "appr_1",
    runId: "run_plan",
    gate: "PLAN",
    stage: "dba",
    decision: "APPROVED",
    actorId: "usr_ann",
    approverKind: "PERSON",
    countsAs: "usr_ann",
    teamIds: [],
    present: false,
    comment: null,
    planVersion: 1,
    planDigest: "digest",
    applyAt: null,
    at: "2026-03-01T12:00:00.000Z",
    counts: true,
    ...changes,
  };
}

const APPLY = { requesterIds: ["usr_bob"], gatesSeparated: false };
function met(demands: Demand[], gate: Partial<PlanGate> = {}, apply: Partial<typeof APPLY> = {}): string[] {
  const had = gate.demands ?? demands;
  const rules = gate.rules ?? stagesOf(had);
  const plan = { approvals: [approval()], demands: had, ...gate, rules };
  return [...metDemands(demands, plan, { ...APPLY, ...apply })];
}

describe("a demand of an APPLY", () => {
  it("is met by the approvals of its PLAN run", () => {
    expect(met([demand()])).toEqual(["pres_1"]);
    expect(met([demand({ id: "other" })], { demands: [demand()] })).toEqual(["other"]);
  });

  it("is not met without them", () => {
    expect(met([demand()], { approvals: [] })).toEqual([]);
    expect(met([demand()], { approvals: [approval({ actorId: "usr_eve", countsAs: "usr_eve" })] })).toEqual([]);
    expect(met([demand()], { approvals: [approval({ stage: "review" })] })).toEqual([]);
    expect(met([demand({ approvers: { ...DBA, minimum: 2 } })])).toEqual([]);
  });

  it("is not met where the approver asks for the apply itself, unless the policy allows that", () => {
    expect(met([demand()], {}, { requesterIds: ["usr_ann"] })).toEqual([]);
    const lenient = demand({ approvers: { ...DBA, excludeRequester: false } });
    expect(met([lenient], {}, { requesterIds: ["usr_ann"] })).toEqual(["pres_1"]);
  });

  it("is not met by one that only a token shows, where the gates distinguish people", () => {
    const approvers = { ...DBA, excludeRequester: false };
    const approvals = [approval({ approverKind: "UNIDENTIFIED" })];
    expect(met([demand({ approvers })], { approvals })).toEqual(["pres_1"]);
    expect(met([demand({ approvers })], { approvals }, { gatesSeparated: true })).toEqual([]);
  });

  it.each<[string, Partial<Demand>]>([
    ["of another version", { judgeId: "pver_2" }],
    ["for other reasons", { fingerprint: "cd" }],
    ["of another set", { ownerId: "pset_2" }],
    ["of another name", { approvers: { ...DBA, name: "ops" } }],
    ["of more people", { approvers: { ...DBA, minimum: 2 } }],
    ["of other people", { approvers: { ...DBA, approverIds: ["usr_ann", "usr_eve"] } }],
    ["of a team", { approvers: { ...DBA, teamIds: ["team_1"] } }],
    ["of the requester too", { approvers: { ...DBA, excludeRequester: false } }],
  ])("is a new one %s", (_name, changes) => {
    expect(met([demand(changes)], { demands: [demand()] })).toEqual([]);
  });

  it("is not met by a stage of equal people that asks for something else", () => {
    const [stage] = stagesOf([demand()]);
    if (stage === undefined) throw new Error("There is no stage.");
    for (const changes of [
      { origin: { ...stage.origin, source: "RULE" as const } },
      { origin: { ...stage.origin, ownerId: "pset_2" } },
      { name: "ops" },
      { minimum: 0 },
      { excludeRequester: false },
      { approverIds: ["usr_ann", "usr_eve"] },
      { teamIds: ["team_1"] },
    ]) {
      const changed = { ...stage, ...changes };
      const approvals = [approval({ stage: changed.name })];
      expect([changes, met([demand()], { rules: [changed], approvals })]).toEqual([changes, []]);
    }
    const { origin: _origin, ...rule } = stage;
    expect(met([demand()], { rules: [rule] })).toEqual([]);
    expect(met([demand()], { rules: [], approvals: [approval({ stage: null })] })).toEqual([]);
    expect(met([demand()], { rules: [{ ...rule, name: "review" }, stage] })).toEqual(["pres_1"]);
  });

  it("is met with the equal ones of its set, or none of them is", () => {
    const [first, second] = [demand({ id: "a" }), demand({ id: "b", fingerprint: "cd" })];
    expect(met([first, second])).toEqual(["a", "b"]);
    expect(met([first, second], { demands: [first] })).toEqual([]);
    const other = demand({ id: "c", ownerId: "pset_2" });
    expect(met([first, other], { demands: [first] })).toEqual(["a"]);
  });

  it("is a demand: a failure is not met", () => {
    expect(met([demand({ approvers: null })], { rules: stagesOf([demand()]) })).toEqual([]);
  });
});
