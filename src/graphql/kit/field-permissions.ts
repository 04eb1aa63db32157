import { getNamedType, type GraphQLNamedType, type GraphQLSchema, isAbstractType, type TypeInfo } from "graphql";
import type { Permission } from "../../model/people/permission-set.ts";
import { ownersOf } from "./marked-field.ts";

/**
 * Declares the permissions that the reads of a field, or of an object of a type, ask for: it goes into their
 * `extensions`. A shared stream is executed with the declared permissions of its document and no others, so that a field
 * without its declaration shows less in streams than in queries; a test compares the two for all fields.
 */
export function requiredPermissions(...permissions: Permission[]): { permissions: readonly Permission[] } {
  return { permissions };
}

/** The permissions that a type or a field declares. */
export function declaredBy({ extensions }: { extensions: object }): readonly Permission[] {
  return isDeclaration(extensions) ? extensions.permissions : [];
}

function isDeclaration(extensions: object): extensions is ReturnType<typeof requiredPermissions> {
  return "permissions" in extensions;
}

/** The permissions of the field of this name, which a walk has come to: its own, its parent's, and those of its objects. */
export function permissionsOfField(schema: GraphQLSchema, types: TypeInfo, name: string): readonly Permission[] {
  const owners = ownersOf(schema, types.getParentType());
  const fields = owners.flatMap((owner) => owner.getFields()[name] ?? []);
  const objects = fields.flatMap((field) => objectsOf(schema, getNamedType(field.type)));
  return [...owners, ...fields, ...objects].flatMap(declaredBy);
}

/** The types of objects that a field of this type may give. */
export function objectsOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLNamedType[] {
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
}
