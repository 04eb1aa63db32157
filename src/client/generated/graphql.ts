/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The decision of a person at a gate. */
export type ApprovalDecision =
  /** The person approved. The run continues once enough people approved. */
  | 'APPROVED'
  /** The person overrode the failures of a policy set. It is no approval. */
  | 'OVERRIDDEN'
  /** The person rejected the plan, which ended the run. */
  | 'REJECTED'
  /** The person withdrew an approval or an override of this stage. */
  | 'WITHDRAWN';

/** The kind of a blocker: why a run waits. */
export type BlockerKind =
  /** Policies or external checks judge the run before its plan or its apply: wait, at most until `until`. */
  | 'CHECK_PENDING'
  /** The pool of the workspace runs as many checks for drift as it may at once: wait, or raise `driftCheckLimit` of the pool. */
  | 'DRIFT_LIMIT'
  /** A freeze window is open: wait for its end. */
  | 'FREEZE_WINDOW'
  /** No matching runner is free: wait, or start one. `message` names the pool and the labels that are needed. */
  | 'NO_RUNNER'
  /** The organization has reached its limit of concurrent runs: wait, or raise `concurrencyLimit`. */
  | 'ORGANIZATION_LIMIT'
  /** The scheduled time of the run has not come: wait. */
  | 'SCHEDULED_AT'
  /** The changeset of the stage before has not been applied for long enough: wait until `until`. */
  | 'SOAKING'
  /** A run that this run depends on has not ended: wait for `run`. */
  | 'UPSTREAM_RUN'
  /** Another run holds the workspace: wait for `run` to end, or cancel it. */
  | 'WORKSPACE_BUSY'
  /** The workspace is locked: unlock it, or wait for the lock to end. */
  | 'WORKSPACE_LOCKED'
  /** The workspace is paused: resume it. */
  | 'WORKSPACE_PAUSED';

/** The cause of a failed run. Codes are never renamed. */
export type FailureCode =
  /** The apply failed before it changed anything. */
  | 'APPLY_FAILED'
  /** The run was interrupted while it changed infrastructure. If `stateUncertain` is true, its state may not be saved. */
  | 'APPLY_INTERRUPTED'
  /** The apply failed after it changed some resources; the next plan lists the rest. */
  | 'APPLY_PARTIAL'
  /** A reviewer rejected the plan. */
  | 'APPROVAL_REJECTED'
  /** No decision about the plan was made in time. */
  | 'APPROVAL_TIMED_OUT'
  /** Credentials for a provider or a source were refused. */
  | 'AUTHENTICATION_FAILED'
  /** The rollback that the system started failed. */
  | 'AUTOMATIC_ROLLBACK_FAILED'
  /** No earlier run to which the workspace could go back is known to be good. */
  | 'AUTOMATIC_ROLLBACK_NO_CANDIDATE'
  /** An image that the deployment needs could not be built. */
  | 'CODEBUILD_DOCKER_IMAGE_BUILD_FAILED'
  /** A run that this run depends on failed. */
  | 'DEPENDENCY_FAILED'
  /** An output that the workspace takes from another one is missing there, or cannot be a variable. */
  | 'DEPENDENCY_OUTPUT_MISSING'
  /** The failure has no other code; read the message. */
  | 'DEPLOYMENT_FAILED_GENERIC'
  /** The probes after the apply did not pass. */
  | 'DEPLOYMENT_VERIFICATION_FAILED'
  /** The destroy failed; the next plan lists the rest. */
  | 'DESTROY_FAILED'
  /** The runner has no terraform or tofu, or not the one that made the plan. */
  | 'ENGINE_MISSING'
  /** The prepared workspace could not be handed from the plan to the apply. */
  | 'HANDOVER_FAILED'
  /** A hook failed. */
  | 'HOOK_FAILED'
  /** The network between the runner and a provider failed. */
  | 'INFRASTRUCTURE_NETWORK_FAILURE'
  /** The engine could not initialise: configuration, modules or providers. */
  | 'INIT_FAILED'
  /** The rollback that a person started failed. */
  | 'MANUAL_ROLLBACK_FAILED'
  /** The engine could not make a plan. */
  | 'PLAN_FAILED'
  /** The state changed after the plan was made; nothing was applied. */
  | 'PLAN_STALE'
  /** A policy forbids the plan. */
  | 'POLICY_DENIED'
  /** A policy could not be evaluated. */
  | 'POLICY_ERROR'
  /** The run waited in the queue for longer than its limit. */
  | 'QUEUE_TIMED_OUT'
  /** The lease of the runner expired without a heartbeat. */
  | 'RUNNER_LOST'
  /** The run took longer than its limit. */
  | 'RUN_TIMED_OUT'
  /** The engine was silent for longer than its limit. */
  | 'SILENCE_TIMED_OUT'
  /** The source of the run could not be fetched or unpacked. */
  | 'SOURCE_FETCH_FAILED'
  /** The engine's lock on the state is held by another run or person. */
  | 'STATE_LOCK_HELD'
  /** The apply changed infrastructure, but its state could not be stored. */
  | 'STATE_NOT_SAVED'
  /** A target or an address to replace matches nothing in the plan. */
  | 'TARGET_NOT_FOUND'
  /** The task's command failed. */
  | 'TASK_FAILED'
  /** The tests of the configuration did not pass, or could not be run. */
  | 'TESTS_FAILED';

