/** Encodes and decodes the body of a log batch: the text of its lines (model/log/log-text.ts), compressed. */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Selectable } from "kysely";
import { LOG_STREAMS, type LogLine, type LogStream } from "../../model/log/log.ts";
import { readSpans } from "../../model/log/log-span.ts";
import { type WrittenLine, writeLogText } from "../../model/log/log-text.ts";
import { EXECUTED_PHASES, type ExecutedPhase } from "../../model/run/phase.ts";
import { word } from "../database/closed-set.ts";
import type { Tables } from "../database/tables.ts";

/** The values before the text of a line. */
interface Stamp extends Pick<LogLine, "at" | "stream" | "spans"> {
  text: string;
}

/** The columns of a row that decoding needs. */
export type BatchRow = Pick<Selectable<Tables["log_batch"]>, "first_line" | "phase" | "attempt" | "body">;

export function encodeLines(lines: readonly WrittenLine[]): Buffer {
  return encodeTexts([Buffer.from(writeLogText(lines))]);
}

const LINE_FEED = 10;
/**
 * Where texts are put together before they are compressed, as large as the largest of them so far, which batches of posts
 * limit: memory outside of V8's heap that is thrown away makes it collect all of its garbage.
 */
let room = Buffer.alloc(0);

/** Encodes texts whose lines follow each other. A string would be compressed in pieces. */
export function encodeTexts(texts: readonly Buffer[]): Buffer {
  const [only] = texts;
  return zstdCompressSync(only !== undefined && texts.length === 1 ? only : joined(texts));
}

/** Until the next call. */
function joined(texts: readonly Buffer[]): Buffer {
  const bytes = texts.reduce((sum, text) => sum + text.length + 1, 0);
  if (room.length < bytes) room = Buffer.allocUnsafeSlow(bytes);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    if (index > 0) end = room.writeUInt8(LINE_FEED, end);
    end += text.copy(room, end);
  }
  return room.subarray(0, end);
}

/** The lines of a batch that have these numbers, both ends among them. */
export function decodeLines(row: BatchRow, from = row.first_line, to = Number.MAX_SAFE_INTEGER): LogLine[] {
  if (from > to) return [];
  const phase: ExecutedPhase = word(EXECUTED_PHASES, row.phase);
  const start = Math.max(from - row.first_line, 0);
  let stamp: Stamp = { text: "", at: "", stream: "STDOUT" };
  return zstdDecompressSync(row.body)
    .toString()
    .split("\n")
    .slice(start, to - row.first_line + 1)
    .map((line, index) => {
      const tab = line.indexOf("\t");
      const text = line.slice(0, tab);
      // Lines come in bursts: most of a batch share their instants with the one before.
      if (text !== stamp.text) stamp = readStamp(text);
      const plain = {
        number: row.first_line + start + index,
        at: stamp.at,
        phase,
        attempt: row.attempt,
        stream: stamp.stream,
        text: line.slice(tab + 1),
      };
      return stamp.spans === undefined ? plain : { ...plain, spans: stamp.spans };
    });
}

function readStamp(text: string): Stamp {
  const end = text.indexOf(";");
  const [origin, colors] = end === -1 ? [text] : [text.slice(0, end), text.slice(end + 1)];
  const [milliseconds = "", stream = "0"] = origin.split(".");
  return {
    text,
    at: new Date(Number(milliseconds)).toISOString(),
    stream: LOG_STREAMS[Number(stream)] ?? "STDOUT",
    spans: colors === undefined ? undefined : (readSpans(colors) ?? undefined),
  };
}

/** The lines as they are exported: each with its end, as UTF-8. */
export function textBytes(lines: readonly { text: string }[]): number {
  return lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
}

/** One bit for each of them. */
export function streamBits(streams: Iterable<LogStream>): number {
  let bits = 0;
  for (const stream of streams) bits |= 1 << LOG_STREAMS.indexOf(stream);
  return bits;
}
