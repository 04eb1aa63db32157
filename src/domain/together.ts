/** Reads by key: one answer for each key, in the order of the keys. */
export type ReadKeys<Value> = (keys: readonly string[]) => Promise<Value[]>;

interface Batch<Value> {
  /** Each key once, with its place among the answers. */
  readonly places: Map<string, number>;
  readonly answers: Promise<Value[]>;
  readonly start: () => void;
}

/**
 * Everybody who asks in one turn of the event loop is answered by one read: under load, of the requests that have come
 * in since the last turn, and a request that comes alone waits for nobody. The read begins after all of them have
 * asked, so that nobody is told what was true before; what is under way already is not joined.
 *
 * Rights are checked before: whoever may not know an answer must not ask. Answers are shared, and not to be changed.
 *
 * `most`: keys of one read; a single question may have more.
 */
export function together<Value>(read: ReadKeys<Value>, most: number): ReadKeys<Value> {
  let open: Batch<Value> | null = null;
  const begin = (): Batch<Value> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const places = new Map<string, number>();
    const batch = { places, answers: promise.then(() => read([...places.keys()])), start: resolve };
    setImmediate(() => {
      if (open === batch) open = null;
      resolve();
    });
    return batch;
  };
  return async (keys) => {
    if (open !== null && open.places.size + keys.length > most) {
      open.start();
      open = null;
    }
    open ??= begin();
    const { places, answers } = open;
    const mine = keys.map((key) => places.get(key) ?? add(places, key));
    const found = await answers;
    return mine.map((place) => answerAt(found, place));
  };
}

function add(places: Map<string, number>, key: string): number {
  const place = places.size;
  places.set(key, place);
  return place;
}

function answerAt<Value>(found: readonly Value[], place: number): Value {
  const answer = found[place];
  if (answer === undefined) throw new Error("A read has given fewer answers than it was asked for.");
  return answer;
}
