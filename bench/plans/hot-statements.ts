/** Statements that are frequent, or over the largest tables: store functions with arguments of the data set. */
import { EVERYTHING } from "../../src/model/people/permission.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { PageRequest } from "../../src/model/kit/page.ts";
import { listRingingRuns } from "../../src/persistence/run/alarm-store.ts";
import { listApprovals } from "../../src/persistence/approval/approval-store.ts";
import { findDeploymentInputs } from "../../src/persistence/workspace/deployment-store.ts";
import {
  isWorkFor,
  listOrganizationsToOffer,
  lockFirstOffered,
  offerSlots,
  takeOffered,
} from "../../src/persistence/dispatch/dispatch-store.ts";
import { readFeed } from "../../src/persistence/feed/feed-store.ts";
import {
  findJob,
  findJobByClaim,
  findLiveJob,
  listExpiredJobs,
  renewLease,
} from "../../src/persistence/dispatch/job-store.ts";
import { expireLogs, listLogKeepers } from "../../src/persistence/log/log-month-store.ts";
import { listLogLines, readLogAfter } from "../../src/persistence/log/log-page-store.ts";
import { logSize } from "../../src/persistence/log/log-store.ts";
import { appendNextLines, type NextLines } from "../../src/persistence/log/next-lines-store.ts";
import { listPhases } from "../../src/persistence/plan/phase-store.ts";
import { findRunsWithPhases } from "../../src/persistence/run/run-phase-store.ts";
import { findNewestPlans } from "../../src/persistence/plan/plan-store.ts";
import { readProgressHistory } from "../../src/persistence/plan/progress-store.ts";
import { findFirstRefusals } from "../../src/persistence/organization/rejected-command-store.ts";
import {
  listDue,
  listEndedRuns,
  removeLogs,
  removeRunEvents,
} from "../../src/persistence/installation/retention-store.ts";
import { listRunEvents, listStatusChanges } from "../../src/persistence/run/run-event-store.ts";
import { countRuns, listNewestRuns, listRuns } from "../../src/persistence/run/run-list-store.ts";
import { readLine } from "../../src/persistence/run/run-queue-store.ts";
import { findHolders, findRunByNumber, findRuns, listRunsAtGate } from "../../src/persistence/run/run-store.ts";
import { findWorkspaceUses } from "../../src/persistence/workspace/workspace-use-store.ts";
import { measurement } from "../../src/persistence/workspace/statistics-store.ts";
import { listStaleDispatch } from "../../src/persistence/dispatch/stale-dispatch-store.ts";
import { findUncertainSince } from "../../src/persistence/run/uncertain-run-store.ts";
import { listDeliveries, pruneDeliveries } from "../../src/persistence/webhook/webhook-delivery-store.ts";
import { findCalled } from "../../src/persistence/dispatch/waiting-store.ts";
import { listWorkspaces } from "../../src/persistence/workspace/workspace-list-store.ts";
import { findWorkspaceByPath, findWorkspaces } from "../../src/persistence/workspace/workspace-store.ts";
import type { BigDatabase } from "../part.ts";
import type { HotStatement } from "./hot-statement.ts";
import { triggerStatements } from "./trigger-statements.ts";

const FIRST: PageRequest<never> = { limit: 20, direction: "forward", after: null, before: null };
const TAIL: PageRequest<never> = { ...FIRST, limit: 1000, direction: "backward" };
const organizationId = DEFAULT_ORGANIZATION_ID;

/** A runner of all organizations, and one that takes what others do not. */
const PLAIN = { pool: null, labels: [] };
const ABLE = { pool: null, labels: ["gpu"] };

/** Batches of three jobs. */
function sentLines(): NextLines[] {
  const rest = { phase: "PLAN", firstLine: 1, lastLine: 1, bytes: 2, streams: 1, body: Buffer.alloc(1) } as const;
  return ["job_0", "job_1", "job_2"].map((jobId) => ({ jobId, ...rest }));
}

