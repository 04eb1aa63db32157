import { createHash } from "node:crypto";
import type { PlanContent } from "../model/plan.ts";
import { ignoredVariables } from "./engine-environment.ts";
import { removeLocalState, writeBackendOverride, writeVariables } from "./engine-files.ts";
import { EngineNotStarted } from "./engine-process.ts";
import { type EngineResult, EngineSession } from "./engine-session.ts";
import type { JobContext } from "./job-context.ts";
import { failureReport, LegFailure } from "./leg-failure.ts";
import { readableLines } from "./log-text.ts";
import { describePlan } from "./plan-content.ts";
import { sensitiveTexts } from "./plan-secrets.ts";
import type { FoundEngine } from "./runner-options.ts";
import { ProtocolRefusal } from "./server-request.ts";
import { ArchiveRefused, unpack } from "./unpack.ts";
import { packHandover } from "./handover.ts";

const EXIT_CHANGES = 2;

/** The legs PLAN and REPLAN: from the source to a saved plan that another runner can apply. */
export async function runPlanLeg(context: JobContext): Promise<void> {
  const { client, control, log, options } = context;
  const engine = requireEngine(context);
  await log.write(`Runner ${options.name}, ${engine.name} ${engine.version}`);
  await fetchSource(context);
  await prepareWork(context);
  await log.flush();
  if (!(await client.report({ type: "prepared" }))) return;

  log.phase = "INIT";
  const session = new EngineSession(context, engine);
  await initialise(context, session);
  await log.flush();
  if (!(await client.report({ type: "initialized" }))) return;

  log.phase = "PLAN";
  const plan = await makePlan(context, session, engine);
  control.throwIfStopped();
  await handOver(context);
  await log.flush();
  await client.report({ type: "planned", plan });
}

function requireEngine({ options, ...context }: JobContext): FoundEngine {
  if (options.engine !== null) return options.engine;
  throw new LegFailure(
    failureReport(context, {
      code: "ENGINE_MISSING",
      stage: "SETUP",
      summary: `Runner ${options.name} has neither terraform nor tofu.`,
      likelyCause: "Install terraform or tofu on PATH, or name one with HOLDPOINT_ENGINE, and restart the runner.",
    }),
  );
}

async function fetchSource(context: JobContext): Promise<void> {
  const { client, folder, job, limits, control, options, log } = context;
  try {
    const digest = await client.download("source", folder.transferFile);
    if (digest !== job.source.digest) throw new ArchiveRefused("it is not the one that was asked for");
    const { files } = await unpack({
      file: folder.transferFile,
      into: folder.work,
      uid: options.engineUid,
      limits,
      signal: control.stop,
    });
    await log.write(`Source ${digest.slice(0, 12)}: ${files} ${files === 1 ? "file" : "files"}`);
  } catch (error) {
    if (!(error instanceof ArchiveRefused || error instanceof ProtocolRefusal) || control.over) throw error;
    const text = `The source could not be fetched or unpacked: ${error.message}`;
    throw new LegFailure(failureReport(context, { code: "SOURCE_FETCH_FAILED", stage: "CLONE", summary: text, text }));
  }
}

async function prepareWork({ folder, job, log }: JobContext): Promise<void> {
  const removed = await removeLocalState(folder);
  if (removed.length > 0) {
    await log.write(`Not used: ${removed.join(", ")}. The state of this workspace is kept by Holdpoint.`);
  }
  await writeBackendOverride(folder);
  const unusable = await writeVariables(folder, job.variables);
  const ignored = [...unusable, ...ignoredVariables(job.variables)];
  if (ignored.length > 0)
    await log.write(`Ignored variables (no usable name, or set by the runner): ${ignored.join(", ")}`);
}

async function initialise(context: JobContext, session: EngineSession): Promise<void> {
  const result = await session.init().catch((error: unknown) => neverStarted(context, error));
  context.control.throwIfStopped();
  if (result.code === 0) return;
  throw new LegFailure(
    failureReport(context, {
      code: "INIT_FAILED",
      stage: "INIT",
      summary: `The engine could not initialise (${howItEnded(result)}).`,
      text: result.text,
    }),
  );
}

/** Turns "cannot be started" into a failure of the leg. */
export function neverStarted(context: JobContext, error: unknown): never {
  if (!(error instanceof EngineNotStarted)) throw error;
  const likelyCause =
    "The engine's file, and the folders that it and the work folder lie in, must be accessible to its user.";
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

async function makePlan(context: JobContext, session: EngineSession, engine: FoundEngine): Promise<PlanContent> {
  const { job, folder, masker, control, limits, log } = context;
  const speculative = job.run.kind === "PLAN";
  const args = [
    ...(speculative ? ["-lock=false"] : []),
    ...(job.run.kind === "DESTROY" ? ["-destroy"] : []),
    ...(job.refreshOnly ? ["-refresh-only"] : []),
    ...job.targets.map((address) => `-target=${address}`),
    ...job.replace.map((address) => `-replace=${address}`),
  ];
  const { result, output } = await session.plan(args, speculative ? "READ" : "LOCK");
  control.throwIfStopped();
  if (result.code !== 0 && result.code !== EXIT_CHANGES) {
    throw new LegFailure(
      failureReport(context, {
        code: result.lockRefused ? "STATE_LOCK_HELD" : "PLAN_FAILED",
        stage: result.lockRefused ? "INIT" : "PLAN",
        summary: `The engine could not make a plan (${howItEnded(result)}).`,
        errors: output.errors,
        text: result.stderr,
      }),
    );
  }
  const file = await folder.readFromEngine(folder.planFile);
  if (file === undefined) throw new Error("The engine made no plan file");
  const json = await session.showJson();
  masker.add(sensitiveTexts(json));
  const text = masker.mask(
    readableLines(await session.showText())
      .join("\n")
      .trim(),
  );
  if (text.length > limits.planTextBytes) await log.write("The plan's text is too long and is not shown.");
  return {
    engine: { name: engine.name, version: engine.version },
    digest: createHash("sha256").update(file).digest("hex"),
    hasChanges: result.code === EXIT_CHANGES && json.applyable !== false,
    stateSerial: result.stateSerial,
    text,
    ...describePlan(json, job.targets.length > 0, masker),
  };
}

export function howItEnded({ code, signal }: Pick<EngineResult, "code" | "signal">): string {
  return code === null ? `ended by ${signal ?? "a signal"}` : `exit code ${code}`;
}

async function handOver(context: JobContext): Promise<void> {
  const { client, folder, log } = context;
  const { leftOut } = await packHandover(folder, context.control.stop);
  if (leftOut.length > 0) {
    await log.write(
      `Not handed over to the apply (links out of the folder, or no files): ${leftOut.slice(0, 20).join(", ")}`,
    );
  }
  await client.uploadArchive(folder.transferFile);
}
