/** A tree with something of every kind at each place: two organizations, and a project that is isolated. */
import { insertCheckRow, insertResultRow } from "../support/check-rows.ts";
import { insertCheckReports } from "../support/check-block-rows.ts";
import { insertHealthRows } from "../support/health-rows.ts";
import { insertVerificationRow } from "../support/verification-rows.ts";
import { randomUUID } from "node:crypto";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { INSTALLATION, type Place } from "../../src/model/people/place.ts";
import { failedDelivery, recoverState } from "../domain/operations.ts";
import type { Data } from "../support/api.ts";
import { insertRefChange } from "../support/repository-steps.ts";
import { addException } from "../support/judged-plans.ts";
import { insertDraft } from "../support/policy-steps.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { infracost, packDocument, SMALL_PLAN } from "../support/plan-documents.ts";
import { runnersBy } from "../support/fleet.ts";
import { addJudgements } from "./judged-world.ts";
import type { WalkScene } from "./walk-scene.ts";

/** A place, and whether grants from above its project do not reach it. */
export interface WorldPlace extends Place {
  readonly isIsolated: boolean;
}

export interface WorldWorkspace {
  id: string;
  name: string;
  projectId: string;
  organizationId: string;
  slug: string;
  stateIds: string[];
}

export interface World {
  workspaces: WorldWorkspace[];
  organizations: { id: string; slug: string }[];
  /** The place of each object, by its id. */
  places: ReadonlyMap<string, WorldPlace>;
  /** The actors that are members of each organization. */
  members: ReadonlyMap<string, ReadonlySet<string>>;
}

const RESOURCE = {
  mode: "managed",
  type: "terraform_data",
  name: "a",
  provider: 'provider["terraform.io/builtin/terraform"]',
};

export async function createWorld(walk: WalkScene): Promise<World> {
  const { scene, make } = walk;
  const first = walk.organizationId;
  const slug = `o-${randomUUID().slice(0, 8)}`;
  const { organization } = await walk.make("createOrganization", { slug, name: "Other" }, "organization { id }");
  const organizations = [
    { id: first, slug: "default" },
    { id: organization.id as string, slug },
  ];
  const admin: string = (await scene.api.ask("{ viewer { actor { id } } }")).viewer.actor.id;
  const workspaces: WorldWorkspace[] = [];
  for (const { id, slug: ofOrganization } of organizations) {
    await fillOrganization(walk, id);
    for (const isolated of id === first ? [false, true] : [false]) {
      const input = { organizationId: id, name: `p-${randomUUID()}`, isolated };
      const projectId: string = (await make("createProject", input, "project { id }")).project.id;
      if (isolated) await walk.grant(admin, "ADMIN", projectId);
      workspaces.push(await createWorkspace(walk, { organizationId: id, slug: ofOrganization, projectId }));
    }
    await addJudgements(walk, id);
  }
  await make("bulkRunAction", { action: "RETRY", filter: { kinds: ["DEPLOY"] } }, "operation { id }");
  return { workspaces, organizations, ...(await readPlaces(walk)) };
}

/** Reads where everything is by now. */
export async function readPlaces(walk: WalkScene): Promise<Pick<World, "places" | "members">> {
  return { places: await placesOf(walk), members: await membersOf(walk) };
}

