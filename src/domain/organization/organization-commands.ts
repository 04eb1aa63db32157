import { createOrganization } from "./create-organization.ts";
import { updateOrganization } from "./update-organization.ts";

/** The commands about organizations, by name. */
export const ORGANIZATION_COMMANDS = {
  createOrganization,
  updateOrganization,
};
