/**
 * The runner protocol, version 1: what travels between a runner and the server, as JSON over HTTP below
 * `/runner/v1`. Types only, so that a runner can be built without the server.
 *
 * | request | credential | answer |
 * |---|---|---|
 * | GET  self                     | runner token | 200 SelfAnswer: whom the token belongs to |
 * | POST claim                    | runner token | 200 ClaimAnswer, or 204 after `waitMs` without work |
 * | POST check-requests/lease     | runner token of a pool | 200 CheckRequestAnswer, or 204 after `waitMs` without a request |
 * | POST check-requests/report    | runner token of a pool | 204; 410 where the request is not this runner's any more |
 * | POST verifications/lease      | runner token | 200 SamplingAnswer, or 204 after `waitMs` without probes |
 * | POST verifications/report     | runner token | 204; 410 where the probes are not this runner's any more |
 * | POST probes/lease             | runner token | 200 LeaseAnswer: the shards of targets that the prober has |
 * | POST probes/report            | runner token | 200 ReportAnswer: the entries that were refused (HealthReport in) |
 * | POST probes/leave             | runner token | 204: gives back all shards |
 * | POST jobs/:id/heartbeat       | job token    | 200 HeartbeatAnswer |
 * | GET  jobs/:id/source          | job token    | 200 tar.gz; its SHA-256 (hex) is `job.source.digest` |
 * | GET  jobs/:id/archive         | job token    | 200 bytes, as they were put by the plan job (apply jobs only) |
 * | GET  jobs/:id/rollback-state  | job token    | 200 bytes: the state that a run with `rollback` stores, with its new serial |
 * | PUT  jobs/:id/archive         | job token    | 204; replaces an earlier one (plan jobs only) |
 * | PUT  jobs/:id/document?truncated= | job token | 204; replaces an earlier one (plan jobs only). The document of the plan that is reported next: JSON `{"plan", "custom"}`, masked, compressed by zstd; `truncated` names parts that were left out, once for each |
 * | POST jobs/:id/log?phase=&firstLine= | job token | 200 LogAnswer; 409 LogConflict where `firstLine` is not the next. Lines as text (LOG_TEXT_TYPE). `&follows`: posts before it are not answered yet, and it may have overtaken one |
 * | POST jobs/:id/masks           | job token    | 204; 413 for more than a run may declare |
 * | POST jobs/:id/messages        | job token    | 200 MessageAnswer |
 * | POST jobs/:id/progress        | job token    | 204; 409 where the run is in no phase that has progress |
 * | GET  jobs/:id/state           | job token    | 200 bytes, 204 where there is none |
 * | POST jobs/:id/state?ID=lock   | job token    | 200; 409 for a lower serial or another lineage, and before the run applies or performs; 423 without the lock; 202 RecoveredAnswer after the end |
 * | POST jobs/:id/state/lock      | job token    | 200; 423 with the holder's LockInfo as body (LockInfo JSON in) |
 * | POST jobs/:id/state/unlock    | job token    | 200; 409 with the holder's LockInfo where the id is not its own |
 *
 * Every request may be sent again: a claim by its `claimId`, a message by its `sequence`, log lines by their numbers,
 * state by its content. Credentials travel as `authorization: Bearer ...`.
 *
 * Refusals are ProtocolError bodies: 400 malformed, 401 no or wrong credential, 403 not for this leg, 404 unknown job,
 * 409 out of order, 410 the job is over (the lease was lost, forced or the run ended): stop working on it, 413 too
 * large. 408, 429, 5xx and network errors are worth a retry. What is refused is recorded and changes nothing.
 */
import type { Diagnostic } from "../model/plan/diagnostic.ts";
import type { FailureReport } from "../model/lifecycle/failure.ts";
import type { Hook } from "../model/workspace/hook.ts";
import type { FoundCheckBlocks } from "../model/plan/check-block.ts";
import type { EngineVersion, PlanContent } from "../model/plan/plan.ts";
import type { ScanResult } from "../model/run/scan.ts";
import type { TestReport } from "../model/run/test-report.ts";
import type { ExceededLimit } from "../model/run/run.ts";
import type { RunKind, RunLeg } from "../model/lifecycle/run-kind.ts";
import type { ResourceProgress } from "../model/run/run-progress.ts";
import type { LeaseRequest, ShardLease } from "../model/health/prober-desk.ts";
import type { CommandOutput } from "../model/verification/command-context.ts";
import type { ReportedSamples, SampleWork } from "../model/verification/sampling.ts";
import type { TestMode } from "../model/workspace/test-mode.ts";
import type { UnlockOrder } from "../model/workspace/unlock-order.ts";

/** A runner as it introduces itself. Processes of one name, within one pool, are one runner. */
export interface RunnerSelf {
  name: string;
  version: string;
  /** Random, one per process. */
  instance: string;
  /** Runs may ask for some of them. */
  labels: string[];
  /** How many jobs it works on at the same time. */
  slots: number;
  /** It takes no new work: its claims are answered 204. */
  draining: boolean;
}

