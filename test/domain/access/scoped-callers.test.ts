/** A caller with a grant on one workspace reads that one as an administrator does, and another like one that is absent. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Domain } from "../../../src/domain/domain.ts";
import type { Queries } from "../../../src/domain/domain.ts";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { rightsOf, rightsOfRole } from "../../../src/model/people/rights.ts";
import type { Grant } from "../../../src/model/people/grant.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import type { Run } from "../../../src/model/run/run.ts";
import type { StateVersion } from "../../../src/model/state/state-version.ts";
import { fakeId, fakeRun } from "../../support/fake-domain.ts";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { onOrganization, onWorkspace } from "../../support/rights.ts";
import { openScene, type Scene } from "../scene.ts";

/** What one workspace has of everything that queries ask about. */
interface Sample {
  workspaceId: string;
  name: string;
  run: Run;
  planId: string;
  phaseId: string;
  approvalId: string;
  commentId: string;
  version: StateVersion;
  webhookId: string;
  deliveryId: string;
  scheduleId: string;
  /** The actor of what its runs do. */
  runsActorId: string;
}

const PAGE = { limit: 10, direction: "forward", after: null, before: null } as const;
const ALL_TOKENS = { revoked: null, organizationId: null } as const;
const WINDOW = { from: "2000-01-01T00:00:00.000Z", to: "2100-01-01T00:00:00.000Z" };

let scene: Scene;
let seen: Sample;
let hidden: Sample;
let absent: Sample;
let poolId: string;
let projectId: string;
let teamId: string;
let grantId: string;
let trustRuleId = "";
let accountId: string;
let gitHostId: string;
let repositoryId: string;

const admin: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: ADMIN_TOKEN_ID,
  actor: { id: ADMIN_ACTOR_ID, kind: "USER", name: "admin" },
  rights: rightsOfRole("ADMIN"),
  accessVersion: { version: 1, moves: 1 },
};
const withGrants = (...grants: Grant[]): ActorCaller => ({
  ...admin,
  rights: rightsOf(grants),
});
/** An administrator of the seen workspace and of nothing else. */
const scoped = (): ActorCaller => withGrants(onWorkspace("ADMIN", seen.workspaceId));

async function sampleOf(): Promise<Sample> {
  const { domain, url } = scene.server;
  const workspaceId = await scene.createWorkspace();
  const state = { version: 4, terraform_version: "1.9.0", serial: 1, lineage: workspaceId, outputs: {}, resources: [] };
  const sent = await fetch(`${url}/workspaces/${workspaceId}/state`, {
    method: "POST",
    headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/json" },
    body: JSON.stringify(state),
  });
  expect(sent.ok, await sent.text()).toBe(true);
  await scene.send("setVariable", { workspaceId, key: "region", value: "eu" });
  await scene.send("lockWorkspace", { workspaceId });
  await scene.send("unlockWorkspace", { workspaceId });
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  const { comment } = await domain.commentOnRun(admin, { runId, text: "Look." });
  await domain.approveRun(admin, { runId, gate: "PLAN", planVersion: 1, comment: null });
  const { webhook } = await domain.createWebhook(admin, {
    organizationId: DEFAULT_ORGANIZATION_ID,
    workspaceId,
    url: "https://example.com/hook",
    events: ["run.ended"],
    secret: null,
    description: null,
  });
  const schedule = await domain.createSchedule(admin, {
    organizationId: DEFAULT_ORGANIZATION_ID,
    workspaceId,
    label: null,
    name: "nightly",
    cron: "30 2 * * *",
    timeZone: "UTC",
    spreadMinutes: 0,
    misfire: "ONCE",
    action: "RUN",
    command: null,
    enabled: true,
  });
  const delivery = await domain.testWebhook(admin, { webhookId: webhook.id });
  const grant = { roleId: builtInRoleId("READER"), expiresAt: null, reason: null };
  await domain.createGrant(admin, { ...grant, principalId: workspaceId, scopeId: workspaceId });
  const [runs] = await scene.rows("select id from actor where workspace_id = $1", workspaceId);
  const [[run], [workspace], [version], [[phase] = []], [[approval] = []], [plan]] = await Promise.all([
    domain.runs(admin, [runId]),
    domain.workspaces(admin, [workspaceId]),
    domain.currentStates(admin, [workspaceId]),
    domain.phasesOfRuns(admin, [runId]),
    domain.approvalsOfRuns(admin, [runId]),
    domain.newestPlans(admin, [runId]),
  ]);
  if (!run || !workspace || !version || !phase || !approval || !plan) throw new Error("The sample is not complete.");
  await domain.compareStates(admin, workspaceId, version.id, version.id);
  return {
    workspaceId,
    name: workspace.name,
    run,
    planId: plan.id,
    phaseId: phase.id,
    approvalId: approval.id,
    commentId: comment.id,
    version,
    webhookId: webhook.id,
    scheduleId: schedule.id,
    deliveryId: delivery.id,
    runsActorId: runs["id"],
  };
}

