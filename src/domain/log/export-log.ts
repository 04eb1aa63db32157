/** Exports a run's log as text, of which any byte range can be read. */
import { createHash } from "node:crypto";
import type { LogLine } from "../../model/log/log.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import { notFound } from "../../model/kit/user-error.ts";
import { textBytes } from "../../persistence/log/log-codec.ts";
import {
  findBatchAt,
  findTail,
  type LogWindow,
  measureWindow,
  readBatches,
  readEdge,
} from "../../persistence/log/log-export-store.ts";
import { logSize } from "../../persistence/log/log-store.ts";
import { createReads, type Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

/** The selection and format of an export. A bound that is `null` does not apply. */
export interface LogExportRequest {
  phase: ExecutedPhase | null;
  attempt: number | null;
  /** The first and last line number. */
  from: number | null;
  to: number | null;
  tail: number | null;
  /** Each line of the text begins with its time. */
  timestamps: boolean;
  /** TEXT: plain lines. JSONL: one object per line, with all its fields. */
  format: "TEXT" | "JSONL";
}

export interface LogExport {
  /** No line will be added. */
  ended: boolean;
  /** Since when the log is no longer stored; `null` if it is stored. */
  expiredAt: string | null;
  /** The length in bytes; `null` if it is not known in advance (JSONL). */
  bytes: number | null;
  /** An entity tag, if the log has ended: equal tags mean equal bytes. */
  tag: string;
  /** Reads the bytes from `start` up to but excluding `end`; `null` reads to the end. */
  read: (start: number, end: number | null) => AsyncGenerator<Buffer, void, undefined>;
}

/** Exports logs for callers that may read the run. */
export interface LogExports {
  /** Opens an export. Throws NOT_FOUND, and the errors of `request`, which is called after the permission check. */
  open: (caller: ActorCaller, runId: string, request: () => LogExportRequest) => Promise<LogExport>;
}

/** The length of `2026-11-20T16:07:25.447Z` and a space. */
const TIMESTAMP_BYTES = 25;

export function createLogExports(deps: Pick<Deps, "database" | "rights">): LogExports {
  const { runs } = createReads(deps.database, deps.rights);
  return { open: (caller, runId, request) => openLogExport(deps, runs, caller, runId, request) };
}

async function openLogExport(
  { database }: Pick<Deps, "database">,
  runs: Reads["runs"],
  caller: ActorCaller,
  runId: string,
  readRequest: () => LogExportRequest,
): Promise<LogExport> {
  const [found = null] = await runs([runId]);
  const run = found?.permit(caller, "RUN_READ") ?? null;
  if (run === null) throw notFound("run");
  const request = readRequest();
  const { lastLine, expiredAt } = await logSize(database, runId);
  const window = await toWindow(database, runId, request, lastLine);
  const extra = request.timestamps ? TIMESTAMP_BYTES : 0;
  const sized = request.format === "TEXT" ? await measure(database, window, extra) : null;
  const bytes = sized?.bytes ?? null;
  const identity = JSON.stringify([runId, run.version, window, request.format, request.timestamps, bytes, expiredAt]);
  return {
    ended: isTerminal(run.status),
    expiredAt,
    bytes,
    tag: createHash("sha256").update(identity).digest("base64url").slice(0, 27),
    read(start, end) {
      if (sized === null) return readObjects(database, window);
      return readText(database, window, extra, sized.before + start, sized.before + (end ?? sized.bytes));
    },
  };
}

type Database = Deps["database"];

async function toWindow(
  database: Database,
  runId: string,
  request: LogExportRequest,
  lastLine: number,
): Promise<LogWindow> {
  const phase = request.phase === null ? null : { kind: request.phase, attempt: request.attempt };
  const window = { runId, phase, from: request.from ?? 1, to: Math.min(request.to ?? lastLine, lastLine) };
  return request.tail === null ? window : { ...window, from: await findTail(database, window, request.tail) };
}

/** Returns the length of the text, and the length of its first batch before the selection. */
async function measure(
  database: Database,
  window: LogWindow,
  extra: number,
): Promise<{ before: number; bytes: number }> {
  const size = await measureWindow(database, window);
  const bytesOf = (lines: readonly LogLine[]): number => textBytes(lines) + extra * lines.length;
  const isBefore = ({ number }: LogLine): boolean => number < window.from;
  const isBehind = ({ number }: LogLine): boolean => number > window.to;
  const before = bytesOf((await readEdge(database, window, "FIRST")).filter(isBefore));
  const behind = bytesOf((await readEdge(database, window, "LAST")).filter(isBehind));
  return { before, bytes: size.bytes + extra * size.lines - before - behind };
}

/** Reads the bytes of the selected batches, counted from the beginning of the first. */
async function* readText(
  database: Database,
  window: LogWindow,
  extra: number,
  start: number,
  end: number,
): AsyncGenerator<Buffer, void, undefined> {
  if (start >= end) return;
  const place = await findBatchAt(database, window, start, extra);
  let at = place?.bytesBefore ?? end;
  if (place !== null) {
    for await (const lines of readBatches(database, window, place.lastLine)) {
      const text = lines.map((line) => (extra > 0 ? `${line.at} ${line.text}\n` : `${line.text}\n`)).join("");
      const bytes = Buffer.from(text);
      const part = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at));
      at += bytes.length;
      if (part.length > 0) yield part;
      if (at >= end) return;
    }
  }
  // Part of the announced length is missing: the reader must not take the rest for the whole.
  throw new Error(`The log of ${window.runId} was removed while it was read.`);
}

async function* readObjects(database: Database, window: LogWindow): AsyncGenerator<Buffer, void, undefined> {
  for await (const lines of readBatches(database, window, window.from)) {
    const wanted = lines.filter(({ number }) => number >= window.from && number <= window.to);
    yield Buffer.from(wanted.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}