export interface ClaimRequest {
  /** Random, one per attempt to get work: the same id gives the same job again. */
  claimId: string;
  runner: RunnerSelf;
  /** The engine that this runner has; null where it has none. */
  engine: EngineVersion | null;
  /** How long the server may hold the request open, at most 25,000 ms. */
  waitMs: number;
}

export interface ClaimAnswer {
  /** null with a directive. */
  job: Job | null;
  /** CYCLE: end what is under way, then the process, with exit code 0. */
  directive?: "CYCLE" | undefined;
}

/** A runner that sends requests of external checks asks for one. */
export interface CheckRequestClaim {
  /** Random, one per attempt to get a request: the same id gives the same request again. */
  leaseId: string;
  runner: RunnerSelf;
  engine: EngineVersion | null;
  /** How long the server may hold the request open, at most 25,000 ms. */
  waitMs: number;
}

/** A request to a service, signed by the server, to be sent by POST as it is. */
export interface CheckRequestAnswer {
  id: string;
  /** The report names it. */
  fence: number;
  /** A report after this time may be refused: another runner sends the request again. */
  leaseMs: number;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The answer of the service. */
export interface CheckRequestReport {
  id: string;
  fence: number;
  /** null: it gave none. */
  statusCode: number | null;
  /** Why it gave none; null where it did. At most 300 characters. */
  error: string | null;
}

/** A runner that samples probes asks for those of a verification. */
export interface SamplingClaim {
  /** Random, one per attempt to get probes: the same id gives the same probes again. */
  leaseId: string;
  runner: RunnerSelf;
  engine: EngineVersion | null;
  /** How long the server may hold the request open, at most 25,000 ms. */
  waitMs: number;
}

/** The probes of one verification, to be sampled once. */
export interface SamplingAnswer extends SampleWork {
  id: string;
  /** The report names both. */
  fence: number;
  token: string;
  /** A report after this time is refused: another runner samples the probes. */
  leaseMs: number;
  /** The attempts at each target until one is good. */
  tries: number;
  /** The input of the commands; null where there are none. */
  context: CommandContext | null;
}

/** The input of the commands of a verification. */
export interface CommandContext {
  run: { id: string; number: number };
  /** The name of the workspace. */
  workspace: string;
  variables: JobVariable[];
  /** Outputs of the newest state, each with the name of its environment variable. */
  outputs: CommandOutput[];
  /** More texts to be masked. */
  secrets: string[];
}

/** The samples of a runner. Targets that it did not get to are left out. */
export interface SamplingReport {
  id: string;
  fence: number;
  token: string;
  samples: ReportedSamples[];
}

/** The heartbeat of a runner that probes the health of targets. */
export interface TargetsClaim extends LeaseRequest {
  runner: RunnerSelf;
  engine: EngineVersion | null;
  shards: ShardLease[];
}

/** The pool of the token that was sent, with the slug of its organization; null: a runner that all organizations share. */
export interface SelfAnswer {
  pool: { id: string; name: string; organization: string } | null;
}

export interface JobVariable {
  key: string;
  value: string;
  sensitive: boolean;
  /** ENGINE: an input variable of the configuration. ENVIRONMENT: an environment variable of the engine. */
  category: "ENGINE" | "ENVIRONMENT";
  /** The value is an expression, not a string. */
  hcl: boolean;
}

/** One leg of one run, leased to one runner. */
export interface Job {
  id: string;
  /** Bearer token for this job alone. */
  token: string;
  /** Bearer token with which the run acts on the API of the server; absent or null: it may not. */
  runToken?: string | null | undefined;
  /** The key of the run for digests of sensitive values in the document of its plan; absent or null: none is stored. */
  documentKey?: string | null | undefined;
  run: { id: string; number: number; kind: RunKind };
  workspace: { id: string; name: string; organization: string };
  leg: RunLeg;
  /** The lease ends this long after the newest heartbeat. */
  leaseMs: number;
  heartbeatMs: number;
  /** The number that the next log line of this run must have. */
  nextLine: number;
  /** The log of the run so far: bytes of text, one more for each line. */
  logBytes: number;
  targets: string[];
  replace: string[];
  /** Plan only what changed outside of the configuration, so that the state takes it in. */
  refreshOnly: boolean;
  variables: JobVariable[];
  /** More texts to be masked: values that sensitive variables of the workspace have now or had before. */
  secrets: string[];
  /** null: the run needs none (kind UNLOCK). */
  source: { digest: string } | null;
  /** The folder of the source in which the engine runs; absent, or `.`: its root. */
  workFolder?: string | undefined;
  /** Serial of the newest stored state, 0 where there is none. */
  stateSerial: number;
  /** The approved plan, for the legs APPLY and DESTROY; null otherwise. */
  plan: { version: number; digest: string; engine: EngineVersion } | null;
  /** The command of a run of kind TASK, for a shell; null for other kinds. */
  command: string | null;
  /** A TASK that stores an older state again: its command is only for people to read. */
  rollback: boolean;
  /** The locks that a run of kind UNLOCK breaks; null for other kinds. */
  unlock: UnlockOrder | null;
  /** The hooks around the engine on this leg, in order. */
  hooks: Hook[];
  /** The tests of the configuration that run before the plan; absent: none. */
  tests?: TestMode | undefined;
}

export interface HeartbeatRequest {
  /** How long the server may hold the request open, at most 10,000 ms: it answers at once when the work is to end. */
  waitMs: number;
}

export interface HeartbeatAnswer {
  /** A person asked to stop: interrupt the engine and answer with a `stopped` message. */
  cancelRequested: boolean;
  /** A limit of the whole leg (RUN) or of time without output was exceeded: the same, with a `timedOut` message. */
  expired: ExceededLimit | null;
}

export interface LogAnswer {
  nextLine: number;
  /** So many posts of the job may be under way at the same time. */
  atOnce: number;
}

/**
 * The progress of the engine; it replaces the report before. `sequence` counts up within the job: a report that arrives
 * after a newer one changes nothing. A report that fails is not sent again.
 */
export type ProgressReport = { sequence: number } & ResourceProgress;

/** Values that output of this job declared as sensitive: later jobs of the run get them in `secrets`. */
export interface MaskDeclaration {
  values: string[];
}

export interface LogConflict extends ProtocolError {
  nextLine: number;
}

/**
 * An event of the job; events are reported in order. `sequence` counts from 1 within the job; a repeated number with the same body is answered
 * as before, and changes nothing.
 */
export type JobMessage = {
  sequence: number;
} /** Legs APPLY and DESTROY of a run with hooks: plan restored, the hooks before the apply are performed next. */ & (
  | { type: "restored" }
  | {
      /** Legs PLAN, REPLAN, TASK: source unpacked, the engine initialises next. Legs APPLY, DESTROY: plan restored and verified, the apply starts next. */
      type: "prepared";
    }
  /** While the engine is initialised: the tests of the configuration begin. */
  | { type: "testing" }
  /** Their results. If they do not pass, a `failed` message follows. */
  | { type: "tested"; tests: TestReport }
  /** A hook of the purpose DETECT found this out, on any leg. */
  | { type: "scanned"; scan: ScanResult }
  /** `moduleFolders`: folders of the source that the engine took modules from; absent: not known, or none. */
  | { type: "initialized"; moduleFolders?: string[] | undefined }
  /** Only after the archive was put, and the document if there is one. */
  | { type: "planned"; plan: PlanContent }
  /** Only after the final state was posted. `checks`: the check blocks of the state; `diagnostics`: warnings of the engine. Absent: none, or not known. */
  | {
      type: "applied";
      appliedAddresses: string[];
      checks?: FoundCheckBlocks | undefined;
      diagnostics?: Diagnostic[] | undefined;
    }
  /** The command of a TASK ended well, its state was posted. For an UNLOCK: breaks what it was claimed for. */
  | { type: "performed" }
  /** The leg failed; for an apply: after the engine ended and its state was posted or given up. */
  | { type: "failed"; failure: FailureReport }
  /** The answer to `cancelRequested`: the engine has ended. With `failure` where an apply or a task was interrupted. */
  | { type: "stopped"; failure?: FailureReport | undefined }
  /** The answer to `expired`: the engine has ended. The server chooses the code of `failure`. */
  | { type: "timedOut"; failure: FailureReport }
  /** A draining runner gives the job back; only while nothing was applied. */
  | { type: "handedBack" }
);

export interface MessageAnswer {
  /** false: the job is over with this message, or was with an earlier one. */
  goOn: boolean;
  /**
   * Only in answer to `planned`, where the plan is applied without a person: the apply, claimed for this very runner. The
   * run is APPLYING from here on: it cannot be handed back, its lines belong to the phase APPLY from the first one, and
   * `prepared` is sent as ever.
   */
  next?: Job;
}

/** The engine's description of who holds the state lock (field names are the engine's). */
export interface LockInfo {
  ID: string;
  Operation: string;
  Info: string;
  Who: string;
  Version: string;
  Created: string;
  Path: string;
}

/**
 * A state that came after the lease, from the job that had an ended run last: it is kept beside the versions for a person
 * to decide about, and need not be sent again.
 */
export interface RecoveredAnswer {
  recovered: true;
}

export interface ProtocolError {
  code:
    | "MALFORMED"
    | "UNAUTHENTICATED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "OUT_OF_ORDER"
    | "JOB_OVER"
    | "TOO_LARGE"
    | "TIMED_OUT"
    | "STATE_REFUSED"
    | "STATE_LOCKED"
    | "BUSY"
    | "STORE_UNAVAILABLE"
    | "INTERNAL";
  message: string;
}
