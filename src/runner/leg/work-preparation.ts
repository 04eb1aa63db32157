/** Prepares a folder for the engine: source, backend, variables, init. */
import type { JobVariable } from "../../ingestion/wire.ts";
import { ArchiveRefused, unpack } from "../archive/archive-reader.ts";
import type { FoundEngine } from "../engine/engine-discovery.ts";
import { ignoredVariables } from "../engine/engine-environment.ts";
import { removeLocalState, writeBackendOverride, writeVariables } from "../engine/engine-files.ts";
import { EngineNotStarted } from "../engine/engine-process.ts";
import type { JobFolder } from "../job/job-folder.ts";
import { ProtocolRefusal } from "../server/server-request.ts";
import type { EngineSession } from "../session/engine-session.ts";
import { failureReport, describeExit, LegFailure, type ReportContext } from "../session/failure-report.ts";
import { hasHooks, type HookContext, runHooks } from "./hooks.ts";
import type { JobContext } from "./job-context.ts";

/** Gives the engine of the runner; throws a failure if it has none. */
export function requireEngine({ runner, ...context }: Pick<JobContext, "runner"> & ReportContext): FoundEngine {
  if (runner.engine !== null) return runner.engine;
  throw new LegFailure(
    failureReport(context, {
      code: "ENGINE_MISSING",
      stage: "SETUP",
      summary: `Runner ${runner.name} has neither terraform nor tofu.`,
      likelyCause: "Install terraform or tofu on PATH, or name one with HOLDPOINT_ENGINE, and restart the runner.",
    }),
  );
}

/** Unpacks the source of the run into the work folder. */
export async function fetchSource(
  context: Pick<JobContext, "client" | "folder" | "job" | "limits" | "control" | "log" | "masker">,
): Promise<void> {
  const { client, folder, job, limits, control, log } = context;
  try {
    const digest = await client.download("source", folder.transferFile);
    if (digest !== job.source?.digest) throw new ArchiveRefused("its digest is not that of the run's source");
    const { files } = await unpack({
      file: folder.transferFile,
      into: folder.work,
      uid: folder.engineUid,
      limits,
      signal: control.stop,
    });
    if (!(await folder.hasEngineFolder())) throw new ArchiveRefused(`it does not have the folder ${folder.workFolder}`);
    const below = folder.workFolder === "." ? "" : `, working in ${folder.workFolder}`;
    await log.write(`Source ${digest.slice(0, 12)}: ${files} ${files === 1 ? "file" : "files"}${below}`);
  } catch (error) {
    if (!(error instanceof ArchiveRefused || error instanceof ProtocolRefusal) || control.isLost) throw error;
    const text = `The source could not be fetched or unpacked: ${error.message}`;
    throw new LegFailure(failureReport(context, { code: "SOURCE_FETCH_FAILED", stage: "CLONE", summary: text, text }));
  }
}

/** Points the engine at the state that Holdpoint keeps, and writes its variables. */
export async function prepareWork({ folder, job, log }: Pick<JobContext, "folder" | "job" | "log">): Promise<void> {
  const removed = await removeLocalState(folder);
  if (removed.length > 0) {
    await log.write(`Removed from the source: ${removed.join(", ")}. Holdpoint keeps the state of this workspace.`);
  }
  const unusable = await writeOwnFiles(folder, job.variables);
  const ignored = [...unusable, ...ignoredVariables(job)];
  if (ignored.length > 0)
    await log.write(`Ignored variables (unusable name, or reserved for the runner): ${ignored.join(", ")}`);
}

/** Writes backend and variables, which override other files. Gives the names that cannot be variables. */
async function writeOwnFiles(folder: JobFolder, variables: readonly JobVariable[]): Promise<string[]> {
  await writeBackendOverride(folder);
  return writeVariables(folder, variables);
}

/** Runs the hooks before an init, then writes backend and variables again, which the hooks may have changed. */
export async function runHooksBeforeInit(
  context: HookContext & Pick<JobContext, "folder">,
  session: EngineSession,
): Promise<void> {
  if (!hasHooks(context, "BEFORE_INIT")) return;
  await runHooks(context, session, "BEFORE_INIT", null);
  await writeOwnFiles(context.folder, context.job.variables);
}

/** Runs the init, with the hooks before and after it. */
export async function initialiseWithHooks(
  context: HookContext & Pick<JobContext, "folder">,
  session: EngineSession,
): Promise<void> {
  await runHooksBeforeInit(context, session);
  await initialise(context, session);
  await runHooks(context, session, "AFTER_INIT", null);
}

export async function initialise(
  context: Pick<JobContext, "control"> & ReportContext,
  session: EngineSession,
): Promise<void> {
  const result = await session.init().catch((error: unknown) => failNotStarted(context, error));
  context.control.throwIfStopped();
  if (result.code === 0) return;
  throw new LegFailure(
    failureReport(context, {
      code: "INIT_FAILED",
      stage: "INIT",
      summary: `The engine could not initialise (${describeExit(result)}).`,
      text: result.text,
    }),
  );
}

/** Throws a failure of the leg for an engine that could not be started; other errors unchanged. */
export function failNotStarted(context: ReportContext, error: unknown): never {
  if (!(error instanceof EngineNotStarted)) throw error;
  const likelyCause = "The engine's user needs access to the engine's file, to the work folder, and to their parents.";
  throw new LegFailure(
    failureReport(context, {
      code: "ENGINE_MISSING",
      stage: "SETUP",
      summary: error.message,
      text: error.message,
      likelyCause,
    }),
  );
}
