import { type Action, can, type TokenCaller } from "../../model/people/permission.ts";
import { StateRefused } from "../../model/state/state-refused.ts";
import { forbidden, UserError } from "../../model/kit/user-error.ts";
import { recordRejectedCommand } from "../../persistence/organization/rejected-command-store.ts";
import type { Deps } from "./deps.ts";

/** Throws FORBIDDEN unless the one door opens. `words`: what was tried, as in "may not ... ". */
export function authorize(caller: TokenCaller, action: Action, words: string): void {
  if (!can(caller, action)) throw forbidden(words);
}

/**
 * Runs a command, and records it where it is refused: outside the transaction, which is gone by then.
 * `subjectId`: what the command was about.
 */
export async function recorded<T>(
  deps: Deps,
  caller: TokenCaller,
  command: string,
  subjectId: string | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError || error instanceof StateRefused) {
      const { code, message } = error;
      const at = deps.clock().toISOString();
      await recordRejectedCommand(deps.database, {
        at,
        actorId: caller.actor.id,
        command,
        subjectId: subjectId?.slice(0, 100).replaceAll("\0", "") ?? null,
        code,
        message: message.slice(0, 2000).replaceAll("\0", ""),
      }).catch((failure: unknown) => deps.reportError(failure, "recording a rejected command"));
    }
    throw error;
  }
}
