/** Masks the parts of a plan document that the engine itself writes: addresses, vocabulary, and values beside marks. */
import { isRecord } from "../../model/kit/is-record.ts";
import type { Json } from "../../model/plan/json.ts";
import type { DocumentMask } from "./document-mask.ts";
import { type Marks, mergeMarks, toMarks } from "./plan-marks.ts";
import type { PlanTree } from "./plan-tree.ts";

/**
 * Fields with the engine's vocabulary or names of the configuration. They are never masked: a rule about deletions must
 * not miss one because the word was declared as a secret.
 */
const VOCABULARY = new Set([
  "action_reason",
  "action_trigger_event",
  "actions",
  "deposed",
  "deposed_key",
  "format_version",
  "kind",
  "mode",
  "name",
  "on_failure",
  "provider_name",
  "reason",
  "status",
  "terraform_version",
  "timestamp",
  "type",
]);

const ADDRESSES = new Set([
  "address",
  "calling_resource_address",
  "module_address",
  "previous_address",
  "resource",
  "to_display",
  "triggering_resource_address",
]);

/** Fields with values of people and providers, each with the fields that may mark them. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  after: ["after_sensitive", "before_sensitive"],
  after_identity: [],
  before: ["before_sensitive", "after_sensitive"],
  before_identity: [],
  config_values: ["config_sensitive"],
  constant_value: [],
  default: ["sensitive"],
  identity: [],
  importing: [],
  value: ["sensitive"],
  values: ["sensitive_values"],
};

/** Fields with marks: their keys are names, and nothing else in them is a text. */
const MARKS = new Set([
  "after_sensitive",
  "after_unknown",
  "before_sensitive",
  "config_sensitive",
  "config_unknown",
  "sensitive_values",
]);

/** Fields with paths into values: names of attributes, and keys. */
const PATHS = new Set(["attribute", "replace_paths"]);

/** Fields with a part that is about the same resource. */
const INNER = new Set(["action_invocation", "change", "resource_change"]);

/** Masks a part. `marks` are those of its values, beside the marks that it holds itself. */
export function maskNode(mask: DocumentMask, node: unknown, marks: Marks = false, depth = 0): Json {
  if (node === null || typeof node !== "object") return mask.value(node);
  if (mask.cuts(depth)) return null;
  if (Array.isArray(node)) return node.map((item) => maskNode(mask, item, marks, depth + 1));
  if (!isRecord(node)) return null;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]): [string, Json] => {
      return [mask.name(key), maskField(mask, node, { key, value, marks, depth: depth + 1 })];
    }),
  );
}

interface Field {
  key: string;
  value: unknown;
  marks: Marks;
  depth: number;
}

function maskField(mask: DocumentMask, node: PlanTree, { key, value, marks, depth }: Field): Json {
  const markedBy = Object.hasOwn(VALUES, key) ? VALUES[key] : undefined;
  if (markedBy !== undefined) {
    const own = markedBy.reduce<Marks>((all, field) => mergeMarks(all, toMarks(node[field])), marks);
    return mask.value(value, own);
  }
  if (MARKS.has(key)) return mask.value(value);
  if (VOCABULARY.has(key)) {
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((word) => typeof word === "string")) return value;
  }
  if (typeof value === "string") return maskText(mask, key, value);
  if (PATHS.has(key)) return maskPath(mask, value);
  return maskNode(mask, value, INNER.has(key) ? marks : false, depth);
}

function maskText(mask: DocumentMask, key: string, text: string): string {
  if (ADDRESSES.has(key)) return mask.address(text);
  // The key of an instance is a part of its address too.
  return key === "index" ? mask.name(text) : mask.text(text);
}

function maskPath(mask: DocumentMask, path: unknown): Json {
  if (typeof path === "string") return mask.name(path);
  return Array.isArray(path) ? path.map((step) => maskPath(mask, step)) : mask.value(path);
}
