/** Pages of runs for callers who may see some of them. */
import { type RawBuilder, sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { RunDetail, RunSummary } from "../../model/run/run.ts";
import type { Reader } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { prepared, preparedBy, type Slot, unseen } from "../database/prepared.ts";
import type { RunRow } from "./run-row.ts";
import { RUN_VIEWS } from "./run-view.ts";

/** A scope in parts that have an index each: organizations, projects and workspaces. */
export type PartScope = Extract<CallerScope, { type: "some" }> & { organizationIds: readonly string[] };

/**
 * Returns the scope in parts, each of which is read by its index. `null` if it has too many parts, or begins at the
 * installation: then the runs are walked from the newest on, and those of other places are left out.
 *
 * A project takes 0.03 ms, a workspace 0.09 ms. The walk takes as long as there are newer runs of others: 400 ms for a reader
 * of 65 projects without a recent run among 500,000, where 64 such projects are read in 2 ms.
 */
export function inParts(scope: CallerScope): PartScope | null {
  if (scope.type !== "some" || scope.organizationIds === "ALL") return null;
  const { organizationIds, projectIds, workspaceIds } = scope;
  const isFew = organizationIds.length + projectIds.length <= LIMITS.placesPerRead;
  return isFew && workspaceIds.length <= LIMITS.workspacesPerRead ? { ...scope, organizationIds } : null;
}

interface PartArguments {
  organizationIds: readonly string[];
  hiddenProjectIds: readonly string[];
  projectIds: readonly string[];
  workspaceIds: readonly string[];
  organizationId: string;
  after: string;
  limit: number;
}

/** Numbers of runs that are read of each part. They are part of the statement: Postgres plans for the number. */
const SIZES = [21, 51, LIMITS.pageSize + 1] as const;
type Size = (typeof SIZES)[number];

const pages = preparedBy(
  (detail: RunDetail, ...form: [isNext: boolean, isOfOne: boolean, size: Size]) => [detail, ...form].join(),
  (detail, isNext, isOfOne, size) =>
    prepared((_db, slot: Slot<PartArguments>) => {
      const columns = sql.join(RUN_VIEWS[detail].columns.map((column) => sql.ref(`run.${column}`)));
      const older = isNext ? sql`and run.id < ${slot("after")}` : sql``;
      const ofOne = isOfOne ? sql`and run.organization_id = ${slot("organizationId")}` : sql``;
      const newest = (ids: RawBuilder<readonly string[]>, column: string, more = ofOne) => sql`
        select newest.* from unnest(${unseen(ids, "text[]")}) as part (id)
        cross join lateral (
          select ${columns} from run
          where ${sql.ref(`run.${column}`)} = part.id and not run.hidden
            and ${inKeptWorkspace("run.workspace_id")} ${older} ${more}
          order by run.id desc limit ${sql.lit(size)}
        ) newest`;
      const isShown = sql`and run.project_id <> all (${unseen(slot("hiddenProjectIds"), "text[]")}::text[])`;
      // A run may be in several parts.
      return sql<RunRow>`
        select distinct on (id) * from (
          ${newest(slot("organizationIds"), "organization_id", isShown)}
          union all ${newest(slot("projectIds"), "project_id")}
          union all ${newest(slot("workspaceIds"), "workspace_id")}
        ) page
        order by id desc limit ${unseen(slot("limit"), "int")}`;
    }),
);

/** The newest runs of a scope behind a position, newest first, at most so many. `organizationId`: of this one alone. */
export async function listRunsOfParts(
  reader: Reader,
  parts: PartScope,
  organizationId: string | null,
  { after, limit }: { after: string | null; limit: number },
  detail: RunDetail,
): Promise<RunSummary[]> {
  const { organizationIds, hiddenProjectIds, projectIds, workspaceIds } = parts;
  const isAsked = (id: string): boolean => organizationId === null || id === organizationId;
  const size = SIZES.find((one) => one >= limit) ?? LIMITS.pageSize + 1;
  const rows = await pages(
    detail,
    after !== null,
    organizationId !== null,
    size,
  )(reader, {
    organizationIds: organizationIds.filter(isAsked),
    hiddenProjectIds,
    projectIds,
    workspaceIds,
    organizationId: organizationId ?? "",
    after: after ?? "",
    limit,
  });
  return rows.map(RUN_VIEWS[detail].show);
}
