/** Hooks: commands of the workspace before and after the commands of the engine. */
import { createHash } from "node:crypto";
import { failureOfHook, type Hook, type HookStage } from "../../model/workspace/hook.ts";
import type { FailureReport } from "../../model/lifecycle/failure.ts";
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import { EngineNotStarted } from "../engine/engine-process.ts";
import { JobStopped } from "../job/job-control.ts";
import type { EngineSession } from "../session/engine-session.ts";
import { failureReport, describeExit, LegFailure, type ReportContext } from "../session/failure-report.ts";
import type { JobContext } from "./job-context.ts";
import { clearScan, readScan } from "./scan-file.ts";

/** The job that hooks belong to. */
export type HookContext = Pick<JobContext, "job" | "client" | "folder" | "control" | "log" | "masker" | "limits">;

interface Performed {
  code: number | null;
  signal: NodeJS.Signals | null;
  text: string;
}

export function hasHooks({ job }: Pick<JobContext, "job">, stage: HookStage): boolean {
  return job.hooks.some((hook) => hook.stage === stage);
}

/**
 * Runs the hooks of a stage in order. Throws the failure of the first one that fails, and JobStopped if the job must end
 * meanwhile. `planFile` is the saved plan, if there is one at this stage.
 */
export async function runHooks(
  context: HookContext,
  session: EngineSession,
  stage: HookStage,
  planFile: string | null,
): Promise<void> {
  for (const { name, hook } of hooksOf(context, stage)) {
    await context.log.write(`Hook ${name}`);
    const result = await perform(context, session, hook, planFile);
    context.control.throwIfStopped();
    if (result.code !== 0)
      throw hookFailed(context, hook, `The hook ${name} failed (${describeExit(result)}).`, result);
    const problem = await takeScan(context, hook);
    if (problem !== null) throw hookFailed(context, hook, `The hook ${name} ${problem}`, { text: "" });
  }
}

/**
 * Runs the hooks after a successful apply. A hook without a purpose that fails becomes a warning in the log, because the
 * apply is done; the next one runs. A hook with a purpose is a part of the deployment: returns the failure of the first
 * such hook that fails, else `null`. Never throws for a hook.
 */
export async function runHooksAfterApply(
  context: HookContext & Pick<JobContext, "runnerLog">,
  session: EngineSession,
  stage: "AFTER_APPLY" | "AFTER_DESTROY",
): Promise<FailureReport | null> {
  const { log, control, folder, runnerLog } = context;
  for (const { name, hook } of hooksOf(context, stage)) {
    await log.write(`Hook ${name}`);
    const isPart = hook.purpose !== undefined && hook.purpose !== "GENERIC";
    try {
      const result = await perform(context, session, hook, folder.planFile);
      const problem = result.code === 0 ? await takeScan(context, hook) : `failed (${describeExit(result)}).`;
      if (problem === null) continue;
      const summary = `The hook ${name} ${problem} The apply itself succeeded.`;
      if (isPart) return hookFailed(context, hook, summary, result).report;
      await log.write(`Warning: the hook ${name} ${problem} The apply itself succeeded.`);
    } catch (error) {
      if (!(error instanceof JobStopped)) runnerLog.error({ err: error, hook: name }, "A hook could not run");
      const summary = `The hook ${name} did not run. The apply itself succeeded.`;
      if (isPart) return hookFailed(context, hook, summary, { text: "" }).report;
      await log.write(`Warning: the hook ${name} did not run. The apply itself succeeded.`);
    }
    if (control.reason !== null) return null;
  }
  return null;
}

/** Throws if hooks replaced the plan: the approved plan would not be the applied one. */
export async function requireSamePlan(
  context: Pick<JobContext, "folder"> & ReportContext,
  stage: HookStage,
  digest: string,
): Promise<void> {
  const file = await context.folder.readFromEngine(context.folder.planFile).catch(() => undefined);
  if (file !== undefined && createHash("sha256").update(file).digest("hex") === digest) return;
  throw hookFailed(context, { stage }, "A hook changed the saved plan. Hooks may only read it.", { text: "" });
}

function hooksOf({ job }: Pick<JobContext, "job">, stage: HookStage): { name: string; hook: Hook }[] {
  const hooks = job.hooks.filter((hook) => hook.stage === stage);
  return hooks.map((hook, index) => ({ name: `${stage} (${index + 1} of ${hooks.length})`, hook }));
}

async function perform(
  { job, folder }: Pick<JobContext, "job" | "folder">,
  session: EngineSession,
  { stage, purpose, command }: Hook,
  planFile: string | null,
): Promise<Performed> {
  const detects = purpose === "DETECT";
  if (detects) await clearScan(folder);
  const environment = {
    ...(detects && { HOLDPOINT_SCAN_FILE: folder.scanFile }),
    HOLDPOINT_RUN_ID: job.run.id,
    HOLDPOINT_RUN_NUMBER: String(job.run.number),
    HOLDPOINT_WORKSPACE: job.workspace.name,
    HOLDPOINT_HOOK: stage,
    ...(planFile !== null && { HOLDPOINT_PLAN_FILE: planFile }),
    ...(!isApplyLeg(job.leg) && job.leg !== "TASK" && { HOLDPOINT_POLICY_INPUT: folder.policyInput }),
  };
  try {
    // A hook gets no write access: its changes of the state would be in no plan.
    return await session.perform(command, "READ", environment);
  } catch (error) {
    if (!(error instanceof EngineNotStarted)) throw error;
    return { code: 127, signal: null, text: error.message };
  }
}

/** Sends what a DETECT hook found. Returns why that cannot be taken; `null` if it can, or there is none. */
async function takeScan(
  { folder, masker, client }: Pick<HookContext, "folder" | "masker" | "client">,
  { purpose }: Hook,
): Promise<string | null> {
  if (purpose !== "DETECT") return null;
  const found = await readScan(folder, masker);
  if ("problem" in found) return `wrote a scan that cannot be taken: ${found.problem}.`;
  if (found.scan !== null) await client.report({ type: "scanned", scan: found.scan });
  return null;
}

function hookFailed(
  context: ReportContext,
  hook: Pick<Hook, "stage" | "purpose">,
  summary: string,
  { text }: Pick<Performed, "text">,
): LegFailure {
  const isBefore = hook.stage === "BEFORE_APPLY" || hook.stage === "BEFORE_DESTROY";
  const facts = { ...failureOfHook(hook), summary, text, ...(isBefore && { appliedAddresses: [] }) };
  // The first error of an engine in a script need not be the reason why the script failed.
  return new LegFailure({ ...failureReport(context, facts), summary });
}
