/** Workspaces with something of everything that queries ask about, and what is beside them in the organization. */
import { replaceProbes } from "../../../src/persistence/probe/probe-store.ts";
import { insertCheckRow, insertResultRow } from "../../support/check-rows.ts";
import { insertCheckReports } from "../../support/check-block-rows.ts";
import { insertHealthRows } from "../../support/health-rows.ts";
import { insertVerificationRow } from "../../support/verification-rows.ts";
import { probeOf } from "../../support/probe-targets.ts";
import type { BulkOperation } from "../../../src/model/bulk/bulk.ts";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import type { Run } from "../../../src/model/run/run.ts";
import type { StateVersion } from "../../../src/model/state/state-version.ts";
import { fakeId, fakeRun } from "../../support/fake-domain.ts";
import { fakePlan } from "../../support/fake-runner.ts";
import { infracost, packDocument, SMALL_PLAN } from "../../support/plan-documents.ts";
import { failedDelivery, recoverState, signedIn } from "../operations.ts";
import { WARNING } from "../../support/diagnostics.ts";
import { addException } from "../../support/judged-plans.ts";
import { putJudgement, putPolicies, type Send } from "../../support/judgement-rows.ts";
import { insertDriftRows } from "../../support/drift-rows.ts";
import { insertRefChange } from "../../support/repository-steps.ts";
import { createPolicySet, insertDraft, insertFixture, setVersionState, simulate } from "../../support/policy-steps.ts";
import type { Scene } from "../scene.ts";
import { rightsOfRole } from "../../support/rights.ts";

/** Objects of the organization. */
export interface Shared {
  poolId: string;
  projectId: string;
  teamId: string;
  grantId: string;
  trustRuleId: string;
  accountId: string;
  roleId: string;
  gitHostId: string;
  repositoryId: string;
  refChangeId: string;
  /** A workspace that those of the samples depend on. */
  upstreamId: string;
  inboundHookId: string;
  checkId: string;
  pipelineId: string;
  policySetId: string;
  policyVersionId: string;
  policyExceptionId: string;
  simulationId: string;
}

/** What one workspace has of everything that queries ask about. */
export interface Sample {
  shared: Shared;
  workspaceId: string;
  name: string;
  run: Run;
  /** Waits for the other run. */
  waiting: Run;
  planId: string;
  phaseId: string;
  approvalId: string;
  commentId: string;
  version: StateVersion;
  recoveredStateId: string;
  evaluationId: string;
  resultId: string;
  webhookId: string;
  deliveryId: string;
  checkResultId: string;
  verificationId: string;
  scheduleId: string;
  driftReportId: string;
  changesetId: string;
  /** The actor of what its runs do. */
  runsActorId: string;
  /** Of the administrator, on the runs of the workspace. */
  bulk: BulkOperation;
}

export const admin: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: ADMIN_TOKEN_ID,
  actor: { id: ADMIN_ACTOR_ID, kind: "USER", name: "admin" },
  rights: rightsOfRole("ADMIN"),
  accessVersion: { version: 1, moves: 1 },
};

const { counts, resourceChanges } = fakePlan();
const DESTRUCTION = {
  counts: { ...counts, additions: 0, destructions: 1 },
  resourceChanges: resourceChanges.map((change) => ({ ...change, action: "DELETE" as const })),
  outputChanges: [{ name: "zone", action: "CREATE" as const, sensitive: false }],
  outputValues: [{ name: "zone", before: null, after: "a", unknown: false }],
  diagnostics: [WARNING],
};

