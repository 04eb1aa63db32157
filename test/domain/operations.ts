/** One example of each operation of the API, and of each request of a runner: what is counted is the last step alone. */
import { insertPasskey } from "../../src/persistence/people/passkey-store.ts";
import { createSignIns } from "../../src/domain/sign-in/sign-ins.ts";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { TestRepository } from "../support/git.ts";
import { expect } from "vitest";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { bucketPlan, insertDraft, insertFixture, planWith } from "../support/policy-steps.ts";
import { deploy, finish, staged } from "../support/promotion-steps.ts";
import { builtInRoleId } from "../../src/model/people/role.ts";
import { insertBlob } from "../../src/persistence/blob/blob-store.ts";
import { insertRecoveredState } from "../../src/persistence/state/recovered-state-store.ts";
import { insertDeliveries } from "../../src/persistence/webhook/webhook-delivery-store.ts";
import { claim, type FakeJob, fakePlan, type ProtocolAnswer } from "../support/fake-runner.ts";
import type { Api, Data } from "../support/api.ts";
import { insertCheckRow, insertResultRow } from "../support/check-rows.ts";
import { beginVerifying } from "../support/verification-rows.ts";
import { startWebhookTarget } from "../support/webhook-target.ts";
import { packDocument } from "../support/plan-documents.ts";
import { insertDriftRows } from "../support/drift-rows.ts";
import { createHost, createRepository, insertRefChange } from "../support/repository-steps.ts";
import type { Pool } from "../support/fleet.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { addException, addPolicySet, judge } from "../support/judged-plans.ts";
import { type Scene, type Spot } from "./scene.ts";

/** Makes what is needed, and gives the step that is counted. */
export type Example = () => Promise<() => Promise<unknown>>;

const STATE = { version: 4, serial: 1, lineage: "line", resources: [], outputs: {} };
const LOCK = { ID: "lock", Operation: "OperationTypeApply", Info: "", Who: "ann", Version: "", Created: "", Path: "" };

const TRUST = { issuer: "https://ci.example.com", audience: "holdpoint", subject: "project:infrastructure" };

