const DEFAULT = "/graphql";

/** Returns the path of this site to which a person returns after a sign-in. Anything that leads elsewhere is left out. */
export function returnPath(asked: string | null, origin: string): string {
  if (asked === null || !asked.startsWith("/")) return DEFAULT;
  const url = URL.parse(asked, origin);
  // The parser takes "//other" and "/\\other" for another host, as browsers do, and leaves out tabs and line ends.
  if (url === null || url.origin !== origin) return DEFAULT;
  return url.pathname.startsWith("//") ? DEFAULT : `${url.pathname}${url.search}`;
}
