import { type RawBuilder, type Selectable, sql } from "kysely";
import { GATES } from "../../model/approval/approval.ts";
import { CHANGESET_CHANGES, concernsAll } from "../../model/run/changeset-event.ts";
import type { FeedEntry, FeedPosition } from "../../model/run/feed.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { ACCESS_VERSION } from "../people/access-store.ts";
import { grouped } from "../database/group.ts";
import { prepared, type Slot, unseen } from "../database/prepared.ts";
import { toRunEvent } from "../run/run-event-store.ts";
import type { Tables } from "../database/tables.ts";

/** The owner of entries: an organization, or one of its workspaces or changesets, which share its positions. */
export interface FeedScope {
  organizationId: string;
  /** `null`: all of them, or those of a changeset. */
  workspaceId: string | null;
  /** Absent: those of no changeset alone. */
  changesetId?: string;
}

/** Entries and counter as they were at one instant. */
export interface FeedPage {
  epoch: string;
  /** The newest position; everything up to it was there to be read. */
  head: number;
  /** The oldest position that is kept; that of the next entry where none is. */
  oldest: number;
  /** The version of rights. */
  accessVersion: number;
  /** Oldest first. */
  entries: FeedEntry[];
}

/** An event of one kind; the columns of the other kinds are null. */
interface Row
  extends Omit<Selectable<Tables["run_event"]>, "run_id">,
    Omit<Selectable<Tables["workspace_event"]>, "id">,
    Pick<Selectable<Tables["changeset_event"]>, "change" | "gate"> {
  /** Which of the looks it answers, from 1. */
  place: number;
  epoch: string;
  head: number;
  oldest: number;
  access_version: number;
  organization_id: string;
  project_id: string | null;
  /** null: there is no entry at all, and the rest of the row is empty. */
  position: number | null;
  run_id: string | null;
  /** That of an event of a changeset. */
  changeset_id: string | null;
  /** The projects of the kept workspaces that an event of a changeset concerns, and those workspaces. */
  project_ids: string[] | null;
  workspace_ids: string[] | null;
}

function toEntry(row: Row, position: number): FeedEntry {
  if (row.changeset_id !== null) return toChangesetEntry(row, position, row.changeset_id);
  const { run_id: runId, organization_id: organizationId, project_id: projectId, workspace_id: workspaceId } = row;
  if (projectId === null) throw new Error(`The workspace ${workspaceId} of an entry does not exist.`);
  const place = { organizationId, projectId, workspaceId };
  if (runId !== null) return { type: "RUN", position, place, event: toRunEvent({ ...row, run_id: runId }) };
  const { at, actor_id: actorId, fields, health } = row;
  return { type: "WORKSPACE", position, place, event: { workspaceId, at, actorId, fields, health } };
}

function toChangesetEntry(row: Row, position: number, changesetId: string): FeedEntry {
  const {
    organization_id: organizationId,
    project_ids: projectIds,
    workspace_ids: workspaceIds,
    at,
    actor_id: actorId,
  } = row;
  const change = word(CHANGESET_CHANGES, row.change);
  const places = (workspaceIds ?? []).map((workspaceId, index) => {
    return { organizationId, projectId: projectIds?.[index] ?? null, workspaceId };
  });
  const event = { changesetId, at, actorId, change, gate: wordOrNull(GATES, row.gate) };
  return { type: "CHANGESET", position, place: { of: concernsAll(change) ? "ALL" : "ONE", places }, event };
}

const settle = prepared((_db, slot: Slot<{ organizationIds: readonly string[] }>) => {
  return sql`select feed_settle(${slot("organizationIds")}::text[])`;
});

/**
 * Gives positions to what was committed without: in the order of the commits where one saw the other, and never before
 * what has its position. It waits for the disk, because a position that was sent to a subscriber must not be given a second time.
 */
export async function settleFeeds(reader: Reader, organizationIds: readonly string[]): Promise<void> {
  await settle(reader, { organizationIds });
}

