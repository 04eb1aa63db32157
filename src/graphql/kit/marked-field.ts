import { type GraphQLSchema, isInterfaceType, isObjectType, type TypeInfo } from "graphql";

/**
 * Whether the field of this name, which a walk has come to, has a mark among its `extensions`. A field of an interface may
 * be resolved by any type that implements it.
 */
export function isMarked(schema: GraphQLSchema, types: TypeInfo, name: string, mark: string): boolean {
  const parent = types.getParentType();
  const owners = isInterfaceType(parent)
    ? [parent, ...schema.getPossibleTypes(parent)]
    : isObjectType(parent)
      ? [parent]
      : [];
  return owners.some((owner) => owner.getFields()[name]?.extensions[mark] === true);
}
