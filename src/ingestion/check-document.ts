/** Checks the shape of a document of a plan, in the thread that calls it. */
import { zstdDecompressSync } from "node:zlib";
import { JobError } from "../domain/job/job-error.ts";
import { isRecord } from "../model/kit/is-record.ts";
import { countJsonParts } from "../model/kit/json-parts.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { type CostEstimate, readInfracost } from "../model/policy/cost-estimate.ts";

/** The facts that the server reads from a document. */
export interface CheckedDocument {
  /** Its size without compression. */
  rawBytes: number;
  actionInvocations: number;
  cost: CostEstimate | null;
}

/** The file of a hook that holds an estimate of the cost. */
const COST_INPUT = "infracost";

/** Checks a compressed document. Throws MALFORMED, and TOO_LARGE if it has more than `mostBytes` without compression. */
export function checkDocument(body: Uint8Array, mostBytes: number): CheckedDocument {
  const raw = decompress(body, mostBytes);
  requireFewParts(raw);
  const text = decode(raw);
  const document = parse(text);
  // Escapes alone can give characters that UTF-8 cannot; most documents have none of them.
  requireDepth(document, /\\u(?:0000|d[89a-f])/i.test(text));
  if (!isRecord(document)) throw malformed("must be an object of JSON");
  const { plan, custom, ...others } = document;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw malformed(`must have the keys plan and custom only, not ${JSON.stringify(other.slice(0, 100))}`);
  if (!isRecord(plan)) throw malformed("must have the plan as an object");
  if (!isRecord(custom) || !Object.values(custom).every(isRecord)) throw malformed("must have objects as custom input");
  if (Object.keys(custom).length > LIMITS.customInputs)
    throw malformed(`must have at most ${LIMITS.customInputs} custom inputs`);
  requirePlan(plan);
  const cost = Object.hasOwn(custom, COST_INPUT) ? readInfracost(custom[COST_INPUT]) : null;
  return { rawBytes: raw.length, actionInvocations: listOf(plan, "action_invocations").length, cost };
}

function malformed(what: string): JobError {
  return new JobError("MALFORMED", `The document of the plan ${what}.`);
}

function decompress(body: Uint8Array, mostBytes: number): Buffer {
  try {
    // Some readers read bytes behind the first frame, others do not: they would see different documents.
    return zstdDecompressSync(body, { maxOutputLength: mostBytes, rejectGarbageAfterEnd: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw new JobError(
        "TOO_LARGE",
        `The document of the plan may have at most ${mostBytes} bytes without compression.`,
      );
    }
    throw malformed("must be compressed by zstd, as one frame");
  }
}

function requireFewParts(raw: Uint8Array): void {
  if (countJsonParts(raw) <= LIMITS.documentParts) return;
  throw new JobError("TOO_LARGE", `The document of the plan may have at most ${LIMITS.documentParts} values.`);
}

function decode(raw: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw malformed("must be UTF-8");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("must be JSON");
  }
}

/**
 * Requires a bounded depth, without recursion, which a deep document would exhaust. `checksTexts`: texts may hold halves of
 * characters.
 */
function requireDepth(document: unknown, checksTexts: boolean): void {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LIMITS.documentDepth) throw malformed(`must have at most ${LIMITS.documentDepth} levels`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === "string") {
        if (checksTexts) requireText(value);
      } else if (Array.isArray(value)) {
        for (const item of value) next.push(item);
      } else if (isRecord(value)) {
        for (const [key, item] of Object.entries(value)) {
          if (checksTexts) requireText(key);
          next.push(item);
        }
      }
    }
    level = next;
  }
}

function requireText(text: string): void {
  if (!text.isWellFormed() || text.includes("\0"))
    throw malformed("must not contain the character U+0000 or half a character");
}

/** Requires what every reader relies on: resources with an address and actions. */
function requirePlan(plan: Record<string, unknown>): void {
  const { format_version: version } = plan;
  if (typeof version !== "string" || !version.startsWith("1.")) throw malformed("must have a plan of format 1.x");
  for (const resource of listOf(plan, "resource_changes")) {
    const change = resource["change"];
    const actions = isRecord(change) ? change["actions"] : null;
    const hasActions = Array.isArray(actions) && actions.every((action) => typeof action === "string");
    if (typeof resource["address"] !== "string" || !hasActions)
      throw malformed("must have an address and actions for each resource");
  }
}

function listOf(plan: Record<string, unknown>, key: string): Record<string, unknown>[] {
  const list = Object.hasOwn(plan, key) ? plan[key] : [];
  if (!Array.isArray(list) || !list.every(isRecord)) throw malformed(`must have a list of objects as ${key}`);
  return list;
}
