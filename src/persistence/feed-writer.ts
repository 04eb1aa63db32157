import { CompiledQuery, type Kysely } from "kysely";
import pg from "pg";
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
 * Commits, and notes publications for their feeds before, both in one message. They get their positions when somebody
 * reads (feed-store.ts): a counter that is locked here would be locked while the disk is written to, and the writers of
 * an organization would wait for the disk one after the other. With a flush of 2 ms that is a tenth of the rate.
 */
export async function commitWithFeed(connection: Kysely<Tables>, publications: readonly Publication[]): Promise<void> {
  const byOrganization = Map.groupBy(publications, ({ organizationId }) => organizationId);
  const notes = [...byOrganization].map(([organizationId, ofIt]) => note(organizationId, ofIt));
  // Postgres answers "commit" in a transaction in which a statement has failed with a rollback, and no error. Any other
  // statement is refused there, and what follows it in the same message is not executed.
  const before = notes.length === 0 ? ["select 1"] : notes;
  // Without parameters: a message with them holds one statement only.
  await connection.executeQuery(CompiledQuery.raw([...before, "commit"].join("; ")));
}

function note(organizationId: string, publications: readonly Publication[]): string {
  const columns = [
    array(publications.map(({ workspaceId }) => workspaceId)),
    array(publications.map((one) => ("runId" in one ? one.runId : null))),
    array(publications.map((one) => ("runId" in one ? one.version : null))),
    array(publications.map((one) => ("runId" in one ? null : one.workspaceEventId))),
  ];
  return `select feed_note(${[organizationId, ...columns].map(pg.escapeLiteral).join(", ")})`;
}

/** As Postgres writes arrays. */
function array(items: readonly (string | number | null)[]): string {
  return `{${items.map((item) => (item === null ? "null" : JSON.stringify(String(item)))).join(",")}}`;
}
