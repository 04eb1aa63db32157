import type { FeedEntry, FeedPosition } from "../model/run/feed.ts";
import type { LogLine } from "../model/log/log.ts";
import type { RunEvent } from "../model/run/run-event.ts";

/** Nothing happened for a while: everything up to this version was read. */
export interface QuietRun {
  type: "QUIET";
  version: number;
  at: string;
}

/** Nothing happened for a while: everything up to this position was read. */
export interface QuietFeed extends FeedPosition {
  type: "QUIET";
  at: string;
}

/** Nothing can be read from the position that the reader has: it is too old, or of another life of the database. */
export interface ExpiredFeed {
  type: "EXPIRED";
}

export type FeedItem = FeedEntry | QuietFeed | ExpiredFeed;
/** Called synchronously with the position up to which all was read and handed out; it may close the tail. */
export type OnIdle = ((position: number) => void) | undefined;
export type FeedTail = AsyncIterableIterator<FeedItem>;

/**
 * Committed rows as they come, in order, none lost, none twice, at the reader's own pace: nothing is buffered for a
 * reader that does not ask. `return()` ends an iterator at once, also while `next()` waits. A reader that has
 * `resumed` is sent at once if nothing is new, and every reader now and then. `onIdle` is called whenever the reader
 * has everything that there is, just before the tail waits for more.
 */
export interface Tails {
  /** Events of a run with a higher version; ends after the event that ended the run. */
  runEvents(
    runId: string,
    afterVersion: number,
    resumed?: boolean,
    onIdle?: OnIdle,
  ): AsyncIterableIterator<RunEvent | QuietRun>;
  /** Non-empty batches of log lines with a higher number; ends after the last line of a run that has ended. */
  runLog(runId: string, afterLine: number, onIdle?: OnIdle): AsyncIterableIterator<LogLine[]>;
  /** Number of the newest log line of a run; 0 before the first. */
  lastLogLine(runId: string): Promise<number>;

  /** The events of a workspace and its runs, behind a position; ends only after EXPIRED. */
  workspaceFeed(
    workspace: { id: string; organizationId: string },
    after: FeedPosition,
    resumed: boolean,
    onIdle?: OnIdle,
  ): FeedTail;
  /** The events of all workspaces of an organization, behind a position; ends only after EXPIRED. */
  organizationFeed(organizationId: string, after: FeedPosition, resumed: boolean, onIdle?: OnIdle): FeedTail;
  /** The newest position of the feed of an organization. */
  feedNow(organizationId: string): Promise<QuietFeed>;
}
