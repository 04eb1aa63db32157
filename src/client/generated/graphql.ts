/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What a person decided at a gate. */
export type ApprovalDecision =
  /** Yes: the run goes on once enough people said so. */
  | 'APPROVED'
  /** No: the run has ended. */
  | 'REJECTED'
  /** What the same person approved at this stage is taken back. */
  | 'WITHDRAWN';

/** What is in the way of a run. */
export type BlockerKind =
  /** Changes are frozen at this time: wait for the end of the window. */
  | 'FREEZE_WINDOW'
  /** No runner that may take the run is free: wait, or start one; the message says what is missing. */
  | 'NO_RUNNER'
  /** As many runs as the organization allows occupy a runner: wait, or raise its limit. */
  | 'ORGANIZATION_LIMIT'
  /** The time for which the run is scheduled has not come: wait. */
  | 'SCHEDULED_AT'
  /** A run that this one depends on has not ended yet: wait for `run`. Does not occur yet. */
  | 'UPSTREAM_RUN'
  /** Another run has the workspace: wait for `run` to end, or cancel it. */
  | 'WORKSPACE_BUSY'
  /** The workspace is locked: unlock it when what it was locked for is done. */
  | 'WORKSPACE_LOCKED'
  /** The workspace is paused: resume it. */
  | 'WORKSPACE_PAUSED';

/** Every way in which a run can fail. Codes are never renamed. */
export type FailureCode =
  /** The apply failed before it changed anything. */
  | 'APPLY_FAILED'
  /** It was interrupted while it changed infrastructure; `stateUncertain` says whether its state was saved. */
  | 'APPLY_INTERRUPTED'
  /** The apply failed after it changed some resources; the next plan lists the rest. */
  | 'APPLY_PARTIAL'
  /** A reviewer rejected the plan. */
  | 'APPROVAL_REJECTED'
  /** Nobody decided about the plan in time. */
  | 'APPROVAL_TIMED_OUT'
  /** Credentials for a provider or a source were refused. Does not occur yet. */
  | 'AUTHENTICATION_FAILED'
  /** The rollback that the system started failed. Does not occur yet. */
  | 'AUTOMATIC_ROLLBACK_FAILED'
  /** There is no earlier applied run to roll back to. Does not occur yet. */
  | 'AUTOMATIC_ROLLBACK_NO_CANDIDATE'
  /** An image that the deployment needs could not be built. Does not occur yet. */
  | 'CODEBUILD_DOCKER_IMAGE_BUILD_FAILED'
  /** A run that this one depends on failed. Does not occur yet. */
  | 'DEPENDENCY_FAILED'
  /** Something failed that fits no other code. */
  | 'DEPLOYMENT_FAILED_GENERIC'
  /** The probes after the apply did not pass. Does not occur yet. */
  | 'DEPLOYMENT_VERIFICATION_FAILED'
  /** The destroy failed; the next plan lists the rest. */
  | 'DESTROY_FAILED'
  /** The runner has no terraform or tofu, or not the one that made the plan. */
  | 'ENGINE_MISSING'
  /** The prepared workspace could not be handed from the plan to the apply. */
  | 'HANDOVER_FAILED'
  /** A hook failed. */
  | 'HOOK_FAILED'
  /** The network between the runner and a provider failed. Does not occur yet. */
  | 'INFRASTRUCTURE_NETWORK_FAILURE'
  /** The engine could not initialise: configuration, modules or providers. */
  | 'INIT_FAILED'
  /** The rollback that a person started failed. Does not occur yet. */
  | 'MANUAL_ROLLBACK_FAILED'
  /** The engine could not make a plan. */
  | 'PLAN_FAILED'
  /** The state moved after the plan was made; nothing was applied. */
  | 'PLAN_STALE'
  /** A policy forbids the plan. Does not occur yet. */
  | 'POLICY_DENIED'
  /** A policy could not be evaluated. Does not occur yet. */
  | 'POLICY_ERROR'
  /** The run waited in the queue for longer than its limit. */
  | 'QUEUE_TIMED_OUT'
  /** The runner was not heard from for longer than its lease. */
  | 'RUNNER_LOST'
  /** The run took longer than its limit. */
  | 'RUN_TIMED_OUT'
  /** The engine was silent for longer than its limit. */
  | 'SILENCE_TIMED_OUT'
  /** The source of the run could not be fetched or unpacked. */
  | 'SOURCE_FETCH_FAILED'
  /** Somebody else holds the engine's lock on the state. */
  | 'STATE_LOCK_HELD'
  /** The apply changed infrastructure, but its state could not be stored. */
  | 'STATE_NOT_SAVED'
  /** A target of the plan matches no resource or module. */
  | 'TARGET_NOT_FOUND'
  /** The task's command failed. */
  | 'TASK_FAILED';