/** Why a run failed, as the errors of the engine state. Reasons are never renamed. */
export type FailureReason =
  /** An object with that name exists, and is not in the state. */
  | 'ALREADY_EXISTS'
  /** The provider has no capacity of that kind at that place now. */
  | 'CAPACITY'
  /** A condition of the configuration does not hold. */
  | 'CONDITION'
  /** The configuration has an error. */
  | 'CONFIGURATION'
  /** Credentials were valid once, and have expired. */
  | 'CREDENTIALS_EXPIRED'
  /** A provider or a registry does not know the credentials. */
  | 'CREDENTIALS_INVALID'
  /** The engine or a provider found no credentials. */
  | 'CREDENTIALS_MISSING'
  /** The engine or a provider of the runner is too old or too new for the configuration or the state. */
  | 'ENGINE_VERSION'
  /** An object cannot be removed or changed while another one uses it. */
  | 'IN_USE'
  /** The dependency lock file does not fit the configuration. */
  | 'LOCK_FILE'
  /** A module could not be fetched from its source. */
  | 'MODULE_SOURCE'
  /** A connection could not be made, or broke. */
  | 'NETWORK'
  /** The credentials are valid, but do not permit the request. */
  | 'PERMISSION_DENIED'
  /** The plan would destroy an object that is protected. */
  | 'PROTECTED'
  /** A provider crashed, or contradicted itself. */
  | 'PROVIDER_BUG'
  /** A provisioner failed after its resource was created. The resource is tainted. */
  | 'PROVISIONER'
  /** A quota or a limit of the account does not allow more. */
  | 'QUOTA_EXCEEDED'
  /** A provider refused requests because there were too many in a short time. */
  | 'RATE_LIMITED'
  /** A registry of providers or modules could not be reached. */
  | 'REGISTRY_UNREACHABLE'
  /** A service was changed, but its new version did not start in time. */
  | 'STARTUP'
  /** The state could not be read, locked or written, or is not the one of the plan. */
  | 'STATE'
  /** The provider waited for an object, which was not ready in time. */
  | 'TIMED_OUT_WAITING'
  /** A variable has no value, or one that is not allowed. */
  | 'VARIABLE';

/** The step at which a run failed. */
export type FailureStage =
  /** The plan was being applied: infrastructure may have changed. */
  | 'APPLY'
  /** The plan was waiting for approval. */
  | 'APPROVAL'
  /** Credentials were being requested or used. */
  | 'AUTH'
  /** An artifact of the deployment was being built. */
  | 'BUILD'
  /** The source was being fetched or unpacked. */
  | 'CLONE'
  /** A command was executing. */
  | 'DEPLOY'
  /** The contents of the source were being detected. */
  | 'DETECT'
  /** The engine was initialising. */
  | 'INIT'
  /** The plan was being made. */
  | 'PLAN'
  /** Policies were checking the plan. */
  | 'POLICY'
  /** An artifact was being published. */
  | 'PUBLISH'
  /** An earlier state was being restored. */
  | 'ROLLBACK'
  /** The applied change was being rolled out. */
  | 'ROLLOUT'
  /** The runner was preparing its work folder and its engine. */
  | 'SETUP'
  /** The tests of the configuration were being run. */
  | 'TEST'
  /** The step is not known. */
  | 'UNKNOWN'
  /** Probes were checking the result. */
  | 'VERIFY';

