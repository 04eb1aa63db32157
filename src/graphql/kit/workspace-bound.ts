import { getNamedType, type GraphQLNamedType, type GraphQLSchema, type TypeInfo } from "graphql";
import type { Permission } from "../../model/people/permission-set.ts";
import { declaredBy, objectsOf } from "./field-permissions.ts";
import { ownersOf } from "./marked-field.ts";

/** Marks a field that may show another workspace, though its type is not elsewhere; it goes into `extensions`. */
export const LEAVES_WORKSPACE = { leavesWorkspace: true } as const;

/**
 * Whether a field, which a walk has come to, may show something beyond the workspace of its stream's item and the
 * organization itself. An object is one of the workspace if reading it takes a permission that workspaces or runs take,
 * or none. Fields of the organization stay there if they take no permission but that of the organization.
 */
export function leavesWorkspace(schema: GraphQLSchema, types: TypeInfo, name: string): boolean {
  const ofWorkspace = declaredByType(schema, "Workspace", "Run");
  const ofOrganization = organizationPermissions(schema);
  const isOfOrganization = (asked: readonly Permission[]) => asked.every((one) => ofOrganization.includes(one));
  const isElsewhere = (type: GraphQLNamedType): boolean => {
    const asked = declaredBy(type);
    return !isOfOrganization(asked) && !asked.some((one) => ofWorkspace.includes(one));
  };
  return ownersOf(schema, types.getParentType()).some((owner) => {
    const fields = [owner.getFields()[name] ?? []].flat();
    if (fields.some(({ extensions }) => extensions["leavesWorkspace"] === true)) return true;
    const objects = fields.flatMap(({ type }) => objectsOf(schema, getNamedType(type)));
    const asked = [...fields, ...objects].flatMap(declaredBy);
    const isRoot = declaredBy(owner).length > 0 && isOfOrganization(declaredBy(owner));
    return objects.some(isElsewhere) || (isRoot && !isOfOrganization(asked));
  });
}

/** The permissions that reading an organization takes. */
export function organizationPermissions(schema: GraphQLSchema): readonly Permission[] {
  return declaredByType(schema, "Organization");
}

function declaredByType(schema: GraphQLSchema, ...names: string[]): readonly Permission[] {
  return names.flatMap((name) => declaredBy(schema.getType(name) ?? { extensions: {} }));
}
