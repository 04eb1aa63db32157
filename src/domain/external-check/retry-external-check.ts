import { type ExternalCheckResult, isAtStage } from "../../model/check/external-check.ts";
import { idKind } from "../../model/kit/id.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Placed } from "../../model/people/place.ts";
import type { Run } from "../../model/run/run.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import { findResults, lockResult } from "../../persistence/check/check-result-store.ts";
import { findChecks } from "../../persistence/check/check-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { command, type Sees } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { changeResult } from "./change-result.ts";

interface Subject {
  run: Run;
  result: ExternalCheckResult;
}

/**
 * Asks a check again about a run that is still at its stage. The result begins again, with another token; the former one
 * ends.
 */
export function retryExternalCheck(
  deps: Deps,
  caller: ActorCaller,
  { resultId }: { resultId: string },
): Promise<ExternalCheckResult> {
  const spec = {
    name: "retryExternalCheck",
    subjectId: resultId,
    noun: "result of an external check",
    find: (tx: Transaction, sees: Sees) => lockSubject(tx, deps, resultId, sees),
    placeOf: ({ run }: Subject) => run,
    sight: "RUN_READ",
    permission: ({ run }: Subject) => permissionToRun(run.kind),
    words: "asking external checks again",
  } as const;
  return command(deps, caller, spec, async (tx, { run, result }) => {
    const conflict = (reason: string): UserError => new UserError("RUN_STATE_CONFLICT", reason, { runId: run.id });
    const [check = null] = await findChecks(tx, [result.checkId]);
    if (check === null || !check.enabled) throw conflict("The external check was deleted, or is disabled.");
    if (result.status === "PASSED") throw conflict("The external check has passed.");
    if (!isAtStage(run, result)) {
      throw conflict(`The run is ${run.status}: the stage ${result.stage} of this result is over.`);
    }
    const at = deps.clock().toISOString();
    const reset: ExternalCheckResult = {
      ...result,
      status: "PENDING",
      message: null,
      url: null,
      round: result.round + 1,
      attempts: 0,
      attemptError: null,
      beganAt: at,
      acceptedAt: null,
      progressedAt: null,
      finishedAt: null,
      dueAt: at,
    };
    await changeResult(tx, deps, run, { result: reset, outcomes: [], actorId: caller.actor.id });
    return reset;
  });
}

async function lockSubject(tx: Transaction, deps: Deps, resultId: string, sees: Sees): Promise<Subject | null> {
  const found: (Placed<ExternalCheckResult> | null)[] =
    idKind(resultId) === "externalCheckResult" ? await findResults(tx, [resultId]) : [];
  const [placed = null] = found;
  if (placed === null || !sees(placed)) return null;
  const locked = await lockForChange(tx, deps, placed.runId);
  const result = locked === null ? null : await lockResult(tx, resultId);
  return locked === null || result === null ? null : { run: locked.run, result };
}
