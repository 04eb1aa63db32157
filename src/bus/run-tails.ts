import { LIMITS } from "../model/kit/limits.ts";
import type { LogLine } from "../model/log/log.ts";
import type { RunEvent } from "../model/run/run-event.ts";
import { isTerminal } from "../model/lifecycle/run-status.ts";
import type { Reader } from "../persistence/database/database.ts";
import { type LogLinesForListener, readLogForListener } from "../persistence/log/log-page-store.ts";
import { lastLogLine } from "../persistence/log/log-store.ts";
import { findRunProgress, readRunEventsAfter } from "../persistence/run/run-event-page-store.ts";
import type { Hub } from "./hub.ts";
import { createFeedTails } from "./feed-tails.ts";
import { createInboxTails } from "./inbox-tails.ts";
import { createTail, type TailPage } from "./tail.ts";
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

  return {
    ...createFeedTails(reader, hub, timing),
    ...createInboxTails(hub, timing),

    runEvents(runId, afterVersion, resumed = false, onIdle, admit) {
      let version = afterVersion;
      return createTail<RunEvent | QuietRun>({
        watch: hub.watch(`run:${runId}`),
        pollMs,
        onIdle: () => onIdle?.(version),
        admit,
        quiet: {
          reads: quietReads,
          atOnce: resumed,
          toItem: () => ({ type: "QUIET", version, at: clock().toISOString() }),
        },
        async read() {
          const { items, accessVersion } = await readRunEventsAfter(reader, runId, version);
          const last = items.at(-1);
          if (last !== undefined) {
            version = last.version;
            // The event that ends a run is its last one.
            return { items, ended: last.type === "STATUS_CHANGED" && isTerminal(last.to), accessVersion };
          }
          const run = await findRunProgress(reader, runId);
          // The run may have ended after the events were read: then there is more to read.
          if (run !== null && !(isTerminal(run.status) && run.version <= version)) return { items, ended: false };
          return { items, ended: true, accessVersion: run?.accessVersion ?? null };
        },
      });
    },

    runLog(runId, afterLine, onIdle, admit) {
      let line = afterLine;
      const readLines = () => readLogForListener(reader, runId, line, LIMITS.streamPageBytes);
      const pageOf = ({ lines, accessVersion }: LogLinesForListener): TailPage<LogLine[]> => {
        const page = firstPage(lines);
        line = page.at(-1)?.number ?? line;
        return { items: [page], ended: false, accessVersion };
      };
      return createTail({
        watch: hub.watch(`log:${runId}`),
        pollMs,
        onIdle: () => onIdle?.(line),
        admit,
        async read() {
          const page = await readLines();
          if (page.lines.length > 0) return pageOf(page);
          const run = await findRunProgress(reader, runId);
          if (run !== null && !isTerminal(run.status)) return { items: [], ended: false };
          // Lines that were committed before the end, but after the read.
          const last = await readLines();
          if (last.lines.length > 0) return pageOf(last);
          return { items: [], ended: true, accessVersion: run?.accessVersion ?? null };
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
