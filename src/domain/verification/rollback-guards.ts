/** The values that must be equal now and after the run to which a workspace goes back. */
import type { Run } from "../../model/run/run.ts";
import type { RollbackGuard } from "../../model/workspace/rollback-settings.ts";
import { findOutputsAfter } from "../../persistence/verification/rollback-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readAllRunVariables } from "../variables/run-variables.ts";

/** Values by their names. A sensitive one is left out: it is not compared, so a guard of it counts as moved. */
type GuardedValues = ReadonlyMap<string, string>;

/** Returns whether a guarded value is another one now, or cannot be compared. */
export async function isGuardMoved(
  deps: Deps,
  { failed, target }: { failed: Run; target: Run },
  guards: readonly RollbackGuard[],
): Promise<boolean> {
  if (guards.length === 0) return false;
  const values = {
    OUTPUT: [await readOutputs(deps, target), await readOutputs(deps, failed)],
    VARIABLE: [await readVariables(deps, target), await readVariables(deps, failed)],
  } as const;
  return guards.some(({ type, name }) => {
    const [then, now] = values[type];
    return then.get(name) === undefined || then.get(name) !== now.get(name);
  });
}

async function readOutputs({ database }: Deps, { id }: Run): Promise<GuardedValues> {
  const found = (await findOutputsAfter(database, id)) ?? [];
  return new Map(found.flatMap(({ name, value, sensitive }) => (sensitive ? [] : [[name, JSON.stringify(value)]])));
}

async function readVariables(deps: Deps, { id }: Run): Promise<GuardedValues> {
  const found = await readAllRunVariables(deps.database, deps, id);
  return new Map(
    found.flatMap(({ key, value, category, sensitive }) => (category === "ENGINE" && !sensitive ? [[key, value]] : [])),
  );
}
