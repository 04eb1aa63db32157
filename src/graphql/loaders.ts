import type { Queries, RunActionAvailability, ShownVariable, StateLock } from "../domain/domain.ts";
import type { ApprovalRequirement } from "../domain/run/approval-commands.ts";
import type { EstimatedProgress } from "../domain/run/read-progress.ts";
import type { Actor } from "../model/actor.ts";
import type { Approval } from "../model/approval.ts";
import type { BulkOperation } from "../model/bulk.ts";
import type { Blocker } from "../model/blocker.ts";
import type { Hook } from "../model/hook.ts";
import { LIMITS } from "../model/limits.ts";
import { inputError } from "./errors.ts";
import { Loader } from "./loader.ts";
import type { StateComparison, StateResources } from "../domain/state/state-domain.ts";
import { type IdKind, idKind } from "../model/id.ts";
import type { TokenCaller } from "../model/permission.ts";
import type { Phase } from "../model/phase.ts";
import type { Plan } from "../model/plan.ts";
import type { RecoveredState } from "../model/recovered-state.ts";
import type { Run } from "../model/run.ts";
import type { RunComment } from "../model/run-comment.ts";
import type { Statistics, StatisticsWindow } from "../model/statistics.ts";
import type { TimelineEntry } from "../model/timeline.ts";
import type { Runner, RunnerJob, RunnerPool, RunnerToken } from "../model/runner.ts";
import type { StateReading, StateRollback, StateVersion } from "../model/state-version.ts";
import type { Token } from "../model/token.ts";
import type { Webhook, WebhookAttempt, WebhookDelivery } from "../model/webhook.ts";
import type { DeploymentStatus, Organization, Output, Workspace } from "../model/workspace.ts";

type ById<Entity> = Loader<string, Entity | null>;

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
  webhooksOfOrganization: Loader<string, Webhook[]>;
  webhooksOfWorkspace: Loader<string, Webhook[]>;
  webhookAttempts: Loader<string, WebhookAttempt[]>;

  /** By organization, by pool, by runner. */
  runnerPoolsOfOrganization: Loader<string, RunnerPool[]>;
  tokensOfRunnerPool: Loader<string, RunnerToken[]>;
  jobsOfRunner: Loader<string, RunnerJob[]>;

  /** By workspace. */
  variables: Loader<string, ShownVariable[]>;
  outputs: Loader<string, Output[]>;
  deploymentStatus: Loader<string, DeploymentStatus>;
  currentRun: ById<Run>;
  stateLock: ById<StateLock>;
  currentState: ById<StateVersion>;
  /** Each looks into files: few at a time. */
  stateComparison: Loader<StateComparisonKey, StateComparison | "TOO_LARGE" | null, string>;
  stateResources: Loader<StateVersion, StateResources | "TOO_LARGE", string>;
  /** By version of a state. */
  stateReadings: Loader<string, StateReading[]>;
  stateOutputs: Loader<string, Output[]>;
  undecidedStates: Loader<string, RecoveredState[]>;
  statistics: Loader<StatisticsKey, Statistics | null, string>;

  /** By run. */
  stateRollback: ById<StateRollback>;
  newestPlan: ById<Plan>;
  plans: Loader<string, Plan[]>;
  phases: Loader<string, Phase[]>;
  approvals: Loader<string, Approval[]>;
  blockers: Loader<Run, Blocker[], string>;
  actions: Loader<Run, RunActionAvailability[], string>;
  forceAllowedAt: Loader<Run, string | null, string>;
  approvalRequirements: Loader<Run, ApprovalRequirement[], string>;
  bulkOperation: ById<BulkOperation>;
  timeline: Loader<Run, TimelineEntry[], string>;
  recoveredStatesOfRun: Loader<string, RecoveredState[]>;
  refusedCount: Loader<string, number>;
  hooks: Loader<string, Hook[]>;
  logExpiredAt: ById<string>;
  progress: Loader<Run, EstimatedProgress | null, string>;

  /** By plan. */
  planText: ById<string>;
  destroyedAddresses: Loader<string, string[]>;

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

