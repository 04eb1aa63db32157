/** Sources that a page may use, by directive. Everything else is refused. */
export type PagePolicy = Readonly<Record<string, string>>;

/** Headers of a page: nothing but its own sources, never within a frame, and no address passed on to other sites. */
export function pageHeaders(policy: PagePolicy): Readonly<Record<string, string>> {
  const directives = { "default-src": "'none'", ...policy, "base-uri": "'none'", "frame-ancestors": "'none'" };
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join("; "),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}
