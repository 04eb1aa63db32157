import { maskedRange, maskSpans, type Span, mergeSpans } from "./masked-text.ts";
import type { Findings } from "./secret-finder.ts";

/** Finds sensitive values in a text without line breaks. */
interface Finder {
  /** `from`: the beginning of a line in the text. */
  find(text: string, from?: number): Findings;
  mask(text: string): string;
}

/** A masked line, with the data that was pushed with it. */
export interface MaskedLine<T> {
  text: string;
  owner: T;
  /** Gives the range of `text` that a range of the body became; `null` if nothing of it is left. */
  rangeOf: (range: Span) => Span | null;
}

interface Entry<T> {
  prefix: string;
  body: string;
  spans: Span[];
  held: boolean;
  owner: T;
}

/** A part of the text that a source carries over: `length` characters from `start` in the body of a line. */
interface Part<T> {
  entry: Entry<T>;
  start: number;
  length: number;
}

interface Source<T> {
  /** The end of its last lines that may begin a value. */
  text: string;
  parts: Part<T>[];
}

/** Shorter beginnings of values are too common to hold a line back. They may stay visible. */
const HELD_LENGTH = 4;
/** A beginning of a value of this length is masked even if its rest did not come. */
const CERTAIN_LENGTH = 8;
const HELD_LINES = 500;
const HELD_CHARACTERS = 512 * 1024;
/** Bounds the carried text, which is searched with each line, against long escapes and white space. */
const CARRIED_CHARACTERS = 8 * 1024;
/** The characters at the margin of a line that an engine or a tool broke. */
const MARGIN = /^[\s│╷╵]*/;

/**
 * Masks lines in order. Finds values that are broken over several lines of one source: a line whose end may begin a value
 * is held back until the next line of its source comes, or too many lines are held. Lines of other sources in between, such
 * as parallel provisioners, do not hide the value.
 */
export class LineMasker<T> {
  readonly #masker: Finder;
  readonly #sources = new Map<string, Source<T>>();
  #queue: Entry<T>[] = [];
  #queued = 0;

  constructor(masker: Finder) {
    this.#masker = masker;
  }

  /** Whether lines are held back. */
  get holds(): boolean {
    return this.#queue.length > 0;
  }

  /** Takes a line without its break; `prefix` is not a part of the source. Gives the lines that are ready. */
  push(name: string, prefix: string, body: string, owner: T): MaskedLine<T>[] {
    const source = this.#sources.get(name) ?? { text: "", parts: [] };
    this.#sources.set(name, source);
    this.#add(source, { prefix, body, spans: [], held: false, owner });
    return this.#bounded();
  }

  /** Takes a line whose rest was cut off. Its end is dropped from where a value may begin that was cut too. */
  pushBeginning(name: string, prefix: string, body: string, owner: T): MaskedLine<T>[] {
    const source = this.#sources.get(name) ?? { text: "", parts: [] };
    this.#sources.delete(name);
    const entry: Entry<T> = { prefix, body, spans: [], held: false, owner };
    this.#add(source, entry);
    release(source, true);
    const open = source.parts.find((part) => part.entry === entry)?.start ?? body.length;
    entry.spans = mergeSpans(entry.spans).filter(([start]) => start < open);
    entry.body = body.slice(0, open);
    this.#queued -= body.length - entry.body.length;
    return this.#bounded();
  }

  /** Gives all lines. `cautious`: masks a longer beginning of a value although its rest did not come. */
  end(cautious: boolean): MaskedLine<T>[] {
    for (const source of this.#sources.values()) release(source, cautious);
    return this.#ready();
  }

  #add(source: Source<T>, entry: Entry<T>): void {
    const { body } = entry;
    this.#queue.push(entry);
    this.#queued += body.length;
    const margin = source.text === "" ? 0 : (MARGIN.exec(body)?.[0].length ?? 0);
    const own = body.slice(margin).trimEnd();
    if (own === "") return;
    const joined = source.text + own;
    const parts = [...source.parts, { entry, start: margin, length: own.length }];
    const { spans, open } = this.#masker.find(joined, source.text.length);
    // A value may have the space at an end of the line.
    if (own.length < body.length) entry.spans = this.#masker.find(body).spans;
    for (const span of spans) mark(parts, span);
    for (const part of source.parts) part.entry.held = false;
    source.text = joined.slice(open);
    source.parts = cutParts(parts, open);
    if (source.text.length > CARRIED_CHARACTERS) {
      release(source, true);
      source.text = "";
      source.parts = [];
    }
    const held = source.text.length >= HELD_LENGTH;
    for (const part of source.parts) part.entry.held = held;
  }

  #bounded(): MaskedLine<T>[] {
    const tooMany = this.#queue.length > HELD_LINES || this.#queued > HELD_CHARACTERS;
    return tooMany ? this.end(true) : this.#ready();
  }

  #ready(): MaskedLine<T>[] {
    const first = this.#queue.findIndex(({ held }) => held);
    const ready = this.#queue.splice(0, first === -1 ? this.#queue.length : first);
    return ready.map(({ prefix, body, spans, owner }) => {
      this.#queued -= body.length;
      const shownPrefix = this.#masker.mask(prefix);
      const hidden = mergeSpans(spans);
      const rangeOf = (range: Span): Span | null => {
        const [first, last] = maskedRange(range, hidden) ?? [0, 0];
        return first < last ? [first + shownPrefix.length, last + shownPrefix.length] : null;
      };
      return { text: shownPrefix + maskSpans(body, hidden), owner, rangeOf };
    });
  }
}

/** Lets lines go whose rest did not come. `cautious`: masks a longer beginning of a value. */
function release<T>({ text, parts }: Source<T>, cautious: boolean): void {
  for (const { entry, start, length } of parts) {
    entry.held = false;
    if (cautious && text.length >= CERTAIN_LENGTH) entry.spans.push([start, start + length]);
  }
}

/**
 * Marks the part of a span of the joined text in each line. A single character at the edge of a line reveals nothing of a
 * value, and may only be the neighbour of its base64.
 */
function mark<T>(parts: readonly Part<T>[], [from, to]: Span): void {
  let at = 0;
  for (const { entry, start, length } of parts) {
    const first = Math.max(from - at, 0);
    const last = Math.min(to - at, length);
    const isEdge = last - first === 1 && length > 1 && to - from > 1;
    if (first < last && !isEdge) entry.spans.push([start + first, start + last]);
    at += length;
  }
}

function cutParts<T>(parts: readonly Part<T>[], from: number): Part<T>[] {
  let at = 0;
  const left: Part<T>[] = [];
  for (const { entry, start, length } of parts) {
    const gone = Math.min(length, Math.max(0, from - at));
    if (gone < length) left.push({ entry, start: start + gone, length: length - gone });
    at += length;
  }
  return left;
}