/** One set per operation: what was read for one caller is never shown to another. */
export function createLoaders(domain: Queries, caller: TokenCaller): Loaders {
  const all: { clearAll(): unknown }[] = [];
  const kept = <Loader extends { clearAll(): unknown }>(loader: Loader): Loader => {
    all.push(loader);
    return loader;
  };
  const by = <Value>(load: (caller: TokenCaller, ids: readonly string[]) => Promise<Value[]>) =>
    kept(new Loader<string, Value>((ids) => load(caller, ids)));
  const byId = <Entity>(
    kinds: readonly IdKind[],
    load: (caller: TokenCaller, ids: readonly string[]) => Promise<(Entity | null)[]>,
  ) => kept(new Loader<string, Entity | null>((ids) => known(kinds, ids, (asked) => load(caller, asked))));
  const few = <Key, Value>(load: (key: Key) => Promise<Value>, cacheKeyFn: (key: Key) => string) =>
    kept(new Loader<Key, Value, string>((keys) => eachOfFew(keys, load), { cacheKeyFn }));
  const byRun = <Value>(load: (caller: TokenCaller, runs: readonly Run[]) => Promise<Value[]>) =>
    kept(
      new Loader<Run, Value, string>((runs) => load(caller, runs), {
        cacheKeyFn: (run) => `${run.id} ${run.version}`,
      }),
    );
  return {
    organization: byId(["organization"], (who, ids) => domain.organizations(who, ids)),
    workspace: byId(["workspace"], (who, ids) => domain.workspaces(who, ids)),
    workspaceEver: byId(["workspace"], (who, ids) => domain.workspacesEver(who, ids)),
    run: byId(["run"], (who, ids) => domain.runs(who, ids)),
    plan: byId(["plan"], (who, ids) => domain.plans(who, ids)),
    phase: byId(["phase"], (who, ids) => domain.phases(who, ids)),
    approval: byId(["approval"], (who, ids) => domain.approvals(who, ids)),
    comment: byId(["comment"], (who, ids) => domain.runComments(who, ids)),
    actor: byId(ACTOR_KINDS, (_who, ids) => domain.actors(ids)),
    runner: byId(["runner"], (who, ids) => domain.runners(who, ids)),
    runnerPool: byId(["runnerPool"], (who, ids) => domain.runnerPools(who, ids)),
    runnerToken: byId(["runnerToken"], (who, ids) => domain.runnerTokens(who, ids)),
    runnerPoolsOfOrganization: by((who, ids) => domain.runnerPoolsOfOrganizations(who, ids)),
    tokensOfRunnerPool: by((who, ids) => domain.tokensOfRunnerPools(who, ids)),
    jobsOfRunner: by((who, ids) => domain.jobsOfRunners(who, ids)),
    token: byId(["token"], (who, ids) => domain.tokens(who, ids)),
    recoveredState: byId(["recoveredState"], (who, ids) => domain.recoveredStates(who, ids)),
    webhook: byId(["webhook"], (who, ids) => domain.webhooks(who, ids)),
    webhookDelivery: byId(["webhookDelivery"], (who, ids) => domain.webhookDeliveries(who, ids)),
    webhooksOfOrganization: by((who, ids) => domain.webhooksOfOrganizations(who, ids)),
    webhooksOfWorkspace: by((who, ids) => domain.webhooksOfWorkspaces(who, ids)),
    webhookAttempts: by((who, ids) => domain.webhookAttempts(who, ids)),
    variables: by((who, ids) => domain.variables(who, ids)),
    outputs: by((who, ids) => domain.outputs(who, ids)),
    deploymentStatus: by((who, ids) => domain.deploymentStatuses(who, ids)),
    currentRun: by((who, ids) => domain.currentRuns(who, ids)),
    currentState: by((who, ids) => domain.currentStates(who, ids)),
    stateVersion: byId(["stateVersion"], (who, ids) => domain.stateVersions(who, ids)),
    stateOutputs: by((who, ids) => domain.stateOutputs(who, ids)),
    stateReadings: by((who, ids) => domain.stateReadings(who, ids)),
    stateRollback: by((who, ids) => domain.stateRollbacks(who, ids)),
    stateResources: few(
      (version: StateVersion) => domain.stateResources(caller, version),
      ({ id }) => id,
    ),
    stateComparison: few(
      ({ workspaceId, from, to }: StateComparisonKey) => domain.compareStates(caller, workspaceId, from, to),
      ({ workspaceId, from, to }) => `${workspaceId} ${from} ${to}`,
    ),
    stateLock: by((who, ids) => domain.stateLocks(who, ids)),
    undecidedStates: by((who, ids) => domain.undecidedStatesOfWorkspaces(who, ids)),
    recoveredStatesOfRun: by((who, ids) => domain.recoveredStatesOfRuns(who, ids)),
    refusedCount: by((who, ids) => domain.countRefusedRequests(who, ids)),
    statistics: kept(
      new Loader<StatisticsKey, Statistics | null, string>((keys) => readStatistics(domain, caller, keys), {
        cacheKeyFn: ({ workspaceId, from, to }) => `${workspaceId} ${from} ${to}`,
      }),
    ),
    newestPlan: by((who, ids) => domain.newestPlans(who, ids)),
    plans: by((who, ids) => domain.plansOfRuns(who, ids)),
    phases: by((who, ids) => domain.phasesOfRuns(who, ids)),
    approvals: by((who, ids) => domain.approvalsOfRuns(who, ids)),
    blockers: byRun((who, runs) => domain.blockers(who, runs)),
    actions: byRun((who, runs) => domain.actions(who, runs)),
    forceAllowedAt: byRun((who, runs) => domain.forceAllowedAt(who, runs)),
    approvalRequirements: byRun((who, runs) => domain.approvalRequirements(who, runs)),
    bulkOperation: byId(["bulkOperation"], (who, ids) => domain.bulkOperations(who, ids)),
    timeline: byRun((who, runs) => domain.timelines(who, runs)),
    hooks: by((who, ids) => domain.hooksOfRuns(who, ids)),
    logExpiredAt: by((who, ids) => domain.logExpiries(who, ids)),
    progress: byRun((who, runs) => domain.progress(who, runs)),
    planText: by((who, ids) => domain.planTexts(who, ids)),
    destroyedAddresses: by((who, ids) => domain.destroyedAddresses(who, ids)),
    clear: () => {
      for (const loader of all) loader.clearAll();
    },
  };
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
