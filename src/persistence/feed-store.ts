import { type Selectable, sql } from "kysely";
import type { FeedEntry, FeedPosition } from "../model/feed.ts";
import type { Reader, Transaction } from "./database.ts";
import { inKeptWorkspace } from "./deleted.ts";
import { toRunEvent } from "./run-event-store.ts";
import type { Tables } from "./tables.ts";

/** Whose entries: those of a whole organization, or of one of its workspaces, which shares its positions. */
export interface FeedScope {
  organizationId: string;
  /** null: all of them. */
  workspaceId: string | null;
}

/** Entries and counter as they were at one instant. */
export interface FeedPage {
  epoch: string;
  /** The newest position; everything up to it was there to be read. */
  head: number;
  /** The oldest position that is kept; that of the next entry where none is. */
  oldest: number;
  /** Oldest first. */
  entries: FeedEntry[];
}

/** An event of either kind; the columns of the other kind are null. */
interface Row
  extends Omit<Selectable<Tables["run_event"]>, "run_id">,
    Omit<Selectable<Tables["workspace_event"]>, "id"> {
  epoch: string;
  head: number;
  oldest: number;
  /** null: there is no entry at all, and the rest of the row is empty. */
  position: number | null;
  run_id: string | null;
}

function toEntry(row: Row, position: number): FeedEntry {
  const { run_id: runId } = row;
  if (runId !== null) return { type: "RUN", position, event: toRunEvent({ ...row, run_id: runId }) };
  const { at, actor_id: actorId, workspace_id: workspaceId, fields } = row;
  return { type: "WORKSPACE", position, event: { workspaceId, at, actorId, fields } };
}

/**
 * Gives positions to what was committed without: in the order of the commits where one saw the other, and never before
 * what has its position. It waits for the disk, because a position that was told must not be given a second time.
 */
export async function settleFeed(reader: Reader, organizationId: string): Promise<void> {
  await sql`select feed_settle(${organizationId})`.execute(reader.sql);
}

/** Organizations with something committed that has no position yet. */
export async function listUnsettledFeeds(reader: Reader): Promise<string[]> {
  const rows = await reader.sql.selectFrom("feed_pending").select("organization_id").distinct().execute();
  return rows.map((row) => row.organization_id);
}

/** Entries behind a position, those of runs of deleted workspaces left out, with the counter; null where there is no such organization. */
export async function readFeed(
  reader: Reader,
  { organizationId, workspaceId }: FeedScope,
  after: number,
  limit: number,
): Promise<FeedPage | null> {
  await settleFeed(reader, organizationId);
  const scope = workspaceId === null ? sql`organization_id = ${organizationId}` : sql`workspace_id = ${workspaceId}`;
  const { rows } = await sql<Row>`
    select head.epoch, head.position as head, entry.position, entry.workspace_id, entry.run_id, entry.version,
      coalesce(run_event.at, workspace_event.at) as at,
      coalesce(run_event.actor_id, workspace_event.actor_id) as actor_id,
      run_event.type, run_event.to_status, run_event.data, workspace_event.fields,
      coalesce(
        (select min(position) from feed_entry where organization_id = head.organization_id),
        head.position + 1
      ) as oldest
    from feed_head as head
    left join lateral (
      select * from feed_entry
      where ${scope} and position > ${after} and (run_id is null or ${inKeptWorkspace("workspace_id")})
      order by position limit ${limit}
    ) as entry on true
    left join run_event on run_event.run_id = entry.run_id and run_event.version = entry.version
    left join workspace_event on workspace_event.id = entry.workspace_event_id
    where head.organization_id = ${organizationId}
    order by entry.position
  `.execute(reader.sql);
  const [first] = rows;
  if (first === undefined) return null;
  // Retention removes an entry before its event, unless a clock was days ahead: then nothing up to it can be told.
  const lost = rows.findLast(({ position, at }) => position !== null && at === null)?.position ?? null;
  if (lost !== null) return { epoch: first.epoch, head: first.head, oldest: lost + 1, entries: [] };
  const entries = rows.flatMap((row) => (row.position === null ? [] : [toEntry(row, row.position)]));
  return { epoch: first.epoch, head: first.head, oldest: first.oldest, entries };
}

/** Where the feed of an organization stands now. */
export async function findFeedHead(reader: Reader, organizationId: string): Promise<FeedPosition | null> {
  await settleFeed(reader, organizationId);
  const row = await reader.sql
    .selectFrom("feed_head")
    .select(["epoch", "position"])
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Makes every cursor of before worthless: after the database was put back to an earlier state its positions are given
 * out a second time, for other events.
 */
export async function renewFeedEpochs(tx: Transaction): Promise<void> {
  await sql`update feed_head set epoch = default`.execute(tx.sql);
}
