import { LogEndDocument } from "../generated/graphql.ts";
import { isLostFile } from "../live/file-error.ts";
import { client } from "../live/link.ts";
import { untilRetry } from "../live/retry.ts";
import { createListeners } from "../parts/listeners.ts";
import { oncePerFrame } from "./once-per-frame.ts";
import { type LogLine, PIECE, Pieces } from "./pieces.ts";
import { readLines } from "./read-lines.ts";

/** The state of a log in a page; a new object after each change. */
export interface LogSnapshot {
  /** Whether the number of lines is known. */
  readonly isOpen: boolean;
  readonly last: number;
  readonly problem: string | null;
}

/** The log of one run in a page: reads the lines that are shown, and takes lines as they come. */
export interface LogModel {
  readonly snapshot: () => LogSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  readonly line: (number: number) => LogLine | undefined;
  readonly append: (lines: readonly LogLine[]) => void;
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
  let shown: LogSnapshot = { isOpen: false, last: 0, problem: null };
  const show = (change: Partial<LogSnapshot>): void => {
    shown = { ...shown, last: pieces.last, ...change };
    listeners.notify();
  };
  const showLines = oncePerFrame(() => show({}));
  const fail = (error: unknown): void => {
    show({ problem: error instanceof Error ? error.message : String(error) });
    if (isLostFile(error)) void untilRetry().then(retry);
  };
  const retry = (): void => {
    if (shown.problem === null) return;
    show({ problem: null });
    if (shown.isOpen) readWanted();
    else open().catch(fail);
  };
  const open = async (): Promise<void> => {
    const { run } = await client.request(LogEndDocument, { runId });
    pieces.last = Math.max(pieces.last, run?.log.edges.at(-1)?.node.number ?? 0);
    show({ isOpen: true });
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
  open().catch(fail);
  return {
    snapshot: () => shown,
    subscribe: listeners.subscribe,
    line: (number) => pieces.line(number),
    append(lines) {
      pieces.append(lines);
      showLines();
    },
    want(first, last) {
      wanted = { first, last };
      readWanted();
    },
    retry,
  };
}
