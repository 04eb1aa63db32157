/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The drift that is known. */
export type AcknowledgeDriftInput = {
  /** Why. */
  note?: string | null | undefined;
  /** A report of the drift that is open now. */
  reportId: string | number;
  /** When the acknowledgement ends: in the future, and within 366 days. */
  until: string;
};

/** The kind of actor that uses a token. */
export type ActorKind =
  /** A program. */
  | 'MACHINE'
  /** A person. */
  | 'USER';

/** The member to add. One that is in the team already stays. */
export type AddTeamMemberInput = {
  /** The person or the machine user. */
  actorId: string | number;
  /** The team. */
  teamId: string | number;
};

/** The recovered state to adopt. */
export type AdoptRecoveredStateInput = {
  /** The reason; at most 10000 characters. */
  note?: string | null | undefined;
  /** The state. */
  recoveredStateId: string | number;
};

/** The status of a run in Amnify's terms. */
export type AmnifyStatus =
  /** The plan is applied, or will be next. */
  | 'APPLYING'
  /** The apply waits for confirmation. */
  | 'AWAITING_APPLY_APPROVAL'
  /** The plan waits for review. */
  | 'AWAITING_PLAN_APPROVAL'
  /** The run was canceled, discarded, stopped or skipped. */
  | 'CANCELLED'
  /** The run ended well. */
  | 'COMPLETED'
  /** Everything was removed. */
  | 'DESTROYED'
  /** Everything is being removed. */
  | 'DESTROYING'
  /** The run failed, timed out or was rejected. */
  | 'FAILED'
  /** The engine initialises. */
  | 'INITIALIZING'
  /** A runner prepares the run, or another plan was requested. */
  | 'PENDING'
  /** The plan is made or checked by policies. */
  | 'PLANNING'
  /** The run waits to become eligible, or for a runner. */
  | 'QUEUED';

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

/** One stage of a gate. The whole list of rules is set at once, in the order of the stages. */
export type ApprovalRuleInput = {
  /** The ids of users and machine users whose approval counts, beside the members of the teams. Without both, every approver counts. */
  approverIds?: Array<string | number>;
  /** Whether an approval without a comment is refused. */
  commentRequired?: boolean;
  /** Whether the approval of a person who approved the plan does not count at the apply gate. */
  distinctFromPlanApprover?: boolean;
  /** Whether the approval of the person who created the run, or requested its current plan by a replan, does not count (four eyes). */
  excludeRequester?: boolean;
  /** The gate of the stage. */
  gate: Gate;
  /** The kinds of runs that the rule applies to. The default is DEPLOY, DESTROY and APPLY, and TASK at the apply gate unless `when` asks about the plan. PLAN is allowed at the plan gate. */
  kinds?: Array<RunKind> | null | undefined;
  /** Whether approvals of machine users count, and those of users with tokens alone where the rule distinguishes people. */
  machinesCount?: boolean;
  /** The number of people who must approve. */
  minimum?: number;
  /** The name, unique within the list. */
  name: string;
  /** Whether an approval counts only from a session whose person signed in during the last 10 minutes. */
  requirePresence?: boolean;
  /** The ids of teams of the organization. An approval counts by who is a member when it is given. */
  teamIds?: Array<string | number>;
  /** The rule is a stage only of runs that match. `null`: of all runs of its kinds. */
  when?: RuleConditionInput | null | undefined;
};

/** The effect on a run that waits for people longer than its limit. The run is never approved by it. */
export type ApprovalTimeoutAction =
  /** The run ends: REJECTED at the plan gate, DISCARDED at the apply gate. */
  | 'END'
  /** The run continues to wait, and `Run.escalatedAt` is set. */
  | 'ESCALATE';

/** The changeset, and what was reviewed. */
export type ApproveChangesetInput = {
  /** The changeset. */
  changesetId: string | number;
  /** The comment of each approval. */
  comment?: string | null | undefined;
  /** The gate at which the runs wait. */
  gate: Gate;
  /** `Changeset.planDigest` of what was reviewed. */
  planDigest: string;
  /** `Changeset.version` of what was reviewed. */
  version: number;
};

/** The approval of exactly one plan at one gate. */
export type ApproveRunInput = {
  /** The earliest start of the apply, only at the gate APPLY. If several approvers set it, the last one counts. */
  applyAt?: string | null | undefined;
  /** The reason, for later readers. An approval rule may require it. */
  comment?: string | null | undefined;
  /** The gate at which the run waits: PLAN first, then APPLY. */
  gate: Gate;
  /** The version of the plan that was read. It is a StalePlanError if another plan is current. */
  planVersion: number;
  /** The run that waits. */
  runId: string | number;
  /** The name of the stage. The default is the current stage. A person who approved one stage of the gate must name the next one. */
  stage?: string | null | undefined;
};

/** The plans that are applied without a person. None are with `planApproval: ALWAYS`, or for runs of kind DESTROY. */
export type AutoApply =
  /** All plans that are complete, also with actions, whose effects a plan does not show. */
  | 'ALWAYS'
  /** Plans that only create, read and set new outputs, and invoke no actions. */
  | 'CREATE_ONLY'
  /** No plans: a person starts every apply. */
  | 'NEVER'
  /** Plans that delete, replace and forget nothing, and invoke no actions. */
  | 'NO_DESTROY';

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

/** The action on each run. */
export type BulkAction =
  /** `approveRun` of the plan that was the newest when the operation was created. */
  | 'APPROVE'
  /** `cancelRun` without force. */
  | 'CANCEL'
  /** `discardRun`. */
  | 'DISCARD'
  /** `retryRun`. */
  | 'RETRY';

/** The action, and the runs to take it on. */
export type BulkRunActionInput = {
  /** The action on each run. */
  action: BulkAction;
  /** The comment of each approval, or the reason of each end. Refused with RETRY. */
  comment?: string | null | undefined;
  /** The filter that selects the runs now: at least one field, and at most 10000 runs. */
  filter: RunFilter;
  /** The gate, which is required with APPROVE and refused otherwise. */
  gate?: Gate | null | undefined;
  /** An idempotency key. A repeated request with the same key within 24 hours returns the first operation. */
  idempotencyKey?: string | null | undefined;
};

/** The state of an operation. */
export type BulkState =
  /** Every run was processed. */
  | 'FINISHED'
  /** The runs are processed one after the other. */
  | 'RUNNING'
  /** The operation was stopped. Completed actions stay. */
  | 'STOPPED';

/** The run to cancel. */
export type CancelRunInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** Whether to fence the runner instead of asking it to stop. Only admins may, from 60 seconds (or the workspace's `forceStopAfterSeconds`) after the first request to stop. */
  force?: boolean;
  /** The run. */
  runId: string | number;
};

/** The cause of a changeset. */
export type ChangesetSource =
  /** Workspaces depend on one that was applied. */
  | 'DEPENDENCY'
  /** A delivery of another system to an inbound hook. */
  | 'INBOUND_HOOK'
  /** A person or a machine user. */
  | 'MANUAL'
  /** A commit was promoted to the next stage. */
  | 'PROMOTION'
  /** A pull request was opened or changed. */
  | 'PULL_REQUEST'
  /** A push. */
  | 'PUSH'
  /** A schedule. */
  | 'SCHEDULE'
  /** A new tag. */
  | 'TAG';

/** Where a changeset is. */
export type ChangesetState =
  /** All runs have ended, and all that had changes were applied. */
  | 'APPLIED'
  /** Some of its runs are approved or applied; others are not yet. */
  | 'APPLYING'
  /** All runs have ended. None was applied: they were not wanted. */
  | 'DISCARDED'
  /** All runs have ended. None was applied, and some failed. */
  | 'FAILED'
  /** All runs have ended. There was nothing to apply: the plans had no changes, or the runs were skipped. */
  | 'NO_CHANGES'
  /** All runs have ended. Some were applied; others failed, or were not wanted. */
  | 'PARTLY_APPLIED'
  /** Its plans are ready: they wait for people, or were all that was asked for. */
  | 'PLANNED'
  /** Some of its runs have no plan yet. */
  | 'PLANNING'
  /** All runs have ended. None was applied: a newer commit took their place. */
  | 'SUPERSEDED';

/** The result of a check block. */
export type CheckBlockStatus =
  /** An assertion could not be evaluated. */
  | 'ERRORED'
  /** An assertion does not hold. */
  | 'FAILED'
  /** All its assertions hold. */
  | 'PASSED'
  /** An assertion depends on a value that is known only after the apply. */
  | 'UNKNOWN';

/** When an external check is asked about a run. */
export type CheckStage =
  /** After the apply, whose verification waits for it: MANDATORY fails the run, SOFT_MANDATORY asks for a judgement. ADVISORY is recorded. */
  | 'POST_APPLY'
  /** About the plan, at the same time as the policies. */
  | 'POST_PLAN'
  /** Before the apply: no runner takes the run before. */
  | 'PRE_APPLY'
  /** Before the plan: the run is not admitted before. */
  | 'PRE_PLAN';

/** The state of the result of an external check. */
export type CheckStatus =
  /** The result is of no use any more: its run has gone on, or its check was deleted or disabled. */
  | 'CANCELED'
  /** The service accepted none of the requests. */
  | 'ERRORED'
  /** The service was against it. */
  | 'FAILED'
  /** The service had nothing against it. */
  | 'PASSED'
  /** The service has not accepted the request yet. */
  | 'PENDING'
  /** The service has accepted the request, and has not ended. */
  | 'RUNNING'
  /** The service exceeded a limit. */
  | 'TIMED_OUT';

/** A claim that a token must have. */
export type ClaimConditionInput = {
  /** The name of the claim. */
  name: string;
  /** The value that it must have; of a list, one value must. `*` matches any text. */
  value: string;
};

/** A comment on a run. */
export type CommentOnRunInput = {
  /** The run, live or ended. */
  runId: string | number;
  /** The text of the comment: 1 to 10000 characters. */
  text: string;
};

/** The judgement about the result of an apply. */
export type ConcludeVerificationInput = {
  /** The reason, for later readers. */
  comment: string;
  /** The judgement. */
  judgement: VerificationJudgement;
  /** The run, which is VERIFYING. */
  runId: string | number;
};

/** The changeset to continue. */
export type ContinueChangesetInput = {
  /** The changeset. */
  changesetId: string | number;
};

/** The check to create. */
export type CreateExternalCheckInput = {
  /** Whether policies about a plan wait for its estimate of the cost: the JSON of Infracost as the body of an outcome whose id is `infracost.json`. It needs the stage POST_PLAN. */
  estimatesCost?: boolean;
  /** The key that signs requests by HMAC-SHA512: 1 to 500 characters. It is never shown. If absent, requests are not signed. */
  hmacKey?: string | null | undefined;
  /** The effect of its failure. */
  level: EnforcementLevel;
  /** The name, unique within the organization. */
  name: string;
  /** The effect of a missing answer. */
  onError?: PolicyErrorMode;
  /** The organization of the check. */
  organizationId: string | number;
  /** The longest time without a report, in seconds: 1 to 86400. */
  progressSeconds?: number;
  /** The workspaces whose runs it judges. */
  selector: WorkspaceSelectorInput;
  /** The stages at which it is asked. */
  stages: Array<CheckStage>;
  /** The longest time for a result, in seconds: 1 to 86400. */
  totalSeconds?: number;
  /** The https or http address of the service. An internal address is refused unless the server's settings allow it. */
  url: string;
  /** The runner pool whose runners send the requests, for a service that the server does not reach. Its runners must be started with HOLDPOINT_RUNNER_CHECKS=true. It takes `RUNNER_CHOOSE`. If absent, the server sends them. */
  viaPoolId?: string | number | null | undefined;
};

/** The git host to create. No connection is made until it has a repository. */
export type CreateGitHostInput = {
  /** The id of a GitHub App that is installed for the repositories, for GITHUB. */
  appId?: string | null | undefined;
  /** The secret that hooks are signed with: 16 to 200 characters of ASCII. If absent, one is generated. */
  hookSecret?: string | null | undefined;
  /** The software of the host. */
  kind: GitHostKind;
  /** The public keys of the host as `ssh-keyscan` writes them, for ssh. */
  knownHosts?: string | null | undefined;
  /** The name, unique within the organization: small letters, digits, hyphens, underscores and dots. */
  name: string;
  /** The organization of the host. */
  organizationId: string | number;
  /** A private key of the app: RSA, as PEM, without a passphrase. */
  privateKey?: string | null | undefined;
  /** A private key without a passphrase, for ssh. */
  sshKey?: string | null | undefined;
  /** A token that may read the repositories, for https. */
  token?: string | null | undefined;
  /** The address before the names of repositories, such as https://github.com or ssh://git@git.example.com. An internal address is refused unless the server's settings allow it. */
  url: string;
  /** The user name for the token. If absent, the one that the kind of host expects. */
  username?: string | null | undefined;
};

/** The role to grant, to whom and where. */
export type CreateGrantInput = {
  /** When it ends. If absent, it has no end. */
  expiresAt?: string | null | undefined;
  /** The person, the machine user or the team. A workspace gives the role to its runs, which takes WORKSPACE_UPDATE on it. */
  principalId: string | number;
  /** Why it is granted. */
  reason?: string | null | undefined;
  /** A built-in role, or one of the organization. */
  roleId: string | number;
  /** The organization, the project or the workspace. If absent, it holds on the installation. */
  scopeId?: string | number | null | undefined;
};

/** The hook to create. */
export type CreateInboundHookInput = {
  /** The kind of its runs. */
  kind: InboundHookKind;
  /** The values of the body that its runs get as metadata. */
  mapping?: Array<InboundMappingInput>;
  /** The name, which is the message of its runs. */
  name: string;
  /** The organization of the hook. */
  organizationId: string | number;
  /** The workspaces, at most 20. It takes the permission to make such runs in each. */
  workspaceIds: Array<string | number>;
};

/** The project to create. */
export type CreateProjectInput = {
  /** Whether grants from above do not reach into it. */
  isolated?: boolean;
  /** The name, unique among the projects beside it, without a slash. */
  name: string;
  /** The organization. */
  organizationId: string | number;
  /** The project above it. If absent, it is directly below the organization. */
  parentId?: string | number | null | undefined;
};

/** The pipeline to create. */
export type CreatePromotionPipelineInput = {
  /** The name, which is unique in the organization. */
  name: string;
  /** The organization of the pipeline. */
  organizationId: string | number;
  /** The stages, in order: from 2 to 10. Their names differ, and no label selects what another one selects. */
  stages: Array<PromotionStageInput>;
};

/** The repository to create. */
export type CreateRepositoryInput = {
  /** The host of the repository. */
  gitHostId: string | number;
  /** The path of the repository at its host, such as `acme/infrastructure`. */
  name: string;
};

/** The role to create. */
export type CreateRoleInput = {
  /** The purpose of the role. */
  description?: string | null | undefined;
  /** The name, unique within the organization. */
  name: string;
  /** The organization. */
  organizationId: string | number;
  /** The permissions. What one of them needs must be among them; nothing is added. */
  permissions: Array<Permission>;
};

/** The run to create. It gets the source and the variables as they are now; a run of kind APPLY gets those of its PLAN run. */
export type CreateRunInput = {
  /** The shell command of a run of kind TASK. Its approvers see it, and the workspace must have `tasksAllowed`. */
  command?: string | null | undefined;
  /** An idempotency key, unique per workspace and caller. A repeated request with the same key within 24 hours returns the first run. */
  idempotencyKey?: string | null | undefined;
  /** The kind of the run. */
  kind?: RunKind;
  /** The reason for the run, for its approvers. */
  message?: string | null | undefined;
  /** The metadata of the run: at most 50 entries, each key once. */
  metadata?: Array<MetadataEntryInput> | null | undefined;
  /** The finished PLAN run whose plan a run of kind APPLY applies. */
  planRunId?: string | number | null | undefined;
  /** The priority, from -100 to 100; higher goes first among the runs of its class. The default is 0. */
  priority?: number | null | undefined;
  /** Whether the run only updates the state with changes made outside; kinds DEPLOY and PLAN. The default is false. */
  refreshOnly?: boolean | null | undefined;
  /** The addresses of resource instances to replace even if they are unchanged; kinds DEPLOY and PLAN, not with `refreshOnly`. The run fails with TARGET_NOT_FOUND if one of them matches nothing. */
  replace?: Array<string> | null | undefined;
  /** The earliest start, which must be in the future. If absent, the run starts as soon as possible. */
  scheduledAt?: string | null | undefined;
  /** Limits the run to these resources, instances or modules and what they depend on; kinds DEPLOY, DESTROY and PLAN. The run fails with TARGET_NOT_FOUND if one of them matches nothing. */
  targets?: Array<string> | null | undefined;
  /** The workspace to run in. */
  workspaceId: string | number;
};

/** The pool to create. */
export type CreateRunnerPoolInput = {
  /** The purpose of the pool. */
  description?: string | null | undefined;
  /** How many checks for drift of workspaces that name the pool run at once, from 1 to 1000. `null`: as many as there are places. */
  driftCheckLimit?: number | null | undefined;
  /** The name, unique within the organization: 1 to 63 small letters, digits and hyphens. */
  name: string;
  /** The organization of the pool. */
  organizationId: string | number;
  /** Whether only workspaces that name the pool run on it. */
  reserved?: boolean;
};

/** The runner token to create. Its secret is shown once, in the result. */
export type CreateRunnerTokenInput = {
  /** When the token expires. If absent, it never expires. */
  expiresAt?: string | null | undefined;
  /** The name of the token, unique within the pool. */
  name: string;
  /** The pool that runners join with the token. */
  poolId: string | number;
};

/** The schedule to create: of a workspace, of a label, or, for the action PROMOTE, of a stage. */
export type CreateScheduleInput = {
  /** The action. It takes the permission to make such runs, now and at each due time. */
  action: ScheduledAction;
  /** The shell command, for the action TASK. */
  command?: string | null | undefined;
  /** The times: minute, hour, day of month, month, day of week, as in `30 2 * * 1-5`. */
  cron: string;
  /** Whether it is due at its times. */
  enabled?: boolean;
  /** The label of the workspaces, `key` or `key:value`. Those that have it at the due time get a run. It takes the permission in the whole organization. */
  label?: string | null | undefined;
  /** The treatment of due times that passed while no server was up. */
  misfire?: Misfire;
  /** The name. */
  name: string;
  /** The organization of the schedule. */
  organizationId: string | number;
  /** The pipeline, for the action PROMOTE alone. It takes the permission in the whole organization. */
  pipelineId?: string | number | null | undefined;
  /** How far the runs of many workspaces are spread behind the due time, at most 1440 minutes. */
  spreadMinutes?: number;
  /** The name of the stage that gets commits, for the action PROMOTE. */
  stage?: string | null | undefined;
  /** The name of the time zone of `cron`, such as Europe/Berlin. */
  timeZone?: string;
  /** The workspace. If absent, `label` selects workspaces. */
  workspaceId?: string | number | null | undefined;
};

/** The machine user to create. */
export type CreateServiceAccountInput = {
  /** The display name. */
  name: string;
  /** The organization. */
  organizationId: string | number;
};

/** The team to create. */
export type CreateTeamInput = {
  /** The groups of the identity provider whose people become members when they sign in. */
  externalIds?: Array<string>;
  /** The name, unique within the organization. */
  name: string;
  /** The organization. */
  organizationId: string | number;
};

/** The token to create. Its secret is shown once, in the result. */
export type CreateTokenInput = {
  /** The kind of the actor. Runs that a machine user creates have the trigger API. */
  actor?: ActorKind;
  /** When the token expires. If absent, after 90 days; at most after 366. A token also ends after 90 days without a request. */
  expiresAt?: string | null | undefined;
  /** The name of the token and of its actor, which is always a new one. The name of a revoked token may be used again. */
  name: string;
  /** The networks from which it may be used, in CIDR notation. If absent, those of the caller's own token, and any if it has none. */
  networks?: Array<string> | null | undefined;
  /** The caller itself, or a machine user: the token has the rights of its owner, reduced by the fields below. */
  ownerId?: string | number | null | undefined;
  /** The permissions to which it is reduced. If absent, all that the owner has. */
  permissions?: Array<Permission> | null | undefined;
  /** A role on the installation. It makes a new actor of the same name, which is granted the role; give it instead of an owner. At gates whose rules distinguish people, the approval of such an actor does not count. */
  role?: TokenRole | null | undefined;
  /** The organizations, projects and workspaces to which it is reduced. If absent, all places where the owner has rights. */
  scopeIds?: Array<string | number> | null | undefined;
};

/** The trust rule to create. A rule that strangers could use is refused. */
export type CreateTrustRuleInput = {
  /** The value that their `aud` must be, or have. Use the address of this server. */
  audience: string;
  /** Further claims that they must have. */
  claims?: Array<ClaimConditionInput>;
  /** The `iss` of the tokens, an address at which the issuer publishes its keys. */
  issuer: string;
  /** The life of the tokens that they are exchanged for, from 60 to 3600 seconds. */
  maxSeconds?: number;
  /** The machine user. */
  serviceAccountId: string | number;
  /** The value that their `sub` must have. `*` matches any text. */
  subject: string;
};

/** The webhook to create. */
export type CreateWebhookInput = {
  /** The purpose of the webhook. */
  description?: string | null | undefined;
  /** The events to send. */
  events: Array<WebhookEvent>;
  /** The organization of the webhook. */
  organizationId: string | number;
  /** The secret: `whsec_` and 24 to 64 bytes as base64. If absent, one is generated. */
  secret?: string | null | undefined;
  /** The https or http address that messages are sent to. An internal address is refused unless the server's settings allow it. */
  url: string;
  /** The only workspace whose events are sent. If absent, events of all workspaces of the organization are sent, but for those of isolated projects. */
  workspaceId?: string | number | null | undefined;
};

/** The workspace to create. Nothing runs until a run is created. */
export type CreateWorkspaceInput = {
  /** The whole list of approval rules, in order. If empty, one approval by any approver is enough. */
  approvalRules?: Array<ApprovalRuleInput> | null | undefined;
  /** The plans that are applied without a person. */
  autoApply?: AutoApply;
  /** The purpose of the workspace. */
  description?: string | null | undefined;
  /** How it is checked for drift. Changing `reconcile` needs the permission to create runs of kind DEPLOY. */
  drift?: DriftSettingsInput | null | undefined;
  /** When the workspace expires: a run destroys what it manages, then it is deleted. It takes the permission for such runs. */
  expiresAt?: string | null | undefined;
  /** The whole list of freeze windows, in which nothing is applied. */
  freezeWindows?: Array<FreezeWindowInput> | null | undefined;
  /** The whole list of hooks, at most 20. The hooks of each of the 8 stages are executed in order. Existing runs keep their hooks. Changing this needs the role ADMIN. */
  hooks?: Array<HookInput> | null | undefined;
  /** Whether people may stop an apply. The default is false. */
  interruptApply?: boolean | null | undefined;
  /** The labels, at most 20: "key" or "key:value", each key once. Both parts have 1 to 63 letters, digits, dots, underscores, slashes and hyphens. */
  labels?: Array<string> | null | undefined;
  /** The limits of its runs. An absent limit is not changed. */
  limits?: RunLimitsInput | null | undefined;
  /** The time for which a run holds the workspace. The default is RUN. */
  lockScope?: LockScope | null | undefined;
  /** The name, unique within the organization: 1 to 90 small letters, digits, hyphens, underscores and dots. */
  name: string;
  /** The slug of the organization; `default` exists from the start. */
  organization?: string;
  /** When a person must accept a plan. */
  planApproval?: PlanApprovalMode;
  /** The project of the organization into which it goes. If absent: `default`. */
  projectId?: string | number | null | undefined;
  /** The labels that a runner must have to take its runs, at most 20. Only admins may change them. */
  runnerLabels?: Array<string> | null | undefined;
  /** The only pool whose runners take its runs. Null means shared runners and pools that are not reserved. Only admins may change it, because the choice of runners decides which credentials the runs get. */
  runnerPoolId?: string | number | null | undefined;
  /** The source of the configuration. */
  source: WorkspaceSourceInput;
  /** Whether runs of kind TASK can be created. The default is false. */
  tasksAllowed?: boolean | null | undefined;
  /** The changes in its repository that start runs. Changing it needs the permission to create runs of kind DEPLOY. */
  trigger?: WorkspaceTriggerInput | null | undefined;
};

/** The kind of credential of a caller. */
export type CredentialKind =
  /** A run at work, by the token in the environment of its engine. */
  | 'RUN'
  /** A browser in which a person is signed in. */
  | 'SESSION'
  /** A token of the API. */
  | 'TOKEN';

/** The decision about an exception. */
export type DecidePolicyExceptionInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** The decision. */
  decision: PolicyExceptionDecision;
  /** The exception. */
  exceptionId: string | number;
};

/** The check to delete. */
export type DeleteExternalCheckInput = {
  /** The check. */
  checkId: string | number;
};

/** The git host to delete. */
export type DeleteGitHostInput = {
  /** The git host. */
  gitHostId: string | number;
};

/** The hook to delete. */
export type DeleteInboundHookInput = {
  /** The hook. */
  hookId: string | number;
};

/** The passkey to delete. */
export type DeletePasskeyInput = {
  /** The passkey. */
  passkeyId: string | number;
};

/** The project to delete. It is refused while there is a workspace or a project in it. */
export type DeleteProjectInput = {
  /** The project. */
  projectId: string | number;
};

/** The pipeline to delete. */
export type DeletePromotionPipelineInput = {
  /** The pipeline. */
  pipelineId: string | number;
};

/** The repository to delete. */
export type DeleteRepositoryInput = {
  /** The repository. */
  repositoryId: string | number;
};

/** The role to delete. */
export type DeleteRoleInput = {
  /** The role. */
  roleId: string | number;
};

/** The pool to delete. It is refused while a workspace names the pool, or one of its runners has a job. */
export type DeleteRunnerPoolInput = {
  /** The pool. */
  poolId: string | number;
};

/** The schedule to delete. */
export type DeleteScheduleInput = {
  /** The schedule. */
  scheduleId: string | number;
};

/** The team to delete. */
export type DeleteTeamInput = {
  /** The team. */
  teamId: string | number;
};

/** The trust rule to delete. */
export type DeleteTrustRuleInput = {
  /** The trust rule. */
  trustRuleId: string | number;
};

/** The variable to delete. */
export type DeleteVariableInput = {
  /** The way in which it is passed to the engine. */
  category?: VariableCategory;
  /** The name of the variable. */
  key: string;
  /** The workspace of the variable. */
  workspaceId: string | number;
};

/** The webhook to delete. */
export type DeleteWebhookInput = {
  /** The webhook. */
  webhookId: string | number;
};

/** The workspace to delete. It is refused while a run is live, and without `force` while the state has resources. */
export type DeleteWorkspaceInput = {
  /** Whether to delete the workspace although its state has resources. The resources continue to exist, unmanaged. */
  force?: boolean;
  /** The workspace to delete. */
  workspaceId: string | number;
};

/** People whose approval a rule demands: a stage of the plan gate. */
export type DemandedApproversInput = {
  /** The ids of users, beside the members of the teams. Without both: all who may approve the plan. */
  approverIds?: Array<string | number>;
  /** Whether the approval of the person who requested the run does not count. */
  excludeRequester?: boolean;
  /** The number of people who must approve. */
  minimum?: number;
  /** The name of the stage. */
  name: string;
  /** The ids of teams of the organization. */
  teamIds?: Array<string | number>;
};

/** When a workspace upstream that was applied starts a run downstream. */
export type DependencyTrigger =
  /** Whenever it was applied. */
  | 'ALWAYS'
  /** Never. In a changeset the run downstream comes after that of the workspace upstream, whether that ended well or not. */
  | 'NEVER'
  /** If an output that is referenced has another value than at the last run downstream that was applied. */
  | 'OUTPUTS_CHANGED';

/** The shape of what a workspace deploys. */
export type DeployShape =
  /** A service with a Dockerfile of its own. */
  | 'EXISTING_DOCKER'
  /** Several services. */
  | 'MULTI'
  /** One service. */
  | 'SERVER'
  /** Files. */
  | 'STATIC'
  /** Files that a build makes, or a server if there is a start command. */
  | 'STATIC_BUILD';

/** The infrastructure that a shape needs. */
export type DeployTarget =
  /** Containers. */
  | 'ECS'
  /** A bucket of files. */
  | 'S3';

/** The deployment status of a workspace, as far as Holdpoint knows. */
export type DeploymentStatus =
  /** The last change was applied, and a part of it does not answer well: read `healthReason`. */
  | 'DEGRADED'
  /** A run changes the infrastructure, or will next: wait. */
  | 'DEPLOYING'
  /** Everything was removed. */
  | 'DESTROYED'
  /** The last change failed: read the failure of the last run. */
  | 'FAILED'
  /** No run begins until the workspace is resumed. */
  | 'PAUSED'
  /** Nothing was ever applied: create a run. */
  | 'PENDING'
  /** The last change was applied. */
  | 'RUNNING'
  /** The last change was applied, and nothing of it answers: read `healthReason`. */
  | 'UNREACHABLE';

/** The verification of a run of kind DESTROY by probes. */
export type DestroyVerification =
  /** The targets, as they were before, must not answer as expected any more. */
  | 'EXPECT_GONE'
  /** There is none. */
  | 'NONE';

/** Selects runs by the values of `Run.dialects`. The given fields are joined by AND; an absent or null field does not filter; an empty list matches nothing. */
export type DialectFilter = {
  /** Only runs with one of these statuses of Amnify. */
  amnify?: Array<AmnifyStatus> | null | undefined;
  /** Only runs whose apply run has one of these statuses of Forgecroft. */
  forgecroftApply?: Array<ForgecroftStatus> | null | undefined;
  /** Only runs whose plan run has one of these statuses of Forgecroft. */
  forgecroftPlan?: Array<ForgecroftStatus> | null | undefined;
  /** Only runs whose unlock run has one of these statuses of Forgecroft. */
  forgecroftUnlock?: Array<ForgecroftStatus> | null | undefined;
  /** Only runs with one of these statuses of HCP Terraform. */
  hcp?: Array<HcpRunStatus> | null | undefined;
  /** Only runs with one of these statuses of SmartDeploy. */
  smartDeploy?: Array<SmartDeployStatus> | null | undefined;
  /** Only runs with one of these states of Spacelift. */
  spacelift?: Array<SpaceliftState> | null | undefined;
};

/** A folder on the server's disk, packed into a snapshot when a run is created. With links resolved it must lie below one of the source roots of the server. */
export type DirectorySourceInput = {
  /** The absolute path of the folder. */
  path: string;
};

/** The person or the machine user to disable. Grants stay, and count again once it is enabled. */
export type DisableUserInput = {
  /** The person or the machine user. */
  userId: string | number;
};

/** The changeset to discard. */
export type DiscardChangesetInput = {
  /** The changeset. */
  changesetId: string | number;
  /** The reason of each end. */
  comment?: string | null | undefined;
};

/** The recovered state to discard. */
export type DiscardRecoveredStateInput = {
  /** The reason; at most 10000 characters. */
  note?: string | null | undefined;
  /** The state. */
  recoveredStateId: string | number;
};

/** The run whose plan to discard. */
export type DiscardRunInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** The version of the plan that was read. If given, it is a StalePlanError if another plan is current. */
  planVersion?: number | null | undefined;
  /** The run, which waits at one of its gates. */
  runId: string | number;
};

/** The runner to drain. */
export type DrainRunnerInput = {
  /** The runner. */
  runnerId: string | number;
};

/** A change of a resource that no run made. */
export type DriftAction =
  /** It is gone. */
  | 'DELETE'
  /** It was changed. */
  | 'UPDATE';

/** Changes that are no drift. A resource is left out if all its changes are covered by rules. */
export type DriftIgnoreRuleInput = {
  /** The addresses of resources; `*` matches any characters. */
  addressGlob?: string;
  /** The path of the attribute, such as `desired_capacity` or `tags.Name`, with all below it. `*`: every change. */
  attribute: string;
};

/** How a workspace is checked for drift. */
export type DriftMode =
  /** By a plan of what was applied: drift is what it would change, and what else the configuration depends on. */
  | 'PLAN'
  /** By a refresh: drift is all that something else changed, also where a run would leave it so. */
  | 'REFRESH_ONLY';

/** The reaction to drift. */
export type DriftReconciliation =
  /** A run that undoes the drift. Its apply needs no person if it destroys, replaces and forgets nothing; the plan gate of the workspace stays. */
  | 'AUTO_SAFE'
  /** Nothing but the message. */
  | 'OFF'
  /** A run that undoes the drift. A person has to approve its apply. */
  | 'PROPOSE';

/** The result of a check for drift. */
export type DriftResult =
  /** No drift but what the workspace ignores. */
  | 'CLEAN'
  /** Drift. */
  | 'DRIFTED'
  /** Nothing: the check failed. */
  | 'ERRORED';

/** How a workspace is checked for drift. An absent field is not changed; null is invalid. */
export type DriftSettingsInput = {
  /** Changes that are no drift; at most 100 rules. */
  ignore?: Array<DriftIgnoreRuleInput> | null | undefined;
  /** How checks look for drift. The default is PLAN. */
  mode?: DriftMode | null | undefined;
  /** The reaction to drift. The default is OFF. */
  reconcile?: DriftReconciliation | null | undefined;
};

/** Whether a workspace has drifted from what was applied. */
export type DriftStatus =
  /** There is drift, and people have acknowledged it. */
  | 'ACKNOWLEDGED'
  /** There is drift. */
  | 'DRIFTED'
  /** The newest check failed. */
  | 'ERRORED'
  /** The newest check found no drift but what the workspace ignores. */
  | 'NONE'
  /** Nothing was checked yet. */
  | 'UNKNOWN';

/** The judgement of a plan when it was made. */
export type EarlierJudgement =
  /** The run ended before. */
  | 'CANCELED'
  /** A policy could not be judged. */
  | 'ERRORED'
  /** Policies found violations, or demand approvals. */
  | 'FAILED'
  /** No policy found anything. */
  | 'PASSED'
  /** Policies found violations at the level ADVISORY, and no others. */
  | 'WARNED';

/** The person or the machine user to enable. */
export type EnableUserInput = {
  /** The person or the machine user. */
  userId: string | number;
};

/** The effect of a violation. */
export type EnforcementLevel =
  /** It is shown, and may stop auto-apply. */
  | 'ADVISORY'
  /** The run is rejected; at RUN_CREATE it is not created. */
  | 'MANDATORY'
  /** The run waits at the plan gate until the violation is overridden. At the other moments no gate follows: it has the effect of MANDATORY. */
  | 'SOFT_MANDATORY';

/** The area that has to be fixed. */
export type FailureCategory =
  /** Credentials failed: renew them or give them more rights. */
  | 'AUTH_FAILURE'
  /** The build of an artifact failed. */
  | 'BUILD_FAILURE'
  /** The configuration, its modules or its providers have an error. */
  | 'CONFIGURATION_FAILURE'
  /** The deployment runs, but is not healthy. */
  | 'HEALTH_CHECK_FAILURE'
  /** A provider or the network failed. */
  | 'INFRASTRUCTURE_FAILURE'
  /** A rule or a person rejected the run. */
  | 'POLICY_FAILURE'
  /** The rollback failed: check the infrastructure by hand. */
  | 'ROLLBACK_FAILURE'
  /** The runner failed. */
  | 'RUNNER_FAILURE'
  /** The deployment does not start. */
  | 'STARTUP_FAILURE'
  /** The state of the workspace, or its lock, caused the failure. */
  | 'STATE_FAILURE'
  /** The category is not known; read the message. */
  | 'UNKNOWN_FAILURE';

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

/** The state lock to break. Needs the role ADMIN. */
export type ForceUnlockStateInput = {
  /** The id of the lock, so that no other lock is broken. */
  lockId: string;
  /** The workspace. */
  workspaceId: string | number;
};

/** The status of a run in Forgecroft's terms. */
export type ForgecroftStatus =
  /** The run was canceled, discarded or stopped. */
  | 'ABORTED'
  /** The run ended well. */
  | 'COMPLETED'
  /** The run failed. */
  | 'FAILED'
  /** The run is executing. */
  | 'IN_PROGRESS'
  /** The run waits for a person. */
  | 'PENDING_APPROVAL'
  /** Policies check the plan. */
  | 'PENDING_POLICY'
  /** The run waits to begin. */
  | 'QUEUED'
  /** A person, a policy or a time-out rejected the run. */
  | 'REJECTED'
  /** The run exceeded a time limit. */
  | 'TIMED_OUT'
  /** The lock was removed. */
  | 'UNLOCKED';

/** How the server learned that a ref may have moved. */
export type FoundBy =
  /** By `lookAtRepository`. */
  | 'CALLER'
  /** By a hook of the host. */
  | 'HOOK'
  /** By polling. */
  | 'POLL';

/** A recurring time in which nothing is applied. The whole list of windows is set at once. */
export type FreezeWindowInput = {
  /** When the window opens, as a cron expression in the time zone: minute, hour, day of month, month, day of week. */
  cron: string;
  /** The length of the window in elapsed minutes. */
  durationMinutes: number;
  /** The name, unique within the list. */
  name: string;
  /** The IANA name of the time zone, for example Europe/Berlin. */
  timeZone?: string;
};

/** The two points at which a run waits for approval, in this order. */
export type Gate =
  /** The apply gate: people decide whether the apply starts now. */
  | 'APPLY'
  /** The plan gate: people decide whether the plan is acceptable. */
  | 'PLAN';

/** How the server authenticates to a git host. The credential itself is never shown. */
export type GitHostCredential =
  /** By a GitHub App: a token for each repository, which may read it for an hour. */
  | 'APP'
  /** It does not: the repositories are public. */
  | 'NONE'
  /** By a private key. */
  | 'SSH_KEY'
  /** By a user name and a token. */
  | 'TOKEN';

/** The software of a git host. */
export type GitHostKind =
  /** Bitbucket Cloud. */
  | 'BITBUCKET_CLOUD'
  /** Bitbucket Data Center. */
  | 'BITBUCKET_SERVER'
  /** Forgejo. */
  | 'FORGEJO'
  /** Any server of git. It sends no hooks: its repositories are polled. */
  | 'GIT'
  /** Gitea. */
  | 'GITEA'
  /** GitHub, in the cloud or an enterprise server. */
  | 'GITHUB'
  /** GitLab, in the cloud or self-managed. */
  | 'GITLAB';

/** Changes of a git source. An absent field is not changed; null is invalid. */
export type GitSourceChangeInput = {
  /** The branch. */
  branch?: string | null | undefined;
  /** The folder within the repository; `.` is the root. */
  path?: string | null | undefined;
};

/** A git repository. Set credentials as environment variables of the workspace, which the engine does not get: HOLDPOINT_GIT_USERNAME and HOLDPOINT_GIT_PASSWORD, or HOLDPOINT_GIT_SSH_KEY and HOLDPOINT_GIT_KNOWN_HOSTS. */
export type GitSourceInput = {
  /** The branch. */
  branch?: string;
  /** The folder within the repository. */
  path?: string;
  /** The repository of a git host, in place of `url`. It is fetched with the credential of the host, and its changes can start runs. */
  repositoryId?: string | number | null | undefined;
  /** The address without credentials: https://, ssh:// (or git@host:path), or file:// below one of the source roots of the server. Required unless `repositoryId` is given. */
  url?: string | null | undefined;
};

