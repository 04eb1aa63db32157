/** Maps the values of a record. The overload keeps the type of the keys, which Object.fromEntries loses. */
export function mapRecord<Key extends string, From, To>(
  record: Record<Key, From>,
  map: (value: From, key: string) => To,
): Record<Key, To>;
export function mapRecord(record: Record<string, unknown>, map: (value: unknown, key: string) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
