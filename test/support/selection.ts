/** Selections of everything that a type has, made from the schema: who adds a field does not have to think of it. */
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";

type Field = GraphQLField<unknown, unknown>;

/** What can be asked of a type without arguments, and of the objects below it: a selection for each field. */
export function everyFieldOf(type: GraphQLObjectType): string[] {
  return fieldsOf(type).flatMap((field) => selected(field, 2) ?? []);
}

/** Fields that one request may ask of a few objects only. */
const FEW = new Set(["Plan.index", "Plan.indexTruncated"]);

/** Pages are left out: each is asked by itself, wherever it is. */
function fieldsOf(type: { name: string; getFields(): Record<string, Field> }): Field[] {
  return Object.values(type.getFields()).filter(
    ({ name, args, type: of }) =>
      !args.some(isRequiredArgument) &&
      !getNamedType(of).name.endsWith("Connection") &&
      !FEW.has(`${type.name}.${name}`),
  );
}

/** `depth`: so many objects below each other, of which those at the end have their leaves alone. */
function selected({ name, type: of }: Field, depth: number): string | null {
  const type = getNamedType(of);
  if (isLeafType(type)) return name;
  if (depth === 0) return null;
  if (!isObjectType(type) && !isInterfaceType(type)) return `${name} { __typename }`;
  const parts = fieldsOf(type).flatMap((field) => selected(field, depth - 1) ?? []);
  return `${name} { __typename ${parts.join(" ")} }`;
}
