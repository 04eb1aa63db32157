/** Paths of attributes, in the format of the API: `tags.Name`, `disks[0].key`; the empty text is the whole object. */
export type Step = string | number;

/** Appends a step to a path. */
export function join(path: string, step: Step): string {
  if (typeof step === "number") return `${path}[${step}]`;
  return path === "" ? step : `${path}.${step}`;
}

/** Whether a path is one of these, or below one of them. */
export function isWithin(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.size === 0) return false;
  if (paths.has("") || paths.has(path)) return true;
  for (let end = path.length - 1; end > 0; end -= 1) {
    const sign = path[end];
    if ((sign === "." || sign === "[") && paths.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Gives a path without the positions in lists, by which equal changes of several objects are found. */
export function withoutPositions(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "[*]");
}
