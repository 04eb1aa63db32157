import type { Finding } from "../../model/policy/verdict.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { setExceptions } from "../../persistence/policy/result-store.ts";
import type { Relief } from "./relief.ts";

/** Notes on the results of policies which exceptions cover them now. `findings`: as they were found. */
export async function noteReliefs(
  tx: Transaction,
  findings: readonly Finding[],
  reliefs: ReadonlyMap<string, Relief>,
): Promise<void> {
  const changed = findings.flatMap((finding) => {
    const { id, source, status, wasWaived } = finding;
    const exceptionId = reliefs.get(id)?.exceptionId ?? null;
    if (source !== "POLICY" || (exceptionId === null && !wasWaived)) return [];
    const stored = exceptionId === null ? (status === "ERROR" ? "ERROR" : "FAILED") : "WAIVED";
    return [{ id, exceptionId, status: stored } as const];
  });
  await setExceptions(tx, changed);
}
