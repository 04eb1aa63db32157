/** Templates of probes: `{{outputs.url}}`, `{{outputs.nodes[0].ip}}`, `{{outputs.urls[*]}}`, `{{var.TOKEN}}`. */
import { isRecord } from "../kit/is-record.ts";
import type { Json } from "../plan/json.ts";

/** A step into a value: a key, an index, or every element. */
export type TemplateStep = { type: "key"; key: string } | { type: "index"; index: number } | { type: "each" };

/** A reference in a template. */
export type TemplateReference =
  | { type: "output"; name: string; steps: readonly TemplateStep[] }
  | { type: "variable"; name: string };

/** A text in parts: literal texts and references. */
export type Template = readonly (string | TemplateReference)[];

export type ParsedTemplate = { template: Template; problem: null } | { template: null; problem: string };

const PLACEHOLDER = /\{\{(.*?)\}\}/gs;
const OUTPUT = /^outputs\.([A-Za-z_][\w-]*)((?:\.[A-Za-z_][\w-]*|\[\d{1,6}\]|\[\*\])*)$/;
const STEP = /\.([A-Za-z_][\w-]*)|\[(\d{1,6}|\*)\]/g;
const VARIABLE = /^var\.([A-Za-z_][\w-]*)$/;
const USAGE = "use {{outputs.NAME}}, {{outputs.NAME[0].key}} or {{outputs.NAME[*]}}";

/** Parses a text with templates, or returns its problem as the end of a sentence. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: (string | TemplateReference)[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const reference = parseReference((match[1] ?? "").trim());
    if (reference === null) return { template: null, problem: `has a template that is not known: ${USAGE}.` };
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(reference);
    end = match.index + match[0].length;
  }
  const rest = text.slice(end);
  if (rest.includes("{{")) return { template: null, problem: "has a template without its end: close it by }}." };
  if (rest !== "" || parts.length === 0) parts.push(rest);
  if (parts.filter(isList).length > 1) return { template: null, problem: "may have [*] once." };
  return { template: parts, problem: null };
}

function parseReference(text: string): TemplateReference | null {
  const variable = VARIABLE.exec(text)?.[1];
  if (variable !== undefined) return { type: "variable", name: variable };
  const [, name, path = ""] = OUTPUT.exec(text) ?? [];
  if (name === undefined) return null;
  const steps = [...path.matchAll(STEP)].map(([, key, index]): TemplateStep => {
    if (key !== undefined) return { type: "key", key };
    return index === "*" ? { type: "each" } : { type: "index", index: Number(index) };
  });
  if (steps.filter(({ type }) => type === "each").length > 1) return null;
  return { type: "output", name, steps };
}

/** Whether a part names each element of a list. */
export function isList(part: string | TemplateReference): boolean {
  return typeof part !== "string" && part.type === "output" && part.steps.some(({ type }) => type === "each");
}

export function hasVariable(template: Template): boolean {
  return template.some((part) => typeof part !== "string" && part.type === "variable");
}

/** Prints a reference as users write it, without braces. */
export function referenceText(reference: TemplateReference): string {
  if (reference.type === "variable") return `var.${reference.name}`;
  const steps = reference.steps.map((step) => {
    if (step.type === "key") return `.${step.key}`;
    return step.type === "each" ? "[*]" : `[${step.index}]`;
  });
  return `outputs.${reference.name}${steps.join("")}`;
}

/** Returns the values at the steps of an output: one, or those of each element. `null`: there is no such value. */
export function valuesAt(value: Json, steps: readonly TemplateStep[]): readonly Json[] | null {
  const [step, ...rest] = steps;
  if (step === undefined) return [value];
  if (step.type === "each") {
    if (!Array.isArray(value)) return null;
    const found: Json[] = [];
    for (const element of value) {
      const [inner] = valuesAt(element, rest) ?? [];
      if (inner === undefined) return null;
      found.push(inner);
    }
    return found;
  }
  const next = step.type === "index" ? elementAt(value, step.index) : memberAt(value, step.key);
  return next === undefined ? null : valuesAt(next, rest);
}

function elementAt(value: Json, index: number): Json | undefined {
  return Array.isArray(value) ? value[index] : undefined;
}

function memberAt(value: Json, key: string): Json | undefined {
  return !Array.isArray(value) && isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
