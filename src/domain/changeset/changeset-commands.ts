import type { Commands } from "../kit/bind-commands.ts";
import { createChangeset } from "./create-changeset.ts";

/** The commands about changesets, by name. */
export const CHANGESET_COMMANDS = {
  createChangeset: { run: createChangeset, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