async function fillOrganization(walk: WalkScene, organizationId: string): Promise<void> {
  const { make, scene } = walk;
  const name = (word: string): string => `${word}-${randomUUID()}`;
  const account = await walk.createAccount(organizationId);
  await walk.grant(account, "READER", organizationId);
  const { team } = await make("createTeam", { organizationId, name: name("team") }, "team { id }");
  await make("addTeamMember", { teamId: team.id, actorId: account }, "team { id }");
  await walk.grant(team.id, "READER", organizationId);
  await make("inviteMember", { organizationId, name: "Ann", teamIds: [team.id] }, "invitation { id }");
  const permissions = ["WORKSPACE_READ", "RUN_READ"];
  await make("createRole", { organizationId, name: name("role"), permissions }, "role { id }");
  const { runnerPool } = await make("createRunnerPool", { organizationId, name: name("pool") }, "runnerPool { id }");
  const { secret } = await make("createRunnerToken", { poolId: runnerPool.id, name: "door" }, "secret");
  await runnersBy(scene.server, secret).ask({ name: name("runner") });
  const claims = [{ name: "repository_owner", value: "acme" }];
  const trust = { issuer: "https://ci.example.com", audience: "holdpoint", subject: "repo:acme/*", claims };
  await make("createTrustRule", { serviceAccountId: account, ...trust, maxSeconds: 600 }, "trustRule { id }");
  const host = { organizationId, kind: "GITHUB", name: "github", url: "https://github.com", token: "t" };
  const { gitHost } = await make("createGitHost", host, "gitHost { id }");
  const named = { gitHostId: gitHost.id, name: "acme/infrastructure" };
  const { repository } = await make("createRepository", named, "repository { id }");
  await insertRefChange(scene, repository.id);
  const url = "https://example.com/hook";
  await make("createWebhook", { organizationId, url, events: ["RUN_ENDED"] }, "webhook { id }");
  await insertCheckRow(scene.server.deps, organizationId);
  const workspaceIds = [
    await scene.createWorkspace({
      organization: (await scene.rows("select slug from organization where id = $1", organizationId))[0]?.slug,
    }),
  ];
  const inbound = { name: name("inbound"), kind: "PLAN", workspaceIds, mapping: [{ key: "ticket", pointer: "/id" }] };
  await make("createInboundHook", { organizationId, ...inbound }, "inboundHook { id }");
  const stages = ["dev", "prod"].map((stage) => ({ name: stage, label: `${name("stage")}:${stage}` }));
  await make("createPromotionPipeline", { organizationId, name: name("pipeline"), stages }, "pipeline { id }");
  const selector = { names: ["w-*"], kinds: ["DESTROY"] };
  const set = { organizationId, name: name("policies"), language: "CEL", selector };
  const { policySet } = await make("createPolicySet", set, "policySet { id }");
  const results = [{ name: "it passes", problems: [] }];
  const version = await insertDraft(scene, policySet.id, undefined, { message: "First", testReport: { results } });
  await make("setPolicySetVersionState", { versionId: version, state: "ACTIVE" }, "version { id }");
  const exceptionId = await addException(scene, policySet.id, workspaceIds, { ticket: name("ticket") });
  await scene.rows(
    `update policy_exception set state = 'REVOKED', decided_by = $2, decided_at = now(), decision_comment = 'ok',
       revoked_by = $2, revoked_at = now(), revocation_comment = 'over' where id = $1`,
    exceptionId,
    ADMIN_ACTOR_ID,
  );
  const nightly = { name: name("nightly"), cron: "30 2 * * *", action: "DETECT_DRIFT", label: "env:dev" };
  await make("createSchedule", { organizationId, ...nightly }, "schedule { id }");
}

