/** Rules are in CEL as its specification has it: the cases of cel-spec that a document of JSON can give. */
import {
  type CelResult,
  type CelValue,
  isCelError,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
  parse,
} from "@bufbuild/cel";
import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { expect, it } from "vitest";
import { createCelEnvironment } from "../../src/evaluator/cel/cel-environment.ts";
import { toCelValue } from "../../src/evaluator/cel/document-value.ts";
import { compileExpression, toExpression, type Variables } from "../../src/evaluator/cel/expression.ts";
import type { Json } from "../../src/model/plan/json.ts";

/** A value as the specification writes it, for example `{int64Value: "1"}`. */
type SpecValue = { [kind: string]: never };

interface SpecTest {
  name?: string;
  expr: string;
  value?: SpecValue;
  evalError?: object;
  anyEvalErrors?: object;
  unknown?: object;
  typedResult?: object;
  bindings?: { [name: string]: { value?: SpecValue } };
  typeEnv?: { name: string }[];
  container?: string;
  disableMacros?: boolean;
  checkOnly?: boolean;
  /** Names may be missing; a rule with such names is refused when it is checked. */
  disableCheck?: boolean;
}

interface Suite {
  name: string;
  suites?: Suite[];
  tests?: { original: SpecTest }[];
}

/** Parts of the specification about messages of Protobuf, and extensions that rules do not have. */
const OTHER_SUBJECTS = new Set([
  "bindings_ext",
  "block_ext",
  "dynamic",
  "encoders_ext",
  "enums",
  "macros2",
  "math_ext",
  "network_ext",
  "optionals",
  "proto2",
  "proto2_ext",
  "proto3",
  "type_deductions",
  "unknowns",
  "wrappers",
]);
/** Names of messages. Timestamps and durations are made by functions. */
const MESSAGES =
  /TestAllTypes|google\.protobuf\.(?!Timestamp|Duration)|google\.protobuf\.\w+\{|proto\.|\bcel\.|optional/;

/** Cases that have a result and are refused: fields between backquotes. `map["key"]` reads them. */
const REFUSED = ["access_slash", "access_dash", "access_dot", "has_slash", "has_dash", "has_dot"].map((name) => {
  const [verb, sign] = name.split("_");
  return `fields/quoted_map_fields/${verb === "has" ? "has_field" : "field_access"}_${sign}`;
});

/** A case that must fail and does not: a map with the keys 0 and 0u. Maps of JSON have no such keys. */
const ACCEPTED: readonly string[] = ["fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous"];

const NOT_JSON = Symbol("a value that JSON does not have");

function toJson(value: SpecValue | undefined): Json | typeof NOT_JSON {
  const [[kind, content] = ["", null]] = Object.entries<unknown>(value ?? {});
  switch (kind) {
    case "int64Value":
      return Number.isSafeInteger(Number(content)) ? Number(content) : NOT_JSON;
    case "doubleValue":
      return typeof content === "number" && !Number.isInteger(content) ? content : NOT_JSON;
    case "stringValue":
    case "boolValue":
      return content as Json;
    case "nullValue":
      return null;
    case "listValue": {
      const items = ((content as { values?: SpecValue[] }).values ?? []).map(toJson);
      return items.includes(NOT_JSON) ? NOT_JSON : (items as Json);
    }
    case "mapValue": {
      const entries = (content as { entries?: { key: SpecValue; value: SpecValue }[] }).entries ?? [];
      const pairs = entries.map((entry) => [toJson(entry.key), toJson(entry.value)] as const);
      const isJson = pairs.every(([key, item]) => typeof key === "string" && item !== NOT_JSON);
      return isJson ? (Object.fromEntries(pairs) as Json) : NOT_JSON;
    }
    default:
      return NOT_JSON;
  }
}

function isEqual(actual: CelValue, expected: SpecValue): boolean {
  const [[kind, content] = ["", null]] = Object.entries<unknown>(expected);
  switch (kind) {
    case "int64Value":
      return actual === BigInt(content as string);
    case "uint64Value":
      return isCelUint(actual) && actual.value === BigInt(content as string);
    case "doubleValue":
      return Object.is(actual, Number(content)) || (typeof actual === "number" && actual === Number(content));
    case "stringValue":
    case "boolValue":
      return actual === content;
    case "nullValue":
      return actual === null;
    case "bytesValue":
      return actual instanceof Uint8Array && Buffer.from(actual).toString("base64") === content;
    case "typeValue":
      return isCelType(actual) && actual.name === content;
    case "listValue": {
      const items = (content as { values?: SpecValue[] }).values ?? [];
      return (
        isCelList(actual) &&
        actual.size === items.length &&
        [...actual].every((item, index) => isEqual(item, items[index] ?? {}))
      );
    }
    case "mapValue": {
      const entries = (content as { entries?: { key: SpecValue; value: SpecValue }[] }).entries ?? [];
      return (
        isCelMap(actual) &&
        actual.size === entries.length &&
        entries.every(({ key, value }) => [...actual].some(([k, v]) => isEqual(k, key) && isEqual(v, value)))
      );
    }
    default:
      return false;
  }
}

interface Case {
  path: string;
  spec: SpecTest;
  bindings: { [name: string]: Json };
}

/** Lists the cases that a document of JSON can give, with a result that is no message. */
function casesOf(suite: Suite, path: readonly string[]): Case[] {
  const inner = (suite.suites ?? []).flatMap((one) =>
    OTHER_SUBJECTS.has(one.name) ? [] : casesOf(one, [...path, one.name]),
  );
  const own = (suite.tests ?? []).flatMap(({ original: spec }) => {
    const bindings = Object.entries(spec.bindings ?? {}).map(([name, { value }]) => [name, toJson(value)] as const);
    const text = JSON.stringify(spec);
    const isOther =
      MESSAGES.test(text) ||
      text.includes('"objectValue"') ||
      spec.unknown !== undefined ||
      spec.checkOnly === true ||
      spec.disableMacros === true ||
      (spec.container ?? "") !== "" ||
      bindings.some(([name, value]) => value === NOT_JSON || name.includes("."));
    if (isOther) return [];
    const found: Case = {
      path: [...path, spec.name ?? spec.expr].join("/"),
      spec,
      bindings: Object.fromEntries(bindings) as { [name: string]: Json },
    };
    return [found];
  });
  return [...own, ...inner];
}

const environment = createCelEnvironment();

function evaluate({ spec, bindings }: Case): CelResult | undefined {
  const values = Object.entries(bindings).map(([name, value]) => [name, toCelValue(value)]);
  const variables: Variables = Object.fromEntries(values);
  const names = [...Object.keys(bindings), ...(spec.typeEnv ?? []).map(({ name }) => name)];
  if (spec.disableCheck === true) return toExpression(environment, parse(spec.expr)).evaluate(variables);
  return compileExpression(environment, spec.expr, names).expression?.evaluate(variables);
}

it("gives the results of the specification", () => {
  const cases = casesOf(tests as Suite, []);
  const wrong: string[] = [];
  const refused: string[] = [];
  for (const one of cases) {
    const result = evaluate(one);
    const isError = result === undefined || isCelError(result);
    const mustFail = one.spec.evalError !== undefined || one.spec.anyEvalErrors !== undefined;
    if (mustFail) {
      if (!isError) wrong.push(one.path);
    } else if (isError) {
      refused.push(one.path);
    } else if (!isEqual(result, one.spec.value ?? ({ boolValue: true } as never))) {
      wrong.push(one.path);
    }
  }
  expect(wrong).toEqual(ACCEPTED);
  expect(refused).toEqual(REFUSED);
  expect(cases.length).toBeGreaterThan(900);
  expect(refused.length).toBeLessThanOrEqual(cases.length / 100);
});
