import type { ActorCaller } from "../../model/people/permission.ts";
import { StateRefused } from "../../model/state/state-refused.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { type NewRejection, recordRejectedCommand } from "../../persistence/organization/rejected-command-store.ts";
import type { Deps } from "../kit/deps.ts";

const ID_LENGTH = 100;
const MESSAGE_LENGTH = 2000;

/** A refused command, as it is recorded. */
interface Rejection extends Pick<NewRejection, "command" | "subjectId" | "found"> {
  error: unknown;
}

/** Records a refused command after its transaction was rolled back. Errors that are not refusals are not recorded. */
export async function recordRejection(
  deps: Deps,
  caller: ActorCaller,
  { error, subjectId, ...rejection }: Rejection,
): Promise<void> {
  if (!(error instanceof UserError || error instanceof StateRefused)) return;
  const { code, message } = error;
  const rejected = {
    ...rejection,
    at: deps.clock().toISOString(),
    actorId: caller.actor.id,
    credentialId: caller.credentialId,
    subjectId: subjectId?.slice(0, ID_LENGTH).replaceAll("\0", "") ?? null,
    code,
    message: message.slice(0, MESSAGE_LENGTH).replaceAll("\0", ""),
  };
  await recordRejectedCommand(deps.database, rejected).catch((failure: unknown) =>
    deps.reportError(failure, "recording a rejected command"),
  );
}
