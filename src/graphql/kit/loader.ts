import DataLoader from "dataloader";
import type { Queries } from "../../domain/domain.ts";
import { type IdKind, idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import { inputError } from "./errors.ts";

type Load<Key, Value> = (domain: Queries, caller: ActorCaller, keys: readonly Key[]) => Promise<Value[]>;

interface OpenLoader<Key, Value> {
  load(key: Key): Promise<Value>;
  loadMany(keys: readonly Key[]): Promise<(Value | Error)[]>;
  clearAll(): unknown;
}

/** A batched read as its file declares it. Each operation opens its own on first use (`Loaders`). */
export interface Loader<Key, Value> {
  open(domain: Queries, caller: ActorCaller): OpenLoader<Key, Value>;
}

/** Declares a loader by ids, which gives one value for each, in their order. */
export function loaderOf<Value>(load: Load<string, Value>): Loader<string, Value> {
  return { open: (domain, caller) => new DataLoader((ids) => load(domain, caller, ids)) };
}

/** Declares a loader by keys that are objects. `cacheKeyFn`: equal for keys of the same value. */
export function loaderByKey<Key, Value>(load: Load<Key, Value>, cacheKeyFn: (key: Key) => string): Loader<Key, Value> {
  return { open: (domain, caller) => new DataLoader((keys) => load(domain, caller, keys), { cacheKeyFn }) };
}

/** Declares a loader of objects by their ids. An id of another kind gives `null` and is not read. */
export function loaderById<Entity>(
  kinds: readonly IdKind[],
  load: Load<string, Entity | null>,
): Loader<string, Entity | null> {
  return loaderOf((domain, caller, ids) => loadKnown(kinds, ids, (known) => load(domain, caller, known)));
}

/** Declares a loader of facts about runs, as each run was at its version. */
export function loaderByRun<Value>(load: Load<Run, Value>): Loader<Run, Value> {
  return loaderByKey(load, ({ id, version }) => `${id} ${version}`);
}

/** Declares a loader that looks into state files, of which a request may ask for a few. */
export function loaderOfStates<Key, Value>(
  load: (domain: Queries, caller: ActorCaller, key: Key) => Promise<Value>,
  cacheKeyFn: (key: Key) => string,
): Loader<Key, Value> {
  const most = LIMITS.statesExaminedPerRequest;
  const message = `At most ${most} states are looked into by one request.`;
  return loaderOfFew(load, cacheKeyFn, { most, path: "resources", message });
}

/** The number of values of a loader that one request may ask for, and its refusal of more. */
interface Few {
  most: number;
  path: string;
  message: string;
}

/** Declares a loader of expensive values, of which a request may ask for a few. */
export function loaderOfFew<Key, Value>(
  load: (domain: Queries, caller: ActorCaller, key: Key) => Promise<Value>,
  cacheKeyFn: (key: Key) => string,
  few: Few,
): Loader<Key, Value> {
  return loaderOfFewBatched(
    (domain, caller, keys) => Promise.all(keys.map((key) => load(domain, caller, key))),
    cacheKeyFn,
    few,
  );
}

/** Declares a loader of expensive values that are read together. */
export function loaderOfFewBatched<Key, Value>(
  load: Load<Key, Value>,
  cacheKeyFn: (key: Key) => string,
  { most, path, message }: Few,
): Loader<Key, Value> {
  return {
    open(domain, caller) {
      // Over all batches: fields at different depths of a document are loaded one after the other.
      let asked = 0;
      const loadFew = async (keys: readonly Key[]): Promise<Value[]> => {
        asked += keys.length;
        if (asked > most) throw inputError([{ path: [path], message }]);
        return load(domain, caller, keys);
      };
      return new DataLoader(loadFew, { cacheKeyFn });
    },
  };
}

/** The open loaders of one operation: a value that was read for one caller is never shown to another. */
export class Loaders {
  readonly #domain: Queries;
  readonly #caller: ActorCaller;
  readonly #open = new Map<object, OpenLoader<unknown, unknown>>();

  constructor(domain: Queries, caller: ActorCaller) {
    this.#domain = domain;
    this.#caller = caller;
  }

  /** Reads the value of a key, in one batch with the keys that are asked for at the same time. */
  load<Key, Value>(loader: Loader<Key, Value>, key: Key): Promise<Value>;
  // The overload keeps the types that the map loses.
  load(loader: Loader<unknown, unknown>, key: unknown): Promise<unknown> {
    return this.#openOf(loader).load(key);
  }

  /** Reads the values of keys, in their order; an `Error` in place of a value that cannot be read. */
  loadMany<Key, Value>(loader: Loader<Key, Value>, keys: readonly Key[]): Promise<(Value | Error)[]>;
  loadMany(loader: Loader<unknown, unknown>, keys: readonly unknown[]): Promise<unknown[]> {
    return this.#openOf(loader).loadMany(keys);
  }

  #openOf(loader: Loader<unknown, unknown>): OpenLoader<unknown, unknown> {
    let open = this.#open.get(loader);
    if (open === undefined) {
      open = loader.open(this.#domain, this.#caller);
      this.#open.set(loader, open);
    }
    return open;
  }

  /** Forgets everything that was read, so that the next read shows the state as it is then. Limits of a request count on. */
  clear(): void {
    for (const open of this.#open.values()) open.clearAll();
  }
}

async function loadKnown<Entity>(
  kinds: readonly IdKind[],
  ids: readonly string[],
  load: (ids: readonly string[]) => Promise<(Entity | null)[]>,
): Promise<(Entity | null)[]> {
  const isKnown = (id: string): boolean => {
    const kind = idKind(id);
    return kind !== null && kinds.includes(kind);
  };
  if (ids.every(isKnown)) return await load(ids);
  const known = ids.filter(isKnown);
  if (known.length === 0) return ids.map(() => null);
  const entities = await load(known);
  const byId = new Map(known.map((id, index) => [id, entities[index] ?? null]));
  return ids.map((id) => byId.get(id) ?? null);
}
