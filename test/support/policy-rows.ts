/** Policy sets and versions as tests need them. */
import type { PolicySelector, PolicySet } from "../../src/model/policy/policy-set.ts";
import type { CelRule } from "../../src/model/policy/policy-source.ts";
import type { NewVersion } from "../../src/persistence/policy/policy-version-store.ts";

/** Selects every workspace, and every kind of run. */
export const EVERY_WORKSPACE: PolicySelector = {
  labels: [],
  names: [],
  kinds: null,
  workspaceIds: [],
  excludedWorkspaceIds: [],
};

/** A rule in CEL that finds each resource a violation, unless it is told otherwise. */
export function celRule(rule: Partial<CelRule> = {}): CelRule {
  return {
    name: "no-public-bucket",
    point: "PLAN",
    level: "MANDATORY",
    stopsAutoApply: true,
    each: "RESOURCE",
    types: null,
    actions: null,
    when: "true",
    message: "It is not allowed.",
    remediation: null,
    approvers: null,
    ...rule,
  };
}

export function policySet(set: Pick<PolicySet, "id" | "organizationId" | "createdAt"> & Partial<PolicySet>): PolicySet {
  return {
    name: set.id,
    description: null,
    language: "CEL",
    dialect: "HOLDPOINT",
    selector: EVERY_WORKSPACE,
    onError: "FAIL_CLOSED",
    judgesUnchanged: false,
    needsWholePlan: false,
    overriders: { approverIds: [], teamIds: [], minimum: 1, excludeRequester: true, holds: "PLAN" },
    enabled: true,
    ...set,
  };
}

export function policyVersion(
  version: Pick<NewVersion, "id" | "setId" | "createdById" | "createdAt">,
  rules: readonly CelRule[] = [celRule()],
): NewVersion {
  return {
    digest: "d".repeat(64),
    message: null,
    source: { language: "CEL", rules },
    moduleBlobId: null,
    policies: rules.map(({ name, point, level, stopsAutoApply, types }) => {
      return { name, point, level, stopsAutoApply, types: types ?? [] };
    }),
    tests: [],
    testReport: { results: [] },
    ...version,
  };
}
