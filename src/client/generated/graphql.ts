/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type ApprovalDecision =
  | 'APPROVED'
  | 'REJECTED';

export type BlockerKind =
  | 'FREEZE_WINDOW'
  | 'NO_RUNNER'
  | 'ORGANIZATION_LIMIT'
  | 'SCHEDULED_AT'
  | 'UPSTREAM_RUN'
  | 'WORKSPACE_BUSY'
  | 'WORKSPACE_LOCKED'
  | 'WORKSPACE_PAUSED';

export type FailureCode =
  | 'APPLY_FAILED'
  | 'APPLY_INTERRUPTED'
  | 'APPLY_PARTIAL'
  | 'APPROVAL_REJECTED'
  | 'APPROVAL_TIMED_OUT'
  | 'AUTHENTICATION_FAILED'
  | 'AUTOMATIC_ROLLBACK_FAILED'
  | 'AUTOMATIC_ROLLBACK_NO_CANDIDATE'
  | 'CODEBUILD_DOCKER_IMAGE_BUILD_FAILED'
  | 'DEPENDENCY_FAILED'
  | 'DEPLOYMENT_FAILED_GENERIC'
  | 'DEPLOYMENT_VERIFICATION_FAILED'
  | 'DESTROY_FAILED'
  | 'ENGINE_MISSING'
  | 'HANDOVER_FAILED'
  | 'HOOK_FAILED'
  | 'INFRASTRUCTURE_NETWORK_FAILURE'
  | 'INIT_FAILED'
  | 'MANUAL_ROLLBACK_FAILED'
  | 'PLAN_FAILED'
  | 'PLAN_STALE'
  | 'POLICY_DENIED'
  | 'POLICY_ERROR'
  | 'QUEUE_TIMED_OUT'
  | 'RUNNER_LOST'
  | 'RUN_TIMED_OUT'
  | 'SILENCE_TIMED_OUT'
  | 'SOURCE_FETCH_FAILED'
  | 'STATE_LOCK_HELD'
  | 'STATE_NOT_SAVED'
  | 'TASK_FAILED';

export type FailureStage =
  | 'APPLY'
  | 'APPROVAL'
  | 'AUTH'
  | 'BUILD'
  | 'CLONE'
  | 'DEPLOY'
  | 'DETECT'
  | 'INIT'
  | 'PLAN'
  | 'POLICY'
  | 'PUBLISH'
  | 'ROLLBACK'
  | 'ROLLOUT'
  | 'SETUP'
  | 'UNKNOWN'
  | 'VERIFY';

export type Gate =
  | 'APPLY'
  | 'PLAN';

export type PhaseKind =
  | 'APPLY'
  | 'APPLY_APPROVAL'
  | 'DESTROY'
  | 'INIT'
  | 'PERFORM'
  | 'PLAN'
  | 'PLAN_APPROVAL'
  | 'POLICY'
  | 'PREPARE'
  | 'VERIFY';

export type RunAction =
  | 'APPROVE_APPLY'
  | 'APPROVE_PLAN'
  | 'CANCEL'
  | 'DISCARD'
  | 'FORCE_STOP'
  | 'REJECT'
  | 'REPLAN'
  | 'RETRY'
  | 'STOP';

export type RunKind =
  | 'APPLY'
  | 'DEPLOY'
  | 'DESTROY'
  | 'PLAN'
  | 'TASK'
  | 'UNLOCK';

export type RunOutcome =
  | 'APPLIED'
  | 'APPLY_SKIPPED'
  | 'DESTROYED'
  | 'NO_CHANGES'
  | 'PERFORMED'
  | 'PLANNED'
  | 'UNLOCKED';

export type RunStatus =
  | 'APPLYING'
  | 'AWAITING_APPLY_APPROVAL'
  | 'AWAITING_PLAN_APPROVAL'
  | 'CANCELED'
  | 'CONFIRMED'
  | 'DISCARDED'
  | 'FAILED'
  | 'FINISHED'
  | 'INITIALIZING'
  | 'PERFORMING'
  | 'PLANNING'
  | 'POLICY_CHECKING'
  | 'PREPARING'
  | 'QUEUED'
  | 'READY'
  | 'REJECTED'
  | 'REPLAN_REQUESTED'
  | 'SKIPPED'
  | 'STOPPED'
  | 'TIMED_OUT'
  | 'VERIFYING';

export type UserErrorCode =
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_CONFLICT'
  | 'INVALID_INPUT'
  | 'NAME_TAKEN'
  | 'NOT_FOUND'
  | 'RUN_STATE_CONFLICT'
  | 'STALE_PLAN'
  | 'WORKSPACE_LOCKED';

export type WorkspaceLockReason =
  | 'APPLY_INTERRUPTED'
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