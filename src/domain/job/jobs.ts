import type { JobCaller, RunnerCaller } from "../../model/people/permission.ts";
import type { WaitingClaim } from "../../persistence/dispatch/waiting-store.ts";
import type { Deps } from "../kit/deps.ts";
import { type AppendLog, createAppendLog } from "./append-log.ts";
import { findRetryableClaims } from "./find-retryable-claims.ts";
import { type Claim, claimJob, type ClaimOutcome } from "./claim-job.ts";
import { authenticateJob, authenticateRunner, type KnownJobs } from "../token/credentials.ts";
import { describeRunner, type RunnerAssignment } from "./record-contact.ts";
import { checkLiveJob } from "./job-access.ts";
import { noteProgress, type SequencedResourceProgress } from "./note-progress.ts";
import { recordRefusal, type RefusedJobRequest } from "./record-refusal.ts";
import { takeState } from "./recover-state.ts";
import { readRollbackState } from "./read-rollback-state.ts";
import { type HeartbeatOrders, readHeartbeatOrders, renewLease } from "./renew-lease.ts";
import { type ProgressReply, reportProgress, type SequencedProgress } from "./report-progress.ts";
import type { SentState } from "../state/keep-state.ts";
import { type LockInfo, lockState, readState, unlockState } from "./state.ts";
import { declareMasks } from "./declare-masks.ts";
import { readArchive, readSource, writeArchive } from "./transfer-blob.ts";

/** What runners can do: the surface that the runner protocol translates to. Refusals are JobErrors. */
export interface Jobs {
  authenticateRunner(secret: string): Promise<RunnerCaller | null>;
  authenticateJob(secret: string): Promise<JobCaller | null>;
  /** Whom a runner works for. */
  describeRunner(caller: RunnerCaller): Promise<RunnerAssignment>;
  claim(caller: RunnerCaller, claim: Claim): Promise<ClaimOutcome>;
  /** Which of these claims, in the order of their turn, are to be made again; `areHeard`: their runners are there. */
  findRetryableClaims(waiting: readonly WaitingClaim[], areHeard: boolean): Promise<string[]>;
  /** null: the job has ended before its lease would have. */
  renewLease(caller: JobCaller): Promise<HeartbeatOrders | null>;
  readHeartbeatOrders(caller: JobCaller): Promise<HeartbeatOrders>;
  appendLog: AppendLog;
  declareMasks(caller: JobCaller, values: readonly string[]): Promise<void>;
  report(caller: JobCaller, message: SequencedProgress): Promise<ProgressReply>;
  noteProgress(caller: JobCaller, report: SequencedResourceProgress): Promise<void>;
  readSource(caller: JobCaller): Promise<AsyncIterable<Buffer>>;
  readArchive(caller: JobCaller): Promise<AsyncIterable<Buffer>>;
  writeArchive(caller: JobCaller, body: Buffer): Promise<void>;
  readRollbackState(caller: JobCaller): Promise<AsyncIterable<Buffer>>;
  readState(caller: JobCaller): Promise<AsyncIterable<Buffer> | null>;
  /** `recovered`: it came after the lease, and is kept beside the versions. */
  writeState(caller: JobCaller, lockId: string, sent: SentState): Promise<{ recovered: boolean }>;
  lockState(caller: JobCaller, info: LockInfo): Promise<{ holder: LockInfo | null }>;
  unlockState(caller: JobCaller, lockId: string): Promise<{ holder: LockInfo | null }>;
  /** Before anything of a large body is read. Throws JOB_OVER. */
  checkLive(caller: JobCaller): Promise<void>;
  /** Keeps that a request was refused; never throws. */
  recordRefusal(caller: JobCaller, refusal: RefusedJobRequest): Promise<void>;
}

export function createJobs(deps: Deps): Jobs {
  const known: KnownJobs = new Map();
  return {
    authenticateRunner: (secret) => authenticateRunner(deps, secret),
    authenticateJob: (secret) => authenticateJob(deps, known, secret),
    describeRunner: (caller) => describeRunner(deps, caller),
    claim: (caller, claim) => claimJob(deps, caller, claim),
    findRetryableClaims: (waiting, areHeard) => findRetryableClaims(deps, waiting, areHeard),
    renewLease: (caller) => renewLease(deps, caller),
    readHeartbeatOrders: (caller) => readHeartbeatOrders(deps, caller),
    appendLog: createAppendLog(deps),
    declareMasks: (caller, values) => declareMasks(deps, caller, values),
    report: (caller, message) => reportProgress(deps, caller, message),
    noteProgress: (caller, report) => noteProgress(deps, caller, report),
    readSource: (caller) => readSource(deps, caller),
    readArchive: (caller) => readArchive(deps, caller),
    writeArchive: (caller, body) => writeArchive(deps, caller, body),
    readRollbackState: (caller) => readRollbackState(deps, caller),
    readState: (caller) => readState(deps, caller),
    writeState: (caller, lockId, sent) => takeState(deps, caller, lockId, sent),
    lockState: (caller, info) => lockState(deps, caller, info),
    unlockState: (caller, lockId) => unlockState(deps, caller, lockId),
    checkLive: (caller) => checkLiveJob(deps.database, caller),
    recordRefusal: (caller, refusal) => recordRefusal(deps, caller, refusal),
  };
}