beforeAll(async () => {
  scene = await openScene();
  seen = await sampleOf();
  hidden = await sampleOf();
  const nowhere = { organizationId: fakeId("org", 999), workspaceId: fakeId("ws", 999) };
  absent = {
    workspaceId: nowhere.workspaceId,
    name: "absent",
    run: fakeRun(999, nowhere),
    planId: fakeId("plan", 999),
    phaseId: fakeId("phase", 999),
    approvalId: fakeId("appr", 999),
    commentId: fakeId("cmt", 999),
    version: { ...seen.version, ...nowhere, id: fakeId("sv", 999) },
    webhookId: fakeId("hook", 999),
    scheduleId: fakeId("sch", 999),
    deliveryId: fakeId("dlv", 999),
    runsActorId: fakeId("mch", 999),
  };
  const { domain } = scene.server;
  const pool = { organizationId: DEFAULT_ORGANIZATION_ID, name: "pool", description: null, reserved: false };
  poolId = (await domain.createRunnerPool(admin, pool)).id;
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const credential = { username: null, token: null, sshKey: null, knownHosts: null, hookSecret: null };
  const host = { organizationId, kind: "GITHUB", name: "github", url: "https://github.com", ...credential } as const;
  gitHostId = (await domain.createGitHost(admin, host)).gitHost.id;
  repositoryId = (await domain.createRepository(admin, { gitHostId, name: "acme/infrastructure" })).id;
  projectId = (await domain.createProject(admin, { organizationId, parentId: null, name: "p", isolated: false })).id;
  teamId = (await domain.createTeam(admin, { organizationId, name: "t", externalIds: [] })).id;
  await domain.inviteMember(admin, { organizationId, name: "ann", email: null, teamIds: [], expiresAt: null });
  const account = await domain.createServiceAccount(admin, { organizationId, name: "ci" });
  accountId = account.id;
  const rule = { issuer: "https://ci.example.com", audience: "holdpoint", subject: "main", claims: [], maxSeconds: 60 };
  trustRuleId = (await domain.createTrustRule(admin, { ...rule, serviceAccountId: accountId })).id;
  await domain.addTeamMember(admin, { teamId, actorId: account.id });
  const roleId = builtInRoleId("READER");
  const grant = { roleId, expiresAt: null, reason: null };
  grantId = (await domain.createGrant(admin, { ...grant, principalId: teamId, scopeId: organizationId })).id;
  for (const scopeId of [projectId, seen.workspaceId, hidden.workspaceId]) {
    await domain.createGrant(admin, { ...grant, principalId: account.id, scopeId });
  }
  await domain.createRunnerToken(admin, { poolId, name: "token", expiresAt: null });
});
afterAll(() => scene[Symbol.asyncDispose]());

type Read = (domain: Queries, caller: ActorCaller, sample: Sample) => Promise<unknown>;

