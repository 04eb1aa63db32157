/** What Holdpoint can do and tell: the surface that GraphQL and the runner protocol translate to and from. */
import type { Actor, ActorKind } from "../model/people/actor.ts";
import type { Approval } from "../model/approval/approval.ts";
import type { AutoApply } from "../model/plan/auto-apply.ts";
import type { DialectFilter } from "../model/lifecycle/dialect-filter.ts";
import type { Blocker } from "../model/admission/blocker.ts";
import type { Hook } from "../model/workspace/hook.ts";
import type { LogLine, LogStream } from "../model/log/log.ts";
import type { Page, PageRequest } from "../model/kit/page.ts";
import type { TokenCaller } from "../model/people/permission.ts";
import type { Phase, PhaseKind } from "../model/run/phase.ts";
import type { Plan, ResourceAction, ResourceChange } from "../model/plan/plan.ts";
import type { FreezeWindow } from "../model/approval/run-rules.ts";
import type { RetentionChange } from "../model/workspace/retention.ts";
import type { Run, RunAction, RunDetail, RunSummary } from "../model/run/run.ts";
import type { RunEvent } from "../model/run/run-event.ts";
import type { RunKind, RunTrigger } from "../model/lifecycle/run-kind.ts";
import type { PlanApprovalMode } from "../model/lifecycle/run-machine.ts";
import type { RunStatus } from "../model/lifecycle/run-status.ts";
import type { Statistics, StatisticsWindow } from "../model/run/statistics.ts";
import type { TimelineEntry } from "../model/run/timeline.ts";
import type { Token, TokenRole } from "../model/people/token.ts";
import type { UserErrorCode } from "../model/kit/user-error.ts";
import type {
  DeploymentStatus,
  LockScope,
  Organization,
  Output,
  Variable,
  VariableCategory,
  Workspace,
} from "../model/workspace/workspace.ts";
import type { RejectedCommandQueries } from "./organization/rejected-command-queries.ts";
import type { WorkspaceActionAvailability } from "../model/workspace/workspace-action.ts";
import type { RulesInput } from "./rules/rules-input.ts";
import type { BulkCommands, BulkQueries } from "./bulk/bulk-domain.ts";
import type { RecoveredStateCommands, RecoveredStateQueries } from "./recovered-state/recovered-state-domain.ts";
import type { ApprovalCommands, ApprovalQueries } from "./run/approval-commands.ts";
import type { EstimatedProgress } from "./run/read-progress.ts";
import type { RunnerCommands, RunnerQueries } from "./runner-pool/runner-domain.ts";
import type { StateCommands, StateQueries } from "./state/state-domain.ts";
import type { WebhookCommands, WebhookQueries } from "./webhook/webhook-domain.ts";
import type { HooksInput } from "./workspace/hook-input.ts";
import type { RunnerChoice } from "./workspace/runner-choice.ts";

/** Exactly one of these. */
export type WorkspaceSourceInput =
  | { directory: { path: string }; git?: undefined; upload?: undefined }
  | { git: { url: string; branch: string; path: string }; directory?: undefined; upload?: undefined }
  | { upload: { uploadId: string }; directory?: undefined; git?: undefined };

interface WorkspaceSettingsInput extends RulesInput, RunnerChoice {
  lockScope?: LockScope | null | undefined;
  interruptApply?: boolean | null | undefined;
  tasksAllowed?: boolean | null | undefined;
  hooks?: HooksInput;
}

/** A setting that is absent has its default; null is invalid. */
export interface CreateWorkspaceInput extends WorkspaceSettingsInput {
  organization: string;
  name: string;
  description: string | null;
  source: WorkspaceSourceInput;
  planApproval: PlanApprovalMode;
  autoApply: AutoApply;
}

/** An absent field stays; null clears `description` and is invalid elsewhere. */
export interface UpdateWorkspaceInput extends WorkspaceSettingsInput {
  workspaceId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  source?: WorkspaceSourceInput | null | undefined;
  planApproval?: PlanApprovalMode | null | undefined;
  autoApply?: AutoApply | null | undefined;
  paused?: boolean | null | undefined;
}

