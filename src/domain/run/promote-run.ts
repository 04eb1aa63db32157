import { promotionRefusal } from "../../model/run/follow-up.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Deps } from "../kit/deps.ts";
import type { FollowUpInput } from "./follow-up-input.ts";
import { triggerOf } from "./create-run.ts";
import { followUp } from "./follow-up-run.ts";
import type { CreatedRun } from "./run-idempotency.ts";

/** Creates a DEPLOY from a finished PLAN run: same source, same targets, current variables. */
export function promoteRun(deps: Deps, caller: ActorCaller, input: FollowUpInput): Promise<CreatedRun> {
  return followUp(deps, caller, input, {
    name: "promoteRun",
    words: "promoting runs",
    refusal: promotionRefusal,
    inherit: (_, { message, targets, replace, refreshOnly, metadata, priority }) => ({
      trigger: triggerOf(caller),
      message,
      targets,
      replace,
      refreshOnly,
      metadata,
      priority,
      variables: null,
    }),
  });
}
