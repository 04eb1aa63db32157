/** Gives the targets of health to runners that probe, by the pool of their token. */
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import {
  type HealthReport,
  type LeaseAnswer,
  type LeaseRequest,
  type ProbePool,
  type ReportAnswer,
  SHARED_PROBES,
} from "../../model/health/prober-desk.ts";
import type { RunnerCaller } from "../../model/people/permission.ts";
import { noteProbesOffered } from "../../persistence/verification/sampling-store.ts";
import { leaseShards, leaveProbing, ProberConflict, ProberRevoked } from "../health/lease-shards.ts";
import { reportHealth } from "../health/report-health.ts";
import { JobError } from "../job/job-error.ts";
import { recordContact, runnerRevoked, type RunnerReport } from "../job/record-contact.ts";
import type { Deps } from "../kit/deps.ts";

/** The heartbeat of a runner that probes. */
export type TargetClaim = RunnerReport & LeaseRequest;

export interface TargetDesk {
  /** A runner that takes no new work has no targets. Throws JobError. */
  lease(caller: RunnerCaller, claim: TargetClaim): Promise<LeaseAnswer>;
  report(caller: RunnerCaller, report: HealthReport): Promise<ReportAnswer>;
  leave(caller: RunnerCaller, proberId: string): Promise<void>;
}

export function createTargetDesk(deps: Deps): TargetDesk {
  return {
    lease: (caller, claim) => lease(deps, caller, claim),
    report: (caller, report) => reportHealth(deps, poolOf(caller), report),
    leave: (caller, proberId) => leaveProbing(deps, poolOf(caller), proberId),
  };
}

/** The pool comes from the token, never from the request. */
function poolOf({ poolId }: RunnerCaller): ProbePool {
  return poolId ?? SHARED_PROBES;
}

async function lease(deps: Deps, caller: RunnerCaller, claim: TargetClaim): Promise<LeaseAnswer> {
  const { proberId, perSecond, shards } = claim;
  const pool = poolOf(caller);
  const runner = await recordContact(deps, caller, claim);
  const at = deps.clock().toISOString();
  if (runner.drainRequested || runner.cycled || claim.runner.draining) {
    await leaveProbing(deps, pool, proberId);
    return { at, leaseMs: HEALTH_LIMITS.leaseMs, shards: [], held: [] };
  }
  await noteProbesOffered(deps.database, runner.id, at);
  return leaseShards(deps, pool, { proberId, perSecond, shards }, runner.id).catch((error: unknown) => {
    if (error instanceof ProberRevoked) throw runnerRevoked(claim.runner.name);
    if (error instanceof ProberConflict) throw new JobError("FORBIDDEN", "The prober is one of another pool.");
    throw error;
  });
}