/** The status of a run in HCP Terraform's terms, as its API writes it. */
export type HcpRunStatus =
  /** The plan was applied. */
  | 'applied'
  /** The run waits for a runner to apply. */
  | 'apply_queued'
  /** The plan is applied. */
  | 'applying'
  /** A person interrupted the run. */
  | 'canceled'
  /** The run is confirmed and waits for a runner. */
  | 'confirmed'
  /** Costs were estimated; the plan waits for confirmation. Does not occur yet. */
  | 'cost_estimated'
  /** The plan was discarded. */
  | 'discarded'
  /** The run failed. */
  | 'errored'
  /** The configuration is fetched. */
  | 'fetching'
  /** The run was interrupted by force. */
  | 'force_canceled'
  /** The run waits to become eligible. */
  | 'pending'
  /** The run waits for a runner to plan. */
  | 'plan_queued'
  /** The plan waits for confirmation. */
  | 'planned'
  /** The run ended with a plan that needs no apply. */
  | 'planned_and_finished'
  /** The plan is made. */
  | 'planning'
  /** Policies passed; the plan waits for confirmation. Does not occur yet. */
  | 'policy_checked'
  /** Policies check the plan. */
  | 'policy_checking'
  /** The run waits for a person to accept the plan. */
  | 'policy_override'
  /** A policy did not accept a plan-only run. */
  | 'policy_soft_failed'
  /** Checks after the apply are executing. */
  | 'post_apply_running'
  /** A check after the plan asks for a decision. Does not occur yet. */
  | 'post_plan_awaiting_decision';

/** Whether the hooks of a host arrive. */
export type HookHealth =
  /** They do not: three of the last five changes were found by polling. */
  | 'MISSING'
  /** It is not known yet. A host of the kind GIT sends none. */
  | 'UNPROVEN'
  /** They do: the last three changes were found by them. */
  | 'WORKING';

/** A command that the runs of a workspace execute before or after a step of the engine. */
export type HookInput = {
  /** The command for `/bin/sh -c`, in the folder of the configuration, with the environment of the engine; 1 to 8192 characters. Everyone with read access to the workspace can read it: put secrets into variables. */
  command: string;
  /** The purpose of the hook in the deployment. A hook after an apply that has another purpose than `GENERIC` fails the run if it fails. */
  purpose?: HookPurpose;
  /** The time at which the hook is executed. */
  stage: HookStage;
};

/** The purpose of a hook in the deployment. It decides the stage and the code of the failure of a hook that fails. */
export type HookPurpose =
  /** Builds an artifact. If the hook fails, the code is `CODEBUILD_DOCKER_IMAGE_BUILD_FAILED`. */
  | 'BUILD'
  /** Detects what the source contains. If the hook fails, the stage is `DETECT`. */
  | 'DETECT'
  /** Anything else. If the hook fails, the code is `HOOK_FAILED`, with the stage in which it was executed. */
  | 'GENERIC'
  /** Publishes an artifact. If the hook fails, the stage is `PUBLISH`. */
  | 'PUBLISH'
  /** Rolls out what was applied. If the hook fails, the stage is `ROLLOUT`. */
  | 'ROLLOUT';

/** The time at which a hook is executed. Every leg of a run initialises the engine, including an apply. */
export type HookStage =
  /** After a successful apply. If a hook without a purpose fails, the log has a warning and the run still succeeds. */
  | 'AFTER_APPLY'
  /** After everything was destroyed. If a hook without a purpose fails, the log has a warning and the run still succeeds. */
  | 'AFTER_DESTROY'
  /** After the engine has initialised. If the hook fails, the run fails. */
  | 'AFTER_INIT'
  /** After the plan was made, before it is shown. If the hook fails, the run fails. */
  | 'AFTER_PLAN'
  /** Before the plan is applied. If the hook fails, the run fails and nothing is applied. */
  | 'BEFORE_APPLY'
  /** Before everything is destroyed. If the hook fails, the run fails and nothing is destroyed. */
  | 'BEFORE_DESTROY'
  /** Before the engine initialises. If the hook fails, the run fails. */
  | 'BEFORE_INIT'
  /** Before the plan is made. If the hook fails, the run fails. */
  | 'BEFORE_PLAN';

/** The kind of the runs of an inbound hook. */
export type InboundHookKind =
  /** `DEPLOY`: a plan, which is applied after its gates. */
  | 'DEPLOY'
  /** `PLAN`: a plan alone. */
  | 'PLAN';

/** A value of the body of a delivery that its runs get as metadata. */
export type InboundMappingInput = {
  /** The key of the metadata. */
  key: string;
  /** A JSON pointer (RFC 6901) into the body, such as /ticket/id. */
  pointer: string;
};

/** Why a run is in the inbox. A run has the first that applies, in the order of this list. */
export type InboxReason =
  /** The run waits at a gate for longer than its limit, for other people. */
  | 'ESCALATED'
  /** The run failed or timed out in the last 7 days, and no newer run of its workspace exists. It was created at most 90 days before. */
  | 'FAILED'
  /** The run waits at a gate for other people. */
  | 'OTHERS_APPROVAL'
  /** A state came after its lease had ended, and no person has adopted or discarded it. */
  | 'RECOVERED_STATE'
  /** The apply was interrupted, and the workspace is locked until a person has compared its state with what exists. */
  | 'STATE_UNKNOWN'
  /** The run waits at a gate, and the caller can add an approval or an override now. */
  | 'YOUR_APPROVAL'
  /** The caller created the run, and it waits at a gate for other people, or failed as FAILED describes. */
  | 'YOUR_RUN';

/** The consequence of a verification without a result. */
export type InconclusiveAction =
  /** The run waits for `concludeVerification`, for at most a day, and fails then. */
  | 'ASK'
  /** The run fails. It does not go back. */
  | 'FAIL'
  /** The run ends FINISHED. A person judges it if a required probe was changed. */
  | 'PASS';

/** The person to invite. No message is sent: pass the link on yourself. */
export type InviteMemberInput = {
  /** The e-mail address, which members with MEMBER_READ see. */
  email?: string | null | undefined;
  /** When the link ends, within 7 days. If absent, it ends after 7 days. */
  expiresAt?: string | null | undefined;
  /** The display name of the person. */
  name: string;
  /** The organization. */
  organizationId: string | number;
  /** Teams of the organization that the person will be a member of. */
  teamIds?: Array<string | number>;
};

/** The time for which a run holds its workspace. Runs of kind PLAN never hold it. */
export type LockScope =
  /** While a runner executes the run. At the gates other runs may go first; a plan that becomes stale by that is not applied. */
  | 'EXECUTION'
  /** From its admission to its end, also while people decide. */
  | 'RUN';

/** The lock to set. If the caller holds the lock already, its note and its expiry are changed. */
export type LockWorkspaceInput = {
  /** When the lock expires. If absent, it never expires. */
  expiresAt?: string | null | undefined;
  /** The reason, for people who have to wait. */
  note?: string | null | undefined;
  /** The workspace to lock. */
  workspaceId: string | number;
};

/** A color of terminals, usual or bright. */
export type LogColor =
  /** Black, or grey. */
  | 'BLACK'
  /** Blue. */
  | 'BLUE'
  /** Cyan. */
  | 'CYAN'
  /** Green. */
  | 'GREEN'
  /** Magenta. */
  | 'MAGENTA'
  /** Red. */
  | 'RED'
  /** White. */
  | 'WHITE'
  /** Yellow. */
  | 'YELLOW';

/** The origin of a log line. */
export type LogStream =
  /** The runner itself. */
  | 'RUNNER'
  /** The standard error of the engine, a provisioner, a task or a hook. */
  | 'STDERR'
  /** The standard output of the engine, a provisioner, a task or a hook. */
  | 'STDOUT';

/** The repository to read. */
export type LookAtRepositoryInput = {
  /** The repository. */
  repositoryId: string | number;
};

/** How a member came into a team. */
export type MembershipSource =
  /** By a group of the identity provider, at the last sign-in. */
  | 'LOGIN'
  /** By a command. */
  | 'MANUAL';

/** An entry of the metadata of a run, such as its pull request. */
export type MetadataEntryInput = {
  /** The key: 1 to 100 characters on one line. */
  key: string;
  /** The value: at most 1,000 characters. */
  value: string;
};

/** The treatment of due times that passed while no server was up. */
export type Misfire =
  /** The last of them is made up for; the others are dropped. */
  | 'ONCE'
  /** All of them are dropped. */
  | 'SKIP';

/** The project to move. The project `default` stays, and five levels are the most. */
export type MoveProjectInput = {
  /** The project. */
  projectId: string | number;
  /** The project above it from then on. If absent, it is directly below the organization. */
  toProjectId?: string | number | null | undefined;
};

/** How long an override holds. */
export type OverrideHolds =
  /** For the plan that was overridden. */
  | 'PLAN'
  /** Also for a later plan of the run that has no other violations. */
  | 'SAME_VIOLATIONS';

/** The failures of exactly one plan to override. */
export type OverridePoliciesInput = {
  /** Why the failures are accepted, for later readers. */
  comment: string;
  /** In place of results, or beside others: evaluations of this plan, at most 100, whose failures are all overridden. A plan may have more failures than one command can name. */
  evaluationIds?: Array<string | number>;
  /** The version of the plan that was read. It is a StalePlanError if another plan is current. */
  planVersion: number;
  /** The results, at most 5000: all failures of a policy set that wait for an override, or of several sets. */
  resultIds?: Array<string | number>;
  /** The run, which waits at its plan gate. */
  runId: string | number;
};

/** A right to read or to change something. */
export type Permission =
  /** Approve applies at the apply gate, and discard runs that are approved. */
  | 'APPLY_APPROVE'
  /** Stop the bulk operations of others. */
  | 'BULK_OTHERS'
  /** Read the addresses of external checks, and change and test them. */
  | 'CHECK_WRITE'
  /** Read the metrics of the installation. */
  | 'FIGURES_READ'
  /** Change approval rules, limits, freeze windows and auto-apply. */
  | 'GATE_WRITE'
  /** Grant and revoke roles, up to the permissions that one has. */
  | 'GRANT_WRITE'
  /** Change the commands that run before and after phases. */
  | 'HOOK_WRITE'
  /** Read people, teams, machine users and grants. */
  | 'MEMBER_READ'
  /** Change teams and machine users; on the installation, disable people. */
  | 'MEMBER_WRITE'
  /** Read an organization and its settings. Included in any right below it. */
  | 'ORGANIZATION_READ'
  /** Create organizations, and change their settings. */
  | 'ORGANIZATION_UPDATE'
  /** Approve and reject plans at the plan gate. */
  | 'PLAN_APPROVE'
  /** Ask for exceptions from policies for a workspace. */
  | 'POLICY_EXCEPT'
  /** Read sets of policies, with their rules. */
  | 'POLICY_READ'
  /** Change sets of policies, and try their rules on stored plans. */
  | 'POLICY_WRITE'
  /** Read projects. */
  | 'PROJECT_READ'
  /** Create, change and delete projects. */
  | 'PROJECT_WRITE'
  /** Change the roles of an organization. */
  | 'ROLE_WRITE'
  /** Choose the runners of a workspace, which receive its credentials. */
  | 'RUNNER_CHOOSE'
  /** Drain, resume and revoke runners. */
  | 'RUNNER_COMMAND'
  /** Change runner pools and their tokens. */
  | 'RUNNER_POOL_WRITE'
  /** Read runners and their pools. */
  | 'RUNNER_READ'
  /** Cancel runs. */
  | 'RUN_CANCEL'
  /** Comment on runs. */
  | 'RUN_COMMENT'
  /** Create runs of the kinds DEPLOY and APPLY, by promotions and rollbacks too, and replan, retry and prioritize them. UNLOCK takes it as well. */
  | 'RUN_DEPLOY'
  /** Create runs of kind DESTROY, and replan, retry and prioritize them. */
  | 'RUN_DESTROY'
  /** Discard runs. */
  | 'RUN_DISCARD'
  /** Stop runs by force. */
  | 'RUN_FORCE_STOP'
  /** Create runs of kind PLAN, and replan, retry and prioritize them. */
  | 'RUN_PLAN'
  /** Read runs, plans and logs. */
  | 'RUN_READ'
  /** Create runs of kind TASK, and retry and prioritize them. */
  | 'RUN_TASK'
  /** Upload sources. */
  | 'SOURCE_UPLOAD'
  /** Lock states, as an engine does. */
  | 'STATE_LOCK'
  /** Take the lock of a state from others. */
  | 'STATE_LOCK_FORCE'
  /** Download states, with every secret in them. */
  | 'STATE_READ'
  /** Make an earlier state the current one. */
  | 'STATE_ROLLBACK'
  /** Write and import states, and adopt recovered ones. */
  | 'STATE_WRITE'
  /** Create, list and revoke tokens. */
  | 'TOKEN_WRITE'
  /** Set and delete variables. */
  | 'VARIABLE_WRITE'
  /** Read and change webhooks. */
  | 'WEBHOOK_WRITE'
  /** Create workspaces, and move workspaces in. */
  | 'WORKSPACE_CREATE'
  /** Delete workspaces, and move workspaces away. */
  | 'WORKSPACE_DELETE'
  /** Unlock workspaces that others have locked, and break state locks. */
  | 'WORKSPACE_FORCE_UNLOCK'
  /** Lock and unlock workspaces. */
  | 'WORKSPACE_LOCK'
  /** Read workspaces, with variables that are not sensitive and outputs that are not. */
  | 'WORKSPACE_READ'
  /** Change the settings of workspaces. */
  | 'WORKSPACE_UPDATE';

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

/** The status of a phase. */
export type PhaseStatus =
  /** The phase was canceled before it was complete. */
  | 'CANCELED'
  /** The phase failed; `Run.failure` shows the cause. */
  | 'FAILED'
  /** The lease of the runner expired. The phase is tried again if that is safe. */
  | 'LOST'
  /** The phase succeeded. */
  | 'PASSED'
  /** The phase has not begun. Does not occur yet. */
  | 'PENDING'
  /** The phase is executing, or waits for people. */
  | 'RUNNING'
  /** The phase was not needed. Does not occur yet. */
  | 'SKIPPED'
  /** The phase exceeded a limit of time or silence. */
  | 'TIMED_OUT';

/** When a person must accept a plan, before the apply is approved. */
export type PlanApprovalMode =
  /** Every plan: the plan and the apply are approved separately. */
  | 'ALWAYS'
  /** Only plans for which a policy or an approval rule requires it. */
  | 'WHEN_REQUIRED';

/** The product whose input the policies expect, and whose results they give. */
export type PolicyDialect =
  /** The plan at the root; `deny`, `violation` and `warn`. */
  | 'CONFTEST'
  /** The input of Forgecroft; `deny` and `require_approval`. */
  | 'FORGECROFT'
  /** The input of HCP Terraform: `plan` and `run`. */
  | 'HCP'
  /** The input of Holdpoint. */
  | 'HOLDPOINT'
  /** The input of Scalr: `tfplan` and `tfrun`. */
  | 'SCALR'
  /** The input of Spacelift's plan policies; `deny` and `warn`. */
  | 'SPACELIFT';

/** The subjects of a rule. */
export type PolicyEach =
  /** It is asked once for the plan. */
  | 'PLAN'
  /** It is asked for each resource that `types` and `actions` name. */
  | 'RESOURCE';

/** The effect of a policy that cannot be judged. */
export type PolicyErrorMode =
  /** That of a violation at the level SOFT_MANDATORY. */
  | 'ASK'
  /** That of a violation of its strictest policy. */
  | 'FAIL_CLOSED'
  /** That of a violation at the level ADVISORY. */
  | 'FAIL_OPEN';

/** The status of an evaluation. */
export type PolicyEvaluationStatus =
  /** The run ended before. */
  | 'CANCELED'
  /** A policy could not be judged. */
  | 'ERRORED'
  /** Policies found violations, or demand approvals. */
  | 'FAILED'
  /** No policy found anything. */
  | 'PASSED'
  /** It waits for a server. */
  | 'PENDING'
  /** A server judges. */
  | 'RUNNING'
  /** Policies found violations at the level ADVISORY, and no others. */
  | 'WARNED';

/** A decision about an exception. */
export type PolicyExceptionDecision =
  /** The exception is in force until it expires. */
  | 'APPROVE'
  /** The exception is not granted. */
  | 'REJECT';

/** Whether an exception is in force. */
export type PolicyExceptionState =
  /** It is in force: what it matches is waived. */
  | 'APPROVED'
  /** Its time has come. */
  | 'EXPIRED'
  /** It was rejected. */
  | 'REJECTED'
  /** Another person must decide about it. */
  | 'REQUESTED'
  /** It was ended, or taken back, before its time. */
  | 'REVOKED';

/** The language of policies. */
export type PolicyLanguage =
  /** The Common Expression Language: rules as text. */
  | 'CEL'
  /** Rego that was compiled to a WebAssembly module. */
  | 'REGO_WASM';

/** The people who may override results at the level SOFT_MANDATORY. */
export type PolicyOverridersInput = {
  /** The ids of users, beside the members of the teams. Without both: all who may approve the plan. At most 50. */
  approverIds?: Array<string | number>;
  /** Whether the person who requested the run may not override. */
  excludeRequester?: boolean;
  /** How long an override holds. */
  holds?: OverrideHolds;
  /** The number of people who must override. */
  minimum?: number;
  /** The ids of teams of the organization. At most 50. */
  teamIds?: Array<string | number>;
};

/** The moment at which a policy is asked. */
export type PolicyPoint =
  /** After the plan, before people are asked. */
  | 'PLAN'
  /** Before an approved plan is given to a runner. */
  | 'PRE_APPLY'
  /** Before a run is created. There is no plan yet. */
  | 'RUN_CREATE';

/** The status of a result. Policies that passed have none. */
export type PolicyResultStatus =
  /** The policy could not be judged. */
  | 'ERROR'
  /** A violation, or a demand for approvals. */
  | 'FAILED'
  /** A violation that an exception covers: it does not count. */
  | 'WAIVED';

/** A rule in CEL: `when` is asked for each resource that `types` and `actions` name, or once for the plan. */
export type PolicyRuleInput = {
  /** The actions of resources. Absent: all but NO_OP and READ. */
  actions?: Array<ResourceAction> | null | undefined;
  /** The people whose approval a match demands, in place of a violation. */
  approvers?: DemandedApproversInput | null | undefined;
  /** The subjects of the rule. */
  each?: PolicyEach;
  /** The effect of a violation. */
  level: EnforcementLevel;
  /** The words of a violation, with `{{expression}}` in place of values. */
  message: string;
  /** The name, unique within the version. */
  name: string;
  /** The moment at which it is asked. */
  point?: PolicyPoint;
  /** The remedy of a violation. */
  remediation?: string | null | undefined;
  /** Whether a violation at the level ADVISORY stops auto-apply. */
  stopsAutoApply?: boolean;
  /** The types of resources. Absent: all. */
  types?: Array<string> | null | undefined;
  /** An expression in CEL that is true for a violation. At most 8192 characters, as the message. */
  when: string;
};

/** Whether a version judges plans, and decides about them. */
export type PolicyVersionState =
  /** It judges and decides. A set has at most one. */
  | 'ACTIVE'
  /** It judges nothing. */
  | 'DRAFT'
  /** It judges nothing any more. */
  | 'RETIRED'
  /** It judges and is recorded, and decides nothing. A set has at most one. */
  | 'SHADOW';

/** The conditions for a good answer to a probe. */
export type ProbeExpectationInput = {
  /** A text that the first 64 KiB of the answer contain. */
  bodyContains?: string | null | undefined;
  /** Days for which the certificate is still valid. One that ends earlier is degraded. */
  certificateDays?: number | null | undefined;
  /** An expression in CEL over `status`, `headers`, `json`, `latencyMs`, and `data` for GRAPHQL, which is true for a good answer. */
  expression?: string | null | undefined;
  /** The longest time of an answer. A slower one is degraded. */
  maxLatencyMs?: number | null | undefined;
  /** Statuses of HTTP, such as `200` and `4xx`. Empty: 2xx and 3xx. */
  statuses?: Array<string>;
};

/** One of the 17 ways in which a probe fails. */
export type ProbeFailure =
  /** The address may not be probed from there. */
  | 'ADDRESS_REFUSED'
  /** The answer does not contain what is expected. */
  | 'BODY'
  /** The certificate is valid, but not long enough. */
  | 'CERTIFICATE_ENDS'
  /** A `check` block of the state fails. */
  | 'CHECKS'
  /** The command failed. */
  | 'COMMAND'
  /** The connection was refused, reset or closed early. */
  | 'CONNECT'
  /** The expression is not true for the answer. */
  | 'EXPRESSION'
  /** The external check did not pass. */
  | 'EXTERNAL'
  /** The answer has errors of GraphQL. */
  | 'GRAPHQL_ERRORS'
  /** The answer was good but slow. */
  | 'LATENCY'
  /** The name of the host cannot be resolved. */
  | 'NAME'
  /** No server or runner could send the request. */
  | 'NO_PROBER'
  /** The answer breaks the rules of its protocol, or the limits of probes. */
  | 'PROTOCOL'
  /** The status is not as expected. */
  | 'STATUS'
  /** There was no whole answer in time. */
  | 'TIMEOUT'
  /** TLS could not be agreed, or the certificate is not valid. */
  | 'TLS'
  /** The target is not known, for example because an output is missing. */
  | 'UNRESOLVED';

/** Where the requests of a probe come from. */
export type ProbeFrom =
  /** From runners of the workspace's pool, which reach private networks. One of them must be started with HOLDPOINT_RUNNER_PROBES; else such a probe is inconclusive. */
  | 'RUNNERS'
  /** From the server, which reaches public addresses and those that HOLDPOINT_PROBE_ALLOW names. */
  | 'SERVER';

/** A header of a probe. */
export type ProbeHeaderInput = {
  /** The name. */
  name: string;
  /** The value, a secret. `{{var.NAME}}` is a variable, `{{outputs.NAME}}` an output. */
  value: string;
};

/** A request by which Holdpoint finds out whether what was applied works. */
export type ProbeInput = {
  /** The body of a POST, the document of GRAPHQL, or the first bytes of TCP. It is a secret. `{{outputs.NAME}}` is an output. */
  body?: string | null | undefined;
  /** The conditions for a good answer. */
  expect?: ProbeExpectationInput | null | undefined;
  /** Whether redirects are followed, five at most. Each address is judged. */
  followRedirects?: boolean;
  /** Where its requests come from. */
  from?: ProbeFrom;
  /** Headers of HTTP and GRAPHQL, at most 20 of 4096 bytes in all. */
  headers?: Array<ProbeHeaderInput>;
  /** The time between two attempts: 10 to 3600 seconds. */
  intervalSeconds?: number;
  /** The way in which it asks. */
  kind: ProbeKind;
  /** The method of HTTP. */
  method?: ProbeMethod;
  /** The name, unique in the workspace: 1 to 63 small letters, digits, hyphens and underscores. */
  name: string;
  /** Paths of HTTP, of which one must answer well. Empty: that of the target, or `/`, `/health`, `/healthz` and `/api/health`. */
  paths?: Array<string>;
  /** The name of a probe of the workspace whose headers, body and variables it keeps, which no API returns. `kind`, `from`, `followRedirects` and the receiver in `target` must be as before. */
  secretsOf?: string | null | undefined;
  /** The name that TLS asks for. `null`: the host of the target. */
  serverName?: string | null | undefined;
  /** The URL, `host:port`, shell command, or name of an external check; empty for CHECKS. `{{outputs.url}}`, `{{outputs.nodes[0].ip}}` and `{{outputs.urls[*]}}` are outputs, which must not be sensitive. */
  target?: string;
  /** The time for one attempt: 100 to 10000 milliseconds. */
  timeoutMs?: number;
  /** When it is asked. */
  use?: ProbeUse;
  /** The variables of GRAPHQL: an object. */
  variables?: unknown;
  /** How much it counts. */
  weight?: ProbeWeight;
};

/** The way in which a probe asks. */
export type ProbeKind =
  /** The `check` blocks of the state: all must pass. After an apply alone. */
  | 'CHECKS'
  /** A shell command on a runner: exit code 0. After an apply alone. */
  | 'COMMAND'
  /** An external check of the stage POST_APPLY. After an apply alone. */
  | 'EXTERNAL'
  /** A GraphQL operation: status 200, data, and no errors. */
  | 'GRAPHQL'
  /** A request over HTTP: the status decides, and what the answer must contain. */
  | 'HTTP'
  /** A connection to a port, with first bytes if wanted. */
  | 'TCP'
  /** A connection with TLS: the certificate is checked, and how long it is valid. */
  | 'TLS';

/** The method of a request over HTTP. */
export type ProbeMethod =
  /** Reads. */
  | 'GET'
  /** Reads without a body. */
  | 'HEAD'
  /** Sends a body. */
  | 'POST';

/** When a probe is asked. */
export type ProbeUse =
  /** After an apply, and all the time. */
  | 'BOTH'
  /** All the time, for the runtime health of the workspace. */
  | 'HEALTH'
  /** After an apply, until it is verified. */
  | 'VERIFY';

/** How much a probe counts. */
export type ProbeWeight =
  /** It is shown. */
  | 'INFORMATIONAL'
  /** The workspace works only if it passes. */
  | 'REQUIRED';

/** The changeset to promote, and where to. */
export type PromoteChangesetInput = {
  /** The changeset, which must be APPLIED or NO_CHANGES, and of the stage before. */
  changesetId: string | number;
  /** An idempotency key. A repeated request with the same key within 24 hours returns the first changeset. */
  idempotencyKey?: string | null | undefined;
  /** The pipeline. */
  pipelineId: string | number;
  /** The name of the stage that gets the commits. */
  stage: string;
};

/** The plan to deploy. */
export type PromoteRunInput = {
  /** An idempotency key, unique per workspace and caller. A repeated request with the same key within 24 hours returns the first run. */
  idempotencyKey?: string | null | undefined;
  /** The reason for the run, for its approvers. The default is that of the PLAN run. */
  message?: string | null | undefined;
  /** The metadata of the run. The default is that of the PLAN run; [] means none. */
  metadata?: Array<MetadataEntryInput> | null | undefined;
  /** The priority, from -100 to 100; higher goes first. The default is that of the PLAN run. */
  priority?: number | null | undefined;
  /** The run of kind PLAN. Its status must be FINISHED. */
  runId: string | number;
};

/** A stage of a pipeline. */
export type PromotionStageInput = {
  /** Whether what was pushed to a branch and applied by the stage before is promoted to it without a person. False for the first stage. */
  automatic?: boolean;
  /** The label of its workspaces: `key` or `key:value`. */
  label: string;
  /** The name, by which `promoteChangeset` names the stage. */
  name: string;
  /** For how many minutes the stage before must have been applied, before runs of this one start. At most 43200; 0 for the first stage. */
  soakMinutes?: number;
};

/** Where a promotion is. */
export type PromotionState =
  /** The stage did not get the commits: see `problem`. `promoteChangeset` tries again. */
  | 'FAILED'
  /** The stage has a changeset with the commits. */
  | 'PROMOTED'
  /** The stage gets the commits at `dueAt`. */
  | 'SOAKING'
  /** A newer changeset of the same repository is promoted in place of this one. */
  | 'SUPERSEDED';

/** The delivery to repeat. */
export type RedeliverWebhookInput = {
  /** The delivery. */
  deliveryId: string | number;
};

/** The rejection of a plan at the plan gate. */
export type RejectRunInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** The version of the plan that was read. It is a StalePlanError if another plan is current. */
  planVersion: number;
  /** The run that waits at its plan gate. */
  runId: string | number;
};

/** The member to remove. */
export type RemoveTeamMemberInput = {
  /** The person or the machine user. */
  actorId: string | number;
  /** The team. */
  teamId: string | number;
};

/** The run to plan again, and the resources to limit the plan to. */
export type ReplanRunInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** The version of the plan that the targets were chosen from. It is a StalePlanError if another plan is current. */
  planVersion: number;
  /** The addresses of resource instances to replace. The default is the run's own; [] means none. An address that matches nothing is refused, as a target is. */
  replace?: Array<string> | null | undefined;
  /** The run, which waits at one of its gates. */
  runId: string | number;
  /** The resources, instances or modules to limit the new plan to, with their dependencies (the engine's `-target`). The default is the run's own; [] means the whole configuration. A target that matches nothing is refused. If only the engine can detect that, the run returns to its gate with its old plan. */
  targets?: Array<string> | null | undefined;
};

/** The violations to allow, and until when. */
export type RequestPolicyExceptionInput = {
  /** The addresses of resources: `*` matches any characters. A violation of several addresses must match with all of them, one without addresses only `*`. */
  addressGlob?: string;
  /** When it ends: in the future, and at most 90 days from now. */
  expiresAt: string;
  /** The name of a policy of the set. */
  policy: string;
  /** The policy set. */
  policySetId: string | number;
  /** Why the violation is allowed. */
  reason: string;
  /** The name of a rule, or `*` for all of them. */
  rule?: string;
  /** A ticket about it. */
  ticket?: string | null | undefined;
  /** The workspaces, at most 100. It takes the permission in each. */
  workspaceIds: Array<string | number>;
};

/** The next thing that a person does about a run. */
export type RequiredAction =
  /** Start the apply or discard it: `approveRun` with gate APPLY, or `discardRun`. */
  | 'CONFIRM_APPLY'
  /** Read `failure`, fix what it names, create another run. */
  | 'FIX_AND_RERUN'
  /** The verification has no result: check the deployment, then call `concludeVerification`. */
  | 'JUDGE_VERIFICATION'
  /** Nothing: the run has ended. */
  | 'NONE'
  /** Policies object: override their failures with `overridePolicies`, or reject the plan. */
  | 'OVERRIDE_POLICY'
  /** The workspace is locked: call `unlockWorkspace` when the reason of the lock is gone. */
  | 'RELEASE_LOCK'
  /** Read the plan and approve or reject it: `approveRun` with gate PLAN, or `rejectRun`. */
  | 'REVIEW_PLAN'
  /** Nothing yet: the run works, or waits for a time or another run. */
  | 'WAIT';

/** The action of a plan on an object. */
export type ResourceAction =
  /** The object is created. */
  | 'CREATE'
  /** The object is destroyed. */
  | 'DELETE'
  /** The object is removed from the state and not destroyed. */
  | 'FORGET'
  /** The object does not change. It is listed because it is moved or imported. */
  | 'NO_OP'
  /** The data source is read during the apply. */
  | 'READ'
  /** The object is destroyed and created again. */
  | 'REPLACE'
  /** The object is changed in place. */
  | 'UPDATE';

/** The runner to resume. */
export type ResumeRunnerInput = {
  /** The runner. */
  runnerId: string | number;
};

/** How long the data of ended runs is kept, in days from 1. An absent field is not changed; null means for ever. */
export type RetentionInput = {
  /** The retention of the files needed to apply a saved plan, in days after the end of the run. Afterwards the plan can be read but not applied. */
  archiveDays?: number | null | undefined;
  /** The retention of run events and of results of policies, in days after the end of the run, and of feeds, in days after the event. Statuses, failures and decisions stay. Streams refuse older cursors with CursorExpired. */
  eventDays?: number | null | undefined;
  /** The retention of logs, in days after the end of the run. `Run.logExpiredAt` shows that a log was deleted. */
  logDays?: number | null | undefined;
};

/** The run to retry. */
export type RetryRunInput = {
  /** The run. Its status must be terminal. */
  runId: string | number;
};

/** The grant to revoke. It is refused if no administrator would be left. */
export type RevokeGrantInput = {
  /** The grant. */
  grantId: string | number;
};

/** The invitation to revoke. */
export type RevokeInvitationInput = {
  /** The invitation. */
  invitationId: string | number;
};

/** The exception to revoke. */
export type RevokePolicyExceptionInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** The exception. */
  exceptionId: string | number;
};

/** The runner to revoke. */
export type RevokeRunnerInput = {
  /** Whether to revoke the runner even while it applies. The result of the apply is then not known, and the workspace is locked. */
  force?: boolean;
  /** The runner. */
  runnerId: string | number;
};

/** The runner token to revoke. */
export type RevokeRunnerTokenInput = {
  /** The token. */
  tokenId: string | number;
};

/** The session to end. */
export type RevokeSessionInput = {
  /** The session. */
  sessionId: string | number;
};

/** The person whose sessions end. */
export type RevokeSessionsInput = {
  /** The person. */
  userId: string | number;
};

/** The token to revoke. */
export type RevokeTokenInput = {
  /** The token. */
  tokenId: string | number;
};

/** A value that must be the same now as after the run to go back to. */
export type RollbackGuardInput = {
  /** Its name. */
  name: string;
  /** The kind of the guard. */
  type: RollbackGuardType;
};

/** The object that a guard compares. */
export type RollbackGuardType =
  /** An output of the state. */
  | 'OUTPUT'
  /** A variable for the engine. */
  | 'VARIABLE';

/** The action of a workspace after an apply that does not pass its verification. */
export type RollbackMode =
  /** The run to go back applies a plan that is complete and deletes, replaces and forgets nothing. It waits with any other plan, and with each risk. */
  | 'AUTO_SAFE'
  /** Nothing; a person may call `rollbackRun`. */
  | 'OFF'
  /** A run to go back is created, and waits for people. */
  | 'PROPOSE';

/** A risk of a rollback. */
export type RollbackRisk =
  /** Its plan deletes, replaces or forgets something. */
  | 'DESTROYS'
  /** The earlier run was made by an older engine, or another one, than wrote the state. */
  | 'ENGINE_DOWNGRADE'
  /** A value that must be the same now as then is another one, or is not known. */
  | 'GUARD_MOVED'
  /** Its plan does not show everything. */
  | 'INCOMPLETE_PLAN'
  /** The earlier source locks an older provider, which may not read the state. */
  | 'PROVIDER_DOWNGRADE';

/** The earlier run to go back to. */
export type RollbackRunInput = {
  /** An idempotency key, unique per workspace and caller. A repeated request with the same key within 24 hours returns the first run. */
  idempotencyKey?: string | null | undefined;
  /** The reason for the run, for its approvers. The default is none, or 0. */
  message?: string | null | undefined;
  /** The metadata of the run. The default is none, or 0; [] means none. */
  metadata?: Array<MetadataEntryInput> | null | undefined;
  /** The priority, from -100 to 100; higher goes first. The default is none, or 0. */
  priority?: number | null | undefined;
  /** The run to go back to. Its outcome must be APPLIED, and it must not be `refreshOnly`. */
  runId: string | number;
};

/** How a workspace goes back. An absent field is not changed; null is invalid. */
export type RollbackSettingsInput = {
  /** Outputs or variables that must be the same now as after the run to go back to, such as the version of a schema; at most 20. One that moved is a risk. */
  guards?: Array<RollbackGuardInput> | null | undefined;
  /** The mode. The default is OFF. */
  mode?: RollbackMode | null | undefined;
};

/** The older version of a state to restore. Needs the role ADMIN. */
export type RollbackStateInput = {
  /** An idempotency key, unique per workspace and caller. A repeated request with the same key within 24 hours returns the first run. */
  idempotencyKey?: string | null | undefined;
  /** The reason for the run, for its approvers. */
  message?: string | null | undefined;
  /** The version to restore, which must not be the current one. */
  stateVersionId: string | number;
  /** The workspace. */
  workspaceId: string | number;
};

/** The git host whose secret to replace. */
export type RotateHookSecretInput = {
  /** The git host. */
  gitHostId: string | number;
  /** The secret that hooks are signed with: 16 to 200 characters of ASCII. If absent, one is generated. */
  hookSecret?: string | null | undefined;
  /** Whether the old secret is refused at once. If false, both are accepted for one day. */
  revokeNow?: boolean;
};

/** The hook whose secret to replace. */
export type RotateInboundHookSecretInput = {
  /** The hook. */
  hookId: string | number;
  /** Whether the old secret ends at once. If false, both are good for one day. */
  revokeNow?: boolean;
};

/** The token to rotate: one of the caller, or of a machine user whose grants the caller has itself. */
export type RotateTokenInput = {
  /** The new end of the token, at most 366 days from now, which a limited token cannot give itself. If absent, the end stays. */
  expiresAt?: string | null | undefined;
  /** For how many hours the former secret is good, up to 168. If absent, 24. With 0 it ends at once, with the connections that it opened. */
  overlapHours?: number | null | undefined;
  /** The token. */
  tokenId: string | number;
};

/** The webhook whose secret to replace. */
export type RotateWebhookSecretInput = {
  /** Whether the old secret stops signing at once. If false, both secrets sign for one day. */
  revokeNow?: boolean;
  /** The secret: `whsec_` and 24 to 64 bytes as base64. If absent, one is generated. */
  secret?: string | null | undefined;
  /** The webhook. */
  webhookId: string | number;
};

/** The runs that an approval rule is a stage of. All fields that are set must match. It is decided when the plan is stored, and stays as it is for that version of the plan. A part that cannot be decided counts as a match. */
export type RuleConditionInput = {
  /** The workspace has one of these labels, `key` or `key:value`. */
  labels?: Array<string> | null | undefined;
  /** The plan destroys at least as many resources. Replaced resources are counted apart. */
  minDestructions?: number | null | undefined;
  /** The plan replaces at least as many resources. */
  minReplacements?: number | null | undefined;
  /** The plan raises the monthly cost by more than this, in the currency of its estimate. Without an estimate the rule applies. */
  monthlyCostDeltaOver?: number | null | undefined;
  /** The plan changes, imports or forgets a resource of one of these types. An entry may be a glob, such as `aws_iam_*`. */
  resourceTypes?: Array<string> | null | undefined;
  /** The run has one of these causes. */
  triggers?: Array<RunTrigger> | null | undefined;
};

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

/** Selects runs. The given fields are joined by AND; an absent or null field does not filter; an empty list matches nothing. */
export type RunFilter = {
  /** Only runs that wait because of a blocker of one of these kinds; those that wait for a person at a gate have none. Refused as InvalidInput if the answer depends on more than 100 different freeze windows: give `organizationId` or `workspaceId` as well. */
  blockerKinds?: Array<BlockerKind> | null | undefined;
  /** Only runs that were created after this instant. */
  createdAfter?: string | null | undefined;
  /** Only runs that were created before this instant. */
  createdBefore?: string | null | undefined;
  /** Only runs that one of these actors created, at most 100. */
  createdByIds?: Array<string | number> | null | undefined;
  /** Only runs with these statuses in the terms of other products. */
  dialect?: DialectFilter | null | undefined;
  /** Only runs that ended after this instant. Those that were created more than 90 days before it are left out. */
  endedAfter?: string | null | undefined;
  /** Only runs of one of these kinds. */
  kinds?: Array<RunKind> | null | undefined;
  /** Only runs of workspaces that have all of these labels, at most 20. "key" matches each value of that key. */
  labels?: Array<string> | null | undefined;
  /** Only runs that have all of these metadata entries. */
  metadata?: Array<MetadataEntryInput> | null | undefined;
  /** Only runs whose newest plan destroys at least so many resources. Without `createdAfter` it selects among the runs of the last 90 days, but for a list of one workspace or changeset. */
  minDestructions?: number | null | undefined;
  /** true: only runs that wait for a person at a gate; false: only others. */
  needsApproval?: boolean | null | undefined;
  /** Only runs of this organization. */
  organizationId?: string | number | null | undefined;
  /** Only runs that ended FINISHED with one of these outcomes. */
  outcomes?: Array<RunOutcome> | null | undefined;
  /** Only runs whose `requiredAction` is one of these. */
  requiredActions?: Array<RequiredAction> | null | undefined;
  /** Only runs whose message, or whose workspace's name, contains this text, without regard to case; at most 200 characters. Without `createdAfter` it selects among the runs of the last 90 days, but for a list of one workspace or changeset. */
  search?: string | null | undefined;
  /** Only runs with one of these statuses. */
  statuses?: Array<RunStatus> | null | undefined;
  /** Only runs with one of these causes. */
  triggers?: Array<RunTrigger> | null | undefined;
  /** Only runs of this workspace. Refused as InvalidInput inside Workspace.runs. */
  workspaceId?: string | number | null | undefined;
  /** Only runs of these workspaces, at most 100. Refused as InvalidInput inside Workspace.runs. */
  workspaceIds?: Array<string | number> | null | undefined;
  /** Only runs of workspaces whose name contains this text, without regard to case; at most 200 characters. Without `createdAfter` it selects among the runs of the last 90 days, but for a list of one workspace or changeset. */
  workspaceSearch?: string | null | undefined;
};

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

