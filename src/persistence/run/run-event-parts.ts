/** The parts of a statement that write events of one run and put them into the feed of its organization. */
import { type RawBuilder, sql } from "kysely";
import type { Run } from "../../model/run/run.ts";
import type { RunEvent } from "../../model/run/run-event.ts";

/**
 * Two statements of one `with`, for so many events. Entries of a feed get their ids under the lock of the run, so that
 * those of a run are in the order of its versions, and what was committed before a change was made comes before it.
 *
 * Rows of `values`, not arrays that are unnested: that took 40 us more of Postgres, of the 140 that events cost it.
 */
export function eventParts(slot: (name: string) => RawBuilder<unknown>, count: number) {
  const rowsOf = (row: (index: number) => RawBuilder<unknown>): RawBuilder<unknown> =>
    // On lines of their own: a change has few events, and the statement for each number of them keeps its name.
    sql.join(
      Array.from({ length: count }, (_, index) => row(index)),
      sql.raw(",\n"),
    );
  const events = rowsOf(
    (n) => sql`(${slot("runId")}::text, ${slot(`version${n}`)}::int, ${slot(`at${n}`)}::timestamptz,
      ${slot(`actorId${n}`)}, ${slot(`type${n}`)}, ${slot(`status${n}`)}, ${slot(`data${n}`)}::jsonb)`,
  );
  const entries = rowsOf(
    (n) =>
      sql`(${slot("organizationId")}, ${slot("workspaceId")}, ${slot("runId")}::text, ${slot(`version${n}`)}::int)`,
  );
  return {
    events: sql`insert into run_event (run_id, version, at, actor_id, type, to_status, data) values ${events}`,
    entries: sql`insert into feed_pending (organization_id, workspace_id, run_id, version) values ${entries}`,
  };
}

/** What `eventParts` has slots for. */
export function eventArguments(
  run: Pick<Run, "id" | "organizationId" | "workspaceId">,
  events: readonly RunEvent[],
): Record<string, unknown> {
  const given: Record<string, unknown> = {
    runId: run.id,
    organizationId: run.organizationId,
    workspaceId: run.workspaceId,
  };
  for (const [n, event] of events.entries()) {
    given[`version${n}`] = event.version;
    given[`at${n}`] = event.at;
    given[`actorId${n}`] = event.actorId;
    given[`type${n}`] = event.type;
    given[`status${n}`] = event.type === "STATUS_CHANGED" ? event.to : null;
    given[`data${n}`] = contentOf(event);
  }
  return given;
}

/** What has no column of its own. */
function contentOf({
  runId: _run,
  version: _version,
  at: _at,
  actorId: _actor,
  type: _type,
  ...content
}: RunEvent): string {
  return JSON.stringify(content);
}
