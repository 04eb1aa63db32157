import type { FeedEntry, FeedPosition } from "../model/run/feed.ts";
import type { LogLine } from "../model/log/log.ts";
import type { RunEvent } from "../model/run/run-event.ts";

/** Nothing new for a while: every event up to this version was read. */
export interface QuietRun {
  type: "QUIET";
  version: number;
  at: string;
}

/** Nothing new for a while: every entry up to this position was read. */
export interface QuietFeed extends FeedPosition {
  type: "QUIET";
  at: string;
}

/** The reader's position cannot be continued: it is too old, or from another epoch. */
export interface ExpiredFeed {
  type: "EXPIRED";
}

/** An inbox that differs from the last row, or does not. */
export interface InboxRow {
  type: "CHANGED" | "QUIET";
  digest: string;
  at: string;
}

/** Reads an inbox by the rights of now; `null` if its reader has none any more. */
export type ReadInbox = () => Promise<{ digest: string; at: string; accessVersion: number } | null>;

export type FeedItem = FeedEntry | QuietFeed | ExpiredFeed;
/** Called synchronously with the position up to which every item was handed out; it may close the tail. */
export type OnIdle = ((position: number) => void) | undefined;
/**
 * Called with the version of rights by which a page was read, before anything of the page is handed out; `false` ends
 * the tail. So what was committed after a revocation is handed out after the readers were checked again, hint or not.
 */
export type Admit = ((accessVersion: number) => Promise<boolean>) | undefined;
export type FeedTail = AsyncIterableIterator<FeedItem>;

/**
 * Committed rows as a stream: in order, none lost, none twice, at the reader's pace without a buffer. `return()` ends
 * an iterator at once, also during `next()`. A reader that has `resumed` gets a quiet item at once if nothing is new,
 * every reader at intervals. `onIdle` is called before the tail waits, when the reader has every item.
 */
export interface Tails {
  /** Events of a run with a higher version; ends after the event that ended the run. */
  runEvents(
    runId: string,
    afterVersion: number,
    resumed?: boolean,
    onIdle?: OnIdle,
    admit?: Admit,
  ): AsyncIterableIterator<RunEvent | QuietRun>;
  /** Non-empty batches of log lines after a number; ends after the last line of an ended run. */
  runLog(runId: string, afterLine: number, onIdle?: OnIdle, admit?: Admit): AsyncIterableIterator<LogLine[]>;
  /** Returns the number of the newest log line of a run; 0 before the first. */
  lastLogLine(runId: string): Promise<number>;

  /** The events of a workspace and its runs after a position; ends only after EXPIRED. */
  workspaceFeed(
    workspace: { id: string; organizationId: string },
    after: FeedPosition,
    resumed: boolean,
    onIdle?: OnIdle,
    admit?: Admit,
  ): FeedTail;
  /** The events of a changeset and its runs after a position; ends only after EXPIRED. */
  changesetFeed(
    changeset: { id: string; organizationId: string },
    after: FeedPosition,
    resumed: boolean,
    onIdle?: OnIdle,
    admit?: Admit,
  ): FeedTail;
  /** The events of all workspaces of an organization after a position; ends only after EXPIRED. */
  organizationFeed(
    organizationId: string,
    after: FeedPosition,
    resumed: boolean,
    onIdle?: OnIdle,
    admit?: Admit,
  ): FeedTail;
  /**
   * The changes of an inbox since it had a digest; `null`: from now on, beginning with a quiet row. Several changes within a
   * second are one row, and so are all that happened between two subscriptions.
   */
  inbox(
    read: ReadInbox,
    after: string | null,
    resumed: boolean,
    onIdle?: (digest: string) => void,
    admit?: Admit,
  ): AsyncIterableIterator<InboxRow>;
  /** Returns the newest position of the feed of an organization. */
  feedNow(organizationId: string): Promise<QuietFeed>;
}