/** Queries about what lies in a workspace. */
const IN_WORKSPACE = {
  workspaceByPath: (domain, caller, { name }) => domain.workspaceByPath(caller, "default", name),
  workspaces: (domain, caller, { workspaceId }) => domain.workspaces(caller, [workspaceId]),
  workspacesEver: (domain, caller, { workspaceId }) => domain.workspacesEver(caller, [workspaceId]),
  variables: (domain, caller, { workspaceId }) => domain.variables(caller, [workspaceId]),
  outputs: (domain, caller, { workspaceId }) => domain.outputs(caller, [workspaceId]),
  deploymentStatuses: (domain, caller, { workspaceId }) => domain.deploymentStatuses(caller, [workspaceId]),
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
  countRuns: (domain, caller, { workspaceId }) => domain.countRuns(caller, { workspaceId }, 10),
  timelines: (domain, caller, { run }) => domain.timelines(caller, [run]),
  blockers: (domain, caller, { run }) => domain.blockers(caller, [run]),
  actions: async (domain, caller, { run }) => (await domain.actions(caller, [run])).map((each) => each.length),
  forceAllowedAt: (domain, caller, { run }) => domain.forceAllowedAt(caller, [run]),
  approvalRequirements: async (domain, caller, { run }) =>
    (await domain.approvalRequirements(caller, [run])).map((each) => each.length),
  plans: (domain, caller, { planId }) => domain.plans(caller, [planId]),
  plansOfRuns: (domain, caller, { run }) => domain.plansOfRuns(caller, [run.id]),
  newestPlans: (domain, caller, { run }) => domain.newestPlans(caller, [run.id]),
  planTexts: (domain, caller, { planId }) => domain.planTexts(caller, [planId]),
  listResourceChanges: (domain, caller, { planId }) => domain.listResourceChanges(caller, planId, null, PAGE),
  destroyedAddresses: (domain, caller, { planId }) => domain.destroyedAddresses(caller, [planId]),
  variablesOfRuns: (domain, caller, { run }) => domain.variablesOfRuns(caller, [run.id]),
  hooksOfRuns: (domain, caller, { run }) => domain.hooksOfRuns(caller, [run.id]),
  inputsOfRuns: (domain, caller, { run }) => domain.inputsOfRuns(caller, [run.id]),
  logExpiries: (domain, caller, { run }) => domain.logExpiries(caller, [run.id]),
  progress: (domain, caller, { run }) => domain.progress(caller, [run]),
  phases: (domain, caller, { phaseId }) => domain.phases(caller, [phaseId]),
  runsWithPhases: (domain, caller, { run }) => domain.runsWithPhases(caller, [run.id]),
  phasesOfRuns: (domain, caller, { run }) => domain.phasesOfRuns(caller, [run.id]),
  approvals: (domain, caller, { approvalId }) => domain.approvals(caller, [approvalId]),
  approvalsOfRuns: (domain, caller, { run }) => domain.approvalsOfRuns(caller, [run.id]),
  runComments: (domain, caller, { commentId }) => domain.runComments(caller, [commentId]),
  listRunComments: (domain, caller, { run }) => domain.listRunComments(caller, run.id, PAGE),
  listRunEvents: (domain, caller, { run }) => domain.listRunEvents(caller, run.id, PAGE),
  listLogLines: (domain, caller, { run }) => domain.listLogLines(caller, run.id, { phase: null, streams: null }, PAGE),
  recoveredStatesOfRuns: (domain, caller, { run }) => domain.recoveredStatesOfRuns(caller, [run.id]),
  undecidedStatesOfWorkspaces: (domain, caller, { workspaceId }) =>
    domain.undecidedStatesOfWorkspaces(caller, [workspaceId]),
  recoveredStateReadings: (domain, caller) => domain.recoveredStateReadings(caller, [fakeId("rcv", 999)]),
  recoveredStates: (domain, caller) => domain.recoveredStates(caller, [fakeId("rcv", 999)]),
  listRefusedRequests: (domain, caller, { run }) => domain.listRefusedRequests(caller, run.id, PAGE),
  listRejectedCommands: (domain, caller, { run }) => domain.listRejectedCommands(caller, { runId: run.id }, PAGE),
  countRefusedRequests: (domain, caller, { run }) => domain.countRefusedRequests(caller, [run.id]),
  stateVersions: (domain, caller, { version }) => domain.stateVersions(caller, [version.id]),
  currentStates: (domain, caller, { workspaceId }) => domain.currentStates(caller, [workspaceId]),
  listStateVersions: (domain, caller, { workspaceId }) => domain.listStateVersions(caller, workspaceId, PAGE),
  stateResources: (domain, caller, { version }) => domain.stateResources(caller, version),
  compareStates: (domain, caller, { workspaceId, version }) =>
    domain.compareStates(caller, workspaceId, version.id, version.id),
  stateOutputs: (domain, caller, { version }) => domain.stateOutputs(caller, [version.id]),
  stateReadings: (domain, caller, { version }) => domain.stateReadings(caller, [version.id]),
  stateRollbacks: (domain, caller, { run }) => domain.stateRollbacks(caller, [run.id]),
  drifts: (domain, caller, { workspaceId }) => domain.drifts(caller, [workspaceId]),
  schedules: (domain, caller, { scheduleId }) => domain.schedules(caller, [scheduleId]),
  schedulesOfWorkspaces: (domain, caller, { workspaceId }) => domain.schedulesOfWorkspaces(caller, [workspaceId]),
  webhooks: (domain, caller, { webhookId }) => domain.webhooks(caller, [webhookId]),
  webhooksOfWorkspaces: (domain, caller, { workspaceId }) => domain.webhooksOfWorkspaces(caller, [workspaceId]),
  webhookDeliveries: (domain, caller, { deliveryId }) => domain.webhookDeliveries(caller, [deliveryId]),
  listWebhookDeliveries: (domain, caller, { webhookId }) => domain.listWebhookDeliveries(caller, webhookId, null, PAGE),
  webhookAttempts: (domain, caller, { deliveryId }) => domain.webhookAttempts(caller, [deliveryId]),
} as const satisfies Partial<Record<keyof Queries, Read>>;

