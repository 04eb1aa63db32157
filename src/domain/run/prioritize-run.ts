import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import type { Run } from "../../model/run/run.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { Deps } from "../kit/deps.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";
import { commandRun } from "./run-command.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";

export interface PrioritizeRunInput {
  runId: string;
  priority: number;
}

/** Moves a run that waits for its workspace or a runner before or behind others of its class. */
export function prioritizeRun(deps: Deps, caller: ActorCaller, input: PrioritizeRunInput): Promise<Run> {
  const { runId, priority } = input;
  const spec = {
    name: "prioritizeRun",
    permission: ({ kind }: Run) => permissionToRun(kind),
    words: "changing the priority of runs",
    runId,
    comment: null,
    check: (check) => {
      const ok = Math.abs(priority) <= LIMITS.priority;
      check.require(ok, "priority", `must be from -${LIMITS.priority} to ${LIMITS.priority}.`);
    },
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, async (tx, locked) => {
    const { run } = locked;
    const { queued, claimable } = STATUS_TRAITS[run.status];
    if (!queued && !claimable) {
      const message = `Cannot prioritize a run of kind ${run.kind} that is ${run.status}: only a run that waits for its workspace or a runner has a priority.`;
      throw new UserError("RUN_STATE_CONFLICT", message, { runId });
    }
    if (run.priority === priority) return run;
    const changed = await recordUpdate(tx, deps, run, {
      actorId: caller.actor.id,
      set: { priority },
      events: [{ type: "CHANGED", fields: ["priority"] }],
    });
    await settleWorkspace(tx, deps, run.workspaceId);
    return changed;
  });
}
