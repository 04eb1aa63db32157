import { sql } from "kysely";
import type { Reader } from "./database.ts";

export interface Candidate {
  runId: string;
  workspaceId: string;
  organizationId: string;
}

/**
 * Runs that a runner could take now, applies first, then by age; those of organizations at their limit, of paused
 * workspaces, and applies of locked workspaces are left out. The claim checks all that again under locks.
 */
export async function listCandidates(reader: Reader, limit: number, at: string): Promise<Candidate[]> {
  const { rows } = await sql<{ id: string; workspace_id: string; organization_id: string }>`
    select run.id, run.workspace_id, run.organization_id
    from run
    join workspace on workspace.id = run.workspace_id
    join organization on organization.id = run.organization_id
    where run.status in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED')
      and not workspace.paused
      and (run.status <> 'CONFIRMED' or workspace.lock_reason is null or workspace.lock_expires_at <= ${at})
      and organization.concurrency_limit >
        (select count(*) from job where job.organization_id = run.organization_id and job.ended_at is null)
    order by (run.status = 'CONFIRMED') desc, (run.kind = 'PLAN'), run.status_at, run.id
    limit ${limit}
  `.execute(reader.sql);
  return rows.map((row) => ({
    runId: row.id,
    workspaceId: row.workspace_id,
    organizationId: row.organization_id,
  }));
}
