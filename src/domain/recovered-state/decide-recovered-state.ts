/** What a decision about a state that came too late has in common with the other one. */
import { workspacePlace } from "../../model/people/grant.ts";
import { idKind } from "../../model/kit/id.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { RecoveredState, RecoveryDecision } from "../../model/state/recovered-state.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { decideRecoveredState, findRecoveredStates } from "../../persistence/state/recovered-state-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";
import { withoutExpiredLock } from "../lifecycle/locked-run.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import type { DecidedState, RecoveredStateDecision } from "./recovered-state-domain.ts";

export interface DecisionSpec {
  /** Of the command. */
  name: string;
  /** For the error of somebody who may not: "adopting states". */
  words: string;
  decision: RecoveryDecision;
}

/**
 * Decides about a state under the lock of its workspace (`command`); `work` does what the decision means. The same
 * decision again changes nothing; the other one is refused.
 */
export function decideAbout(
  deps: Deps,
  caller: TokenCaller,
  { name, words, decision }: DecisionSpec,
  { recoveredStateId: id, note }: RecoveredStateDecision,
  work: (tx: Transaction, state: RecoveredState, workspace: Workspace) => Promise<void>,
): Promise<DecidedState> {
  const spec = {
    name,
    subjectId: id,
    noun: "recovered state",
    find: (tx: Transaction) => lock(tx, deps, id),
    placeOf: ({ workspace }: LockedState) => workspacePlace(workspace),
    sight: "workspace:read",
    permission: "state:import",
    words,
    check: (input: InputCheck) => input.text("note", note),
  } as const;
  return command(deps, caller, spec, async (tx, { state, workspace }) => {
    if (state.decided?.decision === decision) return { recoveredState: state, workspace };
    if (state.decided !== null) {
      throw invalidField("recoveredStateId", `was ${state.decided.decision.toLowerCase()} at ${state.decided.at}.`);
    }
    await work(tx, state, workspace);
    const decided = { decision, actorId: caller.actor.id, at: deps.clock().toISOString(), note };
    await decideRecoveredState(tx, id, decided);
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["recoveredStates"]);
    return { recoveredState: { ...state, decided }, workspace };
  });
}

interface LockedState {
  state: RecoveredState;
  workspace: Workspace;
}

/** Locks the workspace of a state, and reads the state as it is then. */
async function lock(tx: Transaction, { clock }: Pick<Deps, "clock">, id: string): Promise<LockedState | null> {
  const found = await lookUp(tx, id);
  const workspace = found === null ? null : await lockKeptWorkspace(tx, found.workspaceId);
  const state = workspace === null ? null : await lookUp(tx, id);
  return workspace === null || state === null ? null : { state, workspace: withoutExpiredLock(workspace, clock()) };
}

async function lookUp(reader: Reader, id: string): Promise<RecoveredState | null> {
  if (idKind(id) !== "recoveredState") return null;
  const [state = null] = await findRecoveredStates(reader, [id]);
  return state;
}
