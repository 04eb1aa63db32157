import { LIMITS } from "../model/kit/limits.ts";
import type { LogLine } from "../model/log/log.ts";
import type { RunEvent } from "../model/run/run-event.ts";
import { isTerminal } from "../model/lifecycle/run-status.ts";
import type { Reader } from "../persistence/database/database.ts";
import { readLogAfter } from "../persistence/log/log-page-store.ts";
import { lastLogLine } from "../persistence/log/log-store.ts";
import { listRunEvents } from "../persistence/run/run-event-store.ts";
import { findRun } from "../persistence/run/run-store.ts";
import type { Hub } from "./hub.ts";
import { createFeedTails } from "./feed-tails.ts";
import { createTail } from "./tail.ts";
import { TAIL_TIMING, type TailTiming } from "./tail-timing.ts";
import type { QuietRun, Tails } from "./tails.ts";

/**
 * The memory of a waiting line besides its text. Without it a page of short lines took 1.8 MiB (WebSocket) or 2.1 MiB
 * (server-sent events) per stalled reader.
 */
const LINE_BYTES = 256;

/** Creates tails of committed rows. A hint only means that there is something to read. */
export function createTails(reader: Reader, hub: Hub, given: Partial<TailTiming> = {}): Tails {
  const timing = { ...TAIL_TIMING, ...given };
  const { pollMs, quietReads, clock } = timing;

  async function hasEnded(runId: string): Promise<boolean> {
    const run = await findRun(reader, runId);
    return run === null || isTerminal(run.status);
  }

  return {
    ...createFeedTails(reader, hub, timing),

    runEvents(runId, afterVersion, resumed = false, onIdle) {
      let version = afterVersion;
      const page = { limit: LIMITS.streamPageEvents, direction: "forward", before: null } as const;
      return createTail<RunEvent | QuietRun>({
        watch: hub.watch(`run:${runId}`),
        pollMs,
        onIdle: () => onIdle?.(version),
        quiet: {
          reads: quietReads,
          atOnce: resumed,
          toItem: () => ({ type: "QUIET", version, at: clock().toISOString() }),
        },
        async read() {
          const { items } = await listRunEvents(reader, runId, { ...page, after: version });
          const last = items.at(-1);
          if (last === undefined) return { items, ended: await isOver(version) };
          version = last.version;
          // The event that ends a run is its last one.
          return { items, ended: last.type === "STATUS_CHANGED" && isTerminal(last.to) };
        },
      });

      async function isOver(seen: number): Promise<boolean> {
        const run = await findRun(reader, runId);
        // The run may have ended after the events were read: then there is more to read.
        return run === null || (isTerminal(run.status) && run.version <= seen);
      }
    },

    runLog(runId, afterLine, onIdle) {
      let line = afterLine;
      const readLines = () => readLogAfter(reader, runId, line, LIMITS.streamPageBytes).then(firstPage);
      return createTail({
        watch: hub.watch(`log:${runId}`),
        pollMs,
        onIdle: () => onIdle?.(line),
        async read() {
          let lines = await readLines();
          const ended = lines.length === 0 && (await hasEnded(runId));
          // Lines that were committed before the end, but after the read.
          if (ended) lines = await readLines();
          line = lines.at(-1)?.number ?? line;
          return { items: lines.length === 0 ? [] : [lines], ended: ended && lines.length === 0 };
        },
      });
    },

    lastLogLine: (runId) => lastLogLine(reader, runId),
  };
}

/**
 * Returns as many lines as one reader may hold; the rest is read again later. Texts are copied, because they are slices
 * of their batch and would keep all of it in memory.
 */
function firstPage(lines: LogLine[]): LogLine[] {
  let bytes = 0;
  const end = lines.findIndex(({ text }, index) => {
    bytes += Buffer.byteLength(text) + LINE_BYTES;
    return index > 0 && bytes > LIMITS.streamPageBytes;
  });
  const page = end === -1 ? lines : lines.slice(0, end);
  return page.map((line) => ({ ...line, text: Buffer.from(line.text).toString() }));
}
