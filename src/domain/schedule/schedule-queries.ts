import type { PageRequest } from "../../model/kit/page.ts";
import { toPage } from "../../model/kit/page.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { findSchedules, listSchedules, listSchedulesOfWorkspaces } from "../../persistence/schedule/schedule-store.ts";
import { queryLists, queryOrNull, queryPlacedLists } from "../access/query.ts";
import { findInboundHooks, listInboundHooks } from "../../persistence/schedule/inbound-hook-store.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { InboundHook } from "../../model/schedule/inbound-hook.ts";
import type { Reads } from "../access/reads.ts";
import { permitPage } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import { cronTimes, type CronTimesInput } from "./cron-times.ts";

/** Queries about schedules. Who may read the runs of their place sees them. */
export function createScheduleQueries({ database, clock }: Pick<Deps, "database" | "clock">, reads: Reads) {
  const itself = <Row>(row: Row): Row => row;
  const schedules = reads.byId((ids) => findSchedules(database, ids), itself);
  const hookPlace = ({ organizationId: id }: InboundHook) => organizationPlace({ id });
  const hooks = reads.byId((ids) => findInboundHooks(database, ids), hookPlace);
  const hooksOf = reads.lists((ids) => listInboundHooks(database, ids), hookPlace);
  const ofWorkspaces = reads.below(reads.workspaces, (ids) => listSchedulesOfWorkspaces(database, ids), itself);
  return {
    /** Returns the next times of a cron expression, which every caller that is signed in may ask for. */
    cronTimes: async (_caller: ActorCaller, input: CronTimesInput) => cronTimes(input, clock()),
    inboundHooks: queryOrNull("WEBHOOK_WRITE", hooks),
    inboundHooksOfOrganizations: queryPlacedLists("WEBHOOK_WRITE", hooksOf),
    schedules: queryOrNull("RUN_READ", schedules),
    /** Returns the schedules that name each workspace, without those of its labels. */
    schedulesOfWorkspaces: queryLists("RUN_READ", ofWorkspaces),
    /** Lists the schedules of an organization and of its workspaces, oldest first; positions are ids. */
    listSchedules: async (caller: ActorCaller, organizationId: string, page: PageRequest<string>) => {
      if (!isStorable(organizationId)) return toPage(page, []);
      const scope = scopeOf(caller, "RUN_READ");
      const found = await reads.page(() => listSchedules(database, scope, organizationId, page), itself);
      return permitPage(caller, "RUN_READ", found);
    },
  };
}
