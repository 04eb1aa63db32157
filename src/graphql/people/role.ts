import { permissionsIn } from "../../model/people/permission-set.ts";
import type { Role } from "../../model/people/role.ts";
import { builder } from "../kit/builder.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { OrganizationRef, organizationLoader, RoleRef, roleLoader } from "../kit/refs.ts";
import { deletedSuccess } from "../kit/success.ts";
import { PermissionEnum } from "../kit/permission.ts";

const rolesLoader = loaderOf((domain, caller, ids) => domain.rolesOfOrganizations(caller, ids));

addNode("role", "Role", roleLoader);
RoleRef.implement({
  extensions: requiredPermissions("ORGANIZATION_READ"),
  description: "A named set of permissions, which grants give.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, unique within the organization." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "The purpose of the role. `null` if none was given.",
    }),
    organization: t.field({
      type: OrganizationRef,
      nullable: true,
      description: "The organization of the role. `null` if it is built in.",
      resolve: ({ organizationId }, _args, { loaders }) =>
        organizationId === null ? null : loaders.load(organizationLoader, organizationId),
    }),
    permissions: t.field({
      type: [PermissionEnum],
      description: "The permissions of the role. None of them includes another one.",
      resolve: ({ permissions }) => permissionsIn(permissions),
    }),
    builtIn: t.boolean({
      description: "Whether it exists in every organization, and cannot be changed.",
      resolve: ({ organizationId }) => organizationId === null,
    }),
  }),
});

builder.objectField(OrganizationRef, "roles", (t) =>
  t.field({
    type: [RoleRef],
    description: "The roles that can be granted in the organization: the built-in ones, then its own by name.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(rolesLoader, id),
  }),
);

builder.queryField("role", (t) =>
  t.field({
    type: RoleRef,
    nullable: true,
    description: "The role with this id. `null` if it does not exist, or the caller may not read it.",
    args: { id: t.arg.id({ required: true, description: "The id of the role." }) },
    resolve: (_root, { id }, { loaders }) => loaders.load(roleLoader, id),
  }),
);

function roleSuccess(description: string): Success<Role> {
  return {
    description,
    fields: (t) => ({ role: t.field({ type: RoleRef, description: "The role.", resolve: ({ value }) => value }) }),
  };
}

const PERMISSIONS = "The permissions. What one of them needs must be among them; nothing is added.";

mutation("createRole", {
  description: "Creates a role of an organization. The caller must have its permissions itself.",
  argument: "The role.",
  input: {
    description: "The role to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization." }),
      name: t.string({ required: true, description: "The name, unique within the organization." }),
      description: t.string({ description: "The purpose of the role." }),
      permissions: t.field({ type: [PermissionEnum], required: true, description: PERMISSIONS }),
    }),
  },
  success: roleSuccess("The role was created."),
  run: ({ createRole }, caller, { input }) => createRole(caller, { ...input, description: input.description ?? null }),
});

mutation("updateRole", {
  description:
    "Changes a role in all places where it is granted. The caller must have its permissions itself in all these places.",
  argument: "The role and its changes.",
  input: {
    description: "The changes to a role. An absent field is not changed.",
    fields: (t) => ({
      roleId: t.id({ required: true, description: "The role." }),
      name: t.string({ description: "The name, unique within the organization." }),
      description: t.string({ description: "The purpose of the role; null removes it." }),
      permissions: t.field({ type: [PermissionEnum], description: PERMISSIONS }),
    }),
  },
  success: roleSuccess("The role was changed."),
  run: ({ updateRole }, caller, { input }) => updateRole(caller, input),
});

mutation("deleteRole", {
  description: "Deletes a role of an organization that is granted to no one.",
  argument: "The role to delete.",
  input: {
    description: "The role to delete.",
    fields: (t) => ({ roleId: t.id({ required: true, description: "The role." }) }),
  },
  success: deletedSuccess("The role is deleted, and its name is free.", "The id of the role."),
  run: ({ deleteRole }, caller, { input }) => deleteRole(caller, input),
});
