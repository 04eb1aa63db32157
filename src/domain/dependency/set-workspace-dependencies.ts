import { type Dependency, findCycle } from "../../model/dependency/dependency.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import {
  listDependenciesAbove,
  listUpstreams,
  lockDependencies,
  setUpstreams,
} from "../../persistence/dependency/dependency-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listVariableNames } from "../../persistence/workspace/variable-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { authorize } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { InputCheck } from "../kit/input.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { commandWorkspace } from "../workspace/workspace-command.ts";
import { checkKeys, checkReferences } from "./check-references.ts";

/** A dependency of a workspace, as it is set. */
export type UpstreamInput = Omit<Dependency, "downstreamId">;

export interface SetWorkspaceDependenciesInput {
  workspaceId: string;
  dependencies: readonly UpstreamInput[];
}

/**
 * Replaces the dependencies of a workspace on others, as far as the caller sees those: others stay. Throws
 * DEPENDENCY_CYCLE, which names the way, if the workspace would depend on itself.
 *
 * Outputs that are new take the permission to read the state upstream: the engine downstream gets them in clear.
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
      if (upstreamIds.length > most) return check.refuse("dependencies", `must name at most ${most} workspaces.`);
      const isUnique = new Set(upstreamIds).size === upstreamIds.length;
      check.require(isUnique, "dependencies", "must not name a workspace twice.");
      checkReferences(check, dependencies);
    },
  } as const;
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    const before = await listUpstreams(tx, workspaceId);
    const hidden = await checkUpstreams(tx, caller, workspace, { dependencies, before });
    await lockDependencies(tx);
    await setUpstreams(tx, workspaceId, [...dependencies, ...hidden]);
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

/** Checks the new dependencies, and returns those of before that the caller does not see: they stay. */
async function checkUpstreams(
  tx: Transaction,
  caller: ActorCaller,
  workspace: Workspace,
  { dependencies, before }: { dependencies: readonly UpstreamInput[]; before: readonly Dependency[] },
): Promise<Dependency[]> {
  const { id } = workspace;
  const asked = dependencies.map(({ upstreamId }) => (idKind(upstreamId) === "workspace" ? upstreamId : id));
  const ids = [...asked, ...before.map(({ upstreamId }) => upstreamId)];
  const found = ids.length === 0 ? [] : await findWorkspaces(tx, [...new Set(ids)]);
  const seen = new Map(found.flatMap((one) => (one !== null && isSeen(caller, one) ? [[one.id, one]] : [])));
  const check = new InputCheck();
  for (const [index, { upstreamId }] of dependencies.entries()) {
    const upstream = seen.get(upstreamId);
    // A hidden workspace is refused as one that does not exist.
    const fits = upstream !== undefined && upstream.id !== id && upstream.organizationId === workspace.organizationId;
    const field = `dependencies.${index}.upstreamId`;
    check.require(fits, field, "must be another workspace of the organization that you may read.");
  }
  check.done();
  const hidden = before.filter(({ upstreamId }) => !seen.has(upstreamId));
  const hasOutputs = dependencies.some(({ outputs }) => outputs.length > 0);
  if (!hasOutputs) return hidden;
  for (const dependency of dependencies) {
    const upstream = seen.get(dependency.upstreamId);
    if (upstream === undefined || !takesMore(dependency, before)) continue;
    const demand = { permission: "STATE_READ", words: "taking outputs of the workspace upstream" } as const;
    authorize(caller, demand, workspacePlace(upstream));
  }
  checkKeys(check, dependencies, [
    { names: hidden.flatMap(({ outputs }) => outputs), by: "another dependency" },
    { names: await listVariableNames(tx, id), by: "a variable of the workspace" },
  ]);
  check.done();
  return hidden;
}

/** Whether a dependency takes an output that it did not take before. */
function takesMore({ upstreamId, outputs }: UpstreamInput, before: readonly Dependency[]): boolean {
  const former = before.find((one) => one.upstreamId === upstreamId)?.outputs ?? [];
  return outputs.some(({ output }) => !former.some((one) => one.output === output));
}
