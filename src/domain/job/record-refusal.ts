import { LIMITS } from "../../model/kit/limits.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import { recordRefusedRequest } from "../../persistence/runner/refused-request-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { JobErrorCode } from "./job-error.ts";

/** A refused request of a job, in terms of the protocol; contains nothing that was sent. */
export interface RefusedJobRequest {
  /** For example `POST state` or `message applied`. */
  request: string;
  code: JobErrorCode;
  message: string;
}

/** Messages quote field names and keys of the request, which may be long. */
const MESSAGE_LENGTH = 500;

/**
 * Records a refused request so that people see it at the run. Never throws, because the refusal itself must be sent.
 */
export async function recordRefusal(deps: Deps, { jobId }: JobCaller, refusal: RefusedJobRequest): Promise<void> {
  const { request, code } = refusal;
  const message = refusal.message.slice(0, MESSAGE_LENGTH).replaceAll("\0", "").toWellFormed();
  const at = deps.clock().toISOString();
  await recordRefusedRequest(deps.database, { jobId, at, request, code, message }, LIMITS.refusedPerJob).catch(
    (error: unknown) => deps.reportError(error, `recording a refusal of ${jobId}`),
  );
}
