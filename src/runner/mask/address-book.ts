/** Finds addresses of resources and modules in texts. They stay readable, because people use them as targets. */
import type { Span } from "./masked-text.ts";

/** Bounds names and keys: a match of megabytes would exceed the stack of the regular expressions. */
const MOST_CHARACTERS = 1024;
const NAME = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]{0,${MOST_CHARACTERS}}`;
const KEY = String.raw`\[(?:\d{1,20}|"(?:[^"\\]|\\.){0,${MOST_CHARACTERS}}")\]`;
const STEP = `${NAME}(?:${KEY})?`;
/** Bounds a chain, because every part of it is looked up. */
const MOST_STEPS = 40;
/** Matches from the beginning of a name only: a try from each character takes seconds on a long line. */
const CHAIN = new RegExp(`(?<![\\p{ID_Continue}-])${STEP}(?:\\.${STEP}){1,${MOST_STEPS - 1}}`, "gu");
const WHOLE = new RegExp(`^${STEP}(?:\\.${STEP}){1,${MOST_STEPS - 1}}$`, "u");
const ONE_STEP = new RegExp(`(${NAME})(${KEY})?`, "gu");
/** Matches the beginning of a block in a configuration or a plan: `resource "aws_instance" "web"`, `module "network"`. */
const BLOCK = new RegExp(`\\b(?:(resource|data) "(${NAME})"|module) "(${NAME})"`, "gu");

/** A part of an address in a text, between two dots. */
interface Step {
  start: number;
  /** End of the name, at which the key begins. */
  nameEnd: number;
  end: number;
  name: string;
  key: string | undefined;
}

/** Collects the addresses that the engine named, and finds them in texts. */
export class AddressBook {
  readonly #known = new Set<string>();

  /** Adds addresses, and those of their modules. Other texts are ignored. */
  add(addresses: Iterable<string>): void {
    for (const address of addresses) {
      if (this.#known.has(address) || !WHOLE.test(address)) continue;
      const steps = stepsOf(address, 0);
      this.#addBeginnings(address, steps);
      // An engine names what is in a module also as the module's own files do.
      this.#addBeginnings(address, steps.slice(moduleSteps(steps)));
    }
  }

  /** Finds known addresses in a text, in any order. Spans leave out keys that are secret. */
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
    return spans;
  }

  /** Adds each beginning of an address, also without the key of its last step. */
  #addBeginnings(address: string, steps: readonly Step[]): void {
    const [first] = steps;
    for (const { nameEnd, end } of steps) {
      this.#known.add(address.slice(first?.start, nameEnd)).add(address.slice(first?.start, end));
    }
  }

  /** Gives the steps of the longest known address at the beginning; empty if there is none. */
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

/** Splits a chain into steps. It begins at `offset` in its text. */
function stepsOf(chain: string, offset: number): Step[] {
  return [...chain.matchAll(ONE_STEP)].map(({ 0: step, 1: name = "", 2: key, index }) => {
    const start = offset + index;
    return { start, nameEnd: start + name.length, end: start + step.length, name, key };
  });
}

/** Counts the steps that name modules. */
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
