/** Lines of a log in the address: `#L812`, or `#L812-L815` for several. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Reads the part of an address behind `#`; `null` if it names no lines. */
export function readLineRange(hash: string): LineRange | null {
  const [, first, last] = /^#L([1-9]\d{0,11})(?:-L([1-9]\d{0,11}))?$/.exec(hash) ?? [];
  if (first === undefined) return null;
  return rangeOf(Number(first), Number(last ?? first));
}

/** Gives the lines between two, both included, in the order of the log. */
export function rangeOf(one: number, other: number): LineRange {
  return { first: Math.min(one, other), last: Math.max(one, other) };
}

/** Writes the part of an address that {@link readLineRange} reads. */
export function writeLineRange({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`;
}
