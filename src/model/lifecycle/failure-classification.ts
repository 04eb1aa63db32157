/** Finds the reason of a failure in the errors of an engine. */
import { apiCodes } from "./api-codes.ts";
import type { FailurePattern } from "./failure-pattern.ts";
import { FAILURE_PATTERNS } from "./failure-patterns.ts";
import type { FailureReason } from "./failure-reason.ts";

/** An error of an engine as it wrote it. All text is masked. */
export interface ReportedError {
  /** The resource that it is about. */
  address?: string | undefined;
  summary: string;
  detail: string;
}

/** The engines by their names in protocol and API. */
export type EngineName = "terraform" | "tofu";

/** An error as the patterns read it. */
export interface Message {
  summary: string;
  /** Summary and detail, with single blanks. */
  text: string;
  codes: ReadonlySet<string>;
  type: string | null;
}

/** Its detail quotes a command of a person and the output of any program. */
const QUOTES = "local-exec provisioner error";

/** Prepares an error for the patterns. */
export function toMessage({ address, summary, detail }: ReportedError): Message {
  const text = singleBlanks(summary === QUOTES ? summary : `${summary} ${detail}`);
  return { summary: singleBlanks(summary), text, codes: apiCodes(text), type: typeOf(address) };
}

/** Matching is linear in the text, and an error of a provider may quote a whole answer. */
const TEXT_LENGTH = 8_000;

function singleBlanks(text: string): string {
  return text.slice(0, TEXT_LENGTH).replace(/\s+/g, " ").trim();
}

/** Returns the type of the resource of an address; `null` if there is none. */
function typeOf(address: string | undefined): string | null {
  const [, type] = /(?:^|\.)([a-z][a-z0-9_]*)\.[A-Za-z_][\w-]*(?:\[[^\]]*\])?$/.exec(address ?? "") ?? [];
  return type ?? null;
}

/** Whether one of the words of a pattern is in a message. */
export function matches(pattern: FailurePattern, { summary, text, codes, type }: Message): boolean {
  if (pattern.types !== undefined && (type === null || !pattern.types.test(type))) return false;
  if (pattern.within !== undefined && !pattern.within.includes(summary)) return false;
  return (
    pattern.summaries?.includes(summary) === true ||
    pattern.codes?.some((code) => codes.has(code)) === true ||
    pattern.forms?.some((form) => [...codes].some((code) => form.test(code))) === true ||
    pattern.texts?.some((expression) => expression.test(text)) === true
  );
}

/** Returns the first pattern that one of the messages matches; `undefined` if none does. */
export function patternOf(messages: readonly Message[], engine: EngineName | null): FailurePattern | undefined {
  return FAILURE_PATTERNS.find((pattern) => {
    if (pattern.engine !== undefined && engine !== null && pattern.engine !== engine) return false;
    return messages.some((message) => matches(pattern, message));
  });
}

/**
 * Returns the reason of a failure with these errors: the first pattern that one of them matches, so that the order in
 * which an engine reports parallel errors decides nothing. `null` if none is known.
 */
export function reasonOf(errors: readonly ReportedError[], engine: EngineName | null): FailureReason | null {
  return patternOf(errors.map(toMessage), engine)?.reason ?? null;
}