/** The page that performance.md measures, and other reads. */
export function queries({ api, ...scene }: Scene, organizationId: string): Record<string, Example> {
  const ask =
    (query: string, variables: object = {}) =>
    async () =>
      api.ask(query, { ...variables });
  let spot: Promise<Spot> | undefined;
  const place = (): Promise<Spot> => (spot ??= scene.reach("AWAITING_PLAN_APPROVAL"));
  const run = async () => (await place()).runId;
  return {
    bulkOperations: async () => ask("{ bulkOperations(first: 5) { edges { node { id } } } }"),
    failureCatalogue: async () => ask("{ failureCatalogue { code reason fix } }"),
    changeset: async () => {
      const input = { organizationId, title: "Raise the limits", workspaceIds: [await scene.createWorkspace()] };
      const { createChangeset } = await api.ask(
        `mutation ($input: CreateChangesetInput!) {
          createChangeset(input: $input) { ... on CreateChangesetSuccess { changeset { id } } } }`,
        { input },
      );
      return ask("query ($id: ID!) { changeset(id: $id) { state counts { workspaces } waves { total } } }", {
        id: createChangeset.changeset.id,
      });
    },
    node: async () => ask("query ($id: ID!) { node(id: $id) { ... on Run { status } } }", { id: await run() }),
    nodes: async () =>
      ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", {
        ids: [await run(), (await place()).workspaceId, organizationId],
      }),
    explainTrigger: async () => {
      const { id, folder } = await newLocalRepository({ ...scene, api }, organizationId);
      const source = { git: { repositoryId: id, path: "." } };
      const workspaceId = await scene.createWorkspace({ source, trigger: { branch: "main" } });
      const refChangeId = await insertRefChange(scene, id, folder.git("rev-parse", "HEAD"));
      const query = `query ($change: ID!, $workspace: ID!) {
        explainTrigger(refChangeId: $change, workspaceId: $workspace) { reason changed inputs { digest } } }`;
      return ask(query, { change: refChangeId, workspace: workspaceId });
    },
    previewTriggers: async () => {
      const { id, folder } = await newLocalRepository({ ...scene, api }, organizationId);
      const source = { git: { repositoryId: id, path: "." } };
      await scene.createWorkspace({ source, trigger: { branch: "main" } });
      const query = `query ($id: ID!, $commit: String!) {
        previewTriggers(repositoryId: $id, ref: "refs/heads/main", commit: $commit) { reason changed workspace { id } } }`;
      return ask(query, { id, commit: folder.git("rev-parse", "HEAD") });
    },
    tryPolicy: async () => {
      const set = { organizationId, name: `set-${randomUUID()}`, language: "CEL", selector: {} };
      const created = `mutation ($input: CreatePolicySetInput!) { createPolicySet(input: $input) {
        ... on CreatePolicySetSuccess { policySet { id } } } }`;
      const { policySet } = (await api.ask(created, { input: set })).createPolicySet;
      const rule = { name: "none", level: "ADVISORY", when: "false", message: "Nothing." };
      const input = { policySetId: policySet.id, rules: [rule], document: '{"plan":{}}' };
      const query = "query ($input: TryPolicyInput!) { tryPolicy(input: $input) { passed problems { message } } }";
      return ask(query, { input });
    },
    repository: async () =>
      ask("query ($id: ID!) { repository(id: $id) { name } }", { id: await newRepository(api, organizationId) }),
    role: async () => ask("query ($id: ID!) { role(id: $id) { name permissions } }", { id: builtInRoleId("READER") }),
    organization: async () => ask('{ organization(slug: "default") { name } }'),
    organizations: async () => ask("{ organizations(first: 5) { edges { node { name } } } }"),
    run: async () => ask("query ($id: ID!) { run(id: $id) { status phases { kind status } } }", { id: await run() }),
    runs: async () => {
      await run();
      return ask("{ runs(first: 20) { edges { node { id status phases { kind } } } pageInfo { hasNextPage } } }");
    },
    search: async () => ask('{ search(text: "default") { title node { __typename id } } }'),
    cronTimes: async () => ask('{ cronTimes(cron: "30 2 * * 1-5", timeZone: "Europe/Berlin") }'),
    server: async () => ask("{ server { version publicUrl features } }"),
    actors: async () => ask("{ actors(first: 20) { edges { node { actor { name } lastSeenAt } } } }"),
    grants: async () =>
      ask("{ grants(first: 20) { edges { node { role { name } actor { name } scope: workspace { id } } } } }"),
    sessions: async () => ask("{ sessions(first: 20) { edges { node { actor { name } lastSeenAt } } } }"),
    tokens: async () => ask("{ tokens(first: 20) { edges { node { name role actor { name } revokedAt } } } }"),
    viewer: async () => ask("{ viewer { role actor { name } } }"),
    workspace: async () =>
      ask(
        `query ($id: ID!) { workspace(by: { id: $id }) { name runs(first: 20) {
          edges { node { id number status phases { kind status } } } pageInfo { hasNextPage endCursor } } } }`,
        { id: (await place()).workspaceId },
      ),
  };
}

/** From the beginning to the first item: what was there before. */
export function subscriptions(scene: Scene, organizationId: string): Record<string, Example> {
  let spot: Promise<Spot> | undefined;
  const place = (): Promise<Spot> => (spot ??= scene.reach("PLANNING"));
  const first = (document: string, variables: Record<string, string>) => async () => {
    await using items = scene.api.subscribe(document, variables);
    expect((await items.next()).done).toBe(false);
  };
  return {
    changesetEvents: async () =>
      first("subscription ($id: ID!) { changesetEvents(changesetId: $id) { __typename } }", {
        id: (await scene.rows("select id from changeset order by id limit 1"))[0]?.["id"],
      }),
    inboxEvents: async () => first("subscription { inboxEvents { __typename } }", {}),
    organizationEvents: async () =>
      first(
        "subscription ($organizationId: ID!) { organizationEvents(organizationId: $organizationId) { __typename } }",
        {
          organizationId,
        },
      ),
    runEvents: async () =>
      first("subscription ($runId: ID!) { runEvents(runId: $runId) { __typename } }", { runId: (await place()).runId }),
    runLog: async () => {
      const { runId, job } = await place();
      await job.log("PLAN", "one");
      return first("subscription ($runId: ID!) { runLog(runId: $runId) { __typename } }", { runId });
    },
    workspaceEvents: async () =>
      first("subscription ($workspaceId: ID!) { workspaceEvents(workspaceId: $workspaceId) { __typename } }", {
        workspaceId: (await place()).workspaceId,
      }),
  };
}

