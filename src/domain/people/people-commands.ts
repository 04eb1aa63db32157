import type { Commands } from "../kit/bind-commands.ts";
import { createServiceAccount, disableUser, enableUser } from "./account-commands.ts";
import { createGrant, revokeGrant } from "./grant-commands.ts";
import { inviteMember, revokeInvitation } from "./invitation-commands.ts";
import { moveWorkspace } from "./move-workspace.ts";
import { createProject, deleteProject, moveProject, updateProject } from "./project-commands.ts";
import { createRole, deleteRole, updateRole } from "./role-commands.ts";
import { addTeamMember, createTeam, deleteTeam, removeTeamMember, updateTeam } from "./team-commands.ts";

/** The commands about projects, people and their rights, by name. */
export const PEOPLE_COMMANDS = {
  addTeamMember: {
    run: addTeamMember,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"],
  },
  createGrant: { run: createGrant, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
  createProject: { run: createProject, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  createRole: {
    run: createRole,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"],
  },
  createServiceAccount: {
    run: createServiceAccount,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"],
  },
  createTeam: { run: createTeam, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  deleteProject: {
    run: deleteProject,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"],
  },
  deleteRole: { run: deleteRole, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
  deleteTeam: {
    run: deleteTeam,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "LAST_ADMINISTRATOR"],
  },
  disableUser: {
    run: disableUser,
    errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "LAST_ADMINISTRATOR"],
  },
  enableUser: { run: enableUser, errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
  inviteMember: { run: inviteMember, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
  moveProject: {
    run: moveProject,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"],
  },
  moveWorkspace: { run: moveWorkspace, errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
  removeTeamMember: {
    run: removeTeamMember,
    errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "LAST_ADMINISTRATOR"],
  },
  revokeGrant: {
    run: revokeGrant,
    errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "LAST_ADMINISTRATOR"],
  },
  revokeInvitation: { run: revokeInvitation, errors: ["NOT_FOUND", "FORBIDDEN"] },
  updateProject: {
    run: updateProject,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"],
  },
  updateRole: {
    run: updateRole,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"],
  },
  updateTeam: {
    run: updateTeam,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"],
  },
} as const satisfies Commands;
