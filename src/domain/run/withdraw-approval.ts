import { STATUS_AT } from "../../model/run/gates-ahead.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { Deps } from "../kit/deps.ts";
import type { WithdrawApprovalInput } from "./approval-commands.ts";
import { askAbout } from "../lifecycle/approval-question.ts";
import { recordApproval } from "../lifecycle/record-approval.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";
import { commandRun } from "./run-command.ts";

/** Takes back what the caller approved at the gate that the run still waits at: of every stage of it. */
export function withdrawApproval(deps: Deps, caller: TokenCaller, input: WithdrawApprovalInput): Promise<Run> {
  const { runId, gate, comment } = input;
  const spec = {
    name: "withdrawApproval",
    permission: "run:approve",
    words: "withdrawing approvals",
    runId,
    comment,
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, async (tx, locked) => {
    const conflict = (reason: string) => new UserError("RUN_STATE_CONFLICT", reason, { runId });
    if (locked.run.status !== STATUS_AT[gate]) throw conflict(`The run does not wait at the gate ${gate}.`);
    const { approvals } = await askAbout(tx, locked, gate);
    const own = approvals.filter(({ actorId }) => actorId === caller.actor.id);
    if (own.length === 0) throw conflict("You have no approval at this gate that counts.");
    const events: RunEventBody[] = [];
    for (const { stage } of own) {
      const decided = { gate, stage, decision: "WITHDRAWN", comment, applyAt: null } as const;
      const { id } = await recordApproval(tx, deps, caller, locked, decided);
      events.push({ type: "APPROVAL_RECORDED", approvalId: id });
    }
    return recordUpdate(tx, deps, locked.run, { actorId: caller.actor.id, events });
  });
}
