import type { Job } from "../ingestion/wire.ts";
import type { JobClient } from "./job-client.ts";
import type { JobControl } from "./job-control.ts";
import type { JobFolder } from "./job-folder.ts";
import type { KeptWork } from "./kept-work.ts";
import type { LogShipper } from "./log-shipper.ts";
import type { Masker } from "./masker.ts";
import type { ProgressShipper } from "./progress-shipper.ts";
import type { RunnerLimits } from "./runner-limits.ts";
import type { RunnerLog, RunnerOptions } from "./runner-options.ts";
import type { StateDelivery } from "./state-delivery.ts";

/** What every step of a job needs. */
export interface JobContext {
  job: Job;
  options: RunnerOptions;
  limits: RunnerLimits;
  client: JobClient;
  control: JobControl;
  folder: JobFolder;
  /** The work of the plan that this job applies, where this runner has it still. */
  kept: KeptWork | null;
  /** Of this slot alone: parallel inits in one cache disturb each other. null where there is no engine. */
  pluginCache: string | null;
  /** Environment for the collector of the engine's garbage. */
  collector: Readonly<Record<string, string>>;
  masker: Masker;
  /** The run's log. */
  log: LogShipper;
  progress: ProgressShipper;
  delivery: StateDelivery;
  /** The runner's own log. */
  runnerLog: RunnerLog;
}
