/** One entry per key, in the order of the keys: what a batched read answers with. */
export function inOrder<Row, Key>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | null)[] {
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => found.get(key) ?? null);
}

/** The rows of each key, in the order of the keys; the order of the rows is kept. */
export function grouped<Row, Key>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const found = Map.groupBy(rows, keyOf);
  return keys.map((key) => found.get(key) ?? []);
}