/** Nothing of these is in the sample: what is seen is as empty as what is hidden. */
const EMPTY: readonly string[] = [
  "drifts",
  "outputs",
  "deploymentStatuses",
  "stateLocks",
  "blockers",
  "forceAllowedAt",
  "destroyedAddresses",
  "hooksOfRuns",
  "inputsOfRuns",
  "logExpiries",
  "progress",
  "listLogLines",
  "recoveredStatesOfRuns",
  "undecidedStatesOfWorkspaces",
  "recoveredStates",
  "recoveredStateReadings",
  "listRefusedRequests",
  "listRejectedCommands",
  "countRefusedRequests",
  "stateOutputs",
  "stateRollbacks",
  "webhookAttempts",
];

/** Queries of the organization that the workspace is in: who has a right in it sees it. */
const OF_ORGANIZATION = {
  organizationBySlug: (domain, caller) => domain.organizationBySlug(caller, "default"),
  organizations: (domain, caller) => domain.organizations(caller, [DEFAULT_ORGANIZATION_ID]),
  listOrganizations: async (domain, caller) => (await domain.listOrganizations(caller, PAGE)).items,
} as const satisfies Partial<Record<keyof Queries, Read>>;

/** Queries about people and projects: a grant on a workspace shows nothing of them. */
const OF_PEOPLE = {
  people: (domain, caller) => domain.people(caller, [accountId]),
  membersOfOrganizations: (domain, caller) => domain.membersOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  explainAccess: (domain, caller) =>
    domain.explainAccess(caller, { permission: "RUN_READ", scopeId: projectId, actorId: accountId }),
  projects: (domain, caller) => domain.projects(caller, [projectId]),
  projectsOfOrganizations: (domain, caller) => domain.projectsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  teams: (domain, caller) => domain.teams(caller, [teamId]),
  invitationsOfOrganizations: (domain, caller) => domain.invitationsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  teamsOfOrganizations: (domain, caller) => domain.teamsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  membersOfTeams: (domain, caller) => domain.membersOfTeams(caller, [teamId]),
  serviceAccountsOfOrganizations: (domain, caller) =>
    domain.serviceAccountsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  trustRules: (domain, caller) => domain.trustRules(caller, [trustRuleId]),
  trustRulesOfAccounts: (domain, caller) => domain.trustRulesOfAccounts(caller, [accountId]),
  grants: (domain, caller) => domain.grants(caller, [grantId]),
  grantsOfOrganizations: (domain, caller) => domain.grantsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  grantsOfProjects: (domain, caller) => domain.grantsOfProjects(caller, [projectId]),
  grantsOfTeams: (domain, caller) => domain.grantsOfTeams(caller, [teamId]),
} as const satisfies Partial<Record<keyof Queries, Read>>;

