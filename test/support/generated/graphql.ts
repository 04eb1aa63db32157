/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Who acts by a token. */
export type ActorKind =
  /** A program. */
  | 'MACHINE'
  /** A person. */
  | 'USER';

/** What a person decided at a gate. */
export type ApprovalDecision =
  /** Yes: the run goes on once enough people said so. */
  | 'APPROVED'
  /** No: the run has ended. */
  | 'REJECTED'
  /** What the same person approved at this stage is taken back. */
  | 'WITHDRAWN';

/** One stage of a gate. Rules are given as a whole list, in the order in which stages are passed. */
export type ApprovalRuleInput = {
  /** Ids of users and machine users whose approval counts; empty: that of whoever may approve. */
  approverIds?: Array<string | number>;
  /** An approval without a comment is refused. */
  commentRequired?: boolean;
  /** Whoever approved the plan of a run does not count at its apply gate. */
  distinctFromPlanApprover?: boolean;
  /** Four eyes: whoever created the run, or asked for the plan at hand by a replan, does not count. */
  excludeRequester?: boolean;
  /** The gate that it is a stage of. */
  gate: Gate;
  /** The kinds of runs that it holds for; absent: DEPLOY, DESTROY and APPLY, at the apply gate TASK as well. At the plan gate PLAN can be named. */
  kinds?: Array<RunKind> | null | undefined;
  /** How many people must approve. */
  minimum?: number;
  /** Unique among the rules beside it. */
  name: string;
};

/** What happens to a run that waited for people longer than it may. It is never approved by that. */
export type ApprovalTimeoutAction =
  /** It ends: REJECTED at the plan gate, DISCARDED at the apply gate. */
  | 'END'
  /** It goes on waiting, and `Run.escalatedAt` says since when that is too long. */
  | 'ESCALATE';

/** An approval of exactly one plan at one gate. */
export type ApproveRunInput = {
  /** Only at the gate APPLY: the apply begins then at the earliest. Of several approvers who say so, the last one is heeded. */
  applyAt?: string | null | undefined;
  /** Why, for those who read about it later. An approval rule may require it. */
  comment?: string | null | undefined;
  /** The gate that it waits at: PLAN first, then APPLY. */
  gate: Gate;
  /** The version of the plan that was read; another current one is a StalePlanError. */
  planVersion: number;
  /** The run that waits. */
  runId: string | number;
  /** The stage of the gate that is meant, by name; absent: the one whose turn it is. Who approved one stage of a gate names the next one. */
  stage?: string | null | undefined;
};

/** Which plans are applied without a person. Never with `planApproval: ALWAYS`, and never for DESTROY. */
export type AutoApply =
  /** All plans that are complete. */
  | 'ALWAYS'
  /** Plans that create, read and set new outputs. */
  | 'CREATE_ONLY'
  /** None: a person starts every apply. */
  | 'NEVER'
  /** Plans that neither delete, replace nor forget anything. */
  | 'NO_DESTROY';

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

/** A run that is to end. */
export type CancelRunInput = {
  /** Why, for those who read about it later. */
  comment?: string | null | undefined;
  /** Fence the runner instead of asking it; for admins, 60 seconds (or the workspace's limit) after it was first asked, in vain or not. */
  force?: boolean;
  /** The run. */
  runId: string | number;
};

/** A new run. The source and the variables are taken as they are now; those of an APPLY are its PLAN run's. */
export type CreateRunInput = {
  /** For kind TASK: what is to be performed, as a shell reads it; it is shown to whoever approves it. The workspace must allow tasks. */
  command?: string | null | undefined;
  /** The same key with the same request within 24 hours gives the first run again; unique per workspace and caller. */
  idempotencyKey?: string | null | undefined;
  /** What it is to do. */
  kind?: RunKind;
  /** Why, for those who decide about it. */
  message?: string | null | undefined;
  /** What is to be noted with it: at most 50 entries, no key twice. */
  metadata?: Array<MetadataEntryInput> | null | undefined;
  /** For kind APPLY: the finished PLAN run whose plan is to be applied. */
  planRunId?: string | number | null | undefined;
  /** -100 to 100; higher goes first, among the runs of its class. Absent: 0. */
  priority?: number | null | undefined;
  /** Only take into the state what changed outside; kinds DEPLOY and PLAN. Absent: false. */
  refreshOnly?: boolean | null | undefined;
  /** Resource addresses that are to be made anew even if unchanged; kinds DEPLOY and PLAN, not with `refreshOnly`. */
  replace?: Array<string> | null | undefined;
  /** Not to begin before this instant, which must be in the future. Absent: as soon as it can. */
  scheduledAt?: string | null | undefined;
  /** Limits the run to these resources, instances or modules and what they depend on; kinds DEPLOY, DESTROY and PLAN. The run fails with TARGET_NOT_FOUND if one of them matches nothing. */
  targets?: Array<string> | null | undefined;
  /** The workspace that it changes. */
  workspaceId: string | number;
};

