import type { RunAction } from "../../model/run/run.ts";
import type { RunKind, RunLeg, RunOutcome, RunTrigger } from "../../model/lifecycle/run-kind.ts";
import { LIVE_STATUSES, type RequiredAction, RUN_STATUSES, type RunStatus } from "../../model/lifecycle/run-status.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const RunKindEnum = describedEnum<RunKind>(
  "RunKind",
  "The kind of a run: what it is asked to do. It never changes.",
  {
    DEPLOY: "Plan, ask people, apply.",
    DESTROY: "Plan the removal of everything, ask people, remove it.",
    PLAN: "Plan only: shows what would change and never applies.",
    APPLY: "Apply the saved plan of a finished run of kind PLAN.",
    UNLOCK: "Break a lock that was left on the state.",
    TASK: "One command in the prepared workspace, shown to a person first.",
  },
);

export const RunStatusEnum = describedEnum<RunStatus>(
  "RunStatus",
  `The status of a run. The first ${LIVE_STATUSES.length} are live; the last ${RUN_STATUSES.length - LIVE_STATUSES.length} are terminal and never change.`,
  {
    QUEUED: "Accepted, not eligible yet. Wait; `blockers` gives the reasons.",
    READY: "Eligible, waits for a runner. Wait; `blockers` gives the reasons, if any.",
    PREPARING: "A runner has it and fetches or restores the workspace. Wait.",
    INITIALIZING: "The engine initialises, and hooks before the plan or apply execute. Wait.",
    PLANNING: "The plan is being made. Wait.",
    POLICY_CHECKING: "Policies and external checks judge the plan. Wait.",
    AWAITING_PLAN_APPROVAL: "The plan gate. Read the plan, then approve it, reject it, discard it or replan.",
    AWAITING_APPLY_APPROVAL: "The apply gate. Approve to start the apply now, or discard or replan.",
    REPLAN_REQUESTED: "A new plan was requested and waits for a runner. Wait.",
    CONFIRMED: "Approved, waits for a runner. Wait; an approver may still discard it.",
    APPLYING: "The approved plan is being applied. Wait.",
    VERIFYING:
      "Probes check the result of the apply. Wait; without a result a person judges it (`concludeVerification`).",
    PERFORMING: "A task or an unlock is at work. Wait.",
    FINISHED: "Ended well. Nothing to do; `outcome` shows the result.",
    FAILED:
      "Ended badly. Read `failure`, fix the cause, run again. On the legs APPLY and DESTROY infrastructure may have changed.",
    TIMED_OUT: "Exceeded a limit of time or silence. Read `failure`, fix the cause or raise the limit, run again.",
    REJECTED:
      "Rejected by a policy, or at the plan gate by a person or a time-out. Change the configuration, run again.",
    DISCARDED: "The plan was discarded, went stale, or was superseded. Nothing was changed; nothing to do.",
    CANCELED: "Canceled before a runner took it. Nothing was changed; nothing to do.",
    STOPPED:
      "Interrupted while it executed. On the legs APPLY and DESTROY check the infrastructure; otherwise nothing to do.",
    SKIPPED: "There was nothing to do; `reason` gives the cause.",
  },
);

export const RunLegEnum = describedEnum<RunLeg>("RunLeg", "The stretch of work that a run is on, or ended on.", {
  PLAN: "Making the first plan.",
  REPLAN: "Making another plan.",
  APPLY: "Applying the plan: infrastructure changes.",
  DESTROY: "Removing everything: infrastructure changes.",
  TASK: "Running a command, or unlocking.",
});

export const RunOutcomeEnum = describedEnum<RunOutcome>("RunOutcome", "How a FINISHED run ended.", {
  NO_CHANGES: "The engine found nothing to change; no approval was needed.",
  PLANNED: "The plan of a PLAN run is ready; a run of kind APPLY can apply it.",
  APPLIED: "The plan was applied.",
  DESTROYED: "Everything was removed.",
  UNLOCKED: "The lock was removed.",
  PERFORMED: "The command ended well.",
  APPLY_SKIPPED: "The plan was not applied, because the workspace does not allow applies.",
});

export const RunTriggerEnum = describedEnum<RunTrigger>(
  "RunTrigger",
  "The cause of a run.",
  {
    MANUAL: "A person.",
    API: "A machine user.",
    PUSH: "A push to the workspace's branch.",
    TAG: "A new tag.",
    PULL_REQUEST: "A pull request that was opened or changed.",
    SCHEDULE: "A schedule.",
    PROMOTION: "A promotion of a commit to the next stage.",
    DEPENDENCY: "A workspace that this one depends on was applied.",
    POLICY: "A policy.",
    DRIFT: "A check for differences between what was applied and what there is.",
    INBOUND_HOOK: "A delivery of another system to an inbound hook.",
    RETRY: "A retry of an ended run.",
    ROLLBACK: "A rollback to an earlier applied run.",
  },
  ["PULL_REQUEST", "POLICY"],
);

export const RequiredActionEnum = describedEnum<RequiredAction>(
  "RequiredAction",
  "The next thing that a person does about a run.",
  {
    WAIT: "Nothing yet: the run works, or waits for a time or another run.",
    REVIEW_PLAN: "Read the plan and approve or reject it: `approveRun` with gate PLAN, or `rejectRun`.",
    CONFIRM_APPLY: "Start the apply or discard it: `approveRun` with gate APPLY, or `discardRun`.",
    OVERRIDE_POLICY: "Policies object: override their failures with `overridePolicies`, or reject the plan.",
    JUDGE_VERIFICATION: "The verification has no result: check the deployment, then call `concludeVerification`.",
    RELEASE_LOCK: "The workspace is locked: call `unlockWorkspace` when the reason of the lock is gone.",
    FIX_AND_RERUN: "Read `failure`, fix what it names, create another run.",
    NONE: "Nothing: the run has ended.",
  },
);

export const RunActionEnum = describedEnum<RunAction>("RunAction", "An action on a run.", {
  APPROVE_PLAN: "`approveRun` with gate PLAN.",
  APPROVE_APPLY: "`approveRun` with gate APPLY.",
  OVERRIDE_POLICIES: "`overridePolicies` of failures that wait for an override.",
  WITHDRAW_APPROVAL:
    "`withdrawApproval` of the caller's approvals at the current gate or, once all is approved, the last gate; and of its overrides.",
  REJECT: "`rejectRun`: reject the plan.",
  DISCARD: "`discardRun`: discard the plan. An approved run may be discarded by its approvers.",
  REPLAN: "`replanRun`: plan again, within the run.",
  CANCEL: "`cancelRun` while no runner has the run.",
  STOP: "`cancelRun` while a runner executes the run: it is asked to stop.",
  FORCE_STOP: "`cancelRun` with `force`: the runner is fenced, not asked.",
  RETRY: "`retryRun`: create a copy of the run.",
  PROMOTE: "`promoteRun`: deploy the source of a PLAN run.",
  ROLLBACK: "`rollbackRun`: deploy the source of this run again.",
});
