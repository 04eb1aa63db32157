import { createHash } from "node:crypto";
import type { FeedItem, InboxRow, QuietRun, Tails } from "../../src/bus/tails.ts";
import type { FeedPosition } from "../../src/model/run/feed.ts";
import type { LogLine } from "../../src/model/log/log.ts";
import type { RunEvent } from "../../src/model/run/run-event.ts";

/** A tail that a test feeds by hand. `return()` wakes whoever waits, as the real one does. */
export interface FakeTail<Row> extends AsyncIterableIterator<Row> {
  push(row: Row): void;
  end(): void;
  fail(error: unknown): void;
  /** Where its reader began. */
  after: number;
  returned: boolean;
  /** How many `next()` wait. */
  waiting(): number;
}

function fakeTail<Row>(after: number): FakeTail<Row> {
  const rows: Row[] = [];
  let waiting: { resolve: (result: IteratorResult<Row>) => void; reject: (error: unknown) => void }[] = [];
  let over = false;
  const finish = (): void => {
    over = true;
    for (const { resolve } of waiting) resolve({ done: true, value: undefined });
    waiting = [];
  };
  const tail: FakeTail<Row> = {
    after,
    returned: false,
    waiting: () => waiting.length,
    push: (row) => {
      const first = waiting.shift();
      if (first === undefined) rows.push(row);
      else first.resolve({ done: false, value: row });
    },
    end: finish,
    fail: (error) => {
      for (const { reject } of waiting) reject(error);
      waiting = [];
    },
    next: () =>
      new Promise((resolve, reject) => {
        const row = rows.shift();
        if (row !== undefined) resolve({ done: false, value: row });
        else if (over) resolve({ done: true, value: undefined });
        else waiting.push({ resolve, reject });
      }),
    return: () => {
      tail.returned = true;
      finish();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return tail;
}

/** The key of the cursors of one subject, as a server derives it from its master key. */
export function fakeCursorKey(subjectId: string): Uint8Array {
  return createHash("sha256").update(subjectId).digest();
}

/** Where every feed stands. */
export const FAKE_FEED: FeedPosition = { epoch: "0123456789ab", position: 7 };

/** Tails that a test feeds by hand, one for each reader, in the order in which they were opened. */
export function createFakeTails(lastLine = 0): {
  tails: Tails;
  events: FakeTail<RunEvent | QuietRun>[];
  logs: FakeTail<LogLine[]>[];
  feeds: FakeTail<FeedItem>[];
} {
  const events: FakeTail<RunEvent | QuietRun>[] = [];
  const logs: FakeTail<LogLine[]>[] = [];
  const feeds: FakeTail<FeedItem>[] = [];
  const open = <Row>(into: FakeTail<Row>[], after: number): FakeTail<Row> => {
    const tail = fakeTail<Row>(after);
    into.push(tail);
    return tail;
  };
  return {
    events,
    logs,
    feeds,
    tails: {
      runEvents: (_runId, afterVersion) => open(events, afterVersion),
      runLog: (_runId, afterLine) => open(logs, afterLine),
      lastLogLine: async () => lastLine,
      workspaceFeed: (_workspace, after) => open(feeds, after.position),
      changesetFeed: (_changeset, after) => open(feeds, after.position),
      organizationFeed: (_organizationId, after) => open(feeds, after.position),
      inbox: () => fakeTail<InboxRow>(0),
      feedNow: async () => ({ type: "QUIET", ...FAKE_FEED, at: "2026-11-20T16:07:25.447Z" }),
    },
  };
}
