import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, permissionsOfRun } from "../../model/people/permission.ts";
import { findWorkingRuns, type WorkingRun } from "../../persistence/people/run-caller-store.ts";
import { batchReads } from "../kit/batch-reads.ts";
import type { Deps } from "../kit/deps.ts";
import { readRunToken } from "./credentials.ts";

type RunDeps = Pick<Deps, "database" | "rights" | "clock">;

/**
 * Creates the function that returns the caller of the token of a run; `null` if it is not one of ours, or the lease of its
 * job is over. A token that is not ours takes no statement.
 */
export function createAuthenticateRun(deps: RunDeps & Pick<Deps, "cipher">) {
  const find = batchReads(
    (jobIds) => findWorkingRuns(deps.database, jobIds, deps.clock().toISOString()),
    LIMITS.keysPerRead,
  );
  return async (secret: string): Promise<ActorCaller | null> => {
    const jobId = readRunToken(deps.cipher, secret);
    if (jobId === null) return null;
    const [run = null] = await find([jobId]);
    return run === null ? null : callerOfRun(deps, run);
  };
}

/** Returns the caller of a job with its rights of now; `null` if its lease is over. */
export async function findCallerOfRun(deps: RunDeps, jobId: string): Promise<ActorCaller | null> {
  const [run = null] = await findWorkingRuns(deps.database, [jobId], deps.clock().toISOString());
  return run === null ? null : callerOfRun(deps, run);
}

async function callerOfRun({ rights: cache }: Pick<Deps, "rights">, run: WorkingRun): Promise<ActorCaller> {
  const { jobId, runId, workspaceId, actor, accessVersion: version } = run;
  const cap = permissionsOfRun(run);
  const holder = {
    credentialId: jobId,
    principalId: workspaceId,
    cap: { role: null, permissions: cap, scopeIds: null },
  };
  const { rights, accessVersion, until } = await cache.rightsOf(holder, version);
  return {
    type: "actor",
    credential: "RUN",
    credentialId: jobId,
    actor,
    rights,
    accessVersion,
    run: { id: runId, workspaceId, cap },
    ...(until !== null && { rightsUntil: until }),
  };
}
