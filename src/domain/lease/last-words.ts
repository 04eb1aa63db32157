/** What is told about a run whose runner could not tell it. */
import type { FailureStage } from "../../model/lifecycle/failure.ts";
import type { RunStatus } from "../../model/lifecycle/run-status.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { readLogAfter } from "../../persistence/log/log-page-store.ts";
import { lastLogLine } from "../../persistence/log/log-store.ts";

const EVIDENCE_LINES = 6;
const EVIDENCE_BYTES = 64 * 1024;

const STAGES: Partial<Record<RunStatus, FailureStage>> = {
  PREPARING: "SETUP",
  INITIALIZING: "INIT",
  PLANNING: "PLAN",
  APPLYING: "APPLY",
  PERFORMING: "DEPLOY",
};

/** Where a run failed that was in this status. */
export function stageOf(status: RunStatus): FailureStage {
  return STAGES[status] ?? "UNKNOWN";
}

/** The last lines of its log. */
export async function lastWords(tx: Transaction, runId: string): Promise<string[]> {
  const last = await lastLogLine(tx, runId);
  const tail = await readLogAfter(tx, runId, Math.max(0, last - EVIDENCE_LINES), EVIDENCE_BYTES);
  return tail.map((line) => line.text);
}
