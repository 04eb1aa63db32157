import { LOG_COLORS, type LogColor, type LogSpan, SPANS_PER_LINE } from "../../model/log/log-span.ts";
import { CONTROL, ESCAPE, LINE_BREAK, readableLines } from "./log-text.ts";

/** A readable line, and its colored parts in order. */
export interface ColoredLine {
  text: string;
  spans: readonly LogSpan[];
}

interface Style {
  color: LogColor | null;
  bold: boolean;
}

/** The style of the text from `at` on. */
interface Change extends Style {
  at: number;
}

const PLAIN: Style = { color: null, bold: false };
const NONE: readonly LogSpan[] = [];
const UNCHANGED: { plain: string; changes: readonly Change[] } = { plain: "", changes: [] };
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with an escape
const RENDITION = /^(?:\u001b\[|\u009b)([\d;:]*)m$/;

/**
 * Splits text into the lines that `readableLines` gives, and reads their colors. A color ends with its line: one that is
 * never reset would color all that follows. Of a line with many parts the first ones have colors.
 */
export function coloredLines(text: string): ColoredLine[] {
  const lines = readableLines(text);
  const { plain, changes } = text.includes("\u001b") || text.includes("\u009b") ? readChanges(text) : UNCHANGED;
  const starts = changes.length === 0 ? [] : lineStarts(plain);
  // Progress bars rewrite their lines: where empty ones were left out, the place of a line is not known.
  if (starts.length !== lines.length) return lines.map((line) => ({ text: line, spans: NONE }));
  let next = 0;
  return lines.map((line, index) => {
    const end = starts[index + 1] ?? plain.length;
    const first = next;
    while ((changes[next]?.at ?? end) < end) next += 1;
    const own = { plain, start: starts[index] ?? 0, end };
    return { text: line, spans: spansOf(line, own, changes.slice(first, next)) };
  });
}

function readChanges(text: string): { plain: string; changes: Change[] } {
  const changes: Change[] = [];
  let style = PLAIN;
  let removed = 0;
  const plain = text.replace(ESCAPE, (sequence, at: number) => {
    const [, parameters] = RENDITION.exec(sequence) ?? [];
    if (parameters !== undefined) {
      style = styleAfter(style, parameters);
      changes.push({ ...style, at: at - removed });
    }
    removed += sequence.length;
    return "";
  });
  return { plain, changes };
}

function lineStarts(plain: string): number[] {
  const breaks = plain.matchAll(new RegExp(LINE_BREAK, "g"));
  return [0, ...Array.from(breaks, ({ 0: found, index }) => index + found.length)];
}

/** A line in the text before control characters were taken out of it. */
interface OwnText {
  plain: string;
  start: number;
  end: number;
}

/** `changes`: those within the line. */
function spansOf(line: string, { plain, start, end }: OwnText, changes: readonly Change[]): readonly LogSpan[] {
  const spans: LogSpan[] = [];
  let [read, place] = [start, 0];
  /** The place in the readable line; asked for in ascending order, so that the text is read once. */
  const placeOf = (at: number): number => {
    place = Math.min(place + plain.slice(read, at).replace(CONTROL, "").length, line.length);
    read = at;
    return place;
  };
  for (const [index, { at, color, bold }] of changes.entries()) {
    if (spans.length === SPANS_PER_LINE) break;
    const [from, to] = [placeOf(at), placeOf(changes[index + 1]?.at ?? end)];
    if (from < to && (color !== null || bold)) spans.push({ from, to, color, bold });
  }
  return spans.length === 0 ? NONE : spans;
}

/** Reads "select graphic rendition" (ECMA-48): colors of the text, and bold. Backgrounds and the rest change nothing. */
function styleAfter(style: Style, parameters: string): Style {
  let { color, bold } = style;
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) [color, bold] = [PLAIN.color, PLAIN.bold];
    else if (code === 1) bold = true;
    else if (code === 22) bold = false;
    else if (code === 39) color = null;
    else if (code === 38 || code === 48) {
      // A color of a palette is `5;n`, one of its own `2;r;g;b`: the first 16 of the palette are those below.
      const isPalette = codes[index + 1] === 5;
      if (code === 38) color = isPalette ? colorOf(codes[index + 2] ?? 0, [0, 8]) : null;
      index += isPalette ? 2 : 4;
    } else color = colorOf(code, [30, 90]) ?? color;
  }
  return { color, bold };
}

/** Gives the color of a code that counts from one of these bases, usual or bright. */
function colorOf(code: number, bases: readonly number[]): LogColor | null {
  const base = bases.find((first) => code >= first && code < first + LOG_COLORS.length);
  return base === undefined ? null : (LOG_COLORS[code - base] ?? null);
}
