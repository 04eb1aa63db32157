/** Turns what policies found about a plan into stages of its plan gate. */
import type { RunStage } from "../approval/run-stage.ts";
import type { PolicyOverriders } from "./policy-set.ts";
import type { DemandedApprovers } from "./policy-source.ts";

/** A failure that people may override, or a demand for approvals. */
export interface StageFinding {
  /** The id and the name of the policy set, or of the external check. */
  ownerId: string;
  owner: string;
  policy: string;
  rule: string;
  message: string;
  /** Set: it demands approvals. */
  approvers: DemandedApprovers | null;
}

export type Overriders = Omit<PolicyOverriders, "holds">;

/** The overriders where an owner names none: any approver of the plan gate but the requester. */
export const ANY_OVERRIDER: Overriders = { approverIds: [], teamIds: [], minimum: 1, excludeRequester: true };

interface GateNeeds {
  /** A stage of the gate takes people who lately proved to be present: an override takes no less. */
  requirePresence: boolean;
  /** The workspace asks for an approval of each plan, and no stage is one: an override is none. */
  approvesPlan: boolean;
}

/** The length of a reason, and the failures that it names. */
const REASON_LENGTH = 1000;
const NAMED_AT_MOST = 10;

/**
 * Returns the stages that findings add to the plan gate: approvals first, then overrides, which have no order. Equal demands of
 * a set are one stage.
 */
export function policyStages(
  findings: readonly StageFinding[],
  overridersOf: (ownerId: string) => Overriders,
  { requirePresence, approvesPlan }: GateNeeds,
): RunStage[] {
  const demands = Map.groupBy(
    findings.filter(({ approvers }) => approvers !== null),
    ({ ownerId, approvers }) => JSON.stringify([ownerId, approvers]),
  );
  const failures = Map.groupBy(
    findings.filter(({ approvers }) => approvers === null),
    ({ ownerId }) => ownerId,
  );
  const stages = [...demands.values()].flatMap(demandStage);
  if (approvesPlan && stages.length === 0 && failures.size > 0) stages.push(PLAN_STAGE);
  for (const [ownerId, some] of failures) {
    const owner = { ownerId, owner: some[0]?.owner ?? ownerId };
    stages.push(overrideStage(owner, some, { ...overridersOf(ownerId), requirePresence }));
  }
  return stages;
}

const PLAIN = {
  gate: "PLAN",
  distinctFromPlanApprover: false,
  commentRequired: false,
  machinesCount: false,
  requirePresence: false,
} as const;

/** A gate without rules takes one approval, also where failures are overridden. */
const PLAN_STAGE: RunStage = {
  ...PLAIN,
  name: "Approval of the plan",
  minimum: 1,
  approverIds: [],
  teamIds: [],
  excludeRequester: false,
  origin: { source: "RULE", reason: "The workspace asks for an approval of each plan (planApproval).", ownerId: null },
};

const NO_DEMAND = { owner: "", ownerId: "", approvers: null };

function demandStage(demands: readonly StageFinding[]): RunStage[] {
  const [{ owner, ownerId, approvers } = NO_DEMAND] = demands;
  if (approvers === null) return [];
  const { name, minimum, approverIds, teamIds, excludeRequester } = approvers;
  const reason = reasonOf(`The policy set "${owner}" demands approvals`, demands);
  const origin = { source: "POLICY", reason, ownerId } as const;
  const people = { approverIds: [...approverIds], teamIds: [...teamIds] };
  return [{ ...PLAIN, name, minimum, ...people, excludeRequester, origin }];
}

function overrideStage(
  { ownerId, owner }: Pick<StageFinding, "ownerId" | "owner">,
  failures: readonly StageFinding[],
  { requirePresence, ...overriders }: Overriders & { requirePresence: boolean },
): RunStage {
  const reason = reasonOf(`"${owner}" has failures that must be overridden`, failures);
  const rule = overrideRule(ownerId, overriders);
  return { ...rule, name: `Override: ${owner}`, requirePresence, origin: { ...rule.origin, reason } };
}

/** Returns a stage of these overriders, without a name and a reason. */
export function overrideRule(
  ownerId: string,
  { approverIds, teamIds, minimum, excludeRequester }: Overriders,
): RunStage {
  return {
    ...PLAIN,
    name: "Override",
    minimum,
    approverIds: [...approverIds],
    teamIds: [...teamIds],
    excludeRequester,
    commentRequired: true,
    origin: { source: "OVERRIDE", reason: "", ownerId },
  };
}

function reasonOf(beginning: string, findings: readonly StageFinding[]): string {
  const named = findings.slice(0, NAMED_AT_MOST).map(({ policy, rule, message }) => {
    return `${policy === rule ? policy : `${policy}/${rule}`}: ${message}`;
  });
  const rest = findings.length > NAMED_AT_MOST ? ` And ${findings.length - NAMED_AT_MOST} more.` : "";
  const text = `${beginning}. ${named.join(" ")}`;
  const room = REASON_LENGTH - rest.length;
  return text.length <= room ? text + rest : `${text.slice(0, room - 1).toWellFormed()}…${rest}`;
}
