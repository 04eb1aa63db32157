import type { JobCaller, RunnerCaller } from "../../model/people/permission.ts";
import type { WaitingClaim } from "../../persistence/dispatch/waiting-store.ts";
import type { Deps } from "../kit/deps.ts";
import { type AppendLog, createAppendLog } from "./append-log.ts";
import { findRetryableClaims } from "./find-retryable-claims.ts";
import { type Claim, claimJob, type ClaimOutcome } from "./claim-job.ts";
import { authenticateJob, authenticateRunner, type KnownJobs } from "../token/credentials.ts";
import { describeRunner, type RunnerAssignment } from "./record-contact.ts";
import { type SentDocument, writeDocument } from "./document.ts";
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

/** The operations of runners, to which the runner protocol translates its requests. Refusals are thrown as JobError. */
export interface Jobs {
  authenticateRunner(secret: string): Promise<RunnerCaller | null>;
  authenticateJob(secret: string): Promise<JobCaller | null>;
  describeRunner(caller: RunnerCaller): Promise<RunnerAssignment>;
  claim(caller: RunnerCaller, claim: Claim): Promise<ClaimOutcome>;
  /** Returns which of these waiting claims to retry; `areHeard`: also marks their runners as seen. */
  findRetryableClaims(waiting: readonly WaitingClaim[], areHeard: boolean): Promise<string[]>;
  /** `null` if the job has ended before its lease ran out. */
  renewLease(caller: JobCaller): Promise<HeartbeatOrders | null>;
  readHeartbeatOrders(caller: JobCaller): Promise<HeartbeatOrders>;
  appendLog: AppendLog;
  declareMasks(caller: JobCaller, values: readonly string[]): Promise<void>;
  report(caller: JobCaller, message: SequencedProgress): Promise<ProgressReply>;
  noteProgress(caller: JobCaller, report: SequencedResourceProgress): Promise<void>;
  readSource(caller: JobCaller): Promise<AsyncIterable<Buffer>>;
  readArchive(caller: JobCaller): Promise<AsyncIterable<Buffer>>;
  writeArchive(caller: JobCaller, body: Buffer): Promise<void>;
  writeDocument(caller: JobCaller, document: SentDocument): Promise<void>;
  readRollbackState(caller: JobCaller): Promise<AsyncIterable<Buffer>>;
  readState(caller: JobCaller): Promise<AsyncIterable<Buffer> | null>;
  /** `recovered`: the state came after the lease and was kept beside the versions. */
  writeState(caller: JobCaller, lockId: string, sent: SentState): Promise<{ recovered: boolean }>;
  lockState(caller: JobCaller, info: LockInfo): Promise<{ holder: LockInfo | null }>;
  unlockState(caller: JobCaller, lockId: string): Promise<{ holder: LockInfo | null }>;
  /** Checks the lease before a large body is read. Throws JOB_OVER. */
  checkLive(caller: JobCaller): Promise<void>;
  /** Records that a request was refused; never throws. */
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
    writeDocument: (caller, document) => writeDocument(deps, caller, document),
    readRollbackState: (caller) => readRollbackState(deps, caller),
    readState: (caller) => readState(deps, caller),
    writeState: (caller, lockId, sent) => takeState(deps, caller, lockId, sent),
    lockState: (caller, info) => lockState(deps, caller, info),
    unlockState: (caller, lockId) => unlockState(deps, caller, lockId),
    checkLive: (caller) => checkLiveJob(deps.database, caller),
    recordRefusal: (caller, refusal) => recordRefusal(deps, caller, refusal),
  };
}