/** An absent field stays; null is invalid. */
export interface UpdateOrganizationInput extends RulesInput {
  organizationId: string;
  name?: string | null | undefined;
  concurrencyLimit?: number | null | undefined;
  retention?: RetentionChange | null | undefined;
}

export interface SetVariableInput {
  workspaceId: string;
  key: string;
  value: string;
  sensitive: boolean;
  category: VariableCategory;
  hcl: boolean;
}

/** Something that is noted with a run, for whoever looks for it later. */
export interface MetadataEntry {
  key: string;
  value: string;
}

export interface CreateRunInput {
  workspaceId: string;
  kind: RunKind;
  message: string | null;
  targets: string[] | null;
  replace: string[] | null;
  refreshOnly: boolean;
  /** For kind APPLY. */
  planRunId: string | null;
  /** For kind TASK. */
  command: string | null;
  metadata: readonly MetadataEntry[] | null;
  priority: number;
  /** An instant; null: as soon as it can. */
  scheduledAt: string | null;
  idempotencyKey: string | null;
}

/** A new run that is made of another one; null: as that one says, where that says anything. */
export interface FollowUpInput {
  runId: string;
  message: string | null;
  metadata: readonly MetadataEntry[] | null;
  priority: number | null;
  idempotencyKey: string | null;
}

/** Given fields are joined by AND; an empty list matches nothing. */
export interface RunFilter {
  organizationId?: string;
  workspaceId?: string;
  statuses?: readonly RunStatus[];
  kinds?: readonly RunKind[];
  triggers?: readonly RunTrigger[];
  /** Whether they wait for a person at a gate. */
  needsApproval?: boolean;
  /** Instants, exclusive. */
  createdAfter?: string;
  createdBefore?: string;
  /** Runs that have all of these. */
  metadata?: readonly MetadataEntry[];
  /** In the words of other products. */
  dialect?: DialectFilter;
}

export interface RunActionAvailability {
  action: RunAction;
  allowed: boolean;
  code: UserErrorCode | null;
  reason: string | null;
}

/** A variable as it may be shown: the value of a sensitive one is null. */
export type ShownVariable = Omit<Variable, "value"> & { value: string | null };

/** The engine's own lock on a state. */
export interface StateLock {
  id: string;
  runId: string | null;
  /** The person who has it; null where it is a run's. */
  actorId: string | null;
  who: string;
  operation: string;
  since: string;
}

/**
 * Commands throw UserError for what a caller can act on, in the order NOT_FOUND, FORBIDDEN, INVALID_INPUT,
 * RUN_STATE_CONFLICT, STALE_PLAN. A refused command changes nothing and is recorded.
 */
