import type { ExternalCheck, ExternalCheckResult } from "../../../src/model/check/external-check.ts";
import * as requests from "../../../src/persistence/check/check-request-store.ts";
import * as results from "../../../src/persistence/check/check-result-store.ts";
import * as checks from "../../../src/persistence/check/check-store.ts";
import { insertRunnerPool } from "../../../src/persistence/runner/runner-pool-store.ts";
import { exampleStore, LATER, type World } from "./world.ts";

function checkOf({ workspace, actorId, id, at }: World): ExternalCheck {
  return {
    id: id("externalCheck"),
    organizationId: workspace.organizationId,
    name: "scanner",
    url: "https://scanner.example.com/",
    signed: true,
    viaPoolId: null,
    stages: ["PRE_PLAN", "POST_PLAN"],
    level: "MANDATORY",
    onError: "FAIL_CLOSED",
    estimatesCost: false,
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
    estimatesCost: false,
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
      listChecksOfPool: () => checks.listChecksOfPool(tx, world.id("runnerPool")),
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
      findLastLimit: () => results.findLastLimit(tx, run),
      findOutcomes: () => results.findOutcomes(tx, [result.id]),
      leaseResults: () => results.leaseResults(tx, { by: "server", at, until: LATER }, 10),
      releaseResults: () => results.releaseResults(tx, "server"),
      findNextDue: () => results.findNextDue(tx, at),
      cancelOpenResults: () => results.cancelOpenResults(tx, run.id, at),
      clearOutcomes: () => results.clearOutcomes(tx, [run.id], at),
      hastenRequests: () => results.hastenRequests(tx, result.checkId, at),
      hastenResults: () => results.hastenResults(tx, result.checkId, at),
    };
  }),
  "check-request-store": exampleStore(requests, (world) => {
    const { tx, at, cipher, prepare, runnerId, workspace } = world;
    const result = resultOf(world);
    const request = { id: world.id("checkRequest"), poolId: world.id("runnerPool"), offeredAt: at };
    const content = { url: "https://scanner.internal/", headers: {}, body: "{}" };
    const about = { resultId: result.id, round: 1 };
    return {
      insertTest: async () => {
        const { organizationId } = workspace;
        const pool = {
          id: request.poolId,
          organizationId,
          name: "inside",
          description: null,
          reserved: false,
          driftCheckLimit: null,
        };
        await prepare(insertRunnerPool(tx, { ...pool, createdAt: at }));
        await requests.insertTest(tx, cipher, { ...request, endsAt: LATER }, content);
      },
      findOfferedRequest: () => requests.findOfferedRequest(tx, request.poolId, at),
      lockRequest: () => requests.lockRequest(tx, request.id),
      leaseRequest: () => requests.leaseRequest(tx, request.id, { leaseId: "lease", until: LATER }),
      findRequestByLease: () => requests.findRequestByLease(tx, { poolId: request.poolId, leaseId: "lease", at }),
      findRequest: () => requests.findRequest(tx, request.id),
      readTest: () => requests.readTest(tx, cipher, request.id),
      answerTest: () => requests.answerTest(tx, request.id, { statusCode: 200, error: null }, at),
      findTestAnswer: () => requests.findTestAnswer(tx, request.id),
      releaseRequest: () => requests.releaseRequest(tx, request.id),
      deleteRequest: () => requests.deleteRequest(tx, request.id),
      insertRequest: async () => {
        await prepare(checks.insertCheck(tx, cipher, checkOf(world), null));
        await prepare(results.insertResults(tx, [result]));
        await requests.insertRequest(tx, request, about);
      },
      lockRequestOf: () => requests.lockRequestOf(tx, result.id),
      deleteRequestsOfCheck: () => requests.deleteRequestsOfCheck(tx, result.checkId),
      deleteRequestOf: () => requests.deleteRequestOf(tx, result.id),
      noteChecksOffered: () => requests.noteChecksOffered(tx, runnerId, at),
      findRequestPool: () => requests.findRequestPool(tx, request.poolId, at),
    };
  }),
};
