/**
 * The colors of a line of a log, kept beside its text, so that masks, searches and cuts work on plain text. In the text
 * form of lines, spans are `<from>-<to><letter of the color>[*]`, separated by commas; `*` is bold.
 */

/** The colors of terminals, in their order. */
export const LOG_COLORS = ["BLACK", "RED", "GREEN", "YELLOW", "BLUE", "MAGENTA", "CYAN", "WHITE"] as const;
export type LogColor = (typeof LOG_COLORS)[number];

/** A part of a line, in UTF-16 code units; `to` is exclusive. It has a color, or is bold, or both. */
export interface LogSpan {
  from: number;
  to: number;
  color: LogColor | null;
  bold: boolean;
}

/** The most parts of a line: they do not count against the limits of a log. */
export const SPANS_PER_LINE = 20;
const LETTERS = "krgybmcw";
const SPAN = /^(\d{1,5})-(\d{1,5})([krgybmcw]?)(\*?)$/;

export function writeSpans(spans: readonly LogSpan[]): string {
  return spans
    .map(({ from, to, color, bold }) => {
      const letter = color === null ? "" : LETTERS.charAt(LOG_COLORS.indexOf(color));
      return `${from}-${to}${letter}${bold ? "*" : ""}`;
    })
    .join(",");
}

/** Reads spans that are in order, not empty, without overlaps, and not too many. `null` for any other text. */
export function readSpans(text: string): LogSpan[] | null {
  const parts = text.split(",", SPANS_PER_LINE + 1);
  if (parts.length > SPANS_PER_LINE) return null;
  const spans: LogSpan[] = [];
  let end = 0;
  for (const part of parts) {
    const [, first = "", last = "", letter = "", star = ""] = SPAN.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from < end || to <= from || (letter === "" && star === "")) return null;
    spans.push({ from, to, color: LOG_COLORS[LETTERS.indexOf(letter || "?")] ?? null, bold: star === "*" });
    end = to;
  }
  return spans;
}
