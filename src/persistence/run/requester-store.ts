import { sql } from "kysely";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Reader } from "../database/database.ts";

/** The actors that requested some runs and all runs of some changesets, as approval rules count them; without the system. */
export async function listRequesterIds(
  reader: Reader,
  { runIds = [], changesetIds = [] }: { runIds?: readonly string[]; changesetIds?: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct who.id from run
    cross join lateral unnest(coalesce(run.requested_by, '{}') || array[run.created_by, run.replanned_by]) who (id)
    where (run.id = any(${runIds}::text[]) or run.changeset_id = any(${changesetIds}::text[]))
      and who.id <> ${SYSTEM_ACTOR_ID}
    order by who.id
  `.execute(reader.sql);
  return rows.map(({ id }) => id);
}
