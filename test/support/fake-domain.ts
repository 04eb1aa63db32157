import { DEFAULT_DRIFT_SETTINGS } from "../../src/model/workspace/drift-settings.ts";
import { DEFAULT_ROLLBACK } from "../../src/model/workspace/rollback-settings.ts";
import { NO_HEALTH } from "../../src/model/health/runtime-health.ts";
import { DEFAULT_VERIFICATION } from "../../src/model/workspace/verification-settings.ts";
import { NO_TRIGGER } from "../../src/model/workspace/workspace-trigger.ts";
import { COMMANDS, type Domain } from "../../src/domain/domain.ts";
import { mapRecord } from "../../src/graphql/kit/map-record.ts";
import type { Actor } from "../../src/model/people/actor.ts";
import type { ActorCaller } from "../../src/model/people/permission.ts";
import type { Page, PageRequest } from "../../src/model/kit/page.ts";
import { toPage } from "../../src/model/kit/page.ts";
import type { Plan } from "../../src/model/plan/plan.ts";
import { EMPTY_RULES } from "../../src/model/approval/run-rules.ts";
import type { Run } from "../../src/model/run/run.ts";
import type { Statistics } from "../../src/model/run/statistics.ts";
import type { RunEvent } from "../../src/model/run/run-event.ts";
import type { Organization, Workspace } from "../../src/model/workspace/workspace.ts";
import { rightsOfRole } from "./rights.ts";

const AT = "2026-11-20T16:07:25.447Z";

const NO_STATISTICS: Statistics = {
  runs: [],
  endedCount: 0,
  appliedCount: 0,
  failureRate: null,
  leadTime: null,
  waitAtGates: null,
  planDuration: null,
  applyDuration: null,
};

