import { describeHolders } from "../../model/workspace/unlock-order.ts";
import type { JobContext } from "./job-context.ts";

/**
 * Runs of kind UNLOCK: says who holds the workspace, and has the server break that. Neither source nor engine is needed,
 * because both may be gone by now.
 */
export async function runUnlockLeg({
  client,
  control,
  job,
  log,
  runner,
}: Pick<JobContext, "client" | "control" | "job" | "log" | "runner">): Promise<void> {
  await log.write(`Runner ${runner.name}`);
  control.throwIfStopped();
  if (!(await client.report({ type: "prepared" }))) return;
  // From here on the run is not handed back: what is left of it takes no time.
  control.beginApply();
  if (!(await client.report({ type: "initialized" }))) return;

  log.phase = "PERFORM";
  const holders = job.unlock === null ? [] : describeHolders(job.unlock);
  for (const line of holders) await log.write(line);
  await log.write(holders.length === 0 ? "Nobody holds anything: there is nothing to break." : "Breaking it.");
  await log.flush();
  control.engineEnded();
  await client.report({ type: "performed" });
}
