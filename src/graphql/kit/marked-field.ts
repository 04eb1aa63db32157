import {
  type GraphQLCompositeType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  type TypeInfo,
} from "graphql";

/** The types that a field of this parent may be resolved by: those that implement it, where it is an interface. */
export function ownersOf(
  schema: GraphQLSchema,
  parent: GraphQLCompositeType | null | undefined,
): readonly (GraphQLObjectType | GraphQLInterfaceType)[] {
  if (isInterfaceType(parent)) return [parent, ...schema.getPossibleTypes(parent)];
  return isObjectType(parent) ? [parent] : [];
}

/** Whether the field of this name, which a walk has come to, has a mark among its `extensions`. */
export function isMarked(schema: GraphQLSchema, types: TypeInfo, name: string, mark: string): boolean {
  const owners = ownersOf(schema, types.getParentType());
  return owners.some((owner) => owner.getFields()[name]?.extensions[mark] === true);
}
