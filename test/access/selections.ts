/** Selections for a walk over the schema: each field by itself, with a few levels below it, so that no document is large. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";

const PAGE = 20;

/** A selection for each field of a type that needs no argument, down to so many levels. */
export function selectionsOf(schema: GraphQLSchema, typeName: string, depth: number): string[] {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`There is no object type ${typeName}.`);
  return Object.values(type.getFields()).flatMap((field) => selected(schema, field, depth) ?? []);
}

function selected(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>, depth: number): string | null {
  if (field.args.some(isRequiredArgument)) return null;
  const head = `${field.name}${argumentsOf(field.args)}`;
  const type = getNamedType(field.type);
  if (isLeafType(type)) return head;
  if (depth === 0) return null;
  const body = bodyOf(schema, type, depth - (isPage(type) ? 0 : 1));
  return body === null ? null : `${head} { ${body} }`;
}

/** Pages and their edges are no level of their own. */
function isPage(type: GraphQLNamedType): boolean {
  return type.name.endsWith("Connection") || type.name.endsWith("Edge");
}

function bodyOf(schema: GraphQLSchema, type: GraphQLNamedType, depth: number): string | null {
  if (!isCompositeType(type)) return null;
  if (isAbstractType(type)) {
    const parts = schema
      .getPossibleTypes(type)
      .map(({ name }) => `... on ${name} { __typename ${hasId(schema, name)} }`);
    return parts.join(" ");
  }
  const parts = Object.values(type.getFields()).flatMap((field) => selected(schema, field, depth) ?? []);
  return parts.length === 0 ? "__typename" : parts.join(" ");
}

function hasId(schema: GraphQLSchema, name: string): string {
  const type = schema.getType(name);
  return isObjectType(type) && "id" in type.getFields() ? "id" : "";
}

function argumentsOf(args: readonly GraphQLArgument[]): string {
  return args.some(({ name }) => name === "first") ? `(first: ${PAGE})` : "";
}
