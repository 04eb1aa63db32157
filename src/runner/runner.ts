import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { ClaimRequest, Job } from "../ingestion/wire.ts";
import { createAnswerEvaluator } from "../evaluator/answer-evaluator.ts";
import { sendCheckRequests } from "./check/check-requests.ts";
import { forbidCoreDumps } from "./engine/core-dumps.ts";
import { hasProcesses } from "./engine/orphan-processes.ts";
import { JobControl } from "./job/job-control.ts";
import { makeJobsFolder } from "./job/job-folder.ts";
import { RUNNER_LIMITS, type RunnerLimits } from "./kit/runner-limits.ts";
import type { RunnerLog } from "./kit/runner-log.ts";
import { Signal } from "./kit/signal.ts";
import { PlanCache } from "./leg/plan-cache.ts";
import { probeTargets } from "./network/runner-network.ts";
import { createCommandSlots } from "./probe/command-slots.ts";
import { startRunnerHealth } from "./probe/probe-health.ts";
import { createRunnerProbers } from "./probe/runner-prober.ts";
import { sampleProbes } from "./probe/sample-probes.ts";
import type { Runner, RunnerOptions } from "./runner-options.ts";
import { BackOff } from "./server/back-off.ts";
import { claimJob } from "./server/claim.ts";
import { checkPool, isTokenRefusal, TokenRefused } from "./server/pool-check.ts";
import { executeJob } from "./slot/job-execution.ts";
import { cleanUpOrphans } from "./slot/orphan-cleanup.ts";
import { type Numbering, type SlotNumber, takeSlotNumbers } from "./slot/slot-number.ts";
import { openSlot, type Slot } from "./slot/slot.ts";
import { reachableWorkFolder, WORK_FOLDER_BYTES } from "./slot/work-folder.ts";
import { redeliverStates } from "./state/undelivered-states.ts";

/** Starts to claim and to execute jobs, after a cleanup of orphans in the work folder. */
export function startRunner(options: RunnerOptions): Runner {
  const worker = new Worker(options);
  return {
    drain: () => worker.drain(),
    interrupt: () => worker.interrupt(),
    done: worker.run(),
  };
}

