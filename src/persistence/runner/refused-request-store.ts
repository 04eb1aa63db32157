import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { RefusedRequest } from "../../model/runner/refused-request.ts";
import type { Reader } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

export interface NewRefusal {
  jobId: string;
  at: string;
  request: string;
  code: string;
  message: string;
}

/**
 * Keeps what a job was refused, outside the transaction that was rolled back. The first `atMost` of a job are rows, all
 * of them are counted. One statement: however many come at once, there are no more rows than that.
 */
export async function recordRefusedRequest(reader: Reader, refusal: NewRefusal, atMost: number): Promise<void> {
  const { jobId, at, request, code, message } = refusal;
  await sql`
    with counted as (
      insert into refused_count as old (job_id, run_id, count)
      select id, run_id, 1 from job where id = ${jobId}
      on conflict (job_id) do update set count = least(old.count + 1, 2147483646)
      returning job_id, count
    )
    insert into refused_request
      (at, organization_id, workspace_id, run_id, job_id, runner_id, request, code, message)
    select ${at}, job.organization_id, job.workspace_id, job.run_id, job.id, job.runner_id,
      ${request}, ${code}, ${message}
    from counted join job on job.id = counted.job_id where counted.count <= ${atMost}
  `.execute(reader.sql);
}

function toRefusal(row: Selectable<Tables["refused_request"]>): RefusedRequest {
  return {
    id: row.id,
    at: row.at,
    runId: row.run_id,
    jobId: row.job_id,
    runnerId: row.runner_id,
    request: row.request,
    code: row.code,
    message: row.message,
  };
}

/** Oldest first; positions are ids. */
export async function listRefusedRequests(
  reader: Reader,
  runId: string,
  page: PageRequest<number>,
): Promise<Page<RefusedRequest>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("refused_request")
    .selectAll()
    .where("run_id", "=", runId)
    .$if(after !== null, (q) => q.where("id", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("id", "<", before ?? 0))
    .orderBy("id", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toRefusal));
}

/** How many requests of the jobs of each run were refused, also those that are not kept. */
export async function countRefusedRequests(reader: Reader, runIds: readonly string[]): Promise<number[]> {
  const rows = await reader.sql
    .selectFrom("refused_count")
    .select((eb) => ["run_id", eb.fn.sum<number>("count").as("count")])
    .where("run_id", "in", runIds)
    .groupBy("run_id")
    .execute();
  return inOrder(runIds, rows, (row) => row.run_id).map((row) => Number(row?.count ?? 0));
}
