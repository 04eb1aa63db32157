/** The checks that were met while something was asked, and the one that is open. */
export interface Guards {
  /** The check that lets everyone through; `null`: none does. */
  open: string | null;
  /** The names of the checks that refused since it was emptied. */
  readonly refusing: Set<string>;
  /** The names of all checks that were asked. */
  readonly met: Set<string>;
  mark<Caller extends object>(name: string, caller: Caller): Caller;
  unmarked<Caller extends object>(caller: Caller): Caller;
  decide<Result>(caller: object, result: Result, opened: Result): Result;
  /** A condition that refuses something if it holds. */
  refuses(name: string, condition: boolean): boolean;
  /** A condition that refuses something unless it holds. */
  allows(name: string, condition: boolean): boolean;
  /** Something that throws if it refuses. */
  requires(name: string, check: () => Promise<void>): Promise<void>;
  query<Arguments extends unknown[], Query extends (caller: object, keys: never) => unknown>(
    name: string,
    declare: (...declared: Arguments) => Query,
  ): (...declared: Arguments) => Query;
}

const MARK = Symbol("guard");

export function createGuards(): Guards {
  const nameOf = (caller: object): string | null =>
    MARK in caller && typeof caller[MARK] === "string" ? caller[MARK] : null;
  const decided = <Result>(name: string, result: Result, opened: Result): Result => {
    guards.met.add(name);
    if (result === opened) return result;
    guards.refusing.add(name);
    return guards.open === name ? opened : result;
  };
  const guards: Guards = {
    open: null,
    refusing: new Set(),
    met: new Set(),
    mark: (name, caller) => ({ ...caller, [MARK]: name }),
    unmarked: (caller) => ({ ...caller, [MARK]: undefined }),
    decide(caller, result, opened) {
      const name = nameOf(caller);
      if (name === null) return result;
      return decided(name, result, opened);
    },
    refuses: (name, condition) => decided(name, condition, false),
    allows: (name, condition) => decided(name, condition, true),
    requires: (name, check) =>
      check().then(
        () => void decided(name, true, true),
        (error: unknown) => {
          if (!decided(name, false, true)) throw error;
        },
      ),
    query: (name, declare) =>
      ((...declared: Parameters<typeof declare>) => {
        const query = declare(...declared);
        return (caller: object, keys: never) => query(guards.mark(name, caller), keys);
      }) as typeof declare,
  };
  return guards;
}