/** A new token. The secret is shown once, in the answer. */
export type CreateTokenInput = {
  /** Who acts by it: runs of a machine user have the trigger API. */
  actor?: ActorKind;
  /** When it ends; absent: never. */
  expiresAt?: string | null | undefined;
  /** A name for the token and its actor. Only a revoked token may have had it before. The actor is always a new one. */
  name: string;
  /** What it may do. */
  role: TokenRole;
};

/** A new workspace. Nothing runs until a run is created. */
export type CreateWorkspaceInput = {
  /** Who must approve: the whole list, in order; empty: one approval by whoever may approve. */
  approvalRules?: Array<ApprovalRuleInput> | null | undefined;
  /** Which plans are applied without a person. */
  autoApply?: AutoApply;
  /** What it is for. */
  description?: string | null | undefined;
  /** When nothing is applied: the whole list. */
  freezeWindows?: Array<FreezeWindowInput> | null | undefined;
  /** What its runs perform around the engine: the whole list, at most 20; those of one of the 8 stages are performed in their order. Runs that exist keep theirs. Needs the role ADMIN. */
  hooks?: Array<HookInput> | null | undefined;
  /** Whether people may stop an apply; absent: no. */
  interruptApply?: boolean | null | undefined;
  /** Limits of its runs; what is absent in it stays. */
  limits?: RunLimitsInput | null | undefined;
  /** How long a run has the workspace to itself; absent: RUN. */
  lockScope?: LockScope | null | undefined;
  /** Unique within the organization: small letters, digits, hyphens, underscores and dots; at most 90. */
  name: string;
  /** Slug; the organization `default` exists from the start. */
  organization?: string;
  /** When a person must accept the plan. */
  planApproval?: PlanApprovalMode;
  /** What a runner must have all of to take its runs, at most 20. A right of admins. */
  runnerLabels?: Array<string> | null | undefined;
  /** Only runners of this pool take its runs; null: shared runners, and those of pools that are not reserved. A right of admins: whoever chooses the runner chooses whose credentials the runs get. */
  runnerPoolId?: string | number | null | undefined;
  /** Where its configuration comes from. */
  source: WorkspaceSourceInput;
  /** Whether runs of kind TASK can be created; absent: no. */
  tasksAllowed?: boolean | null | undefined;
};

/** What runs for a workspace, as far as Holdpoint knows. */
export type DeploymentStatus =
  /** It runs, but not well: look at what its health checks say. Does not occur yet. */
  | 'DEGRADED'
  /** A run is changing it, or about to: wait. */
  | 'DEPLOYING'
  /** Everything was removed. */
  | 'DESTROYED'
  /** The last change did not end well: read the failure of the last run. */
  | 'FAILED'
  /** No run begins until the workspace is resumed. */
  | 'PAUSED'
  /** Nothing was ever applied: create a run. */
  | 'PENDING'
  /** Something was applied and holds. */
  | 'RUNNING'
  /** Its health checks get no answer. Does not occur yet. */
  | 'UNREACHABLE';

/** A folder on the server's disk, below one of the roots that its configuration names (links resolved), else InvalidInput; packed into a snapshot when a run is created. */
export type DirectorySourceInput = {
  /** The absolute path of the folder. */
  path: string;
};

/** A plan that is not wanted. */
export type DiscardRunInput = {
  /** Why, for those who read about it later. */
  comment?: string | null | undefined;
  /** If given, another current plan is a StalePlanError. */
  planVersion?: number | null | undefined;
  /** The run that waits at either gate. */
  runId: string | number;
};

/** Who or what has to be fixed. */
export type FailureCategory =
  /** Credentials: renew them or give them more rights. Does not occur yet. */
  | 'AUTH_FAILURE'
  /** The build of something that is deployed. Does not occur yet. */
  | 'BUILD_FAILURE'
  /** The configuration, its modules or its providers. */
  | 'CONFIGURATION_FAILURE'
  /** What was deployed runs, but is not healthy. Does not occur yet. */
  | 'HEALTH_CHECK_FAILURE'
  /** A provider or the network between. */
  | 'INFRASTRUCTURE_FAILURE'
  /** A rule or a person said no. */
  | 'POLICY_FAILURE'
  /** The way back: somebody must look at what runs now. Does not occur yet. */
  | 'ROLLBACK_FAILURE'
  /** The machine that did the work. */
  | 'RUNNER_FAILURE'
  /** What was deployed does not start. Does not occur yet. */
  | 'STARTUP_FAILURE'
  /** The state of the workspace, or its lock. */
  | 'STATE_FAILURE'
  /** Fits nowhere else; the message says what there is. */
  | 'UNKNOWN_FAILURE';

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