/** The two points at which a run waits for approval, in this order. */
export type Gate =
  /** The apply gate: people decide whether the apply starts now. */
  | 'APPLY'
  /** The plan gate: people decide whether the plan is acceptable. */
  | 'PLAN';

/** The work of a phase. */
export type PhaseKind =
  /** The plan is applied. */
  | 'APPLY'
  /** People decide whether to start the apply. */
  | 'APPLY_APPROVAL'
  /** Everything is removed. */
  | 'DESTROY'
  /** The engine initialises. */
  | 'INIT'
  /** A command is executed, or a lock removed. */
  | 'PERFORM'
  /** The plan is made. */
  | 'PLAN'
  /** People decide whether the plan is acceptable. */
  | 'PLAN_APPROVAL'
  /** Policies check the plan. */
  | 'POLICY'
  /** The workspace is fetched, or restored from the plan. */
  | 'PREPARE'
  /** The tests of the configuration are run. */
  | 'TEST'
  /** Probes check the result. */
  | 'VERIFY';

/** An action on a run. */
export type RunAction =
  /** `approveRun` with gate APPLY. */
  | 'APPROVE_APPLY'
  /** `approveRun` with gate PLAN. */
  | 'APPROVE_PLAN'
  /** `cancelRun` while no runner has the run. */
  | 'CANCEL'
  /** `discardRun`: discard the plan. An approved run may be discarded by its approvers. */
  | 'DISCARD'
  /** `cancelRun` with `force`: the runner is fenced, not asked. */
  | 'FORCE_STOP'
  /** `overridePolicies` of failures that wait for an override. */
  | 'OVERRIDE_POLICIES'
  /** `promoteRun`: deploy the source of a PLAN run. */
  | 'PROMOTE'
  /** `rejectRun`: reject the plan. */
  | 'REJECT'
  /** `replanRun`: plan again, within the run. */
  | 'REPLAN'
  /** `retryRun`: create a copy of the run. */
  | 'RETRY'
  /** `rollbackRun`: deploy the source of this run again. */
  | 'ROLLBACK'
  /** `cancelRun` while a runner executes the run: it is asked to stop. */
  | 'STOP'
  /** `withdrawApproval` of the caller's approvals at the current gate or, once all is approved, the last gate; and of its overrides. */
  | 'WITHDRAW_APPROVAL';

/** The kind of a run: what it is asked to do. It never changes. */
export type RunKind =
  /** Apply the saved plan of a finished run of kind PLAN. */
  | 'APPLY'
  /** Plan, ask people, apply. */
  | 'DEPLOY'
  /** Plan the removal of everything, ask people, remove it. */
  | 'DESTROY'
  /** Plan only: shows what would change and never applies. */
  | 'PLAN'
  /** One command in the prepared workspace, shown to a person first. */
  | 'TASK'
  /** Break a lock that was left on the state. */
  | 'UNLOCK';

/** How a FINISHED run ended. */
export type RunOutcome =
  /** The plan was applied. */
  | 'APPLIED'
  /** The plan was not applied, because the workspace does not allow applies. */
  | 'APPLY_SKIPPED'
  /** Everything was removed. */
  | 'DESTROYED'
  /** The engine found nothing to change; no approval was needed. */
  | 'NO_CHANGES'
  /** The command ended well. */
  | 'PERFORMED'
  /** The plan of a PLAN run is ready; a run of kind APPLY can apply it. */
  | 'PLANNED'
  /** The lock was removed. */
  | 'UNLOCKED';

