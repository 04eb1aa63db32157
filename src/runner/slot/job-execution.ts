import type { Job } from "../../ingestion/wire.ts";
import type { FailureCode } from "../../model/lifecycle/failure-code.ts";
import type { EngineName } from "../../model/lifecycle/failure-classification.ts";
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import { secretTexts } from "../../model/workspace/secret-texts.ts";
import { preparePipes } from "../engine/engine-pipes.ts";
import { endProcessesOf } from "../engine/orphan-processes.ts";
import { type JobControl, JobStopped, type StopReason } from "../job/job-control.ts";
import { JobFolder } from "../job/job-folder.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { runApplyLeg } from "../leg/apply-leg.ts";
import type { JobContext, RunnerOfJob } from "../leg/job-context.ts";
import type { CachedPlan, PlanCache } from "../leg/plan-cache.ts";
import { runPlanLeg } from "../leg/plan-leg.ts";
import { runRollbackLeg } from "../leg/rollback-leg.ts";
import { runTaskLeg } from "../leg/task-leg.ts";
import { runUnlockLeg } from "../leg/unlock-leg.ts";
import { LogShipper } from "../log/log-shipper.ts";
import { Masker } from "../mask/masker.ts";
import { ProgressShipper } from "../progress/progress-shipper.ts";
import { keepLease } from "../server/heartbeat.ts";
import { JobClient, type Report } from "../server/job-client.ts";
import type { EngineOptions } from "../session/engine-session.ts";
import { failureReport, LegFailure, type ReportContext } from "../session/failure-report.ts";
import { StateDelivery } from "../state/state-delivery.ts";

export interface ExecutionOptions {
  serverUrl: string;
  /** The runner's own token, which is masked in the log. */
  token: string;
  runner: RunnerOfJob;
  engines: EngineOptions;
  clock: () => Date;
  randomId: () => string;
  limits: RunnerLimits;
  jobsFolder: string;
  /** The cache of the slot. */
  planCache: PlanCache;
  log: RunnerLog;
}

/**
 * Executes one job until it has ended and was reported. Gives the job that follows it, if the server sent one. Never
 * throws.
 */
export async function executeJob(job: Job, control: JobControl, options: ExecutionOptions): Promise<Job | null> {
  const { log } = options;
  const client = jobClient(job, control, options);
  const finished = new AbortController();
  let lease: Promise<void> | undefined;
  let folder: JobFolder | undefined;
  let sealed: Omit<CachedPlan, "folder"> | null = null;
  const cached = await options.planCache.take(job);
  try {
    lease = keepLease(job, { client, control, log, finished: finished.signal, limits: options.limits });
    folder = await JobFolder.create(options.jobsFolder, job, options.engines.engineUid).catch((error: unknown) => {
      return failWithoutFolder(job, client, error);
    });
    sealed = await work(makeContext(job, control, client, folder, cached, options));
  } catch (error) {
    if (control.isLost) log.info({}, "The server took the job back");
    else log.error({ err: error }, "The job ended without its report");
  } finally {
    finished.abort();
    await lease;
    control[Symbol.dispose]();
    await cached?.folder.remove().catch((error: unknown) => log.warn({ err: error }, "A folder could not be removed"));
    await cleanUp(folder, sealed, options);
  }
  return client.next;
}

/** Reports a job without a folder, such as on a full disk: the run fails at once instead of losing its lease. */
async function failWithoutFolder(job: Job, client: JobClient, error: unknown): Promise<never> {
  const summary = "The runner could not make a folder for the job. Check its disk.";
  const message = `${summary} ${error instanceof Error ? error.message : String(error)}`;
  const sourceLeg = job.run.kind === "UNLOCK" ? "DEPLOYMENT_FAILED_GENERIC" : "SOURCE_FETCH_FAILED";
  const code = isApplyLeg(job.leg) ? "HANDOVER_FAILED" : sourceLeg;
  await client.report({ type: "failed", failure: { code, stage: "SETUP", summary, message, evidence: [] } });
  throw error;
}

function jobClient(job: Job, control: JobControl, { serverUrl, limits, log }: ExecutionOptions): JobClient {
  return new JobClient({ serverUrl, jobId: job.id, token: job.token, control, limits, log });
}

