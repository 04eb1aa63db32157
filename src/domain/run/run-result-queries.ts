/** Queries of the results of runs and of decisions about them. */
import type { LogStream } from "../../model/log/log.ts";
import type { PhaseKind } from "../../model/run/phase.ts";
import type { ChangeFilter } from "../../model/plan/change-filter.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { idKind } from "../../model/kit/id.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Found } from "../access/unchecked.ts";
import { queryLists, queryOrNull } from "../access/query.ts";
import type { RunReads } from "./run-reads.ts";

/** Returns a page of a run's children; an empty one if there is no such run or the caller may not read it. */
function pageOfRun<Row>(caller: ActorCaller, request: PageRequest<unknown>, found: Found<Page<Row>>): Page<Row> {
  return found?.permit(caller, "RUN_READ") ?? toPage(request, []);
}

export function createRunResultQueries(reads: RunReads) {
  return {
    plans: queryOrNull<string, Plan>("RUN_READ", reads.plans),
    /** Returns the plans of each run, oldest first. */
    plansOfRuns: queryLists("RUN_READ", reads.plansOfRuns),
    newestPlans: queryOrNull("RUN_READ", reads.newestPlans),
    planTexts: queryOrNull("RUN_READ", reads.planTexts),
    /** Returns the values of the outputs that each plan changes; `null` if it was stored without them. */
    outputValues: queryOrNull("RUN_READ", reads.outputValues),
    planCosts: queryOrNull("RUN_READ", reads.planCosts),
    /** Returns the newest tests of each run; `null` if none were run. */
    testReports: queryOrNull("RUN_READ", reads.testReports),
    /** Returns the errors and warnings of the engines of each run, oldest first. */
    runDiagnostics: queryLists("RUN_READ", reads.runDiagnostics),
    /** Returns what the engine warned of when it made each plan. */
    planDiagnostics: queryLists("RUN_READ", reads.planDiagnostics),
    /** Returns what a hook found out about the deployment of each run; `null` if none did. */
    scans: queryOrNull("RUN_READ", reads.scans),
    /** Returns the check blocks of each run; `null` if its configuration has none. */
    checkReports: queryOrNull("RUN_READ", reads.checkReports),
    /** Returns the check blocks after the last apply of each workspace; `null` if there are none. */
    appliedCheckReports: queryOrNull("RUN_READ", reads.appliedCheckReports),
    /** Lists resource changes; positions count from 1. */
    listResourceChanges: async (caller: ActorCaller, planId: string, filter: ChangeFilter, page: PageRequest<number>) =>
      pageOfRun(caller, page, await reads.resourceChanges(planId, filter, page)),
    /** Counts the resource changes that a filter selects; 0 if the caller may not read the plan. */
    countResourceChanges: async (caller: ActorCaller, planId: string, filter: ChangeFilter): Promise<number> =>
      (await reads.resourceChangeCount(planId, filter))?.permit(caller, "RUN_READ") ?? 0,
    /** Returns all changes of each plan without their values. */
    planIndexes: queryOrNull("RUN_READ", reads.planIndexes),
    /** Lists what something else changed before a plan; positions count from 1. */
    listResourceDrift: async (caller: ActorCaller, planId: string, page: PageRequest<number>) =>
      pageOfRun(caller, page, await reads.resourceDrift(planId, page)),
    /** Returns the first resources that each plan destroys, by address. */
    destroyedAddresses: queryLists("RUN_READ", reads.destroyed),
    /** Returns the variables that each run was created with. Values that were sensitive then, or are now, are `null`. */
    variablesOfRuns: queryLists("WORKSPACE_READ", reads.variablesOfRuns),
    /** Returns the hooks of each run, as of its creation. */
    hooksOfRuns: queryLists("RUN_READ", reads.hooksOfRuns),
    /** Returns by run the files that its engine reads; `null` if its source is no repository. */
    inputsOfRuns: queryOrNull("RUN_READ", reads.inputsOfRuns),
    /** Returns the outputs that each run got from other workspaces, which may be hidden from the caller. */
    upstreamInputsOfRuns: queryLists("WORKSPACE_READ", reads.upstreamInputsOfRuns),
    /** Returns by run the folders that its engine read though no configuration names them. */
    reportedFolders: queryLists("RUN_READ", reads.reportedFolders),
    /** Returns by run since when its log is no longer stored. */
    logExpiries: queryOrNull("RUN_READ", reads.logExpiries),
    phases: queryOrNull("RUN_READ", reads.phases),
    runsWithPhases: queryOrNull("RUN_READ", reads.runsWithPhases),
    phasesOfRuns: queryLists("RUN_READ", reads.phasesOfRuns),
    approvals: queryOrNull("RUN_READ", reads.approvals),
    approvalsOfRuns: queryLists("RUN_READ", reads.approvalsOfRuns),
    runComments: queryOrNull("RUN_READ", reads.comments),
    /** Lists comments, oldest first; positions are ids. */
    listRunComments: async (caller: ActorCaller, runId: string, page: PageRequest<string>) =>
      pageOfRun(caller, page, await reads.commentsOfRun(runId, page)),
    /** Lists events, oldest first; positions are versions. */
    listRunEvents: async (caller: ActorCaller, runId: string, page: PageRequest<number>) =>
      pageOfRun(caller, page, await reads.eventsOfRun(runId, page)),
    /** Lists log lines in order; positions are line numbers. `only`: limits them to a phase, an attempt or streams. */
    listLogLines: async (
      caller: ActorCaller,
      runId: string,
      only: { phase: { kind: PhaseKind; attempt: number } | null; streams: readonly LogStream[] | null },
      page: PageRequest<number>,
    ) =>
      idKind(runId) === "run"
        ? pageOfRun(caller, page, await reads.logLines({ runId, ...only }, page))
        : toPage(page, []),
  };
}
