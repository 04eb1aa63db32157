import type { ActorCaller } from "../../model/people/permission.ts";
import { personOf } from "../../model/people/sponsor.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { Deps } from "../kit/deps.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { checkPlanVersion, commandRun, decideOrThrow } from "./run-command.ts";
import { checkAddressesExist, checkReplace, checkReplaceOf, checkTargets } from "./run-input.ts";

export interface ReplanRunInput {
  runId: string;
  planVersion: number;
  targets: string[] | null;
  replace: string[] | null;
  comment: string | null;
}

/** Plans a run again. The older plan stays visible; its approvals no longer count. */
export function replanRun(deps: Deps, caller: ActorCaller, input: ReplanRunInput): Promise<Run> {
  const { runId, planVersion, targets, replace, comment } = input;
  const spec = {
    name: "replanRun",
    permission: ({ kind }: Run) => permissionToRun(kind),
    words: "replanning runs",
    runId,
    comment,
    check: (check) => {
      checkPlanVersion(check, planVersion);
      checkTargets(check, targets);
      checkReplace(check, replace);
    },
    examine: async (tx, { run }, check) => {
      checkReplaceOf(check, run, replace);
      await checkAddressesExist(tx, check, runId, targets ?? [], replace ?? []);
    },
  } satisfies Parameters<typeof commandRun>[2];
  const person = personOf(caller.actor.id, caller.sponsor, deps.clock().toISOString());
  return commandRun(deps, caller, spec, (tx, locked) =>
    applyTransition(tx, deps, locked, decideOrThrow(locked, { type: "replan", planVersion }), {
      actorId: caller.actor.id,
      reason: comment,
      set: {
        attempt: 0,
        replannedById: caller.actor.id,
        ...(person !== caller.actor.id && {
          requestedByIds: [...new Set([...locked.run.requestedByIds, person])],
        }),
        ...(targets !== null && { targets }),
        ...(replace !== null && { replace }),
      },
    }),
  );
}
