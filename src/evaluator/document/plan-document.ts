/** Reads the stored plan document. */
import { zstdDecompressSync } from "node:zlib";
import { parseExactJson } from "../../model/kit/exact-json.ts";
import { isRecord } from "../../model/kit/is-record.ts";
import type { Json } from "../../model/plan/json.ts";
import type { JudgeInput } from "../../model/policy/evaluator.ts";
import { BOUNDS } from "../kit/bounds.ts";
import { errorText } from "../kit/error-text.ts";
import { EvaluationError } from "../kit/policy-report.ts";

export interface PlanDocument {
  /** The engine's description of the plan; `null` before a plan. */
  plan: Json;
  /** Files of hooks, by key. */
  custom: Json;
}

/**
 * Decompresses and parses a document. Numbers that a double cannot hold exactly become texts. There is none at RUN_CREATE;
 * later a document that is missing is an error, since rules would find nothing in it.
 */
export function readDocument({ document, point }: Pick<JudgeInput, "document" | "point">): PlanDocument {
  if (document === null) {
    if (point !== "RUN_CREATE") throw new EvaluationError("SHAPE", "The plan document is missing.");
    return { plan: null, custom: {} };
  }
  const content = parse(document);
  if (!isRecord(content)) throw new EvaluationError("SHAPE", "The plan document is not an object.");
  return { plan: toJson(content["plan"]), custom: toJson(content["custom"] ?? {}) };
}

function parse(document: Uint8Array): unknown {
  try {
    const text = zstdDecompressSync(document, { maxOutputLength: BOUNDS.documentBytes }).toString("utf8");
    return parseExactJson(text);
  } catch (error) {
    throw new EvaluationError("SHAPE", `The plan document cannot be read: ${errorText(error)}.`);
  }
}

/** Narrows a value of `JSON.parse`, which is JSON throughout; a document has too many values to check each. */
function toJson(value: unknown): Json {
  if (isParsed(value)) return value;
  return null;
}

const isParsed = (value: unknown): value is Json => value !== undefined;
