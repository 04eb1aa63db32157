import DataLoader, { type Options } from "dataloader";
import type { Queries } from "../../domain/queries/query-types.ts";
import type { RunActionAvailability } from "../../domain/run/run-action-availability.ts";
import type { ShownVariable } from "../../domain/variables/shown-variable.ts";
import type { StateLock } from "../../domain/workspace/state-lock.ts";
import type { ApprovalRequirement } from "../../domain/run/approval-commands.ts";
import type { EstimatedProgress } from "../../domain/run/read-progress.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { Approval } from "../../model/approval/approval.ts";
import type { BulkOperation } from "../../model/bulk/bulk.ts";
import type { Blocker } from "../../model/admission/blocker.ts";
import type { Hook } from "../../model/workspace/hook.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { inputError } from "./errors.ts";
import { lazily } from "./lazily.ts";
import type { StateComparison, StateResources } from "../../domain/state/state-domain.ts";
import { type IdKind, idKind } from "../../model/kit/id.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { Phase } from "../../model/run/phase.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { RecoveredState } from "../../model/state/recovered-state.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunComment } from "../../model/run/run-comment.ts";
import type { Statistics, StatisticsWindow } from "../../model/run/statistics.ts";
import type { TimelineEntry } from "../../model/run/timeline.ts";
import type { Runner, RunnerJob, RunnerPool, RunnerToken } from "../../model/runner/runner.ts";
import type { StateReading, StateRollback, StateVersion } from "../../model/state/state-version.ts";
import type { Token } from "../../model/people/token.ts";
import type { Webhook, WebhookAttempt, WebhookDelivery } from "../../model/webhook/webhook.ts";
import type { WorkspaceActionAvailability } from "../../model/workspace/workspace-action.ts";
import type { DeploymentStatus, Organization, Output, Workspace } from "../../model/workspace/workspace.ts";

type ById<Entity> = DataLoader<string, Entity | null>;

/** Reads of one operation, each relation batched into one question to the domain. */
export interface Loaders {
  organization: ById<Organization>;
  workspace: ById<Workspace>;
  /** Also one that was deleted. */
  workspaceEver: ById<Workspace>;
  run: ById<Run>;
  plan: ById<Plan>;
  phase: ById<Phase>;
  approval: ById<Approval>;
  comment: ById<RunComment>;
  actor: ById<Actor>;
  runner: ById<Runner>;
  runnerPool: ById<RunnerPool>;
  runnerToken: ById<RunnerToken>;
  token: ById<Token>;
  stateVersion: ById<StateVersion>;
  recoveredState: ById<RecoveredState>;
  webhook: ById<Webhook>;
  webhookDelivery: ById<WebhookDelivery>;

  /** By organization, by workspace, by delivery. */
  webhooksOfOrganization: DataLoader<string, Webhook[]>;
  webhooksOfWorkspace: DataLoader<string, Webhook[]>;
  webhookAttempts: DataLoader<string, WebhookAttempt[]>;

  /** By organization, by pool, by runner. */
  runnerPoolsOfOrganization: DataLoader<string, RunnerPool[]>;
  tokensOfRunnerPool: DataLoader<string, RunnerToken[]>;
  jobsOfRunner: DataLoader<string, RunnerJob[]>;

  /** By workspace. */
  variables: DataLoader<string, ShownVariable[]>;
  outputs: DataLoader<string, Output[]>;
  deploymentStatus: DataLoader<string, DeploymentStatus>;
  currentRun: ById<Run>;
  stateLock: ById<StateLock>;
  workspaceActions: DataLoader<string, WorkspaceActionAvailability[]>;
  currentState: ById<StateVersion>;
  /** Each looks into files: few at a time. */
  stateComparison: DataLoader<StateComparisonKey, StateComparison | "TOO_LARGE" | null, string>;
  stateResources: DataLoader<StateVersion, StateResources | "TOO_LARGE", string>;
  /** By version of a state. */
  stateReadings: DataLoader<string, StateReading[]>;
  stateOutputs: DataLoader<string, Output[]>;
  undecidedStates: DataLoader<string, RecoveredState[]>;
  statistics: DataLoader<StatisticsKey, Statistics | null, string>;

  /** By run. */
  stateRollback: ById<StateRollback>;
  newestPlan: ById<Plan>;
  plans: DataLoader<string, Plan[]>;
  phases: DataLoader<string, Phase[]>;
  approvals: DataLoader<string, Approval[]>;
  blockers: DataLoader<Run, Blocker[], string>;
  actions: DataLoader<Run, RunActionAvailability[], string>;
  forceAllowedAt: DataLoader<Run, string | null, string>;
  approvalRequirements: DataLoader<Run, ApprovalRequirement[], string>;
  bulkOperation: ById<BulkOperation>;
  timeline: DataLoader<Run, TimelineEntry[], string>;
  recoveredStatesOfRun: DataLoader<string, RecoveredState[]>;
  refusedCount: DataLoader<string, number>;
  variablesOfRun: DataLoader<string, ShownVariable[]>;
  hooks: DataLoader<string, Hook[]>;
  logExpiredAt: ById<string>;
  progress: DataLoader<Run, EstimatedProgress | null, string>;

