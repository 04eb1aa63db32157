import { type PageRequest, toPage } from "../../model/kit/page.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { driftStatus } from "../../model/workspace/drift-report.ts";
import { findAcknowledgements } from "../../persistence/plan/drift-acknowledgement-store.ts";
import {
  findDriftReports,
  findNewestReports,
  findReportsOfRuns,
  listDriftedResources,
} from "../../persistence/plan/drift-report-store.ts";
import { queryOrNull } from "../access/query.ts";
import type { Reads } from "../access/reads.ts";
import { permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";

/** Queries about drift. Who may read the runs of a workspace sees them. */
export function createDriftQueries({ database, clock }: Pick<Deps, "database" | "clock">, base: Reads) {
  const { workspaces, runSummaries } = base;
  const itself = <Row>(row: Row): Row => row;
  const reports = base.byId((ids) => findDriftReports(database, ids), itself);
  const newest = base.below(workspaces, (ids) => findNewestReports(database, ids));
  const acknowledgements = base.below(reports, async (ids) => {
    const found = await findDriftReports(database, ids);
    const keys = found.map((report) => ({
      workspaceId: report?.workspaceId ?? "",
      fingerprint: report?.fingerprint ?? "",
    }));
    return findAcknowledgements(database, keys, clock().toISOString());
  });
  return {
    /** Returns the drift of each workspace; `null` without any, or if the caller may not read runs. */
    drifts: async (caller: ActorCaller, ids: readonly string[]) =>
      permitOrNull(caller, "RUN_READ", await workspaces(ids)).map((found) => found?.drift ?? null),
    driftReports: queryOrNull("RUN_READ", reports),
    driftReportsOfRuns: queryOrNull(
      "RUN_READ",
      base.below(runSummaries, (ids) => findReportsOfRuns(database, ids)),
    ),
    newestDriftReports: queryOrNull("RUN_READ", newest),
    /** Returns the acknowledgement of each report's drift that is in force. */
    driftAcknowledgements: queryOrNull("RUN_READ", acknowledgements),
    /** Returns the drift status of each workspace; UNKNOWN if the caller may not read runs. */
    driftStatuses: async (caller: ActorCaller, ids: readonly string[]) => {
      const drifts = permitOrNull(caller, "RUN_READ", await workspaces(ids)).map((found) => found?.drift ?? null);
      const newestReports = permitOrNull(caller, "RUN_READ", await newest(ids));
      const keys = drifts.map((drift, index) => ({
        workspaceId: ids[index] ?? "",
        fingerprint: drift?.fingerprint ?? "",
      }));
      const known = await findAcknowledgements(database, keys, clock().toISOString());
      return drifts.map((drift, index) =>
        driftStatus(drift !== null, newestReports[index] ?? null, (known[index] ?? null) !== null),
      );
    },
    /** Lists the resources of a report by address; positions count from 1. */
    listDriftedResources: async (caller: ActorCaller, reportId: string, page: PageRequest<number>) => {
      const read = () => listDriftedResources(database, reportId, page);
      return (await base.pageBelow(reports, reportId, read))?.permit(caller, "RUN_READ") ?? toPage(page, []);
    },
  };
}
