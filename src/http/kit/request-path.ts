export const GRAPHQL_PATH = "/graphql";

/** Gives the path of a request; null if its target has none, such as `//` or an address without a host. */
export function requestPath(target = "/"): string | null {
  // Most requests: parsing takes a microsecond.
  if (target === GRAPHQL_PATH) return target;
  return URL.parse(target, "http://server")?.pathname ?? null;
}
