import type { TokenCaller } from "../../model/permission.ts";
import type { Run } from "../../model/run.ts";
import { isTerminal } from "../../model/run-status.ts";
import { notFound, UserError } from "../../model/user-error.ts";
import { getRunInput } from "../../persistence/run-store.ts";
import type { Deps } from "../deps.ts";
import type { Commands } from "../domain.ts";
import { queueRun } from "./queue-run.ts";
import { commandRun } from "./run-command.ts";

/** Why a run cannot be retried; null where it can. */
export function retryRefusal({ kind, status }: Pick<Run, "kind" | "status">): string | null {
  return isTerminal(status) ? null : `Cannot retry a run of kind ${kind} that is ${status}: it has not ended.`;
}

/**
 * A new run of the same source and options, whatever became of the old one. The source is the very archive that the old
 * run had; the variables are those of now, so that a wrong one can be put right first.
 */
export function retryRun(deps: Deps, caller: TokenCaller, input: Parameters<Commands["retryRun"]>[1]): Promise<Run> {
  const { runId } = input;
  const spec = { name: "retryRun", action: "run:retry", words: "retrying runs", runId, comment: null } as const;
  return commandRun(deps, caller, spec, async (tx, { run, workspace }) => {
    const refusal = retryRefusal(run);
    if (refusal !== null) throw new UserError("RUN_STATE_CONFLICT", refusal, { runId });
    const { sourceBlobId } = await getRunInput(tx, runId);
    if (sourceBlobId === null) throw notFound("source of that run");
    const { kind, message, revision, targets, replace, refreshOnly, command, metadata, priority } = run;
    return queueRun(tx, deps, caller, workspace, {
      kind,
      trigger: "RETRY",
      message,
      revision,
      targets,
      replace,
      refreshOnly,
      command,
      metadata,
      priority,
      scheduledAt: null,
      originId: run.id,
      sourceBlobId,
      createdAt: deps.clock().toISOString(),
    });
  });
}
