import {
  type ApprovalVerdict,
  isPassed,
  judgeOverride,
  lacksOverride,
  type QuorumInput,
} from "../../model/approval/quorum.ts";
import type { Approval } from "../../model/approval/approval.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import {
  type ChoiceIssue,
  chooseFailures,
  listIssues,
  type NamedFailures,
  type OwnFailures,
} from "../../model/policy/override-choice.ts";
import { STATUS_AT } from "../../model/run/gates-ahead.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import { listTeamIdsOfActor } from "../../persistence/people/team-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { hasMoreResults } from "../../persistence/policy/result-store.ts";
import { insertOverrides } from "../../persistence/policy/policy-override-store.ts";
import { reauthenticationRequired } from "../access/presence.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { enqueueGateWebhooks } from "../lifecycle/enqueue-webhooks.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { readQuorumInput } from "../lifecycle/read-approvals.ts";
import { recordApproval } from "../lifecycle/record-approval.ts";
import { notAtPlanGate } from "../run/approval-refusal.ts";
import { callingApprover, namesTeams } from "../run/calling-approver.ts";
import { checkPlanVersion, commandRun, decideOrThrow } from "../run/run-command.ts";
import { readPlanFindings } from "../lifecycle/plan-findings.ts";

export interface OverridePoliciesInput extends NamedFailures {
  runId: string;
  planVersion: number;
  comment: string;
}

const TOO_MANY = `cannot be overridden: policies found more than ${LIMITS.findingsRead} results about the plan. Change the plan, or a policy that finds so many.`;

/** The failures of one policy set or external check, all of them, and the verdict on their override. */
interface JudgedOverride extends OwnFailures {
  verdict: NonNullable<ReturnType<typeof judgeOverride>>;
}

/**
 * Overrides failures about the plan that the caller names: all of a policy set at once, so that no one accepts what it has not
 * seen. It is no approval. The run continues once every stage of the gate has its quorum.
 */
export function overridePolicies(deps: Deps, caller: ActorCaller, input: OverridePoliciesInput): Promise<Run> {
  const { runId, planVersion, comment, resultIds } = input;
  let approver = callingApprover(deps, caller, []);
  let judged: JudgedOverride[] = [];
  const spec = {
    name: "overridePolicies",
    permission: "PLAN_APPROVE",
    words: "overriding policies",
    runId,
    comment,
    check: (check) => {
      checkPlanVersion(check, planVersion);
      check.require(comment.trim() !== "", "comment", "must explain why the failures are accepted.");
    },
    examine: async (tx, locked, check) => {
      judged = [];
      // Results of another plan are refused below, as the plan itself.
      if (note(check, listIssues(input)) || locked.plan?.version !== planVersion) return;
      if (await hasMoreResults(tx, locked.run, ["PLAN"], LIMITS.findingsRead)) {
        note(check, [{ path: resultIds.length > 0 ? "resultIds" : "evaluationIds", message: TOO_MANY }]);
        return;
      }
      const { findings } = await readPlanFindings(tx, locked, deps.clock());
      const { chosen, issues } = chooseFailures(input, findings);
      note(check, issues);
      if (locked.run.status !== STATUS_AT.PLAN) return;
      if (namesTeams(locked)) {
        const teamIds = await listTeamIdsOfActor(tx, caller.actor.id, deps.clock().toISOString());
        approver = { ...approver, teamIds };
      }
      const quorum = await readQuorumInput(tx, locked, "PLAN");
      judged = chosen.flatMap(({ ownerId, failures }) => {
        const verdict = judgeOverride(quorum, approver, ownerId);
        return verdict === null ? [] : [{ ownerId, failures, verdict }];
      });
      await refuse(deps, caller, judged);
    },
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, async (tx, locked) => {
    if (locked.run.status !== STATUS_AT.PLAN) {
      throw new UserError("RUN_STATE_CONFLICT", notAtPlanGate(locked.run), { runId });
    }
    const quorum = await readQuorumInput(tx, locked, "PLAN");
    // Before anything is written: the run may have another plan.
    decideOrThrow(locked, { type: "approvePlan", planVersion, quorumReached: isPassed(quorum) });
    const given: Approval[] = [];
    for (const { ownerId, failures, verdict } of judged) {
      if (verdict.kind !== "counts") continue;
      const decided = {
        gate: "PLAN",
        stage: verdict.stage.name,
        decision: "OVERRIDDEN",
        comment,
        applyAt: null,
      } as const;
      const approval = await recordApproval(tx, deps, approver, locked, decided);
      await insertOverrides(tx, { runId, planVersion, ownerId, approvalId: approval.id }, failures);
      given.push(approval);
    }
    return conclude(tx, deps, locked, { quorum, given, caller, input });
  });
}

/** Lets the run continue if its gate is passed now; otherwise the overrides are recorded alone. */
async function conclude(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  {
    quorum,
    given,
    caller,
    input: { planVersion },
  }: { quorum: QuorumInput; given: readonly Approval[]; caller: ActorCaller; input: OverridePoliciesInput },
): Promise<Run> {
  const after = { ...quorum, approvals: [...quorum.approvals, ...given] };
  const quorumReached = isPassed(after);
  if (given.length === 0 && !quorumReached) return locked.run;
  const decision = decideOrThrow(locked, { type: "approvePlan", planVersion, quorumReached });
  if (decision.change === null) await enqueueGateWebhooks(tx, deps, locked.run);
  const events = given.map(({ id }): RunEventBody => ({ type: "APPROVAL_RECORDED", approvalId: id }));
  const set = { policyAsks: lacksOverride(after) };
  return applyTransition(tx, deps, locked, decision, { actorId: caller.actor.id, events, set });
}

/** Adds issues to the input; returns whether there are any. */
function note(check: InputCheck, issues: readonly ChoiceIssue[]): boolean {
  for (const { path, message } of issues) check.refuse(path, message);
  return issues.length > 0;
}

async function refuse(deps: Deps, caller: ActorCaller, judged: readonly { verdict: ApprovalVerdict }[]): Promise<void> {
  for (const { verdict } of judged) {
    if (verdict.kind === "excluded") throw new UserError("FORBIDDEN", verdict.reason);
  }
  for (const { verdict } of judged) {
    if (verdict.kind === "absent") {
      throw await reauthenticationRequired(deps, caller, `The stage "${verdict.stage.name ?? ""}"`);
    }
  }
}