/** The stretch of work that a run is on, or ended on. */
export type RunLeg =
  /** Applying the plan: infrastructure changes. */
  | 'APPLY'
  /** Removing everything: infrastructure changes. */
  | 'DESTROY'
  /** Making the first plan. */
  | 'PLAN'
  /** Making another plan. */
  | 'REPLAN'
  /** Running a command, or unlocking. */
  | 'TASK';

/** The limits of runs, in seconds. An absent field is not changed; null restores the limit of the organization or the default. */
export type RunLimitsInput = {
  /** The time for which a run may wait at the apply gate; 0 means no limit. From 10 to 31622400. */
  applyApprovalSeconds?: number | null | undefined;
  /** The time limit of one leg APPLY, DESTROY or TASK, from its claim by a runner. From 10 to 2592000. */
  applySeconds?: number | null | undefined;
  /** The effect when a run waits for people longer than its limit. */
  approvalTimeoutAction?: ApprovalTimeoutAction | null | undefined;
  /** The number of attempts of a leg whose runner is lost, before the run fails. Applies are never tried again. From 1 to 10. */
  attemptsPerLeg?: number | null | undefined;
  /** The time after a request to stop from which an admin may stop the run by force. From 0 to 86400. */
  forceStopAfterSeconds?: number | null | undefined;
  /** The time without a heartbeat after which a runner loses a run. From 10 to 3600. */
  leaseSeconds?: number | null | undefined;
  /** The time for which a run may wait at the plan gate; 0 means no limit. From 10 to 31622400. */
  planApprovalSeconds?: number | null | undefined;
  /** The time limit of one leg PLAN or REPLAN, from its claim by a runner. From 10 to 2592000. */
  planSeconds?: number | null | undefined;
  /** The time for which a run may wait in the queue, from its creation, its scheduled time or its replan; 0 means no limit. From 10 to 31622400. */
  queueSeconds?: number | null | undefined;
  /** The time for which a run may execute without a line of output. From 60 to 2592000. */
  silenceSeconds?: number | null | undefined;
};

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

/** The schedule to run. */
export type RunScheduleNowInput = {
  /** The schedule. */
  scheduleId: string | number;
};

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

/** The cause of a run. */
export type RunTrigger =
  /** A machine user. */
  | 'API'
  /** A workspace that this one depends on was applied. */
  | 'DEPENDENCY'
  /** A check for differences between what was applied and what there is. */
  | 'DRIFT'
  /** A delivery of another system to an inbound hook. */
  | 'INBOUND_HOOK'
  /** A person. */
  | 'MANUAL'
  /** A policy. Does not occur yet. */
  | 'POLICY'
  /** A promotion of a commit to the next stage. */
  | 'PROMOTION'
  /** A pull request that was opened or changed. Does not occur yet. */
  | 'PULL_REQUEST'
  /** A push to the workspace's branch. */
  | 'PUSH'
  /** A retry of an ended run. */
  | 'RETRY'
  /** A rollback to an earlier applied run. */
  | 'ROLLBACK'
  /** A schedule. */
  | 'SCHEDULE'
  /** A new tag. */
  | 'TAG';

/** The state of a runner. */
export type RunnerState =
  /** The runner has jobs. It asks for more if it has free slots. */
  | 'BUSY'
  /** The runner takes no new work: it is shutting down, or an admin drained it. */
  | 'DRAINING'
  /** The runner asks for work and has none. */
  | 'IDLE'
  /** The runner sent nothing for a minute or since its last lease expired, or it was revoked. */
  | 'OFFLINE';

/** Whether what was applied works, by the probes that are sent all the time. */
export type RuntimeHealth =
  /** A part of it does not answer, or it is slow, or a certificate ends soon. */
  | 'DEGRADED'
  /** It answers well. */
  | 'HEALTHY'
  /** Too little is known, also because no prober was there. That is never an outage. */
  | 'UNKNOWN'
  /** It does not answer. Of a workspace: no required target does. */
  | 'UNREACHABLE';

/** The action of a schedule. */
export type ScheduledAction =
  /** Destroys what each workspace manages. The gates of the workspace ask for approval. */
  | 'DESTROY'
  /** Plans the source that was applied last. `Workspace.drift` has what differs. Workspaces with a live run are left out. */
  | 'DETECT_DRIFT'
  /** Promotes to a stage of a pipeline, for each repository, the newest changeset of the stage before, if it has soaked and comes from a branch. */
  | 'PROMOTE'
  /** Deploys the source that was applied last, to undo what changed since. Gates and `autoApply` are those of the workspace. */
  | 'RECONCILE'
  /** Deploys the current source of each workspace. */
  | 'RUN'
  /** Executes a command in each workspace that allows tasks. */
  | 'TASK';

/** The version and its state. */
export type SetPolicySetVersionStateInput = {
  /** The state: SHADOW, ACTIVE or RETIRED. */
  state: PolicyVersionState;
  /** The version. */
  versionId: string | number;
};

/** The variable to set. It replaces one with the same key and category. */
export type SetVariableInput = {
  /** The way in which it is passed to the engine. */
  category?: VariableCategory;
  /** Whether the value is an expression such as a list or a map, not a string. */
  hcl?: boolean;
  /** The name of the variable. */
  key: string;
  /** Whether the value is never shown again, and is masked in plans and logs. */
  sensitive?: boolean;
  /** The value of the variable. */
  value: string;
  /** The workspace whose runs get the variable. */
  workspaceId: string | number;
};

/** How severe a diagnostic is. */
export type Severity =
  /** The engine could not do what it was asked to. */
  | 'ERROR'
  /** The engine continued. */
  | 'WARNING';

/** How a person signed in. */
export type SignInMethod =
  /** By the identity provider. */
  | 'OIDC'
  /** By a passkey. */
  | 'PASSKEY'
  /** By a token of the API. The session has no more rights than the token, and ends with it. */
  | 'TOKEN';

/** The policies to simulate, and the plans to judge. */
export type SimulatePolicySetInput = {
  /** Selects runs. It may be empty: all of the organization. */
  filter: RunFilter;
  /** The number of the newest plans; at most 500. */
  last?: number;
  /** The policy set, whose selector and dialect count. */
  policySetId: string | number;
  /** Rules in CEL, in place of a version. */
  rules?: Array<PolicyRuleInput> | null | undefined;
  /** A version of the set. */
  versionId?: string | number | null | undefined;
};

/** The judgement of a plan now. */
export type SimulatedJudgement =
  /** A policy could not be judged. */
  | 'ERRORED'
  /** Policies found violations, or demand approvals. */
  | 'FAILED'
  /** No policy found anything. */
  | 'PASSED'
  /** The document of the plan was removed, or its runner sent none. */
  | 'UNKNOWN'
  /** Policies found violations at the level ADVISORY, and no others. */
  | 'WARNED';

/** The difference between then and now. */
export type SimulationOutcome =
  /** A policy cannot be judged now. */
  | 'ERROR'
  /** It would be held up, and was not. */
  | 'NEWLY_DENIED'
  /** It was held up, and would not be. */
  | 'NEWLY_PASSING'
  /** It was held up and would be, or neither. */
  | 'SAME'
  /** The document of the plan was removed, or its runner sent none. */
  | 'UNKNOWN';

/** The status of a run in SmartDeploy's terms. */
export type SmartDeployStatus =
  /** The run has ended; `success` shows how. */
  | 'COMPLETED'
  /** The run is live, possibly waiting for a person. */
  | 'DEPLOYING'
  /** The run waits to begin. */
  | 'QUEUED';

/** The state of a run in Spacelift's terms. */
export type SpaceliftState =
  /** The plan is applied. */
  | 'APPLYING'
  /** The run was canceled before a worker took it. */
  | 'CANCELED'
  /** The apply is approved and waits for a worker. */
  | 'CONFIRMED'
  /** Everything is being removed. */
  | 'DESTROYING'
  /** The plan was discarded. */
  | 'DISCARDED'
  /** The run failed, timed out or was rejected. */
  | 'FAILED'
  /** The run ended well. */
  | 'FINISHED'
  /** The engine initialises. */
  | 'INITIALIZING'
  /** A proposed run waits for a review. */
  | 'PENDING_REVIEW'
  /** A task is executing. */
  | 'PERFORMING'
  /** The plan is made or checked by policies. */
  | 'PLANNING'
  /** A worker prepares the workspace. */
  | 'PREPARING'
  /** A worker prepares the apply. */
  | 'PREPARING_APPLY'
  /** A worker prepares the other plan. */
  | 'PREPARING_REPLAN'
  /** The run waits to become eligible. */
  | 'QUEUED'
  /** The run waits for a worker. */
  | 'READY'
  /** Another plan was requested. */
  | 'REPLAN_REQUESTED'
  /** There was nothing to do. */
  | 'SKIPPED'
  /** The run was interrupted while it executed. */
  | 'STOPPED'
  /** The run waits for a person. */
  | 'UNCONFIRMED';

/** The change of a part of a state between two versions. */
export type StateChangeAction =
  /** Only the later version has it. */
  | 'ADDED'
  /** Both versions have it, with different values. */
  | 'CHANGED'
  /** Only the earlier version has it. */
  | 'REMOVED';

/** The operation to stop. */
export type StopBulkOperationInput = {
  /** The operation. */
  operationId: string | number;
};

/** The simulation to stop. */
export type StopPolicySimulationInput = {
  /** The simulation. */
  simulationId: string | number;
};

/** The runs of a ref that end when a newer commit of it has a run. Runs that are approved never do. */
export type Supersede =
  /** Runs that did not start, and plans that wait for an approval. */
  | 'EVERYTHING_UNAPPROVED'
  /** None. */
  | 'NOTHING'
  /** Runs that did not start. */
  | 'UNSTARTED';

/** Whether what is applied is what the tracked branch has. */
export type SyncState =
  /** A pull request is applied and not merged. Does not occur yet. */
  | 'AHEAD'
  /** The files that the workspace reads differ, or the last apply did not succeed or was limited to targets: the branch is not applied. */
  | 'BEHIND'
  /** The files that the workspace reads are the same. */
  | 'IN_SYNC'
  /** Nothing is applied: no run did, or what was applied was destroyed. */
  | 'NEVER_APPLIED'
  /** The source is not a repository of a git host, the branch or the folder does not exist, or the newest commit is not read yet. */
  | 'UNKNOWN';

/** The check to test. */
export type TestExternalCheckInput = {
  /** The check. */
  checkId: string | number;
};

/** The tests of a configuration that runs execute. */
export type TestMode =
  /** All. They may create real infrastructure, with the credentials of the workspace, and destroy it at their end. */
  | 'ALL'
  /** None. */
  | 'OFF'
  /** Those that create nothing. A test file with a run that applies, which is the default, is refused. */
  | 'PLAN_ONLY';

/** A probe, which need not be one of the workspace. */
export type TestProbeInput = {
  /** The probe. */
  probe: ProbeInput;
  /** The workspace whose outputs and variables it uses. */
  workspaceId: string | number;
};

/** The webhook to test. */
export type TestWebhookInput = {
  /** The webhook. */
  webhookId: string | number;
};

/** The role of a token. Each role includes the permissions of the roles before it. */
export type TokenRole =
  /** Has all permissions, including tokens and commands with force. */
  | 'ADMIN'
  /** Also approves and rejects. */
  | 'APPROVER'
  /** Reads everything except secrets. */
  | 'READER'
  /** Also creates workspaces and runs, sets variables, replans, cancels and discards, and downloads states with their secrets. */
  | 'WRITER';

/** The result of a change for a workspace, when it was decided. */
export type TriggerOutcome =
  /** A run of kind DEPLOY is created. */
  | 'RUN_CREATED'
  /** No run is created, or one that is SKIPPED at once. */
  | 'SKIPPED'
  /** A run of kind DEPLOY is created once a person continues the changeset. */
  | 'WAITING_FOR_OK';

/** The reason for the result of a change. */
export type TriggerReason =
  /** The change concerns files that the workspace reads, or the tag is new. */
  | 'AFFECTED'
  /** The newest run was made from the same inputs. */
  | 'ALREADY_RUN'
  /** The repository does not have the commit any more, so the reason cannot be worked out. There is no run. */
  | 'COMMIT_MISSING'
  /** The change does not concern files that the workspace reads. */
  | 'INPUTS_UNCHANGED'
  /** The message of the commit contains `[skip holdpoint]`. */
  | 'MESSAGE_SAYS_SKIP'
  /** The workspace does not follow the ref, or did not when the change was decided. */
  | 'NOT_TRACKED'
  /** The branch or the tag was deleted, which starts no run. */
  | 'REF_DELETED'
  /** The folder of the workspace is not in the commit. */
  | 'SOURCE_UNREADABLE'
  /** A newer change of the ref was decided in its place. */
  | 'SUPERSEDED'
  /** The tag moved after it had been decided. Only a new tag starts a run. */
  | 'TAG_MOVED'
  /** The change starts more runs than `Organization.maxRunsPerPush`. */
  | 'TOO_MANY';

/** The workspace to unlock. `force` is needed for another person's lock, and for APPLY_INTERRUPTED to confirm that the result of the apply was checked. */
export type UnlockWorkspaceInput = {
  /** Whether to remove a lock that is not the caller's own. It needs the permission to force an unlock. */
  force?: boolean;
  /** The reason or the result of the check, for later readers. */
  note?: string | null | undefined;
  /** The workspace to unlock. */
  workspaceId: string | number;
};

/** The changes to a check. An absent field is not changed; null clears `hmacKey` and `viaPoolId`, and is invalid elsewhere. */
export type UpdateExternalCheckInput = {
  /** The check to change. */
  checkId: string | number;
  /** Whether it is asked. `false` also cancels the results that are open. */
  enabled?: boolean | null | undefined;
  /** Whether policies about a plan wait for its estimate of the cost: the JSON of Infracost as the body of an outcome whose id is `infracost.json`. It needs the stage POST_PLAN. */
  estimatesCost?: boolean | null | undefined;
  /** The key that signs requests by HMAC-SHA512: 1 to 500 characters. It is never shown. null: requests are not signed. */
  hmacKey?: string | null | undefined;
  /** The effect of its failure. */
  level?: EnforcementLevel | null | undefined;
  /** The name, unique within the organization. */
  name?: string | null | undefined;
  /** The effect of a missing answer. */
  onError?: PolicyErrorMode | null | undefined;
  /** The longest time without a report, in seconds: 1 to 86400. */
  progressSeconds?: number | null | undefined;
  /** The workspaces whose runs it judges. */
  selector?: WorkspaceSelectorInput | null | undefined;
  /** The stages at which it is asked. */
  stages?: Array<CheckStage> | null | undefined;
  /** The longest time for a result, in seconds: 1 to 86400. */
  totalSeconds?: number | null | undefined;
  /** The https or http address of the service. An internal address is refused unless the server's settings allow it. */
  url?: string | null | undefined;
  /** The runner pool whose runners send the requests, for a service that the server does not reach. Its runners must be started with HOLDPOINT_RUNNER_CHECKS=true. It takes `RUNNER_CHOOSE`, as does another address of a check with a pool. null: the server sends them. */
  viaPoolId?: string | number | null | undefined;
};

/** The changes to a git host. An absent field is not changed. A credential is replaced as a whole, and is required again for an address at another site. */
export type UpdateGitHostInput = {
  /** The id of a GitHub App that is installed for the repositories, for GITHUB. */
  appId?: string | null | undefined;
  /** The git host to change. */
  gitHostId: string | number;
  /** The public keys of the host as `ssh-keyscan` writes them, for ssh. */
  knownHosts?: string | null | undefined;
  /** The name, unique within the organization: small letters, digits, hyphens, underscores and dots. */
  name?: string | null | undefined;
  /** A private key of the app: RSA, as PEM, without a passphrase. */
  privateKey?: string | null | undefined;
  /** Whether to delete the credential, for public repositories. */
  removeCredential?: boolean;
  /** A private key without a passphrase, for ssh. */
  sshKey?: string | null | undefined;
  /** A token that may read the repositories, for https. */
  token?: string | null | undefined;
  /** The address before the names of repositories, such as https://github.com or ssh://git@git.example.com. An internal address is refused unless the server's settings allow it. */
  url?: string | null | undefined;
  /** The user name for the token. If absent, the one that the kind of host expects. */
  username?: string | null | undefined;
};

/** The changes to an inbound hook. An absent field is not changed, and none can be null. */
export type UpdateInboundHookInput = {
  /** The hook to change. */
  hookId: string | number;
  /** The kind of its runs. */
  kind?: InboundHookKind | null | undefined;
  /** The values of the body that its runs get as metadata. */
  mapping?: Array<InboundMappingInput> | null | undefined;
  /** The name, which is the message of its runs. */
  name?: string | null | undefined;
  /** The workspaces, at most 20. It takes the permission to make such runs in each. */
  workspaceIds?: Array<string | number> | null | undefined;
};

/** The changes to an organization. An absent field is not changed; null is invalid. */
export type UpdateOrganizationInput = {
  /** The whole list of approval rules, in order. If empty, one approval by any approver is enough. */
  approvalRules?: Array<ApprovalRuleInput> | null | undefined;
  /** The number of its runs that may occupy a runner at once, from 1 to 1000. A lower limit does not stop executing runs. */
  concurrencyLimit?: number | null | undefined;
  /** The whole list of freeze windows, in which nothing is applied. */
  freezeWindows?: Array<FreezeWindowInput> | null | undefined;
  /** The limits of its runs. An absent limit is not changed. */
  limits?: RunLimitsInput | null | undefined;
  /** The number of runs of one push or tag that begin without a person, from 1 to 10000. */
  maxRunsPerPush?: number | null | undefined;
  /** The display name. */
  name?: string | null | undefined;
  /** The organization to change. */
  organizationId: string | number;
  /** How long the data of ended runs is kept. By default a new organization keeps archives for 90 days. */
  retention?: RetentionInput | null | undefined;
  /** The `settingsDigest` that was read. If the settings differ now, it is an InvalidInputError for this field, and nothing is changed. If absent, that is not checked. */
  settingsDigest?: string | null | undefined;
};

/** The changes to a policy set. An absent field is not changed; null clears the description alone. */
export type UpdatePolicySetInput = {
  /** The purpose of the set. */
  description?: string | null | undefined;
  /** Whether it judges anything. */
  enabled?: boolean | null | undefined;
  /** Whether it judges plans without changes as well. */
  judgesUnchanged?: boolean | null | undefined;
  /** The name, which is unique in the organization. */
  name?: string | null | undefined;
  /** Whether it fails if parts of a plan were left out because it is too large. */
  needsWholePlan?: boolean | null | undefined;
  /** The effect of a policy that cannot be judged. */
  onError?: PolicyErrorMode | null | undefined;
  /** The people who may override results at the level SOFT_MANDATORY. They replace those that there are. */
  overriders?: PolicyOverridersInput | null | undefined;
  /** The policy set to change. */
  policySetId: string | number;
  /** The workspaces and the kinds of runs that it judges. It replaces the whole selector. */
  selector?: WorkspaceSelectorInput | null | undefined;
};

/** The changes to a project. An absent field is not changed. */
export type UpdateProjectInput = {
  /** Whether grants from above do not reach into it. */
  isolated?: boolean | null | undefined;
  /** The name, unique among the projects beside it, without a slash. */
  name?: string | null | undefined;
  /** The project. */
  projectId: string | number;
};

/** The changes to a pipeline. An absent field is not changed; null is invalid. */
export type UpdatePromotionPipelineInput = {
  /** The name. */
  name?: string | null | undefined;
  /** The pipeline to change. */
  pipelineId: string | number;
  /** The stages, in order: from 2 to 10. Their names differ, and no label selects what another one selects. They replace all that there are. */
  stages?: Array<PromotionStageInput> | null | undefined;
};

/** The repository to change. */
export type UpdateRepositoryInput = {
  /** The path of the repository at its host, such as `acme/infrastructure`. */
  name: string;
  /** The repository. */
  repositoryId: string | number;
};

/** The changes to a pool. An absent field is not changed. */
export type UpdateRunnerPoolInput = {
  /** The purpose of the pool; null removes it. */
  description?: string | null | undefined;
  /** How many checks for drift of workspaces that name the pool run at once, from 1 to 1000. `null`: as many as there are places. */
  driftCheckLimit?: number | null | undefined;
  /** The name, unique within the organization: 1 to 63 small letters, digits and hyphens. */
  name?: string | null | undefined;
  /** The pool. */
  poolId: string | number;
  /** Whether only workspaces that name the pool run on it. */
  reserved?: boolean | null | undefined;
};

/** The changes to a schedule. An absent field is not changed; null clears `command` and is invalid elsewhere. */
export type UpdateScheduleInput = {
  /** The action. It takes the permission to make such runs, now and at each due time. */
  action?: ScheduledAction | null | undefined;
  /** The shell command, for the action TASK. */
  command?: string | null | undefined;
  /** The times: minute, hour, day of month, month, day of week, as in `30 2 * * 1-5`. */
  cron?: string | null | undefined;
  /** Whether it is due at its times. */
  enabled?: boolean | null | undefined;
  /** The label of the workspaces. Not allowed where the schedule names a workspace. */
  label?: string | null | undefined;
  /** The treatment of due times that passed while no server was up. */
  misfire?: Misfire | null | undefined;
  /** The name. */
  name?: string | null | undefined;
  /** The schedule to change. */
  scheduleId: string | number;
  /** How far the runs of many workspaces are spread behind the due time, at most 1440 minutes. */
  spreadMinutes?: number | null | undefined;
  /** The name of the time zone of `cron`, such as Europe/Berlin. */
  timeZone?: string | null | undefined;
};

/** The changes to a webhook. An absent field is not changed; null clears `description` and is invalid elsewhere. */
export type UpdateWebhookInput = {
  /** The purpose of the webhook. */
  description?: string | null | undefined;
  /** Whether messages are sent. `false` also cancels the pending deliveries. */
  enabled?: boolean | null | undefined;
  /** The events to send. */
  events?: Array<WebhookEvent> | null | undefined;
  /** The https or http address that messages are sent to. An internal address is refused unless the server's settings allow it. */
  url?: string | null | undefined;
  /** The webhook to change. */
  webhookId: string | number;
};

/** The changes to a workspace. An absent field is not changed; null clears `description` and is invalid elsewhere. */
export type UpdateWorkspaceInput = {
  /** The whole list of approval rules, in order. If empty, one approval by any approver is enough. */
  approvalRules?: Array<ApprovalRuleInput> | null | undefined;
  /** The plans that are applied without a person. Changing this needs the permission to approve. */
  autoApply?: AutoApply | null | undefined;
  /** The shape of what the workspace deploys. Null: what a DETECT hook found holds. */
  deployShape?: DeployShape | null | undefined;
  /** The purpose of the workspace. */
  description?: string | null | undefined;
  /** How it is checked for drift. Changing `reconcile` needs the permission to create runs of kind DEPLOY. */
  drift?: DriftSettingsInput | null | undefined;
  /** When the workspace expires: a run destroys what it manages, then it is deleted. It takes the permission for such runs. Null lets it live on. To set one, or an earlier one, takes the permission to delete the workspace as well. */
  expiresAt?: string | null | undefined;
  /** The whole list of freeze windows, in which nothing is applied. */
  freezeWindows?: Array<FreezeWindowInput> | null | undefined;
  /** Changes the git source that the workspace has. Two callers who change different fields keep both changes. */
  gitSource?: GitSourceChangeInput | null | undefined;
  /** Whether what it deploys has a command that starts a server. Null: what a DETECT hook found holds. */
  hasStartCommand?: boolean | null | undefined;
  /** The whole list of hooks, at most 20. The hooks of each of the 8 stages are executed in order. Existing runs keep their hooks. Changing this needs the role ADMIN. */
  hooks?: Array<HookInput> | null | undefined;
  /** Whether people may stop an apply. Changing this needs the permission to approve. */
  interruptApply?: boolean | null | undefined;
  /** The labels, at most 20: "key" or "key:value", each key once. Both parts have 1 to 63 letters, digits, dots, underscores, slashes and hyphens. */
  labels?: Array<string> | null | undefined;
  /** The limits of its runs. An absent limit is not changed. */
  limits?: RunLimitsInput | null | undefined;
  /** The time for which a run holds the workspace. */
  lockScope?: LockScope | null | undefined;
  /** The name, unique within the organization; the format is that of `createWorkspace`. */
  name?: string | null | undefined;
  /** Whether the workspace is paused: no run is admitted or claimed, and executing runs continue. `false` lets waiting runs continue. */
  paused?: boolean | null | undefined;
  /** When a person must accept a plan. Changing this needs the permission to approve. */
  planApproval?: PlanApprovalMode | null | undefined;
  /** The whole list of probes, at most 20, with all their secrets, or with the names of probes whose secrets they keep (`secretsOf`). A probe of kind COMMAND needs the role ADMIN, as hooks do. */
  probes?: Array<ProbeInput> | null | undefined;
  /** How it goes back after an apply that does not pass its verification. Changing it needs the permission to change gates. */
  rollbackSettings?: RollbackSettingsInput | null | undefined;
  /** The labels that a runner must have to take its runs, at most 20. Only admins may change them. */
  runnerLabels?: Array<string> | null | undefined;
  /** The only pool whose runners take its runs. Null means shared runners and pools that are not reserved. Only admins may change it, because the choice of runners decides which credentials the runs get. */
  runnerPoolId?: string | number | null | undefined;
  /** The `settingsDigest` that was read. If the settings differ now, it is an InvalidInputError for this field, and nothing is changed. If absent, that is not checked. */
  settingsDigest?: string | null | undefined;
  /** The source of the configuration of later runs, as a whole. Not together with `gitSource`. */
  source?: WorkspaceSourceInput | null | undefined;
  /** Whether runs of kind TASK can be created. Changing this needs the permission to approve. */
  tasksAllowed?: boolean | null | undefined;
  /** The tests of the configuration that runs execute before their plan. Changing this needs the permission to change gates. */
  tests?: TestMode | null | undefined;
  /** The changes in its repository that start runs. Changing it needs the permission to create runs of kind DEPLOY. */
  trigger?: WorkspaceTriggerInput | null | undefined;
  /** How its applies are verified. Changing it needs the permission to change gates. */
  verificationSettings?: VerificationSettingsInput | null | undefined;
  /** The workspace to change. */
  workspaceId: string | number;
};

/** A tar.gz archive that was uploaded by `POST /sources`, whose response has the id. */
export type UploadSourceInput = {
  /** The id of the upload. It expires after 24 hours if it is not used. */
  uploadId: string | number;
};

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

/** The way in which a variable is passed to the engine. */
export type VariableCategory =
  /** An input variable of the configuration. */
  | 'ENGINE'
  /** An environment variable of the engine and its providers. */
  | 'ENVIRONMENT';

/** The judgement of a person about an apply. */
export type VerificationJudgement =
  /** The applied configuration does not work: the run ends FAILED, and the workspace may go back. */
  | 'BAD'
  /** The applied configuration works: the run ends FINISHED. */
  | 'GOOD';

/** How applies are verified. An absent field is not changed; null clears `failFastAfter` and is invalid elsewhere. */
export type VerificationSettingsInput = {
  /** Whether probes verify a run of kind DESTROY. The default is NONE. */
  afterDestroy?: DestroyVerification | null | undefined;
  /** The failures in a row of one required probe that end it early, from 1 to 100. Null, the default: none do. */
  failFastAfter?: number | null | undefined;
  /** The pause between the apply and the first probes, from 0 to 3600. The default is 10. */
  initialDelaySeconds?: number | null | undefined;
  /** The pause between two rounds of probes, from 1 to 600. The default is 10. */
  intervalSeconds?: number | null | undefined;
  /** The consequence of a verification without a result. The default is ASK. */
  onInconclusive?: InconclusiveAction | null | undefined;
  /** How often each required probe must pass in a row, all at the same time, from 1 to 20. The default is 3. */
  successesInARow?: number | null | undefined;
  /** The time from the first probes to the end, from 30 to 3600; at least intervalSeconds × successesInARow. The default is 300. */
  windowSeconds?: number | null | undefined;
};

/** The status of a verification. */
export type VerificationStatus =
  /** The run ended before. */
  | 'CANCELED'
  /** The applied configuration does not work, by its probes or by the judgement of a person. */
  | 'FAILED'
  /** There is no result: no prober was there, an output is missing, there are too few samples, or a required probe was changed. */
  | 'INCONCLUSIVE'
  /** The applied configuration works, by its probes or by the judgement of a person. */
  | 'PASSED'
  /** The apply has not ended. */
  | 'PENDING'
  /** Probes are sent, or external checks are asked. */
  | 'RUNNING'
  /** Nothing was applied, so there was nothing to verify. */
  | 'SKIPPED';

/** The state of a delivery. */
export type WebhookDeliveryState =
  /** The webhook was disabled or deleted before the message was delivered. */
  | 'CANCELED'
  /** The target responded with a 2xx status. */
  | 'DELIVERED'
  /** The last attempt failed, or the target responded with 410. */
  | 'FAILED'
  /** The message is being sent, or is tried again at `nextAttemptAt`. */
  | 'PENDING';

/** An event that a webhook can subscribe to. The `type` of a message is the name with dots. */
export type WebhookEvent =
  /** `changeset.applied`: all of a changeset that had changes is applied, outside of isolated projects. Sent once, to webhooks of the whole organization. */
  | 'CHANGESET_APPLIED'
  /** `drift.found`: a check found drift, or another one than before. */
  | 'DRIFT_FOUND'
  /** `repository.hook.missing`: changes of a repository are found by polling, because its hooks do not arrive. Sent to webhooks of the whole organization. */
  | 'HOOK_MISSING'
  /** `policy.errored`: a policy or an external check could not judge a run. */
  | 'POLICY_ERRORED'
  /** `policy.exception.expiring`: an exception from a policy ends within seven days. Sent once, to webhooks of the whole organization. */
  | 'POLICY_EXCEPTION_EXPIRING'
  /** `run.ended`: a run has ended, with any status. */
  | 'RUN_ENDED'
  /** `run.gate.escalated`: a run has waited at a gate for too long. */
  | 'RUN_GATE_ESCALATED'
  /** `run.gate.waiting`: a run waits for a person at a gate, or at its next stage. */
  | 'RUN_GATE_WAITING'
  /** `run.policy.denied`: policies or external checks rejected a run. The message has what they found. */
  | 'RUN_POLICY_DENIED'
  /** `run.rollback.proposed`: a run to go back was created, because the result of another one did not pass. */
  | 'RUN_ROLLBACK_PROPOSED'
  /** `run.verification.failed`: the result of an apply did not pass its verification, or nothing is known about it. */
  | 'RUN_VERIFICATION_FAILED'
  /** `workspace.expiring`: a workspace expires within a day, or an hour. */
  | 'WORKSPACE_EXPIRING'
  /** `workspace.expiry.failed`: the resources of an expired workspace could not be destroyed. */
  | 'WORKSPACE_EXPIRY_FAILED'
  /** `workspace.health.changed`: the runtime health of a workspace has been another for a minute. */
  | 'WORKSPACE_HEALTH_CHANGED'
  /** `workspace.locked`: a workspace was locked, or its lock was changed. */
  | 'WORKSPACE_LOCKED'
  /** `workspace.unlocked`: a workspace was unlocked. */
  | 'WORKSPACE_UNLOCKED';

/** The caller's approvals to withdraw: all of one gate. */
export type WithdrawApprovalInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** The gate at which the run waits or, once all is approved, the last gate that it passed. */
  gate: Gate;
  /** The run that waits at the gate, or for a runner. */
  runId: string | number;
};

/** An action on a workspace. */
export type WorkspaceAction =
  /** `createRun` of kind DESTROY. The run may have to wait. */
  | 'CREATE_DESTROY'
  /** `createRun` of kind PLAN, which changes nothing. */
  | 'CREATE_PLAN'
  /** `createRun` of the kinds DEPLOY and APPLY. The run may have to wait. */
  | 'CREATE_RUN'
  /** `createRun` of kind TASK. */
  | 'CREATE_TASK'
  /** `createRun` of kind UNLOCK. */
  | 'CREATE_UNLOCK'
  /** `deleteWorkspace` without force. */
  | 'DELETE'
  /** `unlockWorkspace` with `force`. */
  | 'FORCE_UNLOCK'
  /** `forceUnlockState`: break the engine's lock on the state. */
  | 'FORCE_UNLOCK_STATE'
  /** `POST /workspaces/<id>/state`: import a state that was made elsewhere. */
  | 'IMPORT_STATE'
  /** `lockWorkspace`: set a lock, or change the caller's own lock. */
  | 'LOCK'
  /** `updateWorkspace` with `paused: true`. */
  | 'PAUSE'
  /** `updateWorkspace` with `paused: false`. */
  | 'RESUME'
  /** `rollbackState` to an older version. */
  | 'ROLLBACK_STATE'
  /** `setVariable` and `deleteVariable`. */
  | 'SET_VARIABLE'
  /** `unlockWorkspace` without force. */
  | 'UNLOCK'
  /** `updateWorkspace` of its name, description, source and `lockScope`. */
  | 'UPDATE'
  /** `updateWorkspace` of the settings that guard applies: gates, approval rules, limits, freeze windows. */
  | 'UPDATE_GATES'
  /** `updateWorkspace` of its hooks. */
  | 'UPDATE_HOOKS'
  /** `updateWorkspace` of its runner pool and labels. */
  | 'UPDATE_RUNNER';

/** Why a workspace is locked. */
export type WorkspaceLockReason =
  /** An apply was interrupted, and its result is not known: check the infrastructure, then unlock by force. */
  | 'APPLY_INTERRUPTED'
  /** A person locked the workspace. That person, or an admin by force, can unlock it. */
  | 'MANUAL';

/** Selects workspaces and kinds of runs: those that each list which is not empty selects. */
export type WorkspaceSelectorInput = {
  /** The ids of workspaces that are left out. At most 500. */
  excludedWorkspaceIds?: Array<string | number>;
  /** The kinds of runs. `null`: all that have a plan. */
  kinds?: Array<RunKind> | null | undefined;
  /** Labels of workspaces: `key` or `key:value`. Those of one key are alternatives; a workspace has one of each key. Empty: all. At most 20. */
  labels?: Array<string>;
  /** Names of workspaces, in which `*` matches any characters and `?` one. Empty: all. At most 20. */
  names?: Array<string>;
  /** The ids of workspaces. Empty: all. At most 500. */
  workspaceIds?: Array<string | number>;
};

/** The source of the configuration: exactly one of these fields. */
export type WorkspaceSourceInput =
  {   /** A folder on the server's disk. */
  directory: DirectorySourceInput; git?: never; upload?: never; }
  |  { directory?: never;   /** A folder of a git repository. */
  git: GitSourceInput; upload?: never; }
  |  { directory?: never; git?: never;   /** An archive that was uploaded before. */
  upload: UploadSourceInput; };

/** The triggers of runs. An absent field is not changed; null clears `branch` and `tags`, and is invalid elsewhere. Without `branch` and `tags` nothing does. They need a source with `repositoryId`. */
export type WorkspaceTriggerInput = {
  /** Globs of further files that count as inputs, from the root of the repository; at most 50. */
  alsoReads?: Array<string> | null | undefined;
  /** The branch whose pushes start runs of kind DEPLOY. */
  branch?: string | null | undefined;
  /** Globs of files that do not count as inputs, from the root of the repository; at most 50. The default is Markdown, licences, CODEOWNERS and `.github`. */
  ignores?: Array<string> | null | undefined;
  /** The runs that end when a newer commit of the same ref has a run. The default is EVERYTHING_UNAPPROVED. */
  supersede?: Supersede | null | undefined;
  /** The tags that start a run of kind DEPLOY when they are new: a glob such as `v*`, or a regular expression of RE2 between slashes. */
  tags?: string | null | undefined;
};

export type TokenRowFragment = { id: string, name: string, role: TokenRole, createdAt: string, expiresAt: string | null, idleEndsAt: string | null, lastUsedAt: string | null, lastUsedFrom: string | null, networks: Array<string>, permissions: Array<Permission> | null, rotatedAt: string | null };

export type AccountQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountQuery = { viewer: { credential: CredentialKind, role: TokenRole, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    , tokens: Array<{ id: string, name: string, role: TokenRole, createdAt: string, expiresAt: string | null, idleEndsAt: string | null, lastUsedAt: string | null, lastUsedFrom: string | null, networks: Array<string>, permissions: Array<Permission> | null, rotatedAt: string | null }>, sessions: Array<{ id: string, method: SignInMethod, createdAt: string, lastSeenAt: string, expiresAt: string, current: boolean, userAgent: string | null, address: string | null }>, passkeys: Array<{ id: string, name: string, createdAt: string, lastUsedAt: string | null }> } };

export type CreateTokenMutationVariables = Exact<{
  input: CreateTokenInput;
}>;