/** A well-formed id of a kind, the same for the same number. */
export function fakeId(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(26, "0")}`;
}

/** Of every run that was asked to stop. */
export const FORCE_ALLOWED_AT = "2026-11-20T16:08:25.447Z";

export const fakeActor: Actor = { id: fakeId("usr", 1), kind: "USER", name: "Ada" };
export const fakeCaller: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: fakeId("tok", 1),
  actor: fakeActor,
  rights: rightsOfRole("ADMIN"),
  accessVersion: { version: 1, moves: 1 },
};

export function fakeOrganization(number = 1): Organization {
  return {
    id: fakeId("org", number),
    slug: `org-${number}`,
    name: `Organization ${number}`,
    concurrencyLimit: 3,
    maxRunsPerPush: 200,
    retention: { logDays: null, eventDays: null, archiveDays: 90 },
    rules: EMPTY_RULES,
  };
}

export function fakeWorkspace(number = 1, more: Partial<Workspace> = {}): Workspace {
  return {
    id: fakeId("ws", number),
    organizationId: fakeId("org", 1),
    projectId: fakeId("prj", 1),
    name: `workspace-${number}`,
    description: null,
    source: { type: "directory", path: "/srv/example" },
    paused: false,
    driftSettings: DEFAULT_DRIFT_SETTINGS,
    planApproval: "ALWAYS",
    autoApply: "NEVER",
    lockScope: "RUN",
    interruptApply: false,
    tasksAllowed: false,
    runnerPoolId: null,
    runnerLabels: [],
    labels: [],
    hooks: [],
    trigger: NO_TRIGGER,
    rules: EMPTY_RULES,
    lock: null,
    drift: null,
    expiresAt: null,
    expiryProblem: null,
    verification: DEFAULT_VERIFICATION,
    rollback: DEFAULT_ROLLBACK,
    tests: "OFF",
    deployShape: null,
    hasStartCommand: null,
    foundShape: null,
    foundStartCommand: null,
    takesOutputs: false,
    stateSerial: 0,
    createdAt: AT,
    ...more,
  };
}

export function fakeRun(number = 1, more: Partial<Run> = {}): Run {
  return {
    id: fakeId("run", number),
    organizationId: fakeId("org", 1),
    projectId: fakeId("prj", 1),
    workspaceId: fakeId("ws", 1),
    number,
    kind: "DEPLOY",
    status: "AWAITING_PLAN_APPROVAL",
    leg: "PLAN",
    outcome: null,
    trigger: "MANUAL",
    createdById: fakeActor.id,
    actingRunId: null,
    requestedByIds: [],
    replannedById: null,
    message: null,
    revision: null,
    commitUrl: null,
    targets: [],
    replace: [],
    policyWarnings: 0,
    policyAsks: false,
    awaitedCheck: null,
    judged: null,
    version: 5,
    stageCount: 0,
    planVersion: 1,
    attempt: 1,
    refreshOnly: false,
    command: null,
    metadata: {},
    priority: 0,
    scheduledAt: null,
    applyAt: null,
    alarmAt: null,
    expired: null,
    escalatedAt: null,
    cancelRequest: null,
    forced: false,
    holdsWorkspace: true,
    originId: null,
    planRunId: null,
    changesetId: null,
    cause: null,
    awaitsUpstream: false,
    releasedAt: null,
    failure: null,
    reason: null,
    createdAt: AT,
    startedAt: AT,
    finishedAt: null,
    appliedAt: null,
    statusAt: AT,
    ...more,
  };
}

export function fakePlan(run: Run, version = 1, more: Partial<Plan> = {}): Plan {
  return {
    id: fakeId("plan", run.number * 100 + version),
    runId: run.id,
    version,
    engine: { name: "terraform", version: "1.11.4" },
    digest: "d".repeat(64),
    hasChanges: true,
    complete: true,
    additions: 2,
    changes: 0,
    destructions: 0,
    replacements: 0,
    imports: 0,
    moves: 0,
    forgets: 0,
    stateSerial: 0,
    targets: [],
    replace: [],
    outputChanges: [],
    actionInvocations: [],
    actionInvocationCount: 0,
    failedCheckCount: 0,
    archiveExpiredAt: null,
    createdAt: AT,
    ...more,
  };
}

export function fakeStatusEvent(run: Run, version: number): RunEvent {
  return {
    runId: run.id,
    version,
    at: AT,
    actorId: fakeActor.id,
    type: "STATUS_CHANGED",
    from: null,
    to: run.status,
    reason: null,
  };
}

export interface FakeContent {
  organizations: Organization[];
  workspaces: Workspace[];
  runs: Run[];
  plans: Plan[];
  events: RunEvent[];
}

/** A domain over a few plain objects. What is asked of it is noted in `calls`; what a test needs, it overrides. */
export function createFakeDomain(
  given: Partial<FakeContent> = {},
  overrides: Partial<Domain> = {},
): { domain: Domain; calls: string[]; content: FakeContent } {
  const content: FakeContent = { organizations: [], workspaces: [], runs: [], plans: [], events: [], ...given };
  const calls: string[] = [];
  const domain = { ...commands(), ...reads(content, calls), ...overrides };
  return { domain, calls, content };
}

/** Every command is missing: a test overrides those that it sends. */
function commands() {
  return mapRecord(COMMANDS, () => (): Promise<never> => Promise.reject(new Error("the test gives no such command")));
}

function reads(content: FakeContent, calls: string[]): Omit<Domain, keyof typeof COMMANDS> {
  const find = async <Entity extends { id: string }>(name: string, of: Entity[], ids: readonly string[]) => {
    calls.push(name);
    return ids.map((id) => of.find((entity) => entity.id === id) ?? null);
  };
  const each = async <Value>(name: string, keys: readonly unknown[], value: () => Value): Promise<Value[]> => {
    calls.push(name);
    return keys.map(value);
  };
  const page = async <Item, Position>(
    name: string,
    all: Item[],
    position: (item: Item) => Position,
    request: PageRequest<Position>,
  ): Promise<Page<Item>> => {
    calls.push(name);
    const begin = request.after === null ? 0 : all.findIndex((item) => position(item) === request.after) + 1;
    const end = request.before === null ? all.length : all.findIndex((item) => position(item) === request.before);
    const window = all.slice(begin, end);
    const ordered = request.direction === "forward" ? window : window.toReversed();
    return toPage(request, ordered.slice(0, request.limit + 1));
  };
  const plansOf = (runId: string): Plan[] => content.plans.filter((plan) => plan.runId === runId);
  return {
    authenticate: async () => fakeCaller,
    recheck: async () => fakeCaller,
    ownSessions: async () => [],
    ownPasskeys: async () => [],
    organizationSettingsDigest: () => "0".repeat(64),
    workspaceSettingsDigest: () => "0".repeat(64),
    freezeWindowStates: (windows) => windows.map(() => ({ open: false, nextOpensAt: null })),
    organizationBySlug: async (_caller, slug) => content.organizations.find((one) => one.slug === slug) ?? null,
    organizations: (_caller, ids) => find("organizations", content.organizations, ids),
    activities: (_caller, ids) => each("activities", ids, () => ({ counts: [], oldestAtGateId: null, places: null })),
    search: async () => [],
    cronTimes: async () => [],
    server: async () => ({ version: "0.0.0", publicUrl: null, features: [] }),
    listOrganizations: (_caller, request) =>
      page("listOrganizations", content.organizations, ({ slug }) => slug, request),
    workspaceByPath: async (_caller, _organization, name) =>
      content.workspaces.find((one) => one.name === name) ?? null,
    workspaces: (_caller, ids) => find("workspaces", content.workspaces, ids),
    workspacesEver: (_caller, ids) => find("workspacesEver", content.workspaces, ids),
    listWorkspaces: (_caller, _organization, _search, request) =>
      page("listWorkspaces", content.workspaces, ({ name }) => name, request),
    variables: (_caller, ids) => each("variables", ids, () => []),
    outputs: (_caller, ids) => each("outputs", ids, () => []),
    deploymentStatuses: (_caller, ids) => each("deploymentStatuses", ids, () => "PENDING"),
    currentRuns: (_caller, ids) => each("currentRuns", ids, () => null),
    workspaceActions: (_caller, ids) => each("workspaceActions", ids, () => []),
    stateLocks: (_caller, ids) => each("stateLocks", ids, () => null),
    stateVersions: (_caller, ids) => each("stateVersions", ids, () => null),
    currentStates: (_caller, ids) => each("currentStates", ids, () => null),
    listStateVersions: (_caller, _workspace, request) => page("listStateVersions", [], () => 0, request),
    stateResources: async () => ({ count: 0, resources: [], hasMore: false }),
    compareStates: async () => null,
    stateOutputs: (_caller, ids) => each("stateOutputs", ids, () => []),
    recoveredStateReadings: (_caller, ids) => each("recoveredStateReadings", ids, () => []),
    stateReadings: (_caller, ids) => each("stateReadings", ids, () => []),
    stateRollbacks: (_caller, ids) => each("stateRollbacks", ids, () => null),
    organizationStatistics: (_caller, ids) => each("organizationStatistics", ids, () => NO_STATISTICS),
    statistics: (_caller, ids) => each("statistics", ids, () => null),
    bulkOperations: (_caller, ids) => each("bulkOperations", ids, () => null),
    bulkCounts: async (_caller, operations) => [...operations],
    listBulkOperations: (_caller, request) => page("listBulkOperations", [], () => "", request),
    drifts: (_caller, ids) => each("drifts", ids, () => null),
    driftReports: (_caller, ids) => each("driftReports", ids, () => null),
    driftReportsOfRuns: (_caller, ids) => each("driftReportsOfRuns", ids, () => null),
    newestDriftReports: (_caller, ids) => each("newestDriftReports", ids, () => null),
    driftAcknowledgements: (_caller, ids) => each("driftAcknowledgements", ids, () => null),
    driftStatuses: (_caller, ids) => each("driftStatuses", ids, () => "UNKNOWN"),
    listDriftedResources: (_caller, _report, request) =>
      page<never, number>("listDriftedResources", [], () => 0, request),
    outputValues: (_caller, ids) => each("outputValues", ids, () => null),
    countResourceChanges: async () => 0,
    planIndexes: (_caller, ids) => each("planIndexes", ids, () => null),
    listResourceDrift: (_caller, _plan, request) => page<never, number>("listResourceDrift", [], () => 0, request),
    externalChecks: (_caller, ids) => each("externalChecks", ids, () => null),
    checksOfResults: (_caller, ids) => each("checksOfResults", ids, () => null),
    changeableChecks: (_caller, ids) => each("changeableChecks", ids, () => null),
    checksOfOrganizations: (_caller, ids) => each("checksOfOrganizations", ids, () => []),
    probesOfWorkspaces: (_caller, ids) => each("probesOfWorkspaces", ids, () => []),
    workspaceHealths: (_caller, ids) => each("workspaceHealths", ids, () => NO_HEALTH),
    healthTargets: (_caller, ids) => each("healthTargets", ids, () => []),
    healthHistory: async () => ({ buckets: [], problem: null }),
    checksOfWorkspaces: (_caller, ids) => each("checksOfWorkspaces", ids, () => []),
    testReports: (_caller, ids) => each("testReports", ids, () => null),
    runDiagnostics: (_caller, ids) => each("runDiagnostics", ids, () => []),
    planDiagnostics: (_caller, ids) => each("planDiagnostics", ids, () => []),
    scans: (_caller, ids) => each("scans", ids, () => null),
    checkReports: (_caller, ids) => each("checkReports", ids, () => null),
    appliedCheckReports: (_caller, ids) => each("appliedCheckReports", ids, () => null),
    verifications: (_caller, ids) => each("verifications", ids, () => null),
    rollbackCandidates: (_caller, ids) => each("rollbackCandidates", ids, () => null),
    verificationsOfRuns: (_caller, ids) => each("verificationsOfRuns", ids, () => null),
    checkResults: (_caller, ids) => each("checkResults", ids, () => null),
    checkResultsOfRuns: (_caller, ids) => each("checkResultsOfRuns", ids, () => []),
    checkOutcomes: async () => [],
    inboundHooks: (_caller, ids) => each("inboundHooks", ids, () => null),
    inboundHooksOfOrganizations: (_caller, ids) => each("inboundHooksOfOrganizations", ids, () => []),
    policyExceptions: (_caller, ids) => each("policyExceptions", ids, () => null),
    listPolicyExceptions: (_caller, _set, request) =>
      page<never, string>("listPolicyExceptions", [], () => "", request),
    schedules: (_caller, ids) => each("schedules", ids, () => null),
    schedulesOfWorkspaces: (_caller, ids) => each("schedulesOfWorkspaces", ids, () => []),
    listSchedules: (_caller, _organization, request) => page<never, string>("listSchedules", [], () => "", request),
    pipelines: (_caller, ids) => each("pipelines", ids, () => null),
    policyVersionContents: (_caller, ids) => each("policyVersionContents", ids, () => null),
    policyFixturesOfSets: (_caller, ids) => each("policyFixturesOfSets", ids, () => []),
    tryPolicy: async () => ({ problems: [], findings: [], errors: [], passed: 0, dropped: 0, cpuMs: 0 }),
    evaluationCounts: async () => [],
    listEvaluationsOfVersion: (_caller, _given, request) =>
      page<never, string>("listEvaluationsOfVersion", [], () => "", request),
    policySimulations: (_caller, ids) => each("policySimulations", ids, () => null),
    simulationCounts: async () => [],
    listSimulatedPlans: (_caller, _id, request) => page<never, number>("listSimulatedPlans", [], () => 0, request),
    policySets: (_caller, ids) => each("policySets", ids, () => null),
    policyVersions: (_caller, ids) => each("policyVersions", ids, () => null),
    currentPolicyVersions: (_caller, ids) => each("currentPolicyVersions", ids, () => []),
    policySetsOfWorkspaces: (_caller, ids) => each("policySetsOfWorkspaces", ids, () => []),
    listPolicySets: (_caller, _organization, request) => page<never, string>("listPolicySets", [], () => "", request),
    listPolicyVersions: (_caller, _set, request) => page<never, number>("listPolicyVersions", [], () => 0, request),
    listWorkspacesOfPolicySet: (_caller, _set, request) =>
      page<never, string>("listWorkspacesOfPolicySet", [], () => "", request),
    promotionsOf: (_caller, ids) => each("promotionsOf", ids, () => []),
    listPipelines: (_caller, _organization, request) => page<never, string>("listPipelines", [], () => "", request),
    changesets: (_caller, ids) => each("changesets", ids, () => null),
    listChangesets: (_caller, _organization, _states, request) =>
      page<never, string>("listChangesets", [], () => "", request),
    dependenciesOf: (_caller, ids) => each("dependenciesOf", ids, () => []),
    changesetWaves: (_caller, ids) => each("changesetWaves", ids, () => []),
    listBulkResults: (_caller, _operation, request) => page("listBulkResults", [], () => 0, request),
    timelines: (_caller, runs) => each("timelines", runs, () => []),
    runs: (_caller, ids) => find("runs", content.runs, ids),
    runSummaries: (_caller, ids) => find("runSummaries", content.runs, ids),
    runByNumber: async (_caller, _workspace, number) => content.runs.find((run) => run.number === number) ?? null,
    listRuns: (_caller, filter, request) => {
      const matching = content.runs.filter(({ status }) => filter.statuses?.includes(status) ?? true);
      return page("listRuns", matching, ({ id }) => id, request);
    },
    listQueue: async (_caller, _workspaceId, request) => toPage(request, []),
    countQueue: async () => 0,
    countRuns: async () => {
      calls.push("countRuns");
      return content.runs.length;
    },
    blockers: (_caller, runs) => each("blockers", runs, () => []),
    actions: (_caller, runs) => each("actions", runs, () => []),
    forceAllowedAt: (_caller, runs) => each("forceAllowedAt", runs, () => FORCE_ALLOWED_AT),
    plans: (_caller, ids) => find("plans", content.plans, ids),
    plansOfRuns: async (_caller, ids) => {
      calls.push("plansOfRuns");
      return ids.map(plansOf);
    },
    newestPlans: async (_caller, ids) => {
      calls.push("newestPlans");
      return ids.map((id) => plansOf(id).at(-1) ?? null);
    },
    planCosts: (_caller, ids) => each("planCosts", ids, () => null),
    planTexts: (_caller, ids) => each("planTexts", ids, () => "+ a"),
    listResourceChanges: (_caller, _plan, _actions, request) =>
      page<never, number>("listResourceChanges", [], () => 0, request),
    destroyedAddresses: (_caller, ids) => each("destroyedAddresses", ids, () => []),
    phases: (_caller, ids) => each("phases", ids, () => null),
    variablesOfRuns: (_caller, ids) => each("variablesOfRuns", ids, () => []),
    hooksOfRuns: (_caller, ids) => each("hooksOfRuns", ids, () => []),
    upstreamInputsOfRuns: (_caller, ids) => each("upstreamInputsOfRuns", ids, () => []),
    inputsOfRuns: (_caller, ids) => each("inputsOfRuns", ids, () => null),
    reportedFolders: (_caller, ids) => each("reportedFolders", ids, () => []),
    logExpiries: (_caller, ids) => each("logExpiries", ids, () => null),
    progress: (_caller, runs) => each("progress", runs, () => null),
    runsWithPhases: async (_caller, ids) =>
      (await find("runsWithPhases", content.runs, ids)).map((run) => run && { ...run, phases: [] }),
    phasesOfRuns: (_caller, ids) => each("phasesOfRuns", ids, () => []),
    approvals: (_caller, ids) => each("approvals", ids, () => null),
    approvalsOfRuns: (_caller, ids) => each("approvalsOfRuns", ids, () => []),
    approvalRequirements: (_caller, runs) => each("approvalRequirements", runs, () => []),
    policyEvaluations: (_caller, ids) => each("policyEvaluations", ids, () => null),
    policyResults: (_caller, ids) => each("policyResults", ids, () => null),
    overridersOfResults: (_caller, ids) => each("overridersOfResults", ids, () => null),
    policyEvaluationsOfRuns: (_caller, ids) => each("policyEvaluationsOfRuns", ids, () => []),
    listPolicyResults: (_caller, _evaluation, _statuses, request) =>
      page<never, number>("listPolicyResults", [], () => 0, request),
    runComments: (_caller, ids) => each("runComments", ids, () => null),
    listRunComments: (_caller, _run, request) => page<never, string>("listRunComments", [], () => "", request),
    listRunEvents: (_caller, runId, request) =>
      page(
        "listRunEvents",
        content.events.filter((event) => event.runId === runId),
        ({ version }) => version,
        request,
      ),
    latestRuns: (_caller, ids) => each("latestRuns", ids, () => null),
    countWorkspaces: async () => 0,
    readInbox: async () => ({ entries: [], digest: "" }),
    inboxState: async () => ({ digest: "A".repeat(43), at: "2026-11-20T16:07:25.447Z", accessVersion: 0 }),
    logExtents: (_caller, ids) => each("logExtents", ids, () => ({ lineCount: 0, rangeOf: () => null })),
    listLogMatches: async () => ({ items: [], searchedTo: 0, hasNextPage: false, hasPreviousPage: false }),
    listLogLines: (_caller, _run, _phase, request) => page<never, number>("listLogLines", [], () => 0, request),
    actors: (ids) => find("actors", [fakeActor], ids),
    people: (_caller, ids) => find("people", [fakeActor], ids),
    membersOfOrganizations: (_caller, ids) => each("membersOfOrganizations", ids, () => []),
    explainAccess: async () => null,
    projects: (_caller, ids) => each("projects", ids, () => null),
    projectsOfOrganizations: (_caller, ids) => each("projectsOfOrganizations", ids, () => []),
    projectPaths: (projects) => each("projectPaths", projects, () => ""),
    teams: (_caller, ids) => each("teams", ids, () => null),
    invitationsOfOrganizations: (_caller, ids) => each("invitationsOfOrganizations", ids, () => []),
    teamsOfOrganizations: (_caller, ids) => each("teamsOfOrganizations", ids, () => []),
    membersOfTeams: (_caller, ids) => each("membersOfTeams", ids, () => []),
    roles: (_caller, ids) => each("roles", ids, () => null),
    rolesOfOrganizations: (_caller, ids) => each("rolesOfOrganizations", ids, () => []),
    serviceAccountsOfOrganizations: (_caller, ids) => each("serviceAccountsOfOrganizations", ids, () => []),
    trustRules: (_caller, ids) => each("trustRules", ids, () => null),
    trustRulesOfAccounts: (_caller, ids) => each("trustRulesOfAccounts", ids, () => []),
    grants: (_caller, ids) => each("grants", ids, () => null),
    grantsOfOrganizations: (_caller, ids) => each("grantsOfOrganizations", ids, () => []),
    grantsOfProjects: (_caller, ids) => each("grantsOfProjects", ids, () => []),
    grantsOfWorkspaces: (_caller, ids) => each("grantsOfWorkspaces", ids, () => []),
    grantsOfRuns: (_caller, ids) => each("grantsOfRuns", ids, () => []),
    workspacesOfActors: (_caller, ids) => each("workspacesOfActors", ids, () => null),
    grantsOfTeams: (_caller, ids) => each("grantsOfTeams", ids, () => []),
    runners: (_caller, ids) => each("runners", ids, () => null),
    runnerPools: (_caller, ids) => each("runnerPools", ids, () => null),
    runnerTokens: (_caller, ids) => each("runnerTokens", ids, () => null),
    runnerPoolsOfOrganizations: (_caller, ids) => each("runnerPoolsOfOrganizations", ids, () => []),
    tokensOfRunnerPools: (_caller, ids) => each("tokensOfRunnerPools", ids, () => []),
    jobsOfRunners: (_caller, ids) => each("jobsOfRunners", ids, () => []),
    listRunners: (_caller, _whose, request) => page<never, string>("listRunners", [], () => "", request),
    ownTokens: async () => [],
    tokens: (_caller, ids) => each("tokens", ids, () => null),
    listSessions: (_caller, _actorId, request) => page<never, string>("listSessions", [], () => "", request),
    listGrants: (_caller, _organizationId, request) => page<never, string>("listGrants", [], () => "", request),
    listMembers: (_caller, request) => page<never, string>("listMembers", [], () => "", request),
    listTokens: (_caller, _filter, request) => page<never, string>("listTokens", [], () => "", request),
    recoveredStates: (_caller, ids) => each("recoveredStates", ids, () => null),
    undecidedStatesOfWorkspaces: (_caller, ids) => each("undecidedStatesOfWorkspaces", ids, () => []),
    recoveredStatesOfRuns: (_caller, ids) => each("recoveredStatesOfRuns", ids, () => []),
    listRejectedCommands: (_caller, _of, request) => page<never, number>("listRejectedCommands", [], () => 0, request),
    listRefusedRequests: (_caller, _run, request) => page<never, number>("listRefusedRequests", [], () => 0, request),
    countRefusedRequests: (_caller, ids) => each("countRefusedRequests", ids, () => 0),
    gitHosts: (_caller, ids) => each("gitHosts", ids, () => null),
    gitHostsOfOrganizations: (_caller, ids) => each("gitHostsOfOrganizations", ids, () => []),
    repositories: (_caller, ids) => each("repositories", ids, () => null),
    repositoryHealths: (_caller, ids) => each("repositoryHealths", ids, () => null),
    listTriggerDecisions: (_caller, _change, request) =>
      page<never, string>("listTriggerDecisions", [], () => "", request),
    workspaceSyncs: (_caller, ids) =>
      each("workspaceSyncs", ids, () => ({ state: "UNKNOWN", since: null, appliedInputs: null, headInputs: null })),
    inputsOfDecisions: (_caller, ids) => each("inputsOfDecisions", ids, () => null),
    explainTrigger: async () => {
      calls.push("explainTrigger");
      return null;
    },
    previewTriggers: async () => {
      calls.push("previewTriggers");
      return [];
    },
    supersedingRuns: (_caller, ids) => each("supersedingRuns", ids, () => null),
    refChanges: (_caller, ids) => each("refChanges", ids, () => null),
    listRefChanges: (_caller, _repository, _ref, request) =>
      page<never, number>("listRefChanges", [], () => 0, request),
    repositoriesOfOrganizations: (_caller, ids) => each("repositoriesOfOrganizations", ids, () => []),
    webhooks: (_caller, ids) => each("webhooks", ids, () => null),
    webhooksOfOrganizations: (_caller, ids) => each("webhooksOfOrganizations", ids, () => []),
    webhooksOfWorkspaces: (_caller, ids) => each("webhooksOfWorkspaces", ids, () => []),
    webhookDeliveries: (_caller, ids) => each("webhookDeliveries", ids, () => null),
    listWebhookDeliveries: (_caller, _webhook, _state, request) =>
      page<never, string>("listWebhookDeliveries", [], () => "", request),
    webhookAttempts: (_caller, ids) => each("webhookAttempts", ids, () => []),
  };
}
