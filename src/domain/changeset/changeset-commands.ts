import type { Commands } from "../kit/bind-commands.ts";
import { approveChangeset, discardChangeset } from "./approve-changeset.ts";
import { continueChangeset } from "./continue-changeset.ts";
import { createChangeset } from "./create-changeset.ts";

/** The commands about changesets, by name. */
export const CHANGESET_COMMANDS = {
  approveChangeset: {
    run: approveChangeset,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "STALE_CHANGESET"],
  },
  continueChangeset: { run: continueChangeset, errors: ["NOT_FOUND", "FORBIDDEN"] },
  discardChangeset: { run: discardChangeset, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  createChangeset: { run: createChangeset, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
