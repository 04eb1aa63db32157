/** Masks the values of a plan document. */
import type { Json } from "../../model/plan/json.ts";
import { storable } from "../../model/kit/storable.ts";
import { MASK } from "../mask/masked-text.ts";
import type { Masker } from "../mask/masker.ts";
import { createValueDigest } from "../mask/value-digest.ts";
import { type Marks, marksAnything } from "./plan-marks.ts";

export interface DocumentMaskOptions {
  masker: Masker;
  /** The key of the run, under which sensitive texts are digested. */
  key: string;
  /** Parts of a value that lie deeper become null: a reader of the document may recurse. */
  depth: number;
}

/** Texts whose masked form is remembered, and their length: a plan repeats most of its texts. */
const KNOWN_TEXTS = 20_000;
const KNOWN_LENGTH = 256;
/** A shorter number is too common to be masked where nothing marks it. */
const SHORTEST_NUMBER = 6;
/**
 * Masks what a plan document shows. A sensitive text becomes its digest under the key of the run; a sensitive number or
 * boolean becomes null. Everything else goes through the masker.
 */
export class DocumentMask {
  readonly #masker: Masker;
  readonly #depth: number;
  readonly #digest: (text: string) => string;
  readonly #texts = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #hasCut = false;

  constructor({ masker, key, depth }: DocumentMaskOptions) {
    this.#masker = masker;
    this.#depth = depth;
    this.#digest = createValueDigest(key);
  }

  /** Whether parts of a value were too deep and became null. */
  get hasCut(): boolean {
    return this.#hasCut;
  }

  /** Masks a text. One that is a secret as a whole becomes its digest, so that it can be compared. */
  text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const masked = this.#masker.mask(text);
    const shown = storable(masked === MASK && text !== MASK ? this.#digest(text) : masked);
    remember(this.#texts, text, shown);
    return shown;
  }

  /** Masks the address of a resource or a module: only keys of instances that hold a declared secret. */
  address(address: string): string {
    return storable(this.#masker.maskAddress(address));
  }

  /** Masks the name of a part of a value. Two names that are secrets stay two names. */
  name(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const masked = this.#masker.maskName(name);
    const shown = storable(masked === MASK && name !== MASK ? this.#digest(name) : masked);
    remember(this.#names, name, shown);
    return shown;
  }

  /** Hides a sensitive value. The keys of objects are hidden too: those of a map may be secrets. */
  hide(value: unknown, depth = 0): Json {
    if (typeof value === "string") return this.#digest(value);
    if (value === null || typeof value !== "object" || this.cuts(depth)) return null;
    if (Array.isArray(value)) return value.map((item) => this.hide(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.#digest(key), this.hide(item, depth + 1)]),
    );
  }

  /** Masks a value: marked parts are hidden. */
  value(value: unknown, marks: Marks = false, depth = 0): Json {
    if (marks === true) return this.hide(value, depth);
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.#number(value);
    if (typeof value === "boolean") return value;
    if (value === null || typeof value !== "object" || this.cuts(depth)) return null;
    if (Array.isArray(value)) {
      return value.map((item, index) => this.value(item, marksOfItem(marks, index), depth + 1));
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.name(key), this.value(item, marksOfKey(marks, key), depth + 1)]),
    );
  }

  #number(value: number): number | null {
    const text = String(value);
    return text.length < SHORTEST_NUMBER || this.#masker.mask(text) === text ? value : null;
  }

  /** Whether a part at a depth is too deep to be shown. */
  cuts(depth: number): boolean {
    if (depth < this.#depth) return false;
    this.#hasCut = true;
    return true;
  }
}

function remember(known: Map<string, string>, text: string, shown: string): void {
  if (text.length <= KNOWN_LENGTH && known.size < KNOWN_TEXTS) known.set(text, shown);
}

/** Marks of an item. Marks of another shape than the value mark all of it: no part is known to be safe. */
function marksOfItem(marks: Marks, index: number): Marks {
  if (typeof marks === "boolean") return marks;
  return Array.isArray(marks) ? (marks[index] ?? false) : marksAnything(marks);
}

function marksOfKey(marks: Marks, key: string): Marks {
  if (typeof marks === "boolean") return marks;
  if (Array.isArray(marks)) return marksAnything(marks);
  return Object.hasOwn(marks, key) ? (marks[key] ?? false) : false;
}
