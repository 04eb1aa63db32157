import { type Kysely, sql } from "kysely";
import type { Topic } from "./notifier.ts";
import type { Tables } from "./tables.ts";

/** Something that happened in this transaction, and where it is written. */
export type Publication = { organizationId: string; workspaceId: string } & (
  | { runId: string; version: number }
  | { workspaceEventId: number }
);

/** What listeners of these publications wait for. */
export function feedTopics(publications: readonly Publication[]): Topic[] {
  return publications.flatMap(({ organizationId, workspaceId }): Topic[] => [
    `org:${organizationId}`,
    `ws:${workspaceId}`,
  ]);
}

/**
 * Gives publications their positions. Nothing may follow in the transaction but the commit: from here on it holds the
 * counter that every other one of the organization waits for. Organizations go in one order, so that two
 * transactions do not wait for each other.
 */
export async function writeFeed(tx: Kysely<Tables>, publications: readonly Publication[]): Promise<void> {
  const byOrganization = Map.groupBy(publications, ({ organizationId }) => organizationId);
  for (const organizationId of [...byOrganization.keys()].toSorted()) {
    await writeEntries(tx, organizationId, byOrganization.get(organizationId) ?? []);
  }
}

/** One statement: a round trip less while the counter is held. */
async function writeEntries(
  tx: Kysely<Tables>,
  organizationId: string,
  publications: readonly Publication[],
): Promise<void> {
  const count = publications.length;
  const workspaceIds = publications.map(({ workspaceId }) => workspaceId);
  const runIds = publications.map((one) => ("runId" in one ? one.runId : null));
  const versions = publications.map((one) => ("runId" in one ? one.version : null));
  const eventIds = publications.map((one) => ("runId" in one ? null : one.workspaceEventId));
  const { numAffectedRows } = await sql`
    with head as (
      update feed_head set position = position + ${count}
      where organization_id = ${organizationId}
      returning position - ${count} as before
    )
    insert into feed_entry (organization_id, position, workspace_id, run_id, version, workspace_event_id)
    select ${organizationId}, head.before + entry.place, entry.workspace_id, entry.run_id, entry.version, entry.event_id
    from head, unnest(${workspaceIds}::text[], ${runIds}::text[], ${versions}::integer[], ${eventIds}::bigint[])
      with ordinality as entry (workspace_id, run_id, version, event_id, place)
  `.execute(tx);
  if (numAffectedRows !== BigInt(count)) throw new Error(`The organization ${organizationId} has no feed.`);
}
