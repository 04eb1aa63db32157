/** The parts of a statement that write events of one run and put them into the feed of its organization. */
import { type RawBuilder, sql } from "kysely";
import type { Run } from "../model/run.ts";
import type { RunEvent } from "../model/run-event.ts";

/** Of the same length, an item for each event. */
interface EventArguments {
  runId: string;
  organizationId: string;
  workspaceId: string;
  versions: readonly number[];
  ats: readonly string[];
  actorIds: readonly string[];
  types: readonly string[];
  statuses: readonly (string | null)[];
  data: readonly string[];
}

/**
 * Two statements of one `with`. Entries of a feed get their ids under the lock of the run, so that those of a run are in
 * the order of its versions, and what was committed before a change was made comes before it.
 */
export function eventParts(slot: (name: keyof EventArguments) => RawBuilder<unknown>) {
  return {
    events: sql`insert into run_event (run_id, version, at, actor_id, type, to_status, data)
      select ${slot("runId")}::text, version, at, actor_id, type, to_status, data::jsonb
      from unnest(${slot("versions")}::integer[], ${slot("ats")}::timestamptz[], ${slot("actorIds")}::text[],
        ${slot("types")}::text[], ${slot("statuses")}::text[], ${slot("data")}::text[])
        as event (version, at, actor_id, type, to_status, data)`,
    entries: sql`insert into feed_pending (organization_id, workspace_id, run_id, version)
      select ${slot("organizationId")}::text, ${slot("workspaceId")}::text, ${slot("runId")}::text, version
      from unnest(${slot("versions")}::integer[]) as version`,
  };
}

export function eventArguments(
  run: Pick<Run, "id" | "organizationId" | "workspaceId">,
  events: readonly RunEvent[],
): EventArguments {
  return {
    runId: run.id,
    organizationId: run.organizationId,
    workspaceId: run.workspaceId,
    versions: events.map(({ version }) => version),
    ats: events.map(({ at }) => at),
    actorIds: events.map(({ actorId }) => actorId),
    types: events.map(({ type }) => type),
    statuses: events.map((event) => (event.type === "STATUS_CHANGED" ? event.to : null)),
    data: events.map(contentOf),
  };
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
