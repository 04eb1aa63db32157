/** Why a verification failed, as its probes show it. Pure. */
import type { FailureReason } from "../lifecycle/failure-reason.ts";
import type { ProbeProgress, Verification } from "./verification.ts";

type Judged = Pick<Verification, "probes" | "settings" | "status" | "concludedById">;

/**
 * STARTUP: a required target was never up after the apply, and may have been before. CONDITION: a check block of the configuration
 * fails. `null`: something else, such as a person, or a target that came up and went away.
 */
export function reasonOfProbes({ probes, settings, status, concludedById }: Judged): FailureReason | null {
  if (status !== "FAILED" || concludedById !== null) return null;
  const failing = probes.filter(({ weight, failuresInARow }) => weight === "REQUIRED" && failuresInARow > 0);
  if (failing.some(isOfCheckBlocks)) return "CONDITION";
  const enough = Math.min(settings.successesInARow, settings.failFastAfter ?? settings.successesInARow);
  const wasNeverUp = ({ samples, failuresInARow, baseline }: ProbeProgress): boolean =>
    samples === failuresInARow && samples >= enough && baseline !== false;
  return failing.some(wasNeverUp) ? "STARTUP" : null;
}

/** Their results cannot change until the next apply. */
const isOfCheckBlocks = ({ final = false }: ProbeProgress): boolean => final;