/** A time in which nothing is applied. Windows are given as a whole list. */
export type FreezeWindowInput = {
  /** When it opens: minute, hour, day of month, month and day of week, by the clock of the time zone. */
  cron: string;
  /** How long it stays open, in minutes that pass. */
  durationMinutes: number;
  /** Unique among the windows beside it. */
  name: string;
  /** IANA name of the time zone, for example Europe/Berlin. */
  timeZone?: string;
};

/** The two questions that a run asks people, in this order. */
export type Gate =
  /** Start the apply now? */
  | 'APPLY'
  /** Is this plan acceptable? */
  | 'PLAN';

/** A git repository. Credentials never stand in the address: set the environment variables HOLDPOINT_GIT_USERNAME and HOLDPOINT_GIT_PASSWORD, or HOLDPOINT_GIT_SSH_KEY and HOLDPOINT_GIT_KNOWN_HOSTS, of the workspace; the engine does not get them. */
export type GitSourceInput = {
  /** The branch. */
  branch?: string;
  /** The folder within the repository. */
  path?: string;
  /** https://, ssh:// (or git@host:path), or file:// below one of the roots that the server's configuration names. */
  url: string;
};

/** A command that the runs of a workspace perform before or after what the engine does. */
export type HookInput = {
  /** As `/bin/sh -c` reads it, in the folder of the configuration, with the environment of the engine; 1 to 8192 characters. Whoever may read the workspace can read it: secrets belong into variables. */
  command: string;
  /** When it is performed. */
  stage: HookStage;
};

/** When a hook is performed. Every leg of a run initialises the engine, an apply too. */
export type HookStage =
  /** When the plan was applied well. Where it fails, the log has a warning: what was applied stands. */
  | 'AFTER_APPLY'
  /** The same as AFTER_APPLY, where everything was destroyed. */
  | 'AFTER_DESTROY'
  /** When the engine has initialised. Where it fails, the run does. */
  | 'AFTER_INIT'
  /** When the plan was made, before anybody is shown it. Where it fails, the run does. */
  | 'AFTER_PLAN'
  /** Before the plan is applied. Where it fails, the run does, and nothing was applied. */
  | 'BEFORE_APPLY'
  /** The same as BEFORE_APPLY, where everything is destroyed. */
  | 'BEFORE_DESTROY'
  /** Before the engine initialises. Where it fails, the run does. */
  | 'BEFORE_INIT'
  /** Before the plan is made. Where it fails, the run does. */
  | 'BEFORE_PLAN';

/** How long a run has its workspace to itself. Runs of kind PLAN never have it. */
export type LockScope =
  /** While it is at work; at the gates others may go first, and a plan that went stale by that is not applied. */
  | 'EXECUTION'
  /** From its admission to its end, also while people decide. */
  | 'RUN';

/** Something to be noted with a run, such as the pull request that it belongs to. */
export type MetadataEntryInput = {
  /** What it is called: 1 to 100 characters on one line. */
  key: string;
  /** What it is: at most 1,000 characters. */
  value: string;
};

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

/** Where a phase is. */
export type PhaseStatus =
  /** Was ended before it was through. */
  | 'CANCELED'
  /** Ended badly; the run's `failure` says why. */
  | 'FAILED'
  /** Its runner was not heard from any more; the work is tried again where that is safe. */
  | 'LOST'
  /** Ended well. */
  | 'PASSED'
  /** Not begun yet. Does not occur yet. */
  | 'PENDING'
  /** At work, or waits for people. */
  | 'RUNNING'
  /** Was not needed. Does not occur yet. */
  | 'SKIPPED'
  /** Exceeded a limit of time or silence. */
  | 'TIMED_OUT';

/** When a person must accept a plan before anybody is asked to start the apply. */
export type PlanApprovalMode =
  /** Every time: the plan and the apply are approved separately. */
  | 'ALWAYS'
  /** Only where a policy or a rule asks for it. */
  | 'WHEN_REQUIRED';

/** A no at the plan gate. */
export type RejectRunInput = {
  /** Why, for those who read about it later. */
  comment?: string | null | undefined;
  /** The version of the plan that was read; another current one is a StalePlanError. */
  planVersion: number;
  /** The run that waits at its plan gate. */
  runId: string | number;
};

/** Absent `targets`: the run's own; []: the whole configuration. Targets bring what they depend on (the engine's -target). */
export type ReplanRunInput = {
  /** Why, for those who read about it later. */
  comment?: string | null | undefined;
  /** The plan that the picks were made from. */
  planVersion: number;
  /** The resource addresses to make anew; absent: the run's own; []: none. */
  replace?: Array<string> | null | undefined;
  /** The run that waits at either gate. */
  runId: string | number;
  /** The resources, instances or modules to limit the new plan to. One that matches nothing is refused; if only the engine can tell, the run comes back to its gate with the plan that it has. */
  targets?: Array<string> | null | undefined;
};

