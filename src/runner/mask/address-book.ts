/** Addresses of resources and modules in texts: they are names, and people give them back as targets. */
import type { Span } from "./masked-text.ts";

/** Longer names and keys are no part of an address: a match of megabytes would exceed the engine's stack. */
const MOST_CHARACTERS = 1024;
const NAME = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]{0,${MOST_CHARACTERS}}`;
const KEY = String.raw`\[(?:\d{1,20}|"(?:[^"\\]|\\.){0,${MOST_CHARACTERS}}")\]`;
const STEP = `${NAME}(?:${KEY})?`;
/** All parts of a longer chain would be compared with what is known. */
const MOST_STEPS = 40;
/** Only from the beginning of a name: a try from each of its characters takes seconds on a long line. */
const CHAIN = new RegExp(`(?<![\\p{ID_Continue}-])${STEP}(?:\\.${STEP}){1,${MOST_STEPS - 1}}`, "gu");
const WHOLE = new RegExp(`^${STEP}(?:\\.${STEP}){1,${MOST_STEPS - 1}}$`, "u");
const ONE_STEP = new RegExp(`(${NAME})(${KEY})?`, "gu");
/** As a block begins in a configuration and in a plan: `resource "aws_instance" "web"`, `module "network"`. */
const BLOCK = new RegExp(`\\b(?:(resource|data) "(${NAME})"|module) "(${NAME})"`, "gu");

/** A part of an address in a text, between two dots. */
interface Step {
  start: number;
  /** Of the name, where its key begins. */
  nameEnd: number;
  end: number;
  name: string;
  key: string | undefined;
}

/** Knows the addresses that the engine has named, and finds them in texts. */
export class AddressBook {
  readonly #known = new Set<string>();

  /** Takes addresses with those of their modules. Anything else is left out. */
  add(addresses: Iterable<string>): void {
    for (const address of addresses) {
      if (this.#known.has(address) || !WHOLE.test(address)) continue;
      const steps = stepsOf(address, 0);
      this.#addBeginnings(address, steps);
      // An engine names what is in a module also as the module's own files do.
      this.#addBeginnings(address, steps.slice(moduleSteps(steps)));
    }
  }

  /** Where a text names a known address, in order. A key that `isSecret` is left out. */
  find(text: string, isSecret: (key: string) => boolean): Span[] {
    const spans: Span[] = [];
    if (this.#known.size === 0) return spans;
    for (const { 0: chain, index } of text.matchAll(CHAIN)) {
      const steps = stepsOf(chain, index);
      for (let first = 0; first < steps.length - 1; ) {
        const found = this.#longest(text, steps.slice(first));
        if (found.length > 0) spans.push(...withoutKeys(found, isSecret));
        first += found.length > 0 ? found.length : 1;
      }
    }
    for (const match of text.matchAll(BLOCK)) {
      const [block, mode, type, name = ""] = match;
      const address = type === undefined ? `module.${name}` : `${mode === "data" ? "data." : ""}${type}.${name}`;
      if (this.#known.has(address)) spans.push([match.index, match.index + block.length]);
    }
    return spans.sort((a, b) => a[0] - b[0]);
  }

  /** Also without the key of the last step: all instances. */
  #addBeginnings(address: string, steps: readonly Step[]): void {
    const [first] = steps;
    for (const { nameEnd, end } of steps.slice(1)) {
      this.#known.add(address.slice(first?.start, nameEnd)).add(address.slice(first?.start, end));
    }
  }

  /** The steps of the longest address with which they begin; none where there is no such. */
  #longest(text: string, steps: readonly Step[]): Step[] {
    const [first] = steps;
    for (let count = steps.length; count > 1; count -= 1) {
      const last = steps[count - 1];
      if (first === undefined || last === undefined) break;
      if (this.#known.has(text.slice(first.start, last.end))) return steps.slice(0, count);
      if (this.#known.has(text.slice(first.start, last.nameEnd))) {
        return [...steps.slice(0, count - 1), { ...last, end: last.nameEnd, key: undefined }];
      }
    }
    return [];
  }
}

/** The steps of a chain, which begins at `offset` in its text. */
function stepsOf(chain: string, offset: number): Step[] {
  return [...chain.matchAll(ONE_STEP)].map(({ 0: step, 1: name = "", 2: key, index }) => {
    const start = offset + index;
    return { start, nameEnd: start + name.length, end: start + step.length, name, key };
  });
}

/** How many of the steps name modules. */
function moduleSteps(steps: readonly Step[]): number {
  let count = 0;
  while (steps[count]?.name === "module") count += 2;
  return count;
}

function withoutKeys(steps: readonly Step[], isSecret: (key: string) => boolean): Span[] {
  const spans: Span[] = [];
  let start = steps[0]?.start ?? 0;
  for (const { nameEnd, end, key } of steps) {
    if (key === undefined || !isSecret(key)) continue;
    spans.push([start, nameEnd + 1]);
    start = end - 1;
  }
  return [...spans, [start, steps.at(-1)?.end ?? start]];
}
