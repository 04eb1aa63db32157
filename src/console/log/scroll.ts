/**
 * Places of lines in a view that scrolls. Browsers cap the height of an element, so from some height on it is scaled:
 * the place of the scrollbar means a line, and not a number of pixels.
 */
export const ROW = 20;
const HIGHEST = 8_000_000;

/** The height of the sheet of all lines. */
export const heightOf = (lines: number): number => Math.min(lines * ROW, HIGHEST);

/** Whether a pixel of the sheet is more than a pixel of its rows. */
export const isScaled = (lines: number): boolean => lines * ROW > HIGHEST;

/** The line at the upper edge of a view of `height` that was scrolled to `top`. */
export function lineAt(top: number, lines: number, height: number): number {
  if (!isScaled(lines)) return Math.floor(top / ROW) + 1;
  const share = Math.min(1, Math.max(0, top / (HIGHEST - height)));
  return Math.max(1, Math.round(share * (lines - height / ROW)) + 1);
}

/** Where a view of `height` is scrolled to so that a line is at its upper edge. */
export function offsetOf(line: number, lines: number, height: number): number {
  if (!isScaled(lines)) return (line - 1) * ROW;
  return Math.min(1, (line - 1) / Math.max(1, lines - height / ROW)) * (HIGHEST - height);
}