export interface Commands
  extends ApprovalCommands,
    BulkCommands,
    RecoveredStateCommands,
    RunnerCommands,
    WebhookCommands,
    StateCommands {
  createWorkspace(caller: TokenCaller, input: CreateWorkspaceInput): Promise<Workspace>;
  createOrganization(
    caller: TokenCaller,
    input: {
      slug: string;
      name: string;
      concurrencyLimit: number;
      retention?: RetentionChange | null | undefined;
    } & RulesInput,
  ): Promise<Organization>;
  updateOrganization(caller: TokenCaller, input: UpdateOrganizationInput): Promise<Organization>;
  updateWorkspace(caller: TokenCaller, input: UpdateWorkspaceInput): Promise<Workspace>;
  /** Gives the id of the deleted workspace. */
  deleteWorkspace(caller: TokenCaller, input: { workspaceId: string; force: boolean }): Promise<string>;
  lockWorkspace(
    caller: TokenCaller,
    input: { workspaceId: string; note: string | null; expiresAt: string | null },
  ): Promise<Workspace>;
  setVariable(caller: TokenCaller, input: SetVariableInput): Promise<Workspace>;
  deleteVariable(
    caller: TokenCaller,
    input: { workspaceId: string; key: string; category: VariableCategory },
  ): Promise<Workspace>;
  unlockWorkspace(
    caller: TokenCaller,
    input: { workspaceId: string; force: boolean; note: string | null },
  ): Promise<Workspace>;
  createRun(caller: TokenCaller, input: CreateRunInput): Promise<{ run: Run; created: boolean }>;
  rejectRun(caller: TokenCaller, input: { runId: string; planVersion: number; comment: string | null }): Promise<Run>;
  discardRun(
    caller: TokenCaller,
    input: { runId: string; planVersion: number | null; comment: string | null },
  ): Promise<Run>;
  cancelRun(caller: TokenCaller, input: { runId: string; force: boolean; comment: string | null }): Promise<Run>;
  /** `targets` and `replace` null: the run's own; empty: none. */
  replanRun(
    caller: TokenCaller,
    input: {
      runId: string;
      planVersion: number;
      targets: string[] | null;
      replace: string[] | null;
      comment: string | null;
    },
  ): Promise<Run>;
  /** A new run of the same source and options. */
  retryRun(caller: TokenCaller, input: { runId: string }): Promise<Run>;
  prioritizeRun(caller: TokenCaller, input: { runId: string; priority: number }): Promise<Run>;
  /** A DEPLOY of what a finished PLAN run planned. */
  promoteRun(caller: TokenCaller, input: FollowUpInput): Promise<{ run: Run; created: boolean }>;
  /** A DEPLOY of what an earlier run applied. */
  rollbackRun(caller: TokenCaller, input: FollowUpInput): Promise<{ run: Run; created: boolean }>;
  createToken(
    caller: TokenCaller,
    input: { name: string; actor: ActorKind; role: TokenRole; expiresAt: string | null },
  ): Promise<{ token: Token; secret: string }>;
  /** Gives the id of the revoked token. */
  revokeToken(caller: TokenCaller, input: { tokenId: string }): Promise<string>;
}

/**
 * Reads answer null, or leave out, what does not exist or may not be read. Those that take a list answer in the order
 * of the list, one entry each.
 */
