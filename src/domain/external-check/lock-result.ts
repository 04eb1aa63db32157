import { type ExternalCheck, type ExternalCheckResult, isOpen } from "../../model/check/external-check.ts";
import type { Run } from "../../model/run/run.ts";
import { findRunOfResult, lockResult, updateResult } from "../../persistence/check/check-result-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { ended } from "./change-result.ts";

export interface LockedResult {
  run: Run;
  result: ExternalCheckResult;
}

/** A locked result for which a request is due. */
export interface DueRequest extends LockedResult {
  check: ExternalCheck;
}

/** Locks the run of a result, then the result. A result whose workspace was deleted ends without its run. */
export async function lockRunAndResult(tx: Transaction, deps: Deps, resultId: string): Promise<LockedResult | null> {
  const runId = await findRunOfResult(tx, resultId);
  if (runId === null) return null;
  const locked = await lockForChange(tx, deps, runId);
  const result = await lockResult(tx, resultId);
  if (result === null) return null;
  if (locked !== null) return { run: locked.run, result };
  if (isOpen(result)) {
    const at = deps.clock().toISOString();
    await updateResult(tx, ended(result, "CANCELED", { at, message: "The workspace was deleted." }));
  }
  return null;
}