/** Where on its way a run failed. */
export type FailureStage =
  /** While the plan was applied: infrastructure may have changed. */
  | 'APPLY'
  /** While people decided about the plan. */
  | 'APPROVAL'
  /** While credentials were asked for or used. Does not occur yet. */
  | 'AUTH'
  /** While something that the deployment needs was built. Does not occur yet. */
  | 'BUILD'
  /** While its source was fetched or unpacked. */
  | 'CLONE'
  /** While a command was run. */
  | 'DEPLOY'
  /** While it was found out what is to be deployed. Does not occur yet. */
  | 'DETECT'
  /** While the engine initialised. */
  | 'INIT'
  /** While the plan was made. */
  | 'PLAN'
  /** While policies judged the plan. Does not occur yet. */
  | 'POLICY'
  /** While what was built was published. Does not occur yet. */
  | 'PUBLISH'
  /** While an earlier state was restored. Does not occur yet. */
  | 'ROLLBACK'
  /** While the applied change was rolled out. Does not occur yet. */
  | 'ROLLOUT'
  /** While the runner prepared its work folder and its engine. */
  | 'SETUP'
  /** Nobody knows. */
  | 'UNKNOWN'
  /** While probes checked the result. Does not occur yet. */
  | 'VERIFY';

/** The two questions that a run asks people, in this order. */
export type Gate =
  /** Start the apply now? */
  | 'APPLY'
  /** Is this plan acceptable? */
  | 'PLAN';

/** What is done in a phase. */
export type PhaseKind =
  /** The plan is applied. */
  | 'APPLY'
  /** People decide whether to start the apply. */
  | 'APPLY_APPROVAL'
  /** Everything is removed. */
  | 'DESTROY'
  /** The engine initialises. */
  | 'INIT'
  /** A command is run, or a lock removed. */
  | 'PERFORM'
  /** The plan is made. */
  | 'PLAN'
  /** People decide whether the plan is acceptable. */
  | 'PLAN_APPROVAL'
  /** Policies judge the plan. Does not occur yet. */
  | 'POLICY'
  /** The workspace is fetched, or restored from the plan. */
  | 'PREPARE'
  /** Probes check the result. Does not occur yet. */
  | 'VERIFY';

/** What can be asked of a run. */
export type RunAction =
  /** `approveRun` with gate APPLY. */
  | 'APPROVE_APPLY'
  /** `approveRun` with gate PLAN. */
  | 'APPROVE_PLAN'
  /** `cancelRun` while no runner has the run. */
  | 'CANCEL'
  /** `discardRun`: the plan is not wanted. Of what is approved, for who may approve. */
  | 'DISCARD'
  /** `cancelRun` with `force`: the runner is fenced, not asked. */
  | 'FORCE_STOP'
  /** `promoteRun`: deploy what a PLAN run planned. */
  | 'PROMOTE'
  /** `rejectRun`: no to the plan. */
  | 'REJECT'
  /** `replanRun`: another plan, in place. */
  | 'REPLAN'
  /** `retryRun`: the same run once more. */
  | 'RETRY'
  /** `rollbackRun`: deploy what this run applied once more. */
  | 'ROLLBACK'
  /** `cancelRun` while a runner executes the run: it is asked to stop. */
  | 'STOP'
  /** `withdrawApproval`, of what the caller approved at the gate of now or, once all is approved, the last one. */
  | 'WITHDRAW_APPROVAL';

/** What a run is asked to do. It never changes. */
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
  /** The workspace says that nothing is to be applied; the plan was not. */
  | 'APPLY_SKIPPED'
  /** Everything was removed. */
  | 'DESTROYED'
  /** The engine says that there is nothing to change; nobody was asked. */
  | 'NO_CHANGES'
  /** The command ended well. */
  | 'PERFORMED'
  /** The plan of a PLAN run is ready; a run of kind APPLY can apply it. */
  | 'PLANNED'
  /** The lock was removed. */
  | 'UNLOCKED';

