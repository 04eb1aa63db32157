import { access } from "node:fs/promises";
import { join } from "node:path";
import type { FailureReport } from "../../model/lifecycle/failure.ts";
import { ArchiveRefused } from "../archive/archive-reader.ts";
import { describeAddedArguments } from "../engine/engine-arguments.ts";
import type { FoundEngine } from "../engine/engine-discovery.ts";
import { writeVariables } from "../engine/engine-files.ts";
import type { EventOutput } from "../engine/engine-output.ts";
import { JobStopped } from "../job/job-control.ts";
import { shownCheckBlocks } from "../plan/check-blocks.ts";
import { addressesOf } from "../plan/plan-json.ts";
import { sensitiveTexts } from "../plan/plan-secrets.ts";
import { plannedOperations } from "../progress/engine-progress.ts";
import { ProtocolRefusal } from "../server/server-request.ts";
import { type EngineResult, EngineSession } from "../session/engine-session.ts";
import {
  unsuccessfulReport,
  type FailureFacts,
  failureReport,
  describeExit,
  LegFailure,
  type ReportContext,
} from "../session/failure-report.ts";
import { reportedDiagnostics } from "../session/reported-diagnostics.ts";
import { settleState } from "../state/state-settlement.ts";
import { type ApplyFacts, judgeApply } from "./apply-outcome.ts";
import { unpackHandover } from "./handover.ts";
import { hasHooks, requireSamePlan, runHooks, runHooksAfterApply } from "./hooks.ts";
import type { JobContext } from "./job-context.ts";
import { enterPhase } from "./phase-change.ts";
import { restoreCachedPlan } from "./plan-cache.ts";
import { failNotStarted, runHooksBeforeInit } from "./work-preparation.ts";

type ApplyLeg = "APPLY" | "DESTROY";

interface ApplyEnd {
  result: EngineResult;
  output: EventOutput | null;
}

const NOT_RUN: EngineResult = {
  code: null,
  signal: null,
  interrupted: true,
  killed: false,
  stderr: "",
  lockRefused: false,
  stateSerial: 0,
};

/** The legs APPLY and DESTROY: exactly the approved plan, by exactly the engine that made it. */
export async function runApplyLeg(context: JobContext, leg: ApplyLeg): Promise<void> {
  const { control, log, runner } = context;
  // This plan has no gate: the run has been applying since the plan was reported.
  const isStarted = control.applying;
  if (isStarted) log.phase = leg;
  const engine = requireSameEngine(context);
  await log.write(`Runner ${runner.name}, ${engine.name} ${engine.version}`);
  const session = new EngineSession(context, engine);
  const operations = isStarted ? await restoreStarted(context, session, leg) : await restore(context, session, leg);
  if (operations === null) return conclude(context, session, leg, { result: NOT_RUN, output: null });
  if (!isStarted) control.beginApply();
  await enterPhase(leg, context, session, { type: "prepared" });
  const ended = await apply(context, session, operations);
  // Hooks after a good apply belong to the apply: the time for reports begins after them.
  if (ended.result.code !== 0 || !hasHooks(context, `AFTER_${leg}`)) control.engineEnded();
  await conclude(context, session, leg, ended);
}

/** Gives `null` if it was interrupted. Such a job cannot be handed back, so it ends as an apply that did nothing. */
async function restoreStarted(
  context: JobContext,
  session: EngineSession,
  leg: ApplyLeg,
): Promise<Map<string, number> | null> {
  try {
    const operations = await restore(context, session, leg);
    context.control.throwIfStopped();
    return operations;
  } catch (error) {
    if (context.control.reason === null || context.control.isLost) throw error;
    context.control.engineEnded();
    return null;
  }
}

