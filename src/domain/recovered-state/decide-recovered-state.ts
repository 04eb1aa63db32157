/** The shared part of the two decisions about a recovered state: adopt and discard. */
import { type Placed, workspacePlace } from "../../model/people/place.ts";
import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { RecoveredState, RecoveryDecision } from "../../model/state/recovered-state.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { decideRecoveredState, findRecoveredStates } from "../../persistence/state/recovered-state-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command, type Sees } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";
import { withoutExpiredLock } from "../lifecycle/machine-input.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import type { DecidedState, RecoveredStateDecision } from "./recovered-state-domain.ts";

export interface DecisionSpec {
  /** The name of the mutation. */
  name: string;
  /** The action in the error FORBIDDEN, for example "adopting states". */
  words: string;
  decision: RecoveryDecision;
}

/**
 * Decides about a recovered state under the lock of its workspace (`command`); `work` executes the decision. Repeating
 * a decision changes nothing; the opposite decision is refused.
 */
export function decideAbout(
  deps: Deps,
  caller: ActorCaller,
  { name, words, decision }: DecisionSpec,
  { recoveredStateId: id, note }: RecoveredStateDecision,
  work: (tx: Transaction, state: RecoveredState, workspace: Workspace) => Promise<void>,
): Promise<DecidedState> {
  const spec = {
    name,
    presence: "ALWAYS",
    subjectId: id,
    noun: "recovered state",
    find: (tx: Transaction, sees: Sees) => lock(tx, deps, id, sees),
    placeOf: ({ workspace }: LockedState) => workspacePlace(workspace),
    sight: "WORKSPACE_READ",
    permission: "STATE_WRITE",
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
    tx.announce("inbox");
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["recoveredStates"]);
    return { recoveredState: { ...state, decided }, workspace };
  });
}

interface LockedState {
  state: RecoveredState;
  workspace: Workspace;
}

/** Locks the workspace of a recovered state, and reads the state again. */
async function lock(
  tx: Transaction,
  { clock }: Pick<Deps, "clock">,
  id: string,
  sees: Sees,
): Promise<LockedState | null> {
  const found = await lookUp(tx, id);
  const workspace = found === null || !sees(found) ? null : await lockKeptWorkspace(tx, found.workspaceId);
  const state = workspace === null ? null : await lookUp(tx, id);
  return workspace === null || state === null ? null : { state, workspace: withoutExpiredLock(workspace, clock()) };
}

async function lookUp(reader: Reader, id: string): Promise<Placed<RecoveredState> | null> {
  if (idKind(id) !== "recoveredState") return null;
  const [state = null] = await findRecoveredStates(reader, [id]);
  return state;
}
