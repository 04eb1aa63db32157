/** The bytes from `start` up to `end`, which is not included. */
export interface ByteRange {
  start: number;
  end: number;
}

const RANGE = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i;

/**
 * Parses a Range header for a body of `size` bytes. null: the header is ignored (another unit, several ranges, not a
 * range). UNSATISFIABLE: the range is outside of the body.
 */
export function parseRange(header: string, size: number): ByteRange | "UNSATISFIABLE" | null {
  const [, first = "", last = ""] = RANGE.exec(header) ?? [];
  if (first === "" && last === "") return null;
  if (first === "")
    return Number(last) === 0 || size === 0 ? "UNSATISFIABLE" : { start: Math.max(0, size - Number(last)), end: size };
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= size) return "UNSATISFIABLE";
  return { start, end: last === "" ? size : Math.min(Number(last) + 1, size) };
}
