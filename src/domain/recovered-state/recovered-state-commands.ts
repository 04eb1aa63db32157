import { adoptRecoveredState } from "./adopt-recovered-state.ts";
import { discardRecoveredState } from "./discard-recovered-state.ts";

/** The commands about recovered states, by name. */
export const RECOVERED_STATE_COMMANDS = {
  adoptRecoveredState,
  discardRecoveredState,
};
