import type { Job } from "../../ingestion/wire.ts";
import type { UnpackLimits } from "../archive/archive-reader.ts";
import type { FoundEngine } from "../engine/engine-discovery.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { JobClient } from "../server/job-client.ts";
import type { SessionContext } from "../session/engine-session.ts";
import type { PlanCacheLimits, CachedPlan } from "./plan-cache.ts";

/** Bounds of the document of a plan. */
export type DocumentLimits = Pick<
  RunnerLimits,
  "planDocumentBytes" | "planDocumentDepth" | "policyInputBytes" | "policyInputFiles"
>;

/** The job, with all objects that its leg works with. */
export interface JobContext extends SessionContext {
  job: Job;
  runner: RunnerOfJob;
  limits: SessionContext["limits"] & UnpackLimits & PlanCacheLimits & DocumentLimits;
  client: JobClient;
  /** The cached plan that this job applies; `null` if this runner does not have it. */
  cached: CachedPlan | null;
}

/** The name and the engine of the runner of a job. */
export interface RunnerOfJob {
  name: string;
  /** `null` if none is installed. */
  engine: FoundEngine | null;
}
