/** Lists of runs. Those of deleted workspaces are not in them. */
import { type RawBuilder, sql } from "kysely";
import { type DialectFilter, type DialectPosition, positionsInDialect } from "../../model/lifecycle/dialect-filter.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { firstIdAt } from "../../model/kit/id.ts";
import { type CallerScope, EVERYTHING } from "../../model/people/permission.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { RunKind, RunOutcome, RunTrigger } from "../../model/lifecycle/run-kind.ts";
import type { RunDetail, RunOrder, RunSummary } from "../../model/run/run.ts";
import { GATE_STATUSES, type RequiredAction, type RunStatus } from "../../model/lifecycle/run-status.ts";
import type { Reader } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { grouped } from "../database/group.ts";
import { prepared, type Slot, unseen } from "../database/prepared.ts";
import { type BlockedBy, hasBlockerOf } from "./blocked-by-sql.ts";
import { inParts, listRunsOfParts } from "./scoped-run-page.ts";
import { hasLabels } from "../workspace/label-store.ts";
import { requiresOneOf } from "./required-action-sql.ts";
import { destroys, hasText, ofNamedWorkspace } from "./run-search-sql.ts";
import { RUN_VIEWS, type RunView } from "./run-view.ts";
import { SCOPE_OF_RUN } from "../database/place.ts";
import { within } from "../database/scope.ts";
import { PLANNED_EACH_TIME } from "../database/statement-names.ts";

/** Which runs: given fields are joined by AND; an empty list matches nothing. */
export interface RunSelection {
  organizationId?: string;
  workspaceId?: string;
  /** Their workspaces have all of these labels. */
  labels?: readonly string[];
  changesetId?: string;
  /** A part of the message or of the name of the workspace, without regard to case. */
  search?: string;
  workspaceIds?: readonly string[];
  /** A part of the name of the workspace, without regard to case. */
  workspaceSearch?: string;
  createdByIds?: readonly string[];
  outcomes?: readonly RunOutcome[];
  /** The least number of resources that the newest plan destroys. */
  minDestructions?: number;
  /** The actions that they require of a person. */
  requiredActions?: readonly RequiredAction[];
  blockedBy?: BlockedBy;
  /** A filter by kinds depends on an instant: `selectionAt` of the domain makes `blockedBy` of it. */
  blockerKinds?: never;
  /** The instant as of which locks count, RFC 3339; absent: that of the statement. */
  at?: string;
  /** RFC 3339, exclusive. */
  endedAfter?: string;
  statuses?: readonly RunStatus[];
  kinds?: readonly RunKind[];
  triggers?: readonly RunTrigger[];
  /** Whether they wait at a gate. */
  needsApproval?: boolean;
  /** Instants, exclusive. */
  createdAfter?: string;
  createdBefore?: string;
  /** They have all of these. */
  metadata?: readonly { key: string; value: string }[];
  /** In the words of other products. */
  dialect?: DialectFilter;
}

/** A place in one text, as `PLACE` writes that of a run. */
const placeText = ({ kind, status, leg, outcome, forced }: DialectPosition): string =>
  [kind, status, leg, outcome ?? "", forced].join();
const PLACE = sql<string>`concat_ws(',', run.kind, run.status, run.leg, coalesce(run.outcome, ''), run.forced::text)`;

/** By status, which has an index; what remains is compared as a whole. */
function inPlaces(places: readonly DialectPosition[]) {
  const statuses = [...new Set(places.map(({ status }) => status))];
  return sql<boolean>`(run.status = any(${statuses}) and ${PLACE} = any(${places.map(placeText)}))`;
}

/**
 * Selects the runs of one workspace, whose row is read once, separately: for a join Postgres assumes that next to no runs
 * are left, and reads and sorts all of them instead of the first few by the index.
 */
function ofKeptWorkspace(id: string | RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`run.workspace_id = ${id} and not run.hidden
    and exists (select from workspace kept where kept.id = ${id} and kept.deleted_at is null)`;
}

/** Those that are marked are in no index of lists; what was deleted a moment ago is not marked yet. */
const ofKeptWorkspaces = sql<boolean>`not run.hidden and ${inKeptWorkspace("run.workspace_id")}`;

