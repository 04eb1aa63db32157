/** The checks that were met while something was asked, and the one that is open. */
export interface Guards {
  /** The check that lets everyone through; `null`: none does. */
  open: string | null;
  /** The names of the checks that refused since it was emptied. */
  readonly refusing: Set<string>;
  mark<Caller extends object>(name: string, caller: Caller): Caller;
  decide<Result>(caller: object, result: Result, opened: Result): Result;
  query<Arguments extends unknown[], Query extends (caller: object, keys: never) => unknown>(
    name: string,
    declare: (...declared: Arguments) => Query,
  ): (...declared: Arguments) => Query;
}

const MARK = Symbol("guard");

export function createGuards(): Guards {
  const nameOf = (caller: object): string | null => (MARK in caller ? String(caller[MARK]) : null);
  const guards: Guards = {
    open: null,
    refusing: new Set(),
    mark: (name, caller) => ({ ...caller, [MARK]: name }),
    decide(caller, result, opened) {
      const name = nameOf(caller);
      if (name === null || result === opened) return result;
      guards.refusing.add(name);
      return guards.open === name ? opened : result;
    },
    query: (name, declare) =>
      ((...declared: Parameters<typeof declare>) => {
        const query = declare(...declared);
        return (caller: object, keys: never) => query(guards.mark(name, caller), keys);
      }) as typeof declare,
  };
  return guards;
}
