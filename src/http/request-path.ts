export const GRAPHQL_PATH = "/graphql";

/** The path that a request is for; null where its target is none, such as `//` or an address without a host. */
export function requestPath(target = "/"): string | null {
  return URL.parse(target, "http://server")?.pathname ?? null;
}
