/** What every command of a person about a workspace has in common. */
import { can, type TokenAction, type TokenCaller } from "../../model/people/permission.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";
import { asOf } from "../lifecycle/locked-run.ts";
import { lookUpWorkspace } from "./look-up-workspace.ts";

export interface WorkspaceCommandSpec {
  name: string;
  action: TokenAction;
  /** For the error of somebody who may not: "locking workspaces". */
  words: string;
  workspaceId: string;
  check?: (input: InputCheck) => void;
}

/**
 * Authorises, checks, locks the row of the workspace and does the work in one transaction. Refusals are recorded. A lock
 * that has expired counts as none.
 */
export function commandWorkspace<T>(
  deps: Deps,
  caller: TokenCaller,
  spec: WorkspaceCommandSpec,
  work: (tx: Transaction, workspace: Workspace) => Promise<T>,
): Promise<T> {
  return recorded(deps, caller, spec.name, spec.workspaceId, () =>
    deps.database.transaction(async (tx) => {
      const found = await lookUpWorkspace(tx, spec.workspaceId);
      if (found === null || !can(caller, "workspace:read")) throw notFound("workspace");
      authorize(caller, spec.action, spec.words);
      const input = new InputCheck();
      spec.check?.(input);
      input.done();
      const workspace = await lockKeptWorkspace(tx, spec.workspaceId);
      if (workspace === null) throw notFound("workspace");
      return work(tx, asOf(workspace, deps.clock()));
    }),
  );
}
