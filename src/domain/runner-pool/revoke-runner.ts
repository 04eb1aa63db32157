import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Runner } from "../../model/runner/runner.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { findRuns } from "../../persistence/run/run-store.ts";
import { listRunnerJobs, orderRunner } from "../../persistence/runner/runner-store.ts";
import { removeProbers } from "../../persistence/health/prober-store.ts";
import type { Deps } from "../kit/deps.ts";
import { loseRevoked } from "../lease/lose-lease.ts";
import { commandRunner } from "./runner-command.ts";

/**
 * Revokes a runner by its name and ends its leases; plans go to another runner. Refused while it applies, unless
 * `force`: the result of the apply is then not known. After an interruption the command must be repeated.
 */
export function revokeRunner(
  deps: Deps,
  caller: ActorCaller,
  { runnerId, force }: { runnerId: string; force: boolean },
): Promise<Runner> {
  const { database, clock } = deps;
  const spec = { name: "revokeRunner", runnerId, words: "revoking runners" };
  return commandRunner(
    deps,
    caller,
    spec,
    async (tx) => {
      const [jobs = []] = await listRunnerJobs(tx, [runnerId]);
      const ids = jobs.map(({ runId }) => runId);
      const runs = ids.length === 0 ? [] : await findRuns(tx, ids);
      const applying = runs.find((run) => run !== null && STATUS_TRAITS[run.status].changesInfrastructure);
      if (!force && applying) {
        const message = `The runner executes run ${applying.number}, which is ${applying.status}. Drain it and wait, or use \`force\`.`;
        throw new UserError("RUN_STATE_CONFLICT", message, { runId: applying.id });
      }
      const at = clock().toISOString();
      await orderRunner(tx, runnerId, { revokedAt: at });
      // What it reports about health from now on has no lease.
      await removeProbers(tx, { runnerId }, at);
    },
    async () => {
      // The runner can claim nothing more. A plan that was just reported continues as an apply, under its own lease.
      for (const seen = new Set<string>(); ; ) {
        const [all = []] = await listRunnerJobs(database, [runnerId]);
        const jobs = all.filter(({ id }) => !seen.has(id));
        if (jobs.length === 0) return;
        for (const job of jobs) {
          seen.add(job.id);
          // The runner is revoked: its leases end even if the rights of the caller went meanwhile.
          await database.transaction((tx) => loseRevoked(tx, deps, job, force), null);
        }
      }
    },
  );
}
