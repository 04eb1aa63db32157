import type { TokenCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { Deps } from "../kit/deps.ts";
import type { Commands } from "../domain.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { checkPlanVersion, commandRun, decideOrThrow } from "./run-command.ts";

/** The plan is not wanted: the run ends DISCARDED, at either gate. */
export function discardRun(
  deps: Deps,
  caller: TokenCaller,
  input: Parameters<Commands["discardRun"]>[1],
): Promise<Run> {
  const { runId, planVersion, comment } = input;
  const spec = {
    name: "discardRun",
    permission: "run:discard",
    words: "discarding runs",
    runId,
    comment,
    check: (check) => checkPlanVersion(check, planVersion),
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, (tx, locked) =>
    applyTransition(tx, deps, locked, decideOrThrow(locked, { type: "discard", planVersion }), {
      actorId: caller.actor.id,
      reason: comment,
    }),
  );
}
