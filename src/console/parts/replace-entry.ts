/** Changes of one entry of a list that the API only sets as a whole. */

/** An entry of a list, by its name. */
export interface Entry {
  readonly name: string;
}

/** The list that is sent, and the place of the changed entry in it. Or the reason why the change is out of date. */
export type Replaced<T> = { readonly entries: readonly T[]; readonly at: number } | { readonly problem: string };

/**
 * Puts an entry into the list as it is now. `before`: the entry as the person saw it, `null` for a new one. `after`:
 * `null` deletes it. Changes of other entries by other people stay.
 */
export function replaceEntry<T extends Entry>(now: readonly T[], before: T | null, after: T | null): Replaced<T> {
  if (before === null) return { entries: after === null ? now : [...now, after], at: now.length };
  const found = findUnchanged(now, before);
  if ("problem" in found) return found;
  const { at } = found;
  return { entries: now.toSpliced(at, 1, ...(after === null ? [] : [after])), at };
}

/** Moves an entry one place up in the list as it is now. */
export function raiseEntry<T extends Entry>(now: readonly T[], before: T): Replaced<T> {
  const found = findUnchanged(now, before);
  if ("problem" in found || found.at === 0) return "problem" in found ? found : { entries: now, at: 0 };
  const { at } = found;
  const entry = now.slice(at, at + 1);
  return { entries: now.toSpliced(at, 1).toSpliced(at - 1, 0, ...entry), at: at - 1 };
}

function findUnchanged<T extends Entry>(now: readonly T[], before: T): { at: number } | { problem: string } {
  const at = now.findIndex(({ name }) => name === before.name);
  const found = now[at];
  if (found === undefined) return { problem: `${before.name} was deleted or renamed meanwhile. Nothing was sent.` };
  if (JSON.stringify(found) === JSON.stringify(before)) return { at };
  const advice = "Close this, and open it again to see what it is now.";
  return { problem: `${before.name} was changed meanwhile. Nothing was sent. ${advice}` };
}
