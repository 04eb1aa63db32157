/** Credentials of runners and jobs are derived from the master key: nothing to store, and any server can check them. */
import { timingSafeEqual } from "node:crypto";
import { idKind } from "../../model/id.ts";
import type { JobCaller, RunnerCaller } from "../../model/permission.ts";
import type { Cipher } from "../../persistence/cipher.ts";
import { findJobOfToken } from "../../persistence/job-store.ts";
import type { Deps } from "../deps.ts";

const RUNNER_PREFIX = "hpr_";
const JOB_PREFIX = "hpj_";

function jobMac(cipher: Cipher, jobId: string): string {
  return cipher.mac("job-token", jobId).toString("base64url");
}

/** The credential of the runner that the server starts itself. */
export function runnerToken(cipher: Cipher): string {
  return RUNNER_PREFIX + cipher.mac("runner-token", "embedded").toString("base64url");
}

/** The credential of one job: `hpj_<job id>.<mac>`. */
export function jobToken(cipher: Cipher, jobId: string): string {
  return `${JOB_PREFIX}${jobId}.${jobMac(cipher, jobId)}`;
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function authenticateRunner(deps: Pick<Deps, "cipher">, secret: string): RunnerCaller | null {
  return equal(secret, runnerToken(deps.cipher)) ? { type: "runner" } : null;
}

/** Whose token this is, also where the job is over by now. */
export async function authenticateJob(deps: Deps, secret: string): Promise<JobCaller | null> {
  const [jobId = "", mac = ""] = secret.slice(JOB_PREFIX.length).split(".");
  if (!secret.startsWith(JOB_PREFIX) || idKind(jobId) !== "job" || !equal(mac, jobMac(deps.cipher, jobId))) return null;
  const job = await findJobOfToken(deps.database, jobId);
  return job === null ? null : { type: "job", jobId: job.id, kind: job.kind, leg: job.leg, runId: job.runId };
}
