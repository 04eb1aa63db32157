/** Remembers how new the runs are that a page has seen, so that an answer that was overtaken does not turn them back. */
export interface Versions {
  /** Notes all runs in an answer; gives whether one of them is older than one that was seen before. */
  note(data: unknown): boolean;
}

/** A tab that is open for weeks sees more runs than it can show: those that changed least lately are forgotten. */
const KEPT = 5_000;

export function createVersions(kept: number = KEPT): Versions {
  const newest = new Map<string, number>();
  const keep = (id: string, version: number): void => {
    // A Map keeps the order in which its entries were set.
    newest.delete(id);
    newest.set(id, version);
    const [oldest] = newest.keys();
    if (newest.size > kept && oldest !== undefined) newest.delete(oldest);
  };
  const note = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return false;
    let isOlder = false;
    if ("__typename" in value && value.__typename === "Run" && "id" in value && "version" in value) {
      const { id, version } = value;
      if (typeof id === "string" && typeof version === "number") {
        const known = newest.get(id) ?? 0;
        isOlder = version < known;
        if (version >= known) keep(id, version);
      }
    }
    for (const part of Object.values(value)) if (note(part)) isOlder = true;
    return isOlder;
  };
  return { note };
}