type MutationExample = () => Promise<object>;

/** The inputs; each must succeed. */
export function mutations(scene: Scene, organizationId: string, pool: Pool): Record<string, MutationExample> {
  const { api, server } = scene;
  const at =
    (place: Parameters<Scene["reach"]>[0], input: object = {}) =>
    async () => {
      const { runId } = await scene.reach(place);
      return { runId, ...input };
    };
  const workspace =
    (input: object = {}) =>
    async () => ({ workspaceId: await scene.createWorkspace(), ...input });
  const make = async (name: string, input: object, fields: string): Promise<Data> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { made: ${name}(input: $input) { ... on ${type}Success { ${fields} } } }`;
    return (await api.ask(query, { input })).made;
  };
  const webhook = async () => {
    const input = { organizationId, url: "http://127.0.0.1:1/", events: ["RUN_ENDED"] };
    const { webhook: made } = await make("createWebhook", input, "webhook { id }");
    return { webhookId: made.id };
  };
  const check = async () => {
    const url = await answeringUrl(scene);
    return { checkId: await insertCheckRow(scene.server.deps, organizationId, { url }) };
  };
  const gitHost = async (): Promise<{ gitHostId: string }> => ({
    gitHostId: (await createHost(scene.api, { organizationId, name: `h-${randomUUID()}` })).gitHost.id,
  });
  const repository = async (): Promise<{ repositoryId: string }> => ({
    repositoryId: await newRepository(scene.api, organizationId),
  });
  const inboundInput = async () => {
    const workspaceIds = [await scene.createWorkspace()];
    return { organizationId, workspaceIds, name: "tickets", kind: "PLAN", mapping: [] };
  };
  const inbound = async () => {
    const { inboundHook: made } = await make("createInboundHook", await inboundInput(), "inboundHook { id }");
    return { hookId: made.id as string };
  };
  const scheduleInput = async () => {
    const times = { name: "nightly", cron: "30 2 * * *", action: "RUN" };
    return { organizationId, workspaceId: await scene.createWorkspace(), ...times };
  };
  const drifted = async () => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const [run] = await scene.rows("select workspace_id from run where id = $1", runId);
    const place = { workspaceId: run?.["workspace_id"] as string, runId, actorId: ADMIN_ACTOR_ID };
    const soon = new Date(server.deps.clock().getTime() + 60_000).toISOString();
    const drift = { foundAt: soon, runId, resources: 1, outputs: 0, fingerprint: "f", isReported: true };
    await scene.rows("update workspace set drift = $2 where id = $1", place.workspaceId, JSON.stringify(drift));
    return { reportId: await insertDriftRows(scene, place), until: soon };
  };
  const schedule = async () => {
    const { schedule: made } = await make("createSchedule", await scheduleInput(), "schedule { id }");
    return { scheduleId: made.id as string };
  };
  const pipelineInput = () => {
    const key = `env-${randomUUID().slice(0, 8)}`;
    const stages = ["dev", "prod"].map((name) => ({ name, label: `${key}:${name}` }));
    return { organizationId, name: key, stages };
  };
  const pipeline = async () => {
    const { pipeline: made } = await make("createPromotionPipeline", pipelineInput(), "pipeline { id }");
    return { pipelineId: made.id as string };
  };
  // An organization may have a hundred sets, and an example may be made more often.
  const policySetInput = async () => {
    await scene.rows("update policy_set set deleted_at = created_at where name like 'set-%' and deleted_at is null");
    return { organizationId, name: `set-${randomUUID()}`, language: "CEL", selector: { labels: ["env:prod"] } };
  };
  const policySet = async () => {
    const { policySet: made } = await make("createPolicySet", await policySetInput(), "policySet { id }");
    return { policySetId: made.id as string };
  };
  const changeset = async (): Promise<string> => {
    const input = { organizationId, title: "Raise the limits", workspaceIds: [await scene.createWorkspace()] };
    return (await make("createChangeset", input, "changeset { id }")).changeset.id;
  };
  const poolInput = () => ({ organizationId, name: `pool-${randomUUID()}` });
  const invitation = async (): Promise<Data> =>
    (await make("inviteMember", { organizationId, name: "Ben" }, "invitation { id }")).invitation;
  const newPool = async () => {
    const { runnerPool } = await make("createRunnerPool", poolInput(), "runnerPool { id }");
    return { poolId: runnerPool.id };
  };
  const runner = async () => {
    const name = `runner-${randomUUID()}`;
    await pool.ask({ name, instance: randomUUID() });
    const [row] = await scene.rows("select id from runner where name = $1", name);
    return { runnerId: row["id"] };
  };
  const bulk = async () => ({
    action: "CANCEL",
    filter: { workspaceId: (await scene.reach("READY")).workspaceId },
  });
  // Three of them can be asked of one run.
  let failed: Promise<Spot> | undefined;
  const onFailed = async () => ({ runId: (await (failed ??= scene.reach("FAILED"))).runId });
  const recovered = async () => ({ recoveredStateId: await recoverState(scene, (await onFailed()).runId) });
  const project = async () => {
    const input = { organizationId, name: `project-${randomUUID()}` };
    return (await make("createProject", input, "project { id }")).project.id as string;
  };
  const team = async () => {
    const input = { organizationId, name: `team-${randomUUID()}` };
    return (await make("createTeam", input, "team { id }")).team.id as string;
  };
  const account = async () =>
    (await make("createServiceAccount", { organizationId, name: "ci" }, "actor { id }")).actor.id as string;
  const role = () => ({ organizationId, name: `role-${randomUUID()}`, permissions: ["WORKSPACE_READ", "RUN_READ"] });
  const newRole = async () => ({ roleId: (await make("createRole", role(), "role { id }")).role.id as string });
  const grant = async () => ({
    principalId: await account(),
    roleId: builtInRoleId("READER"),
    scopeId: organizationId,
  });
  const exception = async () => {
    const { setId } = await addPolicySet(scene);
    return { exceptionId: await addException(scene, setId, [await scene.createWorkspace()]) };
  };
  return {
    addTeamMember: async () => ({ teamId: await team(), actorId: await account() }),
    createGrant: grant,
    createProject: async () => ({ organizationId, parentId: await project(), name: "below" }),
    createRole: async () => role(),
    createServiceAccount: async () => ({ organizationId, name: "ci" }),
    createTeam: async () => ({ organizationId, name: `team-${randomUUID()}` }),
    deleteProject: async () => ({ projectId: await project() }),
    deleteRole: newRole,
    deleteTeam: async () => ({ teamId: await team() }),
    disableUser: async () => ({ userId: await account() }),
    enableUser: async () => ({ userId: await account() }),
    moveProject: async () => ({ projectId: await project(), toProjectId: await project() }),
    moveWorkspace: async () => ({ workspaceId: await scene.createWorkspace(), toProjectId: await project() }),
    removeTeamMember: async () => {
      const input = { teamId: await team(), actorId: await account() };
      await make("addTeamMember", input, "team { id }");
      return input;
    },
    revokeGrant: async () => ({ grantId: (await make("createGrant", await grant(), "grant { id }")).grant.id }),
    updateProject: async () => ({ projectId: await project(), name: `project-${randomUUID()}` }),
    updateRole: async () => ({ ...(await newRole()), permissions: ["WORKSPACE_READ"] }),
    updateTeam: async () => ({ teamId: await team(), externalIds: ["group"] }),
    adoptRecoveredState: recovered,
    approveRun: at("AWAITING_PLAN_APPROVAL", { gate: "PLAN", planVersion: 1 }),
    bulkRunAction: bulk,
    cancelRun: at("READY"),
    commentOnRun: async () => ({ ...(await onFailed()), text: "Good." }),
    approveChangeset: async () => {
      const changesetId = await changeset();
      await changesetRound(server.deps, new AbortController().signal);
      const read = `query ($id: ID!) { changeset(id: $id) { version planDigest runs { edges { node { id } } } } }`;
      const { changeset: created } = await api.ask(read, { id: changesetId });
      await (await scene.claim(created.runs.edges[0].node.id)).plan();
      const { version, planDigest } = (await api.ask(read, { id: changesetId })).changeset;
      return { changesetId, gate: "PLAN", version, planDigest };
    },
    continueChangeset: async () => {
      const changesetId = await changeset();
      await scene.rows("update changeset set held_at = now(), due = false where id = $1", changesetId);
      return { changesetId };
    },
    discardChangeset: async () => ({ changesetId: await changeset() }),
    createChangeset: async () => ({
      organizationId,
      title: "Raise the limits",
      workspaceIds: [await scene.createWorkspace()],
    }),
    createOrganization: async () => ({ slug: `o-${randomUUID().slice(0, 8)}`, name: "New" }),
    createRun: workspace(),
    createRunnerPool: async () => poolInput(),
    createGitHost: async () => ({
      organizationId,
      kind: "GITHUB",
      name: `h-${randomUUID()}`,
      url: "https://github.com",
    }),
    createRepository: async () => ({ ...(await gitHost()), name: "acme/infrastructure" }),
    lookAtRepository: async () => ({ repositoryId: (await newLocalRepository(scene, organizationId)).id }),
    deleteGitHost: gitHost,
    deleteRepository: repository,
    rotateHookSecret: gitHost,
    updateGitHost: async () => ({ ...(await gitHost()), url: "https://github.example.com" }),
    updateRepository: async () => ({ ...(await repository()), name: "acme/renamed" }),
    createExternalCheck: async () => {
      const settings = { name: `c-${randomUUID()}`, stages: ["POST_APPLY"], level: "ADVISORY", selector: {} };
      return { organizationId, url: await answeringUrl(scene), ...settings };
    },
    deleteExternalCheck: check,
    retryExternalCheck: async () => {
      const { runId } = await scene.reach("QUEUED");
      const of = { runId, checkId: (await check()).checkId, stage: "PRE_PLAN", planVersion: 0 } as const;
      return { resultId: await insertResultRow(scene.server.deps, of) };
    },
    testExternalCheck: check,
    updateExternalCheck: async () => ({ ...(await check()), name: `c-${randomUUID()}` }),
    createInboundHook: async () => inboundInput(),
    deleteInboundHook: inbound,
    rotateInboundHookSecret: inbound,
    updateInboundHook: async () => ({ ...(await inbound()), name: "releases" }),
    concludeVerification: async () => {
      const { runId } = await scene.reach("APPLYING");
      await beginVerifying(scene.server.deps, runId);
      return { runId, judgement: "GOOD", comment: "It works." };
    },
    overridePolicies: async () => {
      const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
      const overriders = { approverIds: [], teamIds: [], minimum: 1, excludeRequester: false, holds: "PLAN" } as const;
      const resultIds = await judge(scene, runId, await addPolicySet(scene, { overriders }), [{}]);
      return { runId, planVersion: 1, resultIds, comment: "It moves in May." };
    },
    requestPolicyException: async () => {
      // A token alone is no person.
      await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
      const expiresAt = new Date(server.deps.clock().getTime() + 24 * 60 * 60 * 1000).toISOString();
      const workspaceIds = [await scene.createWorkspace()];
      const { setId: policySetId } = await addPolicySet(scene);
      return { policySetId, policy: "tags", workspaceIds, reason: "It moves in May.", expiresAt };
    },
    decidePolicyException: async () => {
      await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
      return { ...(await exception()), decision: "APPROVE" };
    },
    revokePolicyException: () => exception(),
    createPromotionPipeline: async () => pipelineInput(),
    updatePromotionPipeline: async () => ({ ...(await pipeline()), name: `p-${randomUUID()}` }),
    deletePromotionPipeline: pipeline,
    promoteChangeset: async () => {
      const { pipelineId, workspaces } = await staged(scene, { dev: {}, prod: {} }, organizationId);
      const changesetId = await deploy(scene, { organizationId, workspaceIds: [workspaces["dev"]] });
      await finish(scene, changesetId);
      return { changesetId, pipelineId, stage: "prod" };
    },
    createPolicySet: policySetInput,
    updatePolicySet: async () => ({ ...(await policySet()), name: `set-${randomUUID()}` }),
    deletePolicySet: policySet,
    createPolicyFixture: async () => {
      const { planId } = await planWith(scene, await scene.createWorkspace(), bucketPlan("private"));
      return { ...(await policySet()), planId, name: "a bucket" };
    },
    deletePolicyFixture: async () => {
      await planWith(scene, await scene.createWorkspace(), null);
      return { fixtureId: await insertFixture(scene, (await policySet()).policySetId) };
    },
    simulatePolicySet: async () => {
      const { policySetId } = await policySet();
      return { policySetId, versionId: await insertDraft(scene, policySetId), filter: {}, last: 1 };
    },
    stopPolicySimulation: async () => {
      const { policySetId } = await policySet();
      const input = { policySetId, versionId: await insertDraft(scene, policySetId), filter: {} };
      return { simulationId: (await make("simulatePolicySet", input, "simulation { id }")).simulation.id };
    },
    pushPolicySetVersion: async () => {
      const rule = { name: "none", level: "ADVISORY", when: "false", message: "Nothing." };
      return { ...(await policySet()), rules: [rule] };
    },
    setPolicySetVersionState: async () => {
      const { policySetId } = await policySet();
      return { versionId: await insertDraft(scene, policySetId), state: "ACTIVE" };
    },
    acknowledgeDrift: drifted,
    createSchedule: async () => scheduleInput(),
    updateSchedule: async () => ({ ...(await schedule()), name: "weekly" }),
    deleteSchedule: schedule,
    runScheduleNow: schedule,
    createRunnerToken: async () => ({ ...(await newPool()), name: "door" }),
    createToken: async () => ({ name: "ci", role: "READER" }),
    createWebhook: async () => ({ organizationId, url: "http://127.0.0.1:1/", events: ["RUN_ENDED"] }),
    createWorkspace: async () => ({ name: "new", source: { directory: { path: server.sourceRoot } } }),
    cycleRunner: runner,
    deleteRunnerPool: newPool,
    deleteVariable: async () => {
      const workspaceId = await scene.createWorkspace();
      await scene.send("setVariable", { workspaceId, key: "region", value: "eu" });
      return { workspaceId, key: "region" };
    },
    deleteWebhook: webhook,
    deleteWorkspace: workspace(),
    discardRecoveredState: recovered,
    discardRun: at("AWAITING_PLAN_APPROVAL"),
    drainRunner: runner,
    forceUnlockState: async () => {
      const { workspaceId, name } = await named(scene);
      await state(scene, name, "LOCK");
      return { workspaceId, lockId: "lock" };
    },
    lockWorkspace: workspace(),
    prioritizeRun: at("READY", { priority: 5 }),
    promoteRun: async () => ({ runId: await scene.plan(await scene.createWorkspace()) }),
    redeliverWebhook: async () => ({ deliveryId: await failedDelivery(scene, (await webhook()).webhookId) }),
    rejectRun: at("AWAITING_PLAN_APPROVAL", { planVersion: 1 }),
    replanRun: at("AWAITING_PLAN_APPROVAL", { planVersion: 1 }),
    resumeRunner: async () => {
      const input = await runner();
      await make("drainRunner", input, "runner { id }");
      return input;
    },
    retryRun: onFailed,
    revokeRunner: runner,
    revokeRunnerToken: async () => {
      const input = { ...(await newPool()), name: "door" };
      return { tokenId: (await make("createRunnerToken", input, "token { id }")).token.id };
    },
    createTrustRule: async () => ({ serviceAccountId: await account(), ...TRUST }),
    deleteTrustRule: async () => {
      const { trustRule } = await make(
        "createTrustRule",
        { serviceAccountId: await account(), ...TRUST },
        "trustRule { id }",
      );
      return { trustRuleId: trustRule.id };
    },
    revokeInvitation: async () => ({ invitationId: (await invitation()).id }),
    inviteMember: async () => ({ organizationId, name: "Ann" }),
    renamePasskey: async () => ({ passkeyId: await passkey(scene), name: "Phone" }),
    deletePasskey: async () => ({ passkeyId: await passkey(scene) }),
    revokeSession: async () => ({ sessionId: (await signedIn(scene)).sessionId }),
    revokeSessions: async () => ({ userId: (await signedIn(scene)).userId }),
    updateToken: async () => ({ tokenId: (await scene.login("READER")).tokenId, networks: ["127.0.0.1"] }),
    rotateToken: async () => {
      const { id } = (await make("createServiceAccount", { organizationId, name: "rotated" }, "actor { id }")).actor;
      return { tokenId: (await make("createToken", { name: "rotated", ownerId: id }, "token { id }")).token.id };
    },
    revokeToken: async () => ({ tokenId: (await scene.login("READER")).tokenId }),
    rollbackRun: at("FINISHED"),
    rollbackState: async () => {
      const { workspaceId, name } = await named(scene);
      await state(scene, name, "LOCK");
      await state(scene, name, "POST", 1);
      await state(scene, name, "POST", 2);
      await state(scene, name, "UNLOCK");
      const [row] = await scene.rows(
        "select id from state_version where workspace_id = $1 and serial = 1",
        workspaceId,
      );
      return { workspaceId, stateVersionId: row["id"] };
    },
    rotateWebhookSecret: webhook,
    setWorkspaceDependencies: workspace({ dependencies: [] }),
    setVariable: workspace({ key: "region", value: "eu" }),
    stopBulkOperation: async () => ({
      operationId: (await make("bulkRunAction", await bulk(), "operation { id }")).operation.id,
    }),
    testWebhook: webhook,
    unlockWorkspace: async () => {
      const workspaceId = await scene.createWorkspace();
      await scene.quick("lockWorkspace", { workspaceId });
      return { workspaceId };
    },
    updateOrganization: async () => ({ organizationId, name: "Renamed" }),
    updateRunnerPool: async () => ({ ...(await newPool()), description: "new" }),
    updateWebhook: async () => ({ ...(await webhook()), description: "new" }),
    testProbe: workspace({
      probe: { name: "db", kind: "TCP", from: "RUNNERS", target: "db.internal:5432" },
    }),
    updateWorkspace: workspace({ description: "new" }),
    withdrawApproval: async () => {
      await scene.login("APPROVER");
      const approvalRules = [{ name: "two", gate: "PLAN", minimum: 2, machinesCount: true }];
      const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules });
      await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
      return { runId, gate: "PLAN" };
    },
  };
}

/** Requests of a runner, in the order in which one sends them: all of them are about one run. */
export function runnerRequests(scene: Scene): Record<string, Example> {
  const { server } = scene;
  const ask = () => claim(server.url, server.runnerToken);
  let runId = "";
  let held: FakeJob;
  const claimed = async () => {
    held = (await ask()) ?? expect.fail("There is nothing to claim.");
  };
  const step = (take: (job: FakeJob) => Promise<ProtocolAnswer>): Example => {
    return async () => async () => {
      expect((await take(held)).status).toBeLessThan(300);
    };
  };
  return {
    "claim, nothing to do": async () => {
      const left = await scene.rows("select run_id from dispatch");
      for (const row of left) await scene.quick("cancelRun", { runId: row["run_id"] });
      return async () => expect(await ask()).toBeNull();
    },
    claim: async () => {
      runId = (await scene.reach("READY")).runId;
      return claimed;
    },
    heartbeat: step((job) => job.heartbeat()),
    prepared: step((job) => job.message({ type: "prepared" })),
    initialized: step((job) => job.message({ type: "initialized" })),
    log: step((job) => job.log("PLAN", "one", "two")),
    archive: step((job) => job.request("PUT", "archive", Buffer.from("archive"))),
    document: step((job) => job.request("PUT", "document", packDocument())),
    planned: step((job) => job.message({ type: "planned", plan: fakePlan() })),
    "claim of an apply": async () => {
      for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
      return claimed;
    },
    "prepared to apply": step((job) => job.message({ type: "prepared" })),
    "state lock": step((job) => job.lockState("lock")),
    "state write": step((job) => job.writeState("lock", STATE)),
    "state unlock": step((job) => job.unlockState("lock")),
    applied: step((job) => job.message({ type: "applied", appliedAddresses: [] })),
  };
}

async function named(scene: Scene): Promise<{ workspaceId: string; name: string }> {
  const name = `w-${randomUUID()}`;
  return { workspaceId: await scene.createWorkspace({ name }), name };
}

/** As an engine that somebody runs by hand. */
async function state(scene: Scene, name: string, method: "LOCK" | "POST" | "UNLOCK", serial = 0): Promise<void> {
  const query = method === "POST" ? "?ID=lock" : "";
  const answer = await fetch(`${scene.server.url}/state/default/${name}${query}`, {
    method,
    headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/json" },
    body: JSON.stringify(method === "POST" ? { ...STATE, serial } : LOCK),
  });
  if (answer.status !== 200) throw new Error(`${method} was answered with ${answer.status}.`);
}

/** A state that came after the lease of its job. */
export async function recoverState(scene: Scene, runId: string): Promise<string> {
  const { deps } = scene.server;
  const [job] = await scene.rows("select id, runner_id, workspace_id from job where run_id = $1", runId);
  const workspaceId = job["workspace_id"];
  const body = Buffer.from(JSON.stringify(STATE));
  const [id, blobId, at] = [deps.newId("recoveredState"), deps.newId("blob"), deps.clock().toISOString()];
  await deps.database.transaction(async (tx) => {
    await insertBlob(tx, deps.cipher, { id: blobId, kind: "STATE", workspaceId, body, createdAt: at });
    const origin = { workspaceId, runId, jobId: job["id"], runnerId: job["runner_id"], blobId };
    const content = { digest: id, size: body.length, serial: 1, lineage: "line", outputs: [], resourceCount: 0 };
    await insertRecoveredState(tx, { id, ...origin, ...content, receivedAt: at });
  });
  return id;
}

/** A repository on the disk of the server. */
async function newLocalRepository({ api, server }: Scene, organizationId: string) {
  const name = `r-${randomUUID()}`;
  const folder = new TestRepository(join(server.sourceRoot, name));
  folder.commit({ "main.tf": "" });
  const host = { organizationId, kind: "GIT", name, url: `file://${server.sourceRoot}` };
  const { id } = await createRepository(api, (await createHost(api, host)).gitHost.id, name);
  return { id, folder };
}