export interface Queries
  extends ApprovalQueries,
    BulkQueries,
    RecoveredStateQueries,
    RunnerQueries,
    WebhookQueries,
    StateQueries,
    RejectedCommandQueries {
  organizationBySlug(caller: TokenCaller, slug: string): Promise<Organization | null>;
  organizations(caller: TokenCaller, ids: readonly string[]): Promise<(Organization | null)[]>;
  /** Whether each window is open now, and when it opens next. */
  freezeWindowStates(windows: readonly FreezeWindow[]): { open: boolean; nextOpensAt: string | null }[];
  /** By slug; positions are slugs. */
  listOrganizations(caller: TokenCaller, page: PageRequest<string>): Promise<Page<Organization>>;
  workspaceByPath(caller: TokenCaller, organization: string, name: string): Promise<Workspace | null>;
  workspaces(caller: TokenCaller, ids: readonly string[]): Promise<(Workspace | null)[]>;
  /** Also those that were deleted. */
  workspacesEver(caller: TokenCaller, ids: readonly string[]): Promise<(Workspace | null)[]>;
  /** By name. */
  listWorkspaces(
    caller: TokenCaller,
    organizationId: string,
    search: string | null,
    page: PageRequest<string>,
  ): Promise<Page<Workspace>>;
  variables(caller: TokenCaller, workspaceIds: readonly string[]): Promise<ShownVariable[][]>;
  outputs(caller: TokenCaller, workspaceIds: readonly string[]): Promise<Output[][]>;
  deploymentStatuses(caller: TokenCaller, workspaceIds: readonly string[]): Promise<DeploymentStatus[]>;
  currentRuns(caller: TokenCaller, workspaceIds: readonly string[]): Promise<(Run | null)[]>;
  workspaceActions(caller: TokenCaller, workspaceIds: readonly string[]): Promise<WorkspaceActionAvailability[][]>;
  stateLocks(caller: TokenCaller, workspaceIds: readonly string[]): Promise<(StateLock | null)[]>;
  /** null where the caller may not read runs. */
  statistics(
    caller: TokenCaller,
    workspaceIds: readonly string[],
    window: StatisticsWindow,
  ): Promise<(Statistics | null)[]>;

  runs(caller: TokenCaller, ids: readonly string[]): Promise<(Run | null)[]>;
  runByNumber(caller: TokenCaller, workspaceId: string, number: number): Promise<Run | null>;
  /** Newest first; positions are run ids. `offset`: so many of the newest are passed over. */
  listRuns(
    caller: TokenCaller,
    filter: RunFilter,
    page: PageRequest<string>,
    options: { detail: RunDetail; offset?: number },
  ): Promise<Page<RunSummary>>;
  /** Stops counting at `atMost`. */
  countRuns(caller: TokenCaller, filter: RunFilter, atMost: number): Promise<number>;
  /** Every status that each run went through, oldest first. */
  timelines(caller: TokenCaller, runs: readonly Run[]): Promise<TimelineEntry[][]>;
  blockers(caller: TokenCaller, runs: readonly Run[]): Promise<Blocker[][]>;
  actions(caller: TokenCaller, runs: readonly Run[]): Promise<RunActionAvailability[][]>;
  /** From when on an admin may stop a run by force that was asked to stop; null where force has no place. */
  forceAllowedAt(caller: TokenCaller, runs: readonly Run[]): Promise<(string | null)[]>;

  plans(caller: TokenCaller, ids: readonly string[]): Promise<(Plan | null)[]>;
  /** Oldest first. */
  plansOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<Plan[][]>;
  newestPlans(caller: TokenCaller, runIds: readonly string[]): Promise<(Plan | null)[]>;
  planTexts(caller: TokenCaller, planIds: readonly string[]): Promise<(string | null)[]>;
  /** Positions count from 1. */
  listResourceChanges(
    caller: TokenCaller,
    planId: string,
    actions: readonly ResourceAction[] | null,
    page: PageRequest<number>,
  ): Promise<Page<ResourceChange & { position: number }>>;
  /** The first resources that each plan destroys, by their addresses. */
  destroyedAddresses(caller: TokenCaller, planIds: readonly string[]): Promise<string[][]>;
  /** The variables that each run was created with; values that are sensitive, then or now, are null. */
  variablesOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<ShownVariable[][]>;
  /** What each run performs around the engine, as it was at its creation. */
  hooksOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<Hook[][]>;
  /** How far the newest phase of each run is, or was; null before the first word of it. */
  /** By run: since when its log is no longer kept. */
  logExpiries(caller: TokenCaller, runIds: readonly string[]): Promise<(string | null)[]>;
  progress(caller: TokenCaller, runs: readonly Run[]): Promise<(EstimatedProgress | null)[]>;
  phases(caller: TokenCaller, ids: readonly string[]): Promise<(Phase | null)[]>;
  phasesOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<Phase[][]>;
  approvals(caller: TokenCaller, ids: readonly string[]): Promise<(Approval | null)[]>;
  approvalsOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<Approval[][]>;
  /** Oldest first; positions are versions. */
  listRunEvents(caller: TokenCaller, runId: string, page: PageRequest<number>): Promise<Page<RunEvent>>;
  /** In order; positions are line numbers. `only`: lines of that phase and attempt, and that these wrote. */
  listLogLines(
    caller: TokenCaller,
    runId: string,
    only: { phase: { kind: PhaseKind; attempt: number } | null; streams: readonly LogStream[] | null },
    page: PageRequest<number>,
  ): Promise<Page<LogLine>>;

  actors(ids: readonly string[]): Promise<(Actor | null)[]>;
  /** Revoked and expired tokens included. */
  tokens(caller: TokenCaller, ids: readonly string[]): Promise<(Token | null)[]>;
  /** Newest first; positions are ids. `revoked`: only the revoked ones, or only the others; null: all. */
  listTokens(caller: TokenCaller, revoked: boolean | null, page: PageRequest<string>): Promise<Page<Token>>;
}

export interface Domain extends Commands, Queries {
  /** Whose token this is; null where it is unknown, revoked or expired. */
  authenticate(secret: string): Promise<TokenCaller | null>;
}
