import type { ActorCaller } from "../../model/people/permission.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { refuseTask } from "../../model/workspace/workspace-use.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import { type CreationPolicies, underCreationPolicies } from "../creation/creation-policies.ts";
import type { Deps } from "../kit/deps.ts";
import type { CreateRunInput } from "./create-run-input.ts";
import type { InputCheck } from "../kit/input.ts";
import { type PreparedSource, prepareSource, storeSource } from "../source/prepare-source.ts";
import { commandWorkspaceInSteps, relockWorkspace, type WorkspaceCommandSpec } from "../workspace/workspace-command.ts";
import { applyOrder, getPlannedRun, holdPlan, requireFresh } from "./plan-to-apply.ts";
import { supersedeRollbacks } from "../lifecycle/supersede.ts";
import { queueRun, type RunOrder } from "../lifecycle/queue-run.ts";
import { type CreatedRun, findEarlierRun, recordRequest, type RunRequest } from "./run-idempotency.ts";
import { checkCommand, checkIdempotencyKey, checkRunNotes, checkRunOptions, inOrder, toMetadata } from "./run-input.ts";

/** Kinds that fetch the source of the workspace. An APPLY uses that of its plan; an UNLOCK needs none. */
const FETCHING: readonly RunKind[] = ["DEPLOY", "DESTROY", "PLAN", "TASK"];

/**
 * Creates a run with the current source and variables (an APPLY: those of its plan), and admits it if nothing blocks
 * it.
 */
export function createRun(deps: Deps, caller: ActorCaller, input: CreateRunInput): Promise<CreatedRun> {
  const demand = { permission: permissionToRun(input.kind), words: "creating runs" } as const;
  const spec: WorkspaceCommandSpec = {
    ...demand,
    name: "createRun",
    workspaceId: input.workspaceId,
    demands: input.kind === "UNLOCK" ? [{ permission: "WORKSPACE_FORCE_UNLOCK", words: "breaking state locks" }] : [],
  };
  return commandWorkspaceInSteps(deps, caller, spec, async (found, check) => {
    checkInput(check, input);
    const request = requestOf(input);
    // A repeated request succeeds even if the source is gone by now; the transaction checks again.
    const earlier =
      check.hasIssues || request.key === null
        ? null
        : await deps.database.transaction((tx) => findEarlierRun(tx, deps, caller, request));
    if (earlier !== null) return earlier;
    checkNow(check, input, found, deps.clock());
    check.done();
    if (input.planRunId !== null) await getPlannedRun(deps.database, found.id, input.planRunId);
    const source = FETCHING.includes(input.kind) ? await prepareSource(deps, found) : null;
    const create = async (tx: Transaction, policies: CreationPolicies): Promise<CreatedRun> => {
      const workspace = await relockWorkspace(tx, deps, caller, demand, found.id);
      const same = await findEarlierRun(tx, deps, caller, request);
      if (same !== null) return same;
      checkTask(check, input, workspace);
      check.done();
      const order = { ...(await orderOf(tx, deps, caller, input, workspace, source)), policies };
      return recordRequest(tx, caller, request, await queueOrdered(tx, deps, caller, workspace, order));
    };
    return underCreationPolicies(deps, "REFUSE", (policies) => deps.database.transaction((tx) => create(tx, policies)));
  });
}

/** Queues a run. A deployment of a person takes the place of a rollback that waits; then it may have been admitted. */
async function queueOrdered(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  workspace: Workspace,
  order: RunOrder,
): Promise<Run> {
  const run = await queueRun(tx, deps, caller, workspace, order);
  const supersedes = run.trigger === "MANUAL" && run.kind === "DEPLOY" && run.finishedAt === null;
  if (!supersedes || !(await supersedeRollbacks(tx, deps, { workspace, run }))) return run;
  return (await findRun(tx, run.id)) ?? run;
}

function checkInput(check: InputCheck, input: CreateRunInput): void {
  checkRunNotes(check, input);
  checkRunOptions(check, input);
  checkIdempotencyKey(check, input.idempotencyKey);
}

/** Checks that depend on the current time or workspace. */
function checkNow(check: InputCheck, input: CreateRunInput, workspace: Workspace, at: Date): void {
  const { scheduledAt } = input;
  checkTask(check, input, workspace);
  const ahead = scheduledAt === null || scheduledAt > at.toISOString();
  check.require(ahead, "scheduledAt", "must be in the future.");
}

function checkTask(check: InputCheck, { kind, command }: CreateRunInput, workspace: Workspace): void {
  if (kind !== "TASK") return;
  const refusal = refuseTask(workspace);
  if (refusal === null) checkCommand(check, command);
  else check.refuse(refusal.field, refusal.reason);
}

function requestOf(input: CreateRunInput): RunRequest {
  const { kind, message, targets, replace, refreshOnly, planRunId, command, metadata, priority, scheduledAt } = input;
  const options = [kind, message, targets ?? [], replace ?? [], planRunId, refreshOnly];
  return {
    workspaceId: input.workspaceId,
    key: input.idempotencyKey,
    content: [...options, command, inOrder(metadata ?? []), priority, scheduledAt],
  };
}

async function orderOf(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  input: CreateRunInput,
  workspace: Workspace,
  source: PreparedSource | null,
): Promise<Omit<RunOrder, "policies">> {
  const notes = {
    trigger: triggerOf(caller),
    message: input.message,
    metadata: toMetadata(input.metadata ?? []),
    priority: input.priority,
    scheduledAt: input.scheduledAt,
    originId: input.planRunId,
    createdAt: deps.clock().toISOString(),
  };
  if (input.planRunId !== null) {
    const planned = await getPlannedRun(tx, workspace.id, input.planRunId);
    await holdPlan(tx, planned);
    requireFresh(planned, workspace);
    return { ...notes, ...(await applyOrder(tx, deps, planned)) };
  }
  return {
    ...notes,
    kind: input.kind,
    revision: source?.revision ?? null,
    targets: input.targets ?? [],
    replace: input.replace ?? [],
    refreshOnly: input.refreshOnly,
    command: input.command,
    planRunId: null,
    planVersion: 0,
    source: source === null ? null : await storeSource(tx, deps, workspace.id, source),
    variables: null,
    hooks: null,
  };
}

/** Returns the trigger of a run that a person or a machine user requested. */
export function triggerOf({ actor }: ActorCaller): "API" | "MANUAL" {
  return actor.kind === "MACHINE" ? "API" : "MANUAL";
}