/** Organizations with something committed that has no position yet. */
export async function listUnsettledFeeds(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from feed_head h
    where (
      select true from feed_pending p
      where p.organization_id = h.organization_id and p.transaction_id >= feed_floor(h.settled_before) limit 1
    )
  `.execute(reader.sql);
  return rows.map(({ id }) => id);
}

/**
 * A database whose rows were copied from another cluster has floors that its transactions
 * have not come to. They count for nothing until then; a feed in which nothing happened until then would lose what
 * happens around that moment.
 */
export async function dropForeignFloors(reader: Reader): Promise<void> {
  await sql`
    update feed_head set settled_before = default where settled_before > pg_snapshot_xmax(pg_current_snapshot())
  `.execute(reader.sql);
}

const readPages = prepared((_db, slot: Slot<LookArguments>) => {
  // Asked entry by entry: as an `exists` Postgres may answer it from a list of all workspaces.
  const kept = sql`(select deleted_at from workspace where workspace.id = feed_entry.workspace_id) is null`;
  const entries = (scope: RawBuilder<unknown>) => sql`
    select * from feed_entry
    where ${scope} and position > look.after and (run_id is null or ${kept})
    order by position limit ${unseen(slot("limit"), "int")}`;
  return sql<Row>`
    select look.place::int, head.epoch, head.position as head, ${ACCESS_VERSION[0]}, head.organization_id,
      entry.position, entry.workspace_id, entry.run_id, entry.version,
      (select project_id from workspace where workspace.id = entry.workspace_id) as project_id,
      coalesce(run_event.at, workspace_event.at, changeset_event.at) as at,
      coalesce(run_event.actor_id, workspace_event.actor_id, changeset_event.actor_id) as actor_id,
      run_event.type, run_event.to_status, run_event.data, workspace_event.fields, workspace_event.health,
      changeset_event.changeset_id, changeset_event.change, changeset_event.gate, concerned.project_ids, concerned.workspace_ids,
      coalesce(
        (select min(position) from feed_entry where organization_id = head.organization_id),
        head.position + 1
      ) as oldest
    from unnest(${unseen(slot("organizationIds"), "text[]")}, ${unseen(slot("workspaceIds"), "text[]")},
        ${unseen(slot("changesetIds"), "text[]")}, ${unseen(slot("afters"), "bigint[]")})
      with ordinality as look (organization_id, workspace_id, changeset_id, after, place)
    join feed_head as head on head.organization_id = look.organization_id
    left join lateral (
      (${entries(sql`look.workspace_id is null and look.changeset_id is null and organization_id = look.organization_id`)})
      union all
      (${entries(sql`workspace_id = look.workspace_id`)})
      union all
      (${entries(sql`changeset_id = look.changeset_id`)})
    ) as entry on true
    left join run_event on run_event.run_id = entry.run_id and run_event.version = entry.version
    left join workspace_event on workspace_event.id = entry.workspace_event_id
    left join changeset_event on changeset_event.id = entry.changeset_event_id
    left join lateral (
      select array_agg(workspace.project_id order by workspace.id) as project_ids, array_agg(workspace.id order by workspace.id) as workspace_ids
      from changeset_member member join workspace on workspace.id = member.workspace_id
      where member.changeset_id = changeset_event.changeset_id and workspace.deleted_at is null
        and (changeset_event.workspace_ids is null or workspace.id = any(changeset_event.workspace_ids))
    ) as concerned on changeset_event.id is not null
    order by look.place, entry.position`;
});

/** A read of a feed: the entries behind a position. */
export interface FeedRead extends FeedScope {
  after: number;
}

interface LookArguments {
  organizationIds: readonly string[];
  workspaceIds: readonly (string | null)[];
  changesetIds: readonly (string | null)[];
  afters: readonly number[];
  limit: number;
}

/**
 * Entries behind a position of each feed, those of runs of deleted workspaces left out, at most `limit` of each, with the
 * counter; null where there is no such organization. Three statements for any number of feeds, and one flush of the disk.
 */
export async function readFeeds(
  reader: Reader,
  looks: readonly FeedRead[],
  limit: number,
): Promise<(FeedPage | null)[]> {
  const organizationIds = looks.map((look) => look.organizationId);
  await settleFeeds(reader, [...new Set(organizationIds)]);
  const rows = await readPages(reader, {
    organizationIds,
    workspaceIds: looks.map(({ workspaceId }) => workspaceId),
    changesetIds: looks.map(({ changesetId = null }) => changesetId),
    afters: looks.map(({ after }) => after),
    limit,
  });
  const places = looks.map((_, index) => index + 1);
  return grouped(places, rows, ({ place }) => place).map(toPage);
}

/** Reads one feed. */
export async function readFeed(
  reader: Reader,
  scope: FeedScope,
  after: number,
  limit: number,
): Promise<FeedPage | null> {
  const [page = null] = await readFeeds(reader, [{ ...scope, after }], limit);
  return page;
}

function toPage(rows: readonly Row[]): FeedPage | null {
  const [first] = rows;
  if (first === undefined) return null;
  // Retention removes an entry before its event, unless a clock was days ahead: then nothing up to it can be sent.
  const lost = rows.findLast(({ position, at }) => position !== null && at === null)?.position ?? null;
  const { epoch, head, access_version: accessVersion } = first;
  if (lost !== null) return { epoch, head, oldest: lost + 1, accessVersion, entries: [] };
  const entries = rows.flatMap((row) => (row.position === null ? [] : [toEntry(row, row.position)]));
  return { epoch, head, oldest: first.oldest, accessVersion, entries };
}

/** Finds the current position of an organization's feed. */
export async function findFeedHead(reader: Reader, organizationId: string): Promise<FeedPosition | null> {
  await settleFeeds(reader, [organizationId]);
  const row = await reader.sql
    .selectFrom("feed_head")
    .select(["epoch", "position"])
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row ?? null;
}

/** Starts new epochs of all feeds (`renewEpochs`). Transaction numbers restart as well. */
export async function renewFeedEpochs(tx: Transaction): Promise<void> {
  await sql`update feed_head set epoch = default, settled_before = default`.execute(tx.sql);
}
