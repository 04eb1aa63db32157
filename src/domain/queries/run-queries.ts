/** Queries of runs and their available actions. */
import { toPage } from "../../model/kit/page.ts";
import { scopeOf } from "../../model/people/permission.ts";
import { timelineOf } from "../../model/run/timeline.ts";
import { newestRunsAskedOf } from "../../persistence/run/run-list-store.ts";
import type { Reads } from "../access/reads.ts";
import { permitLists, permitOrNull, permitPage } from "../access/unchecked.ts";
import type { Queries } from "./query-types.ts";
import type { RunFilter } from "../run/run-filter.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import { forceAllowedAt } from "../lifecycle/force-stop.ts";
import { approvalRequirements } from "../run/approval-requirements.ts";
import { runActions } from "../run/run-actions.ts";
import type { RunReads } from "./run-reads.ts";

type RunQueries = Pick<
  Queries,
  | "runs"
  | "runByNumber"
  | "listRuns"
  | "countRuns"
  | "blockers"
  | "actions"
  | "forceAllowedAt"
  | "approvalRequirements"
  | "timelines"
  | "progress"
>;

/** Whether the filter can match: an id of the wrong kind matches nothing and must not reach the database. */
function isAskable({ workspaceId = "", organizationId = "", metadata = [] }: RunFilter): boolean {
  const text = metadata.map(({ key, value }) => key + value).join("");
  return isStorable(workspaceId + organizationId + text) && text.isWellFormed();
}

export function createRunQueries({ clock }: Pick<Deps, "clock">, { runs }: Reads, reads: RunReads): RunQueries {
  return {
    runs: async (caller, ids) => permitOrNull(caller, "run:read", await runs(ids)),
    runByNumber: async (caller, workspaceId, number) =>
      (await reads.runByNumber(workspaceId, number))?.permit(caller, "run:read") ?? null,
    listRuns: async (caller, filter, page, { detail, offset = 0 }) => {
      if (!isAskable(filter)) return toPage(page, []);
      const workspaceId = newestRunsAskedOf(filter, page, offset);
      if (workspaceId !== null) {
        const newest = await reads.newestRuns(workspaceId, detail, page.limit + 1);
        return permitPage(caller, "run:read", toPage(page, newest));
      }
      const scope = scopeOf(caller, "run:read");
      return permitPage(caller, "run:read", await reads.listRuns(scope, filter, page, { detail, offset }));
    },
    countRuns: async (caller, filter, atMost) =>
      isAskable(filter) ? reads.countRuns(scopeOf(caller, "run:read"), filter, atMost) : 0,
    blockers: async (caller, asked) => permitLists(caller, "run:read", await reads.blockers(asked)),
    forceAllowedAt: async (caller, asked) =>
      permitOrNull(caller, "run:read", await reads.subjects(asked)).map((each) => each && forceAllowedAt(each.subject)),
    actions: async (caller, asked) =>
      permitOrNull(caller, "run:read", await reads.subjects(asked)).map((each) =>
        each === null ? [] : runActions(caller, each.subject, each.approvals, clock()),
      ),
    approvalRequirements: async (caller, asked) => {
      if (asked.length === 0) return [];
      const approverIds = await reads.approverIds();
      return permitOrNull(caller, "run:read", await reads.subjects(asked)).map((each) =>
        each === null ? [] : approvalRequirements(caller, each.subject, each.approvals, approverIds),
      );
    },
    timelines: async (caller, asked) => {
      const found = permitOrNull(caller, "run:read", await reads.statusChanges(asked));
      return asked.map((run, index) => {
        const changes = found[index] ?? null;
        return changes === null ? [] : timelineOf(run, changes);
      });
    },
    progress: async (caller, asked) => permitOrNull(caller, "run:read", await reads.progress(asked)),
  };
}
