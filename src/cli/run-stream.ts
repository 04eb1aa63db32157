import { setTimeout as sleep } from "node:timers/promises";

import type { Client, Stream } from "../client/client.ts";
import {
  LogEndDocument,
  RunEventsDocument,
  type RunEventsSubscription,
  RunLogDocument,
  type RunLogSubscription,
} from "../client/generated/graphql.ts";
import { DemoError } from "./demo-error.ts";

/** An item of `runEvents` that has something to show. */
export type RunEventItem = Exclude<
  RunEventsSubscription["runEvents"],
  { __typename: "CursorExpired" | "StreamCheckpoint" }
>;
/** A line of `runLog`. */
export type LogLineItem = Extract<RunLogSubscription["runLog"], { __typename: "LogBatch" }>["lines"][number];

const restartsAtMost = 5;
const restartAfterMs = 500;

interface Follow<TItem> {
  readonly open: (after: string | undefined) => Stream<TItem>;
  readonly cursorOf: (item: TItem) => string | undefined;
  /** "expired": the cursor is of no use any more. */
  readonly handle: (item: TItem) => "ok" | "expired";
  /** Whether a completed stream was the end of the run. */
  readonly isComplete: () => Promise<boolean> | boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads a stream to its end. The transport survives dropped connections; this survives a stream that completes too
 * early (a server that shuts down) and a cursor that has expired: it starts over: events with a snapshot, the log
 * from its first line, of which `handle` skips what it has seen.
 */
async function follow<TItem>({ open, cursorOf, handle, isComplete, signal }: Follow<TItem>): Promise<void> {
  let after: string | undefined;
  for (let restarts = 0; restarts <= restartsAtMost && !signal.aborted; ) {
    const stream = open(after);
    const leave = (): void => void stream.return?.();
    signal.addEventListener("abort", leave, { once: true });
    try {
      for await (const item of stream) {
        if (handle(item) === "expired") {
          after = undefined;
          break;
        }
        after = cursorOf(item) ?? after;
        restarts = 0;
      }
    } finally {
      signal.removeEventListener("abort", leave);
    }
    if (signal.aborted || (await isComplete())) return;
    restarts += 1;
    await sleep(restartAfterMs, undefined, { signal }).catch(() => {});
  }
  if (!signal.aborted)
    throw new DemoError("The server keeps ending the stream although the run has not ended. Start the demo again.");
}

/**
 * Delivers every change of a run once, in order, until it has ended or `signal` aborts.
 * Items that this version does not know are skipped.
 */
export async function followEvents(
  client: Client,
  runId: string,
  onEvent: (item: RunEventItem) => void,
  signal: AbortSignal,
): Promise<void> {
  let ended = false;
  await follow<RunEventsSubscription>({
    open: (after) => client.subscribe(RunEventsDocument, { runId, after }, { cursorOf: eventCursor }),
    cursorOf: eventCursor,
    handle({ runEvents: item }) {
      if (item.__typename === "CursorExpired") return "expired";
      if (!("run" in item)) return "ok";
      ended ||= isLast(item);
      onEvent(item);
      return "ok";
    },
    isComplete: () => ended,
    signal,
  });
}

/** `run` is loaded when the item is sent, so an older event may carry a run that has ended meanwhile. */
function isLast(item: RunEventItem): boolean {
  if (item.__typename === "RunSnapshot") return item.run.isTerminal;
  return item.__typename === "RunStatusChanged" && item.run.isTerminal && item.to === item.run.status;
}

const eventCursor = ({ runEvents }: RunEventsSubscription): string | undefined =>
  "cursor" in runEvents ? runEvents.cursor : undefined;
const logCursor = ({ runLog }: RunLogSubscription): string | undefined =>
  "cursor" in runLog ? runLog.cursor : undefined;

/** Follows a run's log and knows how far it has got. */
export interface LogFollower {
  /** Delivers every line once, in order, until the log of an ended run is complete or `signal` aborts. */
  follow(signal: AbortSignal): Promise<void>;
  /** Waits until all lines that the run has now were delivered, at most `withinMs`. */
  caughtUp(withinMs: number): Promise<void>;
}

/** Makes a follower of one run's log. */
export function createLogFollower(client: Client, runId: string, onLine: (line: LogLineItem) => void): LogFollower {
  let shown = 0;
  const waiting = new Set<() => void>();

  function take(lines: readonly LogLineItem[]): void {
    for (const line of lines) {
      if (line.number <= shown) continue;
      shown = line.number;
      onLine(line);
    }
    for (const wake of waiting) wake();
  }

  async function logEnd(): Promise<{ isTerminal: boolean; lastNumber: number }> {
    const { run } = await client.request(LogEndDocument, { id: runId });
    return { isTerminal: run?.isTerminal ?? true, lastNumber: run?.log.edges.at(-1)?.node.number ?? 0 };
  }

  return {
    follow: (signal) =>
      follow<RunLogSubscription>({
        open: (after) => client.subscribe(RunLogDocument, { runId, after }, { cursorOf: logCursor }),
        cursorOf: logCursor,
        handle({ runLog: item }) {
          if (item.__typename === "CursorExpired") return "expired";
          if (item.__typename === "LogBatch") take(item.lines);
          return "ok";
        },
        async isComplete() {
          const { isTerminal, lastNumber } = await logEnd();
          return isTerminal && lastNumber <= shown;
        },
        signal,
      }),
    async caughtUp(withinMs) {
      const { lastNumber } = await logEnd();
      const limit = AbortSignal.timeout(withinMs);
      while (shown < lastNumber && !limit.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        limit.addEventListener("abort", () => resolve(), { once: true });
        await promise;
        waiting.delete(resolve);
      }
    },
  };
}
