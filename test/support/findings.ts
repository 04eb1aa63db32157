/** Findings of policies, as decisions about them take them. */
import type { Finding } from "../../src/model/policy/verdict.ts";

/** A failure at the level SOFT_MANDATORY about a plan, unless a test changes it. */
export function finding(changes: Partial<Finding> = {}): Finding {
  return {
    id: "pres_1",
    source: "POLICY",
    point: "PLAN",
    evaluationId: "peval_1",
    judgeId: "pver_1",
    ownerId: "pset_1",
    owner: "storage",
    policy: "tags",
    rule: "tags",
    level: "SOFT_MANDATORY",
    stopsAutoApply: true,
    status: "FAILED",
    wasWaived: false,
    message: "No owner.",
    addresses: ["aws_instance.a"],
    approvers: null,
    fingerprint: "ab",
    ...changes,
  };
}

/** A demand for approvals of people. */
export const DBA = { name: "dba", approverIds: ["usr_ann"], teamIds: [], minimum: 1, excludeRequester: true };
