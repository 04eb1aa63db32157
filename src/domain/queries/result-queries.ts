/** Queries of the results of runs and of decisions about them. */
import { idKind } from "../../model/kit/id.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import { type Found, permitLists, permitOrNull } from "../access/unchecked.ts";
import type { Queries } from "./query-types.ts";
import type { RunReads } from "./run-reads.ts";

type ResultQueries = Pick<
  Queries,
  | "plans"
  | "plansOfRuns"
  | "newestPlans"
  | "planTexts"
  | "listResourceChanges"
  | "destroyedAddresses"
  | "variablesOfRuns"
  | "hooksOfRuns"
  | "logExpiries"
  | "phases"
  | "phasesOfRuns"
  | "approvals"
  | "approvalsOfRuns"
  | "runComments"
  | "listRunComments"
  | "listRunEvents"
  | "listLogLines"
>;

/** Returns a page of a run's children; an empty one if there is no such run or the caller may not read it. */
function pageOfRun<Row>(caller: TokenCaller, request: PageRequest<unknown>, found: Found<Page<Row>>): Page<Row> {
  return found?.permit(caller, "run:read") ?? toPage(request, []);
}

export function createResultQueries(reads: RunReads): ResultQueries {
  return {
    plans: async (caller, ids) => permitOrNull(caller, "run:read", await reads.plans(ids)),
    plansOfRuns: async (caller, ids) => permitLists(caller, "run:read", await reads.plansOfRuns(ids)),
    newestPlans: async (caller, ids) => permitOrNull(caller, "run:read", await reads.newestPlans(ids)),
    planTexts: async (caller, ids) => permitOrNull(caller, "run:read", await reads.planTexts(ids)),
    listResourceChanges: async (caller, planId, actions, page) =>
      pageOfRun(caller, page, await reads.resourceChanges(planId, actions, page)),
    destroyedAddresses: async (caller, ids) => permitLists(caller, "run:read", await reads.destroyed(ids)),
    variablesOfRuns: async (caller, ids) => permitLists(caller, "workspace:read", await reads.variablesOfRuns(ids)),
    hooksOfRuns: async (caller, ids) => permitLists(caller, "run:read", await reads.hooksOfRuns(ids)),
    logExpiries: async (caller, ids) => permitOrNull(caller, "run:read", await reads.logExpiries(ids)),
    phases: async (caller, ids) => permitOrNull(caller, "run:read", await reads.phases(ids)),
    phasesOfRuns: async (caller, ids) => permitLists(caller, "run:read", await reads.phasesOfRuns(ids)),
    approvals: async (caller, ids) => permitOrNull(caller, "run:read", await reads.approvals(ids)),
    approvalsOfRuns: async (caller, ids) => permitLists(caller, "run:read", await reads.approvalsOfRuns(ids)),
    runComments: async (caller, ids) => permitOrNull(caller, "run:read", await reads.comments(ids)),
    listRunComments: async (caller, runId, page) => pageOfRun(caller, page, await reads.commentsOfRun(runId, page)),
    listRunEvents: async (caller, runId, page) => pageOfRun(caller, page, await reads.eventsOfRun(runId, page)),
    listLogLines: async (caller, runId, only, page) =>
      idKind(runId) === "run"
        ? pageOfRun(caller, page, await reads.logLines({ runId, ...only }, page))
        : toPage(page, []),
  };
}
