/** The colored parts of the text of a line. Pure: no page. */
export interface LineSpan {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** A color of `LogColor`; a page of an older release may not know it. */
  readonly color: string | null;
  readonly bold: boolean;
}

/** A part of a text, and how it is drawn; without a color and not bold between spans. */
export interface ColoredPart extends Pick<LineSpan, "color" | "bold"> {
  readonly at: number;
  readonly text: string;
}

/** Splits a text at its spans, which are in order. Spans behind the end of the text are left out. */
export function coloredParts(text: string, spans: readonly LineSpan[]): ColoredPart[] {
  const parts: ColoredPart[] = [];
  let at = 0;
  const add = (to: number, color: string | null, bold: boolean): void => {
    const part = text.slice(at, to);
    if (part !== "") parts.push({ at, text: part, color, bold });
    at = Math.max(at, to);
  };
  for (const { from, to, color, bold } of spans) {
    add(from, null, false);
    add(to, color, bold);
  }
  add(text.length, null, false);
  return parts;
}
