/** The template of commands about a workspace. */
import { idKind } from "../../model/kit/id.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { authorize, command, commandInSteps, type CommandSpec, type Demand } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { withoutExpiredLock } from "../lifecycle/machine-input.ts";
import { lookUpWorkspace } from "./look-up-workspace.ts";

export interface WorkspaceCommandSpec extends Demand {
  name: string;
  workspaceId: string;
  /** Permissions that this input requires beyond `permission`. */
  demands?: readonly Demand[];
  /** Whether the person of a session must lately have proved to be present. */
  presence?: CommandSpec<Transaction, Workspace>["presence"];
}

/** The subject of commands about a workspace. */
export const ABOUT_WORKSPACE = { noun: "workspace", placeOf: workspacePlace, sight: "WORKSPACE_READ" } as const;

/** Runs a command about a workspace, under the lock of its row (`command`). An expired lock counts as none. */
export function commandWorkspace<T>(
  deps: Deps,
  caller: ActorCaller,
  { workspaceId, check, ...spec }: WorkspaceCommandSpec & { check?: (input: InputCheck) => void },
  work: (tx: Transaction, workspace: Workspace) => Promise<T>,
): Promise<T> {
  const find = async (tx: Transaction): Promise<Workspace | null> => {
    const found = idKind(workspaceId) === "workspace" ? await lockKeptWorkspace(tx, workspaceId) : null;
    return found === null ? null : withoutExpiredLock(found, deps.clock());
  };
  return command(
    deps,
    caller,
    { ...spec, ...ABOUT_WORKSPACE, subjectId: workspaceId, find, check: (input) => check?.(input) },
    work,
  );
}

/**
 * Runs a command about a workspace that first waits for a disk or a network (`commandInSteps`). Its transaction begins
 * with `relockWorkspace`.
 */
export function commandWorkspaceInSteps<T>(
  deps: Deps,
  caller: ActorCaller,
  {
    workspaceId,
    ...spec
  }: WorkspaceCommandSpec & {
    check?: (input: InputCheck, workspace: Workspace) => void | Promise<void>;
  },
  work: (workspace: Workspace, input: InputCheck) => Promise<T>,
): Promise<T> {
  const found = { ...spec, ...ABOUT_WORKSPACE, subjectId: workspaceId };
  return commandInSteps(deps, caller, { ...found, find: (reader) => lookUpWorkspace(reader, workspaceId) }, work);
}

/** Locks the row of a workspace that was found before the transaction, and checks the permission again. */
export async function relockWorkspace(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  caller: ActorCaller,
  demand: Demand,
  workspaceId: string,
): Promise<Workspace> {
  const workspace = await lockKeptWorkspace(tx, workspaceId);
  if (workspace === null) throw notFound("workspace");
  authorize(caller, demand, workspacePlace(workspace));
  return withoutExpiredLock(workspace, deps.clock());
}
