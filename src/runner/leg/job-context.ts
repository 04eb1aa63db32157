import type { Job } from "../../ingestion/wire.ts";
import type { UnpackLimits } from "../archive/archive-reader.ts";
import type { FoundEngine } from "../engine/engine-discovery.ts";
import type { JobClient } from "../server/job-client.ts";
import type { SessionContext } from "../session/engine-session.ts";
import type { PlanCacheLimits, CachedPlan } from "./plan-cache.ts";

/** What every step of a job needs. */
export interface JobContext extends SessionContext {
  job: Job;
  runner: RunnerOfJob;
  limits: SessionContext["limits"] & UnpackLimits & PlanCacheLimits;
  client: JobClient;
  /** The work of the plan that this job applies, where this runner has it still. */
  cached: CachedPlan | null;
}

/** The runner as its jobs name it. */
export interface RunnerOfJob {
  name: string;
  /** `null` where none is installed. */
  engine: FoundEngine | null;
}
