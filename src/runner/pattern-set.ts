/** Found by its first characters: all patterns that begin so. */
interface Group {
  /** Those of KEY_LENGTH or more, by their beginnings; each list with the longest first. */
  long: Map<string, string[]>;
  /** Of the others. Longest first. */
  lengths: number[];
  sorted: string[];
}

interface Tables {
  /** How many characters of each pattern the tables know. */
  window: number;
  shifts: Uint8Array;
  groups: Map<string, Group>;
  /** Beginnings of patterns that are shorter than the window. */
  beginnings: Set<string>;
}

/** A pattern in a text, `end` exclusive. `marked` is what the pattern was added with. */
export type TakeMatch = (start: number, end: number, marked: boolean) => void;

const BLOCK = 3;
const LONGEST_WINDOW = 8;
const SMALLEST_TABLE = 1 << 12;
const LARGEST_TABLE = 1 << 20;
/** Longer ones are looked up by so many characters and then compared. */
const KEY_LENGTH = 32;

/**
 * Finds many texts in a text in one pass (Wu and Manber's way): a table says by three characters how far no pattern can
 * begin. A regular expression of alternatives tries them one by one, and with all encodings of a thousand values that
 * was slower by orders of magnitude.
 */
export class PatternSet {
  readonly #patterns = new Map<string, boolean>();
  #tables: Tables | null = null;
  #longest = 0;
  #shortest = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#patterns.size;
  }

  /** UTF-16 length of the longest pattern. */
  get longest(): number {
    return this.#longest;
  }

  /** Patterns have three characters at least. */
  add(pattern: string, marked: boolean): void {
    if (this.#patterns.has(pattern)) return;
    this.#patterns.set(pattern, marked);
    this.#longest = Math.max(this.#longest, pattern.length);
    this.#shortest = Math.min(this.#shortest, pattern.length);
    this.#tables = null;
  }

  /** Tells the longest match at every place, and answers with where a pattern begins that the text's end cuts off. */
  scan(text: string, take: TakeMatch): number {
    if (this.#patterns.size === 0) return text.length;
    this.#tables ??= build(this.#patterns, Math.min(this.#shortest, LONGEST_WINDOW));
    const { window, shifts, groups, beginnings } = this.#tables;
    const mask = shifts.length - 1;
    const last = text.length - window;
    let open = text.length;
    for (let at = 0; at <= last; ) {
      const shift = shifts[blockHash(text, at + window - BLOCK) & mask] ?? 0;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const group = groups.get(text.slice(at, at + window));
      if (group !== undefined) {
        matchGroup(this.#patterns, group, text, at, take);
        if (open === text.length && text.length - at < this.#longest && isBeginning(group, text, at)) open = at;
      }
      at += 1;
    }
    for (let at = Math.max(0, last + 1); at < open; at += 1) {
      if (beginnings.has(text.slice(at))) open = at;
    }
    return open;
  }
}

function blockHash(text: string, at: number): number {
  const mixed = (text.charCodeAt(at) * 33 + text.charCodeAt(at + 1)) * 961 + text.charCodeAt(at + 2) * 7;
  return mixed ^ (mixed >>> 15);
}

function build(patterns: ReadonlyMap<string, boolean>, window: number): Tables {
  let size = SMALLEST_TABLE;
  while (size < LARGEST_TABLE && size < patterns.size * 32) size *= 2;
  const shifts = new Uint8Array(size).fill(window - BLOCK + 1);
  const groups = new Map<string, Group>();
  const beginnings = new Set<string>();
  for (const pattern of patterns.keys()) {
    for (let at = 0; at + BLOCK <= window; at += 1) {
      const slot = blockHash(pattern, at) & (size - 1);
      shifts[slot] = Math.min(shifts[slot] ?? 0, window - BLOCK - at);
    }
    for (let length = 1; length < window; length += 1) beginnings.add(pattern.slice(0, length));
    addToGroup(groups, pattern, window);
  }
  for (const group of groups.values()) {
    group.lengths.sort((a, b) => b - a);
    group.sorted.sort((a, b) => (a < b ? -1 : 1));
    for (const patternsOfKey of group.long.values()) patternsOfKey.sort((a, b) => b.length - a.length);
  }
  return { window, shifts, groups, beginnings };
}

function addToGroup(groups: Map<string, Group>, pattern: string, window: number): void {
  const key = pattern.slice(0, window);
  const group: Group = groups.get(key) ?? { long: new Map(), lengths: [], sorted: [] };
  groups.set(key, group);
  group.sorted.push(pattern);
  if (pattern.length < KEY_LENGTH) {
    if (!group.lengths.includes(pattern.length)) group.lengths.push(pattern.length);
    return;
  }
  const same = group.long.get(pattern.slice(0, KEY_LENGTH)) ?? [];
  group.long.set(pattern.slice(0, KEY_LENGTH), same);
  same.push(pattern);
}

function matchGroup(
  patterns: ReadonlyMap<string, boolean>,
  group: Group,
  text: string,
  at: number,
  take: TakeMatch,
): void {
  const found = longestAt(patterns, group, text, at);
  if (found !== undefined) take(at, at + found.length, patterns.get(found) === true);
}

function longestAt(
  patterns: ReadonlyMap<string, boolean>,
  { long, lengths }: Group,
  text: string,
  at: number,
): string | undefined {
  const sameKey = long.size === 0 ? undefined : long.get(text.slice(at, at + KEY_LENGTH));
  const found = sameKey?.find((pattern) => text.startsWith(pattern, at));
  if (found !== undefined) return found;
  for (const length of lengths) {
    const short = text.slice(at, at + length);
    if (short.length === length && patterns.has(short)) return short;
  }
  return undefined;
}

/** Whether all that is left of the text begins a pattern that is longer. */
function isBeginning({ sorted }: Group, text: string, at: number): boolean {
  const rest = text.slice(at);
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") <= rest) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(rest) === true;
}
