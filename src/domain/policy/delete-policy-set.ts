import type { ActorCaller } from "../../model/people/permission.ts";
import { markPolicySetDeleted } from "../../persistence/policy/policy-set-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { onPolicySet } from "./policy-set-command.ts";

/** Deletes a set. A judgement in progress keeps its version; what was found stays. */
export function deletePolicySet(
  deps: Deps,
  caller: ActorCaller,
  { policySetId }: { policySetId: string },
): Promise<string> {
  const spec = {
    ...onPolicySet(policySetId),
    name: "deletePolicySet",
    words: "deleting policy sets",
    presence: "ALWAYS",
  } as const;
  return command(deps, caller, spec, async (tx) => {
    await markPolicySetDeleted(tx, policySetId, deps.clock().toISOString());
    return policySetId;
  });
}
