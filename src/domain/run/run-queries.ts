/** Queries of runs and their available actions. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { QueuePosition } from "../../model/run/queue-position.ts";
import type { Run, RunDetail, RunOrder } from "../../model/run/run.ts";
import { toPage, type PageRequest } from "../../model/kit/page.ts";
import { type OrganizationSights, shownBlocker } from "../../model/admission/blocker.ts";
import { can, scopeOf, type ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import { timelineOf } from "../../model/run/timeline.ts";
import { newestRunsAskedOf, type RunSelection } from "../../persistence/run/run-list-store.ts";
import type { Reads } from "../access/reads.ts";
import { permitOrNull, permitPage } from "../access/unchecked.ts";
import type { RunFilter } from "../kit/run-filter.ts";
import { queryOrNull, queryLists } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { forceAllowedAt } from "../lifecycle/stop-request.ts";
import { approvalRequirements } from "./approval-requirements.ts";
import { callingApprover, namesTeams } from "./calling-approver.ts";
import { runActions } from "./run-actions.ts";
import type { RunReads } from "./run-reads.ts";

/** Whether the filter can match: an id of the wrong kind matches nothing and must not reach the database. */
function isAskable({ workspaceId = "", organizationId = "", metadata = [], ...filter }: RunFilter): boolean {
  const { search = "", workspaceSearch = "", workspaceIds = [], createdByIds = [] } = filter;
  const entries = metadata.map(({ key, value }) => key + value);
  const text = [...entries, search, workspaceSearch].join("\n");
  const ids = [workspaceId, organizationId, ...workspaceIds, ...createdByIds].join("\n");
  return isStorable(ids + text) && text.isWellFormed();
}

/** A search that nothing else bounds in time is bounded: it would read all runs to find that none matches. */
function bounded(filter: RunSelection, now: Date): RunSelection {
  const { search, workspaceSearch, minDestructions, createdAfter, changesetId, workspaceId } = filter;
  const isOpen =
    (search ?? workspaceSearch ?? minDestructions) !== undefined &&
    (createdAfter ?? changesetId ?? workspaceId) === undefined;
  return isOpen ? { ...filter, createdAfter: new Date(now.getTime() - LIMITS.runSearchMs).toISOString() } : filter;
}

function sightsOf(caller: ActorCaller, { organizationId }: Run): OrganizationSights {
  const place = organizationPlace({ id: organizationId });
  return { figures: can(caller, "FIGURES_READ", place), runners: can(caller, "RUNNER_READ", place) };
}

export function createRunQueries(
  deps: Pick<Deps, "clock" | "hasIdentityProvider">,
  { runs, runSummaries }: Reads,
  reads: RunReads,
) {
  const { clock } = deps;

  /** Returns the caller as an approver of these runs. Most rules name no team, and save the read of the teams. */
  async function approverFor(
    caller: ActorCaller,
    found: readonly ({ subject: Pick<LockedRun, "rules" | "stages"> } | null)[],
  ) {
    const needsTeams = found.some((each) => each !== null && namesTeams(each.subject));
    return callingApprover(deps, caller, needsTeams ? await reads.teamIdsOf(caller.actor.id) : []);
  }

  async function selectionOf(filter: RunFilter): Promise<RunSelection> {
    const now = clock();
    return bounded(await reads.selection(filter, now), now);
  }

  const blockers = queryLists("RUN_READ", reads.blockers);

  return {
    runs: queryOrNull("RUN_READ", runs),
    runSummaries: queryOrNull("RUN_READ", runSummaries),
    runByNumber: async (caller: ActorCaller, workspaceId: string, number: number) =>
      (await reads.runByNumber(workspaceId, number))?.permit(caller, "RUN_READ") ?? null,
    /** Lists runs in their order; positions are run ids. `offset`: the number of newest runs to skip. */
    listRuns: async (
      caller: ActorCaller,
      given: RunFilter,
      page: PageRequest<string>,
      { detail, offset = 0, order = "NEWEST_FIRST" }: { detail: RunDetail; offset?: number; order?: RunOrder },
    ) => {
      if (!isAskable(given)) return toPage(page, []);
      const filter = await selectionOf(given);
      const workspaceId = order === "NEWEST_FIRST" ? newestRunsAskedOf(filter, page, offset) : null;
      if (workspaceId !== null) {
        const newest = await reads.newestRuns(workspaceId, detail, page.limit + 1);
        return permitPage(caller, "RUN_READ", toPage(page, newest));
      }
      const scope = scopeOf(caller, "RUN_READ");
      return permitPage(caller, "RUN_READ", await reads.listRuns(scope, filter, page, { detail, offset, order }));
    },
    /** Lists the runs that wait for a workspace, in the order in which they are admitted. */
    listQueue: async (caller: ActorCaller, workspaceId: string, page: PageRequest<QueuePosition>) =>
      (await reads.queue(workspaceId, page))?.permit(caller, "RUN_READ") ?? toPage<Run>(page, []),
    /** Counts the runs that wait for a workspace, up to `atMost`. */
    countQueue: async (caller: ActorCaller, workspaceId: string, atMost: number) =>
      (await reads.queueCount(workspaceId, atMost))?.permit(caller, "RUN_READ") ?? 0,
    /** Counts runs, up to `atMost`. */
    countRuns: async (caller: ActorCaller, filter: RunFilter, atMost: number) =>
      isAskable(filter) ? reads.countRuns(scopeOf(caller, "RUN_READ"), await selectionOf(filter), atMost) : 0,
    /** Returns the blockers of each run, without what the caller may not see of its organization. */
    blockers: async (caller: ActorCaller, asked: readonly Run[]) => {
      const found = await blockers(caller, asked);
      return asked.map((run, index) => found[index]?.map((one) => shownBlocker(one, sightsOf(caller, run))) ?? []);
    },
    /**
     * Returns from when an admin may stop each run by force; `null` if no stop was requested or force is not possible.
     */
    forceAllowedAt: async (caller: ActorCaller, asked: readonly Run[]) =>
      permitOrNull(caller, "RUN_READ", await reads.subjects(asked)).map((each) => each && forceAllowedAt(each.subject)),
    actions: async (caller: ActorCaller, asked: readonly Run[]) => {
      const found = permitOrNull(caller, "RUN_READ", await reads.subjects(asked));
      const approver = await approverFor(caller, found);
      return found.map((each) => (each === null ? [] : runActions(caller, approver, each, clock())));
    },
    /** Returns by run the stages of its current and later gates, in order. */
    approvalRequirements: async (caller: ActorCaller, asked: readonly Run[]) => {
      if (asked.length === 0) return [];
      const approvers = await reads.approvers(asked, caller.accessVersion);
      const found = permitOrNull(caller, "RUN_READ", await reads.subjects(asked));
      const viewer = { caller, approver: await approverFor(caller, found) };
      return found.map((each, index) =>
        each === null ? [] : approvalRequirements(viewer, each, approvers[index] ?? []),
      );
    },
    /** Returns the statuses of each run, oldest first. */
    timelines: async (caller: ActorCaller, asked: readonly Run[]) => {
      const found = permitOrNull(caller, "RUN_READ", await reads.statusChanges(asked));
      return asked.map((run, index) => {
        const changes = found[index] ?? null;
        return changes === null ? [] : timelineOf(run, changes);
      });
    },
    /** Returns the progress of the newest phase of each run; `null` before the first report. */
    progress: queryOrNull("RUN_READ", reads.progress),
  };
}
