import { isTerminal, isVerifying } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import { findChecks } from "../../persistence/check/check-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertFor } from "../check/check-judges.ts";
import type { Deps } from "../kit/deps.ts";
import type { WorkspaceContext } from "./machine-input.ts";

/**
 * Orders the external checks of a run that has applied its plan, once. Those that decide hold it in its verification. A
 * workspace without such checks costs no statement.
 */
export async function openAfterApply(
  tx: Transaction,
  deps: Pick<Deps, "newId" | "clock">,
  { judges }: Pick<WorkspaceContext, "judges">,
  { id: runId, kind, status, outcome, planVersion }: Run,
): Promise<void> {
  const isApplied = isTerminal(status) && (outcome === "APPLIED" || outcome === "DESTROYED");
  if (!isApplied && !isVerifying(status)) return;
  const due = judges.filter(({ points, kinds }) => points.includes("POST_APPLY") && (kinds?.includes(kind) ?? true));
  if (due.length === 0) return;
  const checks = await findChecks(
    tx,
    due.map(({ id }) => id),
  );
  const at = { runId, stage: "POST_APPLY", planVersion } as const;
  await insertFor(
    tx,
    deps,
    at,
    checks.filter((check) => check !== null),
  );
}
