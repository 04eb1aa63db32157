import { forceUnlockState } from "./force-unlock-state.ts";
import { rollbackState } from "./rollback-state.ts";

/** The commands about states, by name. */
export const STATE_COMMANDS = {
  forceUnlockState,
  rollbackState,
};
