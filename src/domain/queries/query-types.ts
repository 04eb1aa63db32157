import type { WorkspaceActionAvailability } from "../../model/workspace/workspace-action.ts";
import type { RejectedCommandQueries } from "../organization/rejected-command-queries.ts";
import type { BulkQueries } from "../bulk/bulk-domain.ts";
import type { RecoveredStateQueries } from "../recovered-state/recovered-state-domain.ts";
import type { ApprovalQueries } from "../run/approval-commands.ts";
import type { EstimatedProgress } from "../run/read-progress.ts";
import type { RunActionAvailability } from "../run/run-action-availability.ts";
import type { RunFilter } from "../run/run-filter.ts";
import type { RunnerQueries } from "../runner-pool/runner-domain.ts";
import type { StateQueries } from "../state/state-domain.ts";
import type { ShownVariable } from "../variables/shown-variable.ts";
import type { WebhookQueries } from "../webhook/webhook-domain.ts";
import type { StateLock } from "../workspace/state-lock.ts";
import type { Blocker } from "../../model/admission/blocker.ts";
import type { Approval } from "../../model/approval/approval.ts";
import type { FreezeWindow } from "../../model/approval/run-rules.ts";
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { LogLine, LogStream } from "../../model/log/log.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { Token } from "../../model/people/token.ts";
import type { Plan, ResourceAction, ResourceChange } from "../../model/plan/plan.ts";
import type { Phase, PhaseKind } from "../../model/run/phase.ts";
import type { RunEvent } from "../../model/run/run-event.ts";
import type { Run, RunDetail, RunSummary } from "../../model/run/run.ts";
import type { Statistics, StatisticsWindow } from "../../model/run/statistics.ts";
import type { TimelineEntry } from "../../model/run/timeline.ts";
import type { Hook } from "../../model/workspace/hook.ts";
import type { DeploymentStatus, Organization, Output, Workspace } from "../../model/workspace/workspace.ts";
/**
 * All reads of the API. An object that does not exist or that the caller may not see is `null` or left out. Reads of a
 * list of keys return one entry per key, in order.
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
  /** Returns whether each window is open now, and when it opens next. */
  freezeWindowStates(windows: readonly FreezeWindow[]): { open: boolean; nextOpensAt: string | null }[];
  /** Lists organizations by slug; positions are slugs. */
  listOrganizations(caller: TokenCaller, page: PageRequest<string>): Promise<Page<Organization>>;
  workspaceByPath(caller: TokenCaller, organization: string, name: string): Promise<Workspace | null>;
  workspaces(caller: TokenCaller, ids: readonly string[]): Promise<(Workspace | null)[]>;
  /** Returns workspaces, also deleted ones. */
  workspacesEver(caller: TokenCaller, ids: readonly string[]): Promise<(Workspace | null)[]>;
  /** Lists workspaces by name. */
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
  stateLocks(caller: TokenCaller, workspaceIds: readonly string[]): Promise<(StateLock | null)[]>;
  /** Returns statistics; `null` if the caller may not read runs. */
  statistics(
    caller: TokenCaller,
    workspaceIds: readonly string[],
    window: StatisticsWindow,
  ): Promise<(Statistics | null)[]>;

  runs(caller: TokenCaller, ids: readonly string[]): Promise<(Run | null)[]>;
  runByNumber(caller: TokenCaller, workspaceId: string, number: number): Promise<Run | null>;
  /** Lists runs, newest first; positions are run ids. `offset`: the number of newest runs to skip. */
  listRuns(
    caller: TokenCaller,
    filter: RunFilter,
    page: PageRequest<string>,
    options: { detail: RunDetail; offset?: number },
  ): Promise<Page<RunSummary>>;
  /** Counts runs, up to `atMost`. */
  countRuns(caller: TokenCaller, filter: RunFilter, atMost: number): Promise<number>;
  /** Returns the statuses of each run, oldest first. */
  timelines(caller: TokenCaller, runs: readonly Run[]): Promise<TimelineEntry[][]>;
  blockers(caller: TokenCaller, runs: readonly Run[]): Promise<Blocker[][]>;
  actions(caller: TokenCaller, runs: readonly Run[]): Promise<RunActionAvailability[][]>;
  /**
   * Returns from when an admin may stop each run by force; `null` if no stop was requested or force is not possible.
   */
  forceAllowedAt(caller: TokenCaller, runs: readonly Run[]): Promise<(string | null)[]>;

  plans(caller: TokenCaller, ids: readonly string[]): Promise<(Plan | null)[]>;
  /** Returns the plans of each run, oldest first. */
  plansOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<Plan[][]>;
  newestPlans(caller: TokenCaller, runIds: readonly string[]): Promise<(Plan | null)[]>;
  planTexts(caller: TokenCaller, planIds: readonly string[]): Promise<(string | null)[]>;
  /** Lists resource changes; positions count from 1. */
  listResourceChanges(
    caller: TokenCaller,
    planId: string,
    actions: readonly ResourceAction[] | null,
    page: PageRequest<number>,
  ): Promise<Page<ResourceChange & { position: number }>>;
  /** Returns the first resources that each plan destroys, by address. */
  destroyedAddresses(caller: TokenCaller, planIds: readonly string[]): Promise<string[][]>;
  /** Returns the variables that each run was created with. Values that were sensitive then, or are now, are `null`. */
  variablesOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<ShownVariable[][]>;
  /** Returns the hooks of each run, as of its creation. */
  hooksOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<Hook[][]>;
  /** Returns the progress of the newest phase of each run; `null` before the first report. */
  /** Returns by run since when its log is no longer stored. */
  logExpiries(caller: TokenCaller, runIds: readonly string[]): Promise<(string | null)[]>;
  progress(caller: TokenCaller, runs: readonly Run[]): Promise<(EstimatedProgress | null)[]>;
  phases(caller: TokenCaller, ids: readonly string[]): Promise<(Phase | null)[]>;
  phasesOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<Phase[][]>;
  approvals(caller: TokenCaller, ids: readonly string[]): Promise<(Approval | null)[]>;
  approvalsOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<Approval[][]>;
  /** Lists events, oldest first; positions are versions. */
  listRunEvents(caller: TokenCaller, runId: string, page: PageRequest<number>): Promise<Page<RunEvent>>;
  /** Lists log lines in order; positions are line numbers. `only`: limits them to a phase, an attempt or streams. */
  listLogLines(
    caller: TokenCaller,
    runId: string,
    only: { phase: { kind: PhaseKind; attempt: number } | null; streams: readonly LogStream[] | null },
    page: PageRequest<number>,
  ): Promise<Page<LogLine>>;

  actors(ids: readonly string[]): Promise<(Actor | null)[]>;
  /** Returns tokens, including revoked and expired ones. */
  tokens(caller: TokenCaller, ids: readonly string[]): Promise<(Token | null)[]>;
  /** Lists tokens, newest first; positions are ids. `revoked`: only revoked ones, or only others; `null`: all. */
  listTokens(caller: TokenCaller, revoked: boolean | null, page: PageRequest<string>): Promise<Page<Token>>;
  workspaceActions(caller: TokenCaller, workspaceIds: readonly string[]): Promise<WorkspaceActionAvailability[][]>;
}
