import type { ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import { authorize } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { checkPlanVersion, commandRun, decideOrThrow } from "./run-command.ts";

export interface DiscardRunInput {
  runId: string;
  planVersion: number | null;
  comment: string | null;
}

/** Returns the permission that a discard requires; for an approved run that is the permission to approve applies. */
export function permissionToDiscard({ status }: Pick<Run, "status">): Permission {
  return STATUS_TRAITS[status].approved ? permissionToApprove("APPLY") : "RUN_DISCARD";
}

/** Ends a run as DISCARDED: at either gate, or approved and not yet claimed. */
export function discardRun(deps: Deps, caller: ActorCaller, input: DiscardRunInput): Promise<Run> {
  const { runId, planVersion, comment } = input;
  const spec = {
    name: "discardRun",
    permission: "RUN_DISCARD",
    words: "discarding runs",
    runId,
    comment,
    check: (check) => checkPlanVersion(check, planVersion),
    examine: async (_tx, { run }) =>
      authorize(caller, { permission: permissionToDiscard(run), words: "discarding approved runs" }, run),
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, (tx, locked) =>
    applyTransition(tx, deps, locked, decideOrThrow(locked, { type: "discard", planVersion }), {
      actorId: caller.actor.id,
      reason: comment,
    }),
  );
}
