/** Judges the progress of a verification with the facts of the database that it depends on. */
import { failureLevel, isOpen } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Run } from "../../model/run/run.ts";
import {
  type CheckAnswer,
  judgeVerification,
  type VerificationInput,
  type VerificationVerdict,
} from "../../model/verification/judge-verification.ts";
import { missingProberText } from "../../model/verification/sampling.ts";
import type { ProbeProgress } from "../../model/verification/verification.ts";
import { listDecidingResults } from "../../persistence/check/check-result-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findSamplingRunners } from "../../persistence/verification/sampling-store.ts";

export async function judgeProgress(
  reader: Reader,
  { run, ...input }: Omit<VerificationInput, "checks" | "missingProber"> & { run: Run },
): Promise<VerificationVerdict> {
  const { probes, at, endsAt } = input;
  const checks = await readCheckAnswers(reader, run);
  const asks = at >= endsAt && probes.some(({ from }) => from === "RUNNERS");
  return judgeVerification({ ...input, checks, missingProber: asks ? await findMissingProber(reader, run, at) : null });
}

/** Returns why no runner sends the probes of a workspace; `null` if one has lately asked for them. */
async function findMissingProber(
  reader: Reader,
  { workspaceId }: Pick<Run, "workspaceId">,
  at: string,
): Promise<string | null> {
  const since = new Date(Date.parse(at) - LIMITS.runnerOfflineMs).toISOString();
  return missingProberText(await findSamplingRunners(reader, workspaceId, since));
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
