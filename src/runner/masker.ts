/** What stands in a text for each sensitive value. */
export const MASK = "(sensitive value)";

/** Longer values are looked for one by one: a pattern of many long alternatives costs more than it saves. */
const PATTERN_LENGTH = 500;
const PATTERN_ALTERNATIVES = 1000;

/**
 * Replaces sensitive values in texts. A value is known with its lines and in its escaped forms; what is shorter than
 * `minLength` is not replaced, because it would turn up everywhere.
 */
export class Masker {
  readonly #minLength: number;
  readonly #values = new Set<string>();
  #long: string[] = [];
  #patterns: RegExp[] | null = [];
  #longest = 0;

  constructor(minLength: number) {
    this.#minLength = minLength;
  }

  /** UTF-16 length of the longest form of any value. */
  get longest(): number {
    return this.#longest;
  }

  add(values: Iterable<string>): void {
    for (const value of values) {
      for (const line of [value, value.trim(), ...value.split(/\r\n|\n|\r/).flatMap((part) => [part, part.trim()])]) {
        for (const form of escapedForms(line)) this.#remember(form);
      }
    }
  }

  mask(text: string): string {
    if (this.#values.size === 0 || text.length < this.#minLength) return text;
    this.#patterns ??= this.#build();
    let masked = text;
    for (const value of this.#long) masked = masked.replaceAll(value, MASK);
    for (const pattern of this.#patterns) masked = masked.replace(pattern, MASK);
    return masked;
  }

  /**
   * Masks the beginning of a text that goes on beyond what is known. Its end is dropped as far as a value could have
   * begun there without being seen whole.
   */
  maskBeginning(text: string): string {
    const masked = this.mask(text);
    return this.#longest === 0 ? masked : masked.slice(0, Math.max(0, masked.length - this.#longest));
  }

  #remember(value: string): void {
    if (value.length < this.#minLength || value.trim() === "" || value === MASK || this.#values.has(value)) return;
    this.#values.add(value);
    this.#longest = Math.max(this.#longest, value.length);
    this.#patterns = null;
  }

  /** Longest first, so that a value is not left in part because another one is its beginning. */
  #build(): RegExp[] {
    const values = [...this.#values].sort((a, b) => b.length - a.length);
    this.#long = values.filter((value) => value.length > PATTERN_LENGTH);
    const patterns: RegExp[] = [];
    for (let at = this.#long.length; at < values.length; at += PATTERN_ALTERNATIVES) {
      const alternatives = values.slice(at, at + PATTERN_ALTERNATIVES).map((value) => escapePattern(value));
      patterns.push(new RegExp(alternatives.join("|"), "g"));
    }
    return patterns;
  }
}

/** As it is, as a JSON string holds it, and as the engine's JSON holds it (Go escapes <, > and & as well). */
function escapedForms(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inGoJson = inJson.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [value, inJson, inGoJson];
}

function escapePattern(value: string): string {
  return value.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
