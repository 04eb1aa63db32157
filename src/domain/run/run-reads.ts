/** Reads of runs and what belongs to a run. */
import type { EligibleApprover } from "../../model/approval/eligible-approver.ts";
import type { QueuePosition } from "../../model/run/queue-position.ts";
import { countQueue, listQueue } from "../../persistence/run/queue-page-store.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { PageRequest } from "../../model/kit/page.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { ChangeFilter } from "../../model/plan/change-filter.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { Run, RunDetail, RunSummary } from "../../model/run/run.ts";
import { findApprovals, listApprovals } from "../../persistence/approval/approval-store.ts";
import { findLogExpiries } from "../../persistence/installation/retention-store.ts";
import { listLogLines, type LogSelection } from "../../persistence/log/log-page-store.ts";
import { listApproversReaching } from "../../persistence/people/reach-store.ts";
import type { AccessVersion } from "../../model/people/access-version.ts";
import { scopesReaching } from "../../model/people/grant.ts";
import { listTeamIdsOfActor } from "../../persistence/people/team-store.ts";
import { findPlanCosts } from "../../persistence/plan/document-store.ts";
import { listPlanDiagnostics, listRunDiagnostics } from "../../persistence/plan/diagnostic-store.ts";
import { findScans } from "../../persistence/plan/scan-store.ts";
import { findTestReports } from "../../persistence/plan/test-report-store.ts";
import { findAppliedCheckReports, findCheckReports } from "../../persistence/plan/check-report-store.ts";
import { findPhases, listPhases } from "../../persistence/plan/phase-store.ts";
import { findRunsWithPhases } from "../../persistence/run/run-phase-store.ts";
import {
  findNewestPlans,
  findOutputValues,
  findPlans,
  findPlanTexts,
  listPlans,
} from "../../persistence/plan/plan-store.ts";
import { listPlanIndexes } from "../../persistence/plan/plan-index-store.ts";
import {
  countResourceChanges,
  listDestroyed,
  listResourceChanges,
} from "../../persistence/plan/resource-change-store.ts";
import { listResourceDrift } from "../../persistence/plan/resource-drift-store.ts";
import { findRunComments, listRunComments } from "../../persistence/run/run-comment-store.ts";
import { listRunEvents, listStatusChanges } from "../../persistence/run/run-event-store.ts";
import {
  countRuns,
  listNewestRuns,
  listRuns,
  type RunListOptions,
  type RunSelection,
} from "../../persistence/run/run-list-store.ts";
import { findInputsOfRuns, listFoldersReportedBy } from "../../persistence/inputs/source-inputs-store.ts";
import { findRunByNumber } from "../../persistence/run/run-store.ts";
import { findRunHooks } from "../../persistence/workspace/hook-store.ts";
import { listRunUpstreams } from "../../persistence/dependency/run-upstream-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";
import { batchReads, type ReadKeys } from "../kit/batch-reads.ts";
import type { RunFilter } from "../kit/run-filter.ts";
import { selectionAt } from "../rules/run-selection.ts";
import { readBlockers } from "./read-blockers.ts";
import { readProgress } from "./read-progress.ts";
import { readShownVariables } from "../variables/run-variables.ts";
import { readSubjects } from "./read-subjects.ts";

/** The number of resources that a warning names. */
const DESTROYED_SHOWN = 5;

export type RunReads = ReturnType<typeof createRunReads>;

