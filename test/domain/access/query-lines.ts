/** How each query is asked about a sample. */
import { EVERY_CHANGE } from "../../../src/model/plan/change-filter.ts";
import type { Queries } from "../../../src/domain/domain.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { UserError } from "../../../src/model/kit/user-error.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { admin, type Sample } from "./sample.ts";

export const PAGE = { limit: 10, direction: "forward", after: null, before: null } as const;
const ALL_TOKENS = { revoked: null, organizationId: null } as const;
const WINDOW = { from: "2000-01-01T00:00:00.000Z", to: "2100-01-01T00:00:00.000Z" };

export type Read = (domain: Queries, caller: ActorCaller, sample: Sample) => Promise<unknown>;

/** Queries about what lies in a workspace. */
export const IN_WORKSPACE = {
  bulkCounts: async (domain, caller, { bulk }) => {
    const counts = await domain.bulkCounts(caller, [bulk]);
    return counts.map(({ totalCount }) => totalCount);
  },
  workspaceByPath: (domain, caller, { name }) => domain.workspaceByPath(caller, "default", name),
  workspaces: (domain, caller, { workspaceId }) => domain.workspaces(caller, [workspaceId]),
  workspacesEver: (domain, caller, { workspaceId }) => domain.workspacesEver(caller, [workspaceId]),
  variables: (domain, caller, { workspaceId }) => domain.variables(caller, [workspaceId]),
  outputs: (domain, caller, { workspaceId }) => domain.outputs(caller, [workspaceId]),
  deploymentStatuses: (domain, caller, { workspaceId }) => domain.deploymentStatuses(caller, [workspaceId]),
  latestRuns: (domain, caller, { workspaceId }) => domain.latestRuns(caller, [workspaceId]),
  currentRuns: (domain, caller, { workspaceId }) => domain.currentRuns(caller, [workspaceId]),
  workspaceActions: (domain, caller, { workspaceId }) => domain.workspaceActions(caller, [workspaceId]),
  stateLocks: (domain, caller, { workspaceId }) => domain.stateLocks(caller, [workspaceId]),
  statistics: (domain, caller, { workspaceId }) => domain.statistics(caller, [workspaceId], WINDOW),
  grantsOfWorkspaces: (domain, caller, { workspaceId }) => domain.grantsOfWorkspaces(caller, [workspaceId]),
  grantsOfRuns: (domain, caller, { workspaceId }) => domain.grantsOfRuns(caller, [workspaceId]),
  workspacesOfActors: (domain, caller, { runsActorId }) => domain.workspacesOfActors(caller, [runsActorId]),
  runs: (domain, caller, { run }) => domain.runs(caller, [run.id]),
  runSummaries: (domain, caller, { run }) => domain.runSummaries(caller, [run.id]),
  runByNumber: (domain, caller, { workspaceId }) => domain.runByNumber(caller, workspaceId, 1),
  listRuns: (domain, caller, { workspaceId }) => domain.listRuns(caller, { workspaceId }, PAGE, { detail: "WHOLE" }),
  listQueue: (domain, caller, { workspaceId }) => domain.listQueue(caller, workspaceId, PAGE),
  countQueue: (domain, caller, { workspaceId }) => domain.countQueue(caller, workspaceId, 10),
  countRuns: (domain, caller, { workspaceId }) => domain.countRuns(caller, { workspaceId }, 10),
  timelines: (domain, caller, { run }) => domain.timelines(caller, [run]),
  blockers: (domain, caller, { waiting }) => domain.blockers(caller, [waiting]),
  actions: async (domain, caller, { run }) => (await domain.actions(caller, [run])).map((each) => each.length),
  forceAllowedAt: (domain, caller, { waiting }) => domain.forceAllowedAt(caller, [waiting]),
  approvalRequirements: async (domain, caller, { run }) =>
    (await domain.approvalRequirements(caller, [run])).map((each) => each.length),
  plans: (domain, caller, { planId }) => domain.plans(caller, [planId]),
  plansOfRuns: (domain, caller, { run }) => domain.plansOfRuns(caller, [run.id]),
  newestPlans: (domain, caller, { run }) => domain.newestPlans(caller, [run.id]),
  testReports: (domain, caller, { run }) => domain.testReports(caller, [run.id]),
  runDiagnostics: (domain, caller, { run }) => domain.runDiagnostics(caller, [run.id]),
  planDiagnostics: (domain, caller, { planId }) => domain.planDiagnostics(caller, [planId]),
  scans: (domain, caller, { run }) => domain.scans(caller, [run.id]),
  checkReports: (domain, caller, { run }) => domain.checkReports(caller, [run.id]),
  appliedCheckReports: (domain, caller, { workspaceId }) => domain.appliedCheckReports(caller, [workspaceId]),
  planCosts: (domain, caller, { planId }) => domain.planCosts(caller, [planId]),
  outputValues: (domain, caller, { planId }) => domain.outputValues(caller, [planId]),
  planTexts: (domain, caller, { planId }) => domain.planTexts(caller, [planId]),
  listResourceChanges: (domain, caller, { planId }) => domain.listResourceChanges(caller, planId, EVERY_CHANGE, PAGE),
  countResourceChanges: (domain, caller, { planId }) => domain.countResourceChanges(caller, planId, EVERY_CHANGE),
  planIndexes: async (domain, caller, { planId }) =>
    (await domain.planIndexes(caller, [planId])).map((index) => index?.changes ?? []),
  listResourceDrift: (domain, caller, { planId }) => domain.listResourceDrift(caller, planId, PAGE),
  destroyedAddresses: (domain, caller, { planId }) => domain.destroyedAddresses(caller, [planId]),
  variablesOfRuns: (domain, caller, { run }) => domain.variablesOfRuns(caller, [run.id]),
  hooksOfRuns: (domain, caller, { run }) => domain.hooksOfRuns(caller, [run.id]),
  reportedFolders: (domain, caller, { run }) => domain.reportedFolders(caller, [run.id]),
  upstreamInputsOfRuns: (domain, caller, { run }) => domain.upstreamInputsOfRuns(caller, [run.id]),
  inputsOfRuns: (domain, caller, { run }) => domain.inputsOfRuns(caller, [run.id]),
  supersedingRuns: (domain, caller, { waiting }) => domain.supersedingRuns(caller, [waiting.id]),
  listTriggerDecisions: async (domain, caller, { shared, workspaceId }) =>
    (await domain.listTriggerDecisions(caller, shared.refChangeId, PAGE)).items.filter(
      (decision) => decision.workspaceId === workspaceId,
    ),
  workspaceSyncs: (domain, caller, { workspaceId }) => domain.workspaceSyncs(caller, [workspaceId]),
  explainTrigger: (domain, caller, { shared, workspaceId }) =>
    domain.explainTrigger(caller, shared.refChangeId, workspaceId),
  inputsOfDecisions: async (domain, caller, { shared, workspaceId }) => {
    const { items } = await domain.listTriggerDecisions(admin, shared.refChangeId, PAGE);
    const own = items.filter((decision) => decision.workspaceId === workspaceId);
    return (await domain.inputsOfDecisions(caller, own)).filter((inputs) => inputs !== null);
  },
  logExpiries: (domain, caller, { waiting }) => domain.logExpiries(caller, [waiting.id]),
  progress: (domain, caller, { run }) => domain.progress(caller, [run]),
  phases: (domain, caller, { phaseId }) => domain.phases(caller, [phaseId]),
  runsWithPhases: (domain, caller, { run }) => domain.runsWithPhases(caller, [run.id]),
  phasesOfRuns: (domain, caller, { run }) => domain.phasesOfRuns(caller, [run.id]),
  approvals: (domain, caller, { approvalId }) => domain.approvals(caller, [approvalId]),
  approvalsOfRuns: (domain, caller, { run }) => domain.approvalsOfRuns(caller, [run.id]),
  policyEvaluations: (domain, caller, { evaluationId }) => domain.policyEvaluations(caller, [evaluationId]),
  policyResults: (domain, caller, { resultId }) => domain.policyResults(caller, [resultId]),
  overridersOfResults: (domain, caller, { resultId }) => domain.overridersOfResults(caller, [resultId]),
  policyEvaluationsOfRuns: (domain, caller, { run }) => domain.policyEvaluationsOfRuns(caller, [run.id]),
  listPolicyResults: (domain, caller, { evaluationId }) => domain.listPolicyResults(caller, evaluationId, [], PAGE),
  runComments: (domain, caller, { commentId }) => domain.runComments(caller, [commentId]),
  listRunComments: (domain, caller, { run }) => domain.listRunComments(caller, run.id, PAGE),
  listRunEvents: (domain, caller, { run }) => domain.listRunEvents(caller, run.id, PAGE),
  logExtents: async (domain, caller, { run }) => {
    const extents = await domain.logExtents(caller, [run.id]);
    return extents.map((extent) => extent?.lineCount ?? null);
  },
  listLogMatches: (domain, caller, { run }) =>
    domain.listLogMatches(caller, run.id, { text: "a", after: 0, limit: 10 }),
  listLogLines: (domain, caller, { run }) => domain.listLogLines(caller, run.id, { phase: null, streams: null }, PAGE),
  recoveredStatesOfRuns: (domain, caller, { run }) => domain.recoveredStatesOfRuns(caller, [run.id]),
  undecidedStatesOfWorkspaces: (domain, caller, { workspaceId }) =>
    domain.undecidedStatesOfWorkspaces(caller, [workspaceId]),
  recoveredStateReadings: (domain, caller, { recoveredStateId }) =>
    domain.recoveredStateReadings(caller, [recoveredStateId]),
  recoveredStates: (domain, caller, { recoveredStateId }) => domain.recoveredStates(caller, [recoveredStateId]),
  listRefusedRequests: (domain, caller, { run }) => domain.listRefusedRequests(caller, run.id, PAGE),
  listRejectedCommands: (domain, caller, { run }) => domain.listRejectedCommands(caller, { runId: run.id }, PAGE),
  countRefusedRequests: (domain, caller, { run }) => domain.countRefusedRequests(caller, [run.id]),
  stateVersions: (domain, caller, { version }) => domain.stateVersions(caller, [version.id]),
  currentStates: (domain, caller, { workspaceId }) => domain.currentStates(caller, [workspaceId]),
  listStateVersions: (domain, caller, { workspaceId }) => domain.listStateVersions(caller, workspaceId, PAGE),
  stateResources: (domain, caller, { version }) =>
    domain.stateResources(caller, version, { search: null, after: -1, max: 10 }),
  compareStates: (domain, caller, { workspaceId, version }) =>
    domain.compareStates(caller, workspaceId, version.id, version.id),
  stateOutputs: (domain, caller, { version }) => domain.stateOutputs(caller, [version.id]),
  stateReadings: (domain, caller, { version }) => domain.stateReadings(caller, [version.id]),
  stateRollbacks: (domain, caller, { waiting }) => domain.stateRollbacks(caller, [waiting.id]),
  dependenciesOf: (domain, caller, { workspaceId }) => domain.dependenciesOf(caller, [workspaceId]),
  drifts: (domain, caller, { workspaceId }) => domain.drifts(caller, [workspaceId]),
  driftReports: (domain, caller, { driftReportId }) => domain.driftReports(caller, [driftReportId]),
  driftReportsOfRuns: (domain, caller, { run }) => domain.driftReportsOfRuns(caller, [run.id]),
  newestDriftReports: (domain, caller, { workspaceId }) => domain.newestDriftReports(caller, [workspaceId]),
  driftAcknowledgements: (domain, caller, { driftReportId }) => domain.driftAcknowledgements(caller, [driftReportId]),
  driftStatuses: async (domain, caller, { workspaceId }) =>
    (await domain.driftStatuses(caller, [workspaceId])).map((status) => (status === "UNKNOWN" ? null : status)),
  listDriftedResources: (domain, caller, { driftReportId }) => domain.listDriftedResources(caller, driftReportId, PAGE),
  schedules: (domain, caller, { scheduleId }) => domain.schedules(caller, [scheduleId]),
  schedulesOfWorkspaces: (domain, caller, { workspaceId }) => domain.schedulesOfWorkspaces(caller, [workspaceId]),
  changesets: (domain, caller, { changesetId }) => domain.changesets(caller, [changesetId]),
  changesetWaves: (domain, caller, { changesetId }) => domain.changesetWaves(caller, [changesetId]),
  probesOfWorkspaces: (domain, caller, { workspaceId }) => domain.probesOfWorkspaces(caller, [workspaceId]),
  healthHistory: async (domain, caller, { workspaceId }) => {
    const now = Date.now();
    const [from, to] = [new Date(now - 3_600_000).toISOString(), new Date(now).toISOString()];
    return (await domain.healthHistory(caller, workspaceId, { probe: "web", from, to })).buckets;
  },
  workspaceHealths: async (domain, caller, { workspaceId }) =>
    (await domain.workspaceHealths(caller, [workspaceId])).map(({ since }) => since),
  healthTargets: (domain, caller, { workspaceId }) => domain.healthTargets(caller, [workspaceId]),
  checksOfWorkspaces: (domain, caller, { workspaceId }) => domain.checksOfWorkspaces(caller, [workspaceId]),
  checkResults: (domain, caller, { checkResultId }) => domain.checkResults(caller, [checkResultId]),
  checkResultsOfRuns: (domain, caller, { run }) => domain.checkResultsOfRuns(caller, [run.id]),
  verifications: (domain, caller, { verificationId }) => domain.verifications(caller, [verificationId]),
  verificationsOfRuns: (domain, caller, { run }) => domain.verificationsOfRuns(caller, [run.id]),
  checkOutcomes: (domain, caller, { checkResultId }) => domain.checkOutcomes(caller, checkResultId),
  webhooks: (domain, caller, { webhookId }) => domain.webhooks(caller, [webhookId]),
  webhooksOfWorkspaces: (domain, caller, { workspaceId }) => domain.webhooksOfWorkspaces(caller, [workspaceId]),
  webhookDeliveries: (domain, caller, { deliveryId }) => domain.webhookDeliveries(caller, [deliveryId]),
  listWebhookDeliveries: (domain, caller, { webhookId }) => domain.listWebhookDeliveries(caller, webhookId, null, PAGE),
  webhookAttempts: (domain, caller, { deliveryId }) => domain.webhookAttempts(caller, [deliveryId]),
} as const satisfies Partial<Record<keyof Queries, Read>>;