function requireSameEngine({
  job,
  runner,
  ...context
}: Pick<JobContext, "job" | "runner"> & ReportContext): FoundEngine {
  const wanted = job.plan?.engine;
  const { engine } = runner;
  if (engine !== null && engine.name === wanted?.name && engine.version === wanted.version) return engine;
  const has = engine === null ? "no engine" : `${engine.name} ${engine.version}`;
  const summary = `The plan was made by ${wanted?.name} ${wanted?.version}, but runner ${runner.name} has ${has}. Install that engine, or plan again.`;
  throw new LegFailure(failureReport(context, { code: "ENGINE_MISSING", stage: "SETUP", summary }));
}

/**
 * Restores the folder of the plan, adds the plan's sensitive values to the masker, and runs the hooks before the apply.
 * Gives the number of operations of the plan, by address.
 */
async function restore(context: JobContext, session: EngineSession, leg: ApplyLeg): Promise<Map<string, number>> {
  const { client, folder, job, control, limits, log, masker } = context;
  const digest = job.plan?.digest ?? "";
  const operations = await restoreFromCache(context, digest);
  if (operations !== null) return operations;
  try {
    await client.download("archive", folder.transferFile);
    await unpackHandover(folder, digest, { limits, signal: control.stop });
  } catch (error) {
    if (!(error instanceof ArchiveRefused || error instanceof ProtocolRefusal) || control.isLost) throw error;
    throw handoverFailed(context, `The prepared workspace could not be restored: ${error.message}`);
  }
  await log.write(`Plan ${job.plan?.version ?? ""}, digest ${digest.slice(0, 12)}`);
  await writeVariables(folder, job.variables);
  const performsHooks = (["BEFORE_INIT", "AFTER_INIT", `BEFORE_${leg}`] as const).some((stage) =>
    hasHooks(context, stage),
  );
  // An apply that follows its plan at once is APPLYING from its beginning.
  if (performsHooks && !control.applying) await enterPhase("INIT", context, session, { type: "restored" });
  control.throwIfStopped();
  await runHooksBeforeInit(context, session);
  const locked = await access(join(folder.engineFolder, ".terraform.lock.hcl")).then(
    () => true,
    () => false,
  );
  const result = await session
    .init(locked ? ["-lockfile=readonly"] : [])
    .catch((error: unknown) => failNotStarted(context, error));
  control.throwIfStopped();
  if (result.code !== 0)
    throw handoverFailed(context, `The engine could not initialise (${describeExit(result)}).`, result.text);
  const plan = await session.showJson();
  masker.addMarked(sensitiveTexts(plan));
  masker.addAddresses(addressesOf(plan));
  await runHooks(context, session, "AFTER_INIT", folder.planFile);
  await runHooks(context, session, `BEFORE_${leg}`, folder.planFile);
  if (job.hooks.length > 0) await requireSamePlan(context, `BEFORE_${leg}`, digest);
  return plannedOperations(plan);
}

/**
 * Restores the folder from the cache of this runner, which saves two of seven starts of the engine. It was initialised by
 * the same engine and is verified byte for byte. `null` if there is none.
 */
async function restoreFromCache(
  {
    cached,
    folder,
    job,
    limits,
    log,
    masker,
    runnerLog,
  }: Pick<JobContext, "cached" | "folder" | "job" | "limits" | "log" | "masker" | "runnerLog">,
  digest: string,
): Promise<Map<string, number> | null> {
  if (cached === null) return null;
  if (!(await restoreCachedPlan(cached, folder, digest, limits))) {
    runnerLog.warn({}, "The cached folder of the plan has changed and is not used: the archive is fetched");
    return null;
  }
  masker.addMarked(cached.secrets);
  masker.addAddresses(cached.operations.keys());
  await log.write(`Plan ${job.plan?.version ?? ""}, digest ${digest.slice(0, 12)}, from the cached folder`);
  await writeVariables(folder, job.variables);
  return new Map(cached.operations);
}

function handoverFailed(context: ReportContext, summary: string, text = summary): LegFailure {
  return new LegFailure(failureReport(context, { code: "HANDOVER_FAILED", stage: "SETUP", summary, text }));
}