/** What a person does next about a run. */
export type RequiredAction =
  /** Start the apply, or not: `approveRun` with gate APPLY, or `discardRun`. */
  | 'CONFIRM_APPLY'
  /** Read `failure`, fix what it names, create another run. */
  | 'FIX_AND_RERUN'
  /** Nothing: the run has ended. */
  | 'NONE'
  /** A policy objects: approve the plan all the same, or reject it. Does not occur yet. */
  | 'OVERRIDE_POLICY'
  /** The workspace is locked: `unlockWorkspace` when what it was locked for is done. */
  | 'RELEASE_LOCK'
  /** Read the plan and approve or reject it: `approveRun` with gate PLAN, or `rejectRun`. */
  | 'REVIEW_PLAN'
  /** Nothing yet: the system is at work, or waits for something that will come. */
  | 'WAIT';

/** What a plan does to an object. */
export type ResourceAction =
  /** It is created. */
  | 'CREATE'
  /** It is destroyed. */
  | 'DELETE'
  /** It leaves the state and goes on to exist. */
  | 'FORGET'
  /** The object stays as it is; listed because it is moved or imported. */
  | 'NO_OP'
  /** It is a data source that is read during the apply. */
  | 'READ'
  /** It is destroyed, and another one created. */
  | 'REPLACE'
  /** It is changed in place. */
  | 'UPDATE';

/** A token that is to end. */
export type RevokeTokenInput = {
  /** The token. */
  tokenId: string | number;
};

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

/** Limits of runs, in seconds. An absent field stays as it is; null: what stands above holds again. */
export type RunLimitsInput = {
  /** How long a run may wait at the apply gate; 0: as long as it takes. From 10 to 31622400. */
  applyApprovalSeconds?: number | null | undefined;
  /** How long one leg APPLY, DESTROY or TASK may take, from its claim by a runner. From 10 to 2592000. */
  applySeconds?: number | null | undefined;
  /** What happens when people took too long. */
  approvalTimeoutAction?: ApprovalTimeoutAction | null | undefined;
  /** How often a leg is begun before a run that loses its runners fails; applies are never tried again. From 1 to 10. */
  attemptsPerLeg?: number | null | undefined;
  /** How old a request to stop must be before an admin may stop the run by force. From 0 to 86400. */
  forceStopAfterSeconds?: number | null | undefined;
  /** After so long without a word from its runner, a run is taken from it. From 10 to 3600. */
  leaseSeconds?: number | null | undefined;
  /** How long a run may wait at the plan gate; 0: as long as it takes. From 10 to 31622400. */
  planApprovalSeconds?: number | null | undefined;
  /** How long one leg PLAN or REPLAN may take, from its claim by a runner. From 10 to 2592000. */
  planSeconds?: number | null | undefined;
  /** How long a run may wait for its turn and for a runner, from its creation (or the time that it was scheduled for) or its replan; 0: as long as it takes. From 10 to 31622400. */
  queueSeconds?: number | null | undefined;
  /** How long a run may be at work without a line of output. From 60 to 2592000. */
  silenceSeconds?: number | null | undefined;
};

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

/** Sets a variable; one with the same key and category is replaced. */
export type SetVariableInput = {
  /** How it reaches the engine. */
  category?: VariableCategory;
  /** The value is an expression (list, map), not a string. */
  hcl?: boolean;
  /** Its name. */
  key: string;
  /** Never show the value again, and mask it in plans and logs. */
  sensitive?: boolean;
  /** Its value. */
  value: string;
  /** The workspace whose runs get it. */
  workspaceId: string | number;
};

/** READER reads; WRITER also creates, replans, cancels, discards; APPROVER also approves and rejects; ADMIN does everything. */
export type TokenRole =
  /** Everything: also tokens, and whatever needs force. */
  | 'ADMIN'
  /** Also approves and rejects. */
  | 'APPROVER'
  /** Reads everything but secrets. */
  | 'READER'
  /** Also creates workspaces and runs, sets variables, replans, cancels and discards, and takes states with all that is in them. */
  | 'WRITER';

/** `force`: somebody else's lock, or APPLY_INTERRUPTED (says: I have checked what the apply did). */
export type UnlockWorkspaceInput = {
  /** Remove the lock although it is not one's own; a right of its own. */
  force?: boolean;
  /** What was checked, for those who read about it later. */
  note?: string | null | undefined;
  /** The workspace to unlock. */
  workspaceId: string | number;
};

/** A tar.gz that was sent to POST /sources before; its answer names the id. */
export type UploadSourceInput = {
  /** The id; unused, it is good for 24 hours. */
  uploadId: string | number;
};

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

