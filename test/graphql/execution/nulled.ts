/**
 * The place of an error up to where the answer is null for it; all of it where nothing above was lost. What else fails
 * below such a place may come too late to be told: that depends on how promises are chained.
 */
export function nulled(data: unknown, path: readonly (string | number)[] = []): readonly (string | number)[] {
  if (data === null) return [];
  let at: unknown = data;
  const depth = path.findIndex((key) => (at = Reflect.get(Object(at), key)) === null);
  return path.slice(0, depth + 1);
}
