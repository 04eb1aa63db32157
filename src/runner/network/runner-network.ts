/** The network in which a runner sends requests for its server. */
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";

/** The failure of a request to an address that a runner does not reach. */
export const REFUSED_BY_RUNNER =
  "The runner does not reach this address. HOLDPOINT_RUNNER_NETWORK_ALLOW of the runner can allow it, " +
  "unless it is link-local or the metadata service of a cloud.";

/**
 * Returns the targets that a runner may reach: public addresses, those of private networks, and those that
 * HOLDPOINT_RUNNER_NETWORK_ALLOW names. Link-local addresses and metadata services are refused also if it names them.
 */
export function runnerTargets(networkAllow: readonly AllowedTarget[]): readonly AllowedTarget[] {
  return [{ type: "private" }, ...networkAllow];
}

/**
 * Returns the targets that probes of a runner may reach: those of its other requests, or those that
 * HOLDPOINT_RUNNER_PROBE_ALLOW names and no others. `probeAllow`: `null` if it is not set.
 */
export function probeTargets(
  probeAllow: readonly AllowedTarget[] | null,
  networkAllow: readonly AllowedTarget[],
): readonly AllowedTarget[] {
  return probeAllow === null ? runnerTargets(networkAllow) : [{ type: "only" }, ...probeAllow];
}
