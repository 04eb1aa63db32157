import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isSameProcess } from "../../os/process-identity.ts";
import { drainPipes } from "../engine/engine-pipes.ts";
import { signalGroup } from "../engine/engine-process.ts";
import { endProcessesOf, endOrphans, isGroupRunning } from "../engine/orphan-processes.ts";
import type { EngineRecord } from "../job/folder-owner.ts";
import { isAlive, JobFolder } from "../job/job-folder.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";

const POLL_MS = 50;

type GraceLimits = Pick<RunnerLimits, "orphanGraceMs" | "planGraceMs">;

/**
 * Cleans up after a killed runner: interrupts and ends its engines, removes its folders. Folders of a live runner are
 * skipped: it may wait for an apply, or for its server. A folder with an undelivered state is kept for `redeliverStates`.
 */
export async function cleanUpOrphans(
  jobsFolder: string,
  { limits, log }: { limits: GraceLimits; log: RunnerLog },
): Promise<void> {
  const names = await readdir(jobsFolder);
  await Promise.all(
    names.map(async (name) => {
      const folder = await JobFolder.at(join(jobsFolder, name));
      if (isAlive(await folder.owner())) return;
      const engines = await folder.engines();
      await Promise.all(engines.map((engine) => endEngine(engine, folder.path, limits, log)));
      await endOrphans(folder, folder.engineUid);
      await endProcessesOf(folder.engineUid);
      const state = await folder.undeliveredState();
      if (state !== null) log.warn({ state }, "A killed runner left an undelivered state: the runner delivers it");
      else await folder.remove();
    }),
  );
}

async function endEngine(engine: EngineRecord, folder: string, limits: GraceLimits, log: RunnerLog): Promise<void> {
  const graceMs = engine.applying ? limits.orphanGraceMs : limits.planGraceMs;
  if (!isSameProcess(engine)) {
    if (await isGroupRunning(engine.pid, folder)) signalGroup(engine.pid, "SIGKILL");
    return;
  }
  log.warn({ pid: engine.pid }, "An engine outlived its runner: ending it");
  using _reading = drainPipes(folder);
  signalGroup(engine.pid, "SIGINT");
  for (let waited = 0; waited < graceMs && isSameProcess(engine); waited += POLL_MS) await sleep(POLL_MS);
  signalGroup(engine.pid, "SIGKILL");
  while (isSameProcess(engine)) await sleep(POLL_MS);
}
