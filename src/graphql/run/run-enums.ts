import type { RunAction } from "../../model/run/run.ts";
import type { RunKind, RunLeg, RunOutcome, RunTrigger } from "../../model/lifecycle/run-kind.ts";
import type { RequiredAction, RunStatus } from "../../model/lifecycle/run-status.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const RunKindEnum = describedEnum<RunKind>("RunKind", "What a run is asked to do. It never changes.", {
  DEPLOY: "Plan, ask people, apply.",
  DESTROY: "Plan the removal of everything, ask people, remove it.",
  PLAN: "Plan only: shows what would change and never applies.",
  APPLY: "Apply the saved plan of a finished run of kind PLAN.",
  UNLOCK: "Break a lock that was left on the state.",
  TASK: "One command in the prepared workspace, shown to a person first.",
});

export const RunStatusEnum = describedEnum<RunStatus>(
  "RunStatus",
  "Where a run is. The first 13 are live; the last 8 are terminal and never change.",
  {
    QUEUED: "Accepted, not eligible yet. Wait; `blockers` says for what.",
    READY: "Eligible, waits for a runner. Wait; `blockers` says if something is in the way.",
    PREPARING: "A runner has it and fetches or restores the workspace. Wait.",
    INITIALIZING: "The engine initialises, and hooks before the plan or apply are performed. Wait.",
    PLANNING: "The plan is being made. Wait.",
    POLICY_CHECKING: "Policies and external checks judge the plan. Wait.",
    AWAITING_PLAN_APPROVAL: "The plan gate. Read the plan, then approve it, reject it, discard it or replan.",
    AWAITING_APPLY_APPROVAL: "The apply gate. Approve to start the apply now, or discard or replan.",
    REPLAN_REQUESTED: "A new plan was asked for and waits for a runner. Wait.",
    CONFIRMED: "Approved, waits for a runner. Wait; it can no longer be cancelled, but taken back by an approver.",
    APPLYING: "The approved plan is being applied. Wait.",
    VERIFYING: "Probes check the result of the apply. Wait.",
    PERFORMING: "A task or an unlock is at work. Wait.",
    FINISHED: "Ended well. Nothing to do; `outcome` says how it ended.",
    FAILED: "Ended badly. Read `failure`, fix it, run again; the leg tells whether infrastructure may have changed.",
    TIMED_OUT: "Exceeded a limit of time or silence. Read `failure`, fix it or raise the limit, run again.",
    REJECTED: "Refused at the plan gate by a person, a policy or a time-out. Change what was objected to, run again.",
    DISCARDED: "The plan was not wanted, went stale, or was superseded. Nothing was changed; nothing to do.",
    CANCELED: "Ended before a runner had it. Nothing was changed; nothing to do.",
    STOPPED: "Interrupted while it executed. On the legs APPLY and DESTROY look at what it did; else nothing to do.",
    SKIPPED: "There was nothing to do here; `reason` says why.",
  },
  ["POLICY_CHECKING", "VERIFYING", "SKIPPED"],
);

export const RunLegEnum = describedEnum<RunLeg>("RunLeg", "The stretch of work that a run is on, or ended on.", {
  PLAN: "Making the first plan.",
  REPLAN: "Making another plan.",
  APPLY: "Applying the plan: infrastructure changes.",
  DESTROY: "Removing everything: infrastructure changes.",
  TASK: "Running a command, or unlocking.",
});

export const RunOutcomeEnum = describedEnum<RunOutcome>("RunOutcome", "How a FINISHED run ended.", {
  NO_CHANGES: "The engine says that there is nothing to change; nobody was asked.",
  PLANNED: "The plan of a PLAN run is ready; a run of kind APPLY can apply it.",
  APPLIED: "The plan was applied.",
  DESTROYED: "Everything was removed.",
  UNLOCKED: "The lock was removed.",
  PERFORMED: "The command ended well.",
  APPLY_SKIPPED: "The workspace says that nothing is to be applied; the plan was not.",
});

export const RunTriggerEnum = describedEnum<RunTrigger>(
  "RunTrigger",
  "What caused a run. MANUAL: by a person, in whatever way. API: by a machine user.",
  {
    MANUAL: "A person, in whatever way.",
    API: "A machine user.",
    PUSH: "A push to the workspace's branch.",
    TAG: "A new tag.",
    PULL_REQUEST: "A pull request that was opened or changed.",
    SCHEDULE: "A schedule.",
    PROMOTION: "A workspace upstream was applied.",
    POLICY: "A policy.",
    DRIFT: "A difference between the state and the real infrastructure.",
    RETRY: "Somebody asked for another try of an ended run.",
    ROLLBACK: "The way back from an apply that did not hold.",
  },
  ["PUSH", "TAG", "PULL_REQUEST", "SCHEDULE", "PROMOTION", "POLICY", "DRIFT"],
);

export const RequiredActionEnum = describedEnum<RequiredAction>(
  "RequiredAction",
  "What a person does next about a run.",
  {
    WAIT: "Nothing yet: the system is at work, or waits for something that will come.",
    REVIEW_PLAN: "Read the plan and approve or reject it: `approveRun` with gate PLAN, or `rejectRun`.",
    CONFIRM_APPLY: "Start the apply, or not: `approveRun` with gate APPLY, or `discardRun`.",
    OVERRIDE_POLICY: "A policy objects: approve the plan all the same, or reject it.",
    RELEASE_LOCK: "The workspace is locked: `unlockWorkspace` when what it was locked for is done.",
    FIX_AND_RERUN: "Read `failure`, fix what it names, create another run.",
    NONE: "Nothing: the run has ended.",
  },
  ["OVERRIDE_POLICY"],
);

export const RunActionEnum = describedEnum<RunAction>("RunAction", "What can be asked of a run.", {
  APPROVE_PLAN: "`approveRun` with gate PLAN.",
  APPROVE_APPLY: "`approveRun` with gate APPLY.",
  WITHDRAW_APPROVAL:
    "`withdrawApproval`, of what the caller approved at the gate of now or, once all is approved, the last one.",
  REJECT: "`rejectRun`: no to the plan.",
  DISCARD: "`discardRun`: the plan is not wanted. Of what is approved, for who may approve.",
  REPLAN: "`replanRun`: another plan, in place.",
  CANCEL: "`cancelRun` while no runner has the run.",
  STOP: "`cancelRun` while a runner executes the run: it is asked to stop.",
  FORCE_STOP: "`cancelRun` with `force`: the runner is fenced, not asked.",
  RETRY: "`retryRun`: the same run once more.",
  PROMOTE: "`promoteRun`: deploy what a PLAN run planned.",
  ROLLBACK: "`rollbackRun`: deploy what this run applied once more.",
});