/** Queries about what lies above workspaces: a grant on a workspace shows nothing of it. */
const ABOVE = {
  runnerPools: (domain, caller) => domain.runnerPools(caller, [poolId]),
  runnerPoolsOfOrganizations: (domain, caller) => domain.runnerPoolsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  tokensOfRunnerPools: (domain, caller) => domain.tokensOfRunnerPools(caller, [poolId]),
  runnerTokens: async (domain, caller) => {
    const [[token] = []] = await domain.tokensOfRunnerPools(admin, [poolId]);
    return domain.runnerTokens(caller, [token?.id ?? ""]);
  },
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
  gitHosts: (domain, caller) => domain.gitHosts(caller, [gitHostId]),
  gitHostsOfOrganizations: (domain, caller) => domain.gitHostsOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
  repositories: (domain, caller) => domain.repositories(caller, [repositoryId]),
  repositoriesOfOrganizations: (domain, caller) =>
    domain.repositoriesOfOrganizations(caller, [DEFAULT_ORGANIZATION_ID]),
} as const satisfies Partial<Record<keyof Queries, Read>>;

async function runnerIds(domain: Queries): Promise<string[]> {
  const { items } = await domain.listRunners(admin, { organizationId: DEFAULT_ORGANIZATION_ID }, PAGE);
  return items.map(({ id }) => id);
}

/** Queries with a test of their own below, and those that take no permission. */
type Others =
  | "listWorkspaces"
  | "listSchedules"
  | "listGrants"
  | "listSessions"
  | "webhooksOfOrganizations"
  | "bulkOperations"
  | "listBulkOperations"
  | "listBulkResults"
  | "changesets"
  | "listChangesets"
  | "changesetWaves"
  | "freezeWindowStates"
  | "ownPasskeys"
  | "ownSessions"
  | "ownTokens"
  | "projectPaths"
  | "roles"
  | "rolesOfOrganizations"
  | "actors";
type Forgotten = Exclude<
  keyof Queries,
  keyof typeof IN_WORKSPACE | keyof typeof OF_ORGANIZATION | keyof typeof OF_PEOPLE | keyof typeof ABOVE | Others
>;
const FORGOTTEN: Record<Forgotten, never> = {};

it("has a line for every query", () => {
  expect(FORGOTTEN).toEqual({});
});

describe("a query about a workspace", () => {
  it.each(Object.entries(IN_WORKSPACE))("%s", async (name, read: Read) => {
    const { domain } = scene.server;
    const missing = await read(domain, scoped(), absent);
    expect(await read(domain, scoped(), hidden)).toEqual(missing);
    const whole = await read(domain, admin, seen);
    expect(await read(domain, scoped(), seen)).toEqual(whole);
    if (EMPTY.includes(name)) expect(whole).toEqual(missing);
    else expect(whole).not.toEqual(missing);
  });
});

it.each(Object.entries(OF_ORGANIZATION))("%s shows the organization, and no other", async (_name, read: Read) => {
  const { domain } = scene.server;
  await domain.createOrganization(admin, {
    slug: `other-${randomUUID().slice(0, 8)}`,
    name: "Other",
    concurrencyLimit: 3,
  });
  const shown = await read(domain, scoped(), seen);
  expect(JSON.stringify(shown)).toContain(DEFAULT_ORGANIZATION_ID);
  expect(JSON.stringify(shown)).not.toContain("Other");
  expect(await read(domain, withGrants(), seen)).not.toEqual(shown);
});

it.each(Object.entries({ ...OF_PEOPLE, ...ABOVE }))(
  "%s shows nothing to a caller of one workspace",
  async (name, read: Read) => {
    const { domain } = scene.server;
    const shown = await read(domain, scoped(), seen);
    expect(shown).toEqual(await read(domain, withGrants(), seen));
    if (name !== "jobsOfRunners") expect(shown).not.toEqual(await read(domain, admin, seen));
  },
);