class Worker {
  readonly #options: RunnerOptions;
  readonly #limits: RunnerLimits;
  readonly #log: RunnerLog;
  readonly #instance: string;
  readonly #draining = new AbortController();
  /** Controls of current jobs by id. */
  readonly #jobs = new Map<string, JobControl>();
  readonly #undelivered = new Signal();
  #interrupted = false;
  #refused: TokenRefused | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#limits = { ...RUNNER_LIMITS, ...options.limits };
    this.#log = options.log;
    this.#instance = options.randomId();
  }

  drain(): void {
    this.#draining.abort();
    for (const control of this.#jobs.values()) control.drain();
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#draining.abort();
    for (const control of this.#jobs.values()) control.interrupt();
  }

  async run(): Promise<void> {
    const { engineUid, name } = this.#options;
    if (!(await forbidCoreDumps())) this.#log.debug({}, "Core dumps cannot be forbidden: install prlimit (util-linux)");
    const jobsFolder = await makeJobsFolder(await this.#workFolder(), engineUid);
    await cleanUpOrphans(jobsFolder, { limits: this.#limits, log: this.#log });
    await this.#checkPool();
    await this.#work(jobsFolder);
    this.#log.info({ name }, "The runner has ended");
    if (this.#refused !== null) throw this.#refused;
  }

  async #checkPool(): Promise<void> {
    const { serverUrl, token, pool } = this.#options;
    if (pool === null) return;
    const { signal } = this.#draining;
    await checkPool({ serverUrl, token, pool, limits: this.#limits, log: this.#log, signal }).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
  }

  async #work(jobsFolder: string): Promise<void> {
    if (this.#draining.signal.aborted) return;
    const { name, slots, probing } = this.#options;
    await using stack = new AsyncDisposableStack();
    const forCommands = (probing ?? null) === null ? 0 : this.#limits.commandSlots;
    const taken = await takeSlotNumbers(await this.#numbering(jobsFolder), slots + forCommands);
    for (const number of taken) stack.use(number);
    const numbers = taken.slice(0, slots);
    this.#log.info({ name, slots }, "The runner is ready");
    const opened = numbers.map(({ number }) => openSlot(this.#options, jobsFolder, number));
    const redelivery = this.#redeliverStates(jobsFolder);
    const drainNotice = this.#announceDrain();
    const checks = this.#sendChecks();
    const probes = this.#sampleProbes(jobsFolder, taken.slice(slots));
    await Promise.all(opened.map(async (slot) => this.#slot(await slot))).finally(() => this.drain());
    await Promise.all([redelivery, drainNotice, checks, probes]);
  }

  async #workFolder(): Promise<string> {
    const { workDir, engineUid } = this.#options;
    const { path, blockedBy } = await reachableWorkFolder(workDir, engineUid);
    if (blockedBy !== null) {
      this.#log.warn(
        { blockedBy, engineUid, workFolder: path },
        "The engine's user cannot pass a parent of the work folder: another work folder is used",
      );
    }
    if (Buffer.byteLength(path) > WORK_FOLDER_BYTES) {
      this.#log.warn(
        { workFolder: path, mostBytes: WORK_FOLDER_BYTES },
        "The path of the work folder is too long: providers cannot open their sockets below it, and each plan that needs one fails. Set HOLDPOINT_DATA_DIR or --work-dir to a shorter path",
      );
    }
    return path;
  }

  /** Numbers slots of the machine if they have user ids, else slots of the work folder. */
  async #numbering(jobsFolder: string): Promise<Numbering> {
    const { engineUid } = this.#options;
    if (engineUid !== null) {
      return {
        nameOf: (number) => `user ${engineUid + number}`,
        isBusy: (number) => hasProcesses(engineUid + number),
      };
    }
    const folder = await realpath(jobsFolder);
    const nameOf = (number: number): string => `${number} of ${process.getuid?.()} in ${folder}`;
    return { nameOf, isBusy: () => Promise.resolve(false) };
  }

  async #slot(slot: Slot): Promise<void> {
    await using planCache = new PlanCache(this.#limits.planCacheMs, this.#log);
    while (!this.#draining.signal.aborted) {
      const job = await this.#claim();
      if (job === null) continue;
      const next = await this.#execute(job, false, { ...slot, planCache });
      if (next !== null) await this.#execute(next, true, { ...slot, planCache });
    }
  }

  /** `isStarted`: an apply that began when its plan was reported; as every apply it is waited for, not handed back. */
  async #execute(job: Job, isStarted: boolean, slot: Slot & { planCache: PlanCache }): Promise<Job | null> {
    const control = new JobControl(this.#limits.deliveryMs);
    if (isStarted) control.beginApply();
    this.#jobs.set(job.id, control);
    // The signal may have come during the claim: then the job is handed back at once.
    if (this.#interrupted) control.interrupt();
    else if (this.#draining.signal.aborted) control.drain();
    this.#log.info({ jobId: job.id, runId: job.run.id, leg: job.leg }, "Job started");
    const { serverUrl, token, name, engine, clock, randomId } = this.#options;
    const runner = { name, engine };
    const options = { serverUrl, token, runner, clock, randomId, limits: this.#limits, log: this.#jobLog(job) };
    const next = await executeJob(job, control, { ...slot, ...options });
    this.#jobs.delete(job.id);
    // Also for the folder of a cached plan: one more check costs little.
    if (existsSync(join(slot.jobsFolder, job.id))) this.#undelivered.raise();
    this.#log.info({ jobId: job.id, runId: job.run.id }, "Job ended");
    return next;
  }

  /** Claims until there is a job; `null` if the runner drains. A lost answer is claimed again under the same id. */
  async #claim(): Promise<Job | null> {
    const { serverUrl, token, randomId } = this.#options;
    const { signal } = this.#draining;
    const backOff = new BackOff(this.#limits);
    let claimId = randomId();
    for (let failures = 0; !signal.aborted; ) {
      try {
        const request = this.#claimRequest(claimId, { draining: false, waitMs: this.#limits.claimWaitMs });
        const askedMs = performance.now();
        const { job, directive } = await claimJob({ url: serverUrl, token }, request, signal);
        if (job !== null) return job;
        if (directive === "CYCLE") return this.#cycle();
        claimId = randomId();
        failures = 0;
        // Without a held request, as behind some proxies, claims must not become a tight loop.
        if (performance.now() - askedMs < this.#limits.backOffLastMs / 10) await backOff.wait(signal);
        else backOff.reset();
      } catch (error) {
        if (signal.aborted) return null;
        if (isTokenRefusal(error)) return this.#giveUp(new TokenRefused(serverUrl, error));
        failures += 1;
        if (failures === 1) this.#log.warn({ err: error }, "The server does not answer claims: retrying");
        await backOff.wait(signal).catch(() => undefined);
      }
    }
    return null;
  }

  /** Ends after the current jobs. Unlike a drain by a signal it hands back no job, because nothing waits for the end. */
  #cycle(): null {
    if (!this.#draining.signal.aborted) {
      this.#log.info({}, "The server asks for a new process: ending after the current jobs");
    }
    this.#draining.abort();
    return null;
  }

  /** Drains, because a retry with the same token cannot succeed. Jobs have tokens of their own and continue. */
  #giveUp(error: TokenRefused): null {
    if (this.#refused === null)
      this.#log.error({ err: error }, "The server refused the token: draining. Start the runner with a new token.");
    this.#refused ??= error;
    this.drain();
    return null;
  }

  #claimRequest(claimId: string, { draining, waitMs }: { draining: boolean; waitMs: number }): ClaimRequest {
    const { name, version, labels, slots, engine } = this.#options;
    const runner = { name, version, labels, slots, instance: this.#instance, draining };
    return { claimId, runner, engine: engine === null ? null : { name: engine.name, version: engine.version }, waitMs };
  }

  /** Notifies the server of the drain, once, so that it holds no work for this runner. */
  async #announceDrain(): Promise<void> {
    await aborted(this.#draining.signal);
    if (this.#refused !== null) return;
    const { serverUrl, token, randomId } = this.#options;
    const request = this.#claimRequest(randomId(), { draining: true, waitMs: 0 });
    const timeout = AbortSignal.timeout(this.#limits.drainNoticeMs);
    await claimJob({ url: serverUrl, token }, request, timeout).catch((error: unknown) => {
      this.#log.debug({ err: error }, "The server was not notified of the drain");
    });
  }

  /** Sends requests of external checks, beside the jobs. */
  async #sendChecks(): Promise<void> {
    const { sendsChecks = false, networkAllow = [], serverUrl, token, randomId } = this.#options;
    if (!sendsChecks) return;
    const { runner, engine } = this.#claimRequest("", { draining: false, waitMs: 0 });
    const { signal } = this.#draining;
    const own = { serverUrl, token, runner: { runner, engine }, networkAllow, randomId };
    await sendCheckRequests({ ...own, limits: this.#limits, log: this.#log, signal });
  }

  /** Probes what was applied for its health, and samples probes of verifications, beside the jobs. Commands have users of their own. */
  async #sampleProbes(jobsFolder: string, numbers: readonly SlotNumber[]): Promise<void> {
    const { probing = null, networkAllow = [], engineUid, isolation, inherited, ...options } = this.#options;
    if (probing === null) return;
    const { serverUrl, token, clock, randomId } = options;
    const { runner, engine } = this.#claimRequest("", { draining: false, waitMs: 0 });
    await using stack = new AsyncDisposableStack();
    const evaluator = stack.adopt(createAnswerEvaluator(), (one) => one.close());
    const { perSecond } = probing;
    const allowed = probeTargets(probing.allow, networkAllow);
    const { urgent, steady } = createRunnerProbers({ serverUrl, allowed, perSecond, evaluator, clock });
    const introduced = { serverUrl, runner: { runner, engine } };
    const shared = { token, limits: this.#limits, log: this.#log };
    const slots = createCommandSlots(numbers.map(({ number }) => (engineUid === null ? null : engineUid + number)));
    stack.use(startRunnerHealth({ ...shared, ...introduced, perSecond, prober: steady, proberId: randomId() }));
    await sampleProbes({
      ...shared,
      ...introduced,
      prober: urgent,
      commands: { ...shared, slots, jobsFolder, isolation, inherited },
      randomId,
      signal: this.#draining.signal,
    });
  }

  #redeliverStates(jobsFolder: string): Promise<void> {
    const { serverUrl, randomId, clock } = this.#options;
    return redeliverStates({
      jobsFolder,
      serverUrl,
      added: this.#undelivered,
      isRunning: (jobId) => this.#jobs.has(jobId),
      randomId,
      clock,
      limits: this.#limits,
      log: this.#log,
      signal: this.#draining.signal,
    });
  }

  #jobLog(job: Job): RunnerLog {
    const { log } = this.#options;
    const fields = { jobId: job.id, runId: job.run.id };
    return {
      debug: (more, message) => log.debug({ ...fields, ...more }, message),
      info: (more, message) => log.info({ ...fields, ...more }, message),
      warn: (more, message) => log.warn({ ...fields, ...more }, message),
      error: (more, message) => log.error({ ...fields, ...more }, message),
    };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