export async function createSample(scene: Scene, shared: Shared): Promise<Sample> {
  const { domain } = scene.server;
  const workspaceId = await scene.createWorkspace({ hooks: [{ stage: "AFTER_APPLY", command: "true" }] });
  const [workspace] = await domain.workspaces(admin, [workspaceId]);
  await writeState(scene, workspaceId);
  await scene.send("setVariable", { workspaceId, key: "region", value: "eu" });
  await scene.send("lockWorkspace", { workspaceId });
  await scene.send("unlockWorkspace", { workspaceId });
  const runId = await scene.createRun(workspaceId);
  const job = await scene.claim(runId);
  for (const type of ["prepared", "initialized"] as const) await job.message({ type });
  await job.log("PLAN", "one");
  await job.request("PUT", "archive", Buffer.from("archive"));
  const plan = fakePlan({ stateSerial: job.job.stateSerial, ...DESTRUCTION });
  await job.request(
    "PUT",
    "document",
    packDocument({ plan: SMALL_PLAN, custom: { infracost: infracost("1", "2", "1") } }),
  );
  const planned = await job.message({ type: "planned", plan });
  if (planned.status >= 300) throw new Error(JSON.stringify(planned.body));
  await insertFixture(scene, shared.policySetId);
  const { comment } = await domain.commentOnRun(admin, { runId, text: "Look." });
  await domain.approveRun(admin, { runId, gate: "PLAN", planVersion: 1, comment: null });
  // Both are refused, and recorded.
  await scene.send("updateWorkspace", { workspaceId, name: "" });
  await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 9 });
  const waitingId = await scene.createRun(workspaceId);
  const recoveredStateId = await recoverState(scene, runId);
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
    pipelineId: null,
    stage: null,
    name: "nightly",
    cron: "30 2 * * *",
    timeZone: "UTC",
    spreadMinutes: 0,
    misfire: "ONCE",
    action: "RUN",
    command: null,
    enabled: true,
  });
  const { database, cipher } = scene.server.deps;
  await database.transaction((tx) => replaceProbes(tx, cipher, workspaceId, [probeOf()]));
  await insertHealthRows(scene.server.deps, workspaceId);
  const deliveryId = await failedDelivery(scene, webhook.id);
  const verificationId = await insertVerificationRow(scene.server.deps, runId);
  await insertCheckReports(scene, runId);
  const checkResultId = await insertResultRow(scene.server.deps, { runId, checkId: shared.checkId });
  const grant = { roleId: builtInRoleId("READER"), expiresAt: null, reason: null };
  for (const principalId of [workspaceId, shared.accountId]) {
    await domain.createGrant(admin, { ...grant, principalId, scopeId: workspaceId });
  }
  await readStates(scene, workspace?.name ?? "", recoveredStateId);
  await scene.rows("update run set superseded_by = $2 where id = $1", waitingId, runId);
  await scene.rows(
    `insert into trigger_decision (ref_change_id, workspace_id, outcome, reason, message, inputs_digest, at)
      values ($1, $2, 'SKIPPED', 'TAG_MOVED', 'It was moved.', 'digest of a decision', now())`,
    shared.refChangeId,
    workspaceId,
  );
  await scene.rows(
    `insert into source_inputs (workspace_id, digest, commit, folders, paths, unresolved, created_at)
      values ($1, 'digest of a decision', 'c', '{}', '{}', '{}', now())`,
    workspaceId,
  );
  const { evaluationId, resultId } = await judge(scene, runId);
  await scene.rows(
    `insert into policy_override (run_id, plan_version, owner_id, judge_id, fingerprint, approval_id)
      select e.run_id, e.plan_version, 'owner', e.version_id, r.fingerprint, a.id
      from policy_result r join policy_evaluation e on e.id = r.evaluation_id
      join approval a on a.run_id = e.run_id where r.id = $1 limit 1`,
    resultId,
  );
  await putFacts(scene, { workspaceId, runId, waitingId, deliveryId });
  await scene.rows(
    "insert into workspace_dependency (downstream_id, upstream_id) values ($1, $2)",
    workspaceId,
    shared.upstreamId,
  );
  await scene.rows(
    `insert into run_upstream (run_id, category, key, output, state_version_id, value_hash)
      select $1, 'ENGINE', 'vpc', 'vpc', min(id), '\\x00' from state_version where workspace_id = $2`,
    runId,
    workspaceId,
  );
  const changesetId = await putChangeset(scene, workspaceId, runId);
  await scene.rows(
    `insert into promotion (origin_id, pipeline_id, stage, organization_id, passed_at, repositories)
      values ($1, $2, 'prod', $3, now(), '{}')`,
    changesetId,
    shared.pipelineId,
    DEFAULT_ORGANIZATION_ID,
  );
  const bulk = await domain.bulkRunAction(admin, {
    action: "RETRY",
    filter: { workspaceId },
    gate: null,
    comment: null,
    idempotencyKey: null,
  });
  await domain.updateWorkspace(admin, { workspaceId, paused: true });
  const [runs] = await scene.rows("select id from actor where workspace_id = $1", workspaceId);
  const [[run, waiting], [version], [[phase] = []], [[approval] = []], [newest]] = await Promise.all([
    domain.runs(admin, [runId, waitingId]),
    domain.currentStates(admin, [workspaceId]),
    domain.phasesOfRuns(admin, [runId]),
    domain.approvalsOfRuns(admin, [runId]),
    domain.newestPlans(admin, [runId]),
  ]);
  if (!run || !waiting || !workspace || !version || !phase || !approval || !newest) {
    throw new Error("The sample is not complete.");
  }
  return {
    shared,
    workspaceId,
    name: workspace.name,
    run,
    waiting,
    planId: newest.id,
    phaseId: phase.id,
    approvalId: approval.id,
    commentId: comment.id,
    version,
    recoveredStateId,
    evaluationId,
    resultId,
    webhookId: webhook.id,
    deliveryId,
    checkResultId,
    verificationId,
    scheduleId: schedule.id,
    driftReportId: await insertDriftRows(scene, { workspaceId, runId: run.id, actorId: ADMIN_ACTOR_ID }),
    changesetId,
    runsActorId: runs["id"],
    bulk,
  };
}

