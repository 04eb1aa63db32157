/** Gives the address of the sign-in on this site, from which the person comes back to this page. */
export function signInAgain(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return `${pathname}${search}&return=${encodeURIComponent(location.pathname + location.search + location.hash)}`;
}