/** The status of a run. The first 13 are live; the last 8 are terminal and never change. */
export type RunStatus =
  /** The approved plan is being applied. Wait. */
  | 'APPLYING'
  /** The apply gate. Approve to start the apply now, or discard or replan. */
  | 'AWAITING_APPLY_APPROVAL'
  /** The plan gate. Read the plan, then approve it, reject it, discard it or replan. */
  | 'AWAITING_PLAN_APPROVAL'
  /** Canceled before a runner took it. Nothing was changed; nothing to do. */
  | 'CANCELED'
  /** Approved, waits for a runner. Wait; an approver may still discard it. */
  | 'CONFIRMED'
  /** The plan was discarded, went stale, or was superseded. Nothing was changed; nothing to do. */
  | 'DISCARDED'
  /** Ended badly. Read `failure`, fix the cause, run again. On the legs APPLY and DESTROY infrastructure may have changed. */
  | 'FAILED'
  /** Ended well. Nothing to do; `outcome` shows the result. */
  | 'FINISHED'
  /** The engine initialises, and hooks before the plan or apply execute. Wait. */
  | 'INITIALIZING'
  /** A task or an unlock is at work. Wait. */
  | 'PERFORMING'
  /** The plan is being made. Wait. */
  | 'PLANNING'
  /** Policies and external checks judge the plan. Wait. */
  | 'POLICY_CHECKING'
  /** A runner has it and fetches or restores the workspace. Wait. */
  | 'PREPARING'
  /** Accepted, not eligible yet. Wait; `blockers` gives the reasons. */
  | 'QUEUED'
  /** Eligible, waits for a runner. Wait; `blockers` gives the reasons, if any. */
  | 'READY'
  /** Rejected by a policy, or at the plan gate by a person or a time-out. Change the configuration, run again. */
  | 'REJECTED'
  /** A new plan was requested and waits for a runner. Wait. */
  | 'REPLAN_REQUESTED'
  /** There was nothing to do; `reason` gives the cause. */
  | 'SKIPPED'
  /** Interrupted while it executed. On the legs APPLY and DESTROY check the infrastructure; otherwise nothing to do. */
  | 'STOPPED'
  /** Exceeded a limit of time or silence. Read `failure`, fix the cause or raise the limit, run again. */
  | 'TIMED_OUT'
  /** Probes check the result of the apply. Wait; without a result a person judges it (`concludeVerification`). */
  | 'VERIFYING';

/** The reason why a command was refused, for programs. Codes are never renamed. */
export type UserErrorCode =
  /** The workspace would depend on itself: leave out one of the dependencies in `cycle`. */
  | 'DEPENDENCY_CYCLE'
  /** The caller's rights do not allow the command. */
  | 'FORBIDDEN'
  /** The git host could not be read: wait, or correct its address or its credential. */
  | 'HOST_UNREACHABLE'
  /** The idempotency key was used for another request: choose another one. */
  | 'IDEMPOTENCY_CONFLICT'
  /** The input is not valid: change the fields that `issues` names. */
  | 'INVALID_INPUT'
  /** No administrator would be left: give the role ADMIN to another one first. */
  | 'LAST_ADMINISTRATOR'
  /** The name is in use: choose another one. */
  | 'NAME_TAKEN'
  /** The object does not exist, or the caller may not read it. */
  | 'NOT_FOUND'
  /** Policies forbid the run: change what `results` names, or request an exception. */
  | 'POLICY_DENIED'
  /** A version of a policy set does not compile, or its tests fail: correct what `problems` names, and push it again. */
  | 'POLICY_INVALID'
  /** The person of the session must sign in again first: open `url`. */
  | 'REAUTHENTICATION_REQUIRED'
  /** The status of the run does not allow the command: read the run again. */
  | 'RUN_STATE_CONFLICT'
  /** A run or a plan of the changeset is another one, or a newer changeset was promoted: review it again. */
  | 'STALE_CHANGESET'
  /** The plan is not the current one, or the state changed: read the newest plan, or replan. */
  | 'STALE_PLAN'
  /** The workspace is locked: wait until it is unlocked, or use force. */
  | 'WORKSPACE_LOCKED';

/** Why a workspace is locked. */
export type WorkspaceLockReason =
  /** An apply was interrupted, and its result is not known: check the infrastructure, then unlock by force. */
  | 'APPLY_INTERRUPTED'
  /** A person locked the workspace. That person, or an admin by force, can unlock it. */
  | 'MANUAL';

export type ApproveRunMutationVariables = Exact<{
  runId: string | number;
  gate: Gate;
  planVersion: number;
}>;


