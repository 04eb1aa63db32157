import type { Gate } from "../../model/approval.ts";
import type { TokenCaller } from "../../model/permission.ts";
import type { Run } from "../../model/run.ts";
import { insertApproval } from "../../persistence/approval-store.ts";
import type { Deps } from "../deps.ts";
import type { Commands } from "../domain.ts";
import { writeChange } from "./run-change.ts";
import { checkPlanVersion, commandRun, decideOrThrow } from "./run-command.ts";

const COMMANDS = { PLAN: "approvePlan", APPLY: "approveApply" } as const satisfies Record<Gate, string>;

/** Approves one gate of exactly the plan that the caller names. One approver is enough at each gate. */
export function approveRun(
  deps: Deps,
  caller: TokenCaller,
  input: Parameters<Commands["approveRun"]>[1],
): Promise<Run> {
  const { runId, gate, planVersion, comment } = input;
  const spec = {
    name: "approveRun",
    action: "run:approve",
    words: "approving runs",
    runId,
    comment,
    check: (check) => checkPlanVersion(check, planVersion),
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, async (tx, locked) => {
    const decision = decideOrThrow(locked, { type: COMMANDS[gate], planVersion, quorumReached: true });
    const approvalId = deps.newId("approval");
    await insertApproval(tx, {
      id: approvalId,
      runId,
      gate,
      decision: "APPROVED",
      actorId: caller.actor.id,
      comment,
      planVersion,
      planDigest: locked.plan?.digest ?? "",
      at: deps.clock().toISOString(),
    });
    return writeChange(tx, deps, locked, decision, {
      actorId: caller.actor.id,
      events: [{ type: "APPROVAL_RECORDED", approvalId }],
    });
  });
}
