import { AddressBook } from "./address-book.ts";
import { LineMasker } from "./line-masker.ts";
import { maskSpans, type Span, mergeSpans } from "./masked-text.ts";
import { type Findings, SecretFinder } from "./secret-finder.ts";

/**
 * Replaces sensitive values in texts. Addresses of resources and modules stay readable: they are names, and a masked one
 * that is given back as a target names something else. Only the key of an instance is masked, where it holds a value
 * that a person declared as secret.
 */
export class Masker {
  readonly #minLength: number;
  readonly #secrets: SecretFinder;
  /** Those that a person declared as such, or that are credentials. */
  readonly #declared: SecretFinder;
  readonly #addresses = new AddressBook();

  /** What is shorter than `minLength` is not replaced, because it would turn up everywhere. */
  constructor(minLength: number) {
    this.#minLength = minLength;
    this.#secrets = new SecretFinder(minLength);
    this.#declared = new SecretFinder(minLength);
  }

  /** UTF-16 length of what has to be seen of a value at a time. */
  get longest(): number {
    return this.#secrets.longest;
  }

  /** Takes values that a person declared as secret, and credentials. */
  add(values: readonly string[]): void {
    this.#secrets.add(values);
    this.#declared.add(values);
  }

  /** Takes values that the engine marks as sensitive. It keeps them out of keys by itself. */
  addMarked(values: readonly string[]): void {
    this.#secrets.add(values);
  }

  /** Takes addresses that the engine has named. */
  addAddresses(addresses: Iterable<string>): void {
    this.#addresses.add(addresses);
  }

  /** Lines are masked together: a value may be broken over several. */
  mask(text: string): string {
    if (this.#secrets.isEmpty || text.length < this.#minLength) return text;
    if (!text.includes("\n")) return maskSpans(text, this.find(text).spans);
    const lines = new LineMasker<null>(this);
    // A value of several lines that stands there as it is gets one mark, and not one for each line.
    const masked = maskSpans(text, mergeSpans(this.#secrets.findBroken(text)))
      .split("\n")
      .flatMap((line) => lines.push("", "", line, null));
    return [...masked, ...lines.end(false)].map((line) => line.text).join("\n");
  }

  maskAddress(address: string): string {
    this.#addresses.add([address]);
    return this.mask(address);
  }

  /** Masks a name of a part of a value, such as the key of a map. */
  maskName(name: string): string {
    return maskSpans(name, mergeSpans(this.#declared.find(name).spans));
  }

  /**
   * Masks the beginning of a text that goes on beyond what is known. Its end is dropped as far as a value could have
   * begun there without being seen whole.
   */
  maskBeginning(text: string): string {
    const { spans, open } = this.find(text);
    const known = spans.filter(([start]) => start < open);
    return maskSpans(text.slice(0, Math.max(open, known.at(-1)?.[1] ?? 0)), known);
  }

  /**
   * Finds what is to be masked in a text without line breaks: in order, without overlaps. Addresses are looked for from
   * `from` on, where a line begins.
   */
  find(text: string, from = 0): Findings {
    const { spans, open } = this.#secrets.find(text);
    if (spans.length === 0 && open === text.length) return { spans, open };
    const clear = this.#addressesIn(text, from);
    if (clear.length === 0) return { spans: mergeSpans(spans), open };
    const isClear = ([start, end]: Span): boolean => clear.some(([first, last]) => first <= start && end <= last);
    return {
      spans: mergeSpans(spans.filter((span) => !isClear(span))),
      open: isClear([open, text.length]) ? text.length : open,
    };
  }

  #addressesIn(text: string, from: number): Span[] {
    const isSecret = (key: string): boolean => this.#declared.find(key).spans.length > 0;
    const spans = this.#addresses.find(text.slice(from), isSecret);
    return spans.map(([start, end]) => [start + from, end + from]);
  }
}
