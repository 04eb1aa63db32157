import type { ActorCaller } from "../../model/people/permission.ts";
import { intersection } from "../../model/people/permission-set.ts";
import { projectPlace, workspacePlace } from "../../model/people/place.ts";
import { setAt } from "../../model/people/rights.ts";
import { permissionsOf } from "../../model/people/role.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { notFound } from "../../model/kit/user-error.ts";
import { can } from "../../model/people/permission.ts";
import { moveWorkspaceRow } from "../../persistence/organization/project-store.ts";
import { requireGrantsOf, requireOwn } from "../access/attenuation.ts";
import { authorize } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { commandWorkspace } from "../workspace/workspace-command.ts";
import { holdTarget } from "./project-commands.ts";

export interface MoveWorkspaceInput {
  workspaceId: string;
  toProjectId: string;
}

/**
 * Moves a workspace with its runs into another project of its organization. It takes the right to delete it where it is,
 * and to create one where it goes.
 */
export function moveWorkspace(deps: Deps, caller: ActorCaller, input: MoveWorkspaceInput): Promise<Workspace> {
  const { workspaceId, toProjectId } = input;
  const words = "moving workspaces";
  const spec = {
    name: "moveWorkspace",
    workspaceId,
    permission: "WORKSPACE_DELETE",
    words,
    presence: "ALWAYS",
  } as const;
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    const project = await holdTarget(tx, toProjectId, workspace.organizationId);
    const place = projectPlace(project);
    if (!can(caller, "PROJECT_READ", place)) throw notFound("project");
    authorize(caller, { permission: "WORKSPACE_CREATE", words: "moving workspaces into it" }, place);
    // Who has more rights where it goes would have them on the workspace, too.
    const gained = intersection(setAt(caller.rights, place), permissionsOf("MAINTAINER"));
    await requireOwn(tx, deps, caller, gained, workspacePlace(workspace));
    if (project.id !== workspace.projectId) {
      // Others may start its runs there.
      await requireGrantsOf(tx, deps, caller, workspaceId);
      tx.announce("rights");
      await moveWorkspaceRow(tx, workspaceId, project.id);
    }
    return { ...workspace, projectId: project.id };
  });
}
