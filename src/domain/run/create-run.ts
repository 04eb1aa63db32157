import { createHash } from "node:crypto";
import { LIMITS } from "../../model/limits.ts";
import { can, type TokenCaller } from "../../model/permission.ts";
import type { Run } from "../../model/run.ts";
import { notFound, UserError } from "../../model/user-error.ts";
import type { Workspace } from "../../model/workspace.ts";
import type { Transaction } from "../../persistence/database.ts";
import { findIdempotencyKey, putIdempotencyKey } from "../../persistence/idempotency-store.ts";
import { findRun } from "../../persistence/run-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import type { CreateRunInput } from "../domain.ts";
import { authorize, recorded } from "../guard.ts";
import { InputCheck } from "../input.ts";
import { type PreparedSource, prepareSource, storeSource } from "../source/prepare-source.ts";
import { lookUpWorkspace } from "../workspace/look-up-workspace.ts";
import { queueRun } from "./queue-run.ts";
import { checkKind, checkRefreshOnly, checkReplace, checkTargets } from "./run-input.ts";

export type CreatedRun = { run: Run; created: boolean };

/** Creates a run of the source and the variables as they are now, and admits it where nothing is in the way. */
export function createRun(deps: Deps, caller: TokenCaller, input: CreateRunInput): Promise<CreatedRun> {
  return recorded(deps, caller, "createRun", input.workspaceId, async () => {
    const workspace = await lookUpWorkspace(deps.database, input.workspaceId);
    if (workspace === null || !can(caller, "workspace:read")) throw notFound("workspace");
    authorize(caller, "run:create", "creating runs");
    checkInput(input);
    // A repeated request is answered even where the folder is gone by now; the transaction looks again.
    const earlier = await deps.database.transaction((tx) => findEarlier(tx, deps, caller, input));
    if (earlier !== null) return earlier;
    const source = await prepareSource(deps, workspace);
    return deps.database.transaction(async (tx) => {
      if ((await lockKeptWorkspace(tx, workspace.id)) === null) throw notFound("workspace");
      return (await findEarlier(tx, deps, caller, input)) ?? insert(tx, deps, caller, input, workspace, source);
    });
  });
}

function checkInput(input: CreateRunInput): void {
  const check = new InputCheck();
  checkKind(check, input.kind);
  check.text("message", input.message);
  checkTargets(check, input.targets);
  checkReplace(check, input.replace);
  checkRefreshOnly(check, input);
  check.require(input.planRunId === null, "planRunId", "belongs to the kind APPLY only.");
  const key = input.idempotencyKey;
  if (key !== null) {
    const ok = key.length > 0 && key.length <= LIMITS.keyLength && !key.includes("\0");
    check.require(ok, "idempotencyKey", `must have 1 to ${LIMITS.keyLength} characters.`);
  }
  check.done();
}

/** What makes two requests the same. */
function requestDigest(input: CreateRunInput): string {
  const { kind, message, targets, replace, refreshOnly, planRunId } = input;
  return createHash("sha256")
    .update(JSON.stringify([kind, message, targets ?? [], replace ?? [], planRunId, refreshOnly]))
    .digest("hex");
}

async function findEarlier(
  tx: Transaction,
  deps: Deps,
  caller: TokenCaller,
  input: CreateRunInput,
): Promise<CreatedRun | null> {
  if (input.idempotencyKey === null) return null;
  const key = { workspaceId: input.workspaceId, actorId: caller.actor.id, key: input.idempotencyKey };
  const since = new Date(deps.clock().getTime() - LIMITS.idempotencyKeyMs).toISOString();
  const use = await findIdempotencyKey(tx, key, since);
  if (use === null) return null;
  if (use.requestDigest !== requestDigest(input)) {
    throw new UserError("IDEMPOTENCY_CONFLICT", "The idempotency key was used for another request.", {
      runId: use.runId,
    });
  }
  const run = await findRun(tx, use.runId);
  if (run === null) throw new Error(`The run ${use.runId} of an idempotency key does not exist.`);
  return { run, created: false };
}

async function insert(
  tx: Transaction,
  deps: Deps,
  caller: TokenCaller,
  input: CreateRunInput,
  workspace: Workspace,
  source: PreparedSource,
): Promise<CreatedRun> {
  const at = deps.clock().toISOString();
  const run = await queueRun(tx, deps, caller, workspace, {
    kind: input.kind,
    trigger: caller.actor.kind === "MACHINE" ? "API" : "MANUAL",
    message: input.message,
    revision: source.revision,
    targets: input.targets ?? [],
    replace: input.replace ?? [],
    refreshOnly: input.refreshOnly,
    command: null,
    metadata: {},
    priority: 0,
    scheduledAt: null,
    originId: null,
    sourceBlobId: await storeSource(tx, deps, workspace.id, source),
    createdAt: at,
  });
  if (input.idempotencyKey !== null) {
    const key = { workspaceId: workspace.id, actorId: caller.actor.id, key: input.idempotencyKey };
    await putIdempotencyKey(tx, key, { requestDigest: requestDigest(input), runId: run.id, at });
  }
  return { run, created: true };
}
