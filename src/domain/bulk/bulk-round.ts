/** Executes bulk operations: one run at a time, each by its ordinary command. */
import type { BulkItem, BulkOperation } from "../../model/bulk/bulk.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller, CredentialKind } from "../../model/people/permission.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { findNextBulkItem, listRunningBulk, markBulkItem, takeBulkItem } from "../../persistence/bulk/bulk-store.ts";
import { RightsChanged } from "../../persistence/database/database.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import type { Deps } from "../kit/deps.ts";
import { findCurrentCaller } from "../sign-in/current-caller.ts";
import { underRightsOf } from "../sign-in/rights-in-use.ts";
import { approveRun } from "../run/approve-run.ts";
import { cancelRun } from "../run/cancel-run.ts";
import { discardRun } from "../run/discard-run.ts";
import { retryRun } from "../run/retry-run.ts";

/** Executes pending items, one of each operation in turn, until this server has nothing left to do. */
export async function bulkRound(deps: Deps, signal: AbortSignal): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    more = false;
    for (const operation of await listRunningBulk(deps.database, LIMITS.bulkAtOnce)) {
      if (signal.aborted) return;
      if (await doNext(deps, operation)) more = true;
    }
  }
}

/** Another server took the item, or the operation was stopped; the transaction is rolled back. */
class ItemTaken extends Error {}

/** Executes the next item; returns whether there was one. */
async function doNext(deps: Deps, operation: BulkOperation): Promise<boolean> {
  const item = await findNextBulkItem(deps.database, operation.id);
  if (item === null) return false;
  try {
    const { credentialId } = operation;
    const credential = credentialKind(credentialId);
    const caller = await findCurrentCaller(deps, { credential, credentialId });
    if (caller === null)
      throw new UserError(
        "FORBIDDEN",
        "The token or session that started this operation has ended. Start the operation with another one.",
      );
    await perform(markingDone(underRightsOf(deps, caller), operation, item), caller, operation, item);
    return true;
  } catch (error) {
    if (error instanceof ItemTaken) return false;
    // The item is still pending; the next turn has the new rights.
    if (error instanceof RightsChanged) return true;
    // The outcome is known only once the database is back.
    if (isConnectionLost(error)) throw error;
    if (!(error instanceof UserError)) deps.reportError(error, `the bulk operation ${operation.id}`);
    return markRefused(deps, item, error);
  }
}

function credentialKind(id: string): CredentialKind {
  const kind = idKind(id);
  if (kind === "job") return "RUN";
  return kind === "session" ? "SESSION" : "TOKEN";
}

function perform(deps: Deps, caller: ActorCaller, operation: BulkOperation, item: BulkItem): Promise<unknown> {
  const { action, gate, comment } = operation;
  const { runId, planVersion } = item;
  switch (action) {
    case "CANCEL":
      return cancelRun(deps, caller, { runId, force: false, comment });
    case "DISCARD":
      return discardRun(deps, caller, { runId, planVersion: null, comment });
    case "APPROVE":
      if (gate === null) throw new Error(`${operation.id} approves no gate.`);
      return approveRun(deps, caller, { runId, gate, planVersion, comment });
    case "RETRY":
      return retryRun(deps, caller, { runId });
  }
}

/** Returns dependencies whose transactions also mark the item as done, so that both commit together. */
function markingDone(deps: Deps, { action }: BulkOperation, item: BulkItem): Deps {
  const { database } = deps;
  let committed = false;
  return {
    ...deps,
    database: {
      ...database,
      async transaction(work, rights) {
        if (committed) return database.transaction(work, rights);
        const result = await database.transaction(async (tx) => {
          if (!(await takeBulkItem(tx, item))) throw new ItemTaken();
          const value = await work(tx);
          const newRunId = action === "RETRY" ? runIdOf(value) : null;
          const at = deps.clock().toISOString();
          await markBulkItem(tx, item, { ok: true, code: null, message: null, newRunId, at });
          return value;
        }, rights);
        committed = true;
        return result;
      },
    },
  };
}

function runIdOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("id" in value) || typeof value.id !== "string") return null;
  return idKind(value.id) === "run" ? value.id : null;
}

/** Marks an item as refused, after the transaction of its command was rolled back. An earlier mark stays. */
function markRefused(deps: Deps, item: BulkItem, error: unknown): Promise<boolean> {
  const refusal = error instanceof UserError ? error : null;
  const code = refusal?.code ?? null;
  const message = (refusal?.message ?? "The command failed unexpectedly. Read the log of the server.").slice(
    0,
    LIMITS.textLength,
  );
  return deps.database.transaction(async (tx) => {
    if (!(await takeBulkItem(tx, item))) return false;
    await markBulkItem(tx, item, { ok: false, code, message, newRunId: null, at: deps.clock().toISOString() });
    return true;
  });
}
