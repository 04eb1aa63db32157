/**
 * Lines of a log as text: what a runner sends is what is stored, compressed. A line is
 * `<milliseconds since the epoch>[.<stream>]\t<text>`, and between two lines is a line feed; the stream is its number in
 * LOG_STREAMS, and is left out for STDOUT. It stands behind a point because a release that knows no streams takes it for
 * a part of a millisecond.
 */
import { LIMITS } from "../kit/limits.ts";
import { LOG_STREAMS, type LogStream } from "./log.ts";

/** What tells such a body from the JSON of earlier releases. */
export const LOG_TEXT_TYPE = "application/vnd.holdpoint.log";

/** A line before it has its number; absent `stream`: STDOUT. */
export interface WrittenLine {
  /** RFC 3339 with milliseconds and Z. */
  at: string;
  /** Without line breaks. */
  text: string;
  stream?: LogStream | undefined;
}

/** Facts about lines that spare reading them again. */
export interface LogTextSummary {
  lineCount: number;
  /** The size of their text as UTF-8, and one more for each line. */
  byteCount: number;
  /** One bit for each stream among them, by LOG_STREAMS. */
  streams: number;
}

export function writeLogText(lines: readonly WrittenLine[]): string {
  let [instant, milliseconds] = ["", ""];
  let whole = "";
  for (const { at, text, stream } of lines) {
    // Lines come in bursts: to parse each instant takes as long as to compress the text.
    if (at !== instant) [instant, milliseconds] = [at, String(Date.parse(at))];
    whole += `${whole === "" ? "" : "\n"}${milliseconds}${streamMark(stream)}\t${text}`;
  }
  return whole;
}

function streamMark(stream: LogStream = "STDOUT"): string {
  return stream === "STDOUT" ? "" : `.${LOG_STREAMS.indexOf(stream)}`;
}

const [TAB, LINE_FEED, POINT, MINUS, ZERO, NINE] = [9, 10, 46, 45, 48, 57];
/** The years from 0 to 9999, in milliseconds: others are not written as RFC 3339 has it. */
const [EARLIEST, LATEST] = [-62_167_219_200_000, 253_402_300_799_999];
/** No more, also of noughts: what stands before the text of a line is not counted against the limits of logs. */
const MOST_DIGITS = 15;

/**
 * Reads text that somebody else wrote, byte by byte: as strings, its lines would take five times as long. What is wrong
 * with it, for whoever wrote it, in place of the summary. That it is UTF-8 is for the caller to know.
 */
export function summarizeLogText(bytes: Uint8Array): LogTextSummary | string {
  if (bytes.includes(0)) return "must not contain the character U+0000";
  let [lineCount, byteCount, streams] = [0, 0, 0];
  for (let start = 0; start <= bytes.length; ) {
    const stamp = readStamp(bytes, start);
    if (stamp === null) return `line ${lineCount + 1} must begin with milliseconds, its stream and a tab`;
    const found = bytes.indexOf(LINE_FEED, stamp.end);
    const end = found === -1 ? bytes.length : found;
    const length = end - stamp.end;
    if (length > LIMITS.logLineBytes) return `line ${lineCount + 1} must have at most ${LIMITS.logLineBytes} bytes`;
    lineCount += 1;
    byteCount += length + 1;
    streams |= 1 << stamp.stream;
    start = end + 1;
  }
  return { lineCount, byteCount, streams };
}

/** Reads the stamp before the text of the line that starts there; null if it is no stamp. */
function readStamp(bytes: Uint8Array, start: number): { stream: number; end: number } | null {
  const sign = bytes[start] === MINUS ? -1 : 1;
  const first = sign < 0 ? start + 1 : start;
  let [end, instant] = [first, 0];
  for (let byte = bytes[end] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[end] ?? 0) {
    instant = instant * 10 + (byte - ZERO);
    end += 1;
  }
  if (end === first || end - first > MOST_DIGITS) return null;
  if (sign * instant < EARLIEST || sign * instant > LATEST) return null;
  if (bytes[end] === TAB) return { stream: 0, end: end + 1 };
  const stream = (bytes[end + 1] ?? ZERO) - ZERO;
  const isStream = stream > 0 && stream < LOG_STREAMS.length;
  return bytes[end] === POINT && isStream && bytes[end + 2] === TAB ? { stream, end: end + 3 } : null;
}
