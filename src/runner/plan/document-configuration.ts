/** Writes the configuration of a plan, masked: constants of sensitive variables, outputs and attributes are hidden. */
import { isRecord } from "../../model/kit/is-record.ts";
import type { Json } from "../../model/plan/json.ts";
import type { DocumentMask } from "./document-mask.ts";
import { maskNode } from "./document-node.ts";
import { listPieces, objectPieces, type Pieces, valuePieces } from "./json-pieces.ts";
import { type Marks, mergeMarks } from "./plan-marks.ts";
import { entriesOf, itemsOf, type PlanTree } from "./plan-tree.ts";
import { configurationKey, type ResourceMarks } from "./resource-marks.ts";

export interface ConfigurationContext {
  mask: DocumentMask;
  marks: ResourceMarks;
  /** Variables of the root module that are sensitive. */
  hidden: ReadonlySet<string>;
}

/**
 * Names of arguments of providers that hold credentials. The engine describes no marks of providers, so a constant is
 * hidden by the name of its argument.
 */
const CREDENTIAL = /password|passphrase|secret|token|credential|private_?key|api_?key|access_?key/i;

export function configurationPieces(configuration: unknown, context: ConfigurationContext): Pieces {
  const { mask, hidden } = context;
  return objectPieces(
    entriesOf(configuration).map(([key, part]) => {
      if (key === "root_module") return [key, modulePieces(part, "", hidden, context)];
      return [key, valuePieces(key === "provider_config" ? maskProviders(mask, part) : maskNode(mask, part))];
    }),
  );
}

/** `path`: the address of the module without keys; empty for the root module. */
function modulePieces(
  module: unknown,
  path: string,
  hidden: ReadonlySet<string>,
  context: ConfigurationContext,
): Pieces {
  const { mask, marks } = context;
  return objectPieces(
    entriesOf(module).map(([key, part]): [string, Pieces] => {
      switch (key) {
        case "resources":
          return [
            key,
            listPieces(
              itemsOf(part).map((resource) => {
                const found = marks.ofResource(configurationKey(path, resource));
                return valuePieces(withExpressions(mask, resource, found));
              }),
            ),
          ];
        case "module_calls":
          return [
            key,
            objectPieces(entriesOf(part).map(([name, call]) => [name, callPieces(call, path, name, context)])),
          ];
        case "variables":
          return [key, valuePieces(maskVariables(mask, part, hidden))];
        case "outputs":
          return [key, valuePieces(maskOutputs(mask, part))];
        default:
          return [key, valuePieces(maskNode(mask, part))];
      }
    }),
  );
}

function callPieces(call: unknown, path: string, name: string, context: ConfigurationContext): Pieces {
  const { mask } = context;
  const called = isRecord(call) ? call["module"] : null;
  const hidden = sensitiveNames(isRecord(called) ? called["variables"] : null);
  const below = `${path === "" ? "" : `${path}.`}module.${name}`;
  return objectPieces(
    entriesOf(call).map(([key, part]): [string, Pieces] => {
      if (key === "module") return [key, modulePieces(part, below, hidden, context)];
      if (key !== "expressions") return [key, valuePieces(maskNode(mask, part))];
      const marks = Object.fromEntries([...hidden].map((variable) => [variable, true]));
      return [key, valuePieces(maskExpressions(mask, part, marks))];
    }),
  );
}

/** Gives the names of the variables or outputs that the root module of a plan declares as sensitive. */
export function sensitiveInRoot({ configuration }: PlanTree, part: "variables" | "outputs"): Set<string> {
  const root = isRecord(configuration) ? configuration["root_module"] : null;
  return sensitiveNames(isRecord(root) ? root[part] : null);
}

/** Gives the names of variables or outputs that are sensitive. */
function sensitiveNames(named: unknown): Set<string> {
  return new Set(
    entriesOf(named).flatMap(([name, item]) => (isRecord(item) && item["sensitive"] === true ? [name] : [])),
  );
}

function maskVariables(mask: DocumentMask, variables: unknown, hidden: ReadonlySet<string>): Json {
  return Object.fromEntries(
    entriesOf(variables).map(([name, variable]) => [name, maskNode(mask, variable, hidden.has(name))]),
  );
}

function maskOutputs(mask: DocumentMask, outputs: unknown): Json {
  return Object.fromEntries(
    entriesOf(outputs).map(([name, output]) => {
      if (!isRecord(output)) return [name, maskNode(mask, output)];
      const { expression, ...rest } = output;
      const shown = maskExpressions(mask, expression, output["sensitive"] === true);
      return [name, Object.assign(maskRecord(mask, rest), expression === undefined ? {} : { expression: shown })];
    }),
  );
}

function withExpressions(mask: DocumentMask, resource: PlanTree, marks: Marks): Json {
  const { expressions, ...rest } = resource;
  const shown = expressions === undefined ? {} : { expressions: maskExpressions(mask, expressions, marks) };
  return Object.assign(maskRecord(mask, rest), shown);
}

function maskRecord(mask: DocumentMask, record: PlanTree): { [key: string]: Json } {
  const masked = maskNode(mask, record);
  return typeof masked === "object" && masked !== null && !Array.isArray(masked) ? masked : {};
}

function maskProviders(mask: DocumentMask, providers: unknown): Json {
  return Object.fromEntries(
    entriesOf(providers).map(([key, provider]) => {
      if (!isRecord(provider)) return [key, maskNode(mask, provider)];
      const marks = credentialMarks(provider["expressions"]);
      return [key, withExpressions(mask, provider, marks)];
    }),
  );
}

/** Marks the arguments whose names are those of credentials, also in nested blocks. */
function credentialMarks(expressions: unknown): Marks {
  if (Array.isArray(expressions)) return expressions.map(credentialMarks).reduce(mergeMarks, false);
  return Object.fromEntries(
    entriesOf(expressions).map(([name, item]) => [name, CREDENTIAL.test(name) || credentialMarks(item)]),
  );
}

/** Masks the expressions of a block, with the marks of the values that they give. */
function maskExpressions(mask: DocumentMask, value: unknown, marks: Marks): Json {
  // Blocks are in the order of the configuration, and values may be in another one.
  if (Array.isArray(value)) return value.map((block) => maskExpressions(mask, block, unitedMarks(marks)));
  if (!isRecord(value)) return mask.value(value, marks);
  if (isExpression(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === "constant_value" ? maskConstant(mask, part, marks) : mask.value(part),
      ]),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [mask.name(key), maskExpressions(mask, item, marksAt(marks, key))]),
  );
}

function maskConstant(mask: DocumentMask, constant: unknown, marks: Marks): Json {
  if (!Array.isArray(constant) || !Array.isArray(marks)) return mask.value(constant, marks);
  return constant.map((item) => mask.value(item, unitedMarks(marks)));
}

/** An attribute, in place of a nested block. */
function isExpression(value: PlanTree): boolean {
  const { references } = value;
  const refers = Array.isArray(references) && references.every((reference) => typeof reference === "string");
  return Object.hasOwn(value, "constant_value") || refers;
}

function unitedMarks(marks: Marks): Marks {
  return Array.isArray(marks) ? marks.reduce<Marks>(mergeMarks, false) : marks;
}

function marksAt(marks: Marks, key: string): Marks {
  if (typeof marks === "boolean") return marks;
  if (Array.isArray(marks)) return marksAt(unitedMarks(marks), key);
  return Object.hasOwn(marks, key) ? (marks[key] ?? false) : false;
}
