/**
 * The credentials of runners, jobs and runs. Those of jobs, runs and the embedded runner are derived from the master key,
 * so that every server can check them without storage. Those of pools are stored as hashes.
 */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { JobCaller, RunnerCaller } from "../../model/people/permission.ts";
import type { Cipher } from "../../persistence/installation/cipher.ts";
import { findRunnerTokenBySecret, touchRunnerToken } from "../../persistence/runner/runner-token-store.ts";
import { findJobOfToken } from "../../persistence/dispatch/job-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isEqualText } from "../kit/equal-text.ts";
import { hashSecret } from "./secret.ts";

const RUNNER_PREFIX = "hpr_";
const JOB_PREFIX = "hpj_";
const RUN_PREFIX = "hpx_";
const SECRET_BYTES = 32;
const SECRET_LENGTH = 200;
/** The resolution of the time of last use. */
const TOUCH_EVERY_MS = 60_000;

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

/** The credential with which a run acts on the API while a job works on it: `hpx_<job id>.<mac>`. */
export function runToken(cipher: Cipher, jobId: string): string {
  return `${RUN_PREFIX}${jobId}.${cipher.mac("run-token", jobId).toString("base64url")}`;
}

/** Whether a text has the form of the token of a run. */
export function isRunToken(secret: string): boolean {
  return secret.startsWith(RUN_PREFIX);
}

/** Returns the job of the token of a run; `null` if the token is not one of ours. */
export function readRunToken(cipher: Cipher, secret: string): string | null {
  if (!isRunToken(secret) || secret.length > SECRET_LENGTH) return null;
  const [jobId = ""] = secret.slice(RUN_PREFIX.length).split(".");
  return idKind(jobId) === "job" && isEqualText(secret, runToken(cipher, jobId)) ? jobId : null;
}

/** Creates the secret of a pool's token: 256 random bits. */
export function newRunnerSecret(randomBytes: (count: number) => Uint8Array): string {
  return RUNNER_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
}

/** Returns the caller of a runner token; `null` if the token is unknown, revoked or expired. */
export async function authenticateRunner(
  deps: Pick<Deps, "cipher" | "clock" | "database">,
  secret: string,
): Promise<RunnerCaller | null> {
  if (!secret.startsWith(RUNNER_PREFIX) || secret.length > SECRET_LENGTH) return null;
  if (isEqualText(secret, runnerToken(deps.cipher))) return { type: "runner", poolId: null };
  const at = deps.clock();
  const token = await findRunnerTokenBySecret(deps.database, hashSecret(secret), at.toISOString());
  if (token === null) return null;
  if (token.lastUsedAt === null || at.getTime() - Date.parse(token.lastUsedAt) > TOUCH_EVERY_MS) {
    await touchRunnerToken(deps.database, token.id, at.toISOString());
  }
  return { type: "runner", poolId: token.poolId, tokenId: token.id };
}

/** Jobs by id, with the MAC of their credential. Neither changes; whether a job is live is checked on use. */
export type KnownJobs = Map<string, { mac: string; caller: JobCaller }>;

/** Returns the job that a token belongs to, live or ended; `null` if the token is invalid. */
export async function authenticateJob(deps: Deps, known: KnownJobs, secret: string): Promise<JobCaller | null> {
  const [jobId = "", mac = ""] = secret.slice(JOB_PREFIX.length).split(".");
  if (!secret.startsWith(JOB_PREFIX) || idKind(jobId) !== "job") return null;
  const job = known.get(jobId);
  if (job !== undefined) return isEqualText(mac, job.mac) ? job.caller : null;
  return isEqualText(mac, jobMac(deps.cipher, jobId)) ? cacheJob(deps, known, { jobId, mac }) : null;
}

/** Caches a job after its credential was verified; guessed ids are not cached. */
async function cacheJob(
  { database }: Deps,
  known: KnownJobs,
  { jobId, mac }: { jobId: string; mac: string },
): Promise<JobCaller | null> {
  const job = await findJobOfToken(database, jobId);
  if (job === null) return null;
  const caller: JobCaller = { type: "job", jobId: job.id, kind: job.kind, leg: job.leg, runId: job.runId };
  known.set(jobId, { mac, caller });
  const [oldest = ""] = known.size > LIMITS.knownJobs ? known.keys() : [];
  known.delete(oldest);
  return caller;
}
