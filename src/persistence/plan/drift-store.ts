import { sql } from "kysely";
import type { Drift } from "../../model/workspace/drift.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** Actions of a plan that change nothing: data sources are read again, and a move or an import alone is no drift. */
const NOTHING = sql`('READ', 'NO_OP')`;

/** Counts what the newest plan of a run would change, and sums up which addresses and outputs those are. */
export async function readPlannedDrift(
  reader: Reader,
  runId: string,
): Promise<Pick<Drift, "resources" | "outputs" | "fingerprint">> {
  const { rows } = await sql<Pick<Drift, "resources" | "outputs" | "fingerprint">>`
    select coalesce(r.resources, 0)::int as resources, coalesce(o.outputs, 0)::int as outputs,
      md5(concat(r.words, '|', o.words)) as fingerprint
    from plan
    cross join lateral (
      select count(*) as resources, string_agg(address || ' ' || action, ',' order by address) as words
      from resource_change where plan_id = plan.id and action not in ${NOTHING}
    ) r
    cross join lateral (
      select count(*) as outputs, string_agg(o ->> 'name', ',' order by o ->> 'name') as words
      from jsonb_array_elements(plan.output_changes) o where o ->> 'action' not in ${NOTHING}
    ) o
    where plan.run_id = ${runId} order by plan.version desc limit 1
  `.execute(reader.sql);
  return rows[0] ?? { resources: 0, outputs: 0, fingerprint: "" };
}

/** Whether a run of the workspace is changing something now. */
export async function isChanging(reader: Reader, workspaceId: string): Promise<boolean> {
  const row = await reader.sql
    .selectFrom("run")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("finished_at", "is", null)
    .where("kind", "<>", "PLAN")
    .where("applying_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setDrift(tx: Transaction, workspaceId: string, drift: Drift | null): Promise<void> {
  await tx.sql
    .updateTable("workspace")
    .set({ drift: drift === null ? null : JSON.stringify(drift) })
    .where("id", "=", workspaceId)
    .execute();
}

/** Takes an ended run out of all lists. By its id it is still found. */
export async function hideRun(tx: Transaction, runId: string): Promise<void> {
  await tx.sql.updateTable("run").set({ hidden: true }).where("id", "=", runId).execute();
}
