import { type CallerScope, EVERYTHING } from "../../../src/model/people/permission.ts";
import type { PolicyFixture } from "../../../src/model/policy/policy-fixture.ts";
import type { PolicySet } from "../../../src/model/policy/policy-set.ts";
import * as fixtures from "../../../src/persistence/policy/policy-fixture-store.ts";
import type { PolicyException } from "../../../src/model/policy/policy-exception.ts";
import { insertApproval } from "../../../src/persistence/approval/approval-store.ts";
import * as exceptions from "../../../src/persistence/policy/policy-exception-store.ts";
import * as overrides from "../../../src/persistence/policy/policy-override-store.ts";
import * as sets from "../../../src/persistence/policy/policy-set-store.ts";
import * as simulations from "../../../src/persistence/policy/policy-simulation-store.ts";
import * as evaluations from "../../../src/persistence/policy/version-evaluation-store.ts";
import * as versions from "../../../src/persistence/policy/policy-version-store.ts";
import { between, exampleStore, FIRST, LATER, type World } from "./world.ts";

const SCOPE = {
  type: "some",
  organizationIds: ["org_a"],
  hiddenProjectIds: ["prj_h"],
  projectIds: ["prj_a"],
  workspaceIds: ["ws_a"],
} as const satisfies CallerScope;

function policySetOf({ workspace, actorId, id, at }: World): PolicySet {
  return {
    id: id("policySet"),
    organizationId: workspace.organizationId,
    name: "storage",
    description: null,
    language: "CEL",
    dialect: "HOLDPOINT",
    selector: {
      labels: ["env:prod"],
      names: ["web-*"],
      kinds: ["DEPLOY"],
      workspaceIds: [],
      excludedWorkspaceIds: [],
    },
    onError: "FAIL_CLOSED",
    judgesUnchanged: false,
    needsWholePlan: false,
    overriders: { approverIds: [actorId], teamIds: [], minimum: 1, excludeRequester: true, holds: "PLAN" },
    enabled: true,
    createdAt: at,
  };
}

function versionOf({ actorId, id, at }: World): versions.NewVersion {
  const policy = { name: "no-public-bucket", point: "PLAN", level: "MANDATORY", stopsAutoApply: true } as const;
  return {
    id: id("policySetVersion"),
    setId: id("policySet"),
    digest: "d",
    message: null,
    source: {
      language: "CEL",
      rules: [
        {
          ...policy,
          each: "RESOURCE",
          types: ["aws_s3_bucket"],
          actions: null,
          when: "resource.after.acl == 'public-read'",
          message: "is public",
          remediation: null,
          approvers: null,
        },
      ],
    },
    moduleBlobId: null,
    policies: [{ ...policy, types: ["aws_s3_bucket"] }],
    tests: [],
    testReport: { results: [] },
    createdById: actorId,
    createdAt: at,
  };
}

function fixtureOf({ actorId, id, at, planId, blobId }: World): PolicyFixture {
  return {
    id: id("policyFixture"),
    setId: id("policySet"),
    name: "a public bucket",
    planId,
    blobId,
    context: { run: { kind: "DEPLOY" } },
    createdById: actorId,
    createdAt: at,
  };
}