export type CreateTokenMutation = { createToken:
    | { __typename: 'CreateTokenSuccess', secret: string }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type RotateTokenMutationVariables = Exact<{
  input: RotateTokenInput;
}>;


export type RotateTokenMutation = { rotateToken:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RotateTokenSuccess', secret: string }
   };

export type RevokeTokenMutationVariables = Exact<{
  input: RevokeTokenInput;
}>;


export type RevokeTokenMutation = { revokeToken:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RevokeTokenSuccess' }
   };

export type RevokeSessionMutationVariables = Exact<{
  input: RevokeSessionInput;
}>;


export type RevokeSessionMutation = { revokeSession:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RevokeSessionSuccess' }
   };

export type RevokeSessionsMutationVariables = Exact<{
  input: RevokeSessionsInput;
}>;


export type RevokeSessionsMutation = { revokeSessions:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RevokeSessionsSuccess' }
   };

export type DeletePasskeyMutationVariables = Exact<{
  input: DeletePasskeyInput;
}>;


export type DeletePasskeyMutation = { deletePasskey:
    | { __typename: 'DeletePasskeySuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type BulkRowFragment = { id: string, action: BulkAction, state: BulkState, total: number, done: number, succeeded: number, failed: number, createdAt: string };

export type BulkCountQueryVariables = Exact<{
  filter: RunFilter;
}>;


export type BulkCountQuery = { runs: { totalCount: number } };

export type BulkOperationsQueryVariables = Exact<{ [key: string]: never; }>;


export type BulkOperationsQuery = { bulkOperations: { edges: Array<{ node: { id: string, action: BulkAction, state: BulkState, total: number, done: number, succeeded: number, failed: number, createdAt: string } }> } };

export type BulkResultsQueryVariables = Exact<{
  id: string | number;
}>;


export type BulkResultsQuery = { node:
    | { __typename: 'Approval', id: string }
    | { __typename: 'BulkOperation', id: string, action: BulkAction, state: BulkState, total: number, done: number, succeeded: number, failed: number, createdAt: string, results: { edges: Array<{ node: { runId: string, ok: boolean | null, message: string | null, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
                | { id: string, name: string }
                | { id: string, name: string }
                | { id: string, name: string }
              , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null } }> } }
    | { __typename: 'Changeset', id: string }
    | { __typename: 'DriftReport', id: string }
    | { __typename: 'ExternalCheck', id: string }
    | { __typename: 'ExternalCheckResult', id: string }
    | { __typename: 'GitHost', id: string }
    | { __typename: 'Grant', id: string }
    | { __typename: 'InboundHook', id: string }
    | { __typename: 'MachineUser', id: string }
    | { __typename: 'Organization', id: string }
    | { __typename: 'Phase', id: string }
    | { __typename: 'Plan', id: string }
    | { __typename: 'PolicyEvaluation', id: string }
    | { __typename: 'PolicyException', id: string }
    | { __typename: 'PolicyResult', id: string }
    | { __typename: 'PolicySet', id: string }
    | { __typename: 'PolicySetVersion', id: string }
    | { __typename: 'PolicySimulation', id: string }
    | { __typename: 'Project', id: string }
    | { __typename: 'PromotionPipeline', id: string }
    | { __typename: 'RecoveredState', id: string }
    | { __typename: 'RefChange', id: string }
    | { __typename: 'Repository', id: string }
    | { __typename: 'Role', id: string }
    | { __typename: 'Run', id: string }
    | { __typename: 'RunComment', id: string }
    | { __typename: 'Runner', id: string }
    | { __typename: 'RunnerPool', id: string }
    | { __typename: 'RunnerToken', id: string }
    | { __typename: 'Schedule', id: string }
    | { __typename: 'StateVersion', id: string }
    | { __typename: 'SystemActor', id: string }
    | { __typename: 'Team', id: string }
    | { __typename: 'Token', id: string }
    | { __typename: 'TrustRule', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Verification', id: string }
    | { __typename: 'Webhook', id: string }
    | { __typename: 'WebhookDelivery', id: string }
    | { __typename: 'Workspace', id: string }
   | null };

export type BulkRunActionMutationVariables = Exact<{
  input: BulkRunActionInput;
}>;


export type BulkRunActionMutation = { bulkRunAction:
    | { __typename: 'BulkRunActionSuccess', operation: { id: string, action: BulkAction, state: BulkState, total: number, done: number, succeeded: number, failed: number, createdAt: string } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
   };

export type StopBulkOperationMutationVariables = Exact<{
  input: StopBulkOperationInput;
}>;


export type StopBulkOperationMutation = { stopBulkOperation:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'StopBulkOperationSuccess', operation: { id: string, action: BulkAction, state: BulkState, total: number, done: number, succeeded: number, failed: number, createdAt: string } }
   };

export type ChangesetRowFragment = { id: string, title: string, version: number, planDigest: string | null, kind: RunKind, source: ChangesetSource, state: ChangesetState, commit: string | null, createdAt: string, appliedAt: string | null, heldAt: string | null, discardedAt: string | null, createdBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , counts: { workspaces: number, waiting: number, applied: number, failed: number, noChanges: number, skipped: number, unwanted: number, additions: number, changes: number, destructions: number } };

export type ChangesetsQueryVariables = Exact<{
  organization: string;
  after?: string | null | undefined;
}>;


export type ChangesetsQuery = { organization: { id: string, changesets: { edges: Array<{ node: { id: string, title: string, version: number, planDigest: string | null, kind: RunKind, source: ChangesetSource, state: ChangesetState, commit: string | null, createdAt: string, appliedAt: string | null, heldAt: string | null, discardedAt: string | null, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , counts: { workspaces: number, waiting: number, applied: number, failed: number, noChanges: number, skipped: number, unwanted: number, additions: number, changes: number, destructions: number } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type ChangesetNamesQueryVariables = Exact<{
  organization: string;
}>;


export type ChangesetNamesQuery = { organization: { id: string, changesets: { edges: Array<{ node: { id: string, title: string, commit: string | null } }> } } | null };

export type ChangesetQueryVariables = Exact<{
  id: string | number;
}>;


export type ChangesetQuery = { changeset: { id: string, title: string, version: number, planDigest: string | null, kind: RunKind, source: ChangesetSource, state: ChangesetState, commit: string | null, createdAt: string, appliedAt: string | null, heldAt: string | null, discardedAt: string | null, waves: Array<{ index: number, total: number, ended: number, failed: number }>, supersededBy: { id: string, title: string } | null, promotions: Array<{ stage: string, state: PromotionState, dueAt: string | null, problem: string | null, changeset: { id: string, title: string } | null }>, runs: { edges: Array<{ node: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }>, pageInfo: { hasNextPage: boolean } }, createdBy:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    , counts: { workspaces: number, waiting: number, applied: number, failed: number, noChanges: number, skipped: number, unwanted: number, additions: number, changes: number, destructions: number } } | null };

export type ChangesetLiveSubscriptionVariables = Exact<{
  changesetId: string | number;
  after?: string | null | undefined;
}>;


export type ChangesetLiveSubscription = { changesetEvents:
    | { __typename: 'ApprovalRecorded', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'ChangesetChanged', cursor: string, changeset: { id: string, title: string, version: number, planDigest: string | null, kind: RunKind, source: ChangesetSource, state: ChangesetState, commit: string | null, createdAt: string, appliedAt: string | null, heldAt: string | null, discardedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , counts: { workspaces: number, waiting: number, applied: number, failed: number, noChanges: number, skipped: number, unwanted: number, additions: number, changes: number, destructions: number } } }
    | { __typename: 'ChangesetSnapshot', cursor: string }
    | { __typename: 'CheckChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'CursorExpired' }
    | { __typename: 'PhaseChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'PlanReady', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'PolicyEvaluated', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'RunChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'RunStatusChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'StreamCheckpoint', cursor: string }
    | { __typename: 'VerificationChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
   };

export type ApproveChangesetMutationVariables = Exact<{
  input: ApproveChangesetInput;
}>;


export type ApproveChangesetMutation = { approveChangeset:
    | { __typename: 'ApproveChangesetSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'StaleChangesetError', code: UserErrorCode, message: string }
   };

export type ContinueChangesetMutationVariables = Exact<{
  input: ContinueChangesetInput;
}>;


export type ContinueChangesetMutation = { continueChangeset:
    | { __typename: 'ContinueChangesetSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type DiscardChangesetMutationVariables = Exact<{
  input: DiscardChangesetInput;
}>;


export type DiscardChangesetMutation = { discardChangeset:
    | { __typename: 'DiscardChangesetSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type ExternalCheckRowFragment = { id: string, name: string, url: string | null, enabled: boolean, signed: boolean, level: EnforcementLevel, onError: PolicyErrorMode, stages: Array<CheckStage>, progressSeconds: number, totalSeconds: number, estimatesCost: boolean, selector: { names: Array<string>, labels: Array<string>, kinds: Array<RunKind> | null, workspaceIds: Array<string>, excludedWorkspaceIds: Array<string> }, via: { id: string, name: string } | null };

export type ExternalChecksQueryVariables = Exact<{
  organization: string;
}>;


export type ExternalChecksQuery = { organization: { id: string, viewerPermissions: Array<Permission>, externalChecks: Array<{ id: string, name: string, url: string | null, enabled: boolean, signed: boolean, level: EnforcementLevel, onError: PolicyErrorMode, stages: Array<CheckStage>, progressSeconds: number, totalSeconds: number, estimatesCost: boolean, selector: { names: Array<string>, labels: Array<string>, kinds: Array<RunKind> | null, workspaceIds: Array<string>, excludedWorkspaceIds: Array<string> }, via: { id: string, name: string } | null }> } | null };

export type RunnerPoolNamesQueryVariables = Exact<{
  organization: string;
}>;


export type RunnerPoolNamesQuery = { organization: { id: string, runnerPools: Array<{ id: string, name: string }> } | null };

export type CreateExternalCheckMutationVariables = Exact<{
  input: CreateExternalCheckInput;
}>;


export type CreateExternalCheckMutation = { createExternalCheck:
    | { __typename: 'CreateExternalCheckSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateExternalCheckMutationVariables = Exact<{
  input: UpdateExternalCheckInput;
}>;


export type UpdateExternalCheckMutation = { updateExternalCheck:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UpdateExternalCheckSuccess' }
   };

export type TestExternalCheckMutationVariables = Exact<{
  input: TestExternalCheckInput;
}>;


export type TestExternalCheckMutation = { testExternalCheck:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'TestExternalCheckSuccess', ok: boolean, problem: string | null, statusCode: number | null }
   };

export type DeleteExternalCheckMutationVariables = Exact<{
  input: DeleteExternalCheckInput;
}>;


export type DeleteExternalCheckMutation = { deleteExternalCheck:
    | { __typename: 'DeleteExternalCheckSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type CommentsQueryVariables = Exact<{
  runId: string | number;
}>;


export type CommentsQuery = { run: { id: string, comments: { edges: Array<{ node: { id: string, at: string, text: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } }> } } | null };

export type CommentMutationVariables = Exact<{
  input: CommentOnRunInput;
}>;


export type CommentMutation = { commentOnRun:
    | { __typename: 'CommentOnRunSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

type Refused_DependencyCycleError_Fragment = { code: UserErrorCode, message: string };

type Refused_ForbiddenError_Fragment = { code: UserErrorCode, message: string };

type Refused_HostUnreachableError_Fragment = { code: UserErrorCode, message: string };

type Refused_IdempotencyConflictError_Fragment = { code: UserErrorCode, message: string };

type Refused_InvalidInputError_Fragment = { code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> };

type Refused_LastAdministratorError_Fragment = { code: UserErrorCode, message: string };

type Refused_NameTakenError_Fragment = { code: UserErrorCode, message: string };

type Refused_NotFoundError_Fragment = { code: UserErrorCode, message: string };

type Refused_PolicyDeniedError_Fragment = { code: UserErrorCode, message: string };

type Refused_PolicyInvalidError_Fragment = { code: UserErrorCode, message: string };

type Refused_ReauthenticationRequiredError_Fragment = { url: string | null, code: UserErrorCode, message: string };

type Refused_RunStateConflictError_Fragment = { code: UserErrorCode, message: string };

type Refused_StaleChangesetError_Fragment = { code: UserErrorCode, message: string };

type Refused_StalePlanError_Fragment = { code: UserErrorCode, message: string };

type Refused_WorkspaceLockedError_Fragment = { code: UserErrorCode, message: string };

export type RefusedFragment =
  | Refused_DependencyCycleError_Fragment
  | Refused_ForbiddenError_Fragment
  | Refused_HostUnreachableError_Fragment
  | Refused_IdempotencyConflictError_Fragment
  | Refused_InvalidInputError_Fragment
  | Refused_LastAdministratorError_Fragment
  | Refused_NameTakenError_Fragment
  | Refused_NotFoundError_Fragment
  | Refused_PolicyDeniedError_Fragment
  | Refused_PolicyInvalidError_Fragment
  | Refused_ReauthenticationRequiredError_Fragment
  | Refused_RunStateConflictError_Fragment
  | Refused_StaleChangesetError_Fragment
  | Refused_StalePlanError_Fragment
  | Refused_WorkspaceLockedError_Fragment
;

type Overtaken_RunStateConflictError_Fragment = { run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      >, given: Array<{ id: string, at: string, planVersion: number, actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } };

type Overtaken_StalePlanError_Fragment = { run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      >, given: Array<{ id: string, at: string, planVersion: number, actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } };

export type OvertakenFragment =
  | Overtaken_RunStateConflictError_Fragment
  | Overtaken_StalePlanError_Fragment
;

export type ApproveMutationVariables = Exact<{
  input: ApproveRunInput;
}>;


export type ApproveMutation = { approveRun:
    | { __typename: 'ApproveRunSuccess', run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
   };

export type RejectMutationVariables = Exact<{
  input: RejectRunInput;
}>;


export type RejectMutation = { rejectRun:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RejectRunSuccess', run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
   };

export type ReplanMutationVariables = Exact<{
  input: ReplanRunInput;
}>;


export type ReplanMutation = { replanRun:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReplanRunSuccess', run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
   };

export type DiscardMutationVariables = Exact<{
  input: DiscardRunInput;
}>;


export type DiscardMutation = { discardRun:
    | { __typename: 'DiscardRunSuccess', run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
   };

export type CancelMutationVariables = Exact<{
  input: CancelRunInput;
}>;


export type CancelMutation = { cancelRun:
    | { __typename: 'CancelRunSuccess', run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
   };

export type WithdrawMutationVariables = Exact<{
  input: WithdrawApprovalInput;
}>;


export type WithdrawMutation = { withdrawApproval:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'WithdrawApprovalSuccess', run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
   };

export type CreatedRunFragment = { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } };

export type RetryMutationVariables = Exact<{
  input: RetryRunInput;
}>;


export type RetryMutation = { retryRun:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyDeniedError', code: UserErrorCode, message: string }
    | { __typename: 'RetryRunSuccess', run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string }
   };

export type PromoteMutationVariables = Exact<{
  input: PromoteRunInput;
}>;


export type PromoteMutation = { promoteRun:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'IdempotencyConflictError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyDeniedError', code: UserErrorCode, message: string }
    | { __typename: 'PromoteRunSuccess', run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
   };

export type RollBackMutationVariables = Exact<{
  input: RollbackRunInput;
}>;


export type RollBackMutation = { rollbackRun:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'IdempotencyConflictError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyDeniedError', code: UserErrorCode, message: string }
    | { __typename: 'RollbackRunSuccess', run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
   };

export type WayBackQueryVariables = Exact<{
  id: string | number;
}>;


export type WayBackQuery = { run: { id: string, rollbackRisks: Array<RollbackRisk>, rollsBackTo: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, rollbackCandidate: { id: string, number: number, actions: Array<{ action: RunAction, allowed: boolean }>, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null } | null };

export type DriftFragment = { id: string, result: DriftResult, createdAt: string, resourceCount: number, outputCount: number, ignoredCount: number, outputs: Array<string>, acknowledgement: { until: string, note: string | null, by:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     } | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } }, resources: { edges: Array<{ node: { address: string, change: DriftAction | null, plannedAction: ResourceAction | null, paths: Array<string> } }> } };

export type WorkspaceDriftQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceDriftQuery = { workspace: { id: string, driftReport: { id: string, result: DriftResult, createdAt: string, resourceCount: number, outputCount: number, ignoredCount: number, outputs: Array<string>, acknowledgement: { until: string, note: string | null, by:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         } | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } }, resources: { edges: Array<{ node: { address: string, change: DriftAction | null, plannedAction: ResourceAction | null, paths: Array<string> } }> } } | null } | null };

export type AcknowledgeDriftMutationVariables = Exact<{
  input: AcknowledgeDriftInput;
}>;


export type AcknowledgeDriftMutation = { acknowledgeDrift:
    | { __typename: 'AcknowledgeDriftSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type PolicyExceptionRowFragment = { id: string, state: PolicyExceptionState, policy: string, rule: string, addressGlob: string, reason: string, ticket: string | null, requestedAt: string, expiresAt: string, decidedAt: string | null, decisionComment: string | null, revokedAt: string | null, revocationComment: string | null, requestedBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , decidedBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
   | null, revokedBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
   | null, policySet: { id: string, name: string } | null, workspaces: Array<{ id: string, name: string }> };

export type OrganizationExceptionsQueryVariables = Exact<{
  organization: string;
}>;


export type OrganizationExceptionsQuery = { organization: { id: string, viewerPermissions: Array<Permission>, policySets: { edges: Array<{ node: { id: string, exceptions: { edges: Array<{ node: { id: string, state: PolicyExceptionState, policy: string, rule: string, addressGlob: string, reason: string, ticket: string | null, requestedAt: string, expiresAt: string, decidedAt: string | null, decisionComment: string | null, revokedAt: string | null, revocationComment: string | null, requestedBy:
                  | { id: string, name: string }
                  | { id: string, name: string }
                  | { id: string, name: string }
                , decidedBy:
                  | { id: string, name: string }
                  | { id: string, name: string }
                  | { id: string, name: string }
                 | null, revokedBy:
                  | { id: string, name: string }
                  | { id: string, name: string }
                  | { id: string, name: string }
                 | null, policySet: { id: string, name: string } | null, workspaces: Array<{ id: string, name: string }> } }> } } }> } } | null };

export type PolicySetExceptionsQueryVariables = Exact<{
  id: string | number;
}>;


export type PolicySetExceptionsQuery = { node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan' }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet', id: string, exceptions: { edges: Array<{ node: { id: string, state: PolicyExceptionState, policy: string, rule: string, addressGlob: string, reason: string, ticket: string | null, requestedAt: string, expiresAt: string, decidedAt: string | null, decisionComment: string | null, revokedAt: string | null, revocationComment: string | null, requestedBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
            , decidedBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             | null, revokedBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             | null, policySet: { id: string, name: string } | null, workspaces: Array<{ id: string, name: string }> } }>, pageInfo: { hasNextPage: boolean } } }
    | { __typename: 'PolicySetVersion' }
    | { __typename: 'PolicySimulation' }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline' }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange' }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion' }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null };

export type RequestPolicyExceptionMutationVariables = Exact<{
  input: RequestPolicyExceptionInput;
}>;


export type RequestPolicyExceptionMutation = { requestPolicyException:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RequestPolicyExceptionSuccess', policyException: { id: string } }
   };

export type DecidePolicyExceptionMutationVariables = Exact<{
  input: DecidePolicyExceptionInput;
}>;


export type DecidePolicyExceptionMutation = { decidePolicyException:
    | { __typename: 'DecidePolicyExceptionSuccess', policyException: { id: string } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type RevokePolicyExceptionMutationVariables = Exact<{
  input: RevokePolicyExceptionInput;
}>;


export type RevokePolicyExceptionMutation = { revokePolicyException:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RevokePolicyExceptionSuccess', policyException: { id: string } }
   };

export type HealthHistoryQueryVariables = Exact<{
  id: string | number;
  probe: string;
  from: string;
  to: string;
}>;


export type HealthHistoryQuery = { workspace: { id: string, healthHistory: Array<{ from: string, seconds: number, samples: number, bad: number, held: number, medianMs: number | null, maxMs: number | null }> } | null };

export type InboundHooksQueryVariables = Exact<{
  organization: string;
}>;


export type InboundHooksQuery = { organization: { id: string, viewerPermissions: Array<Permission>, inboundHooks: Array<{ id: string, name: string, kind: InboundHookKind, path: string, lastAt: string | null, lastProblem: string | null, mapping: Array<{ key: string, pointer: string }>, owner:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , workspaces: Array<{ id: string, name: string }> }> } | null };

export type CreateInboundHookMutationVariables = Exact<{
  input: CreateInboundHookInput;
}>;


export type CreateInboundHookMutation = { createInboundHook:
    | { __typename: 'CreateInboundHookSuccess', secret: string, inboundHook: { id: string, path: string } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateInboundHookMutationVariables = Exact<{
  input: UpdateInboundHookInput;
}>;


export type UpdateInboundHookMutation = { updateInboundHook:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UpdateInboundHookSuccess' }
   };

export type RotateInboundHookSecretMutationVariables = Exact<{
  input: RotateInboundHookSecretInput;
}>;


export type RotateInboundHookSecretMutation = { rotateInboundHookSecret:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RotateInboundHookSecretSuccess', secret: string }
   };

export type DeleteInboundHookMutationVariables = Exact<{
  input: DeleteInboundHookInput;
}>;


export type DeleteInboundHookMutation = { deleteInboundHook:
    | { __typename: 'DeleteInboundHookSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type InboxRowFragment = { reason: InboxReason, since: string, requirement: { stage: string | null, missing: number, viewerReason: string | null } | null, run: { escalatedAt: string | null, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } };

export type InboxQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type InboxQuery = { viewer: { inbox: { streamCursor: string | null, edges: Array<{ node: { reason: InboxReason, since: string, requirement: { stage: string | null, missing: number, viewerReason: string | null } | null, run: { escalatedAt: string | null, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
            , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type InboxChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type InboxChangesSubscription = { inboxEvents:
    | { __typename: 'CursorExpired' }
    | { __typename: 'InboxChanged', cursor: string }
    | { __typename: 'StreamCheckpoint', cursor: string }
   };

export type AskedQueryVariables = Exact<{ [key: string]: never; }>;


export type AskedQuery = { viewer: { inboxCount: number, whole: { streamCursor: string | null }, inbox: { pageInfo: { hasNextPage: boolean }, edges: Array<{ node: { reason: InboxReason, since: string, run: { id: string, number: number, message: string | null, isTerminal: boolean, escalatedAt: string | null, workspace: { id: string, name: string } } } }> } } };

export type RunJudgementsFragment = { id: string, version: number, workspace: { id: string, name: string, viewerPermissions: Array<Permission>, organization: { id: string, slug: string } }, policyEvaluations: Array<{ id: string, point: PolicyPoint, planVersion: number, shadow: boolean, status: PolicyEvaluationStatus, passed: number, error: string | null, version: { id: string, number: number, policySet: { id: string, name: string } | null } | null, results: { pageInfo: { hasNextPage: boolean }, edges: Array<{ node: { id: string, status: PolicyResultStatus, level: EnforcementLevel, policy: string, rule: string, message: string, remediation: string | null, addresses: Array<string>, overriddenBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null, exception: { id: string, expiresAt: string, decidedBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             | null } | null } }> } }>, externalChecks: Array<{ id: string, stage: CheckStage, level: EnforcementLevel, status: CheckStatus, message: string | null, url: string | null, planVersion: number, check: { id: string, name: string } }>, checks: { afterApply: boolean, count: number, failedCount: number, blocks: Array<{ address: string, status: CheckBlockStatus, problems: Array<string> }> } | null, verification: { id: string, status: VerificationStatus, reason: string | null, startedAt: string | null, endsBy: string | null, finishedAt: string | null, baselinePassed: boolean | null, comment: string | null, concludedBy:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     | null, probes: Array<{ name: string, weight: ProbeWeight, from: ProbeFrom, passesInARow: number, needed: number, attempts: number, lastFailure: string | null, resolvedTarget: string | null }> } | null };

export type JudgementsQueryVariables = Exact<{
  runId: string | number;
}>;


export type JudgementsQuery = { run: { id: string, version: number, workspace: { id: string, name: string, viewerPermissions: Array<Permission>, organization: { id: string, slug: string } }, policyEvaluations: Array<{ id: string, point: PolicyPoint, planVersion: number, shadow: boolean, status: PolicyEvaluationStatus, passed: number, error: string | null, version: { id: string, number: number, policySet: { id: string, name: string } | null } | null, results: { pageInfo: { hasNextPage: boolean }, edges: Array<{ node: { id: string, status: PolicyResultStatus, level: EnforcementLevel, policy: string, rule: string, message: string, remediation: string | null, addresses: Array<string>, overriddenBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             | null, exception: { id: string, expiresAt: string, decidedBy:
                | { id: string, name: string }
                | { id: string, name: string }
                | { id: string, name: string }
               | null } | null } }> } }>, externalChecks: Array<{ id: string, stage: CheckStage, level: EnforcementLevel, status: CheckStatus, message: string | null, url: string | null, planVersion: number, check: { id: string, name: string } }>, checks: { afterApply: boolean, count: number, failedCount: number, blocks: Array<{ address: string, status: CheckBlockStatus, problems: Array<string> }> } | null, verification: { id: string, status: VerificationStatus, reason: string | null, startedAt: string | null, endsBy: string | null, finishedAt: string | null, baselinePassed: boolean | null, comment: string | null, concludedBy:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       | null, probes: Array<{ name: string, weight: ProbeWeight, from: ProbeFrom, passesInARow: number, needed: number, attempts: number, lastFailure: string | null, resolvedTarget: string | null }> } | null } | null };

export type OverridePoliciesMutationVariables = Exact<{
  input: OverridePoliciesInput;
}>;


export type OverridePoliciesMutation = { overridePolicies:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'OverridePoliciesSuccess', run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string }
   };

export type ConcludeVerificationMutationVariables = Exact<{
  input: ConcludeVerificationInput;
}>;


export type ConcludeVerificationMutation = { concludeVerification:
    | { __typename: 'ConcludeVerificationSuccess', run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
   };

export type CheckBlocksFragment = { afterApply: boolean, count: number, failedCount: number, blocks: Array<{ address: string, status: CheckBlockStatus, problems: Array<string> }> };

export type RecoveredStateRowFragment = { id: string, serial: number, resourceCount: number, receivedAt: string };

export type WorkspaceLocksQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceLocksQuery = { workspace: { id: string, name: string, paused: boolean, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null } | null };

export type WorkspaceHoldsFragment = { id: string, name: string, paused: boolean, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null };

export type LockWorkspaceMutationVariables = Exact<{
  input: LockWorkspaceInput;
}>;


export type LockWorkspaceMutation = { lockWorkspace:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'LockWorkspaceSuccess', workspace: { id: string, name: string, paused: boolean, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null } }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'WorkspaceLockedError', code: UserErrorCode, message: string }
   };

export type UnlockWorkspaceMutationVariables = Exact<{
  input: UnlockWorkspaceInput;
}>;


export type UnlockWorkspaceMutation = { unlockWorkspace:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'UnlockWorkspaceSuccess', workspace: { id: string, name: string, paused: boolean, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null } }
    | { __typename: 'WorkspaceLockedError', code: UserErrorCode, message: string }
   };

export type ForceUnlockStateMutationVariables = Exact<{
  input: ForceUnlockStateInput;
}>;


export type ForceUnlockStateMutation = { forceUnlockState:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'ForceUnlockStateSuccess', workspace: { id: string, name: string, paused: boolean, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null } }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
   };

export type AdoptRecoveredStateMutationVariables = Exact<{
  input: AdoptRecoveredStateInput;
}>;


export type AdoptRecoveredStateMutation = { adoptRecoveredState:
    | { __typename: 'AdoptRecoveredStateSuccess', workspace: { id: string, name: string, paused: boolean, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
    | { __typename: 'WorkspaceLockedError', code: UserErrorCode, message: string }
   };

export type DiscardRecoveredStateMutationVariables = Exact<{
  input: DiscardRecoveredStateInput;
}>;


export type DiscardRecoveredStateMutation = { discardRecoveredState:
    | { __typename: 'DiscardRecoveredStateSuccess', workspace: { id: string, name: string, paused: boolean, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type LogEndQueryVariables = Exact<{
  runId: string | number;
}>;


export type LogEndQuery = { run: { id: string, isTerminal: boolean, log: { edges: Array<{ cursor: string, node: { number: number } }> } } | null };

export type LogSectionsQueryVariables = Exact<{
  runId: string | number;
}>;


export type LogSectionsQuery = { run: { id: string, phases: Array<{ id: string, kind: PhaseKind, attempt: number, status: PhaseStatus, startedAt: string | null, finishedAt: string | null, firstLine: number | null, lastLine: number | null }> } | null };

export type LogLiveSubscriptionVariables = Exact<{
  runId: string | number;
  after?: string | null | undefined;
}>;


export type LogLiveSubscription = { runLog:
    | { __typename: 'CursorExpired' }
    | { __typename: 'LogBatch', cursor: string, lines: Array<{ number: number, phase: PhaseKind, attempt: number, stream: LogStream, at: string, text: string, spans: Array<{ from: number, to: number, color: LogColor | null, bold: boolean }> }> }
   };

export type LogMatchesQueryVariables = Exact<{
  runId: string | number;
  text: string;
  after?: string | null | undefined;
}>;


export type LogMatchesQuery = { run: { id: string, logMatches: { searchedTo: number, edges: Array<{ node: { line: { number: number } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type OverviewQueryVariables = Exact<{
  organization: string;
  organizationId: string | number;
}>;


export type OverviewQuery = { organization: { id: string, activity: { busyPlaces: number | null, places: number, queueLength: number | null, nextPlaceAt: string | null, counts: Array<{ status: RunStatus, count: number }>, oldestAtGate: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, timeline: Array<{ status: RunStatus, at: string }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null }, runners: { edges: Array<{ node: { id: string, name: string, state: RunnerState, lastSeenAt: string, revokedAt: string | null, drainRequestedAt: string | null, pool: { id: string, name: string } | null } }> } } | null, waiting: { edges: Array<{ node: { escalatedAt: string | null, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, approvalRequirements: Array<{ stage: string | null, missing: number, current: boolean, satisfied: boolean, viewerCanApprove: boolean }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }> }, running: { edges: Array<{ node: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }> }, queued: { edges: Array<{ node: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, blockers: Array<{ kind: BlockerKind, message: string, since: string, estimatedStartAt: string | null }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }> }, viewer: { inbox: { edges: Array<{ node: { reason: InboxReason, since: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, failure: { summary: string } | null, workspace: { id: string, name: string, lock: { reason: WorkspaceLockReason, since: string } | null, organization: { id: string, slug: string } }, createdBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
            , plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } } }> } } };

export type RecentFiguresQueryVariables = Exact<{
  organization: string;
  from: string;
  to: string;
}>;


export type RecentFiguresQuery = { organization: { id: string, statistics: { endedRuns: number, appliedRuns: number, failureRate: number | null, waitAtGates: { count: number, medianSeconds: number, p95Seconds: number } | null } | null } | null };

export type GrantRowFragment = { id: string, createdAt: string, expiresAt: string | null, reason: string | null, actor:
    | { __typename: 'MachineUser', id: string, name: string }
    | { __typename: 'SystemActor', id: string, name: string }
    | { __typename: 'User', id: string, name: string }
   | null, team: { id: string, name: string } | null, runsOf: { id: string, name: string } | null, role: { id: string, name: string }, organization: { id: string, name: string } | null, project: { id: string, path: string } | null, workspace: { id: string, name: string } | null, grantedBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
   };

export type TeamRowFragment = { id: string, name: string, externalIds: Array<string>, members: Array<{ source: MembershipSource, addedAt: string, lapsesAt: string | null, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     }> };

export type RoleRowFragment = { id: string, name: string, description: string | null, builtIn: boolean, permissions: Array<Permission> };

export type ProjectRowFragment = { id: string, name: string, path: string, isolated: boolean, viewerPermissions: Array<Permission>, parent: { id: string } | null, grants: Array<{ id: string, createdAt: string, expiresAt: string | null, reason: string | null, actor:
      | { __typename: 'MachineUser', id: string, name: string }
      | { __typename: 'SystemActor', id: string, name: string }
      | { __typename: 'User', id: string, name: string }
     | null, team: { id: string, name: string } | null, runsOf: { id: string, name: string } | null, role: { id: string, name: string }, organization: { id: string, name: string } | null, project: { id: string, path: string } | null, workspace: { id: string, name: string } | null, grantedBy:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     }> };

export type TrustRuleRowFragment = { id: string, issuer: string, audience: string, subject: string, maxSeconds: number, createdAt: string, claims: Array<{ name: string, value: string }> };

export type PeopleQueryVariables = Exact<{
  organization: string;
  organizationId: string | number;
}>;


export type PeopleQuery = { organization: { id: string, name: string, viewerPermissions: Array<Permission>, members: Array<{ email: string | null, lastSeenAt: string | null, disabledAt: string | null, invitedBy:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       | null, actor:
        | { __typename: 'MachineUser', id: string, name: string }
        | { __typename: 'SystemActor', id: string, name: string }
        | { __typename: 'User', id: string, name: string }
       }>, invitations: Array<{ id: string, email: string | null, createdAt: string, expiresAt: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , invitedBy:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , teams: Array<{ id: string, name: string }> }>, teams: Array<{ id: string, name: string, externalIds: Array<string>, members: Array<{ source: MembershipSource, addedAt: string, lapsesAt: string | null, actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }> }>, roles: Array<{ id: string, name: string, description: string | null, builtIn: boolean, permissions: Array<Permission> }>, projects: Array<{ id: string, name: string, path: string, isolated: boolean, viewerPermissions: Array<Permission>, parent: { id: string } | null, grants: Array<{ id: string, createdAt: string, expiresAt: string | null, reason: string | null, actor:
          | { __typename: 'MachineUser', id: string, name: string }
          | { __typename: 'SystemActor', id: string, name: string }
          | { __typename: 'User', id: string, name: string }
         | null, team: { id: string, name: string } | null, runsOf: { id: string, name: string } | null, role: { id: string, name: string }, organization: { id: string, name: string } | null, project: { id: string, path: string } | null, workspace: { id: string, name: string } | null, grantedBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }> }>, serviceAccounts: Array<
      | { id: string, name: string, trustRules: Array<{ id: string, issuer: string, audience: string, subject: string, maxSeconds: number, createdAt: string, claims: Array<{ name: string, value: string }> }> }
      | { id: string, name: string }
      | { id: string, name: string }
    > } | null, grants: { edges: Array<{ node: { id: string, createdAt: string, expiresAt: string | null, reason: string | null, actor:
          | { __typename: 'MachineUser', id: string, name: string }
          | { __typename: 'SystemActor', id: string, name: string }
          | { __typename: 'User', id: string, name: string }
         | null, team: { id: string, name: string } | null, runsOf: { id: string, name: string } | null, role: { id: string, name: string }, organization: { id: string, name: string } | null, project: { id: string, path: string } | null, workspace: { id: string, name: string } | null, grantedBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         } }>, pageInfo: { hasNextPage: boolean } } };

export type CreateGrantMutationVariables = Exact<{
  input: CreateGrantInput;
}>;


export type CreateGrantMutation = { createGrant:
    | { __typename: 'CreateGrantSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type RevokeGrantMutationVariables = Exact<{
  input: RevokeGrantInput;
}>;


export type RevokeGrantMutation = { revokeGrant:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'LastAdministratorError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RevokeGrantSuccess' }
   };

export type InviteMemberMutationVariables = Exact<{
  input: InviteMemberInput;
}>;


export type InviteMemberMutation = { inviteMember:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'InviteMemberSuccess', link: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type RevokeInvitationMutationVariables = Exact<{
  input: RevokeInvitationInput;
}>;


export type RevokeInvitationMutation = { revokeInvitation:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RevokeInvitationSuccess' }
   };

export type CreateTeamMutationVariables = Exact<{
  input: CreateTeamInput;
}>;


export type CreateTeamMutation = { createTeam:
    | { __typename: 'CreateTeamSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type DeleteTeamMutationVariables = Exact<{
  input: DeleteTeamInput;
}>;


export type DeleteTeamMutation = { deleteTeam:
    | { __typename: 'DeleteTeamSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'LastAdministratorError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type AddTeamMemberMutationVariables = Exact<{
  input: AddTeamMemberInput;
}>;


export type AddTeamMemberMutation = { addTeamMember:
    | { __typename: 'AddTeamMemberSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type RemoveTeamMemberMutationVariables = Exact<{
  input: RemoveTeamMemberInput;
}>;


export type RemoveTeamMemberMutation = { removeTeamMember:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'LastAdministratorError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RemoveTeamMemberSuccess' }
   };

export type CreateRoleMutationVariables = Exact<{
  input: CreateRoleInput;
}>;


export type CreateRoleMutation = { createRole:
    | { __typename: 'CreateRoleSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type DeleteRoleMutationVariables = Exact<{
  input: DeleteRoleInput;
}>;


export type DeleteRoleMutation = { deleteRole:
    | { __typename: 'DeleteRoleSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type DisableUserMutationVariables = Exact<{
  input: DisableUserInput;
}>;


export type DisableUserMutation = { disableUser:
    | { __typename: 'DisableUserSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'LastAdministratorError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type EnableUserMutationVariables = Exact<{
  input: EnableUserInput;
}>;


export type EnableUserMutation = { enableUser:
    | { __typename: 'EnableUserSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type MachineTokensQueryVariables = Exact<{
  organizationId: string | number;
}>;


export type MachineTokensQuery = { tokens: { edges: Array<{ node: { id: string, name: string, role: TokenRole, createdAt: string, expiresAt: string | null, idleEndsAt: string | null, lastUsedAt: string | null, lastUsedFrom: string | null, networks: Array<string>, permissions: Array<Permission> | null, rotatedAt: string | null, actor:
          | { id: string }
          | { id: string }
          | { id: string }
         } }>, pageInfo: { hasNextPage: boolean } } };

export type CreateServiceAccountMutationVariables = Exact<{
  input: CreateServiceAccountInput;
}>;


export type CreateServiceAccountMutation = { createServiceAccount:
    | { __typename: 'CreateServiceAccountSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type CreateTrustRuleMutationVariables = Exact<{
  input: CreateTrustRuleInput;
}>;


export type CreateTrustRuleMutation = { createTrustRule:
    | { __typename: 'CreateTrustRuleSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type DeleteTrustRuleMutationVariables = Exact<{
  input: DeleteTrustRuleInput;
}>;


export type DeleteTrustRuleMutation = { deleteTrustRule:
    | { __typename: 'DeleteTrustRuleSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type CreateProjectMutationVariables = Exact<{
  input: CreateProjectInput;
}>;


export type CreateProjectMutation = { createProject:
    | { __typename: 'CreateProjectSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateProjectMutationVariables = Exact<{
  input: UpdateProjectInput;
}>;


export type UpdateProjectMutation = { updateProject:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'UpdateProjectSuccess' }
   };

export type MoveProjectMutationVariables = Exact<{
  input: MoveProjectInput;
}>;


export type MoveProjectMutation = { moveProject:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'MoveProjectSuccess' }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type DeleteProjectMutationVariables = Exact<{
  input: DeleteProjectInput;
}>;


export type DeleteProjectMutation = { deleteProject:
    | { __typename: 'DeleteProjectSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
   };

export type PipelineRowFragment = { id: string, name: string, owner:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , stages: Array<{ name: string, label: string, automatic: boolean, soakMinutes: number }> };

export type PipelinesQueryVariables = Exact<{
  organization: string;
  after?: string | null | undefined;
}>;


export type PipelinesQuery = { organization: { id: string, viewerPermissions: Array<Permission>, pipelines: { edges: Array<{ node: { id: string, name: string, owner:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , stages: Array<{ name: string, label: string, automatic: boolean, soakMinutes: number }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type PipelineQueryVariables = Exact<{
  id: string | number;
  organization: string;
}>;


export type PipelineQuery = { node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan' }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet' }
    | { __typename: 'PolicySetVersion' }
    | { __typename: 'PolicySimulation' }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline', id: string, name: string, owner:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , stages: Array<{ name: string, label: string, automatic: boolean, soakMinutes: number }> }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange' }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion' }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null, organization: { id: string, viewerPermissions: Array<Permission>, changesets: { edges: Array<{ node: { id: string, title: string, version: number, planDigest: string | null, kind: RunKind, source: ChangesetSource, state: ChangesetState, commit: string | null, createdAt: string, appliedAt: string | null, heldAt: string | null, discardedAt: string | null, promotions: Array<{ stage: string, state: PromotionState, dueAt: string | null, problem: string | null, pipeline: { id: string } | null, changeset: { id: string, title: string } | null, supersededBy: { id: string, title: string } | null }>, runs: { edges: Array<{ node: { id: string, revision: string | null, workspace: { id: string, labels: Array<string> } } }> }, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , counts: { workspaces: number, waiting: number, applied: number, failed: number, noChanges: number, skipped: number, unwanted: number, additions: number, changes: number, destructions: number } } }> } } | null };

export type CreatePipelineMutationVariables = Exact<{
  input: CreatePromotionPipelineInput;
}>;


export type CreatePipelineMutation = { createPromotionPipeline:
    | { __typename: 'CreatePromotionPipelineSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdatePipelineMutationVariables = Exact<{
  input: UpdatePromotionPipelineInput;
}>;


export type UpdatePipelineMutation = { updatePromotionPipeline:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UpdatePromotionPipelineSuccess' }
   };

export type DeletePipelineMutationVariables = Exact<{
  input: DeletePromotionPipelineInput;
}>;


export type DeletePipelineMutation = { deletePromotionPipeline:
    | { __typename: 'DeletePromotionPipelineSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type PromoteChangesetMutationVariables = Exact<{
  input: PromoteChangesetInput;
}>;


export type PromoteChangesetMutation = { promoteChangeset:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PromoteChangesetSuccess' }
    | { __typename: 'StaleChangesetError', code: UserErrorCode, message: string }
   };

export type ComparedChangeFragment = { address: string, action: ResourceAction, type: string, digest: string };

export type ComparedChangesQueryVariables = Exact<{
  ids: Array<string | number> | string | number;
  addresses: Array<string> | string;
}>;


export type ComparedChangesQuery = { nodes: Array<
    | { id: string, resourceChanges: { edges: Array<{ node: { address: string, action: ResourceAction, before: unknown, after: unknown, unknownPaths: Array<string>, sensitivePaths: Array<string> } }> } }
    | Record<PropertyKey, never>
   | null> };

export type PlanComparisonQueryVariables = Exact<{
  id: string | number;
  with: number;
}>;


export type PlanComparisonQuery = { node:
    | { id: string, comparison: { sameCount: number, added: Array<{ address: string, action: ResourceAction, type: string, digest: string }>, removed: Array<{ address: string, action: ResourceAction, type: string, digest: string }>, altered: Array<{ address: string, action: ResourceAction, type: string, digest: string }> } }
    | Record<PropertyKey, never>
   | null };

export type PlanDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type PlanDetailsQuery = { node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan', createdAt: string, complete: boolean, targets: Array<string>, id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputChanges: Array<{ name: string, action: ResourceAction, sensitive: boolean, unknown: boolean, before: unknown, after: unknown }>, diagnostics: Array<{ severity: Severity, summary: string, detail: string | null, address: string | null, file: string | null, line: number | null, logLine: number | null }>, outputCounts: { additions: number, changes: number, destructions: number } }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet' }
    | { __typename: 'PolicySetVersion' }
    | { __typename: 'PolicySimulation' }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline' }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange' }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion' }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null };

export type PolicySetRowFragment = { id: string, name: string, description: string | null, language: PolicyLanguage, dialect: PolicyDialect, enabled: boolean, onError: PolicyErrorMode, selector: { names: Array<string>, labels: Array<string>, kinds: Array<RunKind> | null, workspaceIds: Array<string>, excludedWorkspaceIds: Array<string> }, activeVersion: { id: string, number: number, evaluationCounts: { total: number, passed: number, warned: number, failed: number, errored: number } } | null, shadowVersion: { id: string, number: number } | null };

export type PolicyVersionRowFragment = { id: string, number: number, state: PolicyVersionState, createdAt: string, message: string | null, createdBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , evaluationCounts: { total: number, passed: number, warned: number, failed: number, errored: number } };

export type PoliciesQueryVariables = Exact<{
  organization: string;
  after?: string | null | undefined;
}>;


export type PoliciesQuery = { organization: { id: string, viewerPermissions: Array<Permission>, policySets: { edges: Array<{ node: { id: string, name: string, description: string | null, language: PolicyLanguage, dialect: PolicyDialect, enabled: boolean, onError: PolicyErrorMode, selector: { names: Array<string>, labels: Array<string>, kinds: Array<RunKind> | null, workspaceIds: Array<string>, excludedWorkspaceIds: Array<string> }, activeVersion: { id: string, number: number, evaluationCounts: { total: number, passed: number, warned: number, failed: number, errored: number } } | null, shadowVersion: { id: string, number: number } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type PolicySetQueryVariables = Exact<{
  id: string | number;
  organization: string;
}>;


export type PolicySetQuery = { organization: { id: string, viewerPermissions: Array<Permission> } | null, node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan' }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet', judgesUnchanged: boolean, needsWholePlan: boolean, createdAt: string, id: string, name: string, description: string | null, language: PolicyLanguage, dialect: PolicyDialect, enabled: boolean, onError: PolicyErrorMode, overriders: { minimum: number, excludeRequester: boolean, holds: OverrideHolds, approvers: Array<
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        >, teams: Array<{ id: string, name: string }> }, workspaces: { edges: Array<{ node: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean } }, activeVersion: { id: string, number: number, policies: Array<{ name: string }>, evaluationCounts: { total: number, passed: number, warned: number, failed: number, errored: number } } | null, versions: { edges: Array<{ node: { id: string, number: number, state: PolicyVersionState, createdAt: string, message: string | null, createdBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
            , evaluationCounts: { total: number, passed: number, warned: number, failed: number, errored: number } } }>, pageInfo: { hasNextPage: boolean } }, selector: { names: Array<string>, labels: Array<string>, kinds: Array<RunKind> | null, workspaceIds: Array<string>, excludedWorkspaceIds: Array<string> }, shadowVersion: { id: string, number: number } | null }
    | { __typename: 'PolicySetVersion' }
    | { __typename: 'PolicySimulation' }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline' }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange' }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion' }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null };

export type PolicyVersionQueryVariables = Exact<{
  id: string | number;
}>;


export type PolicyVersionQuery = { node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan' }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet' }
    | { __typename: 'PolicySetVersion', id: string, number: number, digest: string, policies: Array<{ name: string, level: EnforcementLevel, point: PolicyPoint, types: Array<string> }>, rules: Array<{ name: string, level: EnforcementLevel, point: PolicyPoint, each: PolicyEach, types: Array<string> | null, actions: Array<ResourceAction> | null, when: string, message: string, remediation: string | null }> | null, testReport: { passed: boolean, results: Array<{ name: string, passed: boolean, problems: Array<string> }> } | null, evaluations: { edges: Array<{ node: { id: string, status: PolicyEvaluationStatus, point: PolicyPoint, shadow: boolean, createdAt: string, finishedAt: string | null, planVersion: number, error: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null } }> } }
    | { __typename: 'PolicySimulation' }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline' }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange' }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion' }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null };

export type PolicySimulationQueryVariables = Exact<{
  id: string | number;
}>;


export type PolicySimulationQuery = { node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan' }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet' }
    | { __typename: 'PolicySetVersion' }
    | { __typename: 'PolicySimulation', id: string, state: BulkState, total: number, done: number, errors: number, unknown: number, newlyDenied: number, newlyPassing: number, results: { edges: Array<{ node: { planId: string, planVersion: number, outcome: SimulationOutcome | null, before: EarlierJudgement | null, after: SimulatedJudgement | null, error: string | null, findings: Array<{ policy: string, rule: string, level: EnforcementLevel, message: string, addresses: Array<string> }>, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null } }> } }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline' }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange' }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion' }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null };

export type SimulatePolicySetMutationVariables = Exact<{
  input: SimulatePolicySetInput;
}>;


export type SimulatePolicySetMutation = { simulatePolicySet:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyInvalidError', code: UserErrorCode, message: string }
    | { __typename: 'SimulatePolicySetSuccess', simulation: { id: string } }
   };

export type StopPolicySimulationMutationVariables = Exact<{
  input: StopPolicySimulationInput;
}>;


export type StopPolicySimulationMutation = { stopPolicySimulation:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'StopPolicySimulationSuccess' }
   };

export type SetPolicySetVersionStateMutationVariables = Exact<{
  input: SetPolicySetVersionStateInput;
}>;


export type SetPolicySetVersionStateMutation = { setPolicySetVersionState:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyInvalidError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'SetPolicySetVersionStateSuccess' }
   };

export type UpdatePolicySetMutationVariables = Exact<{
  input: UpdatePolicySetInput;
}>;


export type UpdatePolicySetMutation = { updatePolicySet:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'UpdatePolicySetSuccess' }
   };

export type ProbeItemFragment = { name: string, kind: ProbeKind, use: ProbeUse, weight: ProbeWeight, from: ProbeFrom, target: string, method: ProbeMethod, paths: Array<string>, headerNames: Array<string>, hasBody: boolean, serverName: string | null, followRedirects: boolean, intervalSeconds: number, timeoutMs: number, expect: { statuses: Array<string>, bodyContains: string | null, expression: string | null, maxLatencyMs: number | null, certificateDays: number | null } };

export type WorkspaceProbesFragment = { id: string, probes: Array<{ name: string, kind: ProbeKind, use: ProbeUse, weight: ProbeWeight, from: ProbeFrom, target: string, method: ProbeMethod, paths: Array<string>, headerNames: Array<string>, hasBody: boolean, serverName: string | null, followRedirects: boolean, intervalSeconds: number, timeoutMs: number, targets: Array<{ number: number, address: string | null, status: RuntimeHealth, since: string | null, reason: string | null }>, expect: { statuses: Array<string>, bodyContains: string | null, expression: string | null, maxLatencyMs: number | null, certificateDays: number | null } }>, suggestedProbes: Array<{ name: string, kind: ProbeKind, use: ProbeUse, weight: ProbeWeight, from: ProbeFrom, target: string, reason: string }> };

export type SuggestedProbeItemFragment = { name: string, kind: ProbeKind, use: ProbeUse, weight: ProbeWeight, from: ProbeFrom, target: string, reason: string };

export type WorkspaceProbesNowQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceProbesNowQuery = { workspace: { id: string, settingsDigest: string, probes: Array<{ name: string, kind: ProbeKind, use: ProbeUse, weight: ProbeWeight, from: ProbeFrom, target: string, method: ProbeMethod, paths: Array<string>, headerNames: Array<string>, hasBody: boolean, serverName: string | null, followRedirects: boolean, intervalSeconds: number, timeoutMs: number, expect: { statuses: Array<string>, bodyContains: string | null, expression: string | null, maxLatencyMs: number | null, certificateDays: number | null } }> } | null };

export type TestProbeMutationVariables = Exact<{
  input: TestProbeInput;
}>;


export type TestProbeMutation = { testProbe:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'TestProbeSuccess', problem: string | null, targets: Array<{ address: string, ok: boolean, latencyMs: number | null, failure: ProbeFailure | null, reason: string | null }> }
   };

export type RepositoryRowFragment = { id: string, name: string, url: string, defaultBranch: string | null, hookHealth: HookHealth, pollError: string | null, pollSeconds: number, polledAt: string | null };

export type GitHostRowFragment = { id: string, name: string, kind: GitHostKind, url: string, credential: GitHostCredential, hookPath: string | null, hookUrl: string | null, formerHookSecretUntil: string | null, formerHookSecretUsedAt: string | null };

export type DecisionFragment = { outcome: TriggerOutcome, reason: TriggerReason, message: string, changed: Array<string>, inputs: { folders: Array<string>, paths: Array<string>, unresolved: Array<string> } | null, workspace: { id: string, name: string, organization: { id: string, slug: string } } | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null };

export type RepositoriesQueryVariables = Exact<{
  organization: string;
}>;


export type RepositoriesQuery = { organization: { id: string, viewerPermissions: Array<Permission>, repositories: Array<{ id: string, name: string, url: string, defaultBranch: string | null, hookHealth: HookHealth, pollError: string | null, pollSeconds: number, polledAt: string | null }>, gitHosts: Array<{ id: string, name: string, kind: GitHostKind, url: string, credential: GitHostCredential, hookPath: string | null, hookUrl: string | null, formerHookSecretUntil: string | null, formerHookSecretUsedAt: string | null }> } | null };

export type RepositoryQueryVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type RepositoryQuery = { repository: { createdAt: string, id: string, name: string, url: string, defaultBranch: string | null, hookHealth: HookHealth, pollError: string | null, pollSeconds: number, polledAt: string | null, host: { id: string, name: string } | null, organization: { id: string, viewerPermissions: Array<Permission> }, changes: { edges: Array<{ node: { id: string, ref: string, before: string | null, after: string | null, foundAt: string, foundBy: FoundBy, decidedAt: string | null, forced: boolean | null, changeset: { id: string, title: string, state: ChangesetState, heldAt: string | null } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type RefChangeDecisionsQueryVariables = Exact<{
  id: string | number;
}>;


export type RefChangeDecisionsQuery = { node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan' }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet' }
    | { __typename: 'PolicySetVersion' }
    | { __typename: 'PolicySimulation' }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline' }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange', id: string, decisions: { edges: Array<{ node: { outcome: TriggerOutcome, reason: TriggerReason, message: string, changed: Array<string>, inputs: { folders: Array<string>, paths: Array<string>, unresolved: Array<string> } | null, workspace: { id: string, name: string, organization: { id: string, slug: string } } | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null } }>, pageInfo: { hasNextPage: boolean } } }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion' }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null };

export type ExplainTriggerQueryVariables = Exact<{
  refChangeId: string | number;
  workspaceId: string | number;
}>;


export type ExplainTriggerQuery = { explainTrigger: { outcome: TriggerOutcome, reason: TriggerReason, message: string, changed: Array<string>, inputs: { folders: Array<string>, paths: Array<string>, unresolved: Array<string> } | null, workspace: { id: string, name: string, organization: { id: string, slug: string } } | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null } | null };

export type PreviewTriggersQueryVariables = Exact<{
  repositoryId: string | number;
  ref: string;
  commit: string;
}>;


export type PreviewTriggersQuery = { previewTriggers: Array<{ outcome: TriggerOutcome, reason: TriggerReason, message: string, changed: Array<string>, inputs: { folders: Array<string>, paths: Array<string>, unresolved: Array<string> } | null, workspace: { id: string, name: string, organization: { id: string, slug: string } } | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> };

export type CreateRepositoryMutationVariables = Exact<{
  input: CreateRepositoryInput;
}>;


export type CreateRepositoryMutation = { createRepository:
    | { __typename: 'CreateRepositorySuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateRepositoryMutationVariables = Exact<{
  input: UpdateRepositoryInput;
}>;


export type UpdateRepositoryMutation = { updateRepository:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UpdateRepositorySuccess' }
   };

export type DeleteRepositoryMutationVariables = Exact<{
  input: DeleteRepositoryInput;
}>;


export type DeleteRepositoryMutation = { deleteRepository:
    | { __typename: 'DeleteRepositorySuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type LookAtRepositoryMutationVariables = Exact<{
  input: LookAtRepositoryInput;
}>;


export type LookAtRepositoryMutation = { lookAtRepository:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'HostUnreachableError', code: UserErrorCode, message: string }
    | { __typename: 'LookAtRepositorySuccess' }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type CreateGitHostMutationVariables = Exact<{
  input: CreateGitHostInput;
}>;


export type CreateGitHostMutation = { createGitHost:
    | { __typename: 'CreateGitHostSuccess', hookSecret: string, gitHost: { id: string, hookPath: string | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateGitHostMutationVariables = Exact<{
  input: UpdateGitHostInput;
}>;


export type UpdateGitHostMutation = { updateGitHost:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UpdateGitHostSuccess' }
   };

export type RotateHookSecretMutationVariables = Exact<{
  input: RotateHookSecretInput;
}>;


export type RotateHookSecretMutation = { rotateHookSecret:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RotateHookSecretSuccess', hookSecret: string }
   };

export type DeleteGitHostMutationVariables = Exact<{
  input: DeleteGitHostInput;
}>;


export type DeleteGitHostMutation = { deleteGitHost:
    | { __typename: 'DeleteGitHostSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type ApprovalRuleItemFragment = { name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null };

export type FreezeWindowItemFragment = { name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null };

export type OrganizationRulesFragment = { id: string, name: string, slug: string, settingsDigest: string, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }> };

export type OrganizationRulesQueryVariables = Exact<{
  organization: string;
}>;


export type OrganizationRulesQuery = { organization: { viewerPermissions: Array<Permission>, id: string, name: string, slug: string, settingsDigest: string, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }> } | null };

export type WorkspaceRulesNowQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceRulesNowQuery = { workspace: { id: string, settingsDigest: string, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }> } | null };

export type ApproversQueryVariables = Exact<{
  organization: string;
}>;


export type ApproversQuery = { organization: { id: string, members: Array<{ actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }>, teams: Array<{ id: string, name: string }> } | null };

export type UpdateOrganizationMutationVariables = Exact<{
  input: UpdateOrganizationInput;
}>;


export type UpdateOrganizationMutation = { updateOrganization:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'UpdateOrganizationSuccess', organization: { id: string, name: string, slug: string, settingsDigest: string, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }> } }
   };

export type RequirementFragment = { gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  >, given: Array<{ id: string, at: string, planVersion: number, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     }> };

export type RunPageFragment = { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    >, given: Array<{ id: string, at: string, planVersion: number, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> };

export type RunQueryVariables = Exact<{
  id: string | number;
}>;


export type RunQuery = { run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      >, given: Array<{ id: string, at: string, planVersion: number, actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } | null };

export type RunByNumberQueryVariables = Exact<{
  organization: string;
  workspace: string;
  number: number;
}>;


export type RunByNumberQuery = { workspace: { id: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        >, given: Array<{ id: string, at: string, planVersion: number, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } | null } | null };

export type RunLiveSubscriptionVariables = Exact<{
  runId: string | number;
  after?: string | null | undefined;
}>;


export type RunLiveSubscription = { runEvents:
    | { __typename: 'ApprovalRecorded', cursor: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'CheckChanged', cursor: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'CursorExpired' }
    | { __typename: 'PhaseChanged', cursor: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'PlanReady', cursor: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'PolicyEvaluated', cursor: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'RunChanged', cursor: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'RunSnapshot', cursor: string, run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'RunStatusChanged', cursor: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
    | { __typename: 'StreamCheckpoint', cursor: string }
    | { __typename: 'VerificationChanged', cursor: string, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , run: { trigger: RunTrigger, reason: string | null, targets: Array<string>, replace: Array<string>, revision: string | null, commitUrl: string | null, warnings: Array<string>, id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, actions: Array<{ action: RunAction, allowed: boolean, reason: string | null }>, cancelRequested: { at: string, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           } | null, approvals: Array<{ id: string, at: string, gate: Gate, stage: string | null, decision: ApprovalDecision, planVersion: number, comment: string | null, counts: boolean, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, likelyCause: string | null, retryable: boolean, stateUncertain: boolean, evidence: Array<string>, resources: Array<{ address: string | null, summary: string }> } | null, progress: { done: number, total: number | null, estimatedEndAt: string | null } | null, timeline: Array<{ status: RunStatus, at: string, durationSeconds: number | null, reason: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           }>, plan: { id: string, version: number, digest: string, createdAt: string, complete: boolean, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null, plans: Array<{ id: string, version: number }>, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, given: Array<{ id: string, at: string, planVersion: number, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } }
   };

export type RunWaitsFragment = { approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    >, given: Array<{ id: string, at: string, planVersion: number, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> };

export type WaitsOfRunQueryVariables = Exact<{
  id: string | number;
}>;


export type WaitsOfRunQuery = { run: { id: string, version: number, approvalRequirements: Array<{ gate: Gate, stage: string | null, current: boolean, missing: number, satisfied: boolean, reason: string | null, commentRequired: boolean, viewerCanApprove: boolean, viewerReason: string | null, eligibleActors: Array<
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      >, given: Array<{ id: string, at: string, planVersion: number, actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }> }>, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, since: string, until: string | null, estimatedStartAt: string | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null }> } | null };

export type RunnerRowFragment = { id: string, name: string, state: RunnerState, labels: Array<string>, version: string, slots: number, lastSeenAt: string, drainRequestedAt: string | null, revokedAt: string | null, engine: { name: string, version: string } | null, pool: { id: string } | null, jobs: Array<{ leg: RunLeg, since: string, leaseEndsAt: string, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } }> };

export type RunnersQueryVariables = Exact<{
  organization: string;
  organizationId: string | number;
}>;


export type RunnersQuery = { viewer: { isAdmin: boolean }, organization: { id: string, viewerPermissions: Array<Permission>, runnerPools: Array<{ id: string, name: string, description: string | null, reserved: boolean, driftCheckLimit: number | null, tokens: Array<{ id: string, name: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         }> }>, runners: { edges: Array<{ node: { id: string, name: string, state: RunnerState, labels: Array<string>, version: string, slots: number, lastSeenAt: string, drainRequestedAt: string | null, revokedAt: string | null, engine: { name: string, version: string } | null, pool: { id: string } | null, jobs: Array<{ leg: RunLeg, since: string, leaseEndsAt: string, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } }> } }>, pageInfo: { hasNextPage: boolean } } } | null, runs: { edges: Array<{ node: { id: string, version: number, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } }, blockers: Array<{ kind: BlockerKind, message: string, since: string }> } }> } };

export type CreateRunnerPoolMutationVariables = Exact<{
  input: CreateRunnerPoolInput;
}>;


export type CreateRunnerPoolMutation = { createRunnerPool:
    | { __typename: 'CreateRunnerPoolSuccess', runnerPool: { id: string } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateRunnerPoolMutationVariables = Exact<{
  input: UpdateRunnerPoolInput;
}>;


export type UpdateRunnerPoolMutation = { updateRunnerPool:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UpdateRunnerPoolSuccess', runnerPool: { id: string } }
   };

export type DeleteRunnerPoolMutationVariables = Exact<{
  input: DeleteRunnerPoolInput;
}>;


export type DeleteRunnerPoolMutation = { deleteRunnerPool:
    | { __typename: 'DeleteRunnerPoolSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
   };

export type CreateRunnerTokenMutationVariables = Exact<{
  input: CreateRunnerTokenInput;
}>;


export type CreateRunnerTokenMutation = { createRunnerToken:
    | { __typename: 'CreateRunnerTokenSuccess', secret: string }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type RevokeRunnerTokenMutationVariables = Exact<{
  input: RevokeRunnerTokenInput;
}>;


export type RevokeRunnerTokenMutation = { revokeRunnerToken:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RevokeRunnerTokenSuccess' }
   };

export type DrainRunnerMutationVariables = Exact<{
  input: DrainRunnerInput;
}>;


export type DrainRunnerMutation = { drainRunner:
    | { __typename: 'DrainRunnerSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type ResumeRunnerMutationVariables = Exact<{
  input: ResumeRunnerInput;
}>;


export type ResumeRunnerMutation = { resumeRunner:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ResumeRunnerSuccess' }
   };

export type RevokeRunnerMutationVariables = Exact<{
  input: RevokeRunnerInput;
}>;


export type RevokeRunnerMutation = { revokeRunner:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RevokeRunnerSuccess' }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
   };

export type RunRowFragment = { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null };

export type PlanCountsFragment = { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } };

export type RunsQueryVariables = Exact<{
  filter?: RunFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type RunsQuery = { runs: { edges: Array<{ node: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type OrganizationRunsSubscriptionVariables = Exact<{
  organizationId: string | number;
  after?: string | null | undefined;
}>;


export type OrganizationRunsSubscription = { organizationEvents:
    | { __typename: 'ApprovalRecorded', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'ChangesetChanged', cursor: string }
    | { __typename: 'CheckChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'CursorExpired' }
    | { __typename: 'HealthChanged', cursor: string }
    | { __typename: 'PhaseChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'PlanReady', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'PolicyEvaluated', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'RunChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'RunStatusChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'StreamCheckpoint', cursor: string }
    | { __typename: 'VerificationChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'WorkspaceChanged', cursor: string }
   };

export type ScheduleRowFragment = { id: string, name: string, action: ScheduledAction, command: string | null, cron: string, timeZone: string, spreadMinutes: number, misfire: Misfire, enabled: boolean, label: string | null, stage: string | null, nextAt: string | null, lastAt: string | null, lastProblem: string | null, lastChangeset: { id: string, title: string } | null, owner:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , pipeline: { id: string, name: string } | null, workspace: { id: string, name: string, viewerPermissions: Array<Permission> } | null };

export type SchedulesQueryVariables = Exact<{
  organization: string;
  after?: string | null | undefined;
}>;


export type SchedulesQuery = { organization: { id: string, viewerPermissions: Array<Permission>, schedules: { edges: Array<{ node: { id: string, name: string, action: ScheduledAction, command: string | null, cron: string, timeZone: string, spreadMinutes: number, misfire: Misfire, enabled: boolean, label: string | null, stage: string | null, nextAt: string | null, lastAt: string | null, lastProblem: string | null, lastChangeset: { id: string, title: string } | null, owner:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , pipeline: { id: string, name: string } | null, workspace: { id: string, name: string, viewerPermissions: Array<Permission> } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type WorkspaceSchedulesQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceSchedulesQuery = { workspace: { id: string, viewerPermissions: Array<Permission>, schedules: Array<{ id: string, name: string, action: ScheduledAction, command: string | null, cron: string, timeZone: string, spreadMinutes: number, misfire: Misfire, enabled: boolean, label: string | null, stage: string | null, nextAt: string | null, lastAt: string | null, lastProblem: string | null, lastChangeset: { id: string, title: string } | null, owner:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , pipeline: { id: string, name: string } | null, workspace: { id: string, name: string, viewerPermissions: Array<Permission> } | null }> } | null };

export type PipelineNamesQueryVariables = Exact<{
  organization: string;
}>;


export type PipelineNamesQuery = { organization: { id: string, pipelines: { edges: Array<{ node: { id: string, name: string, stages: Array<{ name: string }> } }> } } | null };

export type CreateScheduleMutationVariables = Exact<{
  input: CreateScheduleInput;
}>;


export type CreateScheduleMutation = { createSchedule:
    | { __typename: 'CreateScheduleSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateScheduleMutationVariables = Exact<{
  input: UpdateScheduleInput;
}>;


export type UpdateScheduleMutation = { updateSchedule:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UpdateScheduleSuccess' }
   };

export type RunScheduleNowMutationVariables = Exact<{
  input: RunScheduleNowInput;
}>;


export type RunScheduleNowMutation = { runScheduleNow:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunScheduleNowSuccess' }
   };

export type DeleteScheduleMutationVariables = Exact<{
  input: DeleteScheduleInput;
}>;


export type DeleteScheduleMutation = { deleteSchedule:
    | { __typename: 'DeleteScheduleSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type CronTimesQueryVariables = Exact<{
  cron: string;
  timeZone: string;
}>;


export type CronTimesQuery = { cronTimes: Array<string> };

export type SearchQueryVariables = Exact<{
  text: string;
}>;


export type SearchQuery = { search: Array<{ title: string, node:
      | { __typename: 'Approval', id: string }
      | { __typename: 'BulkOperation', id: string }
      | { __typename: 'Changeset', id: string }
      | { __typename: 'DriftReport', id: string }
      | { __typename: 'ExternalCheck', id: string }
      | { __typename: 'ExternalCheckResult', id: string }
      | { __typename: 'GitHost', id: string }
      | { __typename: 'Grant', id: string }
      | { __typename: 'InboundHook', id: string }
      | { __typename: 'MachineUser', id: string }
      | { __typename: 'Organization', slug: string, id: string }
      | { __typename: 'Phase', id: string }
      | { __typename: 'Plan', id: string }
      | { __typename: 'PolicyEvaluation', id: string }
      | { __typename: 'PolicyException', id: string }
      | { __typename: 'PolicyResult', id: string }
      | { __typename: 'PolicySet', id: string, organization: { id: string, slug: string } }
      | { __typename: 'PolicySetVersion', id: string }
      | { __typename: 'PolicySimulation', id: string }
      | { __typename: 'Project', id: string }
      | { __typename: 'PromotionPipeline', id: string }
      | { __typename: 'RecoveredState', id: string }
      | { __typename: 'RefChange', id: string }
      | { __typename: 'Repository', id: string }
      | { __typename: 'Role', id: string }
      | { __typename: 'Run', number: number, id: string, workspace: { id: string, name: string, organization: { id: string, slug: string } } }
      | { __typename: 'RunComment', id: string }
      | { __typename: 'Runner', id: string }
      | { __typename: 'RunnerPool', id: string, organization: { id: string, slug: string } }
      | { __typename: 'RunnerToken', id: string }
      | { __typename: 'Schedule', id: string }
      | { __typename: 'StateVersion', id: string }
      | { __typename: 'SystemActor', id: string }
      | { __typename: 'Team', id: string, organization: { id: string, slug: string } }
      | { __typename: 'Token', id: string }
      | { __typename: 'TrustRule', id: string }
      | { __typename: 'User', id: string }
      | { __typename: 'Verification', id: string }
      | { __typename: 'Webhook', id: string }
      | { __typename: 'WebhookDelivery', id: string }
      | { __typename: 'Workspace', id: string, organization: { id: string, slug: string } }
     }> };

export type ActorsByNameQueryVariables = Exact<{
  text: string;
}>;


export type ActorsByNameQuery = { actors: { edges: Array<{ node: { actor:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
         } }> }, search: Array<{ node:
      | { __typename: 'Approval' }
      | { __typename: 'BulkOperation' }
      | { __typename: 'Changeset' }
      | { __typename: 'DriftReport' }
      | { __typename: 'ExternalCheck' }
      | { __typename: 'ExternalCheckResult' }
      | { __typename: 'GitHost' }
      | { __typename: 'Grant' }
      | { __typename: 'InboundHook' }
      | { __typename: 'MachineUser', id: string, name: string }
      | { __typename: 'Organization' }
      | { __typename: 'Phase' }
      | { __typename: 'Plan' }
      | { __typename: 'PolicyEvaluation' }
      | { __typename: 'PolicyException' }
      | { __typename: 'PolicyResult' }
      | { __typename: 'PolicySet' }
      | { __typename: 'PolicySetVersion' }
      | { __typename: 'PolicySimulation' }
      | { __typename: 'Project' }
      | { __typename: 'PromotionPipeline' }
      | { __typename: 'RecoveredState' }
      | { __typename: 'RefChange' }
      | { __typename: 'Repository' }
      | { __typename: 'Role' }
      | { __typename: 'Run' }
      | { __typename: 'RunComment' }
      | { __typename: 'Runner' }
      | { __typename: 'RunnerPool' }
      | { __typename: 'RunnerToken' }
      | { __typename: 'Schedule' }
      | { __typename: 'StateVersion' }
      | { __typename: 'SystemActor', id: string, name: string }
      | { __typename: 'Team' }
      | { __typename: 'Token' }
      | { __typename: 'TrustRule' }
      | { __typename: 'User', id: string, name: string }
      | { __typename: 'Verification' }
      | { __typename: 'Webhook' }
      | { __typename: 'WebhookDelivery' }
      | { __typename: 'Workspace' }
     }> };

export type HookItemFragment = { stage: HookStage, purpose: HookPurpose, command: string };

export type LimitsItemFragment = { planSeconds: number | null, applySeconds: number | null, silenceSeconds: number | null, queueSeconds: number | null, planApprovalSeconds: number | null, applyApprovalSeconds: number | null, approvalTimeoutAction: ApprovalTimeoutAction | null, leaseSeconds: number | null, attemptsPerLeg: number | null, forceStopAfterSeconds: number | null };

export type DriftSettingsItemFragment = { mode: DriftMode, reconcile: DriftReconciliation, ignore: Array<{ addressGlob: string, attribute: string }> };

export type VerificationItemFragment = { initialDelaySeconds: number, intervalSeconds: number, windowSeconds: number, successesInARow: number, failFastAfter: number | null, onInconclusive: InconclusiveAction, afterDestroy: DestroyVerification };

export type RollbackItemFragment = { mode: RollbackMode, guards: Array<{ type: RollbackGuardType, name: string }> };

export type WorkspaceSettingsQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceSettingsQuery = { workspace: { id: string, viewerPermissions: Array<Permission>, tests: TestMode, deployShape: DeployShape | null, hasStartCommand: boolean | null, deployTarget: DeployTarget | null, runnerLabels: Array<string>, expiresAt: string | null, expiryProblem: string | null, driftSettings: { mode: DriftMode, reconcile: DriftReconciliation, ignore: Array<{ addressGlob: string, attribute: string }> }, verificationSettings: { initialDelaySeconds: number, intervalSeconds: number, windowSeconds: number, successesInARow: number, failFastAfter: number | null, onInconclusive: InconclusiveAction, afterDestroy: DestroyVerification }, rollbackSettings: { mode: RollbackMode, guards: Array<{ type: RollbackGuardType, name: string }> }, runnerPool: { id: string, name: string } | null, hooks: Array<{ stage: HookStage, purpose: HookPurpose, command: string }>, limits: { planSeconds: number | null, applySeconds: number | null, silenceSeconds: number | null, queueSeconds: number | null, planApprovalSeconds: number | null, applyApprovalSeconds: number | null, approvalTimeoutAction: ApprovalTimeoutAction | null, leaseSeconds: number | null, attemptsPerLeg: number | null, forceStopAfterSeconds: number | null }, effectiveLimits: { planSeconds: number, applySeconds: number, silenceSeconds: number, queueSeconds: number, planApprovalSeconds: number, applyApprovalSeconds: number, approvalTimeoutAction: ApprovalTimeoutAction, leaseSeconds: number, attemptsPerLeg: number, forceStopAfterSeconds: number }, externalChecks: Array<{ id: string, name: string, level: EnforcementLevel, stages: Array<CheckStage> }>, checks: { afterApply: boolean, count: number, failedCount: number, blocks: Array<{ address: string, status: CheckBlockStatus, problems: Array<string> }> } | null } | null };

export type WorkspaceHooksNowQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceHooksNowQuery = { workspace: { id: string, settingsDigest: string, hooks: Array<{ stage: HookStage, purpose: HookPurpose, command: string }> } | null };

export type WorkspaceDriftSettingsNowQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceDriftSettingsNowQuery = { workspace: { id: string, settingsDigest: string, driftSettings: { mode: DriftMode, reconcile: DriftReconciliation, ignore: Array<{ addressGlob: string, attribute: string }> } } | null };

export type WorkspaceRollbackNowQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceRollbackNowQuery = { workspace: { id: string, settingsDigest: string, rollbackSettings: { mode: RollbackMode, guards: Array<{ type: RollbackGuardType, name: string }> } } | null };

export type WorkspaceSourcePartsFragment = { id: string, source:
    | { __typename: 'DirectorySource', path: string }
    | { __typename: 'GitSource', url: string, branch: string, folder: string, repository: { id: string, name: string } | null }
    | { __typename: 'UploadSource', digest: string }
   };

export type WorkspaceSourceQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceSourceQuery = { workspace: { viewerPermissions: Array<Permission>, id: string, trigger: { branch: string | null, tags: string | null, alsoReads: Array<string>, ignores: Array<string>, supersede: Supersede }, sync: { state: SyncState, since: string | null, applied: { commit: string } | null, head: { commit: string } | null }, source:
      | { __typename: 'DirectorySource', path: string }
      | { __typename: 'GitSource', url: string, branch: string, folder: string, repository: { id: string, name: string } | null }
      | { __typename: 'UploadSource', digest: string }
     } | null };

export type RepositoryNamesQueryVariables = Exact<{
  organization: string;
}>;


export type RepositoryNamesQuery = { organization: { id: string, repositories: Array<{ id: string, name: string, defaultBranch: string | null }> } | null };

export type StateRowFragment = { id: string, serial: number, createdAt: string, isCurrent: boolean, resourceCount: number | null, actor:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null };

export type WorkspaceStatesQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceStatesQuery = { workspace: { id: string, stateVersions: { edges: Array<{ node: { id: string, serial: number, createdAt: string, isCurrent: boolean, resourceCount: number | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null } }> } } | null };

export type StateResourcesQueryVariables = Exact<{
  id: string | number;
  search?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type StateResourcesQuery = { node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan' }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet' }
    | { __typename: 'PolicySetVersion' }
    | { __typename: 'PolicySimulation' }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline' }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange' }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion', id: string, resources: { totalCount: number, nodes: Array<{ address: string, dependsOn: Array<string> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null };

export type StateDifferencesQueryVariables = Exact<{
  id: string | number;
  from: string | number;
  to: string | number;
}>;


export type StateDifferencesQuery = { workspace: { id: string, stateComparison: { addedCount: number, changedCount: number, removedCount: number, resources: Array<{ action: StateChangeAction, resource: { address: string } }> } | null } | null };

export type RollBackStateMutationVariables = Exact<{
  input: RollbackStateInput;
}>;


export type RollBackStateMutation = { rollbackState:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'IdempotencyConflictError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyDeniedError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RollbackStateSuccess', run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } }
   };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { credential: CredentialKind, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     }, organizations: { edges: Array<{ node: { id: string, slug: string, name: string } }> } };

export type WebhookRowFragment = { id: string, url: string, description: string | null, enabled: boolean, events: Array<WebhookEvent>, goneAt: string | null, createdAt: string, createdBy:
    | { id: string, name: string }
    | { id: string, name: string }
    | { id: string, name: string }
  , workspace: { id: string, name: string } | null, newest: { edges: Array<{ node: { id: string, state: WebhookDeliveryState } }> } };

export type DeliveryRowFragment = { id: string, type: string, state: WebhookDeliveryState, createdAt: string, finishedAt: string | null, nextAttemptAt: string | null, payload: string, attempts: Array<{ number: number, at: string, durationMs: number, statusCode: number | null, error: string | null, response: string | null }> };

export type WebhooksQueryVariables = Exact<{
  organization: string;
}>;


export type WebhooksQuery = { organization: { id: string, viewerPermissions: Array<Permission>, webhooks: Array<{ id: string, url: string, description: string | null, enabled: boolean, events: Array<WebhookEvent>, goneAt: string | null, createdAt: string, createdBy:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , workspace: { id: string, name: string } | null, newest: { edges: Array<{ node: { id: string, state: WebhookDeliveryState } }> } }> } | null };

export type WebhookQueryVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type WebhookQuery = { node:
    | { __typename: 'Approval' }
    | { __typename: 'BulkOperation' }
    | { __typename: 'Changeset' }
    | { __typename: 'DriftReport' }
    | { __typename: 'ExternalCheck' }
    | { __typename: 'ExternalCheckResult' }
    | { __typename: 'GitHost' }
    | { __typename: 'Grant' }
    | { __typename: 'InboundHook' }
    | { __typename: 'MachineUser' }
    | { __typename: 'Organization' }
    | { __typename: 'Phase' }
    | { __typename: 'Plan' }
    | { __typename: 'PolicyEvaluation' }
    | { __typename: 'PolicyException' }
    | { __typename: 'PolicyResult' }
    | { __typename: 'PolicySet' }
    | { __typename: 'PolicySetVersion' }
    | { __typename: 'PolicySimulation' }
    | { __typename: 'Project' }
    | { __typename: 'PromotionPipeline' }
    | { __typename: 'RecoveredState' }
    | { __typename: 'RefChange' }
    | { __typename: 'Repository' }
    | { __typename: 'Role' }
    | { __typename: 'Run' }
    | { __typename: 'RunComment' }
    | { __typename: 'Runner' }
    | { __typename: 'RunnerPool' }
    | { __typename: 'RunnerToken' }
    | { __typename: 'Schedule' }
    | { __typename: 'StateVersion' }
    | { __typename: 'SystemActor' }
    | { __typename: 'Team' }
    | { __typename: 'Token' }
    | { __typename: 'TrustRule' }
    | { __typename: 'User' }
    | { __typename: 'Verification' }
    | { __typename: 'Webhook', id: string, url: string, description: string | null, enabled: boolean, events: Array<WebhookEvent>, goneAt: string | null, createdAt: string, deliveries: { edges: Array<{ node: { id: string, type: string, state: WebhookDeliveryState, createdAt: string, finishedAt: string | null, nextAttemptAt: string | null, payload: string, attempts: Array<{ number: number, at: string, durationMs: number, statusCode: number | null, error: string | null, response: string | null }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, createdBy:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , workspace: { id: string, name: string } | null, newest: { edges: Array<{ node: { id: string, state: WebhookDeliveryState } }> } }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'Workspace' }
   | null };

export type WorkspaceNamesQueryVariables = Exact<{
  organization: string;
  search?: string | null | undefined;
}>;


export type WorkspaceNamesQuery = { organization: { id: string, workspaces: { edges: Array<{ node: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean } } } | null };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { createWebhook:
    | { __typename: 'CreateWebhookSuccess', secret: string }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateWebhookMutationVariables = Exact<{
  input: UpdateWebhookInput;
}>;


export type UpdateWebhookMutation = { updateWebhook:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UpdateWebhookSuccess' }
   };

export type RotateWebhookSecretMutationVariables = Exact<{
  input: RotateWebhookSecretInput;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RotateWebhookSecretSuccess', secret: string }
   };

export type TestWebhookMutationVariables = Exact<{
  input: TestWebhookInput;
}>;


export type TestWebhookMutation = { testWebhook:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'TestWebhookSuccess' }
   };

export type RedeliverWebhookMutationVariables = Exact<{
  input: RedeliverWebhookInput;
}>;


export type RedeliverWebhookMutation = { redeliverWebhook:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RedeliverWebhookSuccess' }
   };

export type DeleteWebhookMutationVariables = Exact<{
  input: DeleteWebhookInput;
}>;


export type DeleteWebhookMutation = { deleteWebhook:
    | { __typename: 'DeleteWebhookSuccess' }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type WorkspaceRowFragment = { id: string, name: string, description: string | null, deploymentStatus: DeploymentStatus, driftStatus: DriftStatus, paused: boolean, organization: { id: string, slug: string }, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
     | null } | null, latestRun: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null };

export type WorkspaceVariablesFragment = { id: string, variables: Array<{ key: string, category: VariableCategory, sensitive: boolean, hcl: boolean, value: string | null }> };

export type WorkspaceRulesFragment = { id: string, planApproval: PlanApprovalMode, autoApply: AutoApply, interruptApply: boolean, tasksAllowed: boolean, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
      | { id: string, name: string }
      | { id: string, name: string }
      | { id: string, name: string }
    >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }>, organization: { id: string, name: string, slug: string, settingsDigest: string, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }> }, policySets: Array<{ id: string, name: string }> };

export type WorkspaceDependenciesFragment = { id: string, dependencies: Array<{ trigger: DependencyTrigger, upstream: { id: string, name: string, deploymentStatus: DeploymentStatus, organization: { id: string, slug: string } }, outputs: Array<{ output: string, key: string }> }>, dependents: Array<{ trigger: DependencyTrigger, downstream: { id: string, name: string, deploymentStatus: DeploymentStatus, organization: { id: string, slug: string } }, outputs: Array<{ output: string, key: string }> }> };

export type DependencyEndFragment = { id: string, name: string, deploymentStatus: DeploymentStatus, organization: { id: string, slug: string } };

export type WorkspacesQueryVariables = Exact<{
  organization: string;
  search?: string | null | undefined;
  statuses?: Array<DeploymentStatus> | DeploymentStatus | null | undefined;
  after?: string | null | undefined;
}>;


export type WorkspacesQuery = { organization: { id: string, projects: Array<{ id: string, path: string, viewerPermissions: Array<Permission> }>, workspaces: { edges: Array<{ node: { id: string, name: string, description: string | null, deploymentStatus: DeploymentStatus, driftStatus: DriftStatus, paused: boolean, organization: { id: string, slug: string }, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
             | null } | null, latestRun: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
            , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type WorkspaceByIdQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceByIdQuery = { workspace: { id: string, name: string, organization: { id: string, slug: string } } | null };

export type WorkspaceQueryVariables = Exact<{
  organization: string;
  name: string;
}>;


export type WorkspaceQuery = { workspace: { runtimeHealth: RuntimeHealth, healthSince: string | null, healthReason: string | null, labels: Array<string>, lockScope: LockScope, id: string, name: string, description: string | null, deploymentStatus: DeploymentStatus, driftStatus: DriftStatus, paused: boolean, planApproval: PlanApprovalMode, autoApply: AutoApply, interruptApply: boolean, tasksAllowed: boolean, outputs: Array<{ name: string, sensitive: boolean, value: unknown }>, driftReport: { id: string } | null, queue: { totalCount: number, edges: Array<{ node: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }> }, runs: { edges: Array<{ node: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }>, pageInfo: { hasNextPage: boolean } }, organization: { id: string, slug: string, name: string, settingsDigest: string, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }> }, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
       | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, latestRun: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null, source:
      | { __typename: 'DirectorySource', path: string }
      | { __typename: 'GitSource', url: string, branch: string, folder: string, repository: { id: string, name: string } | null }
      | { __typename: 'UploadSource', digest: string }
    , variables: Array<{ key: string, category: VariableCategory, sensitive: boolean, hcl: boolean, value: string | null }>, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
        | { id: string, name: string }
        | { id: string, name: string }
        | { id: string, name: string }
      >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }>, policySets: Array<{ id: string, name: string }>, dependencies: Array<{ trigger: DependencyTrigger, upstream: { id: string, name: string, deploymentStatus: DeploymentStatus, organization: { id: string, slug: string } }, outputs: Array<{ output: string, key: string }> }>, dependents: Array<{ trigger: DependencyTrigger, downstream: { id: string, name: string, deploymentStatus: DeploymentStatus, organization: { id: string, slug: string } }, outputs: Array<{ output: string, key: string }> }>, probes: Array<{ name: string, kind: ProbeKind, use: ProbeUse, weight: ProbeWeight, from: ProbeFrom, target: string, method: ProbeMethod, paths: Array<string>, headerNames: Array<string>, hasBody: boolean, serverName: string | null, followRedirects: boolean, intervalSeconds: number, timeoutMs: number, targets: Array<{ number: number, address: string | null, status: RuntimeHealth, since: string | null, reason: string | null }>, expect: { statuses: Array<string>, bodyContains: string | null, expression: string | null, maxLatencyMs: number | null, certificateDays: number | null } }>, suggestedProbes: Array<{ name: string, kind: ProbeKind, use: ProbeUse, weight: ProbeWeight, from: ProbeFrom, target: string, reason: string }> } | null };

export type WorkspaceLiveSubscriptionVariables = Exact<{
  workspaceId: string | number;
  after?: string | null | undefined;
}>;


export type WorkspaceLiveSubscription = { workspaceEvents:
    | { __typename: 'ApprovalRecorded', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'CheckChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'CursorExpired' }
    | { __typename: 'HealthChanged', cursor: string, workspace: { runtimeHealth: RuntimeHealth, healthSince: string | null, healthReason: string | null, id: string, name: string, description: string | null, deploymentStatus: DeploymentStatus, driftStatus: DriftStatus, paused: boolean, organization: { id: string, slug: string }, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null } | null, latestRun: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null } }
    | { __typename: 'PhaseChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'PlanReady', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'PolicyEvaluated', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'RunChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'RunStatusChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'StreamCheckpoint', cursor: string }
    | { __typename: 'VerificationChanged', cursor: string, run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'WorkspaceChanged', cursor: string, workspace: { id: string, name: string, description: string | null, deploymentStatus: DeploymentStatus, driftStatus: DriftStatus, paused: boolean, organization: { id: string, slug: string }, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null } | null, latestRun: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null } }
    | { __typename: 'WorkspaceSnapshot', cursor: string }
   };

export type CreateRunMutationVariables = Exact<{
  input: CreateRunInput;
}>;


export type CreateRunMutation = { createRun:
    | { __typename: 'CreateRunSuccess', run: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
          | { id: string, name: string }
          | { id: string, name: string }
          | { id: string, name: string }
        , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'IdempotencyConflictError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyDeniedError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string }
   };

export type CreateWorkspaceMutationVariables = Exact<{
  input: CreateWorkspaceInput;
}>;


export type CreateWorkspaceMutation = { createWorkspace:
    | { __typename: 'CreateWorkspaceSuccess', workspace: { id: string, name: string, description: string | null, deploymentStatus: DeploymentStatus, driftStatus: DriftStatus, paused: boolean, organization: { id: string, slug: string }, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null } | null, latestRun: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type UpdateWorkspaceMutationVariables = Exact<{
  input: UpdateWorkspaceInput;
}>;


export type UpdateWorkspaceMutation = { updateWorkspace:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'UpdateWorkspaceSuccess', workspace: { labels: Array<string>, lockScope: LockScope, id: string, name: string, description: string | null, deploymentStatus: DeploymentStatus, driftStatus: DriftStatus, paused: boolean, planApproval: PlanApprovalMode, autoApply: AutoApply, interruptApply: boolean, tasksAllowed: boolean, organization: { id: string, slug: string, name: string, settingsDigest: string, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
              | { id: string, name: string }
              | { id: string, name: string }
              | { id: string, name: string }
            >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }> }, lock: { reason: WorkspaceLockReason, since: string, note: string | null, actor:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
           | null, run: { id: string, number: number, workspace: { id: string, name: string, organization: { id: string, slug: string } } } | null, recoveredStates: Array<{ id: string, serial: number, resourceCount: number, receivedAt: string }> } | null, latestRun: { id: string, version: number, number: number, kind: RunKind, status: RunStatus, isTerminal: boolean, outcome: RunOutcome | null, requiredAction: RequiredAction, message: string | null, createdAt: string, finishedAt: string | null, createdBy:
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          , workspace: { id: string, name: string, organization: { id: string, slug: string } }, plan: { id: string, version: number, hasChanges: boolean, additions: number, changes: number, destructions: number, replacements: number, forgets: number, moves: number, imports: number, outputCounts: { additions: number, changes: number, destructions: number } } | null } | null, actions: Array<{ action: WorkspaceAction, allowed: boolean, reason: string | null }>, stateLock: { id: string, who: string, operation: string, since: string } | null, currentStateVersion: { id: string, serial: number, resourceCount: number | null, createdAt: string } | null, approvalRules: Array<{ name: string, gate: Gate, kinds: Array<RunKind>, minimum: number, teamIds: Array<string>, excludeRequester: boolean, distinctFromPlanApprover: boolean, commentRequired: boolean, requirePresence: boolean, machinesCount: boolean, approvers: Array<
            | { id: string, name: string }
            | { id: string, name: string }
            | { id: string, name: string }
          >, teams: Array<{ id: string, name: string }>, when: { minDestructions: number | null, minReplacements: number | null, resourceTypes: Array<string>, labels: Array<string>, triggers: Array<RunTrigger>, monthlyCostDeltaOver: number | null } | null }>, freezeWindows: Array<{ name: string, cron: string, timeZone: string, durationMinutes: number, open: boolean, nextOpensAt: string | null }>, policySets: Array<{ id: string, name: string }> } }
   };

export type DeleteWorkspaceMutationVariables = Exact<{
  input: DeleteWorkspaceInput;
}>;


export type DeleteWorkspaceMutation = { deleteWorkspace:
    | { __typename: 'DeleteWorkspaceSuccess', deletedId: string }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', url: string | null, code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
    | { __typename: 'WorkspaceLockedError', code: UserErrorCode, message: string }
   };

export type SetVariableMutationVariables = Exact<{
  input: SetVariableInput;
}>;


export type SetVariableMutation = { setVariable:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'SetVariableSuccess', workspace: { id: string, variables: Array<{ key: string, category: VariableCategory, sensitive: boolean, hcl: boolean, value: string | null }> } }
   };

export type DeleteVariableMutationVariables = Exact<{
  input: DeleteVariableInput;
}>;


export type DeleteVariableMutation = { deleteVariable:
    | { __typename: 'DeleteVariableSuccess', workspace: { id: string, variables: Array<{ key: string, category: VariableCategory, sensitive: boolean, hcl: boolean, value: string | null }> } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

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
export const TokenRowFragmentDoc = new TypedDocumentString(`
    fragment TokenRow on Token {
  id
  name
  role
  createdAt
  expiresAt
  idleEndsAt
  lastUsedAt
  lastUsedFrom
  networks
  permissions
  rotatedAt
}
    `, {"fragmentName":"TokenRow"}) as unknown as TypedDocumentString<TokenRowFragment, unknown>;
export const BulkRowFragmentDoc = new TypedDocumentString(`
    fragment BulkRow on BulkOperation {
  id
  action
  state
  total
  done
  succeeded
  failed
  createdAt
}
    `, {"fragmentName":"BulkRow"}) as unknown as TypedDocumentString<BulkRowFragment, unknown>;
export const ChangesetRowFragmentDoc = new TypedDocumentString(`
    fragment ChangesetRow on Changeset {
  id
  title
  version
  planDigest
  kind
  source
  state
  commit
  createdAt
  appliedAt
  heldAt
  discardedAt
  createdBy {
    id
    name
  }
  counts {
    workspaces
    waiting
    applied
    failed
    noChanges
    skipped
    unwanted
    additions
    changes
    destructions
  }
}
    `, {"fragmentName":"ChangesetRow"}) as unknown as TypedDocumentString<ChangesetRowFragment, unknown>;
export const ExternalCheckRowFragmentDoc = new TypedDocumentString(`
    fragment ExternalCheckRow on ExternalCheck {
  id
  name
  url
  enabled
  signed
  level
  onError
  stages
  progressSeconds
  totalSeconds
  estimatesCost
  selector {
    names
    labels
    kinds
    workspaceIds
    excludedWorkspaceIds
  }
  via {
    id
    name
  }
}
    `, {"fragmentName":"ExternalCheckRow"}) as unknown as TypedDocumentString<ExternalCheckRowFragment, unknown>;
export const RefusedFragmentDoc = new TypedDocumentString(`
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
    `, {"fragmentName":"Refused"}) as unknown as TypedDocumentString<RefusedFragment, unknown>;
export const PlanCountsFragmentDoc = new TypedDocumentString(`
    fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}
    `, {"fragmentName":"PlanCounts"}) as unknown as TypedDocumentString<PlanCountsFragment, unknown>;
export const RunRowFragmentDoc = new TypedDocumentString(`
    fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
    fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`, {"fragmentName":"RunRow"}) as unknown as TypedDocumentString<RunRowFragment, unknown>;
export const RequirementFragmentDoc = new TypedDocumentString(`
    fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
    `, {"fragmentName":"Requirement"}) as unknown as TypedDocumentString<RequirementFragment, unknown>;
export const RunWaitsFragmentDoc = new TypedDocumentString(`
    fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
    fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}`, {"fragmentName":"RunWaits"}) as unknown as TypedDocumentString<RunWaitsFragment, unknown>;
export const RunPageFragmentDoc = new TypedDocumentString(`
    fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
    fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`, {"fragmentName":"RunPage"}) as unknown as TypedDocumentString<RunPageFragment, unknown>;
export const OvertakenFragmentDoc = new TypedDocumentString(`
    fragment Overtaken on UserError {
  ... on StalePlanError {
    run {
      ...RunPage
    }
  }
  ... on RunStateConflictError {
    run {
      ...RunPage
    }
  }
}
    fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`, {"fragmentName":"Overtaken"}) as unknown as TypedDocumentString<OvertakenFragment, unknown>;
export const CreatedRunFragmentDoc = new TypedDocumentString(`
    fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}
    `, {"fragmentName":"CreatedRun"}) as unknown as TypedDocumentString<CreatedRunFragment, unknown>;
export const DriftFragmentDoc = new TypedDocumentString(`
    fragment Drift on DriftReport {
  id
  result
  createdAt
  resourceCount
  outputCount
  ignoredCount
  outputs
  acknowledgement {
    until
    note
    by {
      id
      name
    }
  }
  run {
    ...CreatedRun
  }
  resources(first: 50) {
    edges {
      node {
        address
        change
        plannedAction
        paths
      }
    }
  }
}
    fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}`, {"fragmentName":"Drift"}) as unknown as TypedDocumentString<DriftFragment, unknown>;
export const PolicyExceptionRowFragmentDoc = new TypedDocumentString(`
    fragment PolicyExceptionRow on PolicyException {
  id
  state
  policy
  rule
  addressGlob
  reason
  ticket
  requestedAt
  expiresAt
  requestedBy {
    id
    name
  }
  decidedAt
  decidedBy {
    id
    name
  }
  decisionComment
  revokedAt
  revokedBy {
    id
    name
  }
  revocationComment
  policySet {
    id
    name
  }
  workspaces {
    id
    name
  }
}
    `, {"fragmentName":"PolicyExceptionRow"}) as unknown as TypedDocumentString<PolicyExceptionRowFragment, unknown>;
export const InboxRowFragmentDoc = new TypedDocumentString(`
    fragment InboxRow on InboxItem {
  reason
  since
  requirement {
    stage
    missing
    viewerReason
  }
  run {
    ...RunRow
    escalatedAt
  }
}
    fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`, {"fragmentName":"InboxRow"}) as unknown as TypedDocumentString<InboxRowFragment, unknown>;
export const CheckBlocksFragmentDoc = new TypedDocumentString(`
    fragment CheckBlocks on CheckReport {
  afterApply
  count
  failedCount
  blocks {
    address
    status
    problems
  }
}
    `, {"fragmentName":"CheckBlocks"}) as unknown as TypedDocumentString<CheckBlocksFragment, unknown>;
export const RunJudgementsFragmentDoc = new TypedDocumentString(`
    fragment RunJudgements on Run {
  id
  version
  workspace {
    id
    name
    viewerPermissions
    organization {
      id
      slug
    }
  }
  policyEvaluations {
    id
    point
    planVersion
    shadow
    status
    passed
    error
    version {
      id
      number
      policySet {
        id
        name
      }
    }
    results(first: 100) {
      pageInfo {
        hasNextPage
      }
      edges {
        node {
          id
          status
          level
          policy
          rule
          message
          remediation
          addresses
          overriddenBy {
            id
            name
          }
          exception {
            id
            expiresAt
            decidedBy {
              id
              name
            }
          }
        }
      }
    }
  }
  externalChecks {
    id
    stage
    level
    status
    message
    url
    planVersion
    check {
      id
      name
    }
  }
  checks {
    ...CheckBlocks
  }
  verification {
    id
    status
    reason
    startedAt
    endsBy
    finishedAt
    baselinePassed
    comment
    concludedBy {
      id
      name
    }
    probes {
      name
      weight
      from
      passesInARow
      needed
      attempts
      lastFailure
      resolvedTarget
    }
  }
}
    fragment CheckBlocks on CheckReport {
  afterApply
  count
  failedCount
  blocks {
    address
    status
    problems
  }
}`, {"fragmentName":"RunJudgements"}) as unknown as TypedDocumentString<RunJudgementsFragment, unknown>;
export const RecoveredStateRowFragmentDoc = new TypedDocumentString(`
    fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
    `, {"fragmentName":"RecoveredStateRow"}) as unknown as TypedDocumentString<RecoveredStateRowFragment, unknown>;
export const WorkspaceHoldsFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}
    fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}`, {"fragmentName":"WorkspaceHolds"}) as unknown as TypedDocumentString<WorkspaceHoldsFragment, unknown>;
export const TeamRowFragmentDoc = new TypedDocumentString(`
    fragment TeamRow on Team {
  id
  name
  externalIds
  members {
    source
    addedAt
    lapsesAt
    actor {
      id
      name
    }
  }
}
    `, {"fragmentName":"TeamRow"}) as unknown as TypedDocumentString<TeamRowFragment, unknown>;
export const RoleRowFragmentDoc = new TypedDocumentString(`
    fragment RoleRow on Role {
  id
  name
  description
  builtIn
  permissions
}
    `, {"fragmentName":"RoleRow"}) as unknown as TypedDocumentString<RoleRowFragment, unknown>;
export const GrantRowFragmentDoc = new TypedDocumentString(`
    fragment GrantRow on Grant {
  id
  createdAt
  expiresAt
  reason
  actor {
    __typename
    id
    name
  }
  team {
    id
    name
  }
  runsOf {
    id
    name
  }
  role {
    id
    name
  }
  organization {
    id
    name
  }
  project {
    id
    path
  }
  workspace {
    id
    name
  }
  grantedBy {
    id
    name
  }
}
    `, {"fragmentName":"GrantRow"}) as unknown as TypedDocumentString<GrantRowFragment, unknown>;
export const ProjectRowFragmentDoc = new TypedDocumentString(`
    fragment ProjectRow on Project {
  id
  name
  path
  isolated
  viewerPermissions
  parent {
    id
  }
  grants {
    ...GrantRow
  }
}
    fragment GrantRow on Grant {
  id
  createdAt
  expiresAt
  reason
  actor {
    __typename
    id
    name
  }
  team {
    id
    name
  }
  runsOf {
    id
    name
  }
  role {
    id
    name
  }
  organization {
    id
    name
  }
  project {
    id
    path
  }
  workspace {
    id
    name
  }
  grantedBy {
    id
    name
  }
}`, {"fragmentName":"ProjectRow"}) as unknown as TypedDocumentString<ProjectRowFragment, unknown>;
export const TrustRuleRowFragmentDoc = new TypedDocumentString(`
    fragment TrustRuleRow on TrustRule {
  id
  issuer
  audience
  subject
  claims {
    name
    value
  }
  maxSeconds
  createdAt
}
    `, {"fragmentName":"TrustRuleRow"}) as unknown as TypedDocumentString<TrustRuleRowFragment, unknown>;
export const PipelineRowFragmentDoc = new TypedDocumentString(`
    fragment PipelineRow on PromotionPipeline {
  id
  name
  owner {
    id
    name
  }
  stages {
    name
    label
    automatic
    soakMinutes
  }
}
    `, {"fragmentName":"PipelineRow"}) as unknown as TypedDocumentString<PipelineRowFragment, unknown>;
export const ComparedChangeFragmentDoc = new TypedDocumentString(`
    fragment ComparedChange on PlannedChange {
  address
  action
  type
  digest
}
    `, {"fragmentName":"ComparedChange"}) as unknown as TypedDocumentString<ComparedChangeFragment, unknown>;
export const PolicySetRowFragmentDoc = new TypedDocumentString(`
    fragment PolicySetRow on PolicySet {
  id
  name
  description
  language
  dialect
  enabled
  onError
  selector {
    names
    labels
    kinds
    workspaceIds
    excludedWorkspaceIds
  }
  activeVersion {
    id
    number
    evaluationCounts {
      total
      passed
      warned
      failed
      errored
    }
  }
  shadowVersion {
    id
    number
  }
}
    `, {"fragmentName":"PolicySetRow"}) as unknown as TypedDocumentString<PolicySetRowFragment, unknown>;
export const PolicyVersionRowFragmentDoc = new TypedDocumentString(`
    fragment PolicyVersionRow on PolicySetVersion {
  id
  number
  state
  createdAt
  message
  createdBy {
    id
    name
  }
  evaluationCounts {
    total
    passed
    warned
    failed
    errored
  }
}
    `, {"fragmentName":"PolicyVersionRow"}) as unknown as TypedDocumentString<PolicyVersionRowFragment, unknown>;
export const ProbeItemFragmentDoc = new TypedDocumentString(`
    fragment ProbeItem on Probe {
  name
  kind
  use
  weight
  from
  target
  method
  paths
  headerNames
  hasBody
  serverName
  followRedirects
  intervalSeconds
  timeoutMs
  expect {
    statuses
    bodyContains
    expression
    maxLatencyMs
    certificateDays
  }
}
    `, {"fragmentName":"ProbeItem"}) as unknown as TypedDocumentString<ProbeItemFragment, unknown>;
export const SuggestedProbeItemFragmentDoc = new TypedDocumentString(`
    fragment SuggestedProbeItem on SuggestedProbe {
  name
  kind
  use
  weight
  from
  target
  reason
}
    `, {"fragmentName":"SuggestedProbeItem"}) as unknown as TypedDocumentString<SuggestedProbeItemFragment, unknown>;
export const WorkspaceProbesFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceProbes on Workspace {
  id
  probes {
    ...ProbeItem
    targets {
      number
      address
      status
      since
      reason
    }
  }
  suggestedProbes {
    ...SuggestedProbeItem
  }
}
    fragment ProbeItem on Probe {
  name
  kind
  use
  weight
  from
  target
  method
  paths
  headerNames
  hasBody
  serverName
  followRedirects
  intervalSeconds
  timeoutMs
  expect {
    statuses
    bodyContains
    expression
    maxLatencyMs
    certificateDays
  }
}
fragment SuggestedProbeItem on SuggestedProbe {
  name
  kind
  use
  weight
  from
  target
  reason
}`, {"fragmentName":"WorkspaceProbes"}) as unknown as TypedDocumentString<WorkspaceProbesFragment, unknown>;
export const RepositoryRowFragmentDoc = new TypedDocumentString(`
    fragment RepositoryRow on Repository {
  id
  name
  url
  defaultBranch
  hookHealth
  pollError
  pollSeconds
  polledAt
}
    `, {"fragmentName":"RepositoryRow"}) as unknown as TypedDocumentString<RepositoryRowFragment, unknown>;
export const GitHostRowFragmentDoc = new TypedDocumentString(`
    fragment GitHostRow on GitHost {
  id
  name
  kind
  url
  credential
  hookPath
  hookUrl
  formerHookSecretUntil
  formerHookSecretUsedAt
}
    `, {"fragmentName":"GitHostRow"}) as unknown as TypedDocumentString<GitHostRowFragment, unknown>;
export const DecisionFragmentDoc = new TypedDocumentString(`
    fragment Decision on TriggerDecision {
  outcome
  reason
  message
  changed
  inputs {
    folders
    paths
    unresolved
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  run {
    id
    number
    workspace {
      id
      name
      organization {
        id
        slug
      }
    }
  }
}
    `, {"fragmentName":"Decision"}) as unknown as TypedDocumentString<DecisionFragment, unknown>;
export const RunnerRowFragmentDoc = new TypedDocumentString(`
    fragment RunnerRow on Runner {
  id
  name
  state
  labels
  version
  slots
  lastSeenAt
  drainRequestedAt
  revokedAt
  engine {
    name
    version
  }
  pool {
    id
  }
  jobs {
    leg
    since
    leaseEndsAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
    `, {"fragmentName":"RunnerRow"}) as unknown as TypedDocumentString<RunnerRowFragment, unknown>;
export const ScheduleRowFragmentDoc = new TypedDocumentString(`
    fragment ScheduleRow on Schedule {
  id
  name
  action
  command
  cron
  timeZone
  spreadMinutes
  misfire
  enabled
  label
  stage
  nextAt
  lastAt
  lastProblem
  lastChangeset {
    id
    title
  }
  owner {
    id
    name
  }
  pipeline {
    id
    name
  }
  workspace {
    id
    name
    viewerPermissions
  }
}
    `, {"fragmentName":"ScheduleRow"}) as unknown as TypedDocumentString<ScheduleRowFragment, unknown>;
export const HookItemFragmentDoc = new TypedDocumentString(`
    fragment HookItem on Hook {
  stage
  purpose
  command
}
    `, {"fragmentName":"HookItem"}) as unknown as TypedDocumentString<HookItemFragment, unknown>;
export const LimitsItemFragmentDoc = new TypedDocumentString(`
    fragment LimitsItem on RunLimits {
  planSeconds
  applySeconds
  silenceSeconds
  queueSeconds
  planApprovalSeconds
  applyApprovalSeconds
  approvalTimeoutAction
  leaseSeconds
  attemptsPerLeg
  forceStopAfterSeconds
}
    `, {"fragmentName":"LimitsItem"}) as unknown as TypedDocumentString<LimitsItemFragment, unknown>;
export const DriftSettingsItemFragmentDoc = new TypedDocumentString(`
    fragment DriftSettingsItem on DriftSettings {
  mode
  reconcile
  ignore {
    addressGlob
    attribute
  }
}
    `, {"fragmentName":"DriftSettingsItem"}) as unknown as TypedDocumentString<DriftSettingsItemFragment, unknown>;
export const VerificationItemFragmentDoc = new TypedDocumentString(`
    fragment VerificationItem on VerificationSettings {
  initialDelaySeconds
  intervalSeconds
  windowSeconds
  successesInARow
  failFastAfter
  onInconclusive
  afterDestroy
}
    `, {"fragmentName":"VerificationItem"}) as unknown as TypedDocumentString<VerificationItemFragment, unknown>;
export const RollbackItemFragmentDoc = new TypedDocumentString(`
    fragment RollbackItem on RollbackSettings {
  mode
  guards {
    type
    name
  }
}
    `, {"fragmentName":"RollbackItem"}) as unknown as TypedDocumentString<RollbackItemFragment, unknown>;
export const WorkspaceSourcePartsFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceSourceParts on Workspace {
  id
  source {
    __typename
    ... on DirectorySource {
      path
    }
    ... on GitSource {
      url
      branch
      folder: path
      repository {
        id
        name
      }
    }
    ... on UploadSource {
      digest
    }
  }
}
    `, {"fragmentName":"WorkspaceSourceParts"}) as unknown as TypedDocumentString<WorkspaceSourcePartsFragment, unknown>;
export const StateRowFragmentDoc = new TypedDocumentString(`
    fragment StateRow on StateVersion {
  id
  serial
  createdAt
  isCurrent
  resourceCount
  actor {
    id
    name
  }
  run {
    ...CreatedRun
  }
}
    fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}`, {"fragmentName":"StateRow"}) as unknown as TypedDocumentString<StateRowFragment, unknown>;
export const WebhookRowFragmentDoc = new TypedDocumentString(`
    fragment WebhookRow on Webhook {
  id
  url
  description
  enabled
  events
  goneAt
  createdAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
  }
  newest: deliveries(first: 20) {
    edges {
      node {
        id
        state
      }
    }
  }
}
    `, {"fragmentName":"WebhookRow"}) as unknown as TypedDocumentString<WebhookRowFragment, unknown>;
export const DeliveryRowFragmentDoc = new TypedDocumentString(`
    fragment DeliveryRow on WebhookDelivery {
  id
  type
  state
  createdAt
  finishedAt
  nextAttemptAt
  payload
  attempts {
    number
    at
    durationMs
    statusCode
    error
    response
  }
}
    `, {"fragmentName":"DeliveryRow"}) as unknown as TypedDocumentString<DeliveryRowFragment, unknown>;
export const WorkspaceRowFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceRow on Workspace {
  id
  name
  description
  deploymentStatus
  driftStatus
  paused
  organization {
    id
    slug
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
  }
  latestRun {
    ...RunRow
  }
}
    fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`, {"fragmentName":"WorkspaceRow"}) as unknown as TypedDocumentString<WorkspaceRowFragment, unknown>;
export const WorkspaceVariablesFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceVariables on Workspace {
  id
  variables {
    key
    category
    sensitive
    hcl
    value
  }
}
    `, {"fragmentName":"WorkspaceVariables"}) as unknown as TypedDocumentString<WorkspaceVariablesFragment, unknown>;
export const ApprovalRuleItemFragmentDoc = new TypedDocumentString(`
    fragment ApprovalRuleItem on ApprovalRule {
  name
  gate
  kinds
  minimum
  approvers {
    id
    name
  }
  teamIds
  teams {
    id
    name
  }
  excludeRequester
  distinctFromPlanApprover
  commentRequired
  requirePresence
  machinesCount
  when {
    minDestructions
    minReplacements
    resourceTypes
    labels
    triggers
    monthlyCostDeltaOver
  }
}
    `, {"fragmentName":"ApprovalRuleItem"}) as unknown as TypedDocumentString<ApprovalRuleItemFragment, unknown>;
export const FreezeWindowItemFragmentDoc = new TypedDocumentString(`
    fragment FreezeWindowItem on FreezeWindow {
  name
  cron
  timeZone
  durationMinutes
  open
  nextOpensAt
}
    `, {"fragmentName":"FreezeWindowItem"}) as unknown as TypedDocumentString<FreezeWindowItemFragment, unknown>;
export const OrganizationRulesFragmentDoc = new TypedDocumentString(`
    fragment OrganizationRules on Organization {
  id
  name
  slug
  settingsDigest
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
}
    fragment ApprovalRuleItem on ApprovalRule {
  name
  gate
  kinds
  minimum
  approvers {
    id
    name
  }
  teamIds
  teams {
    id
    name
  }
  excludeRequester
  distinctFromPlanApprover
  commentRequired
  requirePresence
  machinesCount
  when {
    minDestructions
    minReplacements
    resourceTypes
    labels
    triggers
    monthlyCostDeltaOver
  }
}
fragment FreezeWindowItem on FreezeWindow {
  name
  cron
  timeZone
  durationMinutes
  open
  nextOpensAt
}`, {"fragmentName":"OrganizationRules"}) as unknown as TypedDocumentString<OrganizationRulesFragment, unknown>;
export const WorkspaceRulesFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceRules on Workspace {
  id
  planApproval
  autoApply
  interruptApply
  tasksAllowed
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
  organization {
    ...OrganizationRules
  }
  policySets {
    id
    name
  }
}
    fragment ApprovalRuleItem on ApprovalRule {
  name
  gate
  kinds
  minimum
  approvers {
    id
    name
  }
  teamIds
  teams {
    id
    name
  }
  excludeRequester
  distinctFromPlanApprover
  commentRequired
  requirePresence
  machinesCount
  when {
    minDestructions
    minReplacements
    resourceTypes
    labels
    triggers
    monthlyCostDeltaOver
  }
}
fragment FreezeWindowItem on FreezeWindow {
  name
  cron
  timeZone
  durationMinutes
  open
  nextOpensAt
}
fragment OrganizationRules on Organization {
  id
  name
  slug
  settingsDigest
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
}`, {"fragmentName":"WorkspaceRules"}) as unknown as TypedDocumentString<WorkspaceRulesFragment, unknown>;
export const DependencyEndFragmentDoc = new TypedDocumentString(`
    fragment DependencyEnd on Workspace {
  id
  name
  deploymentStatus
  organization {
    id
    slug
  }
}
    `, {"fragmentName":"DependencyEnd"}) as unknown as TypedDocumentString<DependencyEndFragment, unknown>;
export const WorkspaceDependenciesFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceDependencies on Workspace {
  id
  dependencies {
    upstream {
      ...DependencyEnd
    }
    trigger
    outputs {
      output
      key
    }
  }
  dependents {
    downstream {
      ...DependencyEnd
    }
    trigger
    outputs {
      output
      key
    }
  }
}
    fragment DependencyEnd on Workspace {
  id
  name
  deploymentStatus
  organization {
    id
    slug
  }
}`, {"fragmentName":"WorkspaceDependencies"}) as unknown as TypedDocumentString<WorkspaceDependenciesFragment, unknown>;
export const AccountDocument = new TypedDocumentString(`
    query Account {
  viewer {
    actor {
      id
      name
    }
    credential
    role
    tokens {
      ...TokenRow
    }
    sessions {
      id
      method
      createdAt
      lastSeenAt
      expiresAt
      current
      userAgent
      address
    }
    passkeys {
      id
      name
      createdAt
      lastUsedAt
    }
  }
}
    fragment TokenRow on Token {
  id
  name
  role
  createdAt
  expiresAt
  idleEndsAt
  lastUsedAt
  lastUsedFrom
  networks
  permissions
  rotatedAt
}`) as unknown as TypedDocumentString<AccountQuery, AccountQueryVariables>;
export const CreateTokenDocument = new TypedDocumentString(`
    mutation CreateToken($input: CreateTokenInput!) {
  createToken(input: $input) {
    __typename
    ...Refused
    ... on CreateTokenSuccess {
      secret
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateTokenMutation, CreateTokenMutationVariables>;
export const RotateTokenDocument = new TypedDocumentString(`
    mutation RotateToken($input: RotateTokenInput!) {
  rotateToken(input: $input) {
    __typename
    ...Refused
    ... on RotateTokenSuccess {
      secret
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RotateTokenMutation, RotateTokenMutationVariables>;
export const RevokeTokenDocument = new TypedDocumentString(`
    mutation RevokeToken($input: RevokeTokenInput!) {
  revokeToken(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RevokeTokenMutation, RevokeTokenMutationVariables>;
export const RevokeSessionDocument = new TypedDocumentString(`
    mutation RevokeSession($input: RevokeSessionInput!) {
  revokeSession(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RevokeSessionMutation, RevokeSessionMutationVariables>;
export const RevokeSessionsDocument = new TypedDocumentString(`
    mutation RevokeSessions($input: RevokeSessionsInput!) {
  revokeSessions(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RevokeSessionsMutation, RevokeSessionsMutationVariables>;
export const DeletePasskeyDocument = new TypedDocumentString(`
    mutation DeletePasskey($input: DeletePasskeyInput!) {
  deletePasskey(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeletePasskeyMutation, DeletePasskeyMutationVariables>;
export const BulkCountDocument = new TypedDocumentString(`
    query BulkCount($filter: RunFilter!) {
  runs(first: 1, filter: $filter) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<BulkCountQuery, BulkCountQueryVariables>;
export const BulkOperationsDocument = new TypedDocumentString(`
    query BulkOperations {
  bulkOperations(first: 5) {
    edges {
      node {
        ...BulkRow
      }
    }
  }
}
    fragment BulkRow on BulkOperation {
  id
  action
  state
  total
  done
  succeeded
  failed
  createdAt
}`) as unknown as TypedDocumentString<BulkOperationsQuery, BulkOperationsQueryVariables>;
export const BulkResultsDocument = new TypedDocumentString(`
    query BulkResults($id: ID!) {
  node(id: $id) {
    __typename
    id
    ... on BulkOperation {
      ...BulkRow
      results(first: 100) {
        edges {
          node {
            runId
            ok
            message
            run {
              ...RunRow
            }
          }
        }
      }
    }
  }
}
    fragment BulkRow on BulkOperation {
  id
  action
  state
  total
  done
  succeeded
  failed
  createdAt
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<BulkResultsQuery, BulkResultsQueryVariables>;
export const BulkRunActionDocument = new TypedDocumentString(`
    mutation BulkRunAction($input: BulkRunActionInput!) {
  bulkRunAction(input: $input) {
    __typename
    ...Refused
    ... on BulkRunActionSuccess {
      operation {
        ...BulkRow
      }
    }
  }
}
    fragment BulkRow on BulkOperation {
  id
  action
  state
  total
  done
  succeeded
  failed
  createdAt
}
fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<BulkRunActionMutation, BulkRunActionMutationVariables>;
export const StopBulkOperationDocument = new TypedDocumentString(`
    mutation StopBulkOperation($input: StopBulkOperationInput!) {
  stopBulkOperation(input: $input) {
    __typename
    ...Refused
    ... on StopBulkOperationSuccess {
      operation {
        ...BulkRow
      }
    }
  }
}
    fragment BulkRow on BulkOperation {
  id
  action
  state
  total
  done
  succeeded
  failed
  createdAt
}
fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<StopBulkOperationMutation, StopBulkOperationMutationVariables>;
export const ChangesetsDocument = new TypedDocumentString(`
    query Changesets($organization: String!, $after: String) {
  organization(slug: $organization) {
    id
    changesets(first: 25, after: $after) {
      edges {
        node {
          ...ChangesetRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment ChangesetRow on Changeset {
  id
  title
  version
  planDigest
  kind
  source
  state
  commit
  createdAt
  appliedAt
  heldAt
  discardedAt
  createdBy {
    id
    name
  }
  counts {
    workspaces
    waiting
    applied
    failed
    noChanges
    skipped
    unwanted
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<ChangesetsQuery, ChangesetsQueryVariables>;
export const ChangesetNamesDocument = new TypedDocumentString(`
    query ChangesetNames($organization: String!) {
  organization(slug: $organization) {
    id
    changesets(first: 100) {
      edges {
        node {
          id
          title
          commit
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ChangesetNamesQuery, ChangesetNamesQueryVariables>;
export const ChangesetDocument = new TypedDocumentString(`
    query Changeset($id: ID!) {
  changeset(id: $id) {
    ...ChangesetRow
    waves {
      index
      total
      ended
      failed
    }
    supersededBy {
      id
      title
    }
    promotions {
      stage
      state
      dueAt
      problem
      changeset {
        id
        title
      }
    }
    runs(first: 100) {
      edges {
        node {
          ...RunRow
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
}
    fragment ChangesetRow on Changeset {
  id
  title
  version
  planDigest
  kind
  source
  state
  commit
  createdAt
  appliedAt
  heldAt
  discardedAt
  createdBy {
    id
    name
  }
  counts {
    workspaces
    waiting
    applied
    failed
    noChanges
    skipped
    unwanted
    additions
    changes
    destructions
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<ChangesetQuery, ChangesetQueryVariables>;
export const ChangesetLiveDocument = new TypedDocumentString(`
    subscription ChangesetLive($changesetId: ID!, $after: String) {
  changesetEvents(changesetId: $changesetId, after: $after) {
    __typename
    ... on StreamItem {
      cursor
    }
    ... on RunEvent {
      run {
        ...RunRow
      }
    }
    ... on ChangesetChanged {
      changeset {
        ...ChangesetRow
      }
    }
  }
}
    fragment ChangesetRow on Changeset {
  id
  title
  version
  planDigest
  kind
  source
  state
  commit
  createdAt
  appliedAt
  heldAt
  discardedAt
  createdBy {
    id
    name
  }
  counts {
    workspaces
    waiting
    applied
    failed
    noChanges
    skipped
    unwanted
    additions
    changes
    destructions
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<ChangesetLiveSubscription, ChangesetLiveSubscriptionVariables>;
export const ApproveChangesetDocument = new TypedDocumentString(`
    mutation ApproveChangeset($input: ApproveChangesetInput!) {
  approveChangeset(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<ApproveChangesetMutation, ApproveChangesetMutationVariables>;
export const ContinueChangesetDocument = new TypedDocumentString(`
    mutation ContinueChangeset($input: ContinueChangesetInput!) {
  continueChangeset(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<ContinueChangesetMutation, ContinueChangesetMutationVariables>;
export const DiscardChangesetDocument = new TypedDocumentString(`
    mutation DiscardChangeset($input: DiscardChangesetInput!) {
  discardChangeset(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DiscardChangesetMutation, DiscardChangesetMutationVariables>;
export const ExternalChecksDocument = new TypedDocumentString(`
    query ExternalChecks($organization: String!) {
  organization(slug: $organization) {
    id
    viewerPermissions
    externalChecks {
      ...ExternalCheckRow
    }
  }
}
    fragment ExternalCheckRow on ExternalCheck {
  id
  name
  url
  enabled
  signed
  level
  onError
  stages
  progressSeconds
  totalSeconds
  estimatesCost
  selector {
    names
    labels
    kinds
    workspaceIds
    excludedWorkspaceIds
  }
  via {
    id
    name
  }
}`) as unknown as TypedDocumentString<ExternalChecksQuery, ExternalChecksQueryVariables>;
export const RunnerPoolNamesDocument = new TypedDocumentString(`
    query RunnerPoolNames($organization: String!) {
  organization(slug: $organization) {
    id
    runnerPools {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<RunnerPoolNamesQuery, RunnerPoolNamesQueryVariables>;
export const CreateExternalCheckDocument = new TypedDocumentString(`
    mutation CreateExternalCheck($input: CreateExternalCheckInput!) {
  createExternalCheck(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateExternalCheckMutation, CreateExternalCheckMutationVariables>;
export const UpdateExternalCheckDocument = new TypedDocumentString(`
    mutation UpdateExternalCheck($input: UpdateExternalCheckInput!) {
  updateExternalCheck(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdateExternalCheckMutation, UpdateExternalCheckMutationVariables>;
export const TestExternalCheckDocument = new TypedDocumentString(`
    mutation TestExternalCheck($input: TestExternalCheckInput!) {
  testExternalCheck(input: $input) {
    __typename
    ...Refused
    ... on TestExternalCheckSuccess {
      ok
      problem
      statusCode
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<TestExternalCheckMutation, TestExternalCheckMutationVariables>;
export const DeleteExternalCheckDocument = new TypedDocumentString(`
    mutation DeleteExternalCheck($input: DeleteExternalCheckInput!) {
  deleteExternalCheck(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteExternalCheckMutation, DeleteExternalCheckMutationVariables>;
export const CommentsDocument = new TypedDocumentString(`
    query Comments($runId: ID!) {
  run(id: $runId) {
    id
    comments(last: 100) {
      edges {
        node {
          id
          at
          text
          actor {
            id
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CommentsQuery, CommentsQueryVariables>;
export const CommentDocument = new TypedDocumentString(`
    mutation Comment($input: CommentOnRunInput!) {
  commentOnRun(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CommentMutation, CommentMutationVariables>;
export const ApproveDocument = new TypedDocumentString(`
    mutation Approve($input: ApproveRunInput!) {
  approveRun(input: $input) {
    __typename
    ...Refused
    ... on ApproveRunSuccess {
      run {
        ...RunPage
      }
    }
    ...Overtaken
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment Overtaken on UserError {
  ... on StalePlanError {
    run {
      ...RunPage
    }
  }
  ... on RunStateConflictError {
    run {
      ...RunPage
    }
  }
}
fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<ApproveMutation, ApproveMutationVariables>;
export const RejectDocument = new TypedDocumentString(`
    mutation Reject($input: RejectRunInput!) {
  rejectRun(input: $input) {
    __typename
    ...Refused
    ... on RejectRunSuccess {
      run {
        ...RunPage
      }
    }
    ...Overtaken
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment Overtaken on UserError {
  ... on StalePlanError {
    run {
      ...RunPage
    }
  }
  ... on RunStateConflictError {
    run {
      ...RunPage
    }
  }
}
fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<RejectMutation, RejectMutationVariables>;
export const ReplanDocument = new TypedDocumentString(`
    mutation Replan($input: ReplanRunInput!) {
  replanRun(input: $input) {
    __typename
    ...Refused
    ... on ReplanRunSuccess {
      run {
        ...RunPage
      }
    }
    ...Overtaken
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment Overtaken on UserError {
  ... on StalePlanError {
    run {
      ...RunPage
    }
  }
  ... on RunStateConflictError {
    run {
      ...RunPage
    }
  }
}
fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<ReplanMutation, ReplanMutationVariables>;
export const DiscardDocument = new TypedDocumentString(`
    mutation Discard($input: DiscardRunInput!) {
  discardRun(input: $input) {
    __typename
    ...Refused
    ... on DiscardRunSuccess {
      run {
        ...RunPage
      }
    }
    ...Overtaken
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment Overtaken on UserError {
  ... on StalePlanError {
    run {
      ...RunPage
    }
  }
  ... on RunStateConflictError {
    run {
      ...RunPage
    }
  }
}
fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<DiscardMutation, DiscardMutationVariables>;
export const CancelDocument = new TypedDocumentString(`
    mutation Cancel($input: CancelRunInput!) {
  cancelRun(input: $input) {
    __typename
    ...Refused
    ... on CancelRunSuccess {
      run {
        ...RunPage
      }
    }
    ...Overtaken
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment Overtaken on UserError {
  ... on StalePlanError {
    run {
      ...RunPage
    }
  }
  ... on RunStateConflictError {
    run {
      ...RunPage
    }
  }
}
fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<CancelMutation, CancelMutationVariables>;
export const WithdrawDocument = new TypedDocumentString(`
    mutation Withdraw($input: WithdrawApprovalInput!) {
  withdrawApproval(input: $input) {
    __typename
    ...Refused
    ... on WithdrawApprovalSuccess {
      run {
        ...RunPage
      }
    }
    ...Overtaken
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment Overtaken on UserError {
  ... on StalePlanError {
    run {
      ...RunPage
    }
  }
  ... on RunStateConflictError {
    run {
      ...RunPage
    }
  }
}
fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<WithdrawMutation, WithdrawMutationVariables>;
export const RetryDocument = new TypedDocumentString(`
    mutation Retry($input: RetryRunInput!) {
  retryRun(input: $input) {
    __typename
    ...Refused
    ... on RetryRunSuccess {
      run {
        ...CreatedRun
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}`) as unknown as TypedDocumentString<RetryMutation, RetryMutationVariables>;
export const PromoteDocument = new TypedDocumentString(`
    mutation Promote($input: PromoteRunInput!) {
  promoteRun(input: $input) {
    __typename
    ...Refused
    ... on PromoteRunSuccess {
      run {
        ...CreatedRun
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}`) as unknown as TypedDocumentString<PromoteMutation, PromoteMutationVariables>;
export const RollBackDocument = new TypedDocumentString(`
    mutation RollBack($input: RollbackRunInput!) {
  rollbackRun(input: $input) {
    __typename
    ...Refused
    ... on RollbackRunSuccess {
      run {
        ...CreatedRun
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}`) as unknown as TypedDocumentString<RollBackMutation, RollBackMutationVariables>;
export const WayBackDocument = new TypedDocumentString(`
    query WayBack($id: ID!) {
  run(id: $id) {
    id
    rollbackRisks
    rollsBackTo {
      ...CreatedRun
    }
    rollbackCandidate {
      ...CreatedRun
      actions {
        action
        allowed
      }
    }
  }
}
    fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}`) as unknown as TypedDocumentString<WayBackQuery, WayBackQueryVariables>;
export const WorkspaceDriftDocument = new TypedDocumentString(`
    query WorkspaceDrift($id: ID!) {
  workspace(by: { id: $id }) {
    id
    driftReport {
      ...Drift
    }
  }
}
    fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}
fragment Drift on DriftReport {
  id
  result
  createdAt
  resourceCount
  outputCount
  ignoredCount
  outputs
  acknowledgement {
    until
    note
    by {
      id
      name
    }
  }
  run {
    ...CreatedRun
  }
  resources(first: 50) {
    edges {
      node {
        address
        change
        plannedAction
        paths
      }
    }
  }
}`) as unknown as TypedDocumentString<WorkspaceDriftQuery, WorkspaceDriftQueryVariables>;
export const AcknowledgeDriftDocument = new TypedDocumentString(`
    mutation AcknowledgeDrift($input: AcknowledgeDriftInput!) {
  acknowledgeDrift(input: $input) {
    __typename
    ...Refused
    ... on AcknowledgeDriftSuccess {
      __typename
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<AcknowledgeDriftMutation, AcknowledgeDriftMutationVariables>;
export const OrganizationExceptionsDocument = new TypedDocumentString(`
    query OrganizationExceptions($organization: String!) {
  organization(slug: $organization) {
    id
    viewerPermissions
    policySets(first: 50) {
      edges {
        node {
          id
          exceptions(first: 20, expired: false) {
            edges {
              node {
                ...PolicyExceptionRow
              }
            }
          }
        }
      }
    }
  }
}
    fragment PolicyExceptionRow on PolicyException {
  id
  state
  policy
  rule
  addressGlob
  reason
  ticket
  requestedAt
  expiresAt
  requestedBy {
    id
    name
  }
  decidedAt
  decidedBy {
    id
    name
  }
  decisionComment
  revokedAt
  revokedBy {
    id
    name
  }
  revocationComment
  policySet {
    id
    name
  }
  workspaces {
    id
    name
  }
}`) as unknown as TypedDocumentString<OrganizationExceptionsQuery, OrganizationExceptionsQueryVariables>;
export const PolicySetExceptionsDocument = new TypedDocumentString(`
    query PolicySetExceptions($id: ID!) {
  node(id: $id) {
    __typename
    ... on PolicySet {
      id
      exceptions(first: 50) {
        edges {
          node {
            ...PolicyExceptionRow
          }
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  }
}
    fragment PolicyExceptionRow on PolicyException {
  id
  state
  policy
  rule
  addressGlob
  reason
  ticket
  requestedAt
  expiresAt
  requestedBy {
    id
    name
  }
  decidedAt
  decidedBy {
    id
    name
  }
  decisionComment
  revokedAt
  revokedBy {
    id
    name
  }
  revocationComment
  policySet {
    id
    name
  }
  workspaces {
    id
    name
  }
}`) as unknown as TypedDocumentString<PolicySetExceptionsQuery, PolicySetExceptionsQueryVariables>;
export const RequestPolicyExceptionDocument = new TypedDocumentString(`
    mutation RequestPolicyException($input: RequestPolicyExceptionInput!) {
  requestPolicyException(input: $input) {
    __typename
    ...Refused
    ... on RequestPolicyExceptionSuccess {
      policyException {
        id
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RequestPolicyExceptionMutation, RequestPolicyExceptionMutationVariables>;
export const DecidePolicyExceptionDocument = new TypedDocumentString(`
    mutation DecidePolicyException($input: DecidePolicyExceptionInput!) {
  decidePolicyException(input: $input) {
    __typename
    ...Refused
    ... on DecidePolicyExceptionSuccess {
      policyException {
        id
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DecidePolicyExceptionMutation, DecidePolicyExceptionMutationVariables>;
export const RevokePolicyExceptionDocument = new TypedDocumentString(`
    mutation RevokePolicyException($input: RevokePolicyExceptionInput!) {
  revokePolicyException(input: $input) {
    __typename
    ...Refused
    ... on RevokePolicyExceptionSuccess {
      policyException {
        id
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RevokePolicyExceptionMutation, RevokePolicyExceptionMutationVariables>;
export const HealthHistoryDocument = new TypedDocumentString(`
    query HealthHistory($id: ID!, $probe: String!, $from: DateTime!, $to: DateTime!) {
  workspace(by: { id: $id }) {
    id
    healthHistory(probe: $probe, from: $from, to: $to) {
      from
      seconds
      samples
      bad
      held
      medianMs
      maxMs
    }
  }
}
    `) as unknown as TypedDocumentString<HealthHistoryQuery, HealthHistoryQueryVariables>;
export const InboundHooksDocument = new TypedDocumentString(`
    query InboundHooks($organization: String!) {
  organization(slug: $organization) {
    id
    viewerPermissions
    inboundHooks {
      id
      name
      kind
      path
      lastAt
      lastProblem
      mapping {
        key
        pointer
      }
      owner {
        id
        name
      }
      workspaces {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<InboundHooksQuery, InboundHooksQueryVariables>;
export const CreateInboundHookDocument = new TypedDocumentString(`
    mutation CreateInboundHook($input: CreateInboundHookInput!) {
  createInboundHook(input: $input) {
    __typename
    ...Refused
    ... on CreateInboundHookSuccess {
      secret
      inboundHook {
        id
        path
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateInboundHookMutation, CreateInboundHookMutationVariables>;
export const UpdateInboundHookDocument = new TypedDocumentString(`
    mutation UpdateInboundHook($input: UpdateInboundHookInput!) {
  updateInboundHook(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdateInboundHookMutation, UpdateInboundHookMutationVariables>;
export const RotateInboundHookSecretDocument = new TypedDocumentString(`
    mutation RotateInboundHookSecret($input: RotateInboundHookSecretInput!) {
  rotateInboundHookSecret(input: $input) {
    __typename
    ...Refused
    ... on RotateInboundHookSecretSuccess {
      secret
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RotateInboundHookSecretMutation, RotateInboundHookSecretMutationVariables>;
export const DeleteInboundHookDocument = new TypedDocumentString(`
    mutation DeleteInboundHook($input: DeleteInboundHookInput!) {
  deleteInboundHook(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteInboundHookMutation, DeleteInboundHookMutationVariables>;
export const InboxDocument = new TypedDocumentString(`
    query Inbox($after: String) {
  viewer {
    inbox(first: 100, after: $after) {
      streamCursor
      edges {
        node {
          ...InboxRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment InboxRow on InboxItem {
  reason
  since
  requirement {
    stage
    missing
    viewerReason
  }
  run {
    ...RunRow
    escalatedAt
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<InboxQuery, InboxQueryVariables>;
export const InboxChangesDocument = new TypedDocumentString(`
    subscription InboxChanges($after: String) {
  inboxEvents(after: $after) {
    __typename
    ... on StreamItem {
      cursor
    }
  }
}
    `) as unknown as TypedDocumentString<InboxChangesSubscription, InboxChangesSubscriptionVariables>;
export const AskedDocument = new TypedDocumentString(`
    query Asked {
  viewer {
    inboxCount(reasons: [YOUR_APPROVAL])
    whole: inbox(first: 0) {
      streamCursor
    }
    inbox(
      first: 100
      reasons: [YOUR_APPROVAL, ESCALATED, YOUR_RUN, STATE_UNKNOWN, RECOVERED_STATE]
    ) {
      pageInfo {
        hasNextPage
      }
      edges {
        node {
          reason
          since
          run {
            id
            number
            message
            isTerminal
            escalatedAt
            workspace {
              id
              name
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AskedQuery, AskedQueryVariables>;
export const JudgementsDocument = new TypedDocumentString(`
    query Judgements($runId: ID!) {
  run(id: $runId) {
    ...RunJudgements
  }
}
    fragment RunJudgements on Run {
  id
  version
  workspace {
    id
    name
    viewerPermissions
    organization {
      id
      slug
    }
  }
  policyEvaluations {
    id
    point
    planVersion
    shadow
    status
    passed
    error
    version {
      id
      number
      policySet {
        id
        name
      }
    }
    results(first: 100) {
      pageInfo {
        hasNextPage
      }
      edges {
        node {
          id
          status
          level
          policy
          rule
          message
          remediation
          addresses
          overriddenBy {
            id
            name
          }
          exception {
            id
            expiresAt
            decidedBy {
              id
              name
            }
          }
        }
      }
    }
  }
  externalChecks {
    id
    stage
    level
    status
    message
    url
    planVersion
    check {
      id
      name
    }
  }
  checks {
    ...CheckBlocks
  }
  verification {
    id
    status
    reason
    startedAt
    endsBy
    finishedAt
    baselinePassed
    comment
    concludedBy {
      id
      name
    }
    probes {
      name
      weight
      from
      passesInARow
      needed
      attempts
      lastFailure
      resolvedTarget
    }
  }
}
fragment CheckBlocks on CheckReport {
  afterApply
  count
  failedCount
  blocks {
    address
    status
    problems
  }
}`) as unknown as TypedDocumentString<JudgementsQuery, JudgementsQueryVariables>;
export const OverridePoliciesDocument = new TypedDocumentString(`
    mutation OverridePolicies($input: OverridePoliciesInput!) {
  overridePolicies(input: $input) {
    __typename
    ...Refused
    ... on OverridePoliciesSuccess {
      run {
        ...RunPage
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<OverridePoliciesMutation, OverridePoliciesMutationVariables>;
export const ConcludeVerificationDocument = new TypedDocumentString(`
    mutation ConcludeVerification($input: ConcludeVerificationInput!) {
  concludeVerification(input: $input) {
    __typename
    ...Refused
    ... on ConcludeVerificationSuccess {
      run {
        ...RunPage
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<ConcludeVerificationMutation, ConcludeVerificationMutationVariables>;
export const WorkspaceLocksDocument = new TypedDocumentString(`
    query WorkspaceLocks($id: ID!) {
  workspace(by: { id: $id }) {
    ...WorkspaceHolds
  }
}
    fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}`) as unknown as TypedDocumentString<WorkspaceLocksQuery, WorkspaceLocksQueryVariables>;
export const LockWorkspaceDocument = new TypedDocumentString(`
    mutation LockWorkspace($input: LockWorkspaceInput!) {
  lockWorkspace(input: $input) {
    __typename
    ...Refused
    ... on LockWorkspaceSuccess {
      workspace {
        ...WorkspaceHolds
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}`) as unknown as TypedDocumentString<LockWorkspaceMutation, LockWorkspaceMutationVariables>;
export const UnlockWorkspaceDocument = new TypedDocumentString(`
    mutation UnlockWorkspace($input: UnlockWorkspaceInput!) {
  unlockWorkspace(input: $input) {
    __typename
    ...Refused
    ... on UnlockWorkspaceSuccess {
      workspace {
        ...WorkspaceHolds
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}`) as unknown as TypedDocumentString<UnlockWorkspaceMutation, UnlockWorkspaceMutationVariables>;
export const ForceUnlockStateDocument = new TypedDocumentString(`
    mutation ForceUnlockState($input: ForceUnlockStateInput!) {
  forceUnlockState(input: $input) {
    __typename
    ...Refused
    ... on ForceUnlockStateSuccess {
      workspace {
        ...WorkspaceHolds
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}`) as unknown as TypedDocumentString<ForceUnlockStateMutation, ForceUnlockStateMutationVariables>;
export const AdoptRecoveredStateDocument = new TypedDocumentString(`
    mutation AdoptRecoveredState($input: AdoptRecoveredStateInput!) {
  adoptRecoveredState(input: $input) {
    __typename
    ...Refused
    ... on AdoptRecoveredStateSuccess {
      workspace {
        ...WorkspaceHolds
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}`) as unknown as TypedDocumentString<AdoptRecoveredStateMutation, AdoptRecoveredStateMutationVariables>;
export const DiscardRecoveredStateDocument = new TypedDocumentString(`
    mutation DiscardRecoveredState($input: DiscardRecoveredStateInput!) {
  discardRecoveredState(input: $input) {
    __typename
    ...Refused
    ... on DiscardRecoveredStateSuccess {
      workspace {
        ...WorkspaceHolds
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}`) as unknown as TypedDocumentString<DiscardRecoveredStateMutation, DiscardRecoveredStateMutationVariables>;
export const LogEndDocument = new TypedDocumentString(`
    query LogEnd($runId: ID!) {
  run(id: $runId) {
    id
    isTerminal
    log(last: 1) {
      edges {
        cursor
        node {
          number
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LogEndQuery, LogEndQueryVariables>;
export const LogSectionsDocument = new TypedDocumentString(`
    query LogSections($runId: ID!) {
  run(id: $runId) {
    id
    phases {
      id
      kind
      attempt
      status
      startedAt
      finishedAt
      firstLine
      lastLine
    }
  }
}
    `) as unknown as TypedDocumentString<LogSectionsQuery, LogSectionsQueryVariables>;
export const LogLiveDocument = new TypedDocumentString(`
    subscription LogLive($runId: ID!, $after: String) {
  runLog(runId: $runId, after: $after) {
    __typename
    ... on LogBatch {
      cursor
      lines {
        number
        phase
        attempt
        stream
        at
        text
        spans {
          from
          to
          color
          bold
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LogLiveSubscription, LogLiveSubscriptionVariables>;
export const LogMatchesDocument = new TypedDocumentString(`
    query LogMatches($runId: ID!, $text: String!, $after: String) {
  run(id: $runId) {
    id
    logMatches(text: $text, first: 100, after: $after) {
      searchedTo
      edges {
        node {
          line {
            number
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LogMatchesQuery, LogMatchesQueryVariables>;
export const OverviewDocument = new TypedDocumentString(`
    query Overview($organization: String!, $organizationId: ID!) {
  organization(slug: $organization) {
    id
    activity {
      counts {
        status
        count
      }
      oldestAtGate {
        ...RunRow
        timeline {
          status
          at
        }
      }
      busyPlaces
      places
      queueLength
      nextPlaceAt
    }
    runners(first: 100) {
      edges {
        node {
          id
          name
          state
          lastSeenAt
          revokedAt
          drainRequestedAt
          pool {
            id
            name
          }
        }
      }
    }
  }
  waiting: runs(
    first: 50
    filter: { organizationId: $organizationId, needsApproval: true }
  ) {
    edges {
      node {
        ...RunRow
        escalatedAt
        approvalRequirements {
          stage
          missing
          current
          satisfied
          viewerCanApprove
        }
      }
    }
  }
  running: runs(
    first: 50
    filter: {
      organizationId: $organizationId
      statuses: [
        PREPARING
        INITIALIZING
        PLANNING
        POLICY_CHECKING
        APPLYING
        PERFORMING
        VERIFYING
      ]
    }
  ) {
    edges {
      node {
        ...RunRow
        progress {
          done
          total
          estimatedEndAt
        }
      }
    }
  }
  queued: runs(
    first: 50
    filter: {
      organizationId: $organizationId
      statuses: [QUEUED, READY, CONFIRMED, REPLAN_REQUESTED]
    }
  ) {
    edges {
      node {
        ...RunRow
        blockers {
          kind
          message
          since
          estimatedStartAt
        }
      }
    }
  }
  viewer {
    inbox(first: 100, reasons: [STATE_UNKNOWN, RECOVERED_STATE, FAILED, YOUR_RUN]) {
      edges {
        node {
          reason
          since
          run {
            ...RunRow
            failure {
              summary
            }
            workspace {
              id
              lock {
                reason
                since
              }
            }
          }
        }
      }
    }
  }
}
    fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const RecentFiguresDocument = new TypedDocumentString(`
    query RecentFigures($organization: String!, $from: DateTime!, $to: DateTime!) {
  organization(slug: $organization) {
    id
    statistics(from: $from, to: $to) {
      endedRuns
      appliedRuns
      failureRate
      waitAtGates {
        count
        medianSeconds
        p95Seconds
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RecentFiguresQuery, RecentFiguresQueryVariables>;
export const PeopleDocument = new TypedDocumentString(`
    query People($organization: String!, $organizationId: ID!) {
  organization(slug: $organization) {
    id
    name
    viewerPermissions
    members {
      email
      invitedBy {
        id
        name
      }
      lastSeenAt
      disabledAt
      actor {
        __typename
        id
        name
      }
    }
    invitations {
      id
      email
      createdAt
      expiresAt
      actor {
        id
        name
      }
      invitedBy {
        id
        name
      }
      teams {
        id
        name
      }
    }
    teams {
      ...TeamRow
    }
    roles {
      ...RoleRow
    }
    projects {
      ...ProjectRow
    }
    serviceAccounts {
      id
      name
      ... on MachineUser {
        trustRules {
          ...TrustRuleRow
        }
      }
    }
  }
  grants(first: 100, organizationId: $organizationId) {
    edges {
      node {
        ...GrantRow
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment GrantRow on Grant {
  id
  createdAt
  expiresAt
  reason
  actor {
    __typename
    id
    name
  }
  team {
    id
    name
  }
  runsOf {
    id
    name
  }
  role {
    id
    name
  }
  organization {
    id
    name
  }
  project {
    id
    path
  }
  workspace {
    id
    name
  }
  grantedBy {
    id
    name
  }
}
fragment TeamRow on Team {
  id
  name
  externalIds
  members {
    source
    addedAt
    lapsesAt
    actor {
      id
      name
    }
  }
}
fragment RoleRow on Role {
  id
  name
  description
  builtIn
  permissions
}
fragment ProjectRow on Project {
  id
  name
  path
  isolated
  viewerPermissions
  parent {
    id
  }
  grants {
    ...GrantRow
  }
}
fragment TrustRuleRow on TrustRule {
  id
  issuer
  audience
  subject
  claims {
    name
    value
  }
  maxSeconds
  createdAt
}`) as unknown as TypedDocumentString<PeopleQuery, PeopleQueryVariables>;
export const CreateGrantDocument = new TypedDocumentString(`
    mutation CreateGrant($input: CreateGrantInput!) {
  createGrant(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateGrantMutation, CreateGrantMutationVariables>;
export const RevokeGrantDocument = new TypedDocumentString(`
    mutation RevokeGrant($input: RevokeGrantInput!) {
  revokeGrant(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RevokeGrantMutation, RevokeGrantMutationVariables>;
export const InviteMemberDocument = new TypedDocumentString(`
    mutation InviteMember($input: InviteMemberInput!) {
  inviteMember(input: $input) {
    __typename
    ...Refused
    ... on InviteMemberSuccess {
      link: url
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<InviteMemberMutation, InviteMemberMutationVariables>;
export const RevokeInvitationDocument = new TypedDocumentString(`
    mutation RevokeInvitation($input: RevokeInvitationInput!) {
  revokeInvitation(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const CreateTeamDocument = new TypedDocumentString(`
    mutation CreateTeam($input: CreateTeamInput!) {
  createTeam(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateTeamMutation, CreateTeamMutationVariables>;
export const DeleteTeamDocument = new TypedDocumentString(`
    mutation DeleteTeam($input: DeleteTeamInput!) {
  deleteTeam(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteTeamMutation, DeleteTeamMutationVariables>;
export const AddTeamMemberDocument = new TypedDocumentString(`
    mutation AddTeamMember($input: AddTeamMemberInput!) {
  addTeamMember(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<AddTeamMemberMutation, AddTeamMemberMutationVariables>;
export const RemoveTeamMemberDocument = new TypedDocumentString(`
    mutation RemoveTeamMember($input: RemoveTeamMemberInput!) {
  removeTeamMember(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RemoveTeamMemberMutation, RemoveTeamMemberMutationVariables>;
export const CreateRoleDocument = new TypedDocumentString(`
    mutation CreateRole($input: CreateRoleInput!) {
  createRole(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateRoleMutation, CreateRoleMutationVariables>;
export const DeleteRoleDocument = new TypedDocumentString(`
    mutation DeleteRole($input: DeleteRoleInput!) {
  deleteRole(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteRoleMutation, DeleteRoleMutationVariables>;
export const DisableUserDocument = new TypedDocumentString(`
    mutation DisableUser($input: DisableUserInput!) {
  disableUser(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DisableUserMutation, DisableUserMutationVariables>;
export const EnableUserDocument = new TypedDocumentString(`
    mutation EnableUser($input: EnableUserInput!) {
  enableUser(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<EnableUserMutation, EnableUserMutationVariables>;
export const MachineTokensDocument = new TypedDocumentString(`
    query MachineTokens($organizationId: ID!) {
  tokens(first: 100, organizationId: $organizationId, revoked: false) {
    edges {
      node {
        ...TokenRow
        actor {
          id
        }
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment TokenRow on Token {
  id
  name
  role
  createdAt
  expiresAt
  idleEndsAt
  lastUsedAt
  lastUsedFrom
  networks
  permissions
  rotatedAt
}`) as unknown as TypedDocumentString<MachineTokensQuery, MachineTokensQueryVariables>;
export const CreateServiceAccountDocument = new TypedDocumentString(`
    mutation CreateServiceAccount($input: CreateServiceAccountInput!) {
  createServiceAccount(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateServiceAccountMutation, CreateServiceAccountMutationVariables>;
export const CreateTrustRuleDocument = new TypedDocumentString(`
    mutation CreateTrustRule($input: CreateTrustRuleInput!) {
  createTrustRule(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateTrustRuleMutation, CreateTrustRuleMutationVariables>;
export const DeleteTrustRuleDocument = new TypedDocumentString(`
    mutation DeleteTrustRule($input: DeleteTrustRuleInput!) {
  deleteTrustRule(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteTrustRuleMutation, DeleteTrustRuleMutationVariables>;
export const CreateProjectDocument = new TypedDocumentString(`
    mutation CreateProject($input: CreateProjectInput!) {
  createProject(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateProjectMutation, CreateProjectMutationVariables>;
export const UpdateProjectDocument = new TypedDocumentString(`
    mutation UpdateProject($input: UpdateProjectInput!) {
  updateProject(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdateProjectMutation, UpdateProjectMutationVariables>;
export const MoveProjectDocument = new TypedDocumentString(`
    mutation MoveProject($input: MoveProjectInput!) {
  moveProject(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<MoveProjectMutation, MoveProjectMutationVariables>;
export const DeleteProjectDocument = new TypedDocumentString(`
    mutation DeleteProject($input: DeleteProjectInput!) {
  deleteProject(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteProjectMutation, DeleteProjectMutationVariables>;
export const PipelinesDocument = new TypedDocumentString(`
    query Pipelines($organization: String!, $after: String) {
  organization(slug: $organization) {
    id
    viewerPermissions
    pipelines(first: 50, after: $after) {
      edges {
        node {
          ...PipelineRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment PipelineRow on PromotionPipeline {
  id
  name
  owner {
    id
    name
  }
  stages {
    name
    label
    automatic
    soakMinutes
  }
}`) as unknown as TypedDocumentString<PipelinesQuery, PipelinesQueryVariables>;
export const PipelineDocument = new TypedDocumentString(`
    query Pipeline($id: ID!, $organization: String!) {
  node(id: $id) {
    __typename
    ... on PromotionPipeline {
      ...PipelineRow
    }
  }
  organization(slug: $organization) {
    id
    viewerPermissions
    changesets(first: 25) {
      edges {
        node {
          ...ChangesetRow
          promotions {
            stage
            state
            dueAt
            problem
            pipeline {
              id
            }
            changeset {
              id
              title
            }
            supersededBy {
              id
              title
            }
          }
          runs(first: 20) {
            edges {
              node {
                id
                revision
                workspace {
                  id
                  labels
                }
              }
            }
          }
        }
      }
    }
  }
}
    fragment ChangesetRow on Changeset {
  id
  title
  version
  planDigest
  kind
  source
  state
  commit
  createdAt
  appliedAt
  heldAt
  discardedAt
  createdBy {
    id
    name
  }
  counts {
    workspaces
    waiting
    applied
    failed
    noChanges
    skipped
    unwanted
    additions
    changes
    destructions
  }
}
fragment PipelineRow on PromotionPipeline {
  id
  name
  owner {
    id
    name
  }
  stages {
    name
    label
    automatic
    soakMinutes
  }
}`) as unknown as TypedDocumentString<PipelineQuery, PipelineQueryVariables>;
export const CreatePipelineDocument = new TypedDocumentString(`
    mutation CreatePipeline($input: CreatePromotionPipelineInput!) {
  createPromotionPipeline(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreatePipelineMutation, CreatePipelineMutationVariables>;
export const UpdatePipelineDocument = new TypedDocumentString(`
    mutation UpdatePipeline($input: UpdatePromotionPipelineInput!) {
  updatePromotionPipeline(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdatePipelineMutation, UpdatePipelineMutationVariables>;
export const DeletePipelineDocument = new TypedDocumentString(`
    mutation DeletePipeline($input: DeletePromotionPipelineInput!) {
  deletePromotionPipeline(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeletePipelineMutation, DeletePipelineMutationVariables>;
export const PromoteChangesetDocument = new TypedDocumentString(`
    mutation PromoteChangeset($input: PromoteChangesetInput!) {
  promoteChangeset(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<PromoteChangesetMutation, PromoteChangesetMutationVariables>;
export const ComparedChangesDocument = new TypedDocumentString(`
    query ComparedChanges($ids: [ID!]!, $addresses: [String!]!) {
  nodes(ids: $ids) {
    ... on Plan {
      id
      resourceChanges(first: 100, addresses: $addresses) {
        edges {
          node {
            address
            action
            before
            after
            unknownPaths
            sensitivePaths
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ComparedChangesQuery, ComparedChangesQueryVariables>;
export const PlanComparisonDocument = new TypedDocumentString(`
    query PlanComparison($id: ID!, $with: Int!) {
  node(id: $id) {
    ... on Plan {
      id
      comparison(with: $with) {
        added {
          ...ComparedChange
        }
        removed {
          ...ComparedChange
        }
        altered {
          ...ComparedChange
        }
        sameCount
      }
    }
  }
}
    fragment ComparedChange on PlannedChange {
  address
  action
  type
  digest
}`) as unknown as TypedDocumentString<PlanComparisonQuery, PlanComparisonQueryVariables>;
export const PlanDetailsDocument = new TypedDocumentString(`
    query PlanDetails($id: ID!) {
  node(id: $id) {
    __typename
    ... on Plan {
      ...PlanCounts
      createdAt
      complete
      targets
      outputChanges {
        name
        action
        sensitive
        unknown
        before
        after
      }
      diagnostics {
        severity
        summary
        detail
        address
        file
        line
        logLine
      }
    }
  }
}
    fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<PlanDetailsQuery, PlanDetailsQueryVariables>;
export const PoliciesDocument = new TypedDocumentString(`
    query Policies($organization: String!, $after: String) {
  organization(slug: $organization) {
    id
    viewerPermissions
    policySets(first: 50, after: $after) {
      edges {
        node {
          ...PolicySetRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment PolicySetRow on PolicySet {
  id
  name
  description
  language
  dialect
  enabled
  onError
  selector {
    names
    labels
    kinds
    workspaceIds
    excludedWorkspaceIds
  }
  activeVersion {
    id
    number
    evaluationCounts {
      total
      passed
      warned
      failed
      errored
    }
  }
  shadowVersion {
    id
    number
  }
}`) as unknown as TypedDocumentString<PoliciesQuery, PoliciesQueryVariables>;
export const PolicySetDocument = new TypedDocumentString(`
    query PolicySet($id: ID!, $organization: String!) {
  organization(slug: $organization) {
    id
    viewerPermissions
  }
  node(id: $id) {
    __typename
    ... on PolicySet {
      ...PolicySetRow
      judgesUnchanged
      needsWholePlan
      createdAt
      overriders {
        minimum
        excludeRequester
        holds
        approvers {
          id
          name
        }
        teams {
          id
          name
        }
      }
      workspaces(first: 50) {
        edges {
          node {
            id
            name
          }
        }
        pageInfo {
          hasNextPage
        }
      }
      activeVersion {
        id
        policies {
          name
        }
      }
      versions(first: 50) {
        edges {
          node {
            ...PolicyVersionRow
          }
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  }
}
    fragment PolicySetRow on PolicySet {
  id
  name
  description
  language
  dialect
  enabled
  onError
  selector {
    names
    labels
    kinds
    workspaceIds
    excludedWorkspaceIds
  }
  activeVersion {
    id
    number
    evaluationCounts {
      total
      passed
      warned
      failed
      errored
    }
  }
  shadowVersion {
    id
    number
  }
}
fragment PolicyVersionRow on PolicySetVersion {
  id
  number
  state
  createdAt
  message
  createdBy {
    id
    name
  }
  evaluationCounts {
    total
    passed
    warned
    failed
    errored
  }
}`) as unknown as TypedDocumentString<PolicySetQuery, PolicySetQueryVariables>;
export const PolicyVersionDocument = new TypedDocumentString(`
    query PolicyVersion($id: ID!) {
  node(id: $id) {
    __typename
    ... on PolicySetVersion {
      id
      number
      digest
      policies {
        name
        level
        point
        types
      }
      rules {
        name
        level
        point
        each
        types
        actions
        when
        message
        remediation
      }
      testReport {
        passed
        results {
          name
          passed
          problems
        }
      }
      evaluations(first: 20) {
        edges {
          node {
            id
            status
            point
            shadow
            createdAt
            finishedAt
            planVersion
            error
            run {
              id
              number
              workspace {
                id
                name
                organization {
                  id
                  slug
                }
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PolicyVersionQuery, PolicyVersionQueryVariables>;
export const PolicySimulationDocument = new TypedDocumentString(`
    query PolicySimulation($id: ID!) {
  node(id: $id) {
    __typename
    ... on PolicySimulation {
      id
      state
      total
      done
      errors
      unknown
      newlyDenied
      newlyPassing
      results(first: 100) {
        edges {
          node {
            planId
            planVersion
            outcome
            before
            after
            error
            findings {
              policy
              rule
              level
              message
              addresses
            }
            run {
              id
              number
              workspace {
                id
                name
                organization {
                  id
                  slug
                }
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PolicySimulationQuery, PolicySimulationQueryVariables>;
export const SimulatePolicySetDocument = new TypedDocumentString(`
    mutation SimulatePolicySet($input: SimulatePolicySetInput!) {
  simulatePolicySet(input: $input) {
    __typename
    ...Refused
    ... on SimulatePolicySetSuccess {
      simulation {
        id
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<SimulatePolicySetMutation, SimulatePolicySetMutationVariables>;
export const StopPolicySimulationDocument = new TypedDocumentString(`
    mutation StopPolicySimulation($input: StopPolicySimulationInput!) {
  stopPolicySimulation(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<StopPolicySimulationMutation, StopPolicySimulationMutationVariables>;
export const SetPolicySetVersionStateDocument = new TypedDocumentString(`
    mutation SetPolicySetVersionState($input: SetPolicySetVersionStateInput!) {
  setPolicySetVersionState(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<SetPolicySetVersionStateMutation, SetPolicySetVersionStateMutationVariables>;
export const UpdatePolicySetDocument = new TypedDocumentString(`
    mutation UpdatePolicySet($input: UpdatePolicySetInput!) {
  updatePolicySet(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdatePolicySetMutation, UpdatePolicySetMutationVariables>;
export const WorkspaceProbesNowDocument = new TypedDocumentString(`
    query WorkspaceProbesNow($id: ID!) {
  workspace(by: { id: $id }) {
    id
    settingsDigest
    probes {
      ...ProbeItem
    }
  }
}
    fragment ProbeItem on Probe {
  name
  kind
  use
  weight
  from
  target
  method
  paths
  headerNames
  hasBody
  serverName
  followRedirects
  intervalSeconds
  timeoutMs
  expect {
    statuses
    bodyContains
    expression
    maxLatencyMs
    certificateDays
  }
}`) as unknown as TypedDocumentString<WorkspaceProbesNowQuery, WorkspaceProbesNowQueryVariables>;
export const TestProbeDocument = new TypedDocumentString(`
    mutation TestProbe($input: TestProbeInput!) {
  testProbe(input: $input) {
    __typename
    ...Refused
    ... on TestProbeSuccess {
      problem
      targets {
        address
        ok
        latencyMs
        failure
        reason
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<TestProbeMutation, TestProbeMutationVariables>;
export const RepositoriesDocument = new TypedDocumentString(`
    query Repositories($organization: String!) {
  organization(slug: $organization) {
    id
    viewerPermissions
    repositories {
      ...RepositoryRow
    }
    gitHosts {
      ...GitHostRow
    }
  }
}
    fragment RepositoryRow on Repository {
  id
  name
  url
  defaultBranch
  hookHealth
  pollError
  pollSeconds
  polledAt
}
fragment GitHostRow on GitHost {
  id
  name
  kind
  url
  credential
  hookPath
  hookUrl
  formerHookSecretUntil
  formerHookSecretUsedAt
}`) as unknown as TypedDocumentString<RepositoriesQuery, RepositoriesQueryVariables>;
export const RepositoryDocument = new TypedDocumentString(`
    query Repository($id: ID!, $after: String) {
  repository(id: $id) {
    ...RepositoryRow
    createdAt
    host {
      id
      name
    }
    organization {
      id
      viewerPermissions
    }
    changes(first: 20, after: $after) {
      edges {
        node {
          id
          ref
          before
          after
          foundAt
          foundBy
          decidedAt
          forced
          changeset {
            id
            title
            state
            heldAt
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment RepositoryRow on Repository {
  id
  name
  url
  defaultBranch
  hookHealth
  pollError
  pollSeconds
  polledAt
}`) as unknown as TypedDocumentString<RepositoryQuery, RepositoryQueryVariables>;
export const RefChangeDecisionsDocument = new TypedDocumentString(`
    query RefChangeDecisions($id: ID!) {
  node(id: $id) {
    __typename
    ... on RefChange {
      id
      decisions(first: 50) {
        edges {
          node {
            ...Decision
          }
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  }
}
    fragment Decision on TriggerDecision {
  outcome
  reason
  message
  changed
  inputs {
    folders
    paths
    unresolved
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  run {
    id
    number
    workspace {
      id
      name
      organization {
        id
        slug
      }
    }
  }
}`) as unknown as TypedDocumentString<RefChangeDecisionsQuery, RefChangeDecisionsQueryVariables>;
export const ExplainTriggerDocument = new TypedDocumentString(`
    query ExplainTrigger($refChangeId: ID!, $workspaceId: ID!) {
  explainTrigger(refChangeId: $refChangeId, workspaceId: $workspaceId) {
    ...Decision
  }
}
    fragment Decision on TriggerDecision {
  outcome
  reason
  message
  changed
  inputs {
    folders
    paths
    unresolved
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  run {
    id
    number
    workspace {
      id
      name
      organization {
        id
        slug
      }
    }
  }
}`) as unknown as TypedDocumentString<ExplainTriggerQuery, ExplainTriggerQueryVariables>;
export const PreviewTriggersDocument = new TypedDocumentString(`
    query PreviewTriggers($repositoryId: ID!, $ref: String!, $commit: String!) {
  previewTriggers(repositoryId: $repositoryId, ref: $ref, commit: $commit) {
    ...Decision
  }
}
    fragment Decision on TriggerDecision {
  outcome
  reason
  message
  changed
  inputs {
    folders
    paths
    unresolved
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  run {
    id
    number
    workspace {
      id
      name
      organization {
        id
        slug
      }
    }
  }
}`) as unknown as TypedDocumentString<PreviewTriggersQuery, PreviewTriggersQueryVariables>;
export const CreateRepositoryDocument = new TypedDocumentString(`
    mutation CreateRepository($input: CreateRepositoryInput!) {
  createRepository(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateRepositoryMutation, CreateRepositoryMutationVariables>;
export const UpdateRepositoryDocument = new TypedDocumentString(`
    mutation UpdateRepository($input: UpdateRepositoryInput!) {
  updateRepository(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdateRepositoryMutation, UpdateRepositoryMutationVariables>;
export const DeleteRepositoryDocument = new TypedDocumentString(`
    mutation DeleteRepository($input: DeleteRepositoryInput!) {
  deleteRepository(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteRepositoryMutation, DeleteRepositoryMutationVariables>;
export const LookAtRepositoryDocument = new TypedDocumentString(`
    mutation LookAtRepository($input: LookAtRepositoryInput!) {
  lookAtRepository(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<LookAtRepositoryMutation, LookAtRepositoryMutationVariables>;
export const CreateGitHostDocument = new TypedDocumentString(`
    mutation CreateGitHost($input: CreateGitHostInput!) {
  createGitHost(input: $input) {
    __typename
    ...Refused
    ... on CreateGitHostSuccess {
      hookSecret
      gitHost {
        id
        hookPath
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateGitHostMutation, CreateGitHostMutationVariables>;
export const UpdateGitHostDocument = new TypedDocumentString(`
    mutation UpdateGitHost($input: UpdateGitHostInput!) {
  updateGitHost(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdateGitHostMutation, UpdateGitHostMutationVariables>;
export const RotateHookSecretDocument = new TypedDocumentString(`
    mutation RotateHookSecret($input: RotateHookSecretInput!) {
  rotateHookSecret(input: $input) {
    __typename
    ...Refused
    ... on RotateHookSecretSuccess {
      hookSecret
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RotateHookSecretMutation, RotateHookSecretMutationVariables>;
export const DeleteGitHostDocument = new TypedDocumentString(`
    mutation DeleteGitHost($input: DeleteGitHostInput!) {
  deleteGitHost(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteGitHostMutation, DeleteGitHostMutationVariables>;
export const OrganizationRulesDocument = new TypedDocumentString(`
    query OrganizationRules($organization: String!) {
  organization(slug: $organization) {
    ...OrganizationRules
    viewerPermissions
  }
}
    fragment ApprovalRuleItem on ApprovalRule {
  name
  gate
  kinds
  minimum
  approvers {
    id
    name
  }
  teamIds
  teams {
    id
    name
  }
  excludeRequester
  distinctFromPlanApprover
  commentRequired
  requirePresence
  machinesCount
  when {
    minDestructions
    minReplacements
    resourceTypes
    labels
    triggers
    monthlyCostDeltaOver
  }
}
fragment FreezeWindowItem on FreezeWindow {
  name
  cron
  timeZone
  durationMinutes
  open
  nextOpensAt
}
fragment OrganizationRules on Organization {
  id
  name
  slug
  settingsDigest
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
}`) as unknown as TypedDocumentString<OrganizationRulesQuery, OrganizationRulesQueryVariables>;
export const WorkspaceRulesNowDocument = new TypedDocumentString(`
    query WorkspaceRulesNow($id: ID!) {
  workspace(by: { id: $id }) {
    id
    settingsDigest
    approvalRules {
      ...ApprovalRuleItem
    }
    freezeWindows {
      ...FreezeWindowItem
    }
  }
}
    fragment ApprovalRuleItem on ApprovalRule {
  name
  gate
  kinds
  minimum
  approvers {
    id
    name
  }
  teamIds
  teams {
    id
    name
  }
  excludeRequester
  distinctFromPlanApprover
  commentRequired
  requirePresence
  machinesCount
  when {
    minDestructions
    minReplacements
    resourceTypes
    labels
    triggers
    monthlyCostDeltaOver
  }
}
fragment FreezeWindowItem on FreezeWindow {
  name
  cron
  timeZone
  durationMinutes
  open
  nextOpensAt
}`) as unknown as TypedDocumentString<WorkspaceRulesNowQuery, WorkspaceRulesNowQueryVariables>;
export const ApproversDocument = new TypedDocumentString(`
    query Approvers($organization: String!) {
  organization(slug: $organization) {
    id
    members {
      actor {
        id
        name
      }
    }
    teams {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<ApproversQuery, ApproversQueryVariables>;
export const UpdateOrganizationDocument = new TypedDocumentString(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    __typename
    ...Refused
    ... on UpdateOrganizationSuccess {
      organization {
        ...OrganizationRules
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment ApprovalRuleItem on ApprovalRule {
  name
  gate
  kinds
  minimum
  approvers {
    id
    name
  }
  teamIds
  teams {
    id
    name
  }
  excludeRequester
  distinctFromPlanApprover
  commentRequired
  requirePresence
  machinesCount
  when {
    minDestructions
    minReplacements
    resourceTypes
    labels
    triggers
    monthlyCostDeltaOver
  }
}
fragment FreezeWindowItem on FreezeWindow {
  name
  cron
  timeZone
  durationMinutes
  open
  nextOpensAt
}
fragment OrganizationRules on Organization {
  id
  name
  slug
  settingsDigest
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
}`) as unknown as TypedDocumentString<UpdateOrganizationMutation, UpdateOrganizationMutationVariables>;
export const RunDocument = new TypedDocumentString(`
    query Run($id: ID!) {
  run(id: $id) {
    ...RunPage
  }
}
    fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<RunQuery, RunQueryVariables>;
export const RunByNumberDocument = new TypedDocumentString(`
    query RunByNumber($organization: String!, $workspace: String!, $number: Int!) {
  workspace(by: { path: { organization: $organization, name: $workspace } }) {
    id
    run(number: $number) {
      ...RunPage
    }
  }
}
    fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<RunByNumberQuery, RunByNumberQueryVariables>;
export const RunLiveDocument = new TypedDocumentString(`
    subscription RunLive($runId: ID!, $after: String) {
  runEvents(runId: $runId, after: $after) {
    __typename
    ... on StreamItem {
      cursor
    }
    ... on RunSnapshot {
      run {
        ...RunPage
      }
    }
    ... on RunEvent {
      actor {
        id
        name
      }
      run {
        ...RunPage
      }
    }
  }
}
    fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunPage on Run {
  ...RunRow
  trigger
  reason
  targets
  replace
  revision
  commitUrl
  warnings
  actions {
    action
    allowed
    reason
  }
  cancelRequested {
    at
    actor {
      id
      name
    }
  }
  ...RunWaits
  approvals {
    id
    at
    gate
    stage
    decision
    planVersion
    comment
    counts
    actor {
      id
      name
    }
  }
  failure {
    code
    stage
    category
    summary
    message
    likelyCause
    retryable
    stateUncertain
    evidence
    resources {
      address
      summary
    }
  }
  progress {
    done
    total
    estimatedEndAt
  }
  timeline {
    status
    at
    durationSeconds
    reason
    actor {
      id
      name
    }
  }
  plan {
    id
    version
    digest
    createdAt
    complete
  }
  plans {
    id
    version
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<RunLiveSubscription, RunLiveSubscriptionVariables>;
export const WaitsOfRunDocument = new TypedDocumentString(`
    query WaitsOfRun($id: ID!) {
  run(id: $id) {
    id
    version
    ...RunWaits
  }
}
    fragment Requirement on ApprovalRequirement {
  gate
  stage
  current
  missing
  satisfied
  reason
  commentRequired
  viewerCanApprove
  viewerReason
  eligibleActors {
    id
    name
  }
  given {
    id
    at
    planVersion
    actor {
      id
      name
    }
  }
}
fragment RunWaits on Run {
  approvalRequirements {
    ...Requirement
  }
  blockers {
    kind
    message
    position
    since
    until
    estimatedStartAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}`) as unknown as TypedDocumentString<WaitsOfRunQuery, WaitsOfRunQueryVariables>;
export const RunnersDocument = new TypedDocumentString(`
    query Runners($organization: String!, $organizationId: ID!) {
  viewer {
    isAdmin
  }
  organization(slug: $organization) {
    id
    viewerPermissions
    runnerPools {
      id
      name
      description
      reserved
      driftCheckLimit
      tokens {
        id
        name
        createdAt
        expiresAt
        lastUsedAt
        createdBy {
          id
          name
        }
      }
    }
    runners(first: 100) {
      edges {
        node {
          ...RunnerRow
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
  runs(
    first: 50
    filter: {
      organizationId: $organizationId
      statuses: [QUEUED, READY, CONFIRMED, REPLAN_REQUESTED]
    }
  ) {
    edges {
      node {
        id
        version
        number
        workspace {
          id
          name
          organization {
            id
            slug
          }
        }
        blockers {
          kind
          message
          since
        }
      }
    }
  }
}
    fragment RunnerRow on Runner {
  id
  name
  state
  labels
  version
  slots
  lastSeenAt
  drainRequestedAt
  revokedAt
  engine {
    name
    version
  }
  pool {
    id
  }
  jobs {
    leg
    since
    leaseEndsAt
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
  }
}`) as unknown as TypedDocumentString<RunnersQuery, RunnersQueryVariables>;
export const CreateRunnerPoolDocument = new TypedDocumentString(`
    mutation CreateRunnerPool($input: CreateRunnerPoolInput!) {
  createRunnerPool(input: $input) {
    __typename
    ...Refused
    ... on CreateRunnerPoolSuccess {
      runnerPool {
        id
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateRunnerPoolMutation, CreateRunnerPoolMutationVariables>;
export const UpdateRunnerPoolDocument = new TypedDocumentString(`
    mutation UpdateRunnerPool($input: UpdateRunnerPoolInput!) {
  updateRunnerPool(input: $input) {
    __typename
    ...Refused
    ... on UpdateRunnerPoolSuccess {
      runnerPool {
        id
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdateRunnerPoolMutation, UpdateRunnerPoolMutationVariables>;
export const DeleteRunnerPoolDocument = new TypedDocumentString(`
    mutation DeleteRunnerPool($input: DeleteRunnerPoolInput!) {
  deleteRunnerPool(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteRunnerPoolMutation, DeleteRunnerPoolMutationVariables>;
export const CreateRunnerTokenDocument = new TypedDocumentString(`
    mutation CreateRunnerToken($input: CreateRunnerTokenInput!) {
  createRunnerToken(input: $input) {
    __typename
    ...Refused
    ... on CreateRunnerTokenSuccess {
      secret
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateRunnerTokenMutation, CreateRunnerTokenMutationVariables>;
export const RevokeRunnerTokenDocument = new TypedDocumentString(`
    mutation RevokeRunnerToken($input: RevokeRunnerTokenInput!) {
  revokeRunnerToken(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RevokeRunnerTokenMutation, RevokeRunnerTokenMutationVariables>;
export const DrainRunnerDocument = new TypedDocumentString(`
    mutation DrainRunner($input: DrainRunnerInput!) {
  drainRunner(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DrainRunnerMutation, DrainRunnerMutationVariables>;
export const ResumeRunnerDocument = new TypedDocumentString(`
    mutation ResumeRunner($input: ResumeRunnerInput!) {
  resumeRunner(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<ResumeRunnerMutation, ResumeRunnerMutationVariables>;
export const RevokeRunnerDocument = new TypedDocumentString(`
    mutation RevokeRunner($input: RevokeRunnerInput!) {
  revokeRunner(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RevokeRunnerMutation, RevokeRunnerMutationVariables>;
export const RunsDocument = new TypedDocumentString(`
    query Runs($filter: RunFilter, $after: String) {
  runs(first: 50, after: $after, filter: $filter) {
    edges {
      node {
        ...RunRow
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<RunsQuery, RunsQueryVariables>;
export const OrganizationRunsDocument = new TypedDocumentString(`
    subscription OrganizationRuns($organizationId: ID!, $after: String) {
  organizationEvents(organizationId: $organizationId, after: $after) {
    __typename
    ... on StreamItem {
      cursor
    }
    ... on RunEvent {
      run {
        ...RunRow
      }
    }
  }
}
    fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<OrganizationRunsSubscription, OrganizationRunsSubscriptionVariables>;
export const SchedulesDocument = new TypedDocumentString(`
    query Schedules($organization: String!, $after: String) {
  organization(slug: $organization) {
    id
    viewerPermissions
    schedules(first: 50, after: $after) {
      edges {
        node {
          ...ScheduleRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment ScheduleRow on Schedule {
  id
  name
  action
  command
  cron
  timeZone
  spreadMinutes
  misfire
  enabled
  label
  stage
  nextAt
  lastAt
  lastProblem
  lastChangeset {
    id
    title
  }
  owner {
    id
    name
  }
  pipeline {
    id
    name
  }
  workspace {
    id
    name
    viewerPermissions
  }
}`) as unknown as TypedDocumentString<SchedulesQuery, SchedulesQueryVariables>;
export const WorkspaceSchedulesDocument = new TypedDocumentString(`
    query WorkspaceSchedules($id: ID!) {
  workspace(by: { id: $id }) {
    id
    viewerPermissions
    schedules {
      ...ScheduleRow
    }
  }
}
    fragment ScheduleRow on Schedule {
  id
  name
  action
  command
  cron
  timeZone
  spreadMinutes
  misfire
  enabled
  label
  stage
  nextAt
  lastAt
  lastProblem
  lastChangeset {
    id
    title
  }
  owner {
    id
    name
  }
  pipeline {
    id
    name
  }
  workspace {
    id
    name
    viewerPermissions
  }
}`) as unknown as TypedDocumentString<WorkspaceSchedulesQuery, WorkspaceSchedulesQueryVariables>;
export const PipelineNamesDocument = new TypedDocumentString(`
    query PipelineNames($organization: String!) {
  organization(slug: $organization) {
    id
    pipelines(first: 50) {
      edges {
        node {
          id
          name
          stages {
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PipelineNamesQuery, PipelineNamesQueryVariables>;
export const CreateScheduleDocument = new TypedDocumentString(`
    mutation CreateSchedule($input: CreateScheduleInput!) {
  createSchedule(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateScheduleMutation, CreateScheduleMutationVariables>;
export const UpdateScheduleDocument = new TypedDocumentString(`
    mutation UpdateSchedule($input: UpdateScheduleInput!) {
  updateSchedule(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdateScheduleMutation, UpdateScheduleMutationVariables>;
export const RunScheduleNowDocument = new TypedDocumentString(`
    mutation RunScheduleNow($input: RunScheduleNowInput!) {
  runScheduleNow(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RunScheduleNowMutation, RunScheduleNowMutationVariables>;
export const DeleteScheduleDocument = new TypedDocumentString(`
    mutation DeleteSchedule($input: DeleteScheduleInput!) {
  deleteSchedule(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteScheduleMutation, DeleteScheduleMutationVariables>;
export const CronTimesDocument = new TypedDocumentString(`
    query CronTimes($cron: String!, $timeZone: String!) {
  cronTimes(cron: $cron, timeZone: $timeZone, first: 3)
}
    `) as unknown as TypedDocumentString<CronTimesQuery, CronTimesQueryVariables>;
export const SearchDocument = new TypedDocumentString(`
    query Search($text: String!) {
  search(text: $text, first: 12) {
    title
    node {
      __typename
      id
      ... on Workspace {
        organization {
          id
          slug
        }
      }
      ... on Run {
        number
        workspace {
          id
          name
          organization {
            id
            slug
          }
        }
      }
      ... on Organization {
        slug
      }
      ... on Team {
        organization {
          id
          slug
        }
      }
      ... on PolicySet {
        organization {
          id
          slug
        }
      }
      ... on RunnerPool {
        organization {
          id
          slug
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SearchQuery, SearchQueryVariables>;
export const ActorsByNameDocument = new TypedDocumentString(`
    query ActorsByName($text: String!) {
  actors(first: 50, search: $text) {
    edges {
      node {
        actor {
          id
          name
        }
      }
    }
  }
  search(text: $text, first: 50) {
    node {
      __typename
      ... on Actor {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ActorsByNameQuery, ActorsByNameQueryVariables>;
export const WorkspaceSettingsDocument = new TypedDocumentString(`
    query WorkspaceSettings($id: ID!) {
  workspace(by: { id: $id }) {
    id
    viewerPermissions
    driftSettings {
      ...DriftSettingsItem
    }
    verificationSettings {
      ...VerificationItem
    }
    rollbackSettings {
      ...RollbackItem
    }
    tests
    deployShape
    hasStartCommand
    deployTarget
    runnerPool {
      id
      name
    }
    runnerLabels
    expiresAt
    expiryProblem
    hooks {
      ...HookItem
    }
    limits {
      ...LimitsItem
    }
    effectiveLimits {
      planSeconds
      applySeconds
      silenceSeconds
      queueSeconds
      planApprovalSeconds
      applyApprovalSeconds
      approvalTimeoutAction
      leaseSeconds
      attemptsPerLeg
      forceStopAfterSeconds
    }
    externalChecks {
      id
      name
      level
      stages
    }
    checks {
      ...CheckBlocks
    }
  }
}
    fragment CheckBlocks on CheckReport {
  afterApply
  count
  failedCount
  blocks {
    address
    status
    problems
  }
}
fragment HookItem on Hook {
  stage
  purpose
  command
}
fragment LimitsItem on RunLimits {
  planSeconds
  applySeconds
  silenceSeconds
  queueSeconds
  planApprovalSeconds
  applyApprovalSeconds
  approvalTimeoutAction
  leaseSeconds
  attemptsPerLeg
  forceStopAfterSeconds
}
fragment DriftSettingsItem on DriftSettings {
  mode
  reconcile
  ignore {
    addressGlob
    attribute
  }
}
fragment VerificationItem on VerificationSettings {
  initialDelaySeconds
  intervalSeconds
  windowSeconds
  successesInARow
  failFastAfter
  onInconclusive
  afterDestroy
}
fragment RollbackItem on RollbackSettings {
  mode
  guards {
    type
    name
  }
}`) as unknown as TypedDocumentString<WorkspaceSettingsQuery, WorkspaceSettingsQueryVariables>;
export const WorkspaceHooksNowDocument = new TypedDocumentString(`
    query WorkspaceHooksNow($id: ID!) {
  workspace(by: { id: $id }) {
    id
    settingsDigest
    hooks {
      ...HookItem
    }
  }
}
    fragment HookItem on Hook {
  stage
  purpose
  command
}`) as unknown as TypedDocumentString<WorkspaceHooksNowQuery, WorkspaceHooksNowQueryVariables>;
export const WorkspaceDriftSettingsNowDocument = new TypedDocumentString(`
    query WorkspaceDriftSettingsNow($id: ID!) {
  workspace(by: { id: $id }) {
    id
    settingsDigest
    driftSettings {
      ...DriftSettingsItem
    }
  }
}
    fragment DriftSettingsItem on DriftSettings {
  mode
  reconcile
  ignore {
    addressGlob
    attribute
  }
}`) as unknown as TypedDocumentString<WorkspaceDriftSettingsNowQuery, WorkspaceDriftSettingsNowQueryVariables>;
export const WorkspaceRollbackNowDocument = new TypedDocumentString(`
    query WorkspaceRollbackNow($id: ID!) {
  workspace(by: { id: $id }) {
    id
    settingsDigest
    rollbackSettings {
      ...RollbackItem
    }
  }
}
    fragment RollbackItem on RollbackSettings {
  mode
  guards {
    type
    name
  }
}`) as unknown as TypedDocumentString<WorkspaceRollbackNowQuery, WorkspaceRollbackNowQueryVariables>;
export const WorkspaceSourceDocument = new TypedDocumentString(`
    query WorkspaceSource($id: ID!) {
  workspace(by: { id: $id }) {
    ...WorkspaceSourceParts
    viewerPermissions
    trigger {
      branch
      tags
      alsoReads
      ignores
      supersede
    }
    sync {
      state
      since
      applied {
        commit
      }
      head {
        commit
      }
    }
  }
}
    fragment WorkspaceSourceParts on Workspace {
  id
  source {
    __typename
    ... on DirectorySource {
      path
    }
    ... on GitSource {
      url
      branch
      folder: path
      repository {
        id
        name
      }
    }
    ... on UploadSource {
      digest
    }
  }
}`) as unknown as TypedDocumentString<WorkspaceSourceQuery, WorkspaceSourceQueryVariables>;
export const RepositoryNamesDocument = new TypedDocumentString(`
    query RepositoryNames($organization: String!) {
  organization(slug: $organization) {
    id
    repositories {
      id
      name
      defaultBranch
    }
  }
}
    `) as unknown as TypedDocumentString<RepositoryNamesQuery, RepositoryNamesQueryVariables>;
export const WorkspaceStatesDocument = new TypedDocumentString(`
    query WorkspaceStates($id: ID!) {
  workspace(by: { id: $id }) {
    id
    stateVersions(first: 10) {
      edges {
        node {
          ...StateRow
        }
      }
    }
  }
}
    fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}
fragment StateRow on StateVersion {
  id
  serial
  createdAt
  isCurrent
  resourceCount
  actor {
    id
    name
  }
  run {
    ...CreatedRun
  }
}`) as unknown as TypedDocumentString<WorkspaceStatesQuery, WorkspaceStatesQueryVariables>;
export const StateResourcesDocument = new TypedDocumentString(`
    query StateResources($id: ID!, $search: String, $after: String) {
  node(id: $id) {
    __typename
    ... on StateVersion {
      id
      resources(first: 200, search: $search, after: $after) {
        totalCount
        nodes {
          address
          dependsOn
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StateResourcesQuery, StateResourcesQueryVariables>;
export const StateDifferencesDocument = new TypedDocumentString(`
    query StateDifferences($id: ID!, $from: ID!, $to: ID!) {
  workspace(by: { id: $id }) {
    id
    stateComparison(from: $from, to: $to) {
      addedCount
      changedCount
      removedCount
      resources {
        action
        resource {
          address
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StateDifferencesQuery, StateDifferencesQueryVariables>;
export const RollBackStateDocument = new TypedDocumentString(`
    mutation RollBackState($input: RollbackStateInput!) {
  rollbackState(input: $input) {
    __typename
    ...Refused
    ... on RollbackStateSuccess {
      run {
        ...CreatedRun
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment CreatedRun on Run {
  id
  number
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
}`) as unknown as TypedDocumentString<RollBackStateMutation, RollBackStateMutationVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    actor {
      id
      name
    }
    credential
  }
  organizations(first: 100) {
    edges {
      node {
        id
        slug
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const WebhooksDocument = new TypedDocumentString(`
    query Webhooks($organization: String!) {
  organization(slug: $organization) {
    id
    viewerPermissions
    webhooks {
      ...WebhookRow
    }
  }
}
    fragment WebhookRow on Webhook {
  id
  url
  description
  enabled
  events
  goneAt
  createdAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
  }
  newest: deliveries(first: 20) {
    edges {
      node {
        id
        state
      }
    }
  }
}`) as unknown as TypedDocumentString<WebhooksQuery, WebhooksQueryVariables>;
export const WebhookDocument = new TypedDocumentString(`
    query Webhook($id: ID!, $after: String) {
  node(id: $id) {
    __typename
    ... on Webhook {
      ...WebhookRow
      deliveries(first: 25, after: $after) {
        edges {
          node {
            ...DeliveryRow
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    fragment WebhookRow on Webhook {
  id
  url
  description
  enabled
  events
  goneAt
  createdAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
  }
  newest: deliveries(first: 20) {
    edges {
      node {
        id
        state
      }
    }
  }
}
fragment DeliveryRow on WebhookDelivery {
  id
  type
  state
  createdAt
  finishedAt
  nextAttemptAt
  payload
  attempts {
    number
    at
    durationMs
    statusCode
    error
    response
  }
}`) as unknown as TypedDocumentString<WebhookQuery, WebhookQueryVariables>;
export const WorkspaceNamesDocument = new TypedDocumentString(`
    query WorkspaceNames($organization: String!, $search: String) {
  organization(slug: $organization) {
    id
    workspaces(first: 100, search: $search) {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WorkspaceNamesQuery, WorkspaceNamesQueryVariables>;
export const CreateWebhookDocument = new TypedDocumentString(`
    mutation CreateWebhook($input: CreateWebhookInput!) {
  createWebhook(input: $input) {
    __typename
    ...Refused
    ... on CreateWebhookSuccess {
      secret
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const UpdateWebhookDocument = new TypedDocumentString(`
    mutation UpdateWebhook($input: UpdateWebhookInput!) {
  updateWebhook(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<UpdateWebhookMutation, UpdateWebhookMutationVariables>;
export const RotateWebhookSecretDocument = new TypedDocumentString(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    __typename
    ...Refused
    ... on RotateWebhookSecretSuccess {
      secret
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const TestWebhookDocument = new TypedDocumentString(`
    mutation TestWebhook($input: TestWebhookInput!) {
  testWebhook(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<TestWebhookMutation, TestWebhookMutationVariables>;
export const RedeliverWebhookDocument = new TypedDocumentString(`
    mutation RedeliverWebhook($input: RedeliverWebhookInput!) {
  redeliverWebhook(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<RedeliverWebhookMutation, RedeliverWebhookMutationVariables>;
export const DeleteWebhookDocument = new TypedDocumentString(`
    mutation DeleteWebhook($input: DeleteWebhookInput!) {
  deleteWebhook(input: $input) {
    __typename
    ...Refused
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const WorkspacesDocument = new TypedDocumentString(`
    query Workspaces($organization: String!, $search: String, $statuses: [DeploymentStatus!], $after: String) {
  organization(slug: $organization) {
    id
    projects {
      id
      path
      viewerPermissions
    }
    workspaces(
      first: 50
      after: $after
      filter: { search: $search, deploymentStatuses: $statuses }
    ) {
      edges {
        node {
          ...WorkspaceRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}
fragment WorkspaceRow on Workspace {
  id
  name
  description
  deploymentStatus
  driftStatus
  paused
  organization {
    id
    slug
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
  }
  latestRun {
    ...RunRow
  }
}`) as unknown as TypedDocumentString<WorkspacesQuery, WorkspacesQueryVariables>;
export const WorkspaceByIdDocument = new TypedDocumentString(`
    query WorkspaceById($id: ID!) {
  workspace(by: { id: $id }) {
    id
    name
    organization {
      id
      slug
    }
  }
}
    `) as unknown as TypedDocumentString<WorkspaceByIdQuery, WorkspaceByIdQueryVariables>;
export const WorkspaceDocument = new TypedDocumentString(`
    query Workspace($organization: String!, $name: String!) {
  workspace(by: { path: { organization: $organization, name: $name } }) {
    ...WorkspaceRow
    runtimeHealth
    healthSince
    healthReason
    ...WorkspaceHolds
    ...WorkspaceSourceParts
    labels
    lockScope
    outputs {
      name
      sensitive
      value
    }
    ...WorkspaceVariables
    ...WorkspaceRules
    ...WorkspaceDependencies
    ...WorkspaceProbes
    driftReport {
      id
    }
    queue(first: 25) {
      totalCount
      edges {
        node {
          ...RunRow
        }
      }
    }
    runs(first: 25) {
      edges {
        node {
          ...RunRow
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
}
    fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}
fragment ProbeItem on Probe {
  name
  kind
  use
  weight
  from
  target
  method
  paths
  headerNames
  hasBody
  serverName
  followRedirects
  intervalSeconds
  timeoutMs
  expect {
    statuses
    bodyContains
    expression
    maxLatencyMs
    certificateDays
  }
}
fragment WorkspaceProbes on Workspace {
  id
  probes {
    ...ProbeItem
    targets {
      number
      address
      status
      since
      reason
    }
  }
  suggestedProbes {
    ...SuggestedProbeItem
  }
}
fragment SuggestedProbeItem on SuggestedProbe {
  name
  kind
  use
  weight
  from
  target
  reason
}
fragment ApprovalRuleItem on ApprovalRule {
  name
  gate
  kinds
  minimum
  approvers {
    id
    name
  }
  teamIds
  teams {
    id
    name
  }
  excludeRequester
  distinctFromPlanApprover
  commentRequired
  requirePresence
  machinesCount
  when {
    minDestructions
    minReplacements
    resourceTypes
    labels
    triggers
    monthlyCostDeltaOver
  }
}
fragment FreezeWindowItem on FreezeWindow {
  name
  cron
  timeZone
  durationMinutes
  open
  nextOpensAt
}
fragment OrganizationRules on Organization {
  id
  name
  slug
  settingsDigest
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}
fragment WorkspaceSourceParts on Workspace {
  id
  source {
    __typename
    ... on DirectorySource {
      path
    }
    ... on GitSource {
      url
      branch
      folder: path
      repository {
        id
        name
      }
    }
    ... on UploadSource {
      digest
    }
  }
}
fragment WorkspaceRow on Workspace {
  id
  name
  description
  deploymentStatus
  driftStatus
  paused
  organization {
    id
    slug
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
  }
  latestRun {
    ...RunRow
  }
}
fragment WorkspaceVariables on Workspace {
  id
  variables {
    key
    category
    sensitive
    hcl
    value
  }
}
fragment WorkspaceRules on Workspace {
  id
  planApproval
  autoApply
  interruptApply
  tasksAllowed
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
  organization {
    ...OrganizationRules
  }
  policySets {
    id
    name
  }
}
fragment WorkspaceDependencies on Workspace {
  id
  dependencies {
    upstream {
      ...DependencyEnd
    }
    trigger
    outputs {
      output
      key
    }
  }
  dependents {
    downstream {
      ...DependencyEnd
    }
    trigger
    outputs {
      output
      key
    }
  }
}
fragment DependencyEnd on Workspace {
  id
  name
  deploymentStatus
  organization {
    id
    slug
  }
}`) as unknown as TypedDocumentString<WorkspaceQuery, WorkspaceQueryVariables>;
export const WorkspaceLiveDocument = new TypedDocumentString(`
    subscription WorkspaceLive($workspaceId: ID!, $after: String) {
  workspaceEvents(workspaceId: $workspaceId, after: $after) {
    __typename
    ... on StreamItem {
      cursor
    }
    ... on RunEvent {
      run {
        ...RunRow
      }
    }
    ... on WorkspaceChanged {
      workspace {
        ...WorkspaceRow
      }
    }
    ... on HealthChanged {
      workspace {
        ...WorkspaceRow
        runtimeHealth
        healthSince
        healthReason
      }
    }
  }
}
    fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}
fragment WorkspaceRow on Workspace {
  id
  name
  description
  deploymentStatus
  driftStatus
  paused
  organization {
    id
    slug
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
  }
  latestRun {
    ...RunRow
  }
}`) as unknown as TypedDocumentString<WorkspaceLiveSubscription, WorkspaceLiveSubscriptionVariables>;
export const CreateRunDocument = new TypedDocumentString(`
    mutation CreateRun($input: CreateRunInput!) {
  createRun(input: $input) {
    __typename
    ...Refused
    ... on CreateRunSuccess {
      run {
        ...RunRow
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}`) as unknown as TypedDocumentString<CreateRunMutation, CreateRunMutationVariables>;
export const CreateWorkspaceDocument = new TypedDocumentString(`
    mutation CreateWorkspace($input: CreateWorkspaceInput!) {
  createWorkspace(input: $input) {
    __typename
    ...Refused
    ... on CreateWorkspaceSuccess {
      workspace {
        ...WorkspaceRow
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}
fragment WorkspaceRow on Workspace {
  id
  name
  description
  deploymentStatus
  driftStatus
  paused
  organization {
    id
    slug
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
  }
  latestRun {
    ...RunRow
  }
}`) as unknown as TypedDocumentString<CreateWorkspaceMutation, CreateWorkspaceMutationVariables>;
export const UpdateWorkspaceDocument = new TypedDocumentString(`
    mutation UpdateWorkspace($input: UpdateWorkspaceInput!) {
  updateWorkspace(input: $input) {
    __typename
    ...Refused
    ... on UpdateWorkspaceSuccess {
      workspace {
        ...WorkspaceRow
        ...WorkspaceHolds
        ...WorkspaceRules
        labels
        lockScope
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment RecoveredStateRow on RecoveredState {
  id
  serial
  resourceCount
  receivedAt
}
fragment WorkspaceHolds on Workspace {
  id
  name
  paused
  actions {
    action
    allowed
    reason
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
    run {
      id
      number
      workspace {
        id
        name
        organization {
          id
          slug
        }
      }
    }
    recoveredStates {
      ...RecoveredStateRow
    }
  }
  stateLock {
    id
    who
    operation
    since
  }
  currentStateVersion {
    id
    serial
    resourceCount
    createdAt
  }
}
fragment ApprovalRuleItem on ApprovalRule {
  name
  gate
  kinds
  minimum
  approvers {
    id
    name
  }
  teamIds
  teams {
    id
    name
  }
  excludeRequester
  distinctFromPlanApprover
  commentRequired
  requirePresence
  machinesCount
  when {
    minDestructions
    minReplacements
    resourceTypes
    labels
    triggers
    monthlyCostDeltaOver
  }
}
fragment FreezeWindowItem on FreezeWindow {
  name
  cron
  timeZone
  durationMinutes
  open
  nextOpensAt
}
fragment OrganizationRules on Organization {
  id
  name
  slug
  settingsDigest
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
}
fragment RunRow on Run {
  id
  version
  number
  kind
  status
  isTerminal
  outcome
  requiredAction
  message
  createdAt
  finishedAt
  createdBy {
    id
    name
  }
  workspace {
    id
    name
    organization {
      id
      slug
    }
  }
  plan {
    ...PlanCounts
  }
}
fragment PlanCounts on Plan {
  id
  version
  hasChanges
  additions
  changes
  destructions
  replacements
  forgets
  moves
  imports
  outputCounts {
    additions
    changes
    destructions
  }
}
fragment WorkspaceRow on Workspace {
  id
  name
  description
  deploymentStatus
  driftStatus
  paused
  organization {
    id
    slug
  }
  lock {
    reason
    since
    note
    actor {
      id
      name
    }
  }
  latestRun {
    ...RunRow
  }
}
fragment WorkspaceRules on Workspace {
  id
  planApproval
  autoApply
  interruptApply
  tasksAllowed
  approvalRules {
    ...ApprovalRuleItem
  }
  freezeWindows {
    ...FreezeWindowItem
  }
  organization {
    ...OrganizationRules
  }
  policySets {
    id
    name
  }
}`) as unknown as TypedDocumentString<UpdateWorkspaceMutation, UpdateWorkspaceMutationVariables>;
export const DeleteWorkspaceDocument = new TypedDocumentString(`
    mutation DeleteWorkspace($input: DeleteWorkspaceInput!) {
  deleteWorkspace(input: $input) {
    __typename
    ...Refused
    ... on DeleteWorkspaceSuccess {
      deletedId
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}`) as unknown as TypedDocumentString<DeleteWorkspaceMutation, DeleteWorkspaceMutationVariables>;
export const SetVariableDocument = new TypedDocumentString(`
    mutation SetVariable($input: SetVariableInput!) {
  setVariable(input: $input) {
    __typename
    ...Refused
    ... on SetVariableSuccess {
      workspace {
        ...WorkspaceVariables
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment WorkspaceVariables on Workspace {
  id
  variables {
    key
    category
    sensitive
    hcl
    value
  }
}`) as unknown as TypedDocumentString<SetVariableMutation, SetVariableMutationVariables>;
export const DeleteVariableDocument = new TypedDocumentString(`
    mutation DeleteVariable($input: DeleteVariableInput!) {
  deleteVariable(input: $input) {
    __typename
    ...Refused
    ... on DeleteVariableSuccess {
      workspace {
        ...WorkspaceVariables
      }
    }
  }
}
    fragment Refused on UserError {
  code
  message
  ... on InvalidInputError {
    issues {
      path
      message
    }
  }
  ... on ReauthenticationRequiredError {
    url
  }
}
fragment WorkspaceVariables on Workspace {
  id
  variables {
    key
    category
    sensitive
    hcl
    value
  }
}`) as unknown as TypedDocumentString<DeleteVariableMutation, DeleteVariableMutationVariables>;