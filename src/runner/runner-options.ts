import type { EngineIsolation } from "./engine/engine-command.ts";
import type { FoundEngine } from "./engine/engine-discovery.ts";
import type { AllowedTarget } from "../model/kit/allowed-target.ts";
import type { RunnerLimits } from "./kit/runner-limits.ts";
import type { RunnerLog } from "./kit/runner-log.ts";

/** Settings of a runner: plain data that can be sent to another process. */
export interface RunnerSettings {
  /** Base address of the server; the protocol is below `/runner/v1`. */
  serverUrl: string;
  /** The runner token, for claims. */
  token: string;
  name: string;
  version: string;
  /** Workspaces may require some of them. */
  labels: string[];
  /**
   * The expected pool of the token, as its name or `organization/name`. If the server names another, the runner ends.
   * `null`: not checked.
   */
  pool: string | null;
  /** Number of jobs at the same time. */
  slots: number;
  /** `null` if none is installed: jobs then fail with ENGINE_MISSING. */
  engine: FoundEngine | null;
  /** Created if missing. If engines of `engineUid` cannot pass its parents, another folder is used. */
  workDir: string;
  /**
   * User id of the first slot's engines if the runner is root; later slots have the next ids. `null`: engines run as the
   * runner's own user.
   */
  engineUid: number | null;
  isolation: EngineIsolation;
  /** Environment that the engine may see; it is filtered again. */
  inherited: Record<string, string>;
}

/** How a runner samples probes. */
export interface ProbingSettings {
  /** Requests that begin in a second, at most. */
  perSecond: number;
  /** The only targets that probes may reach; `null`: those of all requests for the server. */
  allow: readonly AllowedTarget[] | null;
}

export interface RunnerOptions extends RunnerSettings {
  log: RunnerLog;
  clock: () => Date;
  /** Whether it sends requests of external checks for its pool. Absent: it does not. */
  sendsChecks?: boolean;
  /** Whether it samples probes of verifications. Absent, or `null`: it does not. */
  probing?: ProbingSettings | null;
  /** Targets that requests for the server may reach beside public addresses and private networks. Absent: none. */
  networkAllow?: readonly AllowedTarget[];
  /** Must be unguessable: names and passwords of state backends are made of it. */
  randomId: () => string;
  /** Overrides of RUNNER_LIMITS. */
  limits?: Partial<RunnerLimits>;
}

export interface Runner {
  /** Stops claims. Plans are handed back at once, applies are waited for. */
  drain(): void;
  /** Drains, and ends applies by SIGINT, so that their state is saved. */
  interrupt(): void;
  /**
   * Resolves when every job has ended and was reported. Rejects with TokenRefused or WrongPool if the server refuses this
   * runner, once its jobs have ended, and if there is no folder to work in.
   */
  readonly done: Promise<void>;
}
