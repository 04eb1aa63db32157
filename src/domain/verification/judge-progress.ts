/** Judges the progress of a verification with the facts of the database that it depends on. */
import { failureLevel, isOpen } from "../../model/check/external-check.ts";
import type { Run } from "../../model/run/run.ts";
import {
  type CheckAnswer,
  judgeVerification,
  type VerificationInput,
  type VerificationVerdict,
} from "../../model/verification/judge-verification.ts";
import type { ProbeProgress } from "../../model/verification/verification.ts";
import { listDecidingResults } from "../../persistence/check/check-result-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findMissingProber } from "../probe/missing-prober.ts";

export async function judgeProgress(
  reader: Reader,
  { run, ...input }: Omit<VerificationInput, "checks" | "missingProber"> & { run: Run },
): Promise<VerificationVerdict> {
  const { probes, at, endsAt } = input;
  const checks = await readCheckAnswers(reader, run);
  const asks = at >= endsAt && probes.some(({ from }) => from === "RUNNERS");
  return judgeVerification({
    ...input,
    checks,
    missingProber: asks ? await findMissingProber(reader, run.workspaceId, at) : null,
  });
}

/** Reads the external checks after the apply of a run. */
export async function readCheckAnswers(reader: Reader, run: Run): Promise<CheckAnswer[]> {
  const results = await listDecidingResults(reader, run, ["POST_APPLY"]);
  return results.map((result) => ({
    name: result.checkName,
    open: isOpen(result),
    level: result.level,
    failure: failureLevel(result),
    message: result.message,
  }));
}

/** Whether other probes pass than before: listeners are notified of changes of that. */
export function isStandingChanged(before: readonly ProbeProgress[], after: readonly ProbeProgress[]): boolean {
  return standingsOf(before) !== standingsOf(after);
}

function standingsOf(probes: readonly ProbeProgress[]): string {
  return JSON.stringify(probes.map(({ name, target, passesInARow }) => [name, target, passesInARow > 0]));
}
