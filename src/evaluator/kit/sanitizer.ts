import { createHmac } from "node:crypto";
import { BOUNDS } from "./bounds.ts";
import { EvaluationError } from "./policy-report.ts";

const PREFIX = "hp:";
const DIGITS = 16;

/** Digests texts for `sanitized()`, as the runner digests sensitive texts of the document of a plan. */
export class Sanitizer {
  readonly #key: string | null;
  readonly #known = new Map<string, string>();

  /** `key`: the key of the run whose plan is judged; `null` where there is none. */
  constructor(key: string | null) {
    this.#key = key;
  }

  /** Starts a policy: each has its own bound, so that it does not matter which were judged before it. */
  begin(): void {
    this.#known.clear();
  }

  /**
   * Returns the digest of a text. Throws without a key, since a comparison would never hold, and beyond the bound: a policy
   * compares with texts that it knows, and does not try a dictionary.
   */
  digest(text: string): string {
    if (this.#key === null)
      throw new EvaluationError("MISSING", "sanitized() needs the key of a run, and has none here");
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size === BOUNDS.sanitizedTexts) {
      throw new EvaluationError("EXPRESSION", `sanitized() takes at most ${BOUNDS.sanitizedTexts} texts in a policy`);
    }
    const digest = PREFIX + createHmac("sha256", this.#key).update(text).digest("hex").slice(0, DIGITS);
    this.#known.set(text, digest);
    return digest;
  }
}
