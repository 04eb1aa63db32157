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
 * Commits, and gives publications their positions before. Both in one message: from the first statement on, the
 * transaction holds the counter that every other one of the organization waits for, and a round trip in between would
 * be waited for as well. Organizations go in one order, so that two transactions do not wait for each other.
 */
export async function commitWithFeed(connection: Kysely<Tables>, publications: readonly Publication[]): Promise<void> {
  const byOrganization = Map.groupBy(publications, ({ organizationId }) => organizationId);
  const appends = [...byOrganization.keys()]
    .toSorted()
    .map((organizationId) => append(organizationId, byOrganization.get(organizationId) ?? []));
  // Postgres answers "commit" in a transaction in which a statement has failed with a rollback, and no error. Any other
  // statement is refused there, and what follows it in the same message is not executed.
  const before = appends.length === 0 ? ["select 1"] : appends;
  // Without parameters: a message with them holds one statement only.
  await connection.executeQuery(CompiledQuery.raw([...before, "commit"].join("; ")));
}

function append(organizationId: string, publications: readonly Publication[]): string {
  const columns = [
    array(publications.map(({ workspaceId }) => workspaceId)),
    array(publications.map((one) => ("runId" in one ? one.runId : null))),
    array(publications.map((one) => ("runId" in one ? one.version : null))),
    array(publications.map((one) => ("runId" in one ? null : one.workspaceEventId))),
  ];
  return `select feed_append(${[organizationId, ...columns].map(pg.escapeLiteral).join(", ")})`;
}

/** As Postgres writes arrays. */
function array(items: readonly (string | number | null)[]): string {
  return `{${items.map((item) => (item === null ? "null" : JSON.stringify(String(item)))).join(",")}}`;
}
