import * as acknowledgements from "../../../src/persistence/plan/drift-acknowledgement-store.ts";
import * as reports from "../../../src/persistence/plan/drift-report-store.ts";
import * as drift from "../../../src/persistence/plan/drift-store.ts";
import * as changesets from "../../../src/persistence/changeset/changeset-store.ts";
import { changesetOf } from "./changesets.ts";
import { between, exampleStore, FIRST, LATER } from "./world.ts";

export const DRIFT_STORES = {
  "drift-store": exampleStore(drift, ({ tx, workspace, run, planId, at }) => {
    const found = { foundAt: at, runId: run.id, resources: 1, outputs: 0, fingerprint: "", isReported: true };
    return {
      listPlannedChanges: () => drift.listPlannedChanges(tx, planId),
      listFoundChanges: () => drift.listFoundChanges(tx, planId),
      hasLiveRun: () => drift.hasLiveRun(tx, workspace.id),
      isChanging: () => drift.isChanging(tx, workspace.id),
      setDrift: () => drift.setDrift(tx, workspace.id, found),
      hideRun: () => drift.hideRun(tx, run.id),
    };
  }),
  "drift-report-store": exampleStore(reports, (world) => {
    const { tx, workspace, leased, id, at, prepare } = world;
    const changeset = changesetOf(world);
    const report: reports.NewDriftReport = {
      id: id("driftReport"),
      runId: leased.id,
      workspaceId: workspace.id,
      result: "DRIFTED",
      resourceCount: 1,
      outputCount: 0,
      ignoredCount: 0,
      fingerprint: "f",
      outputs: [],
      createdAt: at,
      reconcileDue: true,
      resources: [{ address: "a.b", type: "a", change: "UPDATE", plannedAction: null, paths: ["size"] }],
    };
    return {
      insertDriftReport: () => reports.insertDriftReport(tx, report),
      findDriftReports: () => reports.findDriftReports(tx, [report.id]),
      findReportsOfRuns: () => reports.findReportsOfRuns(tx, [leased.id]),
      findNewestReports: () => reports.findNewestReports(tx, [workspace.id]),
      listDriftedResources: () => reports.listDriftedResources(tx, report.id, FIRST),
      "listDriftedResources: backward": () => reports.listDriftedResources(tx, report.id, between(0, 9)),
      listDriftedAddresses: () => reports.listDriftedAddresses(tx, report.id),
      listDueReconciliations: () => reports.listDueReconciliations(tx, 10),
      takeReconciliation: () => reports.takeReconciliation(tx, report.id),
      setReconciler: async () => {
        await prepare(changesets.insertChangeset(tx, changeset, { key: null, digest: "" }));
        await reports.setReconciler(tx, report.id, changeset.id);
      },
    };
  }),
  "drift-acknowledgement-store": exampleStore(acknowledgements, ({ tx, workspace, actorId, at }) => {
    const given = { workspaceId: workspace.id, fingerprint: "f", until: LATER, note: null, actorId, at };
    return {
      putAcknowledgement: () => acknowledgements.putAcknowledgement(tx, given),
      findAcknowledgements: () => acknowledgements.findAcknowledgements(tx, [given], at),
    };
  }),
};
