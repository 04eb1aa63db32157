import type { ExecutionResult } from "graphql";

/**
 * Finds the part of an error's path up to the position that is null because of it; the whole path if nothing above was
 * lost.
 */
function nulled(data: unknown, path: readonly (string | number)[] = []): readonly (string | number)[] {
  if (data === null) return [];
  let at: unknown = data;
  const depth = path.findIndex((key) => (at = Reflect.get(Object(at), key)) === null);
  return path.slice(0, depth + 1);
}

/**
 * Gives the part of a result that does not depend on how promises are chained: where several fields below a lost value
 * fail, the first one decides, and errors that come later may be dropped.
 */
export function comparable({ data, errors = [] }: ExecutionResult): unknown {
  const causes = errors.map((error) => {
    const position = nulled(data, error.path);
    return JSON.stringify(position.length < (error.path ?? []).length ? position : error);
  });
  return { data: JSON.stringify(data), causes: [...new Set(causes)].toSorted() };
}
