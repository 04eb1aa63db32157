/** Checks documents and contexts that callers give as JSON texts. */
import { isRecord } from "../../model/kit/is-record.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { CONTEXT_KEYS, type GivenContext } from "../../model/policy/neutral-context.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";

/** Checks that a text is a document of a plan. It is parsed again in the process that judges it. */
export function checkDocument(check: InputCheck, path: string, text: string): void {
  const words = `must be JSON of at most ${LIMITS.trialDocumentBytes} bytes: an object with the key "plan", as show -json prints it.`;
  const isDocument = isBounded(text, LIMITS.trialDocumentBytes) && hasPlan(parse(text));
  check.require(isDocument, path, words);
}

function hasPlan(value: unknown): boolean {
  return isRecord(value) && isRecord(value["plan"]) && (value["custom"] === undefined || isRecord(value["custom"]));
}

/** Refuses a document at RUN_CREATE. */
export const NO_DOCUMENT = "must be absent at RUN_CREATE: there is no plan yet. Give a `context`.";

/** Checks what is given in place of neutral values. */
export function checkContext(check: InputCheck, path: string, text: string | null): void {
  if (text === null) return;
  const known: readonly string[] = CONTEXT_KEYS;
  const value = isBounded(text, LIMITS.contextBytes) ? parse(text) : undefined;
  const fits = isRecord(value) && Object.keys(value).every((key) => known.includes(key)) && isShallow(text);
  const words = `must be JSON of at most ${LIMITS.contextBytes} bytes: an object with some of the keys ${known.join(", ")}.`;
  check.require(fits, path, words);
}

/** Returns a context that was checked. */
export function toContext(text: string | null): GivenContext {
  const value = text === null ? {} : parse(text);
  return isContext(value) ? value : {};
}

/** JSON.parse gives JSON, and its keys were checked. */
function isContext(value: unknown): value is GivenContext {
  return isRecord(value);
}

function isBounded(text: string, bytes: number): boolean {
  return isStorable(text) && text.isWellFormed() && Buffer.byteLength(text) <= bytes;
}

/** A context is sent on to other processes as JSON, which takes stack for each level. */
const LEVELS = 100;

function isShallow(text: string): boolean {
  let depth = 0;
  let deepest = 0;
  // Brackets within texts count too: they bound nothing that anyone needs.
  for (const character of text) {
    if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    if (character === "}" || character === "]") depth--;
  }
  return deepest <= LEVELS;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
