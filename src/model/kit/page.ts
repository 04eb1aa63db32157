/**
 * The request for a page of a keyset-ordered list. A position is the list's sort key: an id, a version, a line number.
 */
export interface PageRequest<Position> {
  /** At least 0; the caller has checked the bound of the list. */
  limit: number;
  /** "backward": the last `limit` items of the window instead of the first ones. */
  direction: "forward" | "backward";
  /** The window: items strictly between these two, in the list's own order. */
  after: Position | null;
  before: Position | null;
}

/** Items are always in the list's own order, in both directions. */
export interface Page<Item> {
  items: Item[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** Makes a page of rows that were read with `limit + 1` in the direction of the request. */
export function toPage<Item>(request: PageRequest<unknown>, rows: Item[]): Page<Item> {
  const items = rows.slice(0, request.limit);
  const ordered = request.direction === "forward" ? items : items.reverse();
  return pageOf(request, ordered, rows.length > request.limit);
}

/**
 * Builds a page of items in the list's own order. `more`: the window has further items in the direction of the request.
 * At the other end the bounds of the window decide.
 */
export function pageOf<Item>(
  { direction, after, before }: PageRequest<unknown>,
  items: Item[],
  more: boolean,
): Page<Item> {
  return direction === "forward"
    ? { items, hasNextPage: more, hasPreviousPage: after !== null }
    : { items, hasNextPage: before !== null, hasPreviousPage: more };
}
