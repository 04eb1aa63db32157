/** Grants and rights of built-in roles. */
import type { Grant } from "../../src/model/people/grant.ts";
import { type Rights, rightsOf } from "../../src/model/people/rights.ts";
import { type BuiltInRole, permissionsOf } from "../../src/model/people/role.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { defaultProjectId } from "../../src/model/people/project-tree.ts";

/** A role on one workspace in the default project of the organization that every installation has. */
export function onWorkspace(role: BuiltInRole, workspaceId: string): Grant {
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const scope = {
    type: "workspace",
    organizationId,
    projectId: defaultProjectId(organizationId),
    workspaceId,
  } as const;
  return { permissions: permissionsOf(role), scope };
}

/** A role on a whole organization. */
export function onOrganization(role: BuiltInRole, organizationId: string): Grant {
  return { permissions: permissionsOf(role), scope: { type: "organization", organizationId } };
}

/** The rights of a role on an installation without projects. */
export function rightsOfRole(role: BuiltInRole): Rights {
  return rightsOf([{ permissions: permissionsOf(role), scope: { type: "installation" } }]);
}