  /** By plan. */
  planText: ById<string>;
  destroyedAddresses: DataLoader<string, string[]>;

  /** Forgets everything that was read, so that what is read next is what is true now. */
  clear(): void;
}

/** The figures of a workspace over a window. */
export interface StateComparisonKey {
  workspaceId: string;
  from: string;
  to: string;
}

export type StatisticsKey = StatisticsWindow & { workspaceId: string };

const ACTOR_KINDS = ["user", "machineUser", "systemActor"] as const satisfies readonly IdKind[];

/** What the loaders of an operation read with, and those that were made: for a stream that waits each of them counts. */
interface Reading {
  readonly domain: Queries;
  readonly caller: TokenCaller;
  readonly made: { clearAll(): unknown }[];
}

type Load<Key, Value> = (domain: Queries, caller: TokenCaller, keys: readonly Key[]) => Promise<Value[]>;

function read<Key, Value, CacheKey = Key>(load: Load<Key, Value>, options?: Options<Key, Value, CacheKey>) {
  return ({ domain, caller, made }: Reading): DataLoader<Key, Value, CacheKey> => {
    const loader = new DataLoader((keys: readonly Key[]) => load(domain, caller, keys), options);
    made.push(loader);
    return loader;
  };
}

const by = <Value>(load: Load<string, Value>) => read(load);

const byId = <Entity>(kinds: readonly IdKind[], load: Load<string, Entity | null>) =>
  read<string, Entity | null>((domain, who, ids) => known(kinds, ids, (asked) => load(domain, who, asked)));

const byRun = <Value>(load: Load<Run, Value>) =>
  read<Run, Value, string>(load, { cacheKeyFn: (run) => `${run.id} ${run.version}` });

const few = <Key, Value>(
  load: (domain: Queries, caller: TokenCaller, key: Key) => Promise<Value>,
  cacheKeyFn: (key: Key) => string,
) => read<Key, Value, string>((domain, who, keys) => eachOfFew(keys, (key) => load(domain, who, key)), { cacheKeyFn });

