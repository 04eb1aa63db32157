/** What a decision about a state that came too late has in common with the other one. */
import { idKind } from "../../model/kit/id.ts";
import { can, type TokenCaller } from "../../model/people/permission.ts";
import type { RecoveredState, RecoveryDecision } from "../../model/state/recovered-state.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { decideRecoveredState, findRecoveredStates } from "../../persistence/state/recovered-state-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";
import { asOf } from "../lifecycle/locked-run.ts";
import { workspaceChanged } from "../lifecycle/workspace-changed.ts";
import type { DecidedState, RecoveredStateDecision } from "./recovered-state-domain.ts";

export interface DecisionSpec {
  /** Of the command. */
  name: string;
  /** For the error of somebody who may not: "adopting states". */
  words: string;
  decision: RecoveryDecision;
}

/**
 * Authorises, checks, and decides under the lock of the workspace; `work` does what the decision means. The same
 * decision again is taken as said; the other one is refused.
 */
export function decideAbout(
  deps: Deps,
  caller: TokenCaller,
  { name, words, decision }: DecisionSpec,
  { recoveredStateId: id, note }: RecoveredStateDecision,
  work: (tx: Transaction, state: RecoveredState, workspace: Workspace) => Promise<void>,
): Promise<DecidedState> {
  return recorded(deps, caller, name, id, () =>
    deps.database.transaction(async (tx) => {
      const found = await lookUp(tx, id);
      if (found === null || !can(caller, "workspace:read")) throw notFound("recovered state");
      authorize(caller, "state:import", words);
      const input = new InputCheck();
      input.text("note", note);
      input.done();
      const workspace = await lockKeptWorkspace(tx, found.workspaceId);
      const state = workspace === null ? null : await lookUp(tx, id);
      if (workspace === null || state === null) throw notFound("recovered state");
      const standing = asOf(workspace, deps.clock());
      if (state.decided?.decision === decision) return { recoveredState: state, workspace: standing };
      if (state.decided !== null) {
        throw invalidField("recoveredStateId", `was ${state.decided.decision.toLowerCase()} at ${state.decided.at}.`);
      }
      await work(tx, state, standing);
      const decided = { decision, actorId: caller.actor.id, at: deps.clock().toISOString(), note };
      await decideRecoveredState(tx, id, decided);
      await workspaceChanged(tx, deps, workspace, caller.actor.id, ["recoveredStates"]);
      return { recoveredState: { ...state, decided }, workspace: standing };
    }),
  );
}

async function lookUp(reader: Reader, id: string): Promise<RecoveredState | null> {
  if (idKind(id) !== "recoveredState") return null;
  const [state = null] = await findRecoveredStates(reader, [id]);
  return state;
}
