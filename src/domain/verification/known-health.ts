import { failedSample, passedSample, type ProbeSample } from "../../model/probe/probe-sample.ts";
import type { Run } from "../../model/run/run.ts";
import type { PlannedProbe } from "../../model/verification/probe-plan.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listShownTargets } from "../../persistence/health/target-store.ts";

/** Returns what the health of a workspace knows about a target; `null` if it knows nothing. */
export type KnownHealth = (planned: PlannedProbe) => ProbeSample | null;

/** Reads what is known about the targets of a workspace before an apply of a run. */
export async function readKnownHealth(reader: Reader, { workspaceId }: Pick<Run, "workspaceId">): Promise<KnownHealth> {
  const targets = await listShownTargets(reader, [workspaceId]);
  return ({ progress: { name, resolvedTarget } }) => {
    const target = targets.find(
      ({ probe, address }) => probe === name && address !== null && address === resolvedTarget,
    );
    if (target === undefined || target.absent || target.status === "UNKNOWN") return null;
    if (target.status !== "UNREACHABLE") return passedSample(target.latencyMs ?? 0);
    return failedSample(target.failure ?? "CONNECT", target.reason ?? "It did not answer well.");
  };
}
