import {
  type GraphQLCompositeType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
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

/** The part of a resolver's info that all executions of a document share. */
export type OperationInfo = Pick<GraphQLResolveInfo, "schema" | "operation" | "fragments">;

/**
 * Makes a function that returns whether an operation, or any fragment beside it, has a field with a mark. It walks each
 * operation once.
 */
export function createHasMarked(mark: string): (info: OperationInfo) => boolean {
  const known = new WeakMap<OperationDefinitionNode, boolean>();
  return ({ schema, operation, fragments }) => {
    let isFound = known.get(operation);
    if (isFound !== undefined) return isFound;
    isFound = false;
    const types = new TypeInfo(schema);
    const visitor = visitWithTypeInfo(types, {
      Field: ({ name }) => {
        isFound ||= isMarked(schema, types, name.value, mark);
      },
    });
    for (const part of [operation, ...Object.values(fragments)]) visit(part, visitor);
    known.set(operation, isFound);
    return isFound;
  };
}