/** Runs the apply. A stop just before the engine starts gives an interrupted apply that did nothing. */
async function apply(
  context: JobContext,
  session: EngineSession,
  operations: ReadonlyMap<string, number>,
): Promise<ApplyEnd> {
  try {
    return await session.apply(operations);
  } catch (error) {
    if (error instanceof JobStopped) return { result: NOT_RUN, output: null };
    return failNotStarted(context, error);
  }
}

async function conclude(
  context: JobContext,
  session: EngineSession,
  leg: ApplyLeg,
  { result, output }: ApplyEnd,
): Promise<void> {
  const { client, control, delivery, folder, log } = context;
  const settled = await settleState(folder, delivery);
  const appliedAddresses = output?.appliedAddresses ?? [];
  const errors = output?.errors ?? [];
  const facts: ApplyFacts = {
    leg,
    exit: result,
    errors,
    appliedAddresses,
    completed: output?.applyCompleted ?? false,
    lockRefused: result.lockRefused,
    settled,
  };
  const outcome = judgeApply(facts);
  const hookFailure = outcome.applied ? await runHooksAfterApply(context, session, `AFTER_${leg}`) : null;
  control.engineEnded();
  await log.flush();
  if (outcome.applied) {
    const applied = appliedAddresses.map((address) => context.masker.maskAddress(address));
    const checks = leg === "DESTROY" ? null : shownCheckBlocks(session.appliedCheckBlocks, context.masker);
    const found = {
      ...(checks !== null && { checks }),
      ...reportedDiagnostics(context, output?.diagnostics ?? []),
    };
    if (hookFailure === null) await client.report({ type: "applied", appliedAddresses: applied, ...found });
    else await client.report(unsuccessfulReport(control, { ...hookFailure, appliedAddresses: applied }));
    return;
  }
  const failure = describe(
    context,
    facts,
    { code: outcome.code, stateUncertain: outcome.stateUncertain },
    result,
    output,
  );
  await client.report(unsuccessfulReport(control, failure));
}

function describe(
  context: Pick<JobContext, "job" | "runner" | "folder"> & ReportContext,
  { leg, errors, settled, appliedAddresses, completed }: ApplyFacts,
  outcome: Pick<FailureFacts, "code" | "stateUncertain">,
  result: EngineResult,
  output: EventOutput | null,
): FailureReport {
  const what = leg === "DESTROY" ? "destroy" : "apply";
  const silent = result.code === 0 && !completed;
  const unsaved = settled === null ? "" : unsavedText(context, settled.problem);
  const report = failureReport(context, {
    ...outcome,
    stage: "APPLY",
    summary: silent
      ? `The engine ended without reporting that it applied the plan (${describeExit(result)}).`
      : `The ${what} ${result.interrupted ? "was interrupted" : `failed (${describeExit(result)})`}.`,
    errors,
    diagnostics: output?.diagnostics ?? [],
    text: [result.stderr, unsaved].filter((text) => text !== "").join("\n"),
    likelyCause: silent ? describeAddedArguments(context.job.variables) : likelyCause(output?.taintedAddresses ?? []),
    appliedAddresses: [...appliedAddresses],
  });
  const summary = SUMMARIES[outcome.code];
  return summary === undefined ? report : { ...report, summary };
}

/** Summaries for codes that matter more than the engine's first error. */
const SUMMARIES: Partial<Record<FailureFacts["code"], string>> = {
  STATE_NOT_SAVED: "The apply changed infrastructure, but its state could not be stored.",
  APPLY_INTERRUPTED: "The apply was interrupted.",
};

function unsavedText({ runner, folder }: Pick<JobContext, "runner" | "folder">, problem: string): string {
  return `${problem}. Runner ${runner.name} keeps the state in ${folder.path}, the only record of the changes. Do not remove it.`;
}

function likelyCause(tainted: readonly string[]): string | undefined {
  if (tainted.length === 0) return undefined;
  return `A provisioner failed after its resource was created. The next plan replaces ${tainted.join(", ")}.`;
}
