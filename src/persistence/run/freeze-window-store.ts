import { sql } from "kysely";
import type { FreezeWindow } from "../../model/approval/run-rules.ts";
import type { Reader } from "../database/database.ts";
import { STATUS_SQL } from "./status-sql.ts";

/** The places whose runs are considered; `null`: all. */
export interface WindowPlaces {
  organizationId: string | null;
  workspaceId: string | null;
}

/** Lists the different freeze windows to which approved runs are subject that no runner has yet, at most `limit`. */
export async function listFreezeWindowsOfApproved(
  reader: Reader,
  { organizationId, workspaceId }: WindowPlaces,
  limit: number,
): Promise<FreezeWindow[]> {
  const { rows } = await sql<{ value: FreezeWindow }>`
    select distinct held.value
    from run join workspace on workspace.id = run.workspace_id
      join organization on organization.id = run.organization_id
      cross join lateral jsonb_array_elements(workspace.freeze_windows || organization.freeze_windows) as held
    where run.status = ${STATUS_SQL.approved}
      and (${organizationId}::text is null or run.organization_id = ${organizationId})
      and (${workspaceId}::text is null or run.workspace_id = ${workspaceId})
    limit ${limit}
  `.execute(reader.sql);
  return rows.map(({ value }) => value);
}