function makeContext(
  job: Job,
  control: JobControl,
  client: JobClient,
  folder: JobFolder,
  cached: CachedPlan | null,
  options: ExecutionOptions,
): JobContext {
  const { token, runner, engines, clock, randomId, limits, log: runnerLog } = options;
  const masker = new Masker(limits.maskLength);
  const registryTokens = Object.entries(engines.inherited).filter(([name]) => name.startsWith("TF_TOKEN_"));
  const credentials = [
    job.token,
    ...(job.runToken ? [job.runToken] : []),
    token,
    ...registryTokens.map(([, token]) => token),
  ];
  masker.add([...credentials, ...secretTexts(job.variables), ...job.secrets]);
  masker.addAddresses([...job.targets, ...job.replace]);
  const log = new LogShipper({
    client,
    masker,
    nextLine: job.nextLine,
    writtenBytes: job.logBytes,
    clock,
    ended: control.ended,
    limits,
    log: runnerLog,
  });
  const progress = new ProgressShipper({ client, masker, clock, limits });
  const { undeliveredFile, lockFile } = folder;
  const files = { undeliveredFile, lockFile };
  const delivery = new StateDelivery({ client, control, ...files, randomId, clock, limits, log: runnerLog });
  return {
    job,
    runner,
    engines,
    randomId,
    limits,
    client,
    control,
    folder,
    cached,
    masker,
    engineName: engineNameOf(runner),
    log,
    progress,
    delivery,
    runnerLog,
  };
}

function engineNameOf({ engine }: RunnerOfJob): EngineName | null {
  return engine?.name === "terraform" || engine?.name === "tofu" ? engine.name : null;
}

/** Runs the leg of a job. Gives the plan to cache, if any. */
async function work(context: JobContext): Promise<Omit<CachedPlan, "folder"> | null> {
  const { job, log, folder } = context;
  const pipes = preparePipes(folder.path);
  try {
    if (job.leg === "PLAN" || job.leg === "REPLAN") return await runPlanLeg(context);
    if (isApplyLeg(job.leg)) await runApplyLeg(context, job.leg);
    else if (job.run.kind === "UNLOCK") await runUnlockLeg(context);
    else if (job.rollback) await runRollbackLeg(context);
    else await runTaskLeg(context);
  } catch (error) {
    await reportEnd(context, error);
  } finally {
    context.progress[Symbol.dispose]();
    await pipes;
    await log.close();
  }
  return null;
}

async function reportEnd(context: JobContext, error: unknown): Promise<void> {
  const { client, control, log } = context;
  if (control.ended.aborted) throw error;
  control.engineEnded();
  const failure = error instanceof LegFailure ? error.report : null;
  if (failure === null && !(error instanceof JobStopped) && control.reason === null) {
    context.runnerLog.error({ err: error }, "The job failed by an error of the runner");
  }
  if (control.reason !== null && !control.applying) {
    await log.flush();
    await client.report(unchangedReport(context, control.reason));
    return;
  }
  const report = failure ?? unexpectedFailure(context, error);
  await log.write(report.summary);
  await log.flush();
  await client.report({ type: "failed", failure: report });
}

/** Builds the report of a job that stopped before infrastructure could change. */
function unchangedReport(context: ReportContext, reason: StopReason): Report {
  if (reason === "CANCEL") return { type: "stopped" };
  if (reason !== "TIMEOUT") return { type: "handedBack" };
  const summary = "The run exceeded a time limit and was stopped. Nothing was changed.";
  return { type: "timedOut", failure: failureReport(context, { code: "RUN_TIMED_OUT", stage: "UNKNOWN", summary }) };
}

/** Builds the report of an unexpected error: a defect, a full disk, a refused message. The run must end with a reason. */
function unexpectedFailure(context: Pick<JobContext, "control" | "job"> & ReportContext, error: unknown) {
  const { control, job } = context;
  const applyLeg = isApplyLeg(job.leg);
  const summary = `The runner failed: ${error instanceof Error ? error.message : String(error)}`;
  const stage = control.applying ? "APPLY" : applyLeg ? "SETUP" : "PLAN";
  // An UNLOCK changes the state only with its last message, which is atomic.
  const stateUncertain = control.applying && job.run.kind !== "UNLOCK";
  return failureReport(context, {
    code: unexpectedFailureCode(job, control),
    stage,
    summary,
    text: summary,
    stateUncertain,
  });
}

function unexpectedFailureCode({ run, leg }: Job, { applying }: JobControl): FailureCode {
  if (run.kind === "UNLOCK") return "DEPLOYMENT_FAILED_GENERIC";
  if (run.kind === "TASK") return "TASK_FAILED";
  if (applying) return leg === "DESTROY" ? "DESTROY_FAILED" : "APPLY_FAILED";
  return isApplyLeg(leg) ? "HANDOVER_FAILED" : "PLAN_FAILED";
}

async function cleanUp(
  folder: JobFolder | undefined,
  sealed: Omit<CachedPlan, "folder"> | null,
  { planCache, log }: ExecutionOptions,
): Promise<void> {
  if (folder === undefined) return;
  try {
    await endProcessesOf(folder.engineUid);
    const state = await folder.undeliveredState();
    if (folder.retained !== null || state !== null) {
      log.error({ folder: folder.path, state }, "The job's folder is cached: it holds a state that was not delivered");
    } else if (sealed !== null) {
      await folder.removeAllButPlan();
      planCache.put({ ...sealed, folder });
    } else {
      await folder.remove();
    }
  } catch (error) {
    log.warn({ err: error, folder: folder.path }, "The job's folder could not be removed");
  }
}
