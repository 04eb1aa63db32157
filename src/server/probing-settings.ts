import { type AllowedTarget, allowedTargets } from "./allowed-targets.ts";
import { type ReadSetting, wholeNumber } from "./setting.ts";

/** How a runner samples probes. */
export interface ProbingConfig {
  /** Requests that begin in a second, at most. */
  readonly perSecond: number;
  /** The only targets that probes may reach; `null`: those of all requests of the runner for its server. */
  readonly allow: readonly AllowedTarget[] | null;
}

const MAX_PER_SECOND = 1000;

/** Reads the settings of a runner's probes; `null`: it sends none. */
export function readProbing(read: ReadSetting): ProbingConfig | null {
  const perSecond = read("HOLDPOINT_RUNNER_PROBES", 0, (text) => wholeNumber(text, MAX_PER_SECOND, "0 for no probes"));
  const allow = read<readonly AllowedTarget[] | null>("HOLDPOINT_RUNNER_PROBE_ALLOW", null, allowedTargets);
  return perSecond === 0 ? null : { perSecond, allow };
}
