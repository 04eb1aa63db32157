import { setTimeout as sleep } from "node:timers/promises";

/** Reads by key: one answer for each key, in the order of the keys. */
export type ReadKeys<Value> = (keys: readonly string[]) => Promise<Value[]>;

interface Batch<Value> {
  /** Each key once, with its place among the answers. */
  readonly places: Map<string, number>;
  readonly begin: () => void;
  readonly answers: Promise<Value[]>;
}

/** While Postgres reads one batch, Node works on another; and one that waits for a disk does not keep a crowd waiting. */
const FULL_AT_ONCE = 2;
/** Nobody waits longer for a read that is not over: most take less, also of a crowd. */
const PATIENCE_MS = 20;

/**
 * One read at a time, and two where the next one is full: whoever asks while one is under way is answered by the next,
 * with all who do. A request that comes alone waits for nobody. The read begins after all of them have asked, so that
 * nobody is told what was true before.
 *
 * So the requests of a crowd do not go in step, all of them waiting for Postgres and then all for Node: while Postgres
 * reads for some, Node answers others. And the more there are, the more of them a read is for.
 *
 * Rights are checked before: whoever may not know an answer must not ask. Answers are shared, and not to be changed.
 *
 * `most`: keys of one read; a single question may have more. `patience`: how long a read is waited for that does not end.
 */
export function together<Value>(
  read: ReadKeys<Value>,
  most: number,
  patience: () => Promise<unknown> = () => sleep(PATIENCE_MS, undefined, { ref: false }),
): ReadKeys<Value> {
  /** The last one takes what is asked as long as it fits; those before it are full. */
  const waiting: Batch<Value>[] = [];
  let underWay = 0;
  const beginWhatMay = (): void => {
    while (underWay < (waiting.length > 1 ? FULL_AT_ONCE : 1)) {
      const batch = waiting.shift();
      if (batch === undefined) return;
      underWay += 1;
      batch.begin();
      void Promise.race([batch.answers, patience()]).then(over, over);
    }
  };
  const over = (): void => {
    underWay -= 1;
    beginWhatMay();
  };
  const open = (): Batch<Value> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const places = new Map<string, number>();
    const batch = { places, begin: resolve, answers: promise.then(() => read([...places.keys()])) };
    waiting.push(batch);
    setImmediate(beginWhatMay);
    return batch;
  };
  return async (keys) => {
    const last = waiting.at(-1);
    const { places, answers } = last === undefined || last.places.size + keys.length > most ? open() : last;
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
