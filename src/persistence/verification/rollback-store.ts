/** The runs to which workspaces can go back. */
import { sql } from "kysely";
import type { Output } from "../../model/workspace/workspace.ts";
import type { Reader } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/**
 * Finds for each run the newest earlier one of its workspace whose result is known to be good: applied, with its source, verified
 * if it had a verification, on the same state, and with no destroy since. `null` if there is none.
 */
export async function findRollbackCandidates(reader: Reader, runIds: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string; candidate: string | null }>`
    select f.id, (
      select r.id from run r left join verification v on v.run_id = r.id
      where r.workspace_id = f.workspace_id and r.number < f.number and r.outcome = 'APPLIED' and not r.refresh_only
        and r.targets = '{}' and r.source_blob_id is not null and r.revision is not null
        and (v.id is null or v.status = 'PASSED')
        and not exists (select from state_version s where s.run_id = r.id and s.lineage is distinct from w.state_lineage)
        and not exists (select from run d where d.workspace_id = f.workspace_id and d.kind = 'DESTROY'
          and d.applied_at is not null and d.number > r.number)
      order by r.number desc limit 1
    ) as candidate
    from run f join workspace w on w.id = f.workspace_id where f.id = any(${runIds})`.execute(reader.sql);
  return inOrder(runIds, rows, ({ id }) => id).map((row) => row?.candidate ?? null);
}

/** Whether a person or another system has ordered a change of the workspace after a run. */
export async function hasNewerRun(
  reader: Reader,
  { workspaceId, number }: { workspaceId: string; number: number },
): Promise<boolean> {
  const row = await reader.sql
    .selectFrom("run")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("number", ">", number)
    .where("kind", "in", ["DEPLOY", "DESTROY", "APPLY"])
    .where("finished_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Reads the outputs after the apply of a run; `null` if it has no state. */
export async function findOutputsAfter(reader: Reader, runId: string): Promise<readonly Output[] | null> {
  const row = await reader.sql
    .selectFrom("state_version")
    .select("outputs")
    .where("run_id", "=", runId)
    .orderBy("serial", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.outputs ?? null;
}
