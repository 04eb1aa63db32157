/** Numbers that look random and come again with the same seed. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number below the bound. */
  below(bound: number): number;
  pick<T>(list: readonly T[]): T | undefined;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    below: (bound) => Math.floor(next() * bound),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}
