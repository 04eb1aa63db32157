/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The kind of actor that uses a token. */
export type ActorKind =
  /** A program. */
  | 'MACHINE'
  /** A person. */
  | 'USER';

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

/** The run to cancel. */
export type CancelRunInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** Whether to fence the runner instead of asking it to stop. Only admins may, from 60 seconds (or the workspace's `forceStopAfterSeconds`) after the first request to stop. */
  force?: boolean;
  /** The run. */
  runId: string | number;
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

/** A folder on the server's disk, packed into a snapshot when a run is created. With links resolved it must lie below one of the source roots of the server. */
export type DirectorySourceInput = {
  /** The absolute path of the folder. */
  path: string;
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

/** How a workspace is checked for drift. An absent field is not changed; null is invalid. */
export type DriftSettingsInput = {
  /** Changes that are no drift; at most 100 rules. */
  ignore?: Array<DriftIgnoreRuleInput> | null | undefined;
  /** How checks look for drift. The default is PLAN. */
  mode?: DriftMode | null | undefined;
  /** The reaction to drift. The default is OFF. */
  reconcile?: DriftReconciliation | null | undefined;
};

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

/** The time for which a run holds its workspace. Runs of kind PLAN never hold it. */
export type LockScope =
  /** While a runner executes the run. At the gates other runs may go first; a plan that becomes stale by that is not applied. */
  | 'EXECUTION'
  /** From its admission to its end, also while people decide. */
  | 'RUN';

/** An entry of the metadata of a run, such as its pull request. */
export type MetadataEntryInput = {
  /** The key: 1 to 100 characters on one line. */
  key: string;
  /** The value: at most 1,000 characters. */
  value: string;
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

/** The rejection of a plan at the plan gate. */
export type RejectRunInput = {
  /** The reason, for later readers. */
  comment?: string | null | undefined;
  /** The version of the plan that was read. It is a StalePlanError if another plan is current. */
  planVersion: number;
  /** The run that waits at its plan gate. */
  runId: string | number;
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

/** The token to revoke. */
export type RevokeTokenInput = {
  /** The token. */
  tokenId: string | number;
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

/** The runs of a ref that end when a newer commit of it has a run. Runs that are approved never do. */
export type Supersede =
  /** Runs that did not start, and plans that wait for an approval. */
  | 'EVERYTHING_UNAPPROVED'
  /** None. */
  | 'NOTHING'
  /** Runs that did not start. */
  | 'UNSTARTED';

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

/** The workspace to unlock. `force` is needed for another person's lock, and for APPLY_INTERRUPTED to confirm that the result of the apply was checked. */
export type UnlockWorkspaceInput = {
  /** Whether to remove a lock that is not the caller's own. It needs the permission to force an unlock. */
  force?: boolean;
  /** The reason or the result of the check, for later readers. */
  note?: string | null | undefined;
  /** The workspace to unlock. */
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

/** Why a workspace is locked. */
export type WorkspaceLockReason =
  /** An apply was interrupted, and its result is not known: check the infrastructure, then unlock by force. */
  | 'APPLY_INTERRUPTED'
  /** A person locked the workspace. That person, or an admin by force, can unlock it. */
  | 'MANUAL';

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

export type CreateRunMutationVariables = Exact<{
  input: CreateRunInput;
}>;


export type CreateRunMutation = { createRun:
    | { __typename: 'CreateRunSuccess', created: boolean, run: { id: string, number: number, status: RunStatus } }
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'IdempotencyConflictError', code: UserErrorCode, message: string, run: { id: string } }
    | { __typename: 'InvalidInputError', code: UserErrorCode, message: string, issues: Array<{ path: Array<string>, message: string }> }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'PolicyDeniedError', code: UserErrorCode, message: string }
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
    | { __typename: 'ReauthenticationRequiredError', code: UserErrorCode, message: string }
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


export type RunStateQuery = { run: { id: string, number: number, status: RunStatus, leg: RunLeg, outcome: RunOutcome | null, version: number, forced: boolean, reason: string | null, failure: { reason: FailureReason | null, cause: FailureCode | null, code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, evidence: Array<string>, appliedAddresses: Array<string> | null, stateUncertain: boolean, retryable: boolean, resources: Array<{ address: string | null, reason: FailureReason | null, summary: string }> } | null, plan: { id: string, version: number, digest: string, hasChanges: boolean, isCurrent: boolean, complete: boolean, additions: number, changes: number, destructions: number, replacements: number, imports: number, moves: number, forgets: number, targets: Array<string> } | null } | null };

export type RunDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type RunDetailsQuery = { run: { id: string, number: number, kind: RunKind, status: RunStatus, leg: RunLeg, outcome: RunOutcome | null, reason: string | null, forced: boolean, isTerminal: boolean, requiredAction: RequiredAction, revision: string | null, warnings: Array<string>, targets: Array<string>, appliedAt: string | null, finishedAt: string | null, cancelRequested: { at: string } | null, blockers: Array<{ kind: BlockerKind, message: string, position: number | null, run: { id: string } | null }>, failure: { reason: FailureReason | null, cause: FailureCode | null, code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, evidence: Array<string>, appliedAddresses: Array<string> | null, stateUncertain: boolean, retryable: boolean, resources: Array<{ address: string | null, reason: FailureReason | null, summary: string }> } | null, phases: Array<{ kind: PhaseKind, attempt: number, status: PhaseStatus }>, approvals: Array<{ gate: Gate, decision: ApprovalDecision, counts: boolean, planVersion: number, planDigest: string }>, plan: { version: number, isCurrent: boolean } | null, plans: Array<{ version: number, digest: string, isCurrent: boolean, hasChanges: boolean, complete: boolean, targets: Array<string>, text: string | null, additions: number, changes: number, destructions: number, replacements: number, imports: number, moves: number, forgets: number, outputChanges: Array<{ name: string, action: ResourceAction, sensitive: boolean }>, resourceChanges: { edges: Array<{ node: { address: string, action: ResourceAction, createBeforeDestroy: boolean | null, imported: boolean, previousAddress: string | null, before: unknown, after: unknown, sensitivePaths: Array<string>, unknownPaths: Array<string> } }> } }> } | null };

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
          | { version: number }
          | { version: number }
          | { to: RunStatus, version: number }
          | { version: number }
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

export type FailureDetailsFragment = { reason: FailureReason | null, cause: FailureCode | null, code: FailureCode, stage: FailureStage, category: FailureCategory, summary: string, message: string, evidence: Array<string>, appliedAddresses: Array<string> | null, stateUncertain: boolean, retryable: boolean, resources: Array<{ address: string | null, reason: FailureReason | null, summary: string }> };

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
    | { __typename: 'ReauthenticationRequiredError', code: UserErrorCode, message: string }
   };

export type RevokeTokenMutationVariables = Exact<{
  input: RevokeTokenInput;
}>;


export type RevokeTokenMutation = { revokeToken:
    | { __typename: 'ForbiddenError', code: UserErrorCode, message: string }
    | { __typename: 'NotFoundError', code: UserErrorCode, message: string }
    | { __typename: 'ReauthenticationRequiredError', code: UserErrorCode, message: string }
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
    | { __typename: 'ReauthenticationRequiredError', code: UserErrorCode, message: string }
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
  reason
  cause
  resources {
    address
    reason
    summary
  }
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
  reason
  cause
  resources {
    address
    reason
    summary
  }
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
  reason
  cause
  resources {
    address
    reason
    summary
  }
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