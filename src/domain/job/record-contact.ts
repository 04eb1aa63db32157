import { isOnline } from "../../model/runner/runner-state.ts";
import type { RunnerCaller } from "../../model/people/permission.ts";
import type { EngineVersion } from "../../model/plan/plan.ts";
import type { ClaimingRunner } from "../../model/runner/runner.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findRunnerPools } from "../../persistence/runner/runner-pool-store.ts";
import { seeRunner, type SeenRunner } from "../../persistence/runner/runner-store.ts";
import type { Deps } from "../kit/deps.ts";
import { updateReachability } from "../lifecycle/update-reachability.ts";
import { JobError } from "./job-error.ts";

/** A runner's description of itself. */
export interface RunnerReport {
  runner: ClaimingRunner;
  engine?: EngineVersion | null;
}

/**
 * Records that a runner asked for work. If it is new, back, or changed, updates which runs have a runner. Throws
 * UNAUTHENTICATED if the runner or its token was revoked.
 */
export async function recordContact(
  deps: Deps,
  caller: RunnerCaller,
  { runner, engine }: RunnerReport,
): Promise<SeenRunner> {
  const { poolId, tokenId } = caller;
  const now = deps.clock();
  const seen = await seeRunner(deps.database, {
    ...runner,
    id: deps.newId("runner"),
    at: now.toISOString(),
    door: poolId === null || tokenId === undefined ? null : { poolId, tokenId },
    engine: engine ?? null,
  });
  if (seen === "NO_TOKEN")
    throw new JobError(
      "UNAUTHENTICATED",
      "The runner token is no longer valid. Create a new one and start the runner with it.",
    );
  if (seen === "REVOKED") throw runnerRevoked(runner.name);
  if (affectsWaitingRuns(seen, runner.draining, now)) await updateReachability(deps);
  return seen;
}

/** Makes the error of a runner that was revoked. */
export function runnerRevoked(name: string): JobError {
  const message = `The runner ${JSON.stringify(name)} was revoked. Resume it with \`resumeRunner\`, or give the runner another name.`;
  return new JobError("UNAUTHENTICATED", message);
}

/** Whether the runner changed since its last request in a way that waiting runs depend on. */
function affectsWaitingRuns({ former, labels }: SeenRunner, draining: boolean, now: Date): boolean {
  if (former === null || !isOnline({ lastSeenAt: former.lastSeenAt, revokedAt: null }, now)) return true;
  return draining !== former.draining || labels.join(" ") !== former.labels.join(" ");
}

/** The pool that a runner works for. */
export interface RunnerAssignment {
  /** `organization` is its slug. `null`: the runner works for all organizations. */
  pool: { id: string; name: string; organization: string } | null;
}

/** Describes a runner's pool before it asks for work. Throws UNAUTHENTICATED if the pool is gone. */
export async function describeRunner({ database }: Deps, { poolId }: RunnerCaller): Promise<RunnerAssignment> {
  if (poolId === null) return { pool: null };
  const [pool = null] = await findRunnerPools(database, [poolId]);
  const [organization = null] = pool === null ? [] : await findOrganizations(database, [pool.organizationId]);
  if (pool === null || organization === null) {
    throw new JobError(
      "UNAUTHENTICATED",
      "The runner token is no longer valid. Create a new one and start the runner with it.",
    );
  }
  return { pool: { id: pool.id, name: pool.name, organization: organization.slug } };
}
