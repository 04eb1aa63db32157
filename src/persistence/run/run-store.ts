import { GATE_STATUSES, type RunStatus, STATUS_OF } from "../../model/lifecycle/run-status.ts";
import { type Insertable, sql } from "kysely";
import type { Hook } from "../../model/workspace/hook.ts";
import type { Run, RunSummary } from "../../model/run/run.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { inOrder } from "../database/group.ts";
import { isAnyOf, type Prepared, prepared, preparedBy, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import { type ChangeEffects, eventArguments, eventParts, type NewRunEvent, shapeOfParts } from "./run-event-parts.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";
import { RUN_VIEWS } from "./run-view.ts";

/** The source of a run: an archive, and where in it the engine runs. */
export interface RunSource {
  blobId: string;
  /** `.` is the root of the archive. */
  workFolder: string;
  /** The digest of its `source_inputs`; `null` if the source is no repository. */
  inputsDigest: string | null;
  /** The address of the page of its commit; `null` if there is none. */
  commitUrl: string | null;
}

/** The content of a run that does not exist yet: what to do, and from which source. */
export interface NewRunContent
  extends Pick<
      Run,
      | "kind"
      | "trigger"
      | "message"
      | "revision"
      | "targets"
      | "replace"
      | "refreshOnly"
      | "command"
      | "metadata"
      | "priority"
      | "scheduledAt"
      | "originId"
      | "planRunId"
      | "planVersion"
      | "createdAt"
    >,
    Partial<Pick<Run, "changesetId" | "cause" | "awaitsUpstream" | "stageCount">> {
  /** Why it is SKIPPED at once; absent or `null`: it is queued. */
  skipReason?: string | null;
  /** `null`: a run that needs none (UNLOCK). */
  source: RunSource | null;
}

/** A run that does not exist yet, with its variables as they are now, sealed. */
export interface NewRun
  extends NewRunContent,
    Pick<
      Run,
      "id" | "organizationId" | "projectId" | "workspaceId" | "leg" | "createdById" | "actingRunId" | "requestedByIds"
    > {
  alarmAt?: string | null;
  variablesSealed: Buffer;
  /** Advisory findings of policies about it that stop auto-apply; absent: none. */
  policyWarnings?: number;
  /** Judgements of policies about it, which its first events name; absent: none. */
  evaluationIds?: readonly string[];
  /** As they are now; absent: none. */
  hooks?: readonly Hook[];
}

/** The columns of a new run but for its number, which is the next one of its workspace. */
function columnsOf(run: NewRun): Insertable<Omit<Tables["run"], "number">> {
  return {
    id: run.id,
    organization_id: run.organizationId,
    project_id: run.projectId,
    workspace_id: run.workspaceId,
    kind: run.kind,
    status: firstStatus(run),
    leg: run.leg,
    trigger: run.trigger,
    created_by: run.createdById,
    acting_run_id: run.actingRunId,
    requested_by: run.actingRunId === null && run.requestedByIds.length === 0 ? null : [...run.requestedByIds],
    message: run.message,
    revision: run.revision,
    source_blob_id: run.source?.blobId ?? null,
    work_folder: run.source?.workFolder ?? ".",
    inputs_digest: run.source?.inputsDigest ?? null,
    commit_url: run.source?.commitUrl ?? null,
    variables_sealed: run.variablesSealed,
    hooks: JSON.stringify(run.hooks ?? []),
    targets: run.targets,
    replace: run.replace,
    refresh_only: run.refreshOnly,
    command: run.command,
    metadata: JSON.stringify(run.metadata),
    priority: run.priority,
    scheduled_at: run.scheduledAt,
    alarm_at: run.alarmAt ?? null,
    origin_id: run.originId,
    plan_run_id: run.planRunId,
    plan_version: run.planVersion,
    ...((run.stageCount ?? 0) > 0 && { stage_count: run.stageCount }),
    changeset_id: run.changesetId ?? null,
    cause: run.cause ? JSON.stringify(run.cause) : null,
    ...(run.awaitsUpstream === true && { awaits_upstream: true }),
    ...(typeof run.skipReason === "string" && { reason: run.skipReason, finished_at: run.createdAt }),
    ...((run.policyWarnings ?? 0) > 0 && { policy_warnings: run.policyWarnings }),
    version: 1 + (run.evaluationIds ?? []).length,
    status_version: 1,
    created_at: run.createdAt,
    status_at: run.createdAt,
  };
}

function firstStatus({ skipReason = null }: Pick<NewRun, "skipReason">): RunStatus {
  return skipReason === null ? STATUS_OF.creation : STATUS_OF.skippedCreation;
}

/** The insertions by their columns, events and effects: four, and those of runs that policies judged. */
const insertionOf = preparedBy(
  (columns: readonly string[], events: readonly NewRunEvent[], effects: ChangeEffects) =>
    `${shapeOfParts(events, effects)} ${columns.join()}`,
  prepareInsertion,
);

function prepareInsertion(
  columns: readonly string[],
  events: readonly NewRunEvent[],
  effects: ChangeEffects,
): Prepared<Record<string, unknown>, RunRow> {
  return prepared((_db, slot: Slot<Record<string, unknown>>) => {
    const names = [sql.ref("number"), ...columns.map((name) => sql.ref(name))];
    const numbered = sql`(select last_run_number from numbered)`;
    return sql<RunRow>`
      with numbered as (
        update workspace set last_run_number = last_run_number + 1 where id = ${slot("workspace_id")}
        returning last_run_number
      ), log as (insert into log_head (run_id, last_line) values (${slot("id")}, 0)),
      ${eventParts(slot, events, effects)}
      insert into run (${sql.join(names)}) values (${sql.join([numbered, ...columns.map((name) => slot(name))])})
      returning ${sql.join(RUN_COLUMNS.map((name) => sql.ref(name)))}`;
  });
}

/**
 * Inserts a run that is QUEUED or SKIPPED, under the next number of its workspace, whose row must be locked. With it, in one
 * statement: its first events, its empty log, and the event of the workspace if there are `workspaceFields`.
 */
export async function insertRun(
  tx: Transaction,
  run: NewRun,
  { workspaceFields = [] }: Pick<ChangeEffects, "workspaceFields"> = {},
): Promise<Run> {
  const { id: runId, createdAt: at, createdById: actorId } = run;
  const { skipReason: reason = null, evaluationIds = [] } = run;
  const status = { type: "STATUS_CHANGED", from: null, to: firstStatus(run), reason } as const;
  const judged = evaluationIds.map((evaluationId) => ({ type: "POLICY_EVALUATED", evaluationId }) as const);
  const events = [status, ...judged].map((body, index) => ({ ...body, runId, version: index + 1, at, actorId }));
  const effects = { workspaceFields };
  const columns = columnsOf(run);
  const insertion = insertionOf(Object.keys(columns), events, effects);
  const feed = { ...run, changesetId: run.changesetId ?? null };
  const [row] = await insertion(tx, { ...columns, ...eventArguments(feed, events, effects) });
  if (row === undefined) throw new Error(`The run ${runId} was not inserted.`);
  tx.published(feed, events.length + (workspaceFields.length > 0 ? 1 : 0));
  return toRun(row);
}

const lockedRun = prepared((db, slot: Slot<{ id: string }>) =>
  db.selectFrom("run").select(RUN_COLUMNS).where("id", "=", slot("id")).forNoKeyUpdate(),
);

/** Locks the row of a run, to which log lines can still be added; the row of its workspace must be locked before. */
export async function lockRun(tx: Transaction, runId: string): Promise<Run> {
  const [row] = await lockedRun(tx, { id: runId });
  if (row === undefined) throw new Error(`There is no run ${runId}.`);
  return toRun(row);
}

/** The statements by the part of the run that they read. */
function prepareRunsById<Column extends (typeof RUN_COLUMNS)[number]>(columns: readonly Column[]) {
  return prepared((db, slot: Slot<{ ids: readonly string[] }>) =>
    db
      .selectFrom("run")
      .select(columns)
      .where("id", "=", isAnyOf(slot("ids")))
      .where(inKeptWorkspace("run.workspace_id")),
  );
}
const wholeRunsById = prepareRunsById(RUN_COLUMNS);
const summariesById = prepareRunsById(RUN_VIEWS.SUMMARY.columns);

/** Runs of deleted workspaces are not found. */
export async function findRuns(reader: Reader, ids: readonly string[]): Promise<(Run | null)[]> {
  const rows = await wholeRunsById(reader, { ids });
  return inOrder(ids, rows.map(toRun), (run) => run.id);
}

/** Finds the summaries of runs. Runs of deleted workspaces are not found. */
export async function findRunSummaries(reader: Reader, ids: readonly string[]): Promise<(RunSummary | null)[]> {
  const rows = await summariesById(reader, { ids });
  return inOrder(ids, rows.map(RUN_VIEWS.SUMMARY.show), (run) => run.id);
}

export async function findRun(reader: Reader, id: string): Promise<Run | null> {
  const [run = null] = await findRuns(reader, [id]);
  return run;
}

export async function findRunByNumber(reader: Reader, workspaceId: string, number: number): Promise<Run | null> {
  const row = await reader.sql
    .selectFrom("run")
    .select(RUN_COLUMNS)
    .where("workspace_id", "=", workspaceId)
    .where("number", "=", number)
    .executeTakeFirst();
  return row === undefined ? null : toRun(row);
}

/** The run that holds each workspace. */
export async function findHolders(reader: Reader, workspaceIds: readonly string[]): Promise<(Run | null)[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .select(RUN_COLUMNS)
    .where("workspace_id", "in", workspaceIds)
    .where("holds_workspace", "=", sql.lit(true))
    .execute();
  return inOrder(workspaceIds, rows.map(toRun), (run) => run.workspaceId);
}

/** Ids of the runs of a workspace that wait at a gate. */
export async function listRunsAtGate(reader: Reader, workspaceId: string): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("status", "in", GATE_STATUSES)
    .orderBy("number")
    .execute();
  return rows.map((row) => row.id);
}

/** The sealed variables of each run, with its workspace; `null` if there is no such run. */
export async function findSealedVariables(
  reader: Reader,
  ids: readonly string[],
): Promise<({ runId: string; workspaceId: string; sealed: Buffer } | null)[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .select(["id as runId", "workspace_id as workspaceId", "variables_sealed as sealed"])
    .where("id", "in", ids)
    .execute();
  return inOrder(ids, rows, ({ runId }) => runId);
}

/** Reads the inputs of a run for its runner: where its source is, and its sealed variables. */
export async function getRunInput(
  reader: Reader,
  runId: string,
): Promise<{ source: RunSource | null; variablesSealed: Buffer }> {
  const row = await reader.sql
    .selectFrom("run")
    .select(["source_blob_id", "work_folder", "inputs_digest", "commit_url", "variables_sealed"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const { source_blob_id: blobId, work_folder: workFolder, inputs_digest: inputsDigest, commit_url: commitUrl } = row;
  const source = blobId === null ? null : { blobId, workFolder, inputsDigest, commitUrl };
  return { source, variablesSealed: row.variables_sealed };
}
