/** Makes requests for new runs idempotent: a repeated key returns the first run. */
import { createHash } from "node:crypto";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findIdempotencyKey, putIdempotencyKey } from "../../persistence/run/idempotency-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import type { Deps } from "../kit/deps.ts";

export type CreatedRun = { run: Run; created: boolean };

/** A request that creates a run. */
export interface RunRequest {
  workspaceId: string;
  /** `null` if the caller gave no key. */
  key: string | null;
  /** The content that two requests with one key must share; JSON values only. */
  content: unknown;
}

function digestOf({ content }: RunRequest): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/**
 * Returns the run that the request created before; `null` if it is new. Throws IDEMPOTENCY_CONFLICT if the key belongs
 * to another request.
 */
export async function findEarlierRun(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  caller: ActorCaller,
  request: RunRequest,
): Promise<CreatedRun | null> {
  if (request.key === null) return null;
  const key = { workspaceId: request.workspaceId, actorId: caller.actor.id, key: request.key };
  const since = new Date(deps.clock().getTime() - LIMITS.idempotencyKeyMs).toISOString();
  const use = await findIdempotencyKey(tx, key, since);
  if (use === null) return null;
  if (use.requestDigest !== digestOf(request)) {
    throw new UserError("IDEMPOTENCY_CONFLICT", "The idempotency key was used for another request. Use a new key.", {
      runId: use.runId,
    });
  }
  const run = await findRun(tx, use.runId);
  if (run === null) throw new Error(`The run ${use.runId} of an idempotency key does not exist.`);
  return { run, created: false };
}

/** Records that the request created the run. */
export async function recordRequest(
  tx: Transaction,
  caller: ActorCaller,
  request: RunRequest,
  run: Run,
): Promise<CreatedRun> {
  if (request.key !== null) {
    const key = { workspaceId: request.workspaceId, actorId: caller.actor.id, key: request.key };
    await putIdempotencyKey(tx, key, { requestDigest: digestOf(request), runId: run.id, at: run.createdAt });
  }
  return { run, created: true };
}
