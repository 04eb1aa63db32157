import { AddressBook } from "./address-book.ts";
import { LineMasker } from "./line-masker.ts";
import { maskSpans, type Span, mergeSpans } from "./masked-text.ts";
import { type Findings, SecretFinder } from "./secret-finder.ts";

/**
 * Replaces sensitive values in texts. Addresses of resources and modules stay readable, because a masked address used as a
 * target would name another resource. In an address only the key of an instance is masked, if it holds a value that a
 * person declared as secret.
 */
export class Masker {
  readonly #secrets: SecretFinder;
  /** Values that a person declared as secret, and credentials. */
  readonly #declared: SecretFinder;
  readonly #addresses = new AddressBook();

  /** Values shorter than `minLength` are not replaced: they are too common in texts. */
  constructor(minLength: number) {
    this.#secrets = new SecretFinder(minLength);
    this.#declared = new SecretFinder(minLength);
  }

  /** UTF-16 length of the longest pattern. */
  get longest(): number {
    return this.#secrets.longest;
  }

  /** Adds values that a person declared as secret, and credentials. */
  add(values: readonly string[]): void {
    this.#secrets.add(values);
    this.#declared.add(values);
  }

  /** Adds values that the engine marks as sensitive. The engine keeps them out of keys. */
  addMarked(values: readonly string[]): void {
    this.#secrets.add(values);
  }

  /** Adds addresses that the engine named. */
  addAddresses(addresses: Iterable<string>): void {
    this.#addresses.add(addresses);
  }

  /** Masks a text of any number of lines. A value may be broken over several. */
  mask(text: string): string {
    if (!text.includes("\n")) return maskSpans(text, this.find(text).spans);
    const lines = new LineMasker<null>(this);
    // A value of several lines that occurs unchanged gets one mark instead of one for each line.
    const masked = maskSpans(text, mergeSpans(this.#secrets.findBroken(text)))
      .split("\n")
      .flatMap((line) => lines.push("", "", line, null));
    return [...masked, ...lines.end(false)].map((line) => line.text).join("\n");
  }

  maskAddress(address: string): string {
    this.#addresses.add([address]);
    return this.mask(address);
  }

  /** Masks the name of a part of a value, such as the key of a map. */
  maskName(name: string): string {
    return maskSpans(name, mergeSpans(this.#declared.find(name).spans));
  }

  /**
   * Finds the spans to mask in a text without line breaks: in order, without overlaps. Addresses are searched from `from`,
   * the beginning of a line.
   */
  find(text: string, from = 0): Findings {
    const { spans, open } = this.#secrets.find(text);
    if (spans.length === 0 && open === text.length) return { spans, open };
    const clear = this.#addressesIn(text, from);
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
