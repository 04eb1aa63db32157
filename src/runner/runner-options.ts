import type { EngineIsolation } from "./engine/engine-command.ts";
import type { FoundEngine } from "./engine/engine-discovery.ts";
import type { RunnerLimits } from "./kit/runner-limits.ts";
import type { RunnerLog } from "./kit/runner-log.ts";

/** What a runner is, apart from the objects that live in its process: plain data that can travel between processes. */
export interface RunnerSettings {
  /** Base address of the server; the protocol lies below `/runner/v1`. */
  serverUrl: string;
  /** The runner token, for claims. */
  token: string;
  name: string;
  version: string;
  /** Runs may ask for some of them. */
  labels: string[];
  /**
   * The pool that the token is said to belong to, as its name or `organization/name`: where the server says otherwise the
   * runner ends. null: nobody asks.
   */
  pool: string | null;
  /** How many jobs are worked on at the same time. */
  slots: number;
  /** null where none is installed: jobs then fail with ENGINE_MISSING. */
  engine: FoundEngine | null;
  /** Created when missing. Where engines of `engineUid` cannot pass its parents, another folder is used. */
  workDir: string;
  /**
   * Where the runner is root: the first of the user ids for engines; every slot has one of its own, from here on. null:
   * the engine runs as the runner's own user.
   */
  engineUid: number | null;
  isolation: EngineIsolation;
  /** Environment of the server that the engine may see (it is filtered again). */
  inherited: Record<string, string>;
}

export interface RunnerOptions extends RunnerSettings {
  log: RunnerLog;
  clock: () => Date;
  /** Unguessable: the names and the passwords of the state backends come from it. */
  randomId: () => string;
  /** Other bounds than the built-in ones. */
  limits?: Partial<RunnerLimits>;
}

export interface Runner {
  /** No new claims. Plan jobs are handed back at once, applies are waited for. */
  drain(): void;
  /** Drains, and ends running applies by SIGINT, so that their state is saved. */
  interrupt(): void;
  /**
   * Fulfilled when every job has ended and was reported. Rejected with TokenRefused or WrongPool where the server does
   * not want this runner (jobs at work have ended by then), and where there is no folder to work in.
   */
  readonly done: Promise<void>;
}
