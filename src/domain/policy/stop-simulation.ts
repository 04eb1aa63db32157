import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { PolicySimulation } from "../../model/policy/policy-simulation.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { endSimulation, lockSimulation } from "../../persistence/policy/policy-simulation-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { placeOfPolicySet } from "./policy-set-command.ts";

/** Stops a simulation. The plans that were judged keep their results; one that has ended does not change. */
export function stopPolicySimulation(
  deps: Deps,
  caller: ActorCaller,
  { simulationId }: { simulationId: string },
): Promise<PolicySimulation> {
  const spec = {
    name: "stopPolicySimulation",
    subjectId: simulationId,
    noun: "simulation",
    find: async (tx: Transaction) =>
      idKind(simulationId) === "policySimulation" ? lockSimulation(tx, simulationId) : null,
    placeOf: placeOfPolicySet,
    sight: "POLICY_READ",
    permission: "POLICY_WRITE",
    words: "stopping simulations",
  } as const;
  return command(deps, caller, spec, async (tx, simulation): Promise<PolicySimulation> => {
    if (simulation.state !== "RUNNING") return simulation;
    const at = deps.clock().toISOString();
    await endSimulation(tx, simulationId, { state: "STOPPED", at });
    return { ...simulation, state: "STOPPED", finishedAt: at };
  });
}
