import { LogEndDocument, LogLiveDocument, type LogLiveSubscription } from "../generated/graphql.ts";
import { isLostFile } from "../live/file-error.ts";
import { client } from "../live/link.ts";
import { noteStream } from "../live/operations.ts";
import { untilAllowed, untilRetry } from "../live/retry.ts";
import { createListeners } from "../parts/listeners.ts";
import { oncePerFrame } from "./once-per-frame.ts";
import { type LogLine, PIECE, Pieces } from "./pieces.ts";
import { readLines } from "./read-lines.ts";

/** The state of a log in a page; a new object after each change. */
export interface LogSnapshot {
  /** Whether the number of lines is known. */
  readonly isOpen: boolean;
  readonly last: number;
  /** The phase and the attempt of the newest line that has come; empty until one has. */
  readonly newest: string;
  readonly problem: string | null;
}

/** The log of one run in a page: reads the lines that are shown, and takes lines as they come. */
export interface LogModel {
  readonly snapshot: () => LogSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  readonly line: (number: number) => LogLine | undefined;
  /**
   * Takes lines as they come until the function that it gives is called, from which on nothing is read. What came before is behind
   * the end that it reads first, so that lines which no view has shown are not sent.
   */
  readonly follow: () => () => void;
  /** Reads the pieces of these lines that are not there. What was wanted before and is not under way is given up. */
  readonly want: (first: number, last: number) => void;
  /** Forgets the problem, so that what is wanted is read again. */
  readonly retry: () => void;
}

/** The server answers 16 exports of a log at a time; a view that is scrolled fast leaves most of them to others. */
const READS = 2;

export function createLogModel(runId: string): LogModel {
  const pieces = new Pieces();
  const listeners = createListeners();
  const reading = new Set<number>();
  let wanted = { first: 1, last: 0 };
  let shown: LogSnapshot = { isOpen: false, last: 0, newest: "", problem: null };
  const show = (change: Partial<LogSnapshot>): void => {
    shown = { ...shown, last: pieces.last, ...change };
    listeners.notify();
  };
  let newest = "";
  const showLines = oncePerFrame(() => show({ newest }));
  const fail = (error: unknown): void => {
    show({ problem: error instanceof Error ? error.message : String(error) });
    if (isLostFile(error)) void untilRetry().then(retry);
  };
  const retry = (): void => {
    if (shown.problem === null) return;
    show({ problem: null });
    readWanted();
  };
  /** Reads the end of the log, and gives the cursor behind which the stream begins; `null` if there is no line. */
  const readEnd = async (): Promise<string | null> => {
    const { run } = await client.request(LogEndDocument, { runId });
    const end = run?.log.edges.at(-1);
    pieces.last = Math.max(pieces.last, end?.node.number ?? 0);
    show({ isOpen: true, problem: null });
    readWanted();
    return end?.cursor ?? null;
  };
  /** Takes lines as they come. Gives whether the stream has ended: one whose cursor has expired begins again. */
  const takeLines = async (signal: AbortSignal): Promise<boolean> => {
    const after = await readEnd();
    if (signal.aborted) return true;
    const stream = client.subscribe(LogLiveDocument, { runId, after }, { cursorOf });
    signal.addEventListener("abort", () => void stream.return?.());
    for await (const { runLog: item } of stream) {
      if (item.__typename !== "LogBatch") return false;
      pieces.append(item.lines);
      const line = item.lines.at(-1);
      if (line !== undefined) newest = `${line.phase} ${line.attempt}`;
      showLines();
    }
    return true;
  };
  const read = async (piece: number): Promise<void> => {
    reading.add(piece);
    try {
      pieces.put(piece, await readLines(runId, piece * PIECE + 1, (piece + 1) * PIECE));
      show({});
    } catch (error) {
      fail(error);
    } finally {
      reading.delete(piece);
      readWanted();
    }
  };
  const readWanted = (): void => {
    const { first, last } = wanted;
    if (!shown.isOpen || shown.problem !== null || last < first) return;
    for (let piece = Pieces.of(first); piece <= Pieces.of(last) && reading.size < READS; piece += 1) {
      if (!pieces.has(piece) && !reading.has(piece)) void read(piece);
    }
  };
  return {
    snapshot: () => shown,
    subscribe: listeners.subscribe,
    line: (number) => pieces.line(number),
    follow() {
      const controller = new AbortController();
      const { signal } = controller;
      const followToEnd = async (): Promise<void> => {
        for (let hasEnded = false; !hasEnded && !signal.aborted; ) {
          try {
            hasEnded = await takeLines(signal);
          } catch (error) {
            if (signal.aborted) return;
            show({ problem: error instanceof Error ? error.message : String(error) });
            await (isLostFile(error) ? untilRetry(signal) : untilAllowed(signal));
          }
        }
      };
      const unnote = noteStream(LogLiveDocument.toString(), { runId });
      void followToEnd();
      return () => {
        controller.abort();
        unnote();
        wanted = { first: 1, last: 0 };
      };
    },
    want(first, last) {
      wanted = { first, last };
      readWanted();
    },
    retry,
  };
}

function cursorOf({ runLog: item }: LogLiveSubscription): string | undefined {
  return item.__typename === "LogBatch" ? item.cursor : undefined;
}
