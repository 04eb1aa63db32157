import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { Report } from "../server/job-client.ts";
import type { EngineSession } from "../session/engine-session.ts";
import type { JobContext } from "./job-context.ts";

/**
 * Tells the server that the phase so far is over, and the last of what that one has said. The engine of the next one
 * starts meanwhile (measured: its start takes longer), but the server hears nothing of it before, and it neither gets nor
 * locks a state, which is what it begins with: an apply that the server does not want any more has done nothing. Hooks
 * have their lines at once: they begin when the server knows.
 */
export async function enterPhase(
  phase: ExecutedPhase,
  { job, client, control, log }: Pick<JobContext, "job" | "client" | "control" | "log">,
  session: EngineSession,
  report: Report,
): Promise<void> {
  const confirmed = Promise.all([log.flush(), client.report(report)]).then(([, isWanted]) => {
    if (!isWanted) control.lose();
  });
  session.waitFor(confirmed);
  log.phase = phase;
  if (job.hooks.length > 0) await confirmed;
}
