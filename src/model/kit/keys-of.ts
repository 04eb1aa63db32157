/** The keys of a record that has exactly those of its type. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- Object.keys cannot know that the type is exact
  return Object.keys(record) as Key[];
}
