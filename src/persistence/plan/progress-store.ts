/** How far the phases of runs are, and how long those before them took. */
import { type Selectable, sql } from "kysely";
import {
  ESTIMATE_BY_PHASES,
  PROGRESS_PHASES,
  type ProgressHistory,
  type ProgressPhase,
  type ResourceProgress,
  type RunProgress,
} from "../../model/run/run-progress.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

/** A report of a job: of two, the one with the higher number is the newer. */
export interface NumberedProgress {
  runId: string;
  phase: ProgressPhase;
  jobId: string;
  sequence: number;
  progress: ResourceProgress;
}

/** Finds when progress of the phase was last published; `null` if never, or for an earlier job. */
export async function findReportedProgress(
  tx: Transaction,
  { runId, phase, jobId }: Pick<NumberedProgress, "runId" | "phase" | "jobId">,
): Promise<{ sequence: number; reportedAt: string } | null> {
  const row = await tx.sql
    .selectFrom("run_progress")
    .select(["sequence", "reported_at"])
    .where("run_id", "=", runId)
    .where("phase", "=", phase)
    .where("job_id", "=", jobId)
    .executeTakeFirst();
  return row === undefined ? null : { sequence: row.sequence, reportedAt: row.reported_at };
}

/** Puts a report in the place of the one before; the row of the run must be locked. */
export async function putProgress(
  tx: Transaction,
  { runId, phase, jobId, sequence, progress }: NumberedProgress,
  times: { at: string; reportedAt: string },
): Promise<void> {
  const row = {
    job_id: jobId,
    sequence,
    total: progress.total,
    done: progress.done,
    failed: progress.failed,
    current: JSON.stringify(progress.current),
    current_count: progress.currentCount,
    updated_at: times.at,
    reported_at: times.reportedAt,
  };
  await tx.sql
    .insertInto("run_progress")
    .values({ run_id: runId, phase, ...row })
    .onConflict((conflict) => conflict.columns(["run_id", "phase"]).doUpdateSet(row))
    .execute();
}

function toProgress(row: Selectable<Tables["run_progress"]>): RunProgress {
  return {
    phase: word(PROGRESS_PHASES, row.phase),
    total: row.total,
    done: row.done,
    failed: row.failed,
    current: row.current,
    currentCount: row.current_count,
    updatedAt: row.updated_at,
  };
}

/** Finds the progress of each run's newest phase. */
export async function findNewestProgress(reader: Reader, runIds: readonly string[]): Promise<(RunProgress | null)[]> {
  const rows = await reader.sql
    .selectFrom("run_progress")
    .selectAll()
    .distinctOn("run_id")
    .where("run_id", "in", runIds)
    .orderBy("run_id")
    // No clock is asked: a plan comes first, and what applies it is one phase.
    .orderBy((eb) => eb("phase", "=", "PLAN"))
    .execute();
  return inOrder(runIds, rows, (row) => row.run_id).map((row) => (row === null ? null : toProgress(row)));
}

interface HistoryRow {
  id: string;
  started_at: string | null;
  earlier: { ms: number; total: number | null }[];
}

/** Reads the facts from which the end of each run's current phase is estimated; `null` without such a phase. */
export async function readProgressHistory(
  reader: Reader,
  asked: readonly { runId: string; phase: ProgressPhase }[],
): Promise<(ProgressHistory | null)[]> {
  if (asked.length === 0) return [];
  const ids = asked.map(({ runId }) => runId);
  const phases = asked.map(({ phase }) => phase);
  const { rows } = await sql<HistoryRow>`
    select run.id,
      (select p.started_at from phase p where p.run_id = run.id and p.kind = asked.phase and p.status = 'RUNNING') as started_at,
      coalesce(earlier.list, '[]') as earlier
    from unnest(${ids}::text[], ${phases}::text[]) as asked (id, phase)
    join run on run.id = asked.id
    cross join lateral (
      select jsonb_agg(jsonb_build_object('ms', took.ms, 'total', took.total) order by took.finished_at desc) as list
      from (
        select extract(epoch from p.finished_at - p.started_at)::float8 * 1000 as ms, g.total, ended.finished_at
        from (select e.id, e.finished_at from run e
          where e.workspace_id = run.workspace_id and e.finished_at is not null
          order by e.finished_at desc limit ${ESTIMATE_BY_PHASES * 5}) ended
        join phase p on p.run_id = ended.id and p.kind = asked.phase and p.status = 'PASSED' and p.finished_at is not null
        left join run_progress g on g.run_id = ended.id and g.phase = asked.phase
        order by ended.finished_at desc limit ${ESTIMATE_BY_PHASES}
      ) took
    ) earlier
  `.execute(reader.sql);
  return inOrder(ids, rows, (row) => row.id).map((row) =>
    row === null || row.started_at === null ? null : { startedAt: row.started_at, earlier: row.earlier },
  );
}
