import type { Commands } from "../kit/bind-commands.ts";
import { acknowledgeDrift } from "./acknowledge-drift.ts";

/** The commands about drift, by name. */
export const DRIFT_COMMANDS = {
  acknowledgeDrift: { run: acknowledgeDrift, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
