/** Rounds in which every subject is measured once, so that what changes on the machine changes for all. */

export interface Subject<Sample> {
  readonly name: string;
  readonly measure: () => Promise<Sample>;
}

export interface RoundsOptions {
  readonly rounds: number;
  /** Orders the subjects of each round; the same one gives the same orders. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Samples by name, one a round. */
export async function inRounds<Sample>(
  subjects: readonly Subject<Sample>[],
  { rounds, seed, signal }: RoundsOptions,
): Promise<Map<string, Sample[]>> {
  const found = new Map<string, Sample[]>(subjects.map(({ name }) => [name, []]));
  const random = createRandom(seed);
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, measure } of shuffled(subjects, random)) {
      signal.throwIfAborted();
      found.get(name)?.push(await measure());
    }
  }
  return found;
}

/** Mulberry32: small, and good enough to order a handful of subjects. Gives 0 to below 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
