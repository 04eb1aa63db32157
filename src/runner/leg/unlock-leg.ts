import { describeHolders } from "../../model/workspace/unlock-order.ts";
import type { JobContext } from "./job-context.ts";

/**
 * Runs the leg of an UNLOCK: logs the holders of the workspace, and the server releases it. It needs neither source nor
 * engine, because both may be missing by now.
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
  // From here on the run is not handed back: the rest takes no time.
  control.beginApply();
  if (!(await client.report({ type: "initialized" }))) return;

  log.phase = "PERFORM";
  const holders = job.unlock === null ? [] : describeHolders(job.unlock);
  for (const line of holders) await log.write(line);
  await log.write(holders.length === 0 ? "Nothing is locked: there is nothing to release." : "Releasing it.");
  await log.flush();
  control.engineEnded();
  await client.report({ type: "performed" });
}