/** How a variable reaches the engine. */
export type VariableCategory =
  /** As an input variable of the configuration. */
  | 'ENGINE'
  /** As an environment variable of the engine and its providers. */
  | 'ENVIRONMENT';

/** Why a workspace is locked. */
export type WorkspaceLockReason =
  /** An apply was interrupted and nobody knows how far it got: check what it did, then unlock by force. */
  | 'APPLY_INTERRUPTED'
  /** A person locked it: that person, or an admin by force, unlocks it. */
  | 'MANUAL';

/** Where the configuration comes from: exactly one of these. */
export type WorkspaceSourceInput =
  {   /** A folder on the server's disk. */
  directory: DirectorySourceInput; git?: never; upload?: never; }
  |  { directory?: never;   /** A folder of a git repository. */
  git: GitSourceInput; upload?: never; }
  |  { directory?: never; git?: never;   /** An archive that was sent before. */
  upload: UploadSourceInput; };

export type CreateRunMutationVariables = Exact<{
  input: CreateRunInput;
}>;


export type CreateRunMutation = { createRun:
    | { __typename: 'CreateRunSuccess', created: boolean, run: { id: string, number: number, status: RunStatus } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'IdempotencyConflictError', code: UserErrorCode, message: string, run: { id: string } }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string }
   };

export type ApproveRunMutationVariables = Exact<{
  input: ApproveRunInput;
}>;


export type ApproveRunMutation = { approveRun:
    | { __typename: 'ApproveRunSuccess', run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
   };

export type RejectRunMutationVariables = Exact<{
  input: RejectRunInput;
}>;


export type RejectRunMutation = { rejectRun:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RejectRunSuccess', run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
   };

export type DiscardRunMutationVariables = Exact<{
  input: DiscardRunInput;
}>;


export type DiscardRunMutation = { discardRun:
    | { __typename: 'DiscardRunSuccess', run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
   };

export type CancelRunMutationVariables = Exact<{
  input: CancelRunInput;
}>;


export type CancelRunMutation = { cancelRun:
    | { __typename: 'CancelRunSuccess', run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
   };

export type ReplanRunMutationVariables = Exact<{
  input: ReplanRunInput;
}>;


export type ReplanRunMutation = { replanRun:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReplanRunSuccess', run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'RunStateConflictError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
    | { __typename: 'StalePlanError', code: UserErrorCode, message: string, run: { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null } }
   };

export type RunBriefFragment = { id: string, status: RunStatus, leg: RunLeg, reason: string | null, cancelRequested: { at: string } | null };

export type RunStateQueryVariables = Exact<{
  id: string | number;
}>;


export type RunStateQuery = { run: { id: string, number: number, status: RunStatus, leg: RunLeg, outcome: RunOutcome | null, version: number, forced: boolean, reason: string | null, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, evidence: Array<string>, appliedAddresses: Array<string> | null, stateUncertain: boolean, retryable: boolean } | null, plan: { id: string, version: number, digest: string, hasChanges: boolean, isCurrent: boolean, complete: boolean, additions: number, changes: number, destructions: number, replacements: number, imports: number, moves: number, forgets: number, targets: Array<string> } | null } | null };

export type RunDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type RunDetailsQuery = { run: { id: string, number: number, kind: RunKind, status: RunStatus, leg: RunLeg, outcome: RunOutcome | null, reason: string | null, forced: boolean, isTerminal: boolean, requiredAction: RequiredAction, revision: string | null, warnings: Array<string>, targets: Array<string>, appliedAt: string | null, finishedAt: string | null, cancelRequested: { at: string } | null, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, run: { id: string } | null }>, failure: { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, evidence: Array<string>, appliedAddresses: Array<string> | null, stateUncertain: boolean, retryable: boolean } | null, phases: Array<{ kind: PhaseKind, attempt: number, status: PhaseStatus }>, approvals: Array<{ gate: Gate, decision: ApprovalDecision, counts: boolean, planVersion: number, planDigest: string }>, plan: { version: number, isCurrent: boolean } | null, plans: Array<{ version: number, digest: string, isCurrent: boolean, hasChanges: boolean, complete: boolean, targets: Array<string>, text: string | null, additions: number, changes: number, destructions: number, replacements: number, imports: number, moves: number, forgets: number, outputChanges: Array<{ name: string, action: ResourceAction, sensitive: boolean }>, resourceChanges: { edges: Array<{ node: { address: string, action: ResourceAction, createBeforeDestroy: boolean | null, imported: boolean, previousAddress: string | null, before: unknown, after: unknown, sensitivePaths: Array<string>, unknownPaths: Array<string> } }> } }> } | null };

export type RunRecordQueryVariables = Exact<{
  id: string | number;
  events?: string | null | undefined;
  log?: string | null | undefined;
}>;


export type RunRecordQuery = { run: { version: number, phases: Array<{ kind: PhaseKind, attempt: number, status: PhaseStatus }>, events: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node:
          | { version: number }
          | { version: number }
          | { version: number }
          | { version: number }
          | { to: RunStatus, version: number }
         }> }, log: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { number: number, phase: PhaseKind, attempt: number, text: string } }> } } | null };

