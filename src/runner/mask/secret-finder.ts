import type { Span } from "./masked-text.ts";
import { MASK } from "./masked-text.ts";
import { PatternSet } from "./pattern-set.ts";
import { encodedForms, partsOf, type SecretForm, secretForms } from "./secret-forms.ts";
import { percentDecode, removeEscapes, removeSpaces, removeTemplateEscapes, type TextView } from "./text-views.ts";

/** The sensitive parts of a text. */
export interface Findings {
  /** In any order, with overlaps. */
  spans: Span[];
  /** Index at which a value may begin that the end of the text cuts off; else the length of the text. */
  open: number;
}

interface EncodedBounds {
  /** Values beyond this number have no encoded forms: a state may have a hundred thousand. */
  values: number;
  /** Bounds the encoded values together: the forms take eight times their length, and a state may hold files. */
  characters: number;
}

const ENCODED: EncodedBounds = { values: 20_000, characters: 4 * 1024 * 1024 };
/** Levels of escapes, such as JSON in a string of JSON. */
const ESCAPED_TIMES = 3;
const TEMPLATE_ESCAPE = /([$%])\1(?:\{|$)/;
const BASE64 = /[A-Za-z0-9+/_-]/;

/** Finds sensitive values in texts, in all forms of `secretForms`, also if they are escaped. */
export class SecretFinder {
  readonly #minLength: number;
  readonly #patterns: PatternSet;
  readonly #known = new Set<string>();
  readonly #encodedValues: number;
  /** How many characters may still be encoded. */
  #encodable: number;
  #hasSpaces = false;

  /** Values shorter than `minLength` are not found: they are too common in texts. */
  constructor(minLength: number, encoded = ENCODED) {
    this.#minLength = minLength;
    this.#encodedValues = encoded.values;
    this.#encodable = encoded.characters;
    this.#patterns = new PatternSet(minLength);
  }

  /** UTF-16 length of the longest pattern. */
  get longest(): number {
    return this.#patterns.longest;
  }

  add(values: Iterable<string>): void {
    for (const value of values) {
      if (this.#known.has(value) || value.length < this.#minLength) continue;
      this.#known.add(value);
      for (const { text, base64 } of [...secretForms(value, this.#minLength), ...this.#encoded(value)]) {
        if (text.length < this.#minLength || text.trim() === "" || text === MASK) continue;
        for (const part of partsOf(text)) this.#patterns.add(part, base64);
        this.#hasSpaces ||= /\s/.test(text);
      }
    }
  }

  #encoded(value: string): SecretForm[] {
    if (this.#known.size > this.#encodedValues || value.length > this.#encodable) return [];
    this.#encodable -= value.length;
    return encodedForms(value, this.#minLength);
  }

  /** Finds values of several lines that occur unchanged. */
  findBroken(text: string): Span[] {
    const spans: Span[] = [];
    this.#patterns.scan(text, (start, end) => {
      if (text.slice(start, end).includes("\n")) spans.push([start, end]);
    });
    return spans;
  }

  /** Searches a text without line breaks. */
  find(text: string): Findings {
    const findings: Findings = { spans: [], open: text.length };
    if (this.#patterns.size === 0) return findings;
    this.#scan(text, null, findings);
    if (this.#hasSpaces) this.#scanView(removeSpaces(text, null), findings, true);
    this.#scanUrl(text, null, findings);
    this.#scanTemplates(text, null, findings);
    let view: TextView | null = null;
    let last = text;
    for (let times = 0; times < ESCAPED_TIMES && last.includes("\\"); times += 1) {
      view = removeEscapes(last, view);
      last = view.text;
      this.#scanView(view, findings);
      this.#scanUrl(last, view, findings);
      this.#scanTemplates(last, view, findings);
    }
    return findings;
  }

  /** Searches beside the text without the escapes of templates: JSON has none, so there `$${` is what it is. */
  #scanTemplates(text: string, from: TextView | null, findings: Findings): void {
    let view = from;
    let last = text;
    for (let times = 0; times < ESCAPED_TIMES && TEMPLATE_ESCAPE.test(last); times += 1) {
      view = removeTemplateEscapes(last, view);
      last = view.text;
      this.#scanView(view, findings);
      this.#scanUrl(last, view, findings);
    }
  }

  #scanUrl(text: string, from: TextView | null, findings: Findings): void {
    if (text.includes("%")) this.#scanView(percentDecode(text, false, from), findings);
    if (this.#hasSpaces && text.includes("+")) this.#scanView(percentDecode(text, true, from), findings);
  }

  #scanView(view: TextView, findings: Findings, asItIs = !this.#hasSpaces): void {
    const { text } = view;
    this.#scan(text, view, findings);
    // An escape that the end cuts is no part of the view.
    findings.open = Math.min(findings.open, view.place(text.length));
    if (!asItIs) this.#scanView(removeSpaces(text, view), findings, true);
  }

  #scan(text: string, view: TextView | null, findings: Findings): void {
    const open = this.#patterns.scan(text, (start, end, base64) => {
      const [from, to] = base64 ? includeNeighbours(text, start, end) : [start, end];
      findings.spans.push(view === null ? [from, to] : [view.place(from), view.placeEnd(to)]);
    });
    findings.open = Math.min(findings.open, view === null ? open : view.place(open));
  }
}

/** Extends a match in base64 by the characters at both ends, which hold bits of the value too. */
function includeNeighbours(text: string, start: number, end: number): Span {
  const from = BASE64.test(text[start - 1] ?? "") ? start - 1 : start;
  let to = BASE64.test(text[end] ?? "") ? end + 1 : end;
  for (let count = 0; count < 2 && text[to] === "="; count += 1) to += 1;
  return [from, to];
}
