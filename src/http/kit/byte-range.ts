/** The bytes from `start` to `end`, which is not one of them. */
export interface ByteRange {
  start: number;
  end: number;
}

const RANGE = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i;

/**
 * What a Range header asks for, of `size` bytes. null: it is to be ignored (another unit, several ranges, nonsense);
 * UNSATISFIABLE: nothing of it is there.
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
