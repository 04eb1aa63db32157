import { readFileSync } from "node:fs";

import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isRequiredInputField,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
  print,
} from "graphql";
import { describe, expect, test } from "vitest";

import { printSchemaText } from "../../src/graphql/server/print-schema.ts";

const contract = buildSchema(readFileSync(new URL("../fixtures/contract.graphql", import.meta.url), "utf8"));
const schema = buildSchema(printSchemaText());
const ownTypes = (of: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(of.getTypeMap()).filter(({ name }) => !name.startsWith("__") && !isBuiltIn(name));
const isBuiltIn = (name: string): boolean => ["ID", "String", "Int", "Float", "Boolean"].includes(name);

/** A type as lines, one for each thing that a client can depend on. */
function facts(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => `value ${name}`);
  if (isUnionType(type)) return type.getTypes().map(({ name }) => `member ${name}`);
  if (isScalarType(type)) return [`scalar ${type.specifiedByURL ?? ""}`];
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(inputFact);
    return [`input, exactly one: ${type.isOneOf}`, ...fields];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const interfaces = type.getInterfaces().map(({ name }) => `implements ${name}`);
  return [...interfaces, ...Object.values(type.getFields()).flatMap(fieldFacts)];
}

function fieldFacts(field: GraphQLField<unknown, unknown>): string[] {
  return [`${field.name}: ${String(field.type)}`, ...field.args.map((arg) => `${field.name}(${inputFact(arg)})`)];
}

function inputFact({ name, type, astNode }: GraphQLArgument | GraphQLInputField): string {
  const given = astNode?.defaultValue;
  return `${name}: ${String(type)} = ${given === undefined ? "none" : print(given)}`;
}

/** Fields of inputs that the contract requires and that may be left out by now, which breaks no client. */
const OPTIONAL_SINCE: ReadonlySet<string> = new Set(["GitSourceInput.url: String! = none"]);

describe("the schema keeps the contract", () => {
  test.each(ownTypes(contract).map((type) => [type.name, type] as const))("%s", (name, wanted) => {
    const actual = schema.getType(name);
    expect(actual?.constructor.name).toBe(wanted.constructor.name);
    const kept = facts(wanted).map((fact) => (OPTIONAL_SINCE.has(`${name}.${fact}`) ? fact.replace("!", "") : fact));
    expect(actual === undefined ? [] : facts(actual)).toEqual(expect.arrayContaining(kept));
  });

  test("unions of results have exactly the members of the contract", () => {
    for (const wanted of ownTypes(contract).filter(isUnionType)) {
      const actual = schema.getType(wanted.name);
      expect(actual === undefined ? [] : facts(actual).toSorted()).toEqual(facts(wanted).toSorted());
    }
  });

  test("an input of the contract is enough: whatever else an input has may be left out", () => {
    for (const wanted of ownTypes(contract).filter(isInputObjectType)) {
      const actual = schema.getType(wanted.name);
      if (!(actual instanceof GraphQLInputObjectType)) throw new Error(`${wanted.name} is no input`);
      const more = Object.values(actual.getFields()).filter(({ name }) => wanted.getFields()[name] === undefined);
      expect(more.filter(isRequiredInputField).map(({ name }) => `${wanted.name}.${name}`)).toEqual([]);
    }
  });
});

describe("everything has a description", () => {
  test.each(ownTypes(schema).map((type) => [type.name, type] as const))("%s", (_name, type) => {
    const bare: string[] = [];
    const check = (what: string, { description }: { description?: string | null | undefined }): void => {
      if ((description ?? "").trim().length < 3) bare.push(what);
    };
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(value.name, value);
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) check(field.name, field);
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        check(field.name, field);
        for (const arg of field.args) check(`${field.name}(${arg.name})`, arg);
      }
    }
    expect(bare).toEqual([]);
  });
});

test("the printed schema says which inputs take exactly one field, and what a DateTime is", () => {
  const text = printSchemaText();
  expect(text).toContain("input WorkspaceBy @oneOf");
  expect(text).toContain('scalar DateTime @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time.html")');
});

test("the committed schema is the printed one", () => {
  const committed = readFileSync(new URL("../../schema/schema.graphql", import.meta.url), "utf8");
  expect(committed, "run `npm run generate`").toBe(printSchemaText());
});