/** Queries of the organization that the workspace is in: who has a right in it sees it. */
export const OF_ORGANIZATION = {
  organizationBySlug: (domain, caller) => domain.organizationBySlug(caller, "default"),
  organizations: (domain, caller) => domain.organizations(caller, [DEFAULT_ORGANIZATION_ID]),
  listOrganizations: async (domain, caller) => (await domain.listOrganizations(caller, PAGE)).items,
  externalChecks: (domain, caller, { shared }) => domain.externalChecks(caller, [shared.checkId]),
  checksOfResults: (domain, caller, { shared }) => domain.checksOfResults(caller, [shared.checkId]),
  checksOfOrganizations: (domain, caller) => domain.checksOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  roles: (domain, caller, { shared }) => domain.roles(caller, [shared.roleId]),
  rolesOfOrganizations: (domain, caller) => domain.rolesOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
} as const satisfies Partial<Record<keyof Queries, Read>>;

/** Queries about people and projects: a grant on a workspace shows nothing of them. */
export const OF_PEOPLE = {
  people: (domain, caller, { shared }) => domain.people(caller, [shared.accountId]),
  membersOfOrganizations: (domain, caller) => domain.membersOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  explainAccess: (domain, caller, { shared }) =>
    domain.explainAccess(caller, { permission: "RUN_READ", scopeId: shared.projectId, actorId: shared.accountId }),
  projects: (domain, caller, { shared }) => domain.projects(caller, [shared.projectId]),
  projectsOfOrganizations: (domain, caller) => domain.projectsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  teams: (domain, caller, { shared }) => domain.teams(caller, [shared.teamId]),
  invitationsOfOrganizations: (domain, caller) => domain.invitationsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  teamsOfOrganizations: (domain, caller) => domain.teamsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  membersOfTeams: (domain, caller, { shared }) => domain.membersOfTeams(caller, [shared.teamId]),
  serviceAccountsOfOrganizations: (domain, caller) =>
    domain.serviceAccountsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  trustRules: (domain, caller, { shared }) => domain.trustRules(caller, [shared.trustRuleId]),
  trustRulesOfAccounts: (domain, caller, { shared }) => domain.trustRulesOfAccounts(caller, [shared.accountId]),
  grants: (domain, caller, { shared }) => domain.grants(caller, [shared.grantId]),
  grantsOfOrganizations: (domain, caller) => domain.grantsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  grantsOfProjects: (domain, caller, { shared }) => domain.grantsOfProjects(caller, [shared.projectId]),
  grantsOfTeams: (domain, caller, { shared }) => domain.grantsOfTeams(caller, [shared.teamId]),
} as const satisfies Partial<Record<keyof Queries, Read>>;

