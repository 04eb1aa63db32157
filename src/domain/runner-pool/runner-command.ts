/** The template of commands about a runner. */
import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Runner } from "../../model/runner/runner.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findRunners, lockRunner } from "../../persistence/runner/runner-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command } from "../access/command.ts";
import { updateReachability } from "../lifecycle/update-reachability.ts";

export interface RunnerCommandSpec {
  name: string;
  runnerId: string;
  /** The action in the error FORBIDDEN, for example "draining runners". */
  words: string;
}

type LockedRunner = NonNullable<Awaited<ReturnType<typeof lockRunner>>>;

/**
 * Runs a command about a runner, under the lock of its row (`command`). Then runs `after`, settles the runs that wait
 * for runners, and returns the runner.
 */
export async function commandRunner(
  deps: Deps,
  caller: ActorCaller,
  { name, runnerId, words }: RunnerCommandSpec,
  work: (tx: Transaction, runner: LockedRunner) => Promise<void>,
  after: () => Promise<void> = async () => undefined,
): Promise<Runner> {
  const spec = {
    name,
    subjectId: runnerId,
    noun: "runner",
    find: async (tx: Transaction) => (idKind(runnerId) === "runner" ? lockRunner(tx, runnerId) : null),
    placeOf: (runner: LockedRunner) => runner,
    sight: "RUNNER_READ",
    permission: "RUNNER_COMMAND",
    words,
  } as const;
  await command(deps, caller, spec, async (tx, runner) => {
    await work(tx, runner);
    // Wakes the runner if it waits for work.
    tx.announce("work");
  });
  await after();
  await updateReachability(deps);
  const [runner = null] = await findRunners(deps.database, [runnerId], deps.clock());
  if (runner === null) throw notFound("runner");
  return runner;
}
