/**
 * The version of cursors, which are opaque to clients: a version, the name of the list, and a position in it. A cursor of
 * another list or version, or an invented one, reads as `null`.
 */
const VERSION = 1;
/** Positions that are numbers live in Postgres' int4. */
const MAX_NUMBER = 2 ** 31 - 1;
const MAX_CURSOR_LENGTH = 500;
const NAME_PATTERN = /^[\w.-]{1,200}$/;
const BASE64URL_PATTERN = /^[A-Za-z0-9_-]+$/;

/** How the positions of a list are recognised. */
export type ReadPosition<Position> = (value: unknown) => Position | null;

/** Positions that are versions or line numbers. */
export const numberPosition: ReadPosition<number> = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER ? value : null;

/** Positions that are ids or names. */
export const namePosition: ReadPosition<string> = (value) =>
  typeof value === "string" && NAME_PATTERN.test(value) ? value : null;

/**
 * The name of a list whose positions are given out a second time after a backup was restored. Most databases have no
 * epoch, and their cursors do not mention it.
 */
export function inEpoch({ epoch }: { epoch: string }, list: string): string {
  return epoch === "" ? list : `${list} since ${epoch}`;
}

/** The cursor of one item of a list. */
export function writeCursor(list: string, position: string | number): string {
  return Buffer.from(JSON.stringify([VERSION, list, position])).toString("base64url");
}

export type CursorWriter = (position: string | number) => string;

/**
 * Creates a function that writes the cursors of a list, as `writeCursor` does. The part that all cursors of a page share
 * is encoded once.
 */
export function cursorWriter(list: string): CursorWriter {
  const head = Buffer.from(`[${VERSION},${JSON.stringify(list)},`);
  // Base64 encodes three bytes as four letters: whole groups do not depend on what follows.
  const common = head.length - (head.length % 3);
  const letters = head.toString("base64url", 0, common);
  const rest = head.toString("latin1", common);
  // Digits, names, quotes and commas give neither "+" nor "/", so base64 and base64url differ in the padding alone.
  const write = (position: string): string => letters + btoa(`${rest}${position}]`).replace(/=+$/, "");
  return (position) => {
    if (typeof position === "number") return write(String(position));
    return NAME_PATTERN.test(position) ? write(`"${position}"`) : writeCursor(list, position);
  };
}

/** The position that a cursor of this list names; null where it is not one. */
export function readCursor<Position>(list: string, cursor: string, read: ReadPosition<Position>): Position | null {
  if (cursor.length > MAX_CURSOR_LENGTH || !BASE64URL_PATTERN.test(cursor)) return null;
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return null;
  }
  if (!Array.isArray(content) || content.length !== 3) return null;
  return content[0] === VERSION && content[1] === list ? read(content[2]) : null;
}