const open = lazily<Loaders, Reading>({
  organization: byId(["organization"], (domain, who, ids) => domain.organizations(who, ids)),
  workspace: byId(["workspace"], (domain, who, ids) => domain.workspaces(who, ids)),
  workspaceEver: byId(["workspace"], (domain, who, ids) => domain.workspacesEver(who, ids)),
  run: byId(["run"], (domain, who, ids) => domain.runs(who, ids)),
  plan: byId(["plan"], (domain, who, ids) => domain.plans(who, ids)),
  phase: byId(["phase"], (domain, who, ids) => domain.phases(who, ids)),
  approval: byId(["approval"], (domain, who, ids) => domain.approvals(who, ids)),
  comment: byId(["comment"], (domain, who, ids) => domain.runComments(who, ids)),
  actor: byId(ACTOR_KINDS, (domain, _who, ids) => domain.actors(ids)),
  runner: byId(["runner"], (domain, who, ids) => domain.runners(who, ids)),
  runnerPool: byId(["runnerPool"], (domain, who, ids) => domain.runnerPools(who, ids)),
  runnerToken: byId(["runnerToken"], (domain, who, ids) => domain.runnerTokens(who, ids)),
  runnerPoolsOfOrganization: by((domain, who, ids) => domain.runnerPoolsOfOrganizations(who, ids)),
  tokensOfRunnerPool: by((domain, who, ids) => domain.tokensOfRunnerPools(who, ids)),
  jobsOfRunner: by((domain, who, ids) => domain.jobsOfRunners(who, ids)),
  token: byId(["token"], (domain, who, ids) => domain.tokens(who, ids)),
  recoveredState: byId(["recoveredState"], (domain, who, ids) => domain.recoveredStates(who, ids)),
  webhook: byId(["webhook"], (domain, who, ids) => domain.webhooks(who, ids)),
  webhookDelivery: byId(["webhookDelivery"], (domain, who, ids) => domain.webhookDeliveries(who, ids)),
  webhooksOfOrganization: by((domain, who, ids) => domain.webhooksOfOrganizations(who, ids)),
  webhooksOfWorkspace: by((domain, who, ids) => domain.webhooksOfWorkspaces(who, ids)),
  webhookAttempts: by((domain, who, ids) => domain.webhookAttempts(who, ids)),
  variables: by((domain, who, ids) => domain.variables(who, ids)),
  outputs: by((domain, who, ids) => domain.outputs(who, ids)),
  deploymentStatus: by((domain, who, ids) => domain.deploymentStatuses(who, ids)),
  currentRun: by((domain, who, ids) => domain.currentRuns(who, ids)),
  currentState: by((domain, who, ids) => domain.currentStates(who, ids)),
  stateVersion: byId(["stateVersion"], (domain, who, ids) => domain.stateVersions(who, ids)),
  stateOutputs: by((domain, who, ids) => domain.stateOutputs(who, ids)),
  stateReadings: by((domain, who, ids) => domain.stateReadings(who, ids)),
  stateRollback: by((domain, who, ids) => domain.stateRollbacks(who, ids)),
  stateResources: few(
    (domain, who, version: StateVersion) => domain.stateResources(who, version),
    ({ id }) => id,
  ),
  stateComparison: few(
    (domain, who, { workspaceId, from, to }: StateComparisonKey) => domain.compareStates(who, workspaceId, from, to),
    ({ workspaceId, from, to }) => `${workspaceId} ${from} ${to}`,
  ),
  workspaceActions: by((domain, who, ids) => domain.workspaceActions(who, ids)),
  stateLock: by((domain, who, ids) => domain.stateLocks(who, ids)),
  undecidedStates: by((domain, who, ids) => domain.undecidedStatesOfWorkspaces(who, ids)),
  recoveredStatesOfRun: by((domain, who, ids) => domain.recoveredStatesOfRuns(who, ids)),
  refusedCount: by((domain, who, ids) => domain.countRefusedRequests(who, ids)),
  statistics: read<StatisticsKey, Statistics | null, string>(readStatistics, {
    cacheKeyFn: ({ workspaceId, from, to }) => `${workspaceId} ${from} ${to}`,
  }),
  newestPlan: by((domain, who, ids) => domain.newestPlans(who, ids)),
  plans: by((domain, who, ids) => domain.plansOfRuns(who, ids)),
  phases: by((domain, who, ids) => domain.phasesOfRuns(who, ids)),
  approvals: by((domain, who, ids) => domain.approvalsOfRuns(who, ids)),
  blockers: byRun((domain, who, runs) => domain.blockers(who, runs)),
  actions: byRun((domain, who, runs) => domain.actions(who, runs)),
  forceAllowedAt: byRun((domain, who, runs) => domain.forceAllowedAt(who, runs)),
  approvalRequirements: byRun((domain, who, runs) => domain.approvalRequirements(who, runs)),
  bulkOperation: byId(["bulkOperation"], (domain, who, ids) => domain.bulkOperations(who, ids)),
  timeline: byRun((domain, who, runs) => domain.timelines(who, runs)),
  variablesOfRun: by((domain, who, ids) => domain.variablesOfRuns(who, ids)),
  hooks: by((domain, who, ids) => domain.hooksOfRuns(who, ids)),
  logExpiredAt: by((domain, who, ids) => domain.logExpiries(who, ids)),
  progress: byRun((domain, who, runs) => domain.progress(who, runs)),
  planText: by((domain, who, ids) => domain.planTexts(who, ids)),
  destroyedAddresses: by((domain, who, ids) => domain.destroyedAddresses(who, ids)),
  clear:
    ({ made }) =>
    () => {
      for (const loader of made) loader.clearAll();
    },
});

/** One set per operation: what was read for one caller is never shown to another. */
export function createLoaders(domain: Queries, caller: TokenCaller): Loaders {
  return open({ domain, caller, made: [] });
}

/** What costs much is asked for a few times in a request. */
async function eachOfFew<Key, Value>(keys: readonly Key[], load: (key: Key) => Promise<Value>): Promise<Value[]> {
  const most = LIMITS.statesExaminedPerRequest;
  if (keys.length <= most) return Promise.all(keys.map(load));
  throw inputError([{ path: ["resources"], message: `At most ${most} states are looked into by one request.` }]);
}

/** Workspaces with the same window are asked for at once. */
async function readStatistics(
  domain: Queries,
  caller: TokenCaller,
  keys: readonly StatisticsKey[],
): Promise<(Statistics | null)[]> {
  const found = new Map<StatisticsKey, Statistics | null>();
  for (const [, group] of Map.groupBy(keys, ({ from, to }) => `${from} ${to}`)) {
    const [window] = group;
    if (window === undefined) continue;
    const ids = group.map(({ workspaceId }) => workspaceId);
    const answers = await domain.statistics(caller, ids, window);
    for (const [index, key] of group.entries()) found.set(key, answers[index] ?? null);
  }
  return keys.map((key) => found.get(key) ?? null);
}

/** Asks only for ids of the right kind: anything else names nothing. */
async function known<Entity>(
  kinds: readonly IdKind[],
  ids: readonly string[],
  load: (ids: readonly string[]) => Promise<(Entity | null)[]>,
): Promise<(Entity | null)[]> {
  const isKnown = (id: string): boolean => {
    const kind = idKind(id);
    return kind !== null && kinds.includes(kind);
  };
  const asked = ids.filter(isKnown);
  if (asked.length === 0) return ids.map(() => null);
  const entities = await load(asked);
  const byId = new Map(asked.map((id, index) => [id, entities[index] ?? null]));
  return ids.map((id) => byId.get(id) ?? null);
}
