import type { FoundCheckBlocks } from "../../model/plan/check-block.ts";
import type { Run } from "../../model/run/run.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertCheckReport } from "../../persistence/plan/check-report-store.ts";

/** Stores the check blocks of the newest plan of a run, or of the state after its apply. Without any nothing is stored. */
export async function keepChecks(
  tx: Transaction,
  { id: runId, workspaceId, planVersion }: Run,
  { afterApply }: { afterApply: boolean },
  checks: FoundCheckBlocks | undefined,
): Promise<void> {
  if (checks !== undefined) await insertCheckReport(tx, { runId, workspaceId, planVersion, afterApply }, checks);
}
