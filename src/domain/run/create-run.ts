import { createHash } from "node:crypto";
import { LIMITS } from "../../model/limits.ts";
import { can, type TokenCaller } from "../../model/permission.ts";
import type { Run } from "../../model/run.ts";
import { FIRST_LEG } from "../../model/run-kind.ts";
import { notFound, UserError } from "../../model/user-error.ts";
import type { Workspace } from "../../model/workspace.ts";
import type { Transaction } from "../../persistence/database.ts";
import { findIdempotencyKey, putIdempotencyKey } from "../../persistence/idempotency-store.ts";
import { openLog } from "../../persistence/log-store.ts";
import { appendRunEvents } from "../../persistence/run-event-store.ts";
import { findRun, insertRun } from "../../persistence/run-store.ts";
import { listVariables } from "../../persistence/variable-store.ts";
import { lockWorkspaceRow, takeRunNumber } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import type { CreateRunInput } from "../domain.ts";
import { authorize, recorded } from "../guard.ts";
import { InputCheck } from "../input.ts";
import { type PreparedSource, prepareSource, storeSource } from "../source/prepare-source.ts";
import { lookUpWorkspace } from "../workspace/look-up-workspace.ts";
import { admitNext } from "./run-change.ts";
import { variablesOwner } from "./run-variables.ts";
import { checkKind, checkReplace, checkTargets } from "./run-input.ts";

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
      await lockWorkspaceRow(tx, workspace.id);
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
  const { kind, message, targets, replace, planRunId } = input;
  return createHash("sha256")
    .update(JSON.stringify([kind, message, targets ?? [], replace ?? [], planRunId]))
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
  const runId = deps.newId("run");
  const [variables = []] = await listVariables(tx, deps.cipher, [workspace.id]);
  await insertRun(tx, {
    id: runId,
    organizationId: workspace.organizationId,
    workspaceId: workspace.id,
    number: await takeRunNumber(tx, workspace.id),
    kind: input.kind,
    leg: FIRST_LEG[input.kind],
    trigger: caller.actor.kind === "MACHINE" ? "API" : "MANUAL",
    createdById: caller.actor.id,
    message: input.message,
    revision: source.revision,
    targets: input.targets ?? [],
    replace: input.replace ?? [],
    createdAt: at,
    sourceBlobId: await storeSource(tx, deps, workspace.id, source),
    variablesSealed: deps.cipher.seal(Buffer.from(JSON.stringify(variables)), variablesOwner(runId)),
  });
  await appendRunEvents(tx, [
    { runId, version: 1, at, actorId: caller.actor.id, type: "STATUS_CHANGED", from: null, to: "QUEUED", reason: null },
  ]);
  await openLog(tx, runId);
  if (input.idempotencyKey !== null) {
    const key = { workspaceId: workspace.id, actorId: caller.actor.id, key: input.idempotencyKey };
    await putIdempotencyKey(tx, key, { requestDigest: requestDigest(input), runId, at });
  }
  tx.announce(`run:${runId}`);
  await admitNext(tx, deps, workspace.id);
  const run = await findRun(tx, runId);
  if (run === null) throw new Error(`The run ${runId} vanished.`);
  return { run, created: true };
}