async function writeState({ server, api }: Scene, workspaceId: string): Promise<void> {
  const outputs = { address: { value: "10.0.0.1", type: "string" } };
  const content = { version: 4, terraform_version: "1.9.0", serial: 1, lineage: workspaceId, outputs, resources: [] };
  const sent = await fetch(`${server.url}/workspaces/${workspaceId}/state`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body: JSON.stringify(content),
  });
  if (!sent.ok) throw new Error(await sent.text());
}

/** Reads the state as an engine does, and leaves it locked; and downloads the other one. */
async function readStates({ server, api }: Scene, name: string, recoveredStateId: string): Promise<void> {
  const url = `${server.url}/state/default/${name}`;
  const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json" };
  const lock = { ID: "lock", Operation: "OperationTypePlan", Info: "", Who: "ann", Version: "", Created: "", Path: "" };
  const answers = [
    await fetch(url, { headers }),
    await fetch(`${server.url}/state-versions/${recoveredStateId}`, { headers }),
    await fetch(url, { method: "LOCK", headers, body: JSON.stringify(lock) }),
  ];
  for (const answer of answers) if (!answer.ok) throw new Error(await answer.text());
}

/** Puts a judgement of a run, by a set that selects no workspace. */
async function judge(scene: Scene, runId: string): Promise<{ evaluationId: string; resultId: string }> {
  const send: Send = (text, ...values) => scene.rows(text, ...values);
  const suffix = runId.slice(-10);
  const none = { workspaceIds: ["ws_00000000000000000000000000"] };
  const set = { suffix, organizationId: DEFAULT_ORGANIZATION_ID, selector: none };
  const { versionId } = await putPolicies(send, set);
  return putJudgement(send, { suffix, runId, versionId });
}