/** Where a run is. The first 13 are live; the last 8 are terminal and never change. */
export type RunStatus =
  /** The approved plan is being applied. Wait. */
  | 'APPLYING'
  /** The apply gate. Approve to start the apply now, or discard or replan. */
  | 'AWAITING_APPLY_APPROVAL'
  /** The plan gate. Read the plan, then approve it, reject it, discard it or replan. */
  | 'AWAITING_PLAN_APPROVAL'
  /** Ended before a runner had it. Nothing was changed; nothing to do. */
  | 'CANCELED'
  /** Approved, waits for a runner. Wait; it can no longer be cancelled, but taken back by an approver. */
  | 'CONFIRMED'
  /** The plan was not wanted, went stale, or was superseded. Nothing was changed; nothing to do. */
  | 'DISCARDED'
  /** Ended badly. Read `failure`, fix it, run again; the leg tells whether infrastructure may have changed. */
  | 'FAILED'
  /** Ended well. Nothing to do; `outcome` says how it ended. */
  | 'FINISHED'
  /** The engine initialises, and hooks before the plan or apply are performed. Wait. */
  | 'INITIALIZING'
  /** A task or an unlock is at work. Wait. */
  | 'PERFORMING'
  /** The plan is being made. Wait. */
  | 'PLANNING'
  /** Policies and external checks judge the plan. Wait. Does not occur yet. */
  | 'POLICY_CHECKING'
  /** A runner has it and fetches or restores the workspace. Wait. */
  | 'PREPARING'
  /** Accepted, not eligible yet. Wait; `blockers` says for what. */
  | 'QUEUED'
  /** Eligible, waits for a runner. Wait; `blockers` says if something is in the way. */
  | 'READY'
  /** Refused at the plan gate by a person, a policy or a time-out. Change what was objected to, run again. */
  | 'REJECTED'
  /** A new plan was asked for and waits for a runner. Wait. */
  | 'REPLAN_REQUESTED'
  /** There was nothing to do here; `reason` says why. Does not occur yet. */
  | 'SKIPPED'
  /** Interrupted while it executed. On the legs APPLY and DESTROY look at what it did; else nothing to do. */
  | 'STOPPED'
  /** Exceeded a limit of time or silence. Read `failure`, fix it or raise the limit, run again. */
  | 'TIMED_OUT'
  /** Probes check the result of the apply. Wait. Does not occur yet. */
  | 'VERIFYING';

/** What a command did not get, for programs. Codes are never renamed. */
export type UserErrorCode =
  /** The caller's role does not allow it. */
  | 'FORBIDDEN'
  /** The idempotency key was used for another request: take another one. */
  | 'IDEMPOTENCY_CONFLICT'
  /** Something about the input cannot be used: change what `issues` names. */
  | 'INVALID_INPUT'
  /** The name is in use: take another one. */
  | 'NAME_TAKEN'
  /** It does not exist, or the caller may not read it. */
  | 'NOT_FOUND'
  /** The run is no longer where the caller thought: look at it again. */
  | 'RUN_STATE_CONFLICT'
  /** The plan is not the current one, or the state moved: read the newest plan, or replan. */
  | 'STALE_PLAN'
  /** A lock is in the way: wait until it is gone, or use force. */
  | 'WORKSPACE_LOCKED';

/** Why a workspace is locked. */
export type WorkspaceLockReason =
  /** An apply was interrupted and nobody knows how far it got: check what it did, then unlock by force. */
  | 'APPLY_INTERRUPTED'
  /** A person locked it: that person, or an admin by force, unlocks it. */
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


export type RunOutcomeQuery = { run: { outcome: RunOutcome | null, reason: string | null, forced: boolean, id: string, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, version: number, failure: { stage: FailureStage, code: FailureCode, summary: string, likelyCause: string | null, evidence: Array<string>, appliedAddresses: Array<string> | null, stateUncertain: boolean, retryable: boolean } | null, blockers: Array<{ kind: BlockerKind, message: string }> } | null };

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