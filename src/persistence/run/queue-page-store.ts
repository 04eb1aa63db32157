/** Pages of the runs that wait for a workspace. */
import { type RawBuilder, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { QueuePosition } from "../../model/run/queue-position.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader } from "../database/database.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";
import { STATUS_SQL } from "./status-sql.ts";

/** The runs that wait after a gate. They come first, and a speculative run waits for no other there. */
const AFTER_GATE = sql<boolean>`run.status in (${STATUS_SQL.afterGate}) and run.kind <> 'PLAN' and not run.holds_workspace`;
const QUEUED = sql<boolean>`run.status = ${STATUS_SQL.queued}`;

/** Lists the runs that wait for a workspace, in the order in which they are admitted. Each part is read by its index. */
export async function listQueue(
  reader: Reader,
  workspaceId: string,
  { limit, after, ...page }: PageRequest<QueuePosition>,
): Promise<Page<Run>> {
  const columns = sql.join(RUN_COLUMNS.map((column) => sql.ref(`run.${column}`)));
  const part = (of: RawBuilder<boolean>, rank: RawBuilder<number>) => sql`
    (select ${columns}, ${rank} as class from run
    where run.workspace_id = ${workspaceId} and ${of} ${after === null ? sql`` : behind(rank, after)}
    order by class, run.priority desc, run.number limit ${limit + 1})`;
  const { rows } = await sql<RunRow>`
    select * from (
      ${part(AFTER_GATE, sql<number>`(case when run.status = ${STATUS_SQL.approved} then 0 else 1 end)`)}
      union all ${part(QUEUED, sql<number>`2`)}
    ) waiting
    order by class, priority desc, number limit ${limit + 1}`.execute(reader.sql);
  return toPage({ limit, after, ...page }, rows.map(toRun));
}

function behind(rank: RawBuilder<number>, position: QueuePosition): RawBuilder<unknown> {
  return sql`and (${rank}, -run.priority, run.number) > (${position.class}, ${-position.priority}, ${position.number})`;
}

/** Counts the runs that wait for a workspace, up to `atMost`. */
export async function countQueue(reader: Reader, workspaceId: string, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      (select from run where run.workspace_id = ${workspaceId} and ${AFTER_GATE} limit ${atMost})
      union all (select from run where run.workspace_id = ${workspaceId} and ${QUEUED} limit ${atMost})
    ) waiting`.execute(reader.sql);
  return Math.min(rows[0]?.count ?? 0, atMost);
}
