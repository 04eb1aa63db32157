/** Patterns that begin with the same characters. */
interface Group {
  /** Sorted by code units once `parents` is set. */
  patterns: string[];
  /** For each pattern the index of its longest proper prefix, or -1. `null` if it must be built again. */
  parents: number[] | null;
}

/** Called for a pattern in a text; `end` is exclusive. `marked`: whether the pattern was ever added with the flag. */
export type TakeMatch = (start: number, end: number, marked: boolean) => void;

const BLOCK = 3;
const SMALLEST_TABLE = 1 << 12;
const LARGEST_TABLE = 1 << 20;
/** Least number of table entries for each pattern. */
const SPARSE = 8;

/**
 * Finds many patterns in a text in one pass, with the algorithm of Wu and Manber: a table gives, by three characters, how
 * far no pattern can begin. Possible beginnings are looked up by binary search, so the number of patterns and their common
 * prefixes hardly matter. A regular expression of alternatives was slower by orders of magnitude with the encodings of a
 * thousand values.
 */
export class PatternSet {
  readonly #window: number;
  readonly #patterns = new Map<string, boolean>();
  readonly #groups = new Map<string, Group>();
  /** Beginnings of patterns that are shorter than the window. */
  readonly #beginnings = new Set<string>();
  #shifts = new Uint8Array(0);
  #longest = 0;

  /** `shortest`: the least length of a pattern, at least three. */
  constructor(shortest: number) {
    this.#window = shortest;
  }

  get size(): number {
    return this.#patterns.size;
  }

  /** UTF-16 length of the longest pattern. */
  get longest(): number {
    return this.#longest;
  }

  add(pattern: string, marked: boolean): void {
    const known = this.#patterns.get(pattern);
    if (known === undefined || marked) this.#patterns.set(pattern, marked);
    if (known !== undefined) return;
    this.#longest = Math.max(this.#longest, pattern.length);
    const window = this.#window;
    for (let length = 1; length < window; length += 1) this.#beginnings.add(pattern.slice(0, length));
    const key = pattern.slice(0, window);
    const group = this.#groups.get(key);
    if (group !== undefined) {
      group.patterns.push(pattern);
      group.parents = null;
      return;
    }
    this.#groups.set(key, { patterns: [pattern], parents: null });
    if (this.#groups.size * SPARSE <= this.#shifts.length || this.#shifts.length === LARGEST_TABLE) {
      this.#noteShifts(key);
    } else this.#widen();
  }

  /** Reports the longest match at every index. Gives the index of a pattern that the end of the text cuts off. */
  scan(text: string, take: TakeMatch): number {
    if (this.#patterns.size === 0) return text.length;
    const window = this.#window;
    const shifts = this.#shifts;
    const mask = shifts.length - 1;
    const last = text.length - window;
    let open = text.length;
    for (let at = 0; at <= last; ) {
      const shift = shifts[blockHash(text, at + window - BLOCK) & mask] ?? 0;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const group = this.#groups.get(text.slice(at, at + window));
      if (group !== undefined) {
        const rest = text.slice(at, at + this.#longest);
        const { found, hasLonger } = lookUp(group, rest);
        if (found !== null) take(at, at + found.length, this.#patterns.get(found) === true);
        if (hasLonger) open = Math.min(open, at);
      }
      at += 1;
    }
    for (let at = Math.max(0, last + 1); at < open; at += 1) {
      if (this.#beginnings.has(text.slice(at))) open = at;
    }
    return open;
  }

  #widen(): void {
    const size = Math.max(SMALLEST_TABLE, Math.min(LARGEST_TABLE, this.#shifts.length * 4));
    this.#shifts = new Uint8Array(size).fill(this.#window - BLOCK + 1);
    for (const key of this.#groups.keys()) this.#noteShifts(key);
  }

  #noteShifts(key: string): void {
    const shifts = this.#shifts;
    for (let at = 0; at + BLOCK <= key.length; at += 1) {
      const slot = blockHash(key, at) & (shifts.length - 1);
      shifts[slot] = Math.min(shifts[slot] ?? 0, key.length - BLOCK - at);
    }
  }
}

function blockHash(text: string, at: number): number {
  const mixed = (text.charCodeAt(at) * 33 + text.charCodeAt(at + 1)) * 961 + text.charCodeAt(at + 2) * 7;
  return mixed ^ (mixed >>> 15);
}

/**
 * Finds the longest pattern that is a prefix of the text, and whether the text is a prefix of a longer pattern. All
 * patterns that are prefixes of the text are prefixes of the last pattern that does not sort after it.
 */
function lookUp(group: Group, text: string): { found: string | null; hasLonger: boolean } {
  const parents = (group.parents ??= sortWithParents(group.patterns));
  const { patterns } = group;
  let low = 0;
  for (let high = patterns.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((patterns[middle] ?? "") <= text) low = middle + 1;
    else high = middle;
  }
  let at = low - 1;
  while (at >= 0 && !text.startsWith(patterns[at] ?? "")) at = parents[at] ?? -1;
  return { found: patterns[at] ?? null, hasLonger: patterns[low]?.startsWith(text) === true };
}

/** Sorts patterns. Gives for each the index of its longest proper prefix, or -1. */
function sortWithParents(patterns: string[]): number[] {
  patterns.sort((a, b) => (a < b ? -1 : 1));
  const parents: number[] = [];
  for (const [index, pattern] of patterns.entries()) {
    let parent = index - 1;
    while (parent >= 0 && !pattern.startsWith(patterns[parent] ?? "")) parent = parents[parent] ?? -1;
    parents.push(parent);
  }
  return parents;
}
