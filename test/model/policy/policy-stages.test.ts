import { describe, expect, test } from "vitest";
import {
  ANY_OVERRIDER,
  overrideRule,
  policyStages,
  type StageFinding,
} from "../../../src/model/policy/policy-stages.ts";

function finding(changes: Partial<StageFinding> = {}): StageFinding {
  return {
    ownerId: "pset_1",
    owner: "storage",
    policy: "tags",
    rule: "tags",
    message: "No owner.",
    approvers: null,
    ...changes,
  };
}

const DBA = { name: "dba", approverIds: ["usr_1"], teamIds: ["team_1"], minimum: 2, excludeRequester: true };
const PLAIN = { requirePresence: false, approvesPlan: false };

function stages(findings: StageFinding[], needs: Partial<typeof PLAIN> = {}) {
  return policyStages(findings, () => ANY_OVERRIDER, { ...PLAIN, ...needs });
}

describe("the stages of what policies found", () => {
  test("are none without findings", () => {
    expect(stages([], { approvesPlan: true })).toEqual([]);
  });

  test("are one override for each set, with its people", () => {
    const overriders = { approverIds: ["usr_1"], teamIds: ["team_1"], minimum: 2, excludeRequester: false };
    const found = [finding(), finding({ ownerId: "pset_2", owner: "network" }), finding({ rule: "team" })];
    const of = (ownerId: string) => (ownerId === "pset_1" ? overriders : ANY_OVERRIDER);
    expect(policyStages(found, of, PLAIN)).toEqual([
      {
        name: "Override: storage",
        gate: "PLAN",
        ...overriders,
        distinctFromPlanApprover: false,
        commentRequired: true,
        machinesCount: false,
        requirePresence: false,
        origin: {
          source: "OVERRIDE",
          reason: '"storage" has failures that must be overridden. tags: No owner. tags/team: No owner.',
          ownerId: "pset_1",
        },
      },
      expect.objectContaining({ name: "Override: network", minimum: 1, excludeRequester: true }),
    ]);
  });

  test("are the demanded approvals first, equal ones once", () => {
    const found = [
      finding(),
      finding({ approvers: DBA, message: "A table goes." }),
      finding({ approvers: DBA, message: "A second one." }),
      finding({ approvers: { ...DBA, minimum: 1 } }),
      finding({ approvers: DBA, ownerId: "pset_2", owner: "network" }),
    ];
    expect(stages(found).map(({ name, minimum, origin }) => [name, minimum, origin.source, origin.ownerId])).toEqual([
      ["dba", 2, "POLICY", "pset_1"],
      ["dba", 1, "POLICY", "pset_1"],
      ["dba", 2, "POLICY", "pset_2"],
      ["Override: storage", 1, "OVERRIDE", "pset_1"],
    ]);
    expect(stages(found)[0]).toMatchObject({
      approverIds: ["usr_1"],
      teamIds: ["team_1"],
      excludeRequester: true,
      commentRequired: false,
      origin: {
        reason: 'The policy set "storage" demands approvals. tags: A table goes. tags: A second one.',
      },
    });
  });

  test("have an approval of the plan where the workspace asks for one and only overrides would be left", () => {
    const names = (found: StageFinding[]) => stages(found, { approvesPlan: true }).map(({ name }) => name);
    expect(names([finding()])).toEqual(["Approval of the plan", "Override: storage"]);
    expect(stages([finding()], { approvesPlan: true })[0]).toEqual({
      name: "Approval of the plan",
      gate: "PLAN",
      minimum: 1,
      approverIds: [],
      teamIds: [],
      excludeRequester: false,
      distinctFromPlanApprover: false,
      commentRequired: false,
      machinesCount: false,
      requirePresence: false,
      origin: {
        source: "RULE",
        reason: "The workspace asks for an approval of each plan (planApproval).",
        ownerId: null,
      },
    });
    expect(names([finding({ approvers: DBA })])).toEqual(["dba"]);
    expect(names([finding(), finding({ approvers: DBA })])).toEqual(["dba", "Override: storage"]);
  });

  test("take a recent sign-in for an override where the gate does", () => {
    const presence = (requirePresence: boolean) =>
      stages([finding(), finding({ approvers: DBA })], { requirePresence }).map((stage) => stage.requirePresence);
    expect(presence(true)).toEqual([false, true]);
    expect(presence(false)).toEqual([false, false]);
  });

  test("name ten failures, and are bounded however long the messages are", () => {
    const many = Array.from({ length: 12 }, (_, index) => finding({ message: `Number ${index}.` }));
    expect(stages(many)[0]?.origin.reason).toMatch(/Number 9\. And 2 more\.$/);
    expect(stages(many.slice(0, 10))[0]?.origin.reason).toMatch(/Number 9\.$/);
    const reasonOf = (length: number) => stages([finding({ message: "x".repeat(length) })])[0]?.origin.reason ?? "";
    const beginning = reasonOf(0).length;
    expect(reasonOf(1000 - beginning)).toMatch(/xx$/);
    expect(reasonOf(1001 - beginning)).toMatch(/xx…$/);
    const long = stages(many.map((one) => ({ ...one, message: "x".repeat(400) })))[0]?.origin.reason ?? "";
    expect(long).toHaveLength(1000);
    expect(long.endsWith("… And 2 more.")).toBe(true);
  });
});

test("a stage of overriders alone has no reason yet", () => {
  expect(overrideRule("pset_1", ANY_OVERRIDER)).toMatchObject({
    name: "Override",
    origin: { source: "OVERRIDE", reason: "", ownerId: "pset_1" },
  });
});
