/** Paths in values of resources: `tags.Name`, `disks[0].key`, `tags["a.b"]`; the empty string is the whole value. */

/** Writes one step of a path: a key as it is in a configuration, or in brackets and quotes. */
export function pathStep(key: string, isFirst: boolean): string {
  if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
  return isFirst ? key : `.${key}`;
}

/** Whether a path is another one, or lies below it. */
export function isAtOrBelow(path: string, above: string): boolean {
  if (above === "" || path === above) return true;
  return path.startsWith(above) && /^[.[]/.test(path.slice(above.length));
}