export function createRunReads(
  {
    database,
    cipher,
    clock,
    rights,
    hasIdentityProvider,
  }: Pick<Deps, "database" | "cipher" | "clock" | "rights" | "hasIdentityProvider">,
  reads: Reads,
) {
  const { runSummaries: runs } = reads;
  const itself = <Row>(row: Row): Row => row;
  const rowOf = (plan: Plan | null): Plan[] => (plan === null ? [] : [plan]);
  const plans = reads.byId((ids) => findPlans(database, ids), itself);
  const newestRuns = createNewestRuns(database);
  return {
    runByNumber: async (workspaceId: string, number: number) =>
      reads.row(() => findRunByNumber(database, workspaceId, number), itself),
    listRuns: async (scope: CallerScope, filter: RunSelection, page: PageRequest<string>, options: RunListOptions) =>
      reads.page(() => listRuns(database, scope, filter, page, options), itself),
    /** Reads the newest runs of one workspace. Requests for pages of one size share a statement. */
    newestRuns: async (workspaceId: string, detail: RunDetail, limit: number) => {
      const read = async () => (await newestRuns(detail, limit)([workspaceId])).flat();
      return reads.rows(read, itself);
    },
    queue: (workspaceId: string, page: PageRequest<QueuePosition>) =>
      reads.pageBelow(reads.workspaces, workspaceId, () => listQueue(database, workspaceId, page)),
    queueCount: async (workspaceId: string, atMost: number) => {
      const count = reads.below(reads.workspaces, async () => [await countQueue(database, workspaceId, atMost)]);
      return (await count([workspaceId]))[0] ?? null;
    },
    selection: (filter: RunFilter, now: Date) => selectionAt(database, filter, now),
    countRuns: (scope: CallerScope, filter: RunSelection, atMost: number) => countRuns(database, scope, filter, atMost),
    subjects: reads.ofRuns((asked) => readSubjects(database, asked, clock())),
    blockers: reads.ofRuns((asked) => readBlockers(database, asked, clock())),
    progress: reads.ofRuns((asked) => readProgress(database, asked, clock())),
    statusChanges: reads.ofRuns((asked) =>
      listStatusChanges(
        database,
        asked.map(({ id }) => id),
      ),
    ),
    /** Reads for each run the actors that may approve it. Callers are shown those of them that they may read. */
    approvers: async (asked: readonly Run[], version: AccessVersion): Promise<EligibleApprover[][]> => {
      const tree = await rights.treeAt(version);
      const places = new Map(asked.map((run) => [run.workspaceId, run]));
      const questions = [...places].map(([key, place]) => ({ key, scopeIds: scopesReaching(place, tree) }));
      const at = clock().toISOString();
      const found = await listApproversReaching(database, questions, {
        at,
        limit: LIMITS.approversRead,
        hasProvider: hasIdentityProvider,
      });
      const byWorkspace = new Map(questions.map(({ key }, index) => [key, found[index] ?? []]));
      return asked.map(({ workspaceId }) => byWorkspace.get(workspaceId) ?? []);
    },
    /** Ids of the teams of an actor, which only the actor itself is shown. */
    teamIdsOf: (actorId: string) => listTeamIdsOfActor(database, actorId, clock().toISOString()),
    plans,
    plansOfRuns: reads.below(runs, (ids) => listPlans(database, ids), itself),
    newestPlans: reads.below(runs, batched(database, findNewestPlans), rowOf),
    planTexts: reads.below(plans, (ids) => findPlanTexts(database, ids)),
    outputValues: reads.below(plans, (ids) => findOutputValues(database, ids)),
    planCosts: reads.below(plans, (ids) => findPlanCosts(database, ids)),
    destroyed: reads.below(plans, (ids) => listDestroyed(database, ids, DESTROYED_SHOWN)),
    testReports: reads.below(runs, (ids) => findTestReports(database, ids)),
    runDiagnostics: reads.below(runs, (ids) => listRunDiagnostics(database, ids)),
    planDiagnostics: reads.below(plans, (ids) => listPlanDiagnostics(database, ids)),
    scans: reads.below(runs, (ids) => findScans(database, ids)),
    checkReports: reads.below(runs, (ids) => findCheckReports(database, ids)),
    appliedCheckReports: reads.below(reads.workspaces, (ids) => findAppliedCheckReports(database, ids)),
    resourceChanges: (planId: string, filter: ChangeFilter, page: PageRequest<number>) =>
      reads.pageBelow(plans, planId, () => listResourceChanges(database, planId, filter, page)),
    resourceChangeCount: async (planId: string, filter: ChangeFilter) => {
      const count = reads.below(plans, async () => [await countResourceChanges(database, planId, filter)]);
      return (await count([planId]))[0] ?? null;
    },
    planIndexes: reads.below(plans, (ids) => listPlanIndexes(database, ids)),
    resourceDrift: (planId: string, page: PageRequest<number>) =>
      reads.pageBelow(plans, planId, () => listResourceDrift(database, planId, page)),
    variablesOfRuns: reads.below(runs, (ids) => readShownVariables(database, { cipher }, ids)),
    hooksOfRuns: reads.below(runs, (ids) => findRunHooks(database, ids)),
    inputsOfRuns: reads.below(runs, (ids) => findInputsOfRuns(database, ids)),
    upstreamInputsOfRuns: reads.below(runs, (ids) => listRunUpstreams(database, ids)),
    reportedFolders: reads.below(runs, (ids) => listFoldersReportedBy(database, ids)),
    logExpiries: reads.below(runs, (ids) => findLogExpiries(database, ids)),
    phases: reads.byId((ids) => findPhases(database, ids), itself),
    runsWithPhases: reads.byId(batched(database, findRunsWithPhases), itself),
    phasesOfRuns: reads.below(runs, batched(database, listPhases)),
    approvals: reads.byId((ids) => findApprovals(database, ids), itself),
    approvalsOfRuns: reads.below(runs, batched(database, listApprovals)),
    comments: reads.byId((ids) => findRunComments(database, ids), itself),
    commentsOfRun: (runId: string, page: PageRequest<string>) =>
      reads.pageBelow(runs, runId, () => listRunComments(database, runId, page)),
    eventsOfRun: (runId: string, page: PageRequest<number>) =>
      reads.pageBelow(runs, runId, () => listRunEvents(database, runId, page)),
    logLines: (window: LogSelection, page: PageRequest<number>) =>
      reads.pageBelow(runs, window.runId, () => listLogLines(database, window, page)),
  };
}

/** Creates batched reads by detail and limit: at most two per page size. */
function createNewestRuns(database: Deps["database"]) {
  const known = new Map<string, ReadKeys<RunSummary[]>>();
  return (detail: RunDetail, limit: number): ReadKeys<RunSummary[]> => {
    const key = `${detail} ${limit}`;
    const found =
      known.get(key) ??
      batchReads((workspaceIds) => listNewestRuns(database, workspaceIds, limit, detail), LIMITS.pagesPerRead);
    known.set(key, found);
    return found;
  };
}
