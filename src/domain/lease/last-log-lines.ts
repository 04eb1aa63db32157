import type { Transaction } from "../../persistence/database/database.ts";
import { readLogAfter } from "../../persistence/log/log-page-store.ts";
import { lastLogLine } from "../../persistence/log/log-store.ts";

const EVIDENCE_LINES = 6;
const EVIDENCE_BYTES = 64 * 1024;

/** Returns the last lines of a run's log: the evidence of a failure whose runner reported none. */
export async function lastLogLines(tx: Transaction, runId: string): Promise<string[]> {
  const last = await lastLogLine(tx, runId);
  const tail = await readLogAfter(tx, runId, Math.max(0, last - EVIDENCE_LINES), EVIDENCE_BYTES);
  return tail.map((line) => line.text);
}