export const POLICY_STORES = {
  "policy-fixture-store": exampleStore(fixtures, (world) => {
    const { tx, prepare } = world;
    const fixture = fixtureOf(world);
    return {
      insertPolicyFixture: async () => {
        await prepare(sets.insertPolicySet(tx, policySetOf(world)));
        await fixtures.insertPolicyFixture(tx, fixture);
      },
      findPolicyFixtures: () => fixtures.findPolicyFixtures(tx, [fixture.id]),
      listPolicyFixtures: () => fixtures.listPolicyFixtures(tx, [fixture.setId]),
      // The blob of the world is the archive of a plan as well.
      deletePolicyFixture: () => fixtures.deletePolicyFixture(tx, { ...fixture, blobId: world.id("blob") }),
    };
  }),
  "policy-simulation-store": exampleStore(simulations, (world) => {
    const { tx, at, prepare, actorId, id: idOf } = world;
    const id = idOf("policySimulation");
    const lease = { by: "server", at, until: LATER };
    const simulation = {
      id,
      setId: idOf("policySet"),
      versionId: idOf("policySetVersion"),
      state: "RUNNING",
      createdById: actorId,
      createdAt: at,
      finishedAt: null,
    } as const;
    const plan = { position: 1, after: "PASSED", findings: [], error: null } as const;
    const selection = { scope: SCOPE, filter: { labels: ["env:prod"] }, set: policySetOf(world), last: 100 };
    return {
      insertSimulation: async () => {
        await prepare(sets.insertPolicySet(tx, policySetOf(world)));
        await prepare(versions.insertPolicyVersion(tx, versionOf(world)));
        await simulations.insertSimulation(tx, simulation, null);
      },
      insertSimulatedPlans: () => simulations.insertSimulatedPlans(tx, id, selection),
      countRunningSimulations: () => simulations.countRunningSimulations(tx, world.workspace.organizationId),
      findSimulations: () => simulations.findSimulations(tx, [id]),
      lockSimulation: () => simulations.lockSimulation(tx, id),
      leaseSimulation: () => simulations.leaseSimulation(tx, lease),
      listOpenPlans: () => simulations.listOpenPlans(tx, id, 20),
      storeSimulated: () => simulations.storeSimulated(tx, { id, by: "server", at }, [plan]),
      listSimulatedPlans: () => simulations.listSimulatedPlans(tx, EVERYTHING, id, FIRST),
      "listSimulatedPlans: of a scope, backward": () => simulations.listSimulatedPlans(tx, SCOPE, id, between(1, 9)),
      countSimulatedPlans: () => simulations.countSimulatedPlans(tx, SCOPE, [id]),
      endSimulation: () => simulations.endSimulation(tx, id, { state: "STOPPED", at }),
      removeEndedSimulation: () => simulations.removeEndedSimulation(tx, LATER),
    };
  }),
  "version-evaluation-store": exampleStore(evaluations, ({ tx, id }) => {
    const given = { versionId: id("policySetVersion"), statuses: [] };
    return {
      listEvaluationsOfVersion: () => evaluations.listEvaluationsOfVersion(tx, EVERYTHING, given, FIRST),
      "listEvaluationsOfVersion: of a scope, backward": () =>
        evaluations.listEvaluationsOfVersion(
          tx,
          SCOPE,
          { ...given, statuses: ["FAILED"] },
          between("peval_a", "peval_z"),
        ),
      countEvaluationsOfVersions: () => evaluations.countEvaluationsOfVersions(tx, SCOPE, [given.versionId]),
    };
  }),
  "policy-set-store": exampleStore(sets, (world) => {
    const { tx, at, workspace } = world;
    const { organizationId } = workspace;
    const set = policySetOf(world);
    return {
      insertPolicySet: () => sets.insertPolicySet(tx, set),
      updatePolicySetRow: () => sets.updatePolicySetRow(tx, { ...set, name: "buckets" }),
      lockPolicySet: () => sets.lockPolicySet(tx, set.id),
      findPolicySets: () => sets.findPolicySets(tx, [set.id]),
      listPolicySets: () => sets.listPolicySets(tx, organizationId, FIRST),
      "listPolicySets: backward": () => sets.listPolicySets(tx, organizationId, between("pset_a", "pset_z")),
      countPolicySets: () => sets.countPolicySets(tx, organizationId),
      listPolicySetsOf: () => sets.listPolicySetsOf(tx, [workspace.id]),
      listSelectedWorkspaces: () => sets.listSelectedWorkspaces(tx, EVERYTHING, set, FIRST),
      "listSelectedWorkspaces: of a scope, backward": () =>
        sets.listSelectedWorkspaces(tx, SCOPE, set, between("a", "z")),
      markPolicySetDeleted: () => sets.markPolicySetDeleted(tx, set.id, at),
      findOverriders: () => sets.findOverriders(tx, [set.id]),
      listSetsNamingTeam: () => sets.listSetsNamingTeam(tx, { id: "team_a", organizationId }),
      toPolicySet: () => undefined,
      selectsWorkspace: () => undefined,
    };
  }),
  "policy-version-store": exampleStore(versions, (world) => {
    const { tx, at, prepare, workspace, actorId: byId } = world;
    const version = versionOf(world);
    return {
      insertPolicyVersion: async () => {
        await prepare(sets.insertPolicySet(tx, policySetOf(world)));
        await versions.insertPolicyVersion(tx, version);
      },
      setPolicyVersionState: () => versions.setPolicyVersionState(tx, version, { state: "RETIRED", at, byId }),
      "setPolicyVersionState: active": () => versions.setPolicyVersionState(tx, version, { state: "ACTIVE", at, byId }),
      lockPolicyVersion: () => versions.lockPolicyVersion(tx, version.id),
      findPolicyVersions: () => versions.findPolicyVersions(tx, [version.id]),
      listPolicyVersions: () => versions.listPolicyVersions(tx, version.setId, FIRST),
      "listPolicyVersions: backward": () => versions.listPolicyVersions(tx, version.setId, between(1, 3)),
      countPolicyVersions: () => versions.countPolicyVersions(tx, version.setId),
      listCurrentVersions: () => versions.listCurrentVersions(tx, [version.setId]),
      listVersionsInForce: () => versions.listVersionsInForce(tx, workspace.id, "DEPLOY"),
      findVersionContents: () => versions.findVersionContents(tx, [version.id]),
      listDemandedTeams: () => versions.listDemandedTeams(tx, version.id),
      listPolicyNames: () => versions.listPolicyNames(tx, version.setId),
      findPolicySources: () => versions.findPolicySources(tx, [version.id]),
    };
  }),
  "policy-exception-store": exampleStore(exceptions, (world) => {
    const { tx, at, prepare, actorId, id, workspace } = world;
    const setId = id("policySet");
    const exception: PolicyException = {
      id: id("policyException"),
      organizationId: workspace.organizationId,
      setId,
      policy: "no-public-bucket",
      rule: "*",
      addressGlob: "module.legacy.*",
      workspaceIds: [workspace.id],
      reason: "It moves in May.",
      ticket: "OPS-1",
      state: "REQUESTED",
      requestedById: actorId,
      requesterCountsAs: actorId,
      requestedAt: at,
      expiresAt: LATER,
      decided: null,
      revoked: null,
    };
    const act = { actorId, at, comment: "ok" };
    return {
      insertPolicyException: async () => {
        await prepare(sets.insertPolicySet(tx, policySetOf(world)));
        await exceptions.insertPolicyException(tx, exception);
      },
      lockPolicyException: () => exceptions.lockPolicyException(tx, exception.id),
      decidePolicyException: () =>
        exceptions.decidePolicyException(tx, exception.id, { state: "APPROVED", decided: act }),
      findPolicyExceptions: () => exceptions.findPolicyExceptions(tx, [exception.id]),
      listPolicyExceptions: () => exceptions.listPolicyExceptions(tx, { setId, expired: null, at }, FIRST),
      "listPolicyExceptions: backward, of those in time": () =>
        exceptions.listPolicyExceptions(tx, { setId, expired: false, at }, between("pexc_a", "pexc_z")),
      countOpenExceptions: () => exceptions.countOpenExceptions(tx, setId, at),
      listExceptionsInForce: () =>
        exceptions.listExceptionsInForce(tx, { setIds: [setId], workspaceId: workspace.id, at }),
      countExceptionsInForce: () => exceptions.countExceptionsInForce(tx, [exception.id], at),
      announceExpiring: () => exceptions.announceExpiring(tx, { at, until: LATER, limit: 10 }),
      revokePolicyException: () => exceptions.revokePolicyException(tx, exception.id, act),
    };
  }),
  "policy-override-store": exampleStore(overrides, ({ tx, prepare, leased, actorId, at, id }) => {
    const ownerId = id("policySet");
    const failures = [{ judgeId: id("policySetVersion"), fingerprint: "ab".repeat(32) }];
    return {
      insertOverrides: async () => {
        await prepare(
          insertApproval(tx, {
            id: id("approval"),
            runId: leased.id,
            gate: "PLAN",
            stage: "Override: storage",
            decision: "OVERRIDDEN",
            actorId,
            approverKind: "PERSON",
            countsAs: actorId,
            present: true,
            comment: "ok",
            planVersion: 1,
            planDigest: "digest",
            applyAt: null,
            at,
          }),
        );
        const of = { runId: leased.id, planVersion: 1, ownerId, approvalId: id("approval") };
        await overrides.insertOverrides(tx, of, failures);
      },
      listHoldingOverrides: () => overrides.listHoldingOverrides(tx, leased, failures),
      listCarriedOverrides: () => overrides.listCarriedOverrides(tx, [leased.id]),
      withdrawCarriedOverride: () =>
        overrides.withdrawCarriedOverride(
          tx,
          { runId: leased.id, planVersion: 1, approvalId: id("approval") },
          id("approval"),
        ),
      findOverridersOfResults: () => overrides.findOverridersOfResults(tx, [id("policyResult")]),
    };
  }),
};
