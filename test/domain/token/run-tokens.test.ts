/** Grants of workspaces over the API: what a run may do with the token that its engine gets. */
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { findCurrentCaller } from "../../../src/domain/sign-in/current-caller.ts";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { requestersOf } from "../../../src/model/run/run.ts";
import { findRun } from "../../../src/persistence/run/run-store.ts";
import { type BuiltInRole, builtInRoleId } from "../../../src/model/people/role.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import type { FakeJob } from "../../support/fake-runner.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const WHO = "{ viewer { credential actor { __typename id name ... on MachineUser { workspace { id } } } } }";

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene();
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...other.reported.splice(0)]).toEqual([]));

/** Sends a mutation; gives the fields of its success, or the error. */
async function send(name: string, input: object, fields: string, api: Api = scene.api): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
    ... on ${type}Success { ${fields} }
    ... on UserError { code message ... on InvalidInputError { issues { path message } } } } }`;
  return (await api.ask(document, { input }))[name];
}

async function make(name: string, input: object, field: string): Promise<string> {
  const made = await send(name, input, `${field} { id }`);
  expect(made.code, made.message).toBeUndefined();
  return made[field].id;
}

const project = (name: string): Promise<string> =>
  make(
    "createProject",
    { organizationId, parentId: null, name: `${name}-${randomUUID()}`, isolated: false },
    "project",
  );
const grant = (principalId: string, role: BuiltInRole, scopeId: string | null, api?: Api): Promise<Data> =>
  send("createGrant", { principalId, roleId: builtInRoleId(role), scopeId }, "grant { id }", api);

async function machine(...grants: [BuiltInRole, string][]): Promise<Api & { id: string }> {
  const id = await make("createServiceAccount", { organizationId, name: `m-${randomUUID()}` }, "actor");
  for (const [role, scopeId] of grants) expect((await grant(id, role, scopeId)).code).toBeUndefined();
  const { secret } = await send("createToken", { name: `t-${randomUUID()}`, ownerId: id }, "secret");
  return { ...createApi(scene.server.url, secret), id };
}

async function workspaceIn(projectId: string): Promise<string> {
  const workspaceId = await scene.createWorkspace();
  await send("moveWorkspace", { workspaceId, toProjectId: projectId }, "workspace { id }");
  return workspaceId;
}

/** A run of a workspace on a leg, with the API as its engine has it. */
interface Acting {
  api: Api;
  job: FakeJob;
  runId: string;
}

const apiOf = (job: FakeJob): Api => createApi(scene.server.url, job.job.runToken ?? expect.fail("It has no token."));

async function planning(workspaceId: string): Promise<Acting> {
  const runId = await scene.createRun(workspaceId);
  const job = await scene.claim(runId);
  return { api: apiOf(job), job, runId };
}

async function applying(workspaceId: string): Promise<Acting> {
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  const job = await scene.claim(runId);
  return { api: apiOf(job), job, runId };
}

const createIn = (workspaceId: string, api: Api): Promise<Data> =>
  send("createRun", { workspaceId, kind: "PLAN" }, "run { id trigger createdBy { id __typename } }", api);
const sees = async (api: Api, id: string): Promise<boolean> =>
  (await api.ask("query ($id: ID!) { workspace(by: { id: $id }) { id } }", { id })).workspace !== null;
/** The caller of the token of a run, as a connection that it opened asks for it again. */
const current = ({ job }: FakeJob) => findCurrentCaller(scene.server.deps, { credential: "RUN", credentialId: job.id });
const status = async (api: Api): Promise<number> => (await api.send(WHO)).status;

describe("the token of a run", () => {
  it("is given where the workspace has a grant, and to no other runs", async () => {
    const [acting, target, plain] = [
      await scene.createWorkspace(),
      await scene.createWorkspace(),
      await scene.createWorkspace(),
    ];
    const { grant: made } = await grant(acting, "WRITER", target);
    const { api } = await planning(acting);
    expect((await scene.claim(await scene.createRun(plain))).job.runToken).toBeNull();
    const { viewer } = await api.ask(WHO);
    expect(viewer).toMatchObject({
      credential: "RUN",
      // The run may not read its own workspace: nothing is implied.
      actor: { __typename: "MachineUser", name: "runs of a workspace", workspace: null },
    });
    await send("revokeGrant", { grantId: made.id }, "revokedId");
    expect((await scene.claim(await scene.createRun(await scene.createWorkspace()))).job.runToken).toBeNull();
    expect(await sees(api, target)).toBe(false);
  });

  it("reads on a leg that plans, and acts on one that was approved, on every server", async () => {
    const [acting, target, hidden] = [
      await scene.createWorkspace(),
      await scene.createWorkspace(),
      await scene.createWorkspace(),
    ];
    await grant(acting, "WRITER", target);
    const plan = await planning(acting);
    expect(await sees(plan.api, target)).toBe(true);
    expect(await createIn(target, plan.api)).toMatchObject({ code: "FORBIDDEN" });
    await plan.job.plan();
    await scene.quick("discardRun", { runId: plan.runId });
    const apply = await applying(acting);
    const made = await createIn(target, apply.api);
    const { run } = await scene.api.ask(
      "query ($id: ID!) { run(id: $id) { createdByRun { id createdBy { id } createdByRun { id } } } }",
      { id: made.run.id },
    );
    expect(run.createdByRun).toEqual({ id: apply.runId, createdBy: { id: ADMIN_ACTOR_ID }, createdByRun: null });
    const { viewer } = await apply.api.ask(WHO);
    expect(made.run).toMatchObject({ trigger: "API", createdBy: { __typename: "MachineUser", id: viewer.actor.id } });
    expect((await createIn(target, createApi(other.url, apply.api.token))).run.createdBy.id).toBe(viewer.actor.id);
    expect([await sees(apply.api, hidden), await sees(apply.api, acting)]).toEqual([false, false]);
    expect(await createIn(hidden, apply.api)).toMatchObject({ code: "NOT_FOUND" });
    const { node } = await scene.api.ask(
      "query ($id: ID!) { node(id: $id) { ... on MachineUser { name workspace { id } } } }",
      { id: viewer.actor.id },
    );
    expect(node).toEqual({ name: "runs of a workspace", workspace: { id: acting } });
  });

  it("ends with the job: reported, stopped by force, and with a lease that ran out", async () => {
    const [acting, target] = [await scene.createWorkspace(), await scene.createWorkspace()];
    await grant(acting, "WRITER", target);
    const plan = await planning(acting);
    expect(await status(plan.api)).toBe(200);
    const { viewer } = await plan.api.ask(WHO);
    const caller = await current(plan.job);
    expect(caller).toMatchObject({
      type: "actor",
      credential: "RUN",
      credentialId: plan.job.job.id,
      actor: { id: viewer.actor.id },
      run: { id: plan.runId, workspaceId: acting },
    });
    expect(caller).not.toHaveProperty("rightsUntil");
    await plan.job.plan();
    expect(await status(plan.api)).toBe(401);
    expect(await current(plan.job)).toBeNull();
    await scene.quick("discardRun", { runId: plan.runId });
    const lost = await planning(acting);
    await lost.job.heartbeat();
    const [{ ms }] = await scene.rows("select lease_ms as ms from job where id = $1", lost.job.job.id);
    scene.server.advance(ms - 10_000);
    expect(await status(lost.api)).toBe(200);
    scene.server.advance(11_000);
    expect(await status(lost.api)).toBe(401);
  });

  it("closes its sockets when the job ends", async () => {
    const [acting, target] = [await scene.createWorkspace(), await scene.createWorkspace()];
    await grant(acting, "WRITER", target);
    const { api, job } = await planning(acting);
    const socket = new WebSocket(`${other.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${api.token}` } }));
    await once(socket, "message");
    const query = `subscription { workspaceEvents(workspaceId: "${target}") { __typename } }`;
    socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query } }));
    await once(socket, "message");
    const closed = once(socket, "close");
    await job.plan();
    expect((await closed)[0]).toBe(4403);
  });

  it("is refused where it is not one of ours, without a statement", async () => {
    const [acting, target] = [await scene.createWorkspace(), await scene.createWorkspace()];
    await grant(acting, "WRITER", target);
    const { job, api } = await planning(acting);
    const [, mac = ""] = api.token.split(".");
    const wrong = mac.startsWith("A") ? `B${mac.slice(1)}` : `A${mac.slice(1)}`;
    const { token } = job.job;
    for (const secret of [
      `hpx_${job.job.id}.${wrong}`,
      `hpx_${job.job.id}`,
      "hpx_",
      `hpx_job_00000000000000000000000000.${mac}`,
      token.replace("hpj_", "hpx_"),
      token,
    ]) {
      expect(await status(api.as(secret))).toBe(401);
    }
    // Nor is it the token of the job.
    expect((await job.request("POST", "heartbeat", { waitMs: 0 }, api.token)).status).toBe(401);
  });
});

describe("a run that a run created", () => {
  it("has the people behind that run as its requesters: four eyes are not two of one person", async () => {
    const acting = await scene.createWorkspace();
    const target = await scene.createWorkspace();
    await grant(acting, "WRITER", target);
    const { api } = await applying(acting);
    const { run: made } = await send("createRun", { workspaceId: target }, "run { id }", api);
    const runId = made.id;
    const { viewer } = await api.ask(WHO);
    const run = (await findRun(scene.server.deps.database, runId)) ?? expect.fail("The run does not exist.");
    expect(requestersOf(run)).toEqual([viewer.actor.id, ADMIN_ACTOR_ID]);
  });
});

describe("a run with all rights", () => {
  it("approves nothing, changes no gate and makes no tokens", async () => {
    const acting = await scene.createWorkspace();
    const target = await scene.createWorkspace({ approvalRules: [{ name: "one", gate: "PLAN", minimum: 1 }] });
    await grant(acting, "ADMIN", organizationId);
    const waiting = await scene.createRun(target);
    await (await scene.claim(waiting)).plan();
    const { api } = await applying(acting);
    const approval = { runId: waiting, gate: "PLAN", planVersion: 1 };
    expect(await send("approveRun", approval, "run { id }", api)).toMatchObject({ code: "FORBIDDEN" });
    const gates = { workspaceId: target, approvalRules: [] };
    expect(await send("updateWorkspace", gates, "workspace { id }", api)).toMatchObject({ code: "FORBIDDEN" });
    const { viewer } = await api.ask(WHO);
    const account = await make("createServiceAccount", { organizationId, name: `m-${randomUUID()}` }, "actor");
    for (const ownerId of [viewer.actor.id, account]) {
      const refused = await send("createToken", { name: "mine", ownerId }, "secret", api);
      expect(["FORBIDDEN", "INVALID_INPUT"]).toContain(refused.code);
    }
    const bulk = { action: "APPROVE", gate: "PLAN", filter: { workspaceId: target } };
    expect(await send("bulkRunAction", bulk, "operation { id }", api)).toMatchObject({ code: "FORBIDDEN" });
    // What it may do, it does under rights that are in force at the commit.
    expect(await createIn(target, api)).toMatchObject({ run: { trigger: "API" } });
    const { run } = await scene.api.ask("query ($id: ID!) { run(id: $id) { approvals { counts } } }", { id: waiting });
    expect(run.approvals).toEqual([]);
    const { explain } = (
      await api.ask(
        "query ($id: ID!) { viewer { explain(permission: PLAN_APPROVE, subjectId: $id) { allowed limitedBy } } }",
        { id: target },
      )
    ).viewer;
    expect(explain).toMatchObject({ allowed: false, limitedBy: [expect.stringContaining("approves nothing")] });
  });

  it("is no person, member or machine user of its own, to be granted or given tokens", async () => {
    const [acting, target] = [await scene.createWorkspace(), await scene.createWorkspace()];
    await grant(acting, "READER", target);
    const [{ id }] = await scene.rows("select id from actor where workspace_id = $1", acting);
    const { organization } = await scene.api.ask(
      '{ organization(slug: "default") { serviceAccounts { id } members { actor { id } } } }',
    );
    expect(JSON.stringify(organization)).not.toContain(id);
    expect(await grant(id, "ADMIN", organizationId)).toMatchObject({ issues: [{ path: ["principalId"] }] });
    const token = await send("createToken", { name: "t", ownerId: id }, "secret");
    expect(token).toMatchObject({ issues: [{ path: ["ownerId"] }] });
    const teamId = await make("createTeam", { organizationId, name: `t-${randomUUID()}`, externalIds: [] }, "team");
    const added = await send("addTeamMember", { teamId, actorId: id }, "team { id }");
    expect(added).toMatchObject({ issues: [{ path: ["actorId"] }] });
    // A second grant takes the same actor.
    await grant(acting, "WRITER", target);
    expect(await scene.rows("select id from actor where workspace_id = $1", acting)).toEqual([{ id }]);
  });
});

describe("a grant of a workspace", () => {
  it("takes the rights that it gives, and the right to change what the workspace runs", async () => {
    const [ours, theirs] = [await project("ours"), await project("theirs")];
    const [acting, target] = [await workspaceIn(ours), await workspaceIn(theirs)];
    const message = "must be a person, or a team, machine user or workspace of the organization.";
    const blind = await machine(["MAINTAINER", theirs]);
    expect(await grant(acting, "WRITER", target, blind)).toMatchObject({
      issues: [{ path: ["principalId"], message }],
    });
    const reader = await machine(["MAINTAINER", theirs], ["READER", ours]);
    expect(await grant(acting, "WRITER", target, reader)).toMatchObject({ code: "FORBIDDEN" });
    const owner = await machine(["MAINTAINER", ours], ["READER", theirs]);
    expect(await grant(acting, "WRITER", target, owner)).toMatchObject({ code: "FORBIDDEN" });
    const both = await machine(["MAINTAINER", ours], ["MAINTAINER", theirs]);
    expect(await grant(acting, "ADMIN", target, both)).toMatchObject({ code: "FORBIDDEN" });
    expect((await grant(acting, "WRITER", target, both)).code).toBeUndefined();
    const onAll = expect.stringMatching(
      /^must be a person: on the installation .* Name an organization as `scopeId`\.$/,
    );
    expect(await grant(acting, "READER", null)).toMatchObject({ issues: [{ path: ["principalId"], message: onAll }] });
    const slug = `o-${randomUUID().slice(0, 8)}`;
    const elsewhere = await make("createOrganization", { slug, name: "Elsewhere" }, "organization");
    expect(await grant(acting, "READER", elsewhere)).toMatchObject({ issues: [{ path: ["principalId"], message }] });
    for (const none of ["ws_00000000000000000000000zzz", "ws_1"]) {
      expect(await grant(none, "READER", target)).toMatchObject({ issues: [{ path: ["principalId"], message }] });
    }
  });

  it("is listed at its scope and at the workspace, for those who may read it", async () => {
    const [acting, target] = [await scene.createWorkspace(), await scene.createWorkspace()];
    const { grant: made } = await grant(acting, "WRITER", target);
    const list =
      "query ($id: ID!) { workspace(by: { id: $id }) { grants { id runsOf { id } actor { id } team { id } } grantsOfRuns { id workspace { id } } } }";
    const shown = { id: made.id, runsOf: { id: acting }, actor: null, team: null };
    const at = async (api: Api, id: string): Promise<Data> => (await api.ask(list, { id })).workspace;
    expect((await at(scene.api, target)).grants).toEqual([shown]);
    expect((await at(scene.api, acting)).grantsOfRuns).toEqual([{ id: made.id, workspace: { id: target } }]);
    const beside = await machine(["MAINTAINER", target]);
    expect((await at(beside, target)).grants[0]).toEqual({ ...shown, runsOf: null });
    expect(await at(beside, acting)).toBeNull();
    const reader = await machine(["READER", organizationId]);
    expect(await at(reader, acting)).toEqual({ grants: [], grantsOfRuns: [] });
  });

  it("goes with the workspace, and keeps others from moving it", async () => {
    const [from, to, elsewhere] = [await project("from"), await project("to"), await project("elsewhere")];
    const [acting, target] = [await workspaceIn(from), await workspaceIn(elsewhere)];
    await grant(acting, "WRITER", target);
    const mover = await machine(["MAINTAINER", from], ["MAINTAINER", to]);
    const move = (api?: Api) =>
      send("moveWorkspace", { workspaceId: acting, toProjectId: to }, "workspace { id }", api);
    expect(await move(mover)).toMatchObject({ code: "FORBIDDEN" });
    const carry = (api?: Api) => send("moveProject", { projectId: from, toProjectId: to }, "project { id }", api);
    expect(await carry(mover)).toMatchObject({ code: "FORBIDDEN" });
    expect((await carry()).code).toBeUndefined();
    const entitled = await machine(["MAINTAINER", from], ["MAINTAINER", to], ["MAINTAINER", target]);
    expect((await move(entitled)).code).toBeUndefined();
    expect((await send("deleteWorkspace", { workspaceId: acting }, "deletedId")).code).toBeUndefined();
    const left = "select id from access_grant where principal_id = $1 and revoked_at is null";
    expect(await scene.rows(left, acting)).toEqual([]);
    expect((await send("deleteWorkspace", { workspaceId: target }, "deletedId")).code).toBeUndefined();
  });

  it("ends by its time during a run, on every server, and the run goes on", async () => {
    const [acting, target, lasting] = [
      await scene.createWorkspace(),
      await scene.createWorkspace(),
      await scene.createWorkspace(),
    ];
    await grant(acting, "READER", lasting);
    const { api, job, runId } = await applying(acting);
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 20_000).toISOString();
    const input = { principalId: acting, roleId: builtInRoleId("WRITER"), scopeId: target, expiresAt };
    expect((await send("createGrant", input, "grant { id }")).code).toBeUndefined();
    const there = createApi(other.url, api.token);
    expect(await current(job)).toMatchObject({ rightsUntil: expiresAt });
    for (const one of [api, there]) expect((await createIn(target, one)).code).toBeUndefined();
    await job.heartbeat();
    scene.server.advance(20_000);
    for (const one of [api, there]) {
      expect(await createIn(target, one)).toMatchObject({ code: "NOT_FOUND" });
      expect([await sees(one, target), await sees(one, lasting)]).toEqual([false, true]);
    }
    await job.apply(1);
    expect(await scene.run(runId, "outcome")).toMatchObject({ outcome: "APPLIED" });
  });

  it("is in force and revoked from the next request on, without hints", async () => {
    const [acting, target] = [await scene.createWorkspace(), await scene.createWorkspace()];
    const { grant: made } = await grant(acting, "WRITER", target);
    const { api } = await applying(acting);
    expect((await createIn(target, api)).code).toBeUndefined();
    await scene.rows("update access_grant set revoked_at = now(), revoked_by = granted_by where id = $1", made.id);
    expect(await createIn(target, api)).toMatchObject({ code: "FORBIDDEN" });
    expect(await sees(api, target)).toBe(false);
  });
});
