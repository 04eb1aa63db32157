/** The targets of a workspace whose health is watched. Pure. */
import { isForHealth, isNetworkKind, type Probe, type ProbeWeight } from "../probe/probe.ts";
import type { ProbeRequest } from "../probe/probe-request.ts";
import { type ProbeValues, resolveProbe } from "../probe/resolve-probe.ts";
import { poolOfProbe, type ProbePool } from "./prober-desk.ts";
import { placeOfTarget, type TargetKey } from "./target-hash.ts";

/** The result of the runs of a workspace: whether something is there to be probed. */
export type Deployed = "NOTHING" | "DESTROYED" | "APPLIED";

/** A target of a probe without its state, or the reason for which the probe has none. */
export interface PlannedTarget extends TargetKey {
  weight: ProbeWeight;
  pool: ProbePool;
  shard: number;
  /** `null`: it is not known, because of `unresolved`. */
  address: string | null;
  unresolved: string | null;
  request: ProbeRequest | null;
  intervalMs: number;
}

const NOT_DEPLOYED: Readonly<Record<Exclude<Deployed, "APPLIED">, string>> = {
  NOTHING: "Nothing is applied yet.",
  DESTROYED: "The applied resources are destroyed.",
};

/** Returns the targets of the probes that are sent all the time. Where nothing is deployed, nothing is probed. */
export function planTargets(
  workspace: { id: string; runnerPoolId: string | null },
  probes: readonly Probe[],
  values: ProbeValues,
  deployed: Deployed,
): PlannedTarget[] {
  return probes
    .filter((probe) => isForHealth(probe) && isNetworkKind(probe.kind))
    .flatMap((probe) => {
      const { name, weight, from, intervalSeconds } = probe;
      const shared = { weight, pool: poolOfProbe(from, workspace.runnerPoolId), intervalMs: intervalSeconds * 1000 };
      const target = (
        number: number,
        about: Pick<PlannedTarget, "address" | "unresolved" | "request">,
      ): PlannedTarget => {
        const key = { workspaceId: workspace.id, probe: name, number };
        return { ...key, ...shared, ...about, shard: placeOfTarget(key).shard };
      };
      const none = (unresolved: string): PlannedTarget[] => [target(0, { address: null, unresolved, request: null })];
      if (deployed !== "APPLIED") return none(NOT_DEPLOYED[deployed]);
      const { targets, unresolved } = resolveProbe(probe, values);
      if (unresolved !== null) return none(unresolved);
      return targets.map(({ number, address, request }) => target(number, { address, request, unresolved: null }));
    });
}