/** The condition that a run's workspace has all labels. Deleted workspaces are in no index of labels. */
function ofLabelledWorkspace(labels: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select from workspace labelled where labelled.id = run.workspace_id
    and labelled.deleted_at is null and ${hasLabels("labelled", labels)})`;
}

function selection(
  db: Reader["sql"],
  given: Omit<RunSelection, "workspaceId">,
  workspace?: string | RawBuilder<string>,
  scope: CallerScope = EVERYTHING,
) {
  const { organizationId, changesetId, statuses, kinds, triggers, needsApproval, createdAfter, createdBefore } = given;
  const places = given.dialect === undefined ? null : positionsInDialect(given.dialect);
  const limits = within(scope, SCOPE_OF_RUN);
  const { workspaceIds, createdByIds, outcomes, endedAfter, requiredActions, blockedBy } = given;
  const fields = [statuses, kinds, triggers, given.metadata, given.labels];
  const lists = [...fields, workspaceIds, createdByIds, outcomes, requiredActions, blockedBy?.kinds];
  const nothing = lists.some((list) => list?.length === 0);
  return db
    .selectFrom("run")
    .where(workspace === undefined ? ofKeptWorkspaces : ofKeptWorkspace(workspace))
    .$if(limits !== null, (q) => q.where(limits ?? sql<boolean>`true`))
    .$if(nothing, (q) => q.where(sql<boolean>`false`))
    .$if(organizationId !== undefined, (q) => q.where("organization_id", "=", organizationId ?? ""))
    .$if(!nothing && given.labels !== undefined, (q) => q.where(ofLabelledWorkspace(given.labels ?? [])))
    .$if(changesetId !== undefined, (q) => q.where("changeset_id", "=", changesetId ?? ""))
    .$if(!nothing && statuses !== undefined, (q) => q.where("status", "in", statuses ?? []))
    .$if(!nothing && kinds !== undefined, (q) => q.where("kind", "in", kinds ?? []))
    .$if(!nothing && triggers !== undefined, (q) => q.where("trigger", "in", triggers ?? []))
    .$if(needsApproval === true, (q) => q.where("status", "in", GATE_STATUSES))
    .$if(needsApproval === false, (q) => q.where("status", "not in", GATE_STATUSES))
    .$if(places !== null, (q) => q.where(inPlaces(places ?? [])))
    .$if(createdAfter !== undefined, (q) =>
      q.where("created_at", ">", createdAfter ?? "").where("id", ">=", idAround(createdAfter, -CLOCKS_MS)),
    )
    .$if(!nothing && workspaceIds !== undefined, (q) => q.where(isOneOf("run.workspace_id", workspaceIds ?? [])))
    .$if(!nothing && createdByIds !== undefined, (q) => q.where(isOneOf("run.created_by", createdByIds ?? [])))
    .$if(!nothing && outcomes !== undefined, (q) =>
      q.where("status", "=", "FINISHED").where("outcome", "in", outcomes ?? []),
    )
    .$if(!nothing && requiredActions !== undefined, (q) =>
      q.where(requiresOneOf(requiredActions ?? [], given.at ?? "now")),
    )
    .$if(!nothing && blockedBy !== undefined, (q) => q.where(blockedBy ? hasBlockerOf(blockedBy) : sql<boolean>`true`))
    .$if(given.workspaceSearch !== undefined, (q) => q.where(ofNamedWorkspace(given.workspaceSearch ?? "")))
    .$if(given.search !== undefined, (q) => q.where(hasText(given.search ?? "")))
    .$if(given.minDestructions !== undefined, (q) => q.where(destroys(given.minDestructions ?? 0)))
    .$if(endedAfter !== undefined, (q) =>
      q.where("finished_at", ">", endedAfter ?? "").where("id", ">=", idAround(endedAfter, -LIMITS.runSearchMs)),
    )
    .$if(createdBefore !== undefined, (q) =>
      q.where("created_at", "<", createdBefore ?? "").where("id", "<", idAround(createdBefore, CLOCKS_MS)),
    )
    .$if(!nothing && given.metadata !== undefined, (q) => q.where(hasMetadata(given.metadata ?? [])));
}

/**
 * A list in one parameter, so that the statement is one for all numbers of items. One id is compared as a single value: its runs
 * are then read in order by an index, also if there are none, where a list may walk over all runs.
 */
function isOneOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return sql<boolean>`${sql.ref(column)} = ${only}`;
  return sql<boolean>`${sql.ref(column)} = any(${ids}::text[])`;
}

/** The time of a run's id and the instant of its creation differ by less: one process has both from its clock. */
const CLOCKS_MS = 60 * 60 * 1000;

/**
 * Where runs of that time begin or end in the order of lists, which is that of ids: they begin with their time. With the
 * instant alone a list would be looked through from its newest run to the first one that is old enough.
 */
function idAround(instant: string | undefined, byMs: number): string {
  return firstIdAt("run", Math.max(0, Date.parse(instant ?? "") + byMs));
}

/** In two terms, so that the index on runs with any metadata is used. A key that is asked for twice matches nothing. */
function hasMetadata(entries: readonly { key: string; value: string }[]) {
  const wanted = entries.map(({ key, value }) => sql`metadata @> ${JSON.stringify({ [key]: value })}::jsonb`);
  return sql<boolean>`metadata <> '{}' and ${sql.join(wanted, sql` and `)}`;
}

interface PageArguments {
  workspaceId: string;
  after: string;
  limit: number;
}

/** A number of the statement: of a limit that it does not see Postgres takes it that a tenth of all runs are wanted. */
const MOST = sql.lit(LIMITS.pageSize + 1);

/** Pages as most are asked for: no filter, from the newest run or from a cursor on. */
function preparePages({ columns }: RunView) {
  const newest = (db: Reader["sql"], runs: ReturnType<typeof selection>, limit: RawBuilder<number>) =>
    db
      .selectFrom(runs.select(columns).orderBy("id", "desc").limit(MOST).as("most"))
      .selectAll()
      .orderBy("id", "desc")
      .limit(unseen(limit, "int"));
  const page = (build: (db: Reader["sql"], slot: Slot<PageArguments>) => ReturnType<typeof selection>) =>
    prepared((db, slot: Slot<PageArguments>) => newest(db, build(db, slot), slot("limit")));
  return {
    first: page((db) => selection(db, {})),
    next: page((db, slot) => selection(db, {}).where("id", "<", slot("after"))),
    nextOfWorkspace: page((db, slot) => selection(db, {}, slot("workspaceId")).where("id", "<", slot("after"))),
    /** Reads each workspace separately, by the index and no further than the limit. */
    firstOfWorkspaces: prepared((db, slot: Slot<{ workspaceIds: readonly string[]; limit: number }>) =>
      db
        .selectFrom(
          sql<{ workspace_id: string }>`unnest(${unseen(slot("workspaceIds"), "text[]")})`.as<"asked">(
            sql`asked (workspace_id)`,
          ),
        )
        .innerJoinLateral(
          newest(db, selection(db, {}, sql.ref("asked.workspace_id")), slot("limit")).as("newest"),
          (join) => join.onTrue(),
        )
        .selectAll("newest")
        .orderBy("newest.id", "desc"),
    ),
  };
}

const PAGES = { WHOLE: preparePages(RUN_VIEWS.WHOLE), SUMMARY: preparePages(RUN_VIEWS.SUMMARY) };

/** The newest runs of each workspace, newest first. */
export async function listNewestRuns(
  reader: Reader,
  workspaceIds: readonly string[],
  limit: number,
  detail: RunDetail = "WHOLE",
): Promise<RunSummary[][]> {
  const rows = await PAGES[detail].firstOfWorkspaces(reader, { workspaceIds, limit });
  return grouped(workspaceIds, rows.map(RUN_VIEWS[detail].show), (run) => run.workspaceId);
}

/** null: it has a filter, or another order than from the newest on. */
function plainPageOf(filter: RunSelection, page: PageRequest<string>, offset: number) {
  const { workspaceId = null, ...others } = filter;
  const isPlain = Object.keys(others).length === 0 && offset === 0 && page.direction === "forward";
  return isPlain && page.before === null ? { workspaceId } : null;
}

/** The workspace whose newest runs are asked for, and nothing else; null: something else is. */
export function newestRunsAskedOf(filter: RunSelection, page: PageRequest<string>, offset = 0): string | null {
  return page.after === null ? (plainPageOf(filter, page, offset)?.workspaceId ?? null) : null;
}

async function listPlainRuns(
  reader: Reader,
  workspaceId: string | null,
  page: PageRequest<string>,
  detail: RunDetail,
): Promise<RunSummary[]> {
  const limit = page.limit + 1;
  if (workspaceId !== null && page.after === null) {
    return (await listNewestRuns(reader, [workspaceId], limit, detail)).flat();
  }
  const { first, next, nextOfWorkspace } = PAGES[detail];
  const ask = workspaceId !== null ? nextOfWorkspace : page.after === null ? first : next;
  const rows = await ask(reader, { workspaceId: workspaceId ?? "", after: page.after ?? "", limit });
  return rows.map(RUN_VIEWS[detail].show);
}

export interface RunListOptions {
  detail?: RunDetail;
  /** The number of first runs to skip. */
  offset?: number;
  order?: RunOrder;
}

/** Lists the runs of a scope, in their order; positions are ids, which sort by time. `offset`: so many are passed over. */
export async function listRuns(
  reader: Reader,
  scope: CallerScope,
  filter: RunSelection,
  page: PageRequest<string>,
  { detail = "WHOLE", offset = 0, order = "NEWEST_FIRST" }: RunListOptions = {},
): Promise<Page<RunSummary>> {
  const { after, before } = page;
  const isNewestFirst = order === "NEWEST_FIRST";
  const plain = isNewestFirst ? plainPageOf(filter, page, offset) : null;
  if (plain !== null && scope.type === "everything")
    return toPage(page, await listPlainRuns(reader, plain.workspaceId, page, detail));
  const parts = isNewestFirst ? inParts(scope) : null;
  const { organizationId = null, ...others } = filter;
  if (parts !== null && plainPageOf(others, page, offset)?.workspaceId === null) {
    return toPage(page, await listRunsOfParts(reader, parts, organizationId, { after, limit: page.limit + 1 }, detail));
  }
  const { columns, show } = RUN_VIEWS[detail];
  const rows = await selection(reader.sql, filter, filter.workspaceId, scope)
    .select(columns)
    .$if(after !== null, (q) => q.where("id", isNewestFirst ? "<" : ">", after ?? ""))
    .$if(before !== null, (q) => q.where("id", isNewestFirst ? ">" : "<", before ?? ""))
    .orderBy("id", (page.direction === "forward") === isNewestFirst ? "desc" : "asc")
    .limit(page.limit + 1)
    .offset(offset)
    .modifyEnd(sql.raw(PLANNED_EACH_TIME))
    .execute();
  const found = toPage(page, rows.map(show));
  return offset === 0 ? found : { ...found, hasPreviousPage: true };
}

/** Selects runs of a scope, oldest first, each with its newest plan. */
export async function selectRunsForBulk(
  reader: Reader,
  scope: CallerScope,
  filter: RunSelection,
  limit: number,
): Promise<{ runId: string; planVersion: number }[]> {
  const rows = await selection(reader.sql, filter, filter.workspaceId, scope)
    .select(["id", "plan_version"])
    .orderBy("id")
    .limit(limit)
    .modifyEnd(sql.raw(PLANNED_EACH_TIME))
    .execute();
  return rows.map((row) => ({ runId: row.id, planVersion: row.plan_version }));
}

/**
 * The condition of the newest runs of a scope that match and have a plan, as a subquery of ids; for statements that read
 * more about their plans.
 */
export function newestPlannedRuns(reader: Reader, scope: CallerScope, filter: RunSelection, also: RawBuilder<boolean>) {
  return selection(reader.sql, filter, filter.workspaceId, scope)
    .select("run.id")
    .where(also)
    .orderBy("run.id", "desc");
}

/** Counts the runs of a scope that match; counting stops at `atMost`. */
export async function countRuns(
  reader: Reader,
  scope: CallerScope,
  filter: RunSelection,
  atMost: number,
): Promise<number> {
  const row = await reader.sql
    .selectFrom(selection(reader.sql, filter, filter.workspaceId, scope).select("id").limit(atMost).as("some"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .modifyEnd(sql.raw(PLANNED_EACH_TIME))
    .executeTakeFirstOrThrow();
  return row.count;
}
