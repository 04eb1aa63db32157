import { EVERY_CHANGE } from "../../../src/model/plan/change-filter.ts";
import * as approvals from "../../../src/persistence/approval/approval-store.ts";
import * as diagnostics from "../../../src/persistence/plan/diagnostic-store.ts";
import { WARNING } from "../../support/diagnostics.ts";
import * as scans from "../../../src/persistence/plan/scan-store.ts";
import * as testReports from "../../../src/persistence/plan/test-report-store.ts";
import { NO_SCAN } from "../../../src/model/run/scan.ts";
import { NO_TESTS } from "../../../src/model/run/test-report.ts";
import * as checkReports from "../../../src/persistence/plan/check-report-store.ts";
import * as archives from "../../../src/persistence/plan/archive-store.ts";
import * as dispatch from "../../../src/persistence/dispatch/dispatch-store.ts";
import * as jobs from "../../../src/persistence/dispatch/job-store.ts";
import * as documents from "../../../src/persistence/plan/document-store.ts";
import * as exports from "../../../src/persistence/log/log-export-store.ts";
import * as logMatches from "../../../src/persistence/log/log-match-store.ts";
import * as logPages from "../../../src/persistence/log/log-page-store.ts";
import { encodeLines } from "../../../src/persistence/log/log-codec.ts";
import * as nextLines from "../../../src/persistence/log/next-lines-store.ts";
import * as logs from "../../../src/persistence/log/log-store.ts";
import * as phases from "../../../src/persistence/plan/phase-store.ts";
import * as costs from "../../../src/persistence/plan/plan-cost-store.ts";
import * as plans from "../../../src/persistence/plan/plan-store.ts";
import * as planIndexes from "../../../src/persistence/plan/plan-index-store.ts";
import * as reach from "../../../src/persistence/dispatch/reachability-store.ts";
import * as recovered from "../../../src/persistence/state/recovered-state-store.ts";
import * as planDrift from "../../../src/persistence/plan/resource-drift-store.ts";
import * as changes from "../../../src/persistence/plan/resource-change-store.ts";
import type { RunnerProfile } from "../../../src/persistence/run/runner-match.ts";
import * as pools from "../../../src/persistence/runner/runner-pool-store.ts";
import * as runStages from "../../../src/persistence/approval/run-stage-store.ts";
import * as runners from "../../../src/persistence/runner/runner-store.ts";
import * as runnerTokens from "../../../src/persistence/runner/runner-token-store.ts";
import * as readings from "../../../src/persistence/state/state-reading-store.ts";
import * as states from "../../../src/persistence/state/state-store.ts";
import * as versions from "../../../src/persistence/state/state-version-store.ts";
import * as waitingClaims from "../../../src/persistence/dispatch/waiting-store.ts";
import { fakePlan, RUNNER_SELF } from "../../support/fake-runner.ts";
import { between, exampleStore, FIRST, LATER, type World } from "./world.ts";

const SHARED: RunnerProfile = { pool: null, labels: [] };
const HASH = Buffer.alloc(32, 7);

function poolOf({ id, workspace, at }: World) {
  const facts = { name: "gpu", description: null, reserved: true, driftCheckLimit: null, createdAt: at };
  return { ...facts, id: id("runnerPool"), organizationId: workspace.organizationId };
}

function reserved(world: World): RunnerProfile {
  return { pool: poolOf(world), labels: ["gpu"] };
}

function waiting({ run, workspace, at }: World): dispatch.DispatchRow {
  const place = { organizationId: workspace.organizationId, workspaceId: workspace.id };
  return { ...place, runId: run.id, class: 1, priority: 0, since: at, poolId: null, labels: [], fairKey: null };
}

/** Behind the log of the leased run, which the world leaves empty. */
const LINES = { phase: "PLAN" as const, attempt: 1, firstLine: 1, lines: [{ at: LATER, text: "hello" }] };

const SOME_CHANGES = {
  actions: ["CREATE" as const],
  addresses: ["module.m.a.b"],
  module: "module.m",
  type: "a",
  search: "b",
};

