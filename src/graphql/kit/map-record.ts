/** The same keys with other values. The overload says what Object.fromEntries forgets: which keys these are. */
export function mapRecord<Key extends string, From, To>(
  record: Record<Key, From>,
  map: (value: From, key: string) => To,
): Record<Key, To>;
export function mapRecord(record: Record<string, unknown>, map: (value: unknown, key: string) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
