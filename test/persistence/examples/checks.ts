import type { ExternalCheck, ExternalCheckResult } from "../../../src/model/check/external-check.ts";
import * as results from "../../../src/persistence/check/check-result-store.ts";
import * as checks from "../../../src/persistence/check/check-store.ts";
import { exampleStore, LATER, type World } from "./world.ts";

function checkOf({ workspace, actorId, id, at }: World): ExternalCheck {
  return {
    id: id("externalCheck"),
    organizationId: workspace.organizationId,
    name: "scanner",
    url: "https://scanner.example.com/",
    signed: true,
    stages: ["PRE_PLAN", "POST_PLAN"],
    level: "MANDATORY",
    onError: "FAIL_CLOSED",
    selector: { labels: [], names: ["*"], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] },
    progressSeconds: 600,
    totalSeconds: 3600,
    enabled: true,
    createdById: actorId,
    createdAt: at,
  };
}

function resultOf({ run, id, at }: World): ExternalCheckResult {
  return {
    id: id("externalCheckResult"),
    checkId: id("externalCheck"),
    runId: run.id,
    stage: "PRE_PLAN",
    planVersion: 0,
    level: "MANDATORY",
    onError: "FAIL_CLOSED",
    progressSeconds: 600,
    totalSeconds: 3600,
    status: "PENDING",
    message: null,
    url: null,
    round: 1,
    attempts: 0,
    attemptError: null,
    createdAt: at,
    beganAt: at,
    acceptedAt: null,
    progressedAt: null,
    finishedAt: null,
    dueAt: at,
  };
}

export const CHECK_STORES = {
  "check-store": exampleStore(checks, (world) => {
    const { tx, cipher, at, workspace } = world;
    const check = checkOf(world);
    return {
      insertCheck: () => checks.insertCheck(tx, cipher, check, "key"),
      updateCheckRow: () => checks.updateCheckRow(tx, cipher, { ...check, name: "other" }, undefined),
      "updateCheckRow: with a key": () => checks.updateCheckRow(tx, cipher, check, null),
      lockCheck: () => checks.lockCheck(tx, check.id),
      findHmacKey: () => checks.findHmacKey(tx, cipher, check.id),
      findChecks: () => checks.findChecks(tx, [check.id]),
      findChecksEver: () => checks.findChecksEver(tx, [check.id]),
      listChecks: () => checks.listChecks(tx, [check.organizationId]),
      listChecksOfWorkspaces: () => checks.listChecksOfWorkspaces(tx, [workspace.id]),
      markCheckDeleted: () => checks.markCheckDeleted(tx, check.id, at),
    };
  }),
  "check-result-store": exampleStore(results, (world) => {
    const { tx, at, cipher, prepare, run } = world;
    const result = resultOf(world);
    return {
      insertResults: async () => {
        await prepare(checks.insertCheck(tx, cipher, checkOf(world), null));
        await results.insertResults(tx, [result]);
      },
      findRunOfResult: () => results.findRunOfResult(tx, result.id),
      lockResult: () => results.lockResult(tx, result.id),
      updateResult: () => results.updateResult(tx, { ...result, status: "RUNNING" }),
      "updateResult: with outcomes": () => results.updateResult(tx, result, []),
      findResults: () => results.findResults(tx, [result.id]),
      listResultsOfRuns: () => results.listResultsOfRuns(tx, [run.id]),
      listDecidingResults: () => results.listDecidingResults(tx, run, ["PRE_PLAN", "POST_PLAN"]),
      findOutcomes: () => results.findOutcomes(tx, [result.id]),
      leaseResults: () => results.leaseResults(tx, { by: "server", at, until: LATER }, 10),
      releaseResults: () => results.releaseResults(tx, "server"),
      findNextDue: () => results.findNextDue(tx, at),
      cancelOpenResults: () => results.cancelOpenResults(tx, run.id, at),
      clearOutcomes: () => results.clearOutcomes(tx, [run.id], at),
      hastenResults: () => results.hastenResults(tx, result.checkId, at),
    };
  }),
};