export const WORK_STORES = {
  "approval-store": exampleStore(approvals, ({ tx, leased, actorId, at, id }) => ({
    insertApproval: () =>
      approvals.insertApproval(tx, {
        id: id("approval"),
        runId: leased.id,
        gate: "PLAN",
        stage: null,
        decision: "APPROVED",
        actorId,
        approverKind: "PERSON",
        countsAs: actorId,
        present: true,
        comment: null,
        planVersion: 1,
        planDigest: "digest",
        applyAt: null,
        at,
      }),
    findApprovals: () => approvals.findApprovals(tx, [id("approval")]),
    listApprovals: () => approvals.listApprovals(tx, [leased.id]),
  })),
  "archive-store": exampleStore(archives, ({ tx, leased, planId, at }) => ({
    sizesOfArchives: () => archives.sizesOfArchives(tx, [leased.id]),
    holdArchive: () => archives.holdArchive(tx, planId),
    removeArchives: () => archives.removeArchives(tx, [leased.id], LATER, at),
  })),
  "document-store": exampleStore(documents, ({ tx, prepare, leased: { id: runId }, jobId, planId, blobId, at }) => {
    const facts = { rawBytes: 100, truncated: ["prior_state"], cost: null };
    const document = { jobId, runId, blobId, actionInvocations: 0, ...facts };
    return {
      putJobDocument: () => documents.putJobDocument(tx, document),
      takeJobDocument: async () => {
        await prepare(documents.putJobDocument(tx, document));
        await documents.takeJobDocument(tx, { jobId, planId, hasCost: true, at });
      },
      findPlanDocument: () => documents.findPlanDocument(tx, planId),
      findPlanCosts: () => documents.findPlanCosts(tx, [planId]),
      removeDocuments: () => documents.removeDocuments(tx, [runId]),
    };
  }),
  "dispatch-store": exampleStore(dispatch, (world) => {
    const { tx, run, workspace, runnerId, at } = world;
    const row = waiting(world);
    return {
      enterDispatch: () => dispatch.enterDispatch(tx, row, at),
      offerSlots: () => dispatch.offerSlots(tx, workspace.organizationId),
      listOrganizationsToOffer: () => dispatch.listOrganizationsToOffer(tx),
      isWorkFor: () => dispatch.isWorkFor(tx, "claim", SHARED),
      "isWorkFor: a runner of a pool": () => dispatch.isWorkFor(tx, "claim", reserved(world)),
      takeFirstOffered: () => dispatch.takeFirstOffered(tx, "claim", { ...SHARED, id: runnerId }, []),
      "takeFirstOffered: a runner of a pool, again": () =>
        dispatch.takeFirstOffered(tx, "claim", { ...reserved(world), id: runnerId }, [run.id, "run_2"]),
      lockFirstOffered: () => dispatch.lockFirstOffered(tx, SHARED, []),
      "lockFirstOffered: a runner of a pool, again": () =>
        dispatch.lockFirstOffered(tx, reserved(world), [run.id, "run_2"]),
      isBarred: () => dispatch.isBarred(tx, { ...SHARED, id: runnerId }),
      "isBarred: a runner of a pool": () => dispatch.isBarred(tx, { ...reserved(world), id: runnerId }),
      takeOffered: () => dispatch.takeOffered(tx, { ...SHARED, id: runnerId }, run.id),
      "takeOffered: a runner of a pool": () => dispatch.takeOffered(tx, { ...reserved(world), id: runnerId }, run.id),
      leaveDispatch: () => dispatch.leaveDispatch(tx, workspace.organizationId, run.id),
      "enterDispatch: with wishes": () => dispatch.enterDispatch(tx, { ...row, labels: ["gpu"] }, at),
      "enterDispatch: of a changeset": async () => {
        await world.prepare(dispatch.leaveDispatch(tx, workspace.organizationId, run.id));
        await dispatch.enterDispatch(tx, { ...row, fairKey: "cs_1" }, at);
      },
    };
  }),
  "job-store": exampleStore(jobs, ({ tx, run, leased, jobId, runnerId, blobId, at, id }) => ({
    getJobInput: () => jobs.getJobInput(tx, run.id),
    insertJob: () =>
      jobs.insertJob(tx, {
        id: id("job"),
        claimId: "claim",
        runId: run.id,
        organizationId: run.organizationId,
        workspaceId: run.workspaceId,
        leg: "PLAN",
        attempt: 1,
        runnerId,
        claimedAt: at,
        expiresAt: at,
        leaseMs: 30_000,
      }),
    findJob: () => jobs.findJob(tx, jobId),
    findJobOfToken: () => jobs.findJobOfToken(tx, jobId),
    findJobByClaim: () => jobs.findJobByClaim(tx, "claim"),
    findJobByLockedClaim: () => jobs.findJobByLockedClaim(tx, "claim"),
    findNewestJob: () => jobs.findNewestJob(tx, leased.id),
    findLiveJob: () => jobs.findLiveJob(tx, leased.id),
    lockLiveJob: () => jobs.lockLiveJob(tx, jobId),
    holdLiveJob: () => jobs.holdLiveJob(tx, jobId),
    setJobArchive: () => jobs.setJobArchive(tx, jobId, blobId),
    renewLease: () => jobs.renewLease(tx, jobId, at),
    recordMessage: () => jobs.recordMessage(tx, jobId, { sequence: 1, digest: "digest" }),
    listExpiredJobs: () => jobs.listExpiredJobs(tx, LATER),
    endLiveJob: () => jobs.endLiveJob(tx, leased.id, at),
  })),
  "log-store": exampleStore(logs, ({ tx, leased: { id: runId }, at }) => ({
    lastLogLine: () => logs.lastLogLine(tx, runId),
    logSize: () => logs.logSize(tx, runId),
    findLogExtents: () => logs.findLogExtents(tx, [runId]),
    lastOutputAt: () => logs.lastOutputAt(tx, runId),
    appendLog: () => logs.appendLog(tx, runId, LINES, at),
    "appendLog: again": () => logs.appendLog(tx, runId, LINES, at),
  })),
  "log-page-store": exampleStore(logPages, ({ tx, leased: { id: runId } }) => ({
    listLogLines: () => logPages.listLogLines(tx, { runId, phase: null }, FIRST),
    "listLogLines: the tail, of one phase and stream": () => {
      const only = { phase: { kind: "PLAN", attempt: 1 }, streams: ["STDERR"] as const };
      return logPages.listLogLines(tx, { runId, ...only }, { ...FIRST, direction: "backward" });
    },
    "listLogLines: between two lines": () => logPages.listLogLines(tx, { runId, phase: null }, between(0, 9)),
    readLogForListener: () => logPages.readLogForListener(tx, runId, 0, 65_536),
    readLogAfter: () => logPages.readLogAfter(tx, runId, 0, 65_536),
  })),
  "log-match-store": exampleStore(logMatches, ({ tx, leased: { id: runId } }) => ({
    listLogMatches: () => logMatches.listLogMatches(tx, { runId, text: "a", after: 0, limit: 10, maxBytes: 1_000_000 }),
  })),
  "next-lines-store": exampleStore(nextLines, ({ tx, jobId, at }) => {
    const { phase, firstLine, lines } = LINES;
    const next = { jobId, phase, firstLine, lastLine: 1, bytes: 6, streams: 1, body: encodeLines(lines) };
    return { appendNextLines: () => nextLines.appendNextLines(tx, [next], at) };
  }),
  "log-export-store": exampleStore(exports, ({ tx, prepare, leased: { id: runId }, at }) => {
    const all = { runId, phase: null, from: 1, to: 1000 };
    const attempt = { ...all, phase: { kind: "PLAN", attempt: 1 } };
    return {
      measureWindow: async () => {
        await prepare(logs.appendLog(tx, runId, LINES, at));
        await exports.measureWindow(tx, all);
      },
      "measureWindow: of an attempt": () => exports.measureWindow(tx, attempt),
      findBatchAt: () => exports.findBatchAt(tx, all, 0, 1),
      findTail: () => exports.findTail(tx, all, 100),
      readEdge: () => exports.readEdge(tx, all, "FIRST"),
      "readEdge: the last one": () => exports.readEdge(tx, all, "LAST"),
      readBatches: () => exports.readBatches(tx, all, 1),
    };
  }),
  "phase-store": exampleStore(phases, ({ tx, run, leased, phaseId }) => ({
    newestAttempt: () => phases.newestAttempt(tx, run.id, "PLAN"),
    findPhases: () => phases.findPhases(tx, [phaseId]),
    listPhases: () => phases.listPhases(tx, [run.id, leased.id]),
  })),
  "plan-store": exampleStore(plans, ({ tx, run, leased, planId, blobId, at, id }) => ({
    findPlanId: () => plans.findPlanId(tx, leased.id, 1),
    insertPlan: () =>
      plans.insertPlan(tx, {
        id: id("plan"),
        runId: run.id,
        version: 1,
        targets: [],
        replace: [],
        archiveBlobId: blobId,
        createdAt: at,
        content: fakePlan(),
      }),
    findPlans: () => plans.findPlans(tx, [planId]),
    listPlans: () => plans.listPlans(tx, [run.id, leased.id]),
    findNewestPlans: () => plans.findNewestPlans(tx, [run.id, leased.id]),
    findNewestPlan: () => plans.findNewestPlan(tx, leased.id),
    findOutputValues: () => plans.findOutputValues(tx, [planId]),
    findPlanTexts: () => plans.findPlanTexts(tx, [planId]),
    findPlanInstances: () => plans.findPlanInstances(tx, run.id),
    findArchiveBlob: () => plans.findArchiveBlob(tx, leased.id),
  })),
  "reachability-store": exampleStore(reach, (world) => {
    const { tx, prepare, workspace, at } = world;
    return {
      listStaleOrganizations: () => reach.listStaleOrganizations(tx, at),
      updateReachable: () => reach.updateReachable(tx, workspace.organizationId, at, 100),
      findIdleSlot: () => reach.findIdleSlot(tx, SHARED, at),
      "findIdleSlot: a runner of a pool": () => reach.findIdleSlot(tx, reserved(world), at),
      moveIdleSlot: async () => {
        // Two that wait: one with a place that no runner can use, one that this runner could take.
        await dispatch.enterDispatch(tx, { ...waiting(world), labels: ["gpu"] }, at);
        const other = { runId: world.leased.id, workspaceId: world.leased.workspaceId };
        await dispatch.enterDispatch(tx, { ...waiting(world), ...other }, at);
        const given = tx.sql.updateTable("dispatch").set({ offered: true }).where("run_id", "=", world.run.id);
        await prepare(given.execute());
        await reach.moveIdleSlot(tx, workspace.organizationId, SHARED, LATER);
      },
    };
  }),
  "recovered-state-store": exampleStore(recovered, ({ tx, leased, jobId, runnerId, blobId, actorId, at, id }) => ({
    insertRecoveredState: () =>
      recovered.insertRecoveredState(tx, {
        id: id("recoveredState"),
        workspaceId: leased.workspaceId,
        runId: leased.id,
        jobId,
        runnerId,
        blobId,
        digest: "digest",
        size: 1,
        serial: 1,
        lineage: "lineage",
        outputs: [],
        resourceCount: 0,
        receivedAt: at,
      }),
    recoveredDigests: () => recovered.recoveredDigests(tx, jobId),
    isVersionOfJob: () => recovered.isVersionOfJob(tx, leased.workspaceId, jobId, "digest"),
    findRecoveredStates: () => recovered.findRecoveredStates(tx, [id("recoveredState")]),
    listUndecidedStates: () => recovered.listUndecidedStates(tx, [leased.workspaceId], 10),
    listRecoveredStates: () => recovered.listRecoveredStates(tx, [leased.id]),
    countUndecidedStates: () => recovered.countUndecidedStates(tx, leased.workspaceId),
    decideRecoveredState: () =>
      recovered.decideRecoveredState(tx, id("recoveredState"), { decision: "DISCARDED", actorId, at, note: null }),
  })),
  "resource-change-store": exampleStore(changes, ({ tx, prepare, planId }) => ({
    insertResourceChanges: async () => {
      await prepare(tx.sql.deleteFrom("resource_change").where("plan_id", "=", planId).execute());
      await changes.insertResourceChanges(tx, planId, fakePlan().resourceChanges);
    },
    listResourceChanges: () => changes.listResourceChanges(tx, planId, EVERY_CHANGE, FIRST),
    "listResourceChanges: backward, of some actions": () =>
      changes.listResourceChanges(tx, planId, { ...EVERY_CHANGE, actions: ["CREATE", "UPDATE"] }, between(0, 9)),
    "listResourceChanges: by all parts": () => changes.listResourceChanges(tx, planId, SOME_CHANGES, FIRST),
    countResourceChanges: () => changes.countResourceChanges(tx, planId, EVERY_CHANGE),
    "countResourceChanges: of the root module": () =>
      changes.countResourceChanges(tx, planId, { ...EVERY_CHANGE, module: "" }),
    readChanges: () => changes.readChanges(tx, planId),
    listDestroyed: () => changes.listDestroyed(tx, [planId], 10),
    listChangedTypes: () => changes.listChangedTypes(tx, planId),
  })),
  "plan-index-store": exampleStore(planIndexes, ({ tx, planId }) => ({
    listPlanIndexes: () => planIndexes.listPlanIndexes(tx, [planId]),
  })),
  "resource-drift-store": exampleStore(planDrift, ({ tx, planId }) => ({
    insertResourceDrift: () =>
      planDrift.insertResourceDrift(tx, planId, [
        {
          address: "a.b",
          type: "a",
          action: "UPDATE",
          paths: ["size"],
          relevant: true,
          before: { size: 1 },
          after: { size: 2 },
          sensitivePaths: [],
        },
      ]),
    listResourceDrift: () => planDrift.listResourceDrift(tx, planId, FIRST),
    "listResourceDrift: backward": () => planDrift.listResourceDrift(tx, planId, between(0, 9)),
  })),
  "test-report-store": exampleStore(testReports, ({ tx, leased }) => ({
    putTestReport: () => testReports.putTestReport(tx, leased.id, NO_TESTS),
    findTestReports: () => testReports.findTestReports(tx, [leased.id]),
  })),
  "diagnostic-store": exampleStore(diagnostics, ({ tx, leased, planId, id }) => ({
    insertDiagnostics: () =>
      diagnostics.insertDiagnostics(tx, { runId: leased.id, jobId: id("job"), planVersion: 1 }, [WARNING]),
    listRunDiagnostics: () => diagnostics.listRunDiagnostics(tx, [leased.id]),
    listPlanDiagnostics: () => diagnostics.listPlanDiagnostics(tx, [planId]),
  })),
  "scan-store": exampleStore(scans, ({ tx, leased }) => ({
    putScan: () => scans.putScan(tx, leased.id, NO_SCAN),
    findScans: () => scans.findScans(tx, [leased.id]),
  })),
  "check-report-store": exampleStore(checkReports, ({ tx, leased, workspace }) => ({
    insertCheckReport: () =>
      checkReports.insertCheckReport(
        tx,
        { runId: leased.id, workspaceId: workspace.id, planVersion: leased.planVersion, afterApply: true },
        { blocks: [{ address: "check.a", status: "FAILED", problems: ["No."] }], count: 1, failedCount: 1 },
      ),
    findCheckReports: () => checkReports.findCheckReports(tx, [leased.id]),
    findAppliedCheckReports: () => checkReports.findAppliedCheckReports(tx, [workspace.id]),
  })),
  "plan-cost-store": exampleStore(costs, ({ tx, planId, run, id }) => ({
    findPlanCost: () => costs.findPlanCost(tx, planId),
    writeCheckCost: () =>
      costs.writeCheckCost(
        tx,
        { planId, runId: run.id, planVersion: 1 },
        { resultId: id("externalCheckResult"), cost: null },
      ),
    isCostAsked: () => costs.isCostAsked(tx, { runId: run.id, planVersion: 1 }),
    findCostEnd: () => costs.findCostEnd(tx, { runId: run.id, planVersion: 1 }),
  })),
  "run-stage-store": exampleStore(runStages, ({ tx, leased, actorId }) => ({
    insertRunStages: () =>
      runStages.insertRunStages(tx, { runId: leased.id, planVersion: leased.planVersion, after: 0 }, [
        {
          name: "destructive",
          gate: "PLAN",
          minimum: 1,
          approverIds: [actorId],
          teamIds: [],
          excludeRequester: true,
          distinctFromPlanApprover: false,
          commentRequired: false,
          machinesCount: false,
          requirePresence: false,
          origin: { source: "RULE", reason: "The plan destroys 1 resource.", ownerId: null },
        },
      ]),
    listRunStages: () => runStages.listRunStages(tx, [leased.id]),
  })),
  "runner-pool-store": exampleStore(pools, (world) => {
    const { tx, workspace, at } = world;
    const pool = poolOf(world);
    return {
      insertRunnerPool: () => pools.insertRunnerPool(tx, pool),
      updateRunnerPoolRow: () => pools.updateRunnerPoolRow(tx, pool.id, pool),
      lockRunnerPool: () => pools.lockRunnerPool(tx, pool.id),
      holdRunnerPool: () => pools.holdRunnerPool(tx, pool.id),
      findRunnerPools: () => pools.findRunnerPools(tx, [pool.id]),
      listRunnerPools: () => pools.listRunnerPools(tx, [workspace.organizationId]),
      countRunnerPools: () => pools.countRunnerPools(tx, workspace.organizationId),
      listWorkspacesOfPool: () => pools.listWorkspacesOfPool(tx, pool.id, 10),
      findRunAtWork: () => pools.findRunAtWork(tx, pool.id),
      markRunnerPoolDeleted: () => pools.markRunnerPoolDeleted(tx, pool.id, at),
    };
  }),
  "runner-store": exampleStore(runners, (world) => {
    const { tx, runnerId, workspace, at, id } = world;
    const asking = { ...RUNNER_SELF, id: id("runner"), name: "new", at };
    const door = { poolId: id("runnerPool"), tokenId: id("runnerToken") };
    return {
      seeRunner: () => runners.seeRunner(tx, asking),
      "seeRunner: again": () => runners.seeRunner(tx, asking),
      "seeRunner: of a pool": () => runners.seeRunner(tx, { ...asking, door }),
      touchRunner: () => runners.touchRunner(tx, runnerId, at),
      noteLostRunner: () => runners.noteLostRunner(tx, runnerId, at),
      findRunners: () => runners.findRunners(tx, [runnerId], new Date(at)),
      listRunners: () => runners.listRunners(tx, { organizationId: workspace.organizationId }, FIRST, new Date(at)),
      "listRunners: backward, of a pool": () =>
        runners.listRunners(tx, { poolId: id("runnerPool") }, between("a", "z"), new Date(at)),
      listRunnerJobs: () => runners.listRunnerJobs(tx, [runnerId]),
      lockRunner: () => runners.lockRunner(tx, runnerId),
      orderRunner: () => runners.orderRunner(tx, runnerId, { drainRequestedAt: at }),
      runnersSeenAt: () => runners.runnersSeenAt(tx),
    };
  }),
  "runner-token-store": exampleStore(runnerTokens, (world) => {
    const { tx, actorId, at, id } = world;
    const token = {
      id: id("runnerToken"),
      poolId: id("runnerPool"),
      name: "door",
      createdById: actorId,
      createdAt: at,
      expiresAt: null,
      lastUsedAt: null,
    };
    return {
      insertRunnerToken: async () => {
        await world.prepare(pools.insertRunnerPool(tx, poolOf(world)));
        await runnerTokens.insertRunnerToken(tx, token, HASH);
      },
      findRunnerTokenBySecret: () => runnerTokens.findRunnerTokenBySecret(tx, HASH, at),
      touchRunnerToken: () => runnerTokens.touchRunnerToken(tx, token.id, at),
      findRunnerTokens: () => runnerTokens.findRunnerTokens(tx, [token.id]),
      listRunnerTokens: () => runnerTokens.listRunnerTokens(tx, [token.poolId]),
      revokeRunnerTokenRow: () => runnerTokens.revokeRunnerTokenRow(tx, token.id, at),
    };
  }),
  "state-store": exampleStore(states, ({ tx, leased, jobId, blobId, at, id }) => {
    const { id: runId, workspaceId } = leased;
    const made = { workspaceId, runId, jobId };
    return {
      insertStateVersion: () =>
        states.insertStateVersion(tx, {
          ...made,
          id: id("stateVersion"),
          serial: 1,
          lineage: "lineage",
          importedById: null,
          blobId,
          outputs: [],
          resourceCount: 0,
          createdAt: at,
        }),
      findNewestStates: () => states.findNewestStates(tx, [workspaceId]),
      findNewestState: () => states.findNewestState(tx, workspaceId),
      takeStateLock: () => states.takeStateLock(tx, { ...made, lockId: "lock", info: {}, actorId: null, since: at }),
      findStateLocks: () => states.findStateLocks(tx, [workspaceId]),
      releaseStateLock: () => states.releaseStateLock(tx, workspaceId),
      "releaseStateLock: of a job": () => states.releaseStateLock(tx, workspaceId, jobId),
    };
  }),
  "state-version-store": exampleStore(versions, ({ tx, prepare, leased, run, jobId, blobId, at, id }) => {
    const { id: runId, workspaceId } = leased;
    const versionId = id("stateVersion");
    return {
      listStateVersions: async () => {
        const facts = { serial: 1, lineage: "l", importedById: null, outputs: [], resourceCount: 0, createdAt: at };
        await prepare(states.insertStateVersion(tx, { ...facts, id: versionId, workspaceId, runId, jobId, blobId }));
        await versions.listStateVersions(tx, workspaceId, FIRST);
      },
      "listStateVersions: backward": () => versions.listStateVersions(tx, workspaceId, between(9, 0)),
      findStateVersions: () => versions.findStateVersions(tx, [versionId]),
      findCurrentStates: () => versions.findCurrentStates(tx, [workspaceId]),
      listStateOutputs: () => versions.listStateOutputs(tx, [versionId]),
      findStateBlob: () => versions.findStateBlob(tx, versionId),
      insertStateRollback: () =>
        versions.insertStateRollback(tx, run.id, { stateVersionId: versionId, stateSerial: 1 }),
      findStateRollbacks: () => versions.findStateRollbacks(tx, [run.id]),
    };
  }),
  "state-reading-store": exampleStore(readings, ({ tx, prepare, leased, jobId, runnerId, blobId, actorId, at, id }) => {
    const versionId = id("stateVersion");
    const recoveredId = id("recoveredState");
    const { id: runId, workspaceId } = leased;
    const facts = { workspaceId, runId, jobId, blobId, serial: 1, lineage: "l", outputs: [], resourceCount: 0 };
    const reading = { actorId, credentialId: "tok_1", way: "DOWNLOAD", at } as const;
    return {
      noteStateReading: async () => {
        const version = { ...facts, id: versionId, importedById: null, createdAt: at };
        await prepare(states.insertStateVersion(tx, version));
        await readings.noteStateReading(tx, [versionId], reading);
      },
      listStateReadings: () => readings.listStateReadings(tx, [versionId], 10),
      noteRecoveredStateReading: async () => {
        const state = { ...facts, id: recoveredId, runnerId, digest: "digest", size: 1, receivedAt: at };
        await prepare(recovered.insertRecoveredState(tx, state));
        await readings.noteRecoveredStateReading(tx, recoveredId, reading);
      },
      listRecoveredStateReadings: () => readings.listRecoveredStateReadings(tx, [recoveredId], 10),
    };
  }),
  "waiting-store": exampleStore(waitingClaims, ({ tx, runnerId, at }) => {
    const claim = { claimId: "claim", runnerId, instance: "1", tokenId: null, isCalled: false };
    return {
      findCalled: () => waitingClaims.findCalled(tx, [claim], at),
      touchRunners: () => waitingClaims.touchRunners(tx, [runnerId], at),
    };
  }),
};
