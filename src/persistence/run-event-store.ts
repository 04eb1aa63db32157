import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../model/page.ts";
import { PHASE_STATUSES } from "../model/phase.ts";
import type { Run } from "../model/run.ts";
import { RUN_EVENT_TYPES, type RunEvent, type RunEventBody } from "../model/run-event.ts";
import { RUN_STATUSES } from "../model/run-status.ts";
import type { StatusChanged } from "../model/timeline.ts";
import { word, wordOrNull } from "./closed-set.ts";
import type { Reader, Transaction } from "./database.ts";
import { grouped } from "./group.ts";
import { prepared, type Slot } from "./prepared.ts";
import type { Tables } from "./tables.ts";

type Row = Selectable<Tables["run_event"]>;

function text(data: Record<string, unknown>, key: string): string {
  const value = data[key];
  return typeof value === "string" ? value : "";
}

function textOrNull(data: Record<string, unknown>, key: string): string | null {
  const value = data[key];
  return typeof value === "string" ? value : null;
}

function toBody(row: Row): RunEventBody {
  const { data } = row;
  const type = word(RUN_EVENT_TYPES, row.type);
  switch (type) {
    case "STATUS_CHANGED":
      return {
        type,
        from: wordOrNull(RUN_STATUSES, textOrNull(data, "from")),
        to: word(RUN_STATUSES, row.to_status ?? ""),
        reason: textOrNull(data, "reason"),
      };
    case "CHANGED":
      return { type, fields: Array.isArray(data["fields"]) ? data["fields"].map(String) : [] };
    case "PHASE_CHANGED":
      return { type, phaseId: text(data, "phaseId"), to: word(PHASE_STATUSES, text(data, "to")) };
    case "PLAN_READY":
      return { type, planId: text(data, "planId") };
    case "APPROVAL_RECORDED":
      return { type, approvalId: text(data, "approvalId") };
  }
}

export function toRunEvent(row: Row): RunEvent {
  return { runId: row.run_id, version: row.version, at: row.at, actorId: row.actor_id, ...toBody(row) };
}

/** One statement for any number of events. */
interface EventColumns {
  runId: string;
  versions: readonly number[];
  ats: readonly string[];
  actorIds: readonly string[];
  types: readonly string[];
  statuses: readonly (string | null)[];
  data: readonly string[];
}

const insertEvents = prepared((db, slot: Slot<EventColumns>) =>
  db
    .insertInto("run_event")
    .columns(["run_id", "version", "at", "actor_id", "type", "to_status", "data"])
    .expression(
      sql`select ${slot("runId")}::text, version, at, actor_id, type, to_status, data::jsonb
      from unnest(${slot("versions")}::integer[], ${slot("ats")}::timestamptz[], ${slot("actorIds")}::text[],
        ${slot("types")}::text[], ${slot("statuses")}::text[], ${slot("data")}::text[])
        as event (version, at, actor_id, type, to_status, data)`,
    ),
);

/**
 * Appends events of one run, and puts them into the feed of its organization; their versions follow the run's, without
 * gaps. The run must have been written before.
 */
export async function appendRunEvents(
  tx: Transaction,
  { id: runId, organizationId, workspaceId }: Pick<Run, "id" | "organizationId" | "workspaceId">,
  events: readonly RunEvent[],
): Promise<void> {
  await insertEvents(tx, {
    runId,
    versions: events.map(({ version }) => version),
    ats: events.map(({ at }) => at),
    actorIds: events.map(({ actorId }) => actorId),
    types: events.map(({ type }) => type),
    statuses: events.map((event) => (event.type === "STATUS_CHANGED" ? event.to : null)),
    data: events.map(contentOf),
  });
  for (const { version } of events) tx.publish({ organizationId, workspaceId, runId, version });
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

/** Oldest first; positions are versions. */
export async function listRunEvents(reader: Reader, runId: string, page: PageRequest<number>): Promise<Page<RunEvent>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("run_event")
    .selectAll()
    .where("run_id", "=", runId)
    .$if(after !== null, (q) => q.where("version", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("version", "<", before ?? 0))
    .orderBy("version", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toRunEvent));
}

/** Every change of the status of each run, oldest first. */
export async function listStatusChanges(reader: Reader, runIds: readonly string[]): Promise<StatusChanged[][]> {
  const rows = await reader.sql
    .selectFrom("run_event")
    .selectAll()
    .where("run_id", "in", runIds)
    .where("type", "=", "STATUS_CHANGED")
    .orderBy("version")
    .execute();
  const changes = rows.map(toRunEvent).filter((event) => event.type === "STATUS_CHANGED");
  return grouped(runIds, changes, (event) => event.runId);
}
