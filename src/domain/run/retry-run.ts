import { requireFollowUp, retryRefusal } from "../../model/run/follow-up.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { Variable } from "../../model/workspace/workspace.ts";
import { isMemberRun, setMemberRun } from "../../persistence/changeset/changeset-member-store.ts";
import { reopenAfter } from "../../persistence/changeset/changeset-order-store.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { getRunHooks } from "../../persistence/workspace/hook-store.ts";
import { findRun, getRunInput } from "../../persistence/run/run-store.ts";
import { type CreationPolicies, underCreationPolicies } from "../creation/creation-policies.ts";
import type { Deps } from "../kit/deps.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { queueRun } from "../lifecycle/queue-run.ts";
import { settleChangeset } from "../lifecycle/settle-changeset.ts";
import { commandRun } from "./run-command.ts";
import { readAllRunVariables, readRollbackVariables } from "../variables/run-variables.ts";

export interface RetryRunInput {
  runId: string;
}

/**
 * Creates a run with the same source archive and options, for any outcome of the earlier run. Variables and hooks
 * are the current ones, so that they can be corrected first.
 *
 * In a changeset the new run takes the place of the earlier one, if that is the newest of its workspace there.
 *
 * An APPLY keeps those that its plan was made from. A rollback keeps its plain variables, because it restores them.
 */
export function retryRun(deps: Deps, caller: ActorCaller, input: RetryRunInput): Promise<Run> {
  const { runId } = input;
  const permission = ({ kind }: Run) => permissionToRun(kind);
  const spec = { name: "retryRun", permission, words: "retrying runs", runId, comment: null } as const;
  const retry = async (tx: Transaction, locked: LockedRun, policies: CreationPolicies): Promise<Run> => {
    requireFollowUp(retryRefusal(caller, locked), runId);
    const { run, workspace } = locked;
    const { kind, message, revision, targets, replace, refreshOnly, command, metadata, priority, planRunId } = run;
    const { source } = await getRunInput(tx, runId);
    const changesetId = await memberChangesetOf(tx, run);
    const created = await queueRun(tx, deps, caller, workspace, {
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
      scheduledAt: soaksUntil(run, deps.clock()),
      originId: run.id,
      planRunId,
      planVersion: kind === "APPLY" ? run.planVersion : 0,
      source,
      variables: await keptVariables(tx, deps, run),
      hooks: kind === "APPLY" ? await getRunHooks(tx, runId) : null,
      createdAt: deps.clock().toISOString(),
      changesetId,
      cause: run.cause,
      policies,
    });
    if (changesetId !== null) {
      await setMemberRun(tx, { changesetId, workspaceId: workspace.id }, created.id);
      await reopenAfter(tx, changesetId, workspace.id);
      await settleChangeset(tx, deps, { organizationId: run.organizationId, changesetId }, created.createdAt);
    }
    return created;
  };
  return underCreationPolicies(deps, "REFUSE", (policies) =>
    commandRun(deps, caller, spec, (tx, locked) => retry(tx, locked, policies)),
  );
}

/** A retry ends no soak time. */
function soaksUntil({ cause, scheduledAt }: Run, at: Date): string | null {
  const soaks = cause?.type === "PROMOTION" && scheduledAt !== null && scheduledAt > at.toISOString();
  return soaks ? scheduledAt : null;
}

/** The changeset in which the retry takes the place of the run; `null` if another run has it by now, or there is none. */
async function memberChangesetOf(tx: Transaction, { id, changesetId }: Run): Promise<string | null> {
  return changesetId !== null && (await isMemberRun(tx, changesetId, id)) ? changesetId : null;
}

/** Returns the variables that the new run keeps; `null` for the current ones. */
async function keptVariables(reader: Reader, deps: Deps, run: Run): Promise<Variable[] | null> {
  if (run.kind === "APPLY") return readAllRunVariables(reader, deps, run.id);
  return (await isRollback(reader, run)) ? readRollbackVariables(reader, deps, run) : null;
}

/** Whether the run is a rollback, a retry of one, or a retry of that. */
async function isRollback(reader: Reader, { trigger, originId }: Run): Promise<boolean> {
  if (trigger !== "RETRY" || originId === null) return trigger === "ROLLBACK";
  const origin = await findRun(reader, originId);
  return origin !== null && isRollback(reader, origin);
}
