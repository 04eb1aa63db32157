import type { ActorCaller } from "../../model/people/permission.ts";
import type { Runner } from "../../model/runner/runner.ts";
import { orderRunner } from "../../persistence/runner/runner-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandRunner } from "./runner-command.ts";

export interface RunnerOrder {
  runnerId: string;
}

/** Drains a runner: it finishes its jobs and claims no more. */
export function drainRunner(deps: Deps, caller: ActorCaller, { runnerId }: RunnerOrder): Promise<Runner> {
  const drainRequestedAt = deps.clock().toISOString();
  return commandRunner(deps, caller, { name: "drainRunner", runnerId, words: "draining runners" }, (tx) =>
    orderRunner(tx, runnerId, { drainRequestedAt }),
  );
}

/** Lets a runner claim again, also after it was revoked. */
export function resumeRunner(deps: Deps, caller: ActorCaller, { runnerId }: RunnerOrder): Promise<Runner> {
  return commandRunner(deps, caller, { name: "resumeRunner", runnerId, words: "resuming runners" }, (tx) =>
    orderRunner(tx, runnerId, { drainRequestedAt: null, cycleInstance: null, revokedAt: null }),
  );
}

/** Restarts a runner: its process finishes its jobs and exits, and its supervisor starts it again. */
export function cycleRunner(deps: Deps, caller: ActorCaller, { runnerId }: RunnerOrder): Promise<Runner> {
  return commandRunner(deps, caller, { name: "cycleRunner", runnerId, words: "cycling runners" }, (tx, { instance }) =>
    orderRunner(tx, runnerId, { cycleInstance: instance }),
  );
}
