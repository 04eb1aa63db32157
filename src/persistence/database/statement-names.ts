/** Which statements are prepared under a name, so that Postgres parses, and as a rule plans, them once a connection. */
export interface StatementNames {
  /** The name under which a statement is to be prepared; undefined: under none. */
  nameOf(text: string): string | undefined;
  /** The statement gets another name from now on: what is prepared under the present one is of no use any more. */
  renew(text: string): void;
}

export interface NameBounds {
  /** Statements with a name. Each costs memory of every connection that used it. */
  names: number;
  /** Statements that were met once and may be met again. */
  met: number;
}

/**
 * At the end of a statement whose best plan depends on what is asked for, such as a list with filters: it is prepared
 * under no name, and so planned each time with the values at hand.
 */
export const PLANNED_EACH_TIME = "/* planned each time */";

/**
 * As many parameters as there are items: one text for each number of items, which would use the names up. Such a
 * statement is better written with `= any($1)`.
 */
const LISTS_ITEMS = /\bin \(\$\d+, \$|\), \(\$/;

/**
 * Names for the statements that are met twice, first come, first served. The statements of this server are a few
 * hundred; beyond the bound, what comes later goes without a name, which costs time and nothing else.
 */
export function createStatementNames(bounds: NameBounds): StatementNames {
  const names = new Map<string, string>();
  const met = new Set<string>();
  let count = 0;
  const newName = (): string => `s${++count}`;
  return {
    nameOf(text) {
      const name = names.get(text);
      if (name !== undefined || names.size >= bounds.names) return name;
      if (text.endsWith(PLANNED_EACH_TIME) || LISTS_ITEMS.test(text)) return undefined;
      if (!met.delete(text)) {
        met.add(text);
        if (met.size > bounds.met) met.clear();
        return undefined;
      }
      const fresh = newName();
      names.set(text, fresh);
      return fresh;
    },
    renew(text) {
      if (names.has(text)) names.set(text, newName());
    },
  };
}
