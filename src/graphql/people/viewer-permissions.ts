import { PERMISSIONS, permissionsIn } from "../../model/people/permission-set.ts";
import { organizationPlace, type Place, projectPlace, workspacePlace } from "../../model/people/place.ts";
import { setAt } from "../../model/people/rights.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { OrganizationRef, ProjectRef, WorkspaceRef } from "../kit/refs.ts";
import { PermissionEnum } from "../kit/permission.ts";

const DESCRIPTION = "The permissions that the caller has here, by its grants and within the limits of its token.";
/** A stream is shared by those who would see the same of it. */
const extensions = requiredPermissions(...PERMISSIONS);

function permissionsAt(place: Place, { caller }: GraphqlContext) {
  return permissionsIn(setAt(caller.rights, place));
}

builder.objectField(OrganizationRef, "viewerPermissions", (t) =>
  t.field({
    type: [PermissionEnum],
    description: DESCRIPTION,
    extensions,
    resolve: (organization, _args, context) => permissionsAt(organizationPlace(organization), context),
  }),
);
builder.objectField(ProjectRef, "viewerPermissions", (t) =>
  t.field({
    type: [PermissionEnum],
    description: DESCRIPTION,
    extensions,
    resolve: (project, _args, context) => permissionsAt(projectPlace(project), context),
  }),
);
builder.objectField(WorkspaceRef, "viewerPermissions", (t) =>
  t.field({
    type: [PermissionEnum],
    description: DESCRIPTION,
    extensions,
    resolve: (workspace, _args, context) => permissionsAt(workspacePlace(workspace), context),
  }),
);