/** By what they are for. */
export function hotStatements(database: BigDatabase, webhookId: string, now: string): Record<string, HotStatement> {
  const { sample } = database;
  const workspaceId = sample.workspaceId(0);
  const middle = sample.runId(Math.floor(sample.runCount / 2));
  const runIds = Array.from({ length: 20 }, (_, number) => sample.runId(number * 7));
  const { loggedRunId } = sample;
  const behind = (after: string): PageRequest<string> => ({ ...FIRST, after });
  const day = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" };
  const longAgo = { createdAfter: "2025-02-01T00:00:00.000Z", createdBefore: "2025-02-02T00:00:00.000Z" };
  const mark = { finishedAt: "2025-06-01T00:00:00.000Z", runId: "" };
  const month = { name: "log_batch", from: sample.runId(1), to: sample.runId(Math.floor(sample.runCount / 20)) };
  const around = { at: now, paused: false, lock: null, frozenUntil: null };
  const workspaceIds = Array.from({ length: 10 }, (_, number) => sample.workspaceId(number));
  return {
    "workspaces by id": (tx) => findWorkspaces(tx, workspaceIds),
    "runs of a workspace": (tx) => listRuns(tx, EVERYTHING, { workspaceId }, FIRST),
    "runs of workspaces that are asked for at once": (tx) => listNewestRuns(tx, workspaceIds, 21),
    "runs of a workspace, deep": (tx) => listRuns(tx, EVERYTHING, { workspaceId }, behind(middle)),
    "runs of an organization": (tx) => listRuns(tx, EVERYTHING, { organizationId }, FIRST),
    "runs of an organization, deep": (tx) => listRuns(tx, EVERYTHING, { organizationId }, behind(middle)),
    "all runs": (tx) => listRuns(tx, EVERYTHING, {}, FIRST),
    "runs that wait for approval": (tx) => listRuns(tx, EVERYTHING, { organizationId, needsApproval: true }, FIRST),
    "runs of a rare status": (tx) =>
      listRuns(tx, EVERYTHING, { organizationId, statuses: ["FAILED", "TIMED_OUT"] }, FIRST),
    "runs of an organization, of a day long ago": (tx) =>
      listRuns(tx, EVERYTHING, { organizationId, ...longAgo }, FIRST),
    "runs before a day long ago": (tx) => listRuns(tx, EVERYTHING, { createdBefore: longAgo.createdBefore }, FIRST),
    "runs of a rare status since a day": (tx) =>
      listRuns(tx, EVERYTHING, { statuses: ["FAILED"], createdAfter: day.from }, FIRST),
    "runs of an unused kind": (tx) => listRuns(tx, EVERYTHING, { kinds: ["TASK"] }, FIRST),
    "runs with an unused trigger": (tx) => listRuns(tx, EVERYTHING, { organizationId, triggers: ["RETRY"] }, FIRST),
    "runs with metadata": (tx) =>
      listRuns(tx, EVERYTHING, { organizationId, metadata: [{ key: "ticket", value: "T-20" }] }, FIRST),
    "count of a workspace's runs": (tx) => countRuns(tx, EVERYTHING, { workspaceId }, 1000),
    "runs by id": (tx) => findRuns(tx, runIds),
    "runs by id, with their phases": (tx) => findRunsWithPhases(tx, runIds),
    "a run by its number": (tx) => findRunByNumber(tx, workspaceId, 3),
    "phases of runs": (tx) => listPhases(tx, runIds),
    "newest plans of runs": (tx) => findNewestPlans(tx, runIds),
    "approvals of runs": (tx) => listApprovals(tx, runIds),
    "events of a run": (tx) => listRunEvents(tx, middle, FIRST),
    "status changes of runs": (tx) => listStatusChanges(tx, runIds),
    "refused commands of runs": (tx) => findFirstRefusals(tx, "approveRun", runIds),
    "feed of an organization": (tx) => readFeed(tx, { organizationId, workspaceId: null }, 5000, 100),
    "feed of a workspace": (tx) => readFeed(tx, { organizationId, workspaceId }, 5000, 100),
    "lines of a log": (tx) => listLogLines(tx, { runId: loggedRunId, phase: null }, { ...FIRST, after: 5000 }),
    "tail of a log": (tx) => listLogLines(tx, { runId: loggedRunId, phase: null }, TAIL),
    "next lines of a log": (tx) => readLogAfter(tx, loggedRunId, 5000, 65_536),
    "size of a log": (tx) => logSize(tx, loggedRunId),
    "workspaces of an organization": (tx) => listWorkspaces(tx, EVERYTHING, organizationId, {}, FIRST),
    "a workspace by its name": (tx) => findWorkspaceByPath(tx, "default", "workspace-000000"),
    "who holds workspaces": (tx) => findHolders(tx, [workspaceId]),
    "the use of a workspace": (tx) => findWorkspaceUses(tx, [workspaceId]),
    "the line of a workspace": (tx) => readLine(tx, workspaceId, around, { plans: 10, queuedPlans: 100, queued: 11 }),
    "runs at a gate": (tx) => listRunsAtGate(tx, workspaceId),
    "deployment status": (tx) => findDeploymentInputs(tx, [workspaceId]),
    "uncertain runs": (tx) => findUncertainSince(tx, workspaceId, day.from),
    statistics: (tx) => measurement(tx, [workspaceId], day).execute(tx.sql),
    "how long phases took": (tx) => readProgressHistory(tx, [{ runId: middle, phase: "PLAN" }]),
    "alarms that ring": (tx) => listRingingRuns(tx, now, 100),
    "stray runs": (tx) => listStaleDispatch(tx, now, 100),
    "leases that ran out": (tx) => listExpiredJobs(tx, now),
    ...claiming(runIds, now),
    "lines that come next in logs": (tx) => appendNextLines(tx, sentLines(), now),
    "a job": (tx) => findJob(tx, "job_0"),
    "the live job of a run": (tx) => findLiveJob(tx, middle),
    "renewal of a lease": (tx) => renewLease(tx, "job_0", now),
    "what retention is due": (tx) => listDue(tx, "LOGS", now),
    "what feeds are due": (tx) => listDue(tx, "EVENTS", now),
    "runs that ended": (tx) => listEndedRuns(tx, { organizationId, before: day.from }, mark, 100),
    "removal of logs": (tx) => removeLogs(tx, runIds, now, 100),
    "who keeps logs of a month": (tx) => listLogKeepers(tx, month, now),
    "the end of a month's logs": (tx) => expireLogs(tx, month, "", now, 100),
    "removal of events": (tx) => removeRunEvents(tx, runIds, now),
    "deliveries of a webhook": (tx) => listDeliveries(tx, webhookId, null, FIRST),
    "deliveries that failed": (tx) => listDeliveries(tx, webhookId, "FAILED", FIRST),
    "old deliveries": (tx) => pruneDeliveries(tx, "2025-01-01T12:00:00.000Z", 100),
    ...triggerStatements(database, now),
  };
}

/** Statements of runners, and those that give runs their places. */
function claiming([runId = ""]: readonly string[], now: string): Record<string, HotStatement> {
  const waiting = { claimId: "claim", runnerId: "rnr_0", instance: "process", tokenId: null, isCalled: false };
  return {
    "whether there is work for a runner": (tx) => isWorkFor(tx, "claim", PLAIN),
    "who is called of those who wait": (tx) => findCalled(tx, [waiting], now),
    "the first run for a runner": (tx) => lockFirstOffered(tx, PLAIN, []),
    "the first run for a runner with labels": (tx) => lockFirstOffered(tx, ABLE, [runId]),
    "the taking of a run": (tx) => takeOffered(tx, { ...PLAIN, id: "rnr_0" }, runId),
    "the job of a claim": (tx) => findJobByClaim(tx, "claim"),
    "the giving of places": async (tx) => offerSlots(tx, organizationId),
    "where places are free, or too many": (tx) => listOrganizationsToOffer(tx),
  };
}
