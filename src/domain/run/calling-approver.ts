import { approverKindOf } from "../../model/approval/approver.ts";
import type { PresentApprover } from "../../model/approval/quorum.ts";
import type { RunRules } from "../../model/approval/run-rules.ts";
import type { RunStage } from "../../model/approval/run-stage.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { personOf } from "../../model/people/sponsor.ts";
import { isPresent } from "../access/presence.ts";
import type { Deps } from "../kit/deps.ts";

/** Returns the caller as approval rules see it. `teamIds`: its teams, needed only where a rule names teams. */
export function callingApprover(
  { clock, hasIdentityProvider }: Pick<Deps, "clock" | "hasIdentityProvider">,
  caller: ActorCaller,
  teamIds: readonly string[],
): PresentApprover {
  const { actor, identifiedBy = null, sponsor } = caller;
  const at = clock();
  const kind = approverKindOf(actor.kind, identifiedBy, hasIdentityProvider);
  const countsAs = personOf(actor.id, sponsor, at.toISOString());
  return { actorId: actor.id, kind, countsAs, teamIds, present: isPresent(caller, at) };
}

/** Whether it depends on teams who may approve a run. */
export function namesTeams({
  rules,
  stages,
}: {
  rules: Pick<RunRules, "approvalRules">;
  stages: readonly RunStage[];
}): boolean {
  return [...rules.approvalRules, ...stages].some(({ teamIds }) => teamIds.length > 0);
}
