/**
 * Lines of a log as text. A runner sends them in this form, and the server stores them in it, compressed. A line is
 * `<milliseconds since the epoch>[.<stream>][;<spans>]\t<text>`; a line feed separates two lines. The stream is its index
 * in LOG_STREAMS and is left out for STDOUT. Spans are those of log-span.ts.
 */
import { LIMITS } from "../kit/limits.ts";
import type { ExecutedPhase } from "../run/phase.ts";
import { LOG_STREAMS, type LogLine, type LogStream } from "./log.ts";
import { readSpans, SPANS_PER_LINE, writeSpans } from "./log-span.ts";

/** The media type of this form. A server refuses a log in any other. */
export const LOG_TEXT_TYPE = "application/vnd.holdpoint.log";

/**
 * A line without its number; the stream is STDOUT if `stream` is absent. `at` is RFC 3339 with milliseconds and Z; `text` is
 * masked, without line breaks, at most 64 KiB of UTF-8.
 */
export interface WrittenLine extends Pick<LogLine, "at" | "text" | "spans"> {
  stream?: LogStream | undefined;
}

/** Consecutive lines of a run's log. */
export interface LogAppend {
  phase: ExecutedPhase;
  /** The number of the first of `lines` within the run. */
  firstLine: number;
  lines: readonly WrittenLine[];
}

/** Counts of the lines in a text, so that it need not be read again. */
export interface LogTextSummary {
  lineCount: number;
  /** The size of the text in UTF-8, with one byte more per line. */
  byteCount: number;
  /** The streams of the lines as bits, by the order of LOG_STREAMS. */
  streams: number;
}

export function writeLogText(lines: readonly WrittenLine[]): string {
  let [instant, milliseconds] = ["", ""];
  let whole = "";
  for (const { at, text, stream, spans } of lines) {
    // Lines come in bursts: parsing each time would take as long as compressing the text.
    if (at !== instant) [instant, milliseconds] = [at, String(Date.parse(at))];
    whole += `${whole === "" ? "" : "\n"}${milliseconds}${streamMark(stream)}${spanMark(spans)}\t${text}`;
  }
  return whole;
}

function streamMark(stream: LogStream = "STDOUT"): string {
  return stream === "STDOUT" ? "" : `.${LOG_STREAMS.indexOf(stream)}`;
}

function spanMark(spans: LogLine["spans"] = []): string {
  return spans.length === 0 ? "" : `;${writeSpans(spans)}`;
}

const [TAB, LINE_FEED, POINT, MINUS, ZERO, NINE, SEMICOLON] = [9, 10, 46, 45, 48, 57, 59];
/** The years 0 to 9999 in milliseconds: RFC 3339 covers no others. */
const [EARLIEST, LATEST] = [-62_167_219_200_000, 253_402_300_799_999];
/** Leading zeros count too: stamps do not count against the limits of logs, so they must be short. */
const MOST_DIGITS = 15;
/** As long as the text of all spans of a line can be. */
const SPANS_BYTES = SPANS_PER_LINE * "65792-65792r*,".length;

/**
 * Checks a text from outside byte by byte; decoding its lines would take five times as long. Returns the counts, or a
 * sentence about the first error. The caller has checked that the text is UTF-8.
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
    if (stamp.coloredTo > length) return `line ${lineCount + 1} must not have a color behind its end`;
    if (length > LIMITS.logLineBytes) return `line ${lineCount + 1} must have at most ${LIMITS.logLineBytes} bytes`;
    lineCount += 1;
    byteCount += length + 1;
    streams |= 1 << stamp.stream;
    start = end + 1;
  }
  return { lineCount, byteCount, streams };
}

interface Stamp {
  stream: number;
  /** Where the last span ends in the text, in UTF-16 code units; 0 without spans. */
  coloredTo: number;
  /** Where the text begins. */
  end: number;
}

/** Reads the stamp of the line that begins at `start`. `null` if there is no stamp. */
function readStamp(bytes: Uint8Array, start: number): Stamp | null {
  const sign = bytes[start] === MINUS ? -1 : 1;
  const first = sign < 0 ? start + 1 : start;
  let [end, instant] = [first, 0];
  for (let byte = bytes[end] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[end] ?? 0) {
    instant = instant * 10 + (byte - ZERO);
    end += 1;
  }
  if (end === first || end - first > MOST_DIGITS) return null;
  if (sign * instant < EARLIEST || sign * instant > LATEST) return null;
  if (bytes[end] === TAB) return { stream: 0, coloredTo: 0, end: end + 1 };
  if (bytes[end] === SEMICOLON) return readColors(bytes, 0, end + 1);
  const stream = (bytes[end + 1] ?? ZERO) - ZERO;
  if (bytes[end] !== POINT || stream <= 0 || stream >= LOG_STREAMS.length) return null;
  if (bytes[end + 2] === SEMICOLON) return readColors(bytes, stream, end + 3);
  return bytes[end + 2] === TAB ? { stream, coloredTo: 0, end: end + 3 } : null;
}

function readColors(bytes: Uint8Array, stream: number, start: number): Stamp | null {
  const length = bytes.subarray(start, start + SPANS_BYTES).indexOf(TAB);
  if (length === -1) return null;
  const spans = readSpans(String.fromCharCode(...bytes.subarray(start, start + length)));
  const coloredTo = spans?.at(-1)?.to;
  return coloredTo === undefined ? null : { stream, coloredTo, end: start + length + 1 };
}
