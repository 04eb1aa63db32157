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

/** A runner as it says that it is; what an older one does not say is as a runner without it. */
export interface RunnerReport {
  runner: Pick<ClaimingRunner, "name" | "version"> & Partial<ClaimingRunner>;
  engine?: EngineVersion | null;
}

/**
 * Notes that a runner asks for work. One that comes, or comes back, makes runs reachable that nobody could take. Throws
 * UNAUTHENTICATED where it was revoked, or its token was.
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
  if (seen === "NO_TOKEN") throw new JobError("UNAUTHENTICATED", "The token is not valid any more.");
  if (seen === "REVOKED") {
    const message = `The runner ${JSON.stringify(runner.name)} was revoked. It gets no work under this name until an admin resumes it.`;
    throw new JobError("UNAUTHENTICATED", message);
  }
  if (affectsWaitingRuns(seen, runner.draining === true, now)) await updateReachability(deps);
  return seen;
}

/** Whether it differs, as far as others may wait for it, from when it was last heard from. */
function affectsWaitingRuns({ former, labels }: SeenRunner, draining: boolean, now: Date): boolean {
  if (former === null || !isOnline({ lastSeenAt: former.lastSeenAt, revokedAt: null }, now)) return true;
  return draining !== former.draining || labels.join(" ") !== former.labels.join(" ");
}

/** Whom a runner works for. */
export interface RunnerAssignment {
  /** `organization` is its slug; null: all organizations. */
  pool: { id: string; name: string; organization: string } | null;
}

/** What a runner may know before it asks for work. */
export async function describeRunner({ database }: Deps, { poolId }: RunnerCaller): Promise<RunnerAssignment> {
  if (poolId === null) return { pool: null };
  const [pool = null] = await findRunnerPools(database, [poolId]);
  const [organization = null] = pool === null ? [] : await findOrganizations(database, [pool.organizationId]);
  if (pool === null || organization === null) {
    throw new JobError("UNAUTHENTICATED", "The token is not valid any more.");
  }
  return { pool: { id: pool.id, name: pool.name, organization: organization.slug } };
}