export type ApproveRunMutation = { approveRun:
    | { __typename: 'ApproveRunSuccess', run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
   };

export type RejectRunMutationVariables = Exact<{
  runId: string | number;
  planVersion: number;
}>;


export type RejectRunMutation = { rejectRun:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RejectRunSuccess', run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
   };

export type DiscardRunMutationVariables = Exact<{
  runId: string | number;
  planVersion: number;
}>;


export type DiscardRunMutation = { discardRun:
    | { __typename: 'DiscardRunSuccess', run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
   };

export type CreateDeployRunMutationVariables = Exact<{
  workspaceId: string | number;
  message?: string | null | undefined;
}>;


export type CreateDeployRunMutation = { createRun:
    | { __typename: 'CreateRunSuccess', run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'IdempotencyConflictError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyDeniedError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
   };

export type RunAtGateQueryVariables = Exact<{
  id: string | number;
}>;


export type RunAtGateQuery = { run: { warnings: Array<string>, id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, plan: { version: number, digest: string, complete: boolean, additions: number, changes: number, destructions: number, replacements: number, imports: number, moves: number, forgets: number, text: string | null } | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, blockers: Array<{ kind: BlockerKind, message: string }> } | null };

export type LogEndQueryVariables = Exact<{
  id: string | number;
}>;


export type LogEndQuery = { run: { isTerminal: boolean, log: { edges: Array<{ node: { number: number } }> } } | null };

export type RunOutcomeQueryVariables = Exact<{
  id: string | number;
}>;


export type RunOutcomeQuery = { run: { outcome: RunOutcome | null, reason: string | null, forced: boolean, id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, failure: { stage: FailureStage, code: FailureCode, reason: FailureReason | null, summary: string, likelyCause: string | null, evidence: Array<string>, appliedAddresses: Array<string> | null, stateUncertain: boolean, retryable: boolean, resources: Array<{ address: string | null, summary: string }> } | null, blockers: Array<{ kind: BlockerKind, message: string }> } | null };

export type RunSummaryFragment = { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> };

export type RunEventsSubscriptionVariables = Exact<{
  runId: string | number;
  after?: string | null | undefined;
}>;


export type RunEventsSubscription = { runEvents:
    | { __typename: 'ApprovalRecorded', cursor: string, actor:
        | { __typename: 'MachineUser', name: string }
        | { __typename: 'SystemActor', name: string }
        | { __typename: 'User', name: string }
      , run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> }, approval: { gate: Gate, decision: ApprovalDecision } }
    | { __typename: 'CheckChanged', cursor: string, actor:
        | { __typename: 'MachineUser', name: string }
        | { __typename: 'SystemActor', name: string }
        | { __typename: 'User', name: string }
      , run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'CursorExpired', message: string }
    | { __typename: 'PhaseChanged', cursor: string, actor:
        | { __typename: 'MachineUser', name: string }
        | { __typename: 'SystemActor', name: string }
        | { __typename: 'User', name: string }
      , run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'PlanReady', cursor: string, actor:
        | { __typename: 'MachineUser', name: string }
        | { __typename: 'SystemActor', name: string }
        | { __typename: 'User', name: string }
      , run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'PolicyEvaluated', cursor: string, actor:
        | { __typename: 'MachineUser', name: string }
        | { __typename: 'SystemActor', name: string }
        | { __typename: 'User', name: string }
      , run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'RunChanged', cursor: string, actor:
        | { __typename: 'MachineUser', name: string }
        | { __typename: 'SystemActor', name: string }
        | { __typename: 'User', name: string }
      , run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'RunSnapshot', cursor: string, run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'RunStatusChanged', cursor: string, to: RunStatus, reason: string | null, actor:
        | { __typename: 'MachineUser', name: string }
        | { __typename: 'SystemActor', name: string }
        | { __typename: 'User', name: string }
      , run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
    | { __typename: 'StreamCheckpoint', cursor: string }
    | { __typename: 'VerificationChanged', cursor: string, actor:
        | { __typename: 'MachineUser', name: string }
        | { __typename: 'SystemActor', name: string }
        | { __typename: 'User', name: string }
      , run: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } }
   };

export type RunLogSubscriptionVariables = Exact<{
  runId: string | number;
  after?: string | null | undefined;
}>;


export type RunLogSubscription = { runLog:
    | { __typename: 'CursorExpired', message: string }
    | { __typename: 'LogBatch', cursor: string, lines: Array<{ number: number, phase: PhaseKind, text: string }> }
   };

export type CreateDirectoryWorkspaceMutationVariables = Exact<{
  name: string;
  description?: string | null | undefined;
  path: string;
}>;


export type CreateDirectoryWorkspaceMutation = { createWorkspace:
    | { __typename: 'CreateWorkspaceSuccess', workspace: { id: string, name: string, source:
          | { __typename: 'DirectorySource', path: string }
          | { __typename: 'GitSource' }
          | { __typename: 'UploadSource' }
        , lock: { reason: WorkspaceLockReason, note: string | null } | null, currentRun: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type WorkspaceByNameQueryVariables = Exact<{
  organization: string;
  name: string;
}>;


export type WorkspaceByNameQuery = { workspace: { id: string, name: string, source:
      | { __typename: 'DirectorySource', path: string }
      | { __typename: 'GitSource' }
      | { __typename: 'UploadSource' }
    , lock: { reason: WorkspaceLockReason, note: string | null } | null, currentRun: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } | null } | null };

export type WorkspaceOutputsQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceOutputsQuery = { workspace: { outputs: Array<{ name: string, value: unknown, sensitive: boolean }> } | null };

export type WorkspaceSummaryFragment = { id: string, name: string, source:
    | { __typename: 'DirectorySource', path: string }
    | { __typename: 'GitSource' }
    | { __typename: 'UploadSource' }
  , lock: { reason: WorkspaceLockReason, note: string | null } | null, currentRun: { id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, blockers: Array<{ kind: BlockerKind, message: string }> } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const RunSummaryFragmentDoc = new TypedDocumentString(`
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}
    `, {"fragmentName":"RunSummary"}) as unknown as TypedDocumentString<RunSummaryFragment, unknown>;
export const WorkspaceSummaryFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceSummary on Workspace {
  id
  name
  source {
    __typename
    ... on DirectorySource {
      path
    }
  }
  lock {
    reason
    note
  }
  currentRun {
    ...RunSummary
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}`, {"fragmentName":"WorkspaceSummary"}) as unknown as TypedDocumentString<WorkspaceSummaryFragment, unknown>;
export const ApproveRunDocument = new TypedDocumentString(`
    mutation ApproveRun($runId: ID!, $gate: Gate!, $planVersion: Int!) {
  approveRun(input: { runId: $runId, gate: $gate, planVersion: $planVersion }) {
    __typename
    ... on ApproveRunSuccess {
      run {
        ...RunSummary
      }
    }
    ... on UserError {
      code
      message
    }
    ... on RunStateConflictError {
      run {
        ...RunSummary
      }
    }
    ... on StalePlanError {
      run {
        ...RunSummary
      }
    }
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}`) as unknown as TypedDocumentString<ApproveRunMutation, ApproveRunMutationVariables>;
export const RejectRunDocument = new TypedDocumentString(`
    mutation RejectRun($runId: ID!, $planVersion: Int!) {
  rejectRun(input: { runId: $runId, planVersion: $planVersion }) {
    __typename
    ... on RejectRunSuccess {
      run {
        ...RunSummary
      }
    }
    ... on UserError {
      code
      message
    }
    ... on RunStateConflictError {
      run {
        ...RunSummary
      }
    }
    ... on StalePlanError {
      run {
        ...RunSummary
      }
    }
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}`) as unknown as TypedDocumentString<RejectRunMutation, RejectRunMutationVariables>;
export const DiscardRunDocument = new TypedDocumentString(`
    mutation DiscardRun($runId: ID!, $planVersion: Int!) {
  discardRun(input: { runId: $runId, planVersion: $planVersion }) {
    __typename
    ... on DiscardRunSuccess {
      run {
        ...RunSummary
      }
    }
    ... on UserError {
      code
      message
    }
    ... on RunStateConflictError {
      run {
        ...RunSummary
      }
    }
    ... on StalePlanError {
      run {
        ...RunSummary
      }
    }
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}`) as unknown as TypedDocumentString<DiscardRunMutation, DiscardRunMutationVariables>;
export const CreateDeployRunDocument = new TypedDocumentString(`
    mutation CreateDeployRun($workspaceId: ID!, $message: String) {
  createRun(input: { workspaceId: $workspaceId, kind: DEPLOY, message: $message }) {
    __typename
    ... on CreateRunSuccess {
      run {
        ...RunSummary
      }
    }
    ... on UserError {
      code
      message
    }
    ... on InvalidInputError {
      issues {
        path
        message
      }
    }
    ... on IdempotencyConflictError {
      run {
        ...RunSummary
      }
    }
    ... on StalePlanError {
      run {
        ...RunSummary
      }
    }
    ... on RunStateConflictError {
      run {
        ...RunSummary
      }
    }
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}`) as unknown as TypedDocumentString<CreateDeployRunMutation, CreateDeployRunMutationVariables>;
export const RunAtGateDocument = new TypedDocumentString(`
    query RunAtGate($id: ID!) {
  run(id: $id) {
    ...RunSummary
    warnings
    plan {
      version
      digest
      complete
      additions
      changes
      destructions
      replacements
      imports
      moves
      forgets
      text
    }
    actions {
      action
      allowed
      reason
    }
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}`) as unknown as TypedDocumentString<RunAtGateQuery, RunAtGateQueryVariables>;
export const LogEndDocument = new TypedDocumentString(`
    query LogEnd($id: ID!) {
  run(id: $id) {
    isTerminal
    log(last: 1) {
      edges {
        node {
          number
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LogEndQuery, LogEndQueryVariables>;
export const RunOutcomeDocument = new TypedDocumentString(`
    query RunOutcome($id: ID!) {
  run(id: $id) {
    ...RunSummary
    outcome
    reason
    forced
    failure {
      stage
      code
      reason
      resources {
        address
        summary
      }
      summary
      likelyCause
      evidence
      appliedAddresses
      stateUncertain
      retryable
    }
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}`) as unknown as TypedDocumentString<RunOutcomeQuery, RunOutcomeQueryVariables>;
export const RunEventsDocument = new TypedDocumentString(`
    subscription RunEvents($runId: ID!, $after: String) {
  runEvents(runId: $runId, after: $after) {
    __typename
    ... on StreamItem {
      cursor
    }
    ... on RunSnapshot {
      run {
        ...RunSummary
      }
    }
    ... on RunEvent {
      actor {
        __typename
        name
      }
      run {
        ...RunSummary
      }
    }
    ... on RunStatusChanged {
      to
      reason
    }
    ... on ApprovalRecorded {
      approval {
        gate
        decision
      }
    }
    ... on CursorExpired {
      message
    }
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}`) as unknown as TypedDocumentString<RunEventsSubscription, RunEventsSubscriptionVariables>;
export const RunLogDocument = new TypedDocumentString(`
    subscription RunLog($runId: ID!, $after: String) {
  runLog(runId: $runId, after: $after) {
    __typename
    ... on StreamItem {
      cursor
    }
    ... on LogBatch {
      lines {
        number
        phase
        text
      }
    }
    ... on CursorExpired {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RunLogSubscription, RunLogSubscriptionVariables>;
export const CreateDirectoryWorkspaceDocument = new TypedDocumentString(`
    mutation CreateDirectoryWorkspace($name: String!, $description: String, $path: String!) {
  createWorkspace(
    input: {
      name: $name
      description: $description
      source: { directory: { path: $path } }
    }
  ) {
    __typename
    ... on CreateWorkspaceSuccess {
      workspace {
        ...WorkspaceSummary
      }
    }
    ... on UserError {
      code
      message
    }
    ... on InvalidInputError {
      issues {
        path
        message
      }
    }
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}
fragment WorkspaceSummary on Workspace {
  id
  name
  source {
    __typename
    ... on DirectorySource {
      path
    }
  }
  lock {
    reason
    note
  }
  currentRun {
    ...RunSummary
  }
}`) as unknown as TypedDocumentString<CreateDirectoryWorkspaceMutation, CreateDirectoryWorkspaceMutationVariables>;
export const WorkspaceByNameDocument = new TypedDocumentString(`
    query WorkspaceByName($organization: String!, $name: String!) {
  workspace(by: { path: { organization: $organization, name: $name } }) {
    ...WorkspaceSummary
  }
}
    fragment RunSummary on Run {
  id
  number
  kind
  status
  isTerminal
  version
  blockers {
    kind
    message
  }
}
fragment WorkspaceSummary on Workspace {
  id
  name
  source {
    __typename
    ... on DirectorySource {
      path
    }
  }
  lock {
    reason
    note
  }
  currentRun {
    ...RunSummary
  }
}`) as unknown as TypedDocumentString<WorkspaceByNameQuery, WorkspaceByNameQueryVariables>;
export const WorkspaceOutputsDocument = new TypedDocumentString(`
    query WorkspaceOutputs($id: ID!) {
  workspace(by: { id: $id }) {
    outputs {
      name
      value
      sensitive
    }
  }
}
    `) as unknown as TypedDocumentString<WorkspaceOutputsQuery, WorkspaceOutputsQueryVariables>;