export type RunStatusesSubscriptionVariables = Exact<{
  runId: string | number;
}>;


export type RunStatusesSubscription = { runEvents:
    | { run: { status: RunStatus } }
    | { to: RunStatus }
    | Record<PropertyKey, never>
   };

export type RunLogSubscriptionVariables = Exact<{
  runId: string | number;
}>;


export type RunLogSubscription = { runLog:
    | { lines: Array<{ text: string }> }
    | Record<PropertyKey, never>
   };

export type FailureDetailsFragment = { code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, evidence: Array<string>, appliedAddresses: Array<string> | null, stateUncertain: boolean, retryable: boolean };

export type PlanDetailsFragment = { version: number, digest: string, isCurrent: boolean, hasChanges: boolean, complete: boolean, targets: Array<string>, text: string | null, additions: number, changes: number, destructions: number, replacements: number, imports: number, moves: number, forgets: number, outputChanges: Array<{ name: string, action: ResourceAction, sensitive: boolean }>, resourceChanges: { edges: Array<{ node: { address: string, action: ResourceAction, createBeforeDestroy: boolean | null, imported: boolean, previousAddress: string | null, before: unknown, after: unknown, sensitivePaths: Array<string>, unknownPaths: Array<string> } }> } };

export type CreateTokenMutationVariables = Exact<{
  input: CreateTokenInput;
}>;


export type CreateTokenMutation = { createToken:
    | { __typename: 'CreateTokenSuccess', secret: string, token: { id: string, name: string, role: TokenRole, expiresAt: string | null, actor:
          | { __typename: 'MachineUser', id: string, name: string }
          | { __typename: 'SystemActor', id: string, name: string }
          | { __typename: 'User', id: string, name: string }
         } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
   };

export type RevokeTokenMutationVariables = Exact<{
  input: RevokeTokenInput;
}>;


export type RevokeTokenMutation = { revokeToken:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'RevokeTokenSuccess', revokedId: string }
   };

export type CreateWorkspaceMutationVariables = Exact<{
  input: CreateWorkspaceInput;
}>;


export type CreateWorkspaceMutation = { createWorkspace:
    | { __typename: 'CreateWorkspaceSuccess', workspace: { id: string } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NameTakenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
   };

export type SetVariableMutationVariables = Exact<{
  input: SetVariableInput;
}>;


export type SetVariableMutation = { setVariable:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'SetVariableSuccess', workspace: { id: string } }
   };

export type UnlockWorkspaceMutationVariables = Exact<{
  input: UnlockWorkspaceInput;
}>;


export type UnlockWorkspaceMutation = { unlockWorkspace:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'UnlockWorkspaceSuccess', workspace: { lock: { reason: WorkspaceLockReason } | null, stateLock: { id: string } | null } }
    | { __typename: 'WorkspaceLockedError', code: UserErrorCode, message: string, lock: { reason: WorkspaceLockReason, run: { id: string } | null } }
   };

export type WorkspaceHoldsQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceHoldsQuery = { workspace: { lock: { reason: WorkspaceLockReason, run: { id: string } | null } | null, stateLock: { id: string, run: { id: string } | null } | null, currentRun: { id: string } | null } | null };

export type WorkspaceDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkspaceDetailsQuery = { workspace: { deploymentStatus: DeploymentStatus, lock: { reason: WorkspaceLockReason } | null, stateLock: { id: string } | null, currentRun: { id: string } | null, outputs: Array<{ name: string, value: unknown, sensitive: boolean }> } | null };

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
export const RunBriefFragmentDoc = new TypedDocumentString(`
    fragment RunBrief on Run {
  id
  status
  leg
  reason
  cancelRequested {
    at
  }
}
    `, {"fragmentName":"RunBrief"}) as unknown as TypedDocumentString<RunBriefFragment, unknown>;
export const FailureDetailsFragmentDoc = new TypedDocumentString(`
    fragment FailureDetails on Failure {
  code
  stage
  category
  summary
  message
  evidence
  appliedAddresses
  stateUncertain
  retryable
}
    `, {"fragmentName":"FailureDetails"}) as unknown as TypedDocumentString<FailureDetailsFragment, unknown>;
export const PlanDetailsFragmentDoc = new TypedDocumentString(`
    fragment PlanDetails on Plan {
  version
  digest
  isCurrent
  hasChanges
  complete
  targets
  text
  additions
  changes
  destructions
  replacements
  imports
  moves
  forgets
  outputChanges {
    name
    action
    sensitive
  }
  resourceChanges(first: 100) {
    edges {
      node {
        address
        action
        createBeforeDestroy
        imported
        previousAddress
        before
        after
        sensitivePaths
        unknownPaths
      }
    }
  }
}
    `, {"fragmentName":"PlanDetails"}) as unknown as TypedDocumentString<PlanDetailsFragment, unknown>;
