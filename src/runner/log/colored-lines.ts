import { LIMITS } from "../../model/kit/limits.ts";
import { LOG_COLORS, type LogColor, type LogSpan } from "../../model/log/log-span.ts";
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
  return lines.map((line, index) => {
    const start = starts[index] ?? 0;
    const own = plain.slice(start, starts[index + 1] ?? plain.length);
    return { text: line, spans: spansOf(line, own, start, changes) };
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

/** `own`: the text of the line before control characters were taken out of it, from `start` of the whole. */
function spansOf(line: string, own: string, start: number, changes: readonly Change[]): readonly LogSpan[] {
  const spans: LogSpan[] = [];
  const placeOf = (at: number): number => Math.min(own.slice(0, at - start).replace(CONTROL, "").length, line.length);
  for (const [index, { at, color, bold }] of changes.entries()) {
    const end = start + own.length;
    const next = Math.min(changes[index + 1]?.at ?? end, end);
    if (at < start || next <= at || (color === null && !bold)) continue;
    const [from, to] = [placeOf(at), placeOf(next)];
    if (from < to) spans.push({ from, to, color, bold });
    if (spans.length === LIMITS.logColorsPerLine) break;
  }
  return spans;
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