async function createWorkspace(
  walk: WalkScene,
  at: Pick<WorldWorkspace, "organizationId" | "slug" | "projectId">,
): Promise<WorldWorkspace> {
  const { scene, make } = walk;
  const name = `w-${randomUUID()}`;
  const workspaceId = await scene.createWorkspace({
    name,
    labels: [name],
    // It applies to no run of the walk.
    approvalRules: [{ name: "rare", gate: "APPLY", kinds: ["DESTROY"], machinesCount: true, when: { labels: [name] } }],
    organization: at.slug,
    projectId: at.projectId,
  });
  for (const serial of [1, 2]) await importState(walk, workspaceId, name, serial);
  await scene.send("setVariable", { workspaceId, key: "region", value: name });
  const runId = await scene.createRun(workspaceId, { message: name, metadata: [{ key: "a", value: name }] });
  const job = await scene.claim(runId);
  for (const type of ["prepared", "initialized"] as const) await job.message({ type });
  await job.log("PLAN", name);
  await job.request("PUT", "archive", Buffer.from("archive"));
  const document = { plan: { ...SMALL_PLAN, note: name }, custom: { infracost: infracost("1", "2", "1") } };
  await job.request("PUT", "document", packDocument(document));
  const actionInvocations = [{ address: "action.a.b", type: "a", triggerAddress: "a.b", triggerEvent: "AfterCreate" }];
  await job.message({
    type: "planned",
    plan: fakePlan({ stateSerial: job.job.stateSerial, actionInvocations }),
  });
  await insertCheckReports(scene, runId);
  await make("commentOnRun", { runId, text: name }, "comment { id }");
  await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1, comment: name });
  // Refused, and recorded.
  await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 9 });
  await recoverState(scene, runId);
  // Waits for the first.
  await scene.createRun(workspaceId);
  const changeset = { organizationId: at.organizationId, title: name, workspaceIds: [workspaceId] };
  await make("createChangeset", changeset, "changeset { id }");
  await changesetRound(scene.server.deps, new AbortController().signal);
  // A runner works on it.
  await scene.claim(await scene.createRun(workspaceId, { kind: "PLAN" }));
  const times = { name, cron: "30 2 * * *", action: "RUN" };
  await make("createSchedule", { organizationId: at.organizationId, workspaceId, ...times }, "schedule { id }");
  const input = { organizationId: at.organizationId, workspaceId, url: "https://example.com/", events: ["RUN_ENDED"] };
  const { webhook } = await make("createWebhook", input, "webhook { id }");
  await failedDelivery(scene, webhook.id);
  const probes = [{ name: "web", kind: "HTTP", target: "https://example.com/", expect: { statuses: ["200"] } }];
  await make("updateWorkspace", { workspaceId, probes }, "workspace { id }");
  await insertHealthRows(scene.server.deps, workspaceId);
  const [check] = await scene.rows("select id from external_check where organization_id = $1", at.organizationId);
  await insertResultRow(scene.server.deps, { runId, checkId: check?.["id"] });
  await insertVerificationRow(scene.server.deps, runId);
  const account = await walk.createAccount(at.organizationId);
  await walk.grant(account, "READER", workspaceId);
  const states = await scene.rows("select id from state_version where workspace_id = $1 order by serial", workspaceId);
  await readStates(walk, workspaceId);
  return { id: workspaceId, name, ...at, stateIds: states.map(({ id }: Data) => id) };
}

/** Imports a state whose outputs and resource have the text. */
export async function importState(
  { scene }: WalkScene,
  workspaceId: string,
  text: string,
  serial: number,
): Promise<void> {
  const url = { value: `https://example.com/${text}`, type: "string" };
  const outputs = { [`o${serial}`]: { value: text, type: "string" }, url };
  const instances = [{ schema_version: 0, attributes: { id: `${serial}`, input: text } }];
  const content = { version: 4, terraform_version: "1.9.0", lineage: "line", serial, outputs };
  const sent = await fetch(`${scene.server.url}/workspaces/${workspaceId}/state`, {
    method: "POST",
    headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...content, resources: [{ ...RESOURCE, instances }] }),
  });
  if (!sent.ok) throw new Error(await sent.text());
}

/** As many readings as are shown, newer than those that questions of the walk make: their answers stay as they are. */
export async function readStates({ scene }: WalkScene, workspaceId: string): Promise<void> {
  await scene.rows(
    `insert into state_reading (id, state_version_id, recovered_state_id, actor_id, way, at) overriding system value
      select 1000000000 + nextval(pg_get_serial_sequence('state_reading', 'id')), version, recovered, $2, 'DOWNLOAD', $3
      from (select id as version, null as recovered from state_version where workspace_id = $1
        union all select null, id from recovered_state where workspace_id = $1) state, generate_series(1, $4::int)`,
    workspaceId,
    ADMIN_ACTOR_ID,
    scene.server.deps.clock().toISOString(),
    LIMITS.stateReadingsShown,
  );
}