async function newRepository(api: Api, organizationId: string): Promise<string> {
  const { gitHost } = await createHost(api, { organizationId, name: `h-${randomUUID()}` });
  return (await createRepository(api, gitHost.id)).id;
}

/** The address of a service that answers everything with 200. */
async function answeringUrl({ server }: Scene): Promise<string> {
  const target = await startWebhookTarget();
  server.defer(() => target[Symbol.asyncDispose]());
  return target.url;
}

export async function failedDelivery(scene: Scene, webhookId: string): Promise<string> {
  const { database, newId, clock } = scene.server.deps;
  const id = newId("webhookDelivery");
  const delivery = { id, webhookId, event: "run.ended" as const, payload: "{}", createdAt: clock().toISOString() };
  await database.transaction((tx) => insertDeliveries(tx, [delivery]));
  await scene.rows(
    "update webhook_delivery set state = 'FAILED', finished_at = created_at, next_attempt_at = null where id = $1",
    id,
  );
  return id;
}

let signIns = 0;

/** A person who is signed in. */
export async function signedIn(scene: Scene): Promise<{ userId: string; sessionId: string }> {
  signIns += 1;
  const issuer = "https://login.example.com";
  const profile = { issuer, subject: `person-${signIns}`, name: "Ann", email: null, groups: [] };
  const state = `state-${signIns}`;
  const { actor } = await createSignIns(scene.server.deps).byProvider(
    { profile, state, providerSession: null, presentAt: null, adminGroup: null },
    { address: null, userAgent: null, formerSecret: null },
  );
  const [row] = await scene.rows("select id from session where actor_id = $1", actor.id);
  return { userId: actor.id, sessionId: row["id"] };
}

/** A passkey of a person who is signed in. Its key is none: nothing here uses it. */
async function passkey(scene: Scene): Promise<string> {
  const { userId: actorId } = await signedIn(scene);
  const { database, newId, clock, randomBytes } = scene.server.deps;
  const id = newId("passkey");
  const made = { id, actorId, name: "Key", createdAt: clock().toISOString(), lastUsedAt: null };
  const key = { credentialId: Buffer.from(randomBytes(16)), publicKey: Buffer.from(randomBytes(16)), counter: 0 };
  await database.transaction((tx) => insertPasskey(tx, made, key));
  return id;
}
