import { LIMITS } from "../../model/kit/limits.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import { recordRefusedRequest } from "../../persistence/runner/refused-request-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { JobErrorCode } from "./job-error.ts";

/** What a job was refused: in the protocol's words, nothing of what was sent. */
export interface RefusedJobRequest {
  /** Such as `POST state` or `message applied`. */
  request: string;
  code: JobErrorCode;
  message: string;
}

/** Messages name fields, and keys of what was sent may be long. */
const MESSAGE_LENGTH = 500;

/** Keeps that a request was refused, for people who look at the run. Never throws: the refusal is answered all the same. */
export async function recordRefusal(deps: Deps, { jobId }: JobCaller, refusal: RefusedJobRequest): Promise<void> {
  const { request, code } = refusal;
  const message = refusal.message.slice(0, MESSAGE_LENGTH).replaceAll("\0", "").toWellFormed();
  const at = deps.clock().toISOString();
  await recordRefusedRequest(deps.database, { jobId, at, request, code, message }, LIMITS.refusedPerJob).catch(
    (error: unknown) => deps.reportError(error, `recording a refusal of ${jobId}`),
  );
}
