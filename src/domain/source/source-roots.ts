/** The largest number of roots that a message names. */
const MAX_NAMED = 10;

/** Describes the folders that may contain sources, as the end of a message: `below /srv/infra or /srv/apps (...).` */
export function belowRoots(roots: readonly string[]): string {
  if (roots.length === 0) return "below a source root, and this server has none: HOLDPOINT_SOURCE_ROOTS names them.";
  const more = roots.length > MAX_NAMED ? ` or ${roots.length - MAX_NAMED} others` : "";
  return `below ${roots.slice(0, MAX_NAMED).join(" or ")}${more}, the source roots of this server (HOLDPOINT_SOURCE_ROOTS).`;
}
