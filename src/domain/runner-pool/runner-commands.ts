import { invalidField } from "../../model/kit/user-error.ts";
import { orderRunner } from "../../persistence/runner/runner-store.ts";
import type { Deps } from "../kit/deps.ts";
import { createRunnerPool } from "./create-runner-pool.ts";
import { createRunnerToken } from "./create-runner-token.ts";
import { deleteRunnerPool } from "./delete-runner-pool.ts";
import { revokeRunner } from "./revoke-runner.ts";
import { revokeRunnerToken } from "./revoke-runner-token.ts";
import { commandRunner } from "./runner-command.ts";
import type { RunnerCommands } from "./runner-domain.ts";
import { updateRunnerPool } from "./update-runner-pool.ts";

export function createRunnerCommands(deps: Deps): RunnerCommands {
  const now = () => deps.clock().toISOString();
  return {
    createRunnerPool: (caller, input) => createRunnerPool(deps, caller, input),
    updateRunnerPool: (caller, input) => updateRunnerPool(deps, caller, input),
    deleteRunnerPool: (caller, input) => deleteRunnerPool(deps, caller, input),
    createRunnerToken: (caller, input) => createRunnerToken(deps, caller, input),
    revokeRunnerToken: (caller, input) => revokeRunnerToken(deps, caller, input),
    revokeRunner: (caller, input) => revokeRunner(deps, caller, input),
    drainRunner: (caller, { runnerId }) =>
      commandRunner(deps, caller, { name: "drainRunner", runnerId, words: "draining runners" }, (tx) =>
        orderRunner(tx, runnerId, { drainRequestedAt: now() }),
      ),
    resumeRunner: (caller, { runnerId }) =>
      commandRunner(deps, caller, { name: "resumeRunner", runnerId, words: "resuming runners" }, (tx) =>
        orderRunner(tx, runnerId, { drainRequestedAt: null, cycleInstance: null, revokedAt: null }),
      ),
    cycleRunner: (caller, { runnerId }) =>
      commandRunner(deps, caller, { name: "cycleRunner", runnerId, words: "cycling runners" }, (tx, { instance }) => {
        if (instance === null)
          throw invalidField("runnerId", "is of a release that cannot be cycled: restart it by hand.");
        return orderRunner(tx, runnerId, { cycleInstance: instance });
      }),
  };
}