/** Read from the rows, and not by the code that is tried. */
async function placesOf({ scene }: WalkScene): Promise<Map<string, WorldPlace>> {
  const ofWorkspace = (table: string, join = "w.id = t.workspace_id") =>
    `select t.id, w.organization_id, w.project_id, w.id as workspace_id from ${table} t join workspace w on ${join}`;
  const ofOrganization = (table: string) =>
    `select t.id, t.organization_id, null::text, null::text from ${table} t where t.organization_id is not null`;
  const texts = [
    ofWorkspace("workspace", "w.id = t.id"),
    ...["run", "state_version", "recovered_state"].map((table) => ofWorkspace(table)),
    // Each has one workspace.
    ofWorkspace("(select changeset_id as id, workspace_id from changeset_member)"),
    ...["plan", "phase", "approval", "run_comment", "external_check_result"].map((table) =>
      ofWorkspace(`(select c.id, r.workspace_id from ${table} c join run r on r.id = c.run_id)`),
    ),
    `select s.id, s.organization_id, w.project_id, w.id from schedule s left join workspace w on w.id = s.workspace_id`,
    `select h.id, h.organization_id, w.project_id, w.id from webhook h left join workspace w on w.id = h.workspace_id`,
    `select d.id, h.organization_id, w.project_id, w.id from webhook_delivery d join webhook h on h.id = d.webhook_id
      left join workspace w on w.id = h.workspace_id`,
    `select g.id, g.organization_id, coalesce(w.project_id, p.id), w.id from access_grant g
      left join workspace w on w.id = g.scope_id left join project p on p.id = g.scope_id where g.revoked_at is null`,
    `select id, id, null::text, null::text from organization`,
    `select id, organization_id, id, null::text from project`,
    ...[
      "team",
      "role",
      "invitation",
      "runner_pool",
      "git_host",
      "inbound_hook",
      "external_check",
      "promotion_pipeline",
      "policy_set",
      "policy_exception",
      "repository",
    ].map(ofOrganization),
    `select v.id, s.organization_id, null::text, null::text from policy_set_version v join policy_set s on s.id = v.set_id`,
    `select m.id, s.organization_id, null::text, null::text from policy_simulation m join policy_set s on s.id = m.set_id`,
    `select e.id, r.organization_id, r.project_id, r.workspace_id from policy_evaluation e join run r on r.id = e.run_id`,
    `select d.id, r.organization_id, r.project_id, r.workspace_id from drift_report d join run r on r.id = d.run_id`,
    `select p.id, r.organization_id, r.project_id, r.workspace_id from policy_result p
      join policy_evaluation e on e.id = p.evaluation_id join run r on r.id = e.run_id`,
    `select c.id, r.organization_id, null::text, null::text from ref_change c join repository r on r.id = c.repository_id`,
    `select t.id, a.organization_id, null::text, null::text from trust_rule t join actor a on a.id = t.actor_id`,
    `select t.id, p.organization_id, null::text, null::text from runner_token t join runner_pool p on p.id = t.pool_id`,
    `select r.id, p.organization_id, null::text, null::text from runner r left join runner_pool p on p.id = r.pool_id`,
    `select t.id, a.organization_id, null::text, null::text from token t join actor a on a.id = t.actor_id`,
    `select id, null::text, null::text, null::text from bulk_operation`,
  ];
  const rows = await scene.rows(
    `select o.*, coalesce(p.isolated, false) as isolated from (${texts.join(" union all ")})
      o (id, organization_id, project_id, workspace_id) left join project p on p.id = o.project_id`,
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...INSTALLATION,
        organizationId: row.organization_id,
        projectId: row.project_id,
        workspaceId: row.workspace_id,
        isIsolated: row.isolated,
      },
    ]),
  );
}

async function membersOf({ scene }: WalkScene): Promise<Map<string, Set<string>>> {
  const rows = await scene.rows(
    `select organization_id, principal_id as id from access_grant where revoked_at is null and organization_id is not null
     union select t.organization_id, m.actor_id from team_member m join team t on t.id = m.team_id
     union select organization_id, id from actor where organization_id is not null order by 1, 2`,
  );
  const members = new Map<string, Set<string>>();
  for (const { organization_id: id, id: actorId } of rows) {
    members.set(id, (members.get(id) ?? new Set()).add(actorId));
  }
  return members;
}