/** Queries about what lies above workspaces: a grant on a workspace shows nothing of it. */
export const ABOVE = {
  runnerPools: (domain, caller, { shared }) => domain.runnerPools(caller, [shared.poolId]),
  runnerPoolsOfOrganizations: (domain, caller) => domain.runnerPoolsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  tokensOfRunnerPools: (domain, caller, { shared }) => domain.tokensOfRunnerPools(caller, [shared.poolId]),
  runnerTokens: async (domain, caller, { shared }) => {
    const [[token] = []] = await domain.tokensOfRunnerPools(admin, [shared.poolId]);
    return domain.runnerTokens(caller, [token?.id ?? ""]);
  },
  listSessions: (domain, caller) => domain.listSessions(caller, null, PAGE),
  listRunners: (domain, caller) => domain.listRunners(caller, { organizationId: DEFAULT_ORGANIZATION_ID }, PAGE),
  runners: async (domain, caller) => domain.runners(caller, await runnerIds(domain)),
  jobsOfRunners: async (domain, caller) => domain.jobsOfRunners(caller, await runnerIds(domain)),
  tokens: async (domain, caller) => {
    const { items } = await domain.listTokens(admin, ALL_TOKENS, PAGE);
    return domain.tokens(
      caller,
      items.map(({ id }) => id),
    );
  },
  listTokens: (domain, caller) => domain.listTokens(caller, ALL_TOKENS, PAGE),
  listMembers: (domain, caller) => domain.listMembers(caller, PAGE),
  gitHosts: (domain, caller, { shared }) => domain.gitHosts(caller, [shared.gitHostId]),
  gitHostsOfOrganizations: (domain, caller) => domain.gitHostsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  changeableChecks: (domain, caller, { shared }) => domain.changeableChecks(caller, [shared.checkId]),
  inboundHooks: (domain, caller, { shared }) => domain.inboundHooks(caller, [shared.inboundHookId]),
  inboundHooksOfOrganizations: (domain, caller) =>
    domain.inboundHooksOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  policyExceptions: (domain, caller, { shared }) => domain.policyExceptions(caller, [shared.policyExceptionId]),
  listPolicyExceptions: async (domain, caller, { shared }) =>
    (await domain.listPolicyExceptions(caller, { setId: shared.policySetId, expired: null }, PAGE)).items,
  pipelines: (domain, caller, { shared }) => domain.pipelines(caller, [shared.pipelineId]),
  listPipelines: async (domain, caller) => (await domain.listPipelines(caller, DEFAULT_ORGANIZATION_ID, PAGE)).items,
  policySets: (domain, caller, { shared }) => domain.policySets(caller, [shared.policySetId]),
  policyVersions: (domain, caller, { shared }) => domain.policyVersions(caller, [shared.policyVersionId]),
  policySimulations: (domain, caller, { shared }) => domain.policySimulations(caller, [shared.simulationId]),
  policyVersionContents: (domain, caller, { shared }) => domain.policyVersionContents(caller, [shared.policyVersionId]),
  policyFixturesOfSets: (domain, caller, { shared }) => domain.policyFixturesOfSets(caller, [shared.policySetId]),
  tryPolicy: (domain, caller, { shared }) =>
    domain
      .tryPolicy(caller, {
        policySetId: shared.policySetId,
        versionId: shared.policyVersionId,
        rules: null,
        point: "PLAN",
        document: "",
        planId: null,
        context: null,
      })
      .catch(codeOf),
  currentPolicyVersions: (domain, caller, { shared }) => domain.currentPolicyVersions(caller, [shared.policySetId]),
  policySetsOfWorkspaces: (domain, caller, { workspaceId }) => domain.policySetsOfWorkspaces(caller, [workspaceId]),
  listPolicySets: async (domain, caller) => (await domain.listPolicySets(caller, DEFAULT_ORGANIZATION_ID, PAGE)).items,
  listPolicyVersions: async (domain, caller, { shared }) =>
    (await domain.listPolicyVersions(caller, shared.policySetId, PAGE)).items,
  promotionsOf: (domain, caller, { changesetId }) => domain.promotionsOf(caller, [changesetId]),
  repositories: (domain, caller, { shared }) => domain.repositories(caller, [shared.repositoryId]),
  previewTriggers: (domain, caller, { shared }) =>
    domain.previewTriggers(caller, shared.repositoryId, { ref: "", commit: "" }).catch(codeOf),
  repositoryHealths: (domain, caller, { shared }) => domain.repositoryHealths(caller, [shared.repositoryId]),
  refChanges: (domain, caller, { shared }) => domain.refChanges(caller, [shared.refChangeId]),
  listRefChanges: async (domain, caller, { shared }) =>
    (await domain.listRefChanges(caller, shared.repositoryId, null, PAGE)).items,
  repositoriesOfOrganizations: (domain, caller) =>
    domain.repositoriesOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
} as const satisfies Partial<Record<keyof Queries, Read>>;

/** Queries about what the administrator has done: no one else sees it without a permission on the installation. */
export const OF_ANOTHER = {
  bulkOperations: (domain, caller, { bulk }) => domain.bulkOperations(caller, [bulk.id]),
  listBulkResults: (domain, caller, { bulk }) => domain.listBulkResults(caller, bulk, PAGE),
} as const satisfies Partial<Record<keyof Queries, Read>>;

/** How a query is refused. */
function codeOf(error: unknown): string {
  if (error instanceof UserError) return error.code;
  throw error;
}

async function runnerIds(domain: Queries): Promise<string[]> {
  const { items } = await domain.listRunners(admin, { organizationId: DEFAULT_ORGANIZATION_ID }, PAGE);
  return items.map(({ id }) => id);
}