describe("a list", () => {
  it("has the runs of the caller's workspaces, and counts those", async () => {
    const { domain } = scene.server;
    const { items } = await domain.listRuns(scoped(), {}, PAGE, { detail: "SUMMARY" });
    expect(items.map(({ id }) => id)).toEqual([seen.run.id]);
    expect(await domain.countRuns(scoped(), {}, 10)).toBe(1);
    expect(await domain.countRuns(admin, {}, 10)).toBe(2);
    const organization = withGrants(onOrganization("READER", DEFAULT_ORGANIZATION_ID));
    expect(await domain.countRuns(organization, {}, 10)).toBe(2);
    expect(await domain.countRuns(withGrants(), {}, 10)).toBe(0);
  });

  it("has the workspaces of the caller", async () => {
    const { items } = await scene.server.domain.listWorkspaces(scoped(), DEFAULT_ORGANIZATION_ID, {}, PAGE);
    expect(items.map(({ id }) => id)).toEqual([seen.workspaceId]);
  });
});

describe("the list of schedules", () => {
  it("has those of the caller's workspaces", async () => {
    const { domain } = scene.server;
    const { items } = await domain.listSchedules(scoped(), DEFAULT_ORGANIZATION_ID, PAGE);
    expect(items.map(({ id }) => id)).toEqual([seen.scheduleId]);
    const { items: all } = await domain.listSchedules(admin, DEFAULT_ORGANIZATION_ID, PAGE);
    expect(all.map(({ id }) => id).toSorted()).toEqual([seen.scheduleId, hidden.scheduleId].toSorted());
  });
});

describe("the list of grants", () => {
  it("has those on the caller's workspaces", async () => {
    const { items } = await scene.server.domain.listGrants(scoped(), null, PAGE);
    expect(new Set(items.map(({ scopeId }) => scopeId))).toEqual(new Set([seen.workspaceId]));
    const { items: all } = await scene.server.domain.listGrants(admin, null, PAGE);
    expect(new Set(all.map(({ scopeId }) => scopeId))).toContain(hidden.workspaceId);
  });
});

describe("a command", () => {
  const commands: [keyof Domain, (domain: Domain, caller: ActorCaller, sample: Sample) => Promise<unknown>][] = [
    ["commentOnRun", (domain, caller, { run }) => domain.commentOnRun(caller, { runId: run.id, text: "Here." })],
    [
      "cancelRun",
      (domain, caller, { run }) => domain.cancelRun(caller, { runId: run.id, force: false, comment: null }),
    ],
    [
      "setVariable",
      (domain, caller, { workspaceId }) =>
        domain.setVariable(caller, {
          workspaceId,
          key: "a",
          value: "b",
          sensitive: false,
          category: "ENGINE",
          hcl: false,
        }),
    ],
    [
      "updateWorkspace",
      (domain, caller, { workspaceId }) => domain.updateWorkspace(caller, { workspaceId, paused: true }),
    ],
    ["runScheduleNow", (domain, caller, { scheduleId }) => domain.runScheduleNow(caller, { scheduleId })],
    ["updateSchedule", (domain, caller, { scheduleId }) => domain.updateSchedule(caller, { scheduleId, name: "x" })],
    ["testWebhook", (domain, caller, { webhookId }) => domain.testWebhook(caller, { webhookId })],
    ["redeliverWebhook", (domain, caller, { deliveryId }) => domain.redeliverWebhook(caller, { deliveryId })],
    ["deleteSchedule", (domain, caller, { scheduleId }) => domain.deleteSchedule(caller, { scheduleId })],
  ];

  it.each(commands)("%s is answered alike for what is hidden and what is absent", async (_name, send) => {
    const { domain } = scene.server;
    const refusal = (caller: ActorCaller, sample: Sample) =>
      send(domain, caller, sample).then(
        () => null,
        (error: unknown) => error,
      );
    const missing = await refusal(scoped(), absent);
    expect(missing).toMatchObject({ code: "NOT_FOUND" });
    expect(await refusal(scoped(), hidden)).toEqual(missing);
    const readOnly = withGrants(onWorkspace("READER", seen.workspaceId));
    expect(await refusal(readOnly, seen)).toMatchObject({ code: "FORBIDDEN" });
    expect(await refusal(scoped(), seen)).toBeNull();
  });
});
