import { chown, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Job } from "../ingestion/wire.ts";
import { BackOff } from "./back-off.ts";
import { claimJob } from "./claim.ts";
import { JobControl } from "./job-control.ts";
import { executeJob, type JobPlace } from "./job-execution.ts";
import { makeJobsFolder } from "./job-folder.ts";
import { clearLeftovers } from "./leftovers.ts";
import { RUNNER_LIMITS, type RunnerLimits } from "./runner-limits.ts";
import type { Runner, RunnerLog, RunnerOptions } from "./runner-options.ts";
import { reachableWorkFolder } from "./work-folder.ts";

/** Starts to claim and to execute jobs. What a killed runner left in the work folder is cleared away first. */
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
  readonly #draining = new AbortController();
  readonly #jobs = new Set<JobControl>();
  #interrupted = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#limits = { ...RUNNER_LIMITS, ...options.limits };
    this.#log = options.log;
  }

  drain(): void {
    this.#draining.abort();
    for (const control of this.#jobs) control.drain();
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#draining.abort();
    for (const control of this.#jobs) control.interrupt();
  }

  async run(): Promise<void> {
    const { engineUid, slots, name } = this.#options;
    const jobsFolder = await makeJobsFolder(await this.#workFolder(), engineUid);
    await clearLeftovers(jobsFolder, { engineUid, limits: this.#limits, log: this.#log });
    this.#log.info({ name, slots }, "The runner is ready");
    await Promise.all(Array.from({ length: slots }, (_, slot) => this.#slot(slot, jobsFolder)));
    this.#log.info({ name }, "The runner has ended");
  }

  async #workFolder(): Promise<string> {
    const { workDir, engineUid } = this.#options;
    const { path, blockedBy } = await reachableWorkFolder(workDir, engineUid);
    if (blockedBy !== null) {
      this.#log.warn(
        { blockedBy, engineUid, workFolder: path },
        "The engine's user cannot pass a folder: using another",
      );
    }
    return path;
  }

  async #slot(slot: number, jobsFolder: string): Promise<void> {
    const pluginCache = await this.#pluginCache(dirname(jobsFolder), slot);
    while (!this.#draining.signal.aborted) {
      const job = await this.#claim();
      if (job === null) continue;
      const next = await this.#execute(job, false, { jobsFolder, pluginCache });
      if (next !== null) await this.#execute(next, true, { jobsFolder, pluginCache });
    }
  }

  /** `begun`: an apply that began when its plan was reported; as every apply it is waited for, not handed back. */
  async #execute(job: Job, begun: boolean, folders: Pick<JobPlace, "jobsFolder" | "pluginCache">): Promise<Job | null> {
    const control = new JobControl(this.#limits.deliveryMs);
    if (begun) control.beginApply();
    this.#jobs.add(control);
    // The signal may have come while the answer was on its way: then the job goes back at once.
    if (this.#interrupted) control.interrupt();
    else if (this.#draining.signal.aborted) control.drain();
    this.#log.info({ jobId: job.id, runId: job.run.id, leg: job.leg }, "Job started");
    const place = { ...folders, options: this.#options, limits: this.#limits, log: this.#jobLog(job) };
    const next = await executeJob(job, control, place);
    this.#jobs.delete(control);
    this.#log.info({ jobId: job.id, runId: job.run.id }, "Job ended");
    return next;
  }

  /** Asks until there is a job; null where the runner drains. A lost answer is asked for again under the same id. */
  async #claim(): Promise<Job | null> {
    const { serverUrl, token, name, version, engine, randomId } = this.#options;
    const { signal } = this.#draining;
    const backOff = new BackOff(this.#limits);
    let claimId = randomId();
    for (let failures = 0; !signal.aborted; ) {
      try {
        const known = engine === null ? null : { name: engine.name, version: engine.version };
        const request = { claimId, runner: { name, version }, engine: known, waitMs: this.#limits.claimWaitMs };
        const askedMs = performance.now();
        const job = await claimJob({ url: serverUrl, token }, request, signal);
        if (job !== null) return job;
        claimId = randomId();
        failures = 0;
        // A server, or something before it, that does not hold the request open must not be asked in a tight loop.
        if (performance.now() - askedMs < this.#limits.backOffLastMs / 10) await backOff.wait(signal);
        else backOff.reset();
      } catch (error) {
        if (signal.aborted) return null;
        failures += 1;
        if (failures === 1) this.#log.warn({ err: error }, "The server gives no answer about work, trying again");
        await backOff.wait(signal).catch(() => undefined);
      }
    }
    return null;
  }

  async #pluginCache(workFolder: string, slot: number): Promise<string | null> {
    const { engineUid, engine } = this.#options;
    if (engine === null) return null;
    const path = join(workFolder, "plugin-cache", String(slot));
    await mkdir(path, { recursive: true, mode: 0o755 });
    if (engineUid !== null) await chown(path, engineUid, engineUid);
    return path;
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
