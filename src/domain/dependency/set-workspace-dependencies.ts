import { findCycle } from "../../model/dependency/dependency.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import {
  listDependenciesAbove,
  lockDependencies,
  setUpstreams,
} from "../../persistence/dependency/dependency-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { InputCheck } from "../kit/input.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { commandWorkspace } from "../workspace/workspace-command.ts";

export interface SetWorkspaceDependenciesInput {
  workspaceId: string;
  dependencies: readonly { upstreamId: string }[];
}

/**
 * Replaces the workspaces that a workspace depends on. Throws DEPENDENCY_CYCLE, which names the way, if it would depend on
 * itself.
 */
export function setWorkspaceDependencies(
  deps: Deps,
  caller: ActorCaller,
  { workspaceId, dependencies }: SetWorkspaceDependenciesInput,
): Promise<Workspace> {
  const upstreamIds = dependencies.map(({ upstreamId }) => upstreamId);
  const spec = {
    name: "setWorkspaceDependencies",
    permission: "WORKSPACE_UPDATE",
    words: "changing workspaces",
    workspaceId,
    check: (check: InputCheck) => {
      const most = LIMITS.dependenciesPerWorkspace;
      check.require(upstreamIds.length <= most, "dependencies", `must name at most ${most} workspaces.`);
      const isUnique = new Set(upstreamIds).size === upstreamIds.length;
      check.require(isUnique, "dependencies", "must not name a workspace twice.");
    },
  } as const;
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    await checkUpstreams(tx, caller, workspace, upstreamIds);
    await lockDependencies(tx);
    await setUpstreams(tx, workspaceId, upstreamIds);
    const cycle = findCycle(workspaceId, await listDependenciesAbove(tx, workspaceId));
    if (cycle !== null) {
      const found = await findWorkspaces(tx, cycle);
      const names = found.map((one) => (one !== null && isSeen(caller, one) ? one.name : "another workspace"));
      const message = `The workspace would depend on itself: ${names.join(" -> ")}. Leave out one of them.`;
      throw new UserError("DEPENDENCY_CYCLE", message, { workspaceIds: cycle });
    }
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["dependencies"]);
    return workspace;
  });
}

const isSeen = (caller: ActorCaller, workspace: Workspace): boolean =>
  can(caller, "WORKSPACE_READ", workspacePlace(workspace));

/** A hidden workspace is refused as one that does not exist. */
async function checkUpstreams(
  tx: Transaction,
  caller: ActorCaller,
  { id, organizationId }: Workspace,
  upstreamIds: readonly string[],
): Promise<void> {
  const check = new InputCheck();
  const known = upstreamIds.map((one) => (idKind(one) === "workspace" ? one : id));
  const found = known.length === 0 ? [] : await findWorkspaces(tx, known);
  for (const [index, one] of found.entries()) {
    const isOther = one !== null && one.id !== id;
    const fits = isOther && one.organizationId === organizationId && isSeen(caller, one);
    const field = `dependencies.${index}.upstreamId`;
    check.require(fits, field, "must be another workspace of the organization that you may read.");
  }
  check.done();
}