/** Puts what engines, receivers and time would have to bring about. */
async function putFacts(
  scene: Scene,
  { workspaceId, runId, waitingId, deliveryId }: Record<"workspaceId" | "runId" | "waitingId" | "deliveryId", string>,
): Promise<void> {
  const at = scene.server.deps.clock().toISOString();
  const [job] = await scene.rows("select id, runner_id from job where run_id = $1", runId);
  const [state] = await scene.rows("select id from state_version where workspace_id = $1", workspaceId);
  await scene.rows("update log_head set expired_at = $2 where run_id = $1", waitingId, at);
  await scene.rows(
    `insert into run_progress (run_id, phase, job_id, sequence, total, done, failed, current, current_count, updated_at, reported_at)
      values ($1, 'PLAN', $2, 1, 1, 0, 0, '[]', 0, $3, $3)`,
    runId,
    job["id"],
    at,
  );
  await scene.rows(
    `insert into refused_request (at, organization_id, workspace_id, run_id, job_id, runner_id, request, code, message)
      values ($1, $2, $3, $4, $5, $6, 'log', 'JOB_OVER', 'The job is over.')`,
    at,
    DEFAULT_ORGANIZATION_ID,
    workspaceId,
    runId,
    job["id"],
    job["runner_id"],
  );
  await scene.rows("insert into refused_count (job_id, run_id, count) values ($1, $2, 1)", job["id"], runId);
  await scene.rows(
    "insert into webhook_attempt (delivery_id, number, at, duration_ms, status_code) values ($1, 1, $2, 5, 500)",
    deliveryId,
    at,
  );
  await scene.rows("update webhook_delivery set attempt_count = 1 where id = $1", deliveryId);
  await scene.rows(
    "insert into state_rollback (run_id, state_version_id, state_serial) values ($1, $2, 1)",
    waitingId,
    state["id"],
  );
  const drift = { foundAt: at, runId, resources: 1, outputs: 0, fingerprint: "f", isReported: true };
  await scene.rows("update workspace set drift = $2 where id = $1", workspaceId, JSON.stringify(drift));
  await scene.rows(
    `insert into source_inputs (workspace_id, digest, commit, folders, paths, unresolved, created_at)
      values ($1, 'digest', 'commit', '{.}', '{}', '{}', $2)`,
    workspaceId,
    at,
  );
  await scene.rows("update run set inputs_digest = 'digest' where id = $1", runId);
  await scene.rows(
    "insert into reported_folder select workspace_id, 'modules', id, now() from run where id = $1",
    runId,
  );
  await scene.rows(
    "update run set cancel_requested_by = $2, cancel_requested_at = $3 where id = $1",
    waitingId,
    ADMIN_ACTOR_ID,
    at,
  );
}

/** Puts a changeset with one run, which it did not create. */
async function putChangeset(scene: Scene, workspaceId: string, runId: string): Promise<string> {
  const id = scene.server.deps.newId("changeset");
  await scene.rows(
    `insert into changeset (id, organization_id, source, title, kind, trigger, created_by, created_at, due)
      values ($1, $2, 'MANUAL', 'one', 'DEPLOY', 'MANUAL', $3, $4, false)`,
    id,
    DEFAULT_ORGANIZATION_ID,
    ADMIN_ACTOR_ID,
    scene.server.deps.clock().toISOString(),
  );
  await scene.rows(
    "insert into changeset_member (changeset_id, workspace_id, run_id) values ($1, $2, $3)",
    id,
    workspaceId,
    runId,
  );
  return id;
}

/** A sample of which nothing exists. `like`: one that does. */
export function absentSample(like: Sample): Sample {
  const nowhere = { organizationId: fakeId("org", 999), workspaceId: fakeId("ws", 999) };
  return {
    shared: like.shared,
    workspaceId: nowhere.workspaceId,
    name: "absent",
    run: fakeRun(999, nowhere),
    waiting: fakeRun(998, nowhere),
    planId: fakeId("plan", 999),
    phaseId: fakeId("phase", 999),
    approvalId: fakeId("appr", 999),
    commentId: fakeId("cmt", 999),
    version: { ...like.version, ...nowhere, id: fakeId("sv", 999) },
    evaluationId: fakeId("policyEvaluation", 999),
    resultId: fakeId("policyResult", 999),
    recoveredStateId: fakeId("rcv", 999),
    webhookId: fakeId("hook", 999),
    deliveryId: fakeId("dlv", 999),
    checkResultId: fakeId("chkr", 999),
    verificationId: fakeId("ver", 999),
    scheduleId: fakeId("sch", 999),
    driftReportId: fakeId("drift", 999),
    changesetId: fakeId("cs", 999),
    runsActorId: fakeId("mch", 999),
    bulk: { ...like.bulk, id: fakeId("bulk", 999) },
  };
}

