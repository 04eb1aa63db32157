/** The parts of a statement that write events of one run and put them into the feed of its organization. */
import { type RawBuilder, sql } from "kysely";
import type { PhaseKind, PhaseStatus } from "../../model/run/phase.ts";
import type { Run } from "../../model/run/run.ts";
import type { EventBase, RunEvent } from "../../model/run/run-event.ts";

/** The end of the running phase of a run. The statement that writes it finds the phase. */
export interface PhaseEnd {
  type: "PHASE_ENDED";
  to: PhaseStatus;
}

/** An event of a change. All events of one change have the same instant and actor. */
export type NewRunEvent = RunEvent | (EventBase & PhaseEnd);

/** A phase that starts with a change, as the next attempt of its kind. */
export interface NewPhase {
  id: string;
  kind: PhaseKind;
  runnerId: string | null;
}

/** The rows that the statement of a change writes beside the run and its events. */
export interface ChangeEffects {
  phase?: NewPhase | null;
  /** Fields of the workspace that change with the run: an event of the workspace names them. */
  workspaceFields?: readonly string[];
}

type Slots = (name: string) => RawBuilder<unknown>;

/**
 * The entries of a `with` that write events and the effects of a change. Entries of a feed get their ids under the lock of
 * the run: those of a run are in the order of its versions, and what was committed before a change comes before it.
 *
 * Rows of `values`, not arrays that are unnested: that took 40 us more of Postgres, of the 140 that events cost it.
 */
export function eventParts(
  slot: Slots,
  events: readonly NewRunEvent[],
  { phase = null, workspaceFields = [] }: ChangeEffects = {},
): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  if (events.some(isPhaseEnd)) {
    parts.push(sql`ended as (update phase set status = ${slot("phaseEnd")}, finished_at = ${slot("at")}
      where run_id = ${slot("runId")}::text and status = 'RUNNING' returning id)`);
  }
  if (phase !== null) {
    parts.push(sql`begun as (insert into phase (id, run_id, kind, attempt, status, runner_id, started_at)
      values (${slot("phaseId")}, ${slot("runId")}::text, ${slot("phaseKind")}::text,
        (select coalesce(max(attempt), 0) + 1 from phase
          where run_id = ${slot("runId")}::text and kind = ${slot("phaseKind")}::text),
        'RUNNING', ${slot("phaseRunnerId")}, ${slot("at")}))`);
  }
  parts.push(sql`event as (insert into run_event (run_id, version, at, actor_id, type, to_status, data)
    values ${rowsOf(events, (event, n) => eventRow(slot, event, n))})`);
  const place = sql`${slot("organizationId")}::text, ${slot("workspaceId")}::text`;
  const run = sql`${slot("changesetId")}::text, ${slot("runId")}::text`;
  const entries = sql`insert into feed_pending (organization_id, workspace_id, changeset_id, run_id, version, workspace_event_id)
    values ${rowsOf(events, (_event, n) => sql`(${place}, ${run}, ${slot(`version${n}`)}::int, null::bigint)`)}`;
  if (workspaceFields.length > 0) {
    parts.push(sql`fact as (insert into workspace_event (workspace_id, at, actor_id, fields)
      values (${slot("workspaceId")}::text, ${slot("at")}, ${slot("actorId")}::text, ${slot("workspaceFields")}::text[])
      returning id)`);
    parts.push(sql`entry as (${entries}\nunion all select ${place}, null, null, null, id from fact)`);
  } else parts.push(sql`entry as (${entries})`);
  return sql.join(parts);
}

/** Distinguishes the statements that `eventParts` makes. */
export function shapeOfParts(
  events: readonly NewRunEvent[],
  { phase = null, workspaceFields = [] }: ChangeEffects = {},
): string {
  const ends = events.map((event) => (isPhaseEnd(event) ? "end" : "event"));
  return [...ends, phase !== null, workspaceFields.length > 0].join();
}

/** The values of the slots of `eventParts`. */
export function eventArguments(
  run: Pick<Run, "id" | "organizationId" | "workspaceId" | "changesetId">,
  events: readonly NewRunEvent[],
  { phase = null, workspaceFields = [] }: ChangeEffects = {},
): Record<string, unknown> {
  const [first] = events;
  if (first === undefined) throw new Error(`A change of ${run.id} has no event.`);
  const given: Record<string, unknown> = {
    runId: run.id,
    organizationId: run.organizationId,
    workspaceId: run.workspaceId,
    changesetId: run.changesetId,
    at: first.at,
    actorId: first.actorId,
    workspaceFields,
    phaseId: phase?.id,
    phaseKind: phase?.kind,
    phaseRunnerId: phase?.runnerId,
  };
  for (const [n, event] of events.entries()) {
    given[`version${n}`] = event.version;
    if (isPhaseEnd(event)) {
      given["phaseEnd"] = event.to;
      continue;
    }
    given[`type${n}`] = event.type;
    given[`status${n}`] = event.type === "STATUS_CHANGED" ? event.to : null;
    given[`data${n}`] = contentOf(event);
  }
  return given;
}

function isPhaseEnd(event: NewRunEvent): event is EventBase & PhaseEnd {
  return event.type === "PHASE_ENDED";
}

/** A change has few events: rows on lines of their own, so that the statement for each number of them keeps its name. */
function rowsOf(
  events: readonly NewRunEvent[],
  row: (event: NewRunEvent, n: number) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(events.map(row), sql.raw(",\n"));
}

function eventRow(slot: Slots, event: NewRunEvent, n: number): RawBuilder<unknown> {
  const key = sql`${slot("runId")}::text, ${slot(`version${n}`)}::int, ${slot("at")}::timestamptz, ${slot("actorId")}`;
  if (!isPhaseEnd(event)) {
    return sql`(${key}, ${slot(`type${n}`)}, ${slot(`status${n}`)}, ${slot(`data${n}`)}::jsonb)`;
  }
  const data = sql`jsonb_build_object('phaseId', (select id from ended), 'to', ${slot("phaseEnd")}::text)`;
  return sql`(${key}, 'PHASE_CHANGED', null, ${data})`;
}

/** The content of an event that has no column of its own. */
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
