/** The same request again gives the run that it gave first. */
import { createHash } from "node:crypto";
import { LIMITS } from "../../model/kit/limits.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findIdempotencyKey, putIdempotencyKey } from "../../persistence/run/idempotency-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import type { Deps } from "../kit/deps.ts";

export type CreatedRun = { run: Run; created: boolean };

/** A request that makes a run. */
export interface RunRequest {
  workspaceId: string;
  /** null: the caller asked for no such thing. */
  key: string | null;
  /** What makes two requests the same, as JSON can write it. */
  content: unknown;
}

function digestOf({ content }: RunRequest): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** The run that the request made before; null where it is new. Throws IDEMPOTENCY_CONFLICT where the key is another's. */
export async function findEarlierRun(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  caller: TokenCaller,
  request: RunRequest,
): Promise<CreatedRun | null> {
  if (request.key === null) return null;
  const key = { workspaceId: request.workspaceId, actorId: caller.actor.id, key: request.key };
  const since = new Date(deps.clock().getTime() - LIMITS.idempotencyKeyMs).toISOString();
  const use = await findIdempotencyKey(tx, key, since);
  if (use === null) return null;
  if (use.requestDigest !== digestOf(request)) {
    throw new UserError("IDEMPOTENCY_CONFLICT", "The idempotency key was used for another request.", {
      runId: use.runId,
    });
  }
  const run = await findRun(tx, use.runId);
  if (run === null) throw new Error(`The run ${use.runId} of an idempotency key does not exist.`);
  return { run, created: false };
}

/** Notes that the request made this run. */
export async function noteRequest(
  tx: Transaction,
  caller: TokenCaller,
  request: RunRequest,
  run: Run,
): Promise<CreatedRun> {
  if (request.key !== null) {
    const key = { workspaceId: request.workspaceId, actorId: caller.actor.id, key: request.key };
    await putIdempotencyKey(tx, key, { requestDigest: digestOf(request), runId: run.id, at: run.createdAt });
  }
  return { run, created: true };
}
