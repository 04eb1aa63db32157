import { createHash } from "node:crypto";
import { BULK_COMMANDS, type BulkAction, type BulkOperation } from "../../model/bulk/bulk.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { scopeOf, type ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { type BulkRequest, findBulkByKey, insertBulkOperation } from "../../persistence/bulk/bulk-store.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { selectRunsForBulk } from "../../persistence/run/run-list-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recorded, requireSomewhere } from "../access/command.ts";
import { InputCheck, isStorable } from "../kit/input.ts";
import { selectionAt } from "../rules/run-selection.ts";
import type { BulkRunActionInput } from "./bulk-domain.ts";

/**
 * Starts one action on all runs that match now; later matches are not included. APPROVE approves exactly the current
 * plans.
 */
export function bulkRunAction(deps: Deps, caller: ActorCaller, input: BulkRunActionInput): Promise<BulkOperation> {
  return recorded(deps, caller, { name: "bulkRunAction", subjectId: null }, async () => {
    requireSomewhere(caller, { permission: "RUN_READ", words: "reading runs" });
    requireOneSomewhere(caller, input.action);
    checkInput(input);
    const content = JSON.stringify([input.action, input.gate, input.comment, input.filter]);
    const digest = createHash("sha256").update(content).digest("hex");
    const request = { key: input.idempotencyKey, digest };
    const create = () => deps.database.transaction((tx) => createOnce(tx, deps, caller, input, request));
    // The second of two concurrent requests with one key finds the operation of the first.
    return create().catch((error: unknown) => {
      if (violates(error, "bulk_operation_key")) return create();
      throw error;
    });
  });
}

/** Each run asks for the permission of its kind or gate again. */
function requireOneSomewhere(caller: ActorCaller, action: BulkAction): void {
  const { permissions, words } = BULK_COMMANDS[action];
  const held = permissions.find((permission) => scopeOf(caller, permission).type !== "nothing");
  requireSomewhere(caller, { permission: held ?? permissions[0], words });
}

function checkInput({ filter, action, gate, comment, idempotencyKey: key }: BulkRunActionInput): void {
  const check = new InputCheck();
  const { dialect, ...fields } = filter;
  const restricts = Object.keys(fields).length > 0 || Object.keys(dialect ?? {}).length > 0;
  check.require(restricts, "filter", "must select runs: give at least one of its fields.");
  const { workspaceId = "", organizationId = "", metadata = [], labels = [] } = filter;
  const text = [
    workspaceId,
    organizationId,
    ...labels,
    ...metadata.flatMap(({ key: name, value }) => [name, value]),
  ].join("");
  check.require(isStorable(text) && text.isWellFormed(), "filter", "must not contain the character U+0000.");
  if (action === "APPROVE") check.require(gate !== null, "gate", "is required with the action APPROVE.");
  else check.require(gate === null, "gate", "is allowed with the action APPROVE only.");
  check.text("comment", comment);
  check.require(action !== "RETRY" || comment === null, "comment", "is not allowed with the action RETRY.");
  if (key !== null) {
    const fits = key.length > 0 && key.length <= LIMITS.keyLength && isStorable(key);
    check.require(fits, "idempotencyKey", `must have from 1 to ${LIMITS.keyLength} characters.`);
  }
  check.done();
}

async function createOnce(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  input: BulkRunActionInput,
  request: BulkRequest,
): Promise<BulkOperation> {
  const now = deps.clock();
  if (request.key !== null) {
    const since = new Date(now.getTime() - LIMITS.idempotencyKeyMs).toISOString();
    const earlier = await findBulkByKey(tx, { actorId: caller.actor.id, key: request.key }, since);
    if (earlier !== null && earlier.digest === request.digest) return earlier.operation;
    if (earlier !== null) throw invalidField("idempotencyKey", "was used for another request: choose another one.");
  }
  const selection = await selectionAt(tx, input.filter, now);
  const runs = await selectRunsForBulk(tx, scopeOf(caller, "RUN_READ"), selection, LIMITS.bulkRuns + 1);
  if (runs.length > LIMITS.bulkRuns) {
    throw invalidField("filter", `matches more than ${LIMITS.bulkRuns} runs: narrow it.`);
  }
  const at = now.toISOString();
  const operation: BulkOperation = {
    id: deps.newId("bulkOperation"),
    action: input.action,
    gate: input.gate,
    comment: input.comment,
    state: runs.length === 0 ? "FINISHED" : "RUNNING",
    totalCount: runs.length,
    doneCount: 0,
    succeededCount: 0,
    createdById: caller.actor.id,
    credentialId: caller.credentialId,
    createdAt: at,
    finishedAt: runs.length === 0 ? at : null,
  };
  await insertBulkOperation(tx, operation, request, runs);
  tx.announce("bulk");
  return operation;
}
