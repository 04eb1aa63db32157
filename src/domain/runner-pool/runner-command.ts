/** What the commands about a runner have in common. */
import { idKind } from "../../model/kit/id.ts";
import { can, type TokenCaller } from "../../model/people/permission.ts";
import type { Runner } from "../../model/runner/runner.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findRunners, lockRunner } from "../../persistence/runner/runner-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { settleReach } from "../lifecycle/reach.ts";

export interface RunnerCommandSpec {
  name: string;
  runnerId: string;
  /** For the error of somebody who may not: "draining runners". */
  words: string;
}

type LockedRunner = NonNullable<Awaited<ReturnType<typeof lockRunner>>>;

/**
 * Authorises, locks the row of the runner and does the work in one transaction; then `after`, and what waits for runners
 * is told. Refusals are recorded. Gives the runner as it is then.
 */
export function commandRunner(
  deps: Deps,
  caller: TokenCaller,
  { name, runnerId, words }: RunnerCommandSpec,
  work: (tx: Transaction, runner: LockedRunner) => Promise<void>,
  after: () => Promise<void> = async () => undefined,
): Promise<Runner> {
  return recorded(deps, caller, name, runnerId, async () => {
    await deps.database.transaction(async (tx) => {
      const runner = idKind(runnerId) === "runner" ? await lockRunner(tx, runnerId) : null;
      if (runner === null || !can(caller, "runner:read")) throw notFound("runner");
      authorize(caller, "runner:command", words);
      await work(tx, runner);
      // A runner that waits for work is to hear of it.
      tx.announce("work");
    });
    await after();
    await settleReach(deps);
    const [runner = null] = await findRunners(deps.database, [runnerId], deps.clock());
    if (runner === null) throw notFound("runner");
    return runner;
  });
}
