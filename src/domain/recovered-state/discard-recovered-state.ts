import type { ActorCaller } from "../../model/people/permission.ts";
import type { Deps } from "../kit/deps.ts";
import { decideAbout } from "./decide-recovered-state.ts";
import type { DecidedState, RecoveredStateDecision } from "./recovered-state-domain.ts";

/** Marks a recovered state as discarded. It is not deleted, because the decision may be wrong. */
export function discardRecoveredState(
  deps: Deps,
  caller: ActorCaller,
  input: RecoveredStateDecision,
): Promise<DecidedState> {
  const spec = { name: "discardRecoveredState", words: "discarding states", decision: "DISCARDED" } as const;
  return decideAbout(deps, caller, spec, input, async () => undefined);
}
