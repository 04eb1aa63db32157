import { rollbackRefusal } from "../../model/run/follow-up.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Deps } from "../kit/deps.ts";
import type { FollowUpInput } from "./follow-up-input.ts";
import { followUp } from "./follow-up-run.ts";
import type { CreatedRun } from "./run-idempotency.ts";
import { readRollbackVariables } from "../variables/run-variables.ts";

/**
 * Creates a DEPLOY from the source and the plain variables of an earlier applied run, with the current credentials. It
 * covers the whole configuration even if that run had targets: later resources must be removed.
 */
export function rollbackRun(deps: Deps, caller: ActorCaller, input: FollowUpInput): Promise<CreatedRun> {
  return followUp(deps, caller, input, {
    name: "rollbackRun",
    words: "rolling back",
    refusal: rollbackRefusal,
    inherit: async (reader, run) => ({
      trigger: "ROLLBACK",
      message: null,
      targets: [],
      replace: [],
      refreshOnly: false,
      metadata: {},
      priority: 0,
      variables: await readRollbackVariables(reader, deps, run),
    }),
  });
}
