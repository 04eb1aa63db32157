import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeBackend } from "../engine/engine-files.ts";
import { ProtocolRefusal } from "../server/server-request.ts";
import { EngineSession } from "../session/engine-session.ts";
import { failureReport, LegFailure, type ReportContext } from "../session/failure-report.ts";
import type { JobContext } from "./job-context.ts";
import { performAndReport } from "./task-leg.ts";
import { initialise, requireEngine } from "./work-preparation.ts";

const STATE_FILE = "rollback.tfstate";

/**
 * Restores an older state: the engine itself stores it, under its lock. The configuration is not used, because it may be
 * broken by now: the folder holds only the backend.
 */
export async function runRollbackLeg(context: JobContext): Promise<void> {
  const { client, control, job, log, runner } = context;
  const engine = requireEngine(context);
  await log.write(`Runner ${runner.name}, ${engine.name} ${engine.version}`);
  await fetchState(context);
  await log.flush();
  if (!(await client.report({ type: "prepared" }))) return;

  log.phase = "INIT";
  const session = new EngineSession(context, engine);
  await initialise(context, session);
  await log.write(job.command ?? "");
  await log.flush();
  control.beginApply();
  if (!(await client.report({ type: "initialized" }))) return;
  await performAndReport(context, session, `${engine.name} state push ${STATE_FILE}`);
}

async function fetchState({
  client,
  control,
  folder,
  ...context
}: Pick<JobContext, "client" | "control" | "folder"> & ReportContext): Promise<void> {
  try {
    await client.download("rollback-state", folder.transferFile);
  } catch (error) {
    if (!(error instanceof ProtocolRefusal) || control.isLost) throw error;
    const summary = `The state could not be fetched: ${error.message}`;
    throw new LegFailure(failureReport(context, { code: "TASK_FAILED", stage: "SETUP", summary, text: summary }));
  }
  await folder.writeForEngine(join(folder.engineFolder, STATE_FILE), (await readFile(folder.transferFile)).toString());
  await writeBackend(folder);
}
