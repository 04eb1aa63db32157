import { toFailure } from "../../model/lifecycle/failure.ts";
import type { RunCommand } from "../../model/lifecycle/run-machine.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { giveOutputs, takesOutputs, type UnusableOutput } from "../variables/upstream-outputs.ts";
import type { LockedRun } from "./machine-input.ts";
import type { ChangeDetails } from "./transition-changes.ts";

/** The command that admits a queued run, or ends it instead. */
export interface Admission {
  command: RunCommand;
  details: Omit<ChangeDetails, "actorId">;
}

/**
 * Gives a queued run the outputs that its workspace takes from others, and decides whether it is admitted: a run fails if an
 * output is missing. A workspace that takes none costs no statement.
 */
export async function prepareAdmission(tx: Transaction, deps: Deps, { run, workspace }: LockedRun): Promise<Admission> {
  if (!workspace.takesOutputs || !takesOutputs(run)) return { command: { type: "admit" }, details: {} };
  const { variablesSealed, unusable } = await giveOutputs(tx, deps, run);
  if (variablesSealed !== null) return { command: { type: "admit" }, details: { set: { variablesSealed } } };
  return { command: { type: "dependencyFailed" }, details: { set: { failure: failureOf(unusable) } } };
}

function failureOf(unusable: readonly UnusableOutput[]) {
  const [first] = unusable;
  const more = unusable.length > 1 ? `, and ${unusable.length - 1} more` : "";
  const summary = `The output ${first?.reference.output ?? ""} of a workspace upstream ${first?.problem ?? "is missing"}${more}.`;
  const each = unusable.map(({ reference, problem }) => {
    return `The output ${reference.output}, which is the variable ${reference.key}, ${problem}.`;
  });
  const message = `${each.join("\n")}\nApply the workspace upstream with this output, or change the dependency. Then run again.`;
  const upstreamIds = [...new Set(unusable.map(({ upstreamId }) => upstreamId))];
  return toFailure({ code: "DEPENDENCY_OUTPUT_MISSING", summary, message, evidence: [], upstreamIds }, false);
}
