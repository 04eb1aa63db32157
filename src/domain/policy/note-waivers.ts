import type { Finding } from "../../model/policy/verdict.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { setExceptions } from "../../persistence/policy/result-store.ts";

/** Notes on the results of policies which exceptions cover them now. `findings`: as they were found. */
export async function noteWaivers(
  tx: Transaction,
  findings: readonly Finding[],
  waivers: ReadonlyMap<string, string>,
): Promise<void> {
  const changed = findings.flatMap((finding) => {
    const { id, source, status, wasWaived } = finding;
    const exceptionId = waivers.get(id) ?? null;
    if (source !== "POLICY" || (exceptionId === null && !wasWaived)) return [];
    const stored = exceptionId === null ? (status === "ERROR" ? "ERROR" : "FAILED") : "WAIVED";
    return [{ id, exceptionId, status: stored } as const];
  });
  await setExceptions(tx, changed);
}
