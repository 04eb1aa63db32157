import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { Report } from "../server/job-client.ts";
import type { EngineSession } from "../session/engine-session.ts";
import type { JobContext } from "./job-context.ts";

/**
 * Reports the end of a phase with the rest of its log. The engine of the next phase starts meanwhile, because its start
 * takes longer. Until the server confirms, it gets no state and no lock, and its output is held back. So an apply that the
 * server refuses has done nothing. Jobs with hooks wait for the confirmation, because hooks have effects at once.
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
