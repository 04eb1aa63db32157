import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type OperationTypeNode,
} from "graphql";
import type { Random } from "./random.ts";

export interface RandomOperation {
  query: string;
  variables: Record<string, unknown>;
}

interface Writer {
  readonly schema: GraphQLSchema;
  readonly random: Random;
  readonly fragments: { name: string; type: GraphQLCompositeType; text: string }[];
  readonly variables: { name: string; type: string; fallback: string; given: readonly unknown[] }[];
  /** Arguments of fields without an alias: equal everywhere, so that equal keys can be merged. */
  readonly args: Map<string, string>;
  aliases: number;
}

const MAX_DEPTH = 5;
const MAX_SELECTIONS = 5;
const MAX_ITEMS = 3;
const INTROSPECTION = `__schema { queryType { name } directives { name args { name defaultValue type { name ofType { name } } } } }
  __type(name: "Run") { name kind fields(includeDeprecated: true) { name args { name } } interfaces { name } }`;

/**
 * Writes an operation that is valid in most cases: with aliases, merged fields, fragments, conditions, and variables
 * that are given, null or absent. Depth and width are bounded.
 */
export function randomOperation(schema: GraphQLSchema, random: Random, operation: OperationTypeNode): RandomOperation {
  const writer: Writer = { schema, random, fragments: [], variables: [], args: new Map(), aliases: 0 };
  const root = schema.getRootType(operation);
  if (root === undefined || root === null) throw new Error(`The schema has no ${operation}.`);
  const isSubscription = operation === "subscription";
  const body = isSubscription ? `{ ${oneField(writer, root)} }` : selectionSet(writer, root, 0);
  const { fragments, variables } = writer;
  const declared = variables.map(({ name, type, fallback }) => `$${name}: ${type}${fallback}`).join(", ");
  const parts = [
    `${operation} Q${declared === "" ? "" : `(${declared})`} ${body}`,
    ...fragments.map(({ name, type, text }) => `fragment ${name} on ${type.name} ${text}`),
  ];
  return {
    query: parts.join("\n"),
    variables: Object.fromEntries(variables.flatMap(({ name, given }) => given.map((value) => [name, value]))),
  };
}

function oneField(writer: Writer, root: GraphQLCompositeType): string {
  const field = writer.random.pick(fieldsOf(root));
  return field === undefined ? "__typename" : fieldText(writer, field, 0);
}

function selectionSet(writer: Writer, type: GraphQLCompositeType, depth: number): string {
  const { random } = writer;
  const count = 1 + random.below(MAX_SELECTIONS);
  const selections = Array.from({ length: count }, () => selection(writer, type, depth));
  return `{ ${[...selections, ...(random.chance(0.3) ? ["__typename"] : [])].join(" ")} }`;
}

function selection(writer: Writer, type: GraphQLCompositeType, depth: number): string {
  const { random, fragments } = writer;
  const choice = random.next();
  if (depth === 0 && choice > 0.98) return INTROSPECTION;
  if (choice < 0.12) {
    const on = random.chance(0.3) ? null : conditionOf(writer, type);
    const condition = on === null ? "" : ` on ${on.name}`;
    return `...${condition}${directives(writer)} ${selectionSet(writer, on ?? type, depth + 1)}`;
  }
  if (choice < 0.22) {
    const known = fragments.filter((fragment) => overlap(writer.schema, fragment.type, type));
    const chosen = known.length > 0 && random.chance(0.5) ? random.pick(known) : newFragment(writer, type, depth);
    if (chosen !== undefined) return `...${chosen.name}${directives(writer)}`;
  }
  const fields = fieldsOf(type).filter((field) => depth < MAX_DEPTH || !isCompositeType(getNamedType(field.type)));
  const field = random.pick(fields);
  return field === undefined ? "__typename" : fieldText(writer, field, depth);
}

function newFragment(writer: Writer, type: GraphQLCompositeType, depth: number): Writer["fragments"][number] {
  const on = conditionOf(writer, type);
  const text = selectionSet(writer, on, depth + 1);
  const fragment = { name: `F${writer.fragments.length}`, type: on, text };
  writer.fragments.push(fragment);
  return fragment;
}

/** A type that objects of this type may have, too. */
function conditionOf({ schema, random }: Writer, type: GraphQLCompositeType): GraphQLCompositeType {
  const possible: GraphQLCompositeType[] = isAbstractType(type) ? [...schema.getPossibleTypes(type)] : [];
  const wider = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : [];
  return random.pick([type, ...possible, ...wider]) ?? type;
}

function overlap(schema: GraphQLSchema, one: GraphQLCompositeType, other: GraphQLCompositeType): boolean {
  const possible = (type: GraphQLCompositeType) => (isAbstractType(type) ? schema.getPossibleTypes(type) : [type]);
  return possible(one).some((type) => possible(other).includes(type));
}

function fieldsOf(type: GraphQLCompositeType): GraphQLField<unknown, unknown>[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}