export const CreateRunDocument = new TypedDocumentString(`
    mutation CreateRun($input: CreateRunInput!) {
  createRun(input: $input) {
    __typename
    ... on CreateRunSuccess {
      created
      run {
        id
        number
        status
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
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreateRunMutation, CreateRunMutationVariables>;
export const ApproveRunDocument = new TypedDocumentString(`
    mutation ApproveRun($input: ApproveRunInput!) {
  approveRun(input: $input) {
    __typename
    ... on ApproveRunSuccess {
      run {
        ...RunBrief
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
    ... on RunStateConflictError {
      run {
        ...RunBrief
      }
    }
    ... on StalePlanError {
      run {
        ...RunBrief
      }
    }
  }
}
    fragment RunBrief on Run {
  id
  status
  leg
  reason
  cancelRequested {
    at
  }
}`) as unknown as TypedDocumentString<ApproveRunMutation, ApproveRunMutationVariables>;
export const RejectRunDocument = new TypedDocumentString(`
    mutation RejectRun($input: RejectRunInput!) {
  rejectRun(input: $input) {
    __typename
    ... on RejectRunSuccess {
      run {
        ...RunBrief
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
    ... on RunStateConflictError {
      run {
        ...RunBrief
      }
    }
    ... on StalePlanError {
      run {
        ...RunBrief
      }
    }
  }
}
    fragment RunBrief on Run {
  id
  status
  leg
  reason
  cancelRequested {
    at
  }
}`) as unknown as TypedDocumentString<RejectRunMutation, RejectRunMutationVariables>;
export const DiscardRunDocument = new TypedDocumentString(`
    mutation DiscardRun($input: DiscardRunInput!) {
  discardRun(input: $input) {
    __typename
    ... on DiscardRunSuccess {
      run {
        ...RunBrief
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
    ... on RunStateConflictError {
      run {
        ...RunBrief
      }
    }
    ... on StalePlanError {
      run {
        ...RunBrief
      }
    }
  }
}
    fragment RunBrief on Run {
  id
  status
  leg
  reason
  cancelRequested {
    at
  }
}`) as unknown as TypedDocumentString<DiscardRunMutation, DiscardRunMutationVariables>;
export const CancelRunDocument = new TypedDocumentString(`
    mutation CancelRun($input: CancelRunInput!) {
  cancelRun(input: $input) {
    __typename
    ... on CancelRunSuccess {
      run {
        ...RunBrief
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
    ... on RunStateConflictError {
      run {
        ...RunBrief
      }
    }
  }
}
    fragment RunBrief on Run {
  id
  status
  leg
  reason
  cancelRequested {
    at
  }
}`) as unknown as TypedDocumentString<CancelRunMutation, CancelRunMutationVariables>;
export const ReplanRunDocument = new TypedDocumentString(`
    mutation ReplanRun($input: ReplanRunInput!) {
  replanRun(input: $input) {
    __typename
    ... on ReplanRunSuccess {
      run {
        ...RunBrief
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
    ... on RunStateConflictError {
      run {
        ...RunBrief
      }
    }
    ... on StalePlanError {
      run {
        ...RunBrief
      }
    }
  }
}
    fragment RunBrief on Run {
  id
  status
  leg
  reason
  cancelRequested {
    at
  }
}`) as unknown as TypedDocumentString<ReplanRunMutation, ReplanRunMutationVariables>;
export const RunStateDocument = new TypedDocumentString(`
    query RunState($id: ID!) {
  run(id: $id) {
    id
    number
    status
    leg
    outcome
    version
    forced
    reason
    failure {
      ...FailureDetails
    }
    plan {
      id
      version
      digest
      hasChanges
      isCurrent
      complete
      additions
      changes
      destructions
      replacements
      imports
      moves
      forgets
      targets
    }
  }
}
    fragment FailureDetails on Failure {
  code
  stage
  category
  summary
  message
  evidence
  appliedAddresses
  stateUncertain
  retryable
}`) as unknown as TypedDocumentString<RunStateQuery, RunStateQueryVariables>;
export const RunDetailsDocument = new TypedDocumentString(`
    query RunDetails($id: ID!) {
  run(id: $id) {
    id
    number
    kind
    status
    leg
    outcome
    reason
    forced
    isTerminal
    requiredAction
    revision
    warnings
    targets
    cancelRequested {
      at
    }
    appliedAt
    finishedAt
    blockers {
      kind
      message
      position
      run {
        id
      }
    }
    failure {
      ...FailureDetails
    }
    phases {
      kind
      attempt
      status
    }
    approvals {
      gate
      decision
      counts
      planVersion
      planDigest
    }
    plan {
      version
      isCurrent
    }
    plans {
      ...PlanDetails
    }
  }
}
    fragment FailureDetails on Failure {
  code
  stage
  category
  summary
  message
  evidence
  appliedAddresses
  stateUncertain
  retryable
}
fragment PlanDetails on Plan {
  version
  digest
  isCurrent
  hasChanges
  complete
  targets
  text
  additions
  changes
  destructions
  replacements
  imports
  moves
  forgets
  outputChanges {
    name
    action
    sensitive
  }
  resourceChanges(first: 100) {
    edges {
      node {
        address
        action
        createBeforeDestroy
        imported
        previousAddress
        before
        after
        sensitivePaths
        unknownPaths
      }
    }
  }
}`) as unknown as TypedDocumentString<RunDetailsQuery, RunDetailsQueryVariables>;
export const RunRecordDocument = new TypedDocumentString(`
    query RunRecord($id: ID!, $events: String, $log: String) {
  run(id: $id) {
    version
    phases {
      kind
      attempt
      status
    }
    events(first: 100, after: $events) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          version
          ... on RunStatusChanged {
            to
          }
        }
      }
    }
    log(first: 5000, after: $log) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          number
          phase
          attempt
          text
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RunRecordQuery, RunRecordQueryVariables>;
export const RunStatusesDocument = new TypedDocumentString(`
    subscription RunStatuses($runId: ID!) {
  runEvents(runId: $runId) {
    ... on RunSnapshot {
      run {
        status
      }
    }
    ... on RunStatusChanged {
      to
    }
  }
}
    `) as unknown as TypedDocumentString<RunStatusesSubscription, RunStatusesSubscriptionVariables>;
export const RunLogDocument = new TypedDocumentString(`
    subscription RunLog($runId: ID!) {
  runLog(runId: $runId) {
    ... on LogBatch {
      lines {
        text
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RunLogSubscription, RunLogSubscriptionVariables>;
export const CreateTokenDocument = new TypedDocumentString(`
    mutation CreateToken($input: CreateTokenInput!) {
  createToken(input: $input) {
    __typename
    ... on CreateTokenSuccess {
      secret
      token {
        id
        name
        role
        expiresAt
        actor {
          __typename
          id
          name
        }
      }
    }
    ... on UserError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateTokenMutation, CreateTokenMutationVariables>;
export const RevokeTokenDocument = new TypedDocumentString(`
    mutation RevokeToken($input: RevokeTokenInput!) {
  revokeToken(input: $input) {
    __typename
    ... on RevokeTokenSuccess {
      revokedId
    }
    ... on UserError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeTokenMutation, RevokeTokenMutationVariables>;
export const CreateWorkspaceDocument = new TypedDocumentString(`
    mutation CreateWorkspace($input: CreateWorkspaceInput!) {
  createWorkspace(input: $input) {
    __typename
    ... on CreateWorkspaceSuccess {
      workspace {
        id
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
    `) as unknown as TypedDocumentString<CreateWorkspaceMutation, CreateWorkspaceMutationVariables>;
export const SetVariableDocument = new TypedDocumentString(`
    mutation SetVariable($input: SetVariableInput!) {
  setVariable(input: $input) {
    __typename
    ... on SetVariableSuccess {
      workspace {
        id
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
    `) as unknown as TypedDocumentString<SetVariableMutation, SetVariableMutationVariables>;
export const UnlockWorkspaceDocument = new TypedDocumentString(`
    mutation UnlockWorkspace($input: UnlockWorkspaceInput!) {
  unlockWorkspace(input: $input) {
    __typename
    ... on UnlockWorkspaceSuccess {
      workspace {
        lock {
          reason
        }
        stateLock {
          id
        }
      }
    }
    ... on UserError {
      code
      message
    }
    ... on WorkspaceLockedError {
      lock {
        reason
        run {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UnlockWorkspaceMutation, UnlockWorkspaceMutationVariables>;
export const WorkspaceHoldsDocument = new TypedDocumentString(`
    query WorkspaceHolds($id: ID!) {
  workspace(by: { id: $id }) {
    lock {
      reason
      run {
        id
      }
    }
    stateLock {
      id
      run {
        id
      }
    }
    currentRun {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<WorkspaceHoldsQuery, WorkspaceHoldsQueryVariables>;
export const WorkspaceDetailsDocument = new TypedDocumentString(`
    query WorkspaceDetails($id: ID!) {
  workspace(by: { id: $id }) {
    deploymentStatus
    lock {
      reason
    }
    stateLock {
      id
    }
    currentRun {
      id
    }
    outputs {
      name
      value
      sensitive
    }
  }
}
    `) as unknown as TypedDocumentString<WorkspaceDetailsQuery, WorkspaceDetailsQueryVariables>;