import type { Commands } from "../kit/bind-commands.ts";
import { createOrganization } from "./create-organization.ts";
import { updateOrganization } from "./update-organization.ts";

/** The commands about organizations, by name. */
export const ORGANIZATION_COMMANDS = {
  createOrganization: { run: createOrganization, errors: ["INVALID_INPUT", "FORBIDDEN", "NAME_TAKEN"] },
  updateOrganization: {
    run: updateOrganization,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"],
  },
} as const satisfies Commands;