function fieldText(writer: Writer, field: GraphQLField<unknown, unknown>, depth: number): string {
  const { random, args } = writer;
  const isAliased = random.chance(0.2);
  const alias = isAliased ? `a${writer.aliases++}: ` : "";
  const signature = `${field.name} ${field.args.map(String).join(" ")}`;
  const written = (isAliased ? undefined : args.get(signature)) ?? argumentsText(writer, field.args);
  if (!isAliased) args.set(signature, written);
  const type = getNamedType(field.type);
  const below = isCompositeType(type) ? ` ${selectionSet(writer, type, depth + 1)}` : "";
  return `${alias}${field.name}${written}${directives(writer)}${below}`;
}

function argumentsText(writer: Writer, args: readonly GraphQLArgument[]): string {
  const chosen = args.filter((argument) => isRequiredArgument(argument) || writer.random.chance(0.4));
  if (chosen.length === 0) return "";
  return `(${chosen.map(({ name, type }) => `${name}: ${literal(writer, type)}`).join(", ")})`;
}

function directives(writer: Writer): string {
  const { random, schema } = writer;
  if (random.chance(0.85)) return "";
  const name = random.chance(0.5) ? "skip" : "include";
  const condition = schema.getDirective(name)?.args[0];
  if (condition === undefined) return "";
  const other = random.chance(0.2)
    ? ` @${name === "skip" ? "include" : "skip"}(if: ${String(random.chance(0.5))})`
    : "";
  return ` @${name}(if: ${literal(writer, condition.type)})${other}`;
}

/** A value as it is written in a document, which may be a variable. */
function literal(writer: Writer, type: GraphQLInputType, mayBeVariable = true): string {
  const { random } = writer;
  if (mayBeVariable && random.chance(0.35)) return `$${variable(writer, type)}`;
  if (isNonNullType(type)) return present(writer, type.ofType, mayBeVariable);
  return random.chance(0.15) ? "null" : present(writer, type, mayBeVariable);
}

function present(writer: Writer, type: GraphQLInputType, mayBeVariable: boolean): string {
  const { random } = writer;
  if (isListType(type)) {
    const items = Array.from({ length: random.below(MAX_ITEMS) }, () => literal(writer, type.ofType, mayBeVariable));
    return `[${items.join(", ")}]`;
  }
  if (isInputObjectType(type)) {
    const fields = chosenFields(random, type).map(({ name, type: inner }) => {
      const value = type.isOneOf ? present(writer, inner, false) : literal(writer, inner, mayBeVariable);
      return `${name}: ${value}`;
    });
    return `{ ${fields.join(", ")} }`;
  }
  const value = json(random, type, true);
  return isEnumType(type) ? String(value) : JSON.stringify(value);
}

function chosenFields(random: Random, type: GraphQLInputObjectType) {
  const fields = Object.values(type.getFields());
  const one = random.pick(fields);
  if (type.isOneOf) return one === undefined ? [] : [one];
  return fields.filter((field) => isRequiredInputField(field) || random.chance(0.3));
}

/** A variable that fits here: of this type, or nullable with a default where null is not allowed. */
function variable(writer: Writer, type: GraphQLInputType): string {
  const { random, variables } = writer;
  const known = variables.filter((one) => one.type === String(type));
  const again = random.pick(known);
  if (again !== undefined && random.chance(0.4)) return again.name;
  const nullable = isNonNullType(type) ? type.ofType : type;
  const hasDefault = random.chance(0.3);
  const declared = isNonNullType(type) && hasDefault ? nullable : type;
  const fallback = hasDefault ? ` = ${present(writer, nullable, false)}` : "";
  const isRequired = isNonNullType(declared);
  const choice = random.next();
  const value = json(random, declared, isRequired || choice < 0.6);
  const isAbsent = !isRequired && choice > 0.8;
  const name = `v${variables.length}`;
  variables.push({ name, type: String(declared), fallback, given: isAbsent ? [] : [value] });
  return name;
}

/** A value as it is sent in JSON. */
function json(random: Random, type: GraphQLInputType, isPresent: boolean): unknown {
  if (isNonNullType(type)) return json(random, type.ofType, true);
  if (!isPresent) return null;
  if (isListType(type)) {
    return Array.from({ length: random.below(MAX_ITEMS) }, () => json(random, type.ofType, random.chance(0.9)));
  }
  if (isInputObjectType(type)) {
    const fields = chosenFields(random, type);
    return Object.fromEntries(
      fields.map((field) => [field.name, json(random, field.type, type.isOneOf || random.chance(0.9))]),
    );
  }
  return isEnumType(type) ? random.pick(type.getValues())?.name : scalar(random, type);
}

function scalar(random: Random, { name }: GraphQLNamedType): unknown {
  switch (name) {
    case "Int":
      return random.below(100);
    case "Float":
      return random.below(100) / 4;
    case "Boolean":
      return random.chance(0.5);
    case "DateTime":
      return "2026-11-20T16:07:25.447Z";
    default:
      return `text ${random.below(10)}`;
  }
}
