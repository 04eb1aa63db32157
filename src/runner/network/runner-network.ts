/** The network in which a runner sends requests for its server. */
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";

/**
 * Returns the targets that a runner may reach: public addresses, those of private networks, and those that
 * HOLDPOINT_RUNNER_NETWORK_ALLOW names. Link-local addresses and metadata services are refused also if it names them.
 */
export function runnerTargets(networkAllow: readonly AllowedTarget[]): readonly AllowedTarget[] {
  return [{ type: "private" }, ...networkAllow];
}