/** Creates what is beside the workspaces in the organization. */
export async function createShared(scene: Scene): Promise<Shared> {
  const { domain } = scene.server;
  await signedIn(scene);
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const pool = { organizationId, name: "pool", description: null, reserved: false, driftCheckLimit: null };
  const poolId = (await domain.createRunnerPool(admin, pool)).id;
  const unused = { username: null, token: null, sshKey: null, knownHosts: null, appId: null, privateKey: null };
  const credential = { ...unused, hookSecret: null };
  const host = { organizationId, kind: "GITHUB", name: "github", url: "https://github.com", ...credential } as const;
  const gitHostId = (await domain.createGitHost(admin, host)).gitHost.id;
  const repositoryId = (await domain.createRepository(admin, { gitHostId, name: "acme/infrastructure" })).id;
  const refChangeId = await insertRefChange(scene, repositoryId);
  const hook = { organizationId, name: "tickets", kind: "PLAN", mapping: [] } as const;
  const workspaceIds = [await scene.createWorkspace()];
  const inboundHookId = (await domain.createInboundHook(admin, { ...hook, workspaceIds })).hook.id;
  const checkId = await insertCheckRow(scene.server.deps, organizationId);
  const stages = ["dev", "prod"].map((stage) => {
    return { name: stage, label: `stage:${stage}`, automatic: false, soakMinutes: 0 };
  });
  const pipelineId = (await domain.createPromotionPipeline(admin, { organizationId, name: "p", stages })).id;
  const policySetId: string = (await createPolicySet(scene.api, { selector: { kinds: ["DESTROY"] } })).policySet.id;
  const policyVersionId = await insertDraft(scene, policySetId);
  // It decides nothing about the runs of the samples.
  await setVersionState(scene.api, policyVersionId, "SHADOW");
  const policyExceptionId = await addException(scene, policySetId, workspaceIds);
  const simulated = await simulate(scene.api, { policySetId, versionId: policyVersionId });
  const simulationId: string = simulated.simulation.id;
  const ofPolicies = { policySetId, policyVersionId, policyExceptionId, simulationId };
  const project = { organizationId, parentId: null, name: "p", isolated: false };
  const projectId = (await domain.createProject(admin, project)).id;
  const teamId = (await domain.createTeam(admin, { organizationId, name: "t", externalIds: [] })).id;
  await domain.inviteMember(admin, { organizationId, name: "ann", email: null, teamIds: [], expiresAt: null });
  const { id: accountId } = await domain.createServiceAccount(admin, { organizationId, name: "ci" });
  const rule = { issuer: "https://ci.example.com", audience: "holdpoint", subject: "main", claims: [], maxSeconds: 60 };
  const trustRuleId = (await domain.createTrustRule(admin, { ...rule, serviceAccountId: accountId })).id;
  await domain.addTeamMember(admin, { teamId, actorId: accountId });
  const upstreamId = await scene.createWorkspace();
  const role = { organizationId, name: "own", description: null, permissions: ["PROJECT_READ"] } as const;
  const { id: roleId } = await domain.createRole(admin, role);
  const grant = { roleId: builtInRoleId("READER"), expiresAt: null, reason: null };
  const { id: grantId } = await domain.createGrant(admin, { ...grant, principalId: teamId, scopeId: organizationId });
  await domain.createGrant(admin, { ...grant, principalId: accountId, scopeId: projectId });
  await domain.createRunnerToken(admin, { poolId, name: "token", expiresAt: null });
  const ofPeople = { projectId, teamId, grantId, trustRuleId, accountId, roleId };
  const ofRepositories = { gitHostId, repositoryId, refChangeId, inboundHookId, checkId };
  return { ...ofPeople, ...ofRepositories, ...ofPolicies, poolId, upstreamId, pipelineId };
}
