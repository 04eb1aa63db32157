import type { JobCaller, RunnerCaller } from "../../model/permission.ts";
import type { Deps } from "../deps.ts";
import { appendLog, type LogAppendInput } from "./append-log.ts";
import { type Claim, claimJob } from "./claim-job.ts";
import { authenticateJob, authenticateRunner } from "./credentials.ts";
import type { ClaimedJob } from "./leased-job.ts";
import { type Beat, renewLease } from "./renew-lease.ts";
import { type Answer, reportProgress, type SequencedProgress } from "./report-progress.ts";
import type { StateDocument } from "../state/keep-state.ts";
import { type LockInfo, lockState, readState, unlockState, writeState } from "./state.ts";
import { readArchive, readSource, writeArchive } from "./transfer-blob.ts";

/** What runners can do: the surface that the runner protocol translates to. Refusals are JobErrors. */
export interface Jobs {
  authenticateRunner(secret: string): RunnerCaller | null;
  authenticateJob(secret: string): Promise<JobCaller | null>;
  claim(caller: RunnerCaller, claim: Claim): Promise<ClaimedJob | null>;
  renewLease(caller: JobCaller): Promise<Beat>;
  appendLog(caller: JobCaller, input: LogAppendInput): Promise<{ ok: boolean; nextLine: number }>;
  report(caller: JobCaller, message: SequencedProgress): Promise<Answer>;
  readSource(caller: JobCaller): Promise<AsyncIterable<Buffer>>;
  readArchive(caller: JobCaller): Promise<AsyncIterable<Buffer>>;
  writeArchive(caller: JobCaller, body: Buffer): Promise<void>;
  readState(caller: JobCaller): Promise<AsyncIterable<Buffer> | null>;
  writeState(caller: JobCaller, lockId: string, state: StateDocument, body: Buffer): Promise<void>;
  lockState(caller: JobCaller, info: LockInfo): Promise<{ holder: LockInfo | null }>;
  unlockState(caller: JobCaller, lockId: string): Promise<{ holder: LockInfo | null }>;
}

export function createJobs(deps: Deps): Jobs {
  return {
    authenticateRunner: (secret) => authenticateRunner(deps, secret),
    authenticateJob: (secret) => authenticateJob(deps, secret),
    claim: (caller, claim) => claimJob(deps, caller, claim),
    renewLease: (caller) => renewLease(deps, caller),
    appendLog: (caller, input) => appendLog(deps, caller, input),
    report: (caller, message) => reportProgress(deps, caller, message),
    readSource: (caller) => readSource(deps, caller),
    readArchive: (caller) => readArchive(deps, caller),
    writeArchive: (caller, body) => writeArchive(deps, caller, body),
    readState: (caller) => readState(deps, caller),
    writeState: (caller, lockId, state, body) => writeState(deps, caller, lockId, state, body),
    lockState: (caller, info) => lockState(deps, caller, info),
    unlockState: (caller, lockId) => unlockState(deps, caller, lockId),
  };
}
