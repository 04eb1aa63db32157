/** Rights over the API: projects, teams, roles, grants and tokens, with two servers on one database. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { type BuiltInRole, builtInRoleId, permissionsOf } from "../../../src/model/people/role.ts";
import { PERMISSIONS, permissionsIn } from "../../../src/model/people/permission-set.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
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

const project = (name: string, parentId: string | null = null, isolated = false) =>
  make("createProject", { organizationId, parentId, name, isolated }, "project");
const grant = (principalId: string, role: BuiltInRole, scopeId: string | null) =>
  make("createGrant", { principalId, roleId: builtInRoleId(role), scopeId }, "grant");

/** A machine user with a token that has all of its rights. */
async function machine(...grants: [BuiltInRole, string | null][]): Promise<Api & { id: string }> {
  const id = await make("createServiceAccount", { organizationId, name: `m-${randomUUID()}` }, "actor");
  for (const [role, scopeId] of grants) await grant(id, role, scopeId);
  return { ...(await tokenOf(id)), id };
}

async function tokenOf(ownerId: string, limits: object = {}): Promise<Api> {
  const made = await send("createToken", { name: `t-${randomUUID()}`, ownerId, ...limits }, "secret");
  expect(made.code, made.message).toBeUndefined();
  return createApi(scene.server.url, made.secret);
}

async function workspaceIn(projectId: string): Promise<string> {
  const workspaceId = await scene.createWorkspace({ name: `w-${randomUUID()}` });
  await send("moveWorkspace", { workspaceId, toProjectId: projectId }, "workspace { id }");
  return workspaceId;
}

const seen = async (api: Api): Promise<string[]> => {
  const { organization } = await api.ask(
    '{ organization(slug: "default") { workspaces(first: 100) { edges { node { id } } } } }',
  );
  return (organization?.workspaces.edges ?? []).map(({ node }: Data) => node.id);
};
const sees = async (api: Api, id: string): Promise<boolean> =>
  (await api.ask("query ($id: ID!) { workspace(by: { id: $id }) { id } }", { id })).workspace !== null;

describe("a grant on a project", () => {
  it("reaches what is below it, in lists and by id, and nothing beside it", async () => {
    const top = await project(`top-${randomUUID()}`);
    const below = await project("below", top);
    const beside = await project(`beside-${randomUUID()}`);
    const [one, two, three] = [await workspaceIn(top), await workspaceIn(below), await workspaceIn(beside)];
    const runs = [await scene.createRun(two), await scene.createRun(three)];
    const api = await machine(["READER", top]);
    expect((await seen(api)).toSorted()).toEqual([one, two].toSorted());
    expect([await sees(api, one), await sees(api, two), await sees(api, three)]).toEqual([true, true, false]);
    const { runs: page } = await api.ask("{ runs(first: 50) { totalCount edges { node { id } } } }");
    expect(page).toEqual({ totalCount: 1, edges: [{ node: { id: runs[0] } }] });
    const { node } = await api.ask("query ($id: ID!) { node(id: $id) { id } }", { id: runs[1] });
    expect(node).toBeNull();
    const { organization } = await api.ask(
      '{ organization(slug: "default") { projects { path } teams { id } grants { id } } }',
    );
    expect(organization).toMatchObject({ teams: [], grants: [] });
    expect(organization.projects).toHaveLength(2);
    expect(organization.projects[0].path).toMatch(/^top-.*\/below$/);
  });

  it("shows what the caller may do there", async () => {
    const id = await project(`shown-${randomUUID()}`);
    const api = await machine(["WRITER", id]);
    const { node } = await api.ask("query ($id: ID!) { node(id: $id) { ... on Project { viewerPermissions } } }", {
      id,
    });
    expect(node.viewerPermissions).toEqual(permissionsIn(permissionsOf("WRITER")));
  });

  it("lets a writer create workspaces in it, and nowhere else", async () => {
    const mine = await project(`mine-${randomUUID()}`);
    const api = await machine(["WRITER", mine]);
    const input = { name: `w-${randomUUID()}`, source: { directory: { path: scene.server.sourceRoot } } };
    expect(
      await send("createWorkspace", { ...input, projectId: mine }, "workspace { project { id } }", api),
    ).toMatchObject({
      workspace: { project: { id: mine } },
    });
    expect(await send("createWorkspace", { ...input, name: "elsewhere" }, "workspace { id }", api)).toMatchObject({
      code: "FORBIDDEN",
    });
    const hidden = await project(`hidden-${randomUUID()}`);
    const absent = "prj_00000000000000000000000zzz";
    const refusals = [hidden, absent].map((projectId) =>
      send("createWorkspace", { ...input, name: "x", projectId }, "workspace { id }", api),
    );
    const [first, second] = await Promise.all(refusals);
    expect(first).toMatchObject({ code: "NOT_FOUND" });
    expect(second).toEqual(first);
  });
});

describe("an isolated project", () => {
  it("is cut off from grants above; who may grant above sees it, and may grant", async () => {
    const id = await project(`apart-${randomUUID()}`, null, true);
    const inside = await scene.createWorkspace({ name: `w-${randomUUID()}` });
    await grant(ADMIN_ACTOR_ID, "ADMIN", id);
    await send("moveWorkspace", { workspaceId: inside, toProjectId: id }, "workspace { id }");
    const reader = await machine(["READER", organizationId]);
    expect(await sees(reader, inside)).toBe(false);
    expect(await seen(reader)).not.toContain(inside);
    const admin = await machine(["ADMIN", organizationId]);
    expect(await sees(admin, inside)).toBe(false);
    const query = "query ($id: ID!) { node(id: $id) { ... on Project { viewerPermissions } } }";
    expect((await admin.ask(query, { id })).node).toEqual({ viewerPermissions: ["GRANT_WRITE", "PROJECT_READ"] });
    const given = await send(
      "createGrant",
      { principalId: reader.id, roleId: builtInRoleId("READER"), scopeId: id },
      "grant { id }",
      admin,
    );
    expect(given.__typename).toBe("CreateGrantSuccess");
    expect(await sees(reader, inside)).toBe(true);
  });
});

describe("revocation", () => {
  it("is in force with the next request, on another server that gets no hint", async () => {
    const id = await project(`revoked-${randomUUID()}`);
    const workspaceId = await workspaceIn(id);
    const account = await machine();
    const elsewhere = createApi(other.url, account.token);
    const grantId = await grant(account.id, "WRITER", id);
    expect([await sees(account, workspaceId), await sees(elsewhere, workspaceId)]).toEqual([true, true]);
    // By SQL: no server is told.
    await scene.rows("update access_grant set revoked_at = now(), revoked_by = granted_by where id = $1", grantId);
    expect([await sees(elsewhere, workspaceId), await sees(account, workspaceId)]).toEqual([false, false]);
  });

  it("of all grants on a project comes with its deletion", async () => {
    const id = await project(`deleted-${randomUUID()}`);
    const account = await machine(["READER", id]);
    const organization = async () =>
      (await createApi(other.url, account.token).ask('{ organization(slug: "default") { id } }')).organization;
    expect(await organization()).toEqual({ id: organizationId });
    expect(await send("deleteProject", { projectId: id }, "deletedId")).toMatchObject({ deletedId: id });
    expect(await organization()).toBeNull();
  });

  it("of a membership, a role, a person and a project's isolation is in force at once, too", async () => {
    const id = await project(`all-${randomUUID()}`);
    const workspaceId = await workspaceIn(id);
    const account = await machine();
    const elsewhere = createApi(other.url, account.token);
    const teamId = await make("createTeam", { organizationId, name: `t-${randomUUID()}` }, "team");
    await grant(teamId, "READER", id);
    expect(await sees(elsewhere, workspaceId)).toBe(false);
    await send("addTeamMember", { teamId, actorId: account.id }, "team { id }");
    expect(await sees(elsewhere, workspaceId)).toBe(true);
    await send("removeTeamMember", { teamId, actorId: account.id }, "team { id }");
    expect(await sees(elsewhere, workspaceId)).toBe(false);

    const role = { organizationId, name: `r-${randomUUID()}`, permissions: ["WORKSPACE_READ", "RUN_READ"] };
    const roleId = await make("createRole", role, "role");
    await make("createGrant", { principalId: account.id, roleId, scopeId: organizationId }, "grant");
    expect(await sees(elsewhere, workspaceId)).toBe(true);
    await send("updateRole", { roleId, permissions: ["RUNNER_READ"] }, "role { id }");
    expect(await sees(elsewhere, workspaceId)).toBe(false);
    await send("updateRole", { roleId, permissions: ["WORKSPACE_READ"] }, "role { id }");
    expect(await sees(elsewhere, workspaceId)).toBe(true);
    await send("updateProject", { projectId: id, isolated: true }, "project { id }");
    expect(await sees(elsewhere, workspaceId)).toBe(false);
    await grant(ADMIN_ACTOR_ID, "ADMIN", id);
    await send("updateProject", { projectId: id, isolated: false }, "project { id }");
    expect(await sees(elsewhere, workspaceId)).toBe(true);
    const away = await project(`away-${randomUUID()}`, null, true);
    await grant(ADMIN_ACTOR_ID, "ADMIN", away);
    await send("moveWorkspace", { workspaceId, toProjectId: away }, "workspace { id }");
    expect(await sees(elsewhere, workspaceId)).toBe(false);

    await send("disableUser", { userId: account.id }, "actor { id }");
    expect((await elsewhere.send("{ viewer { role } }")).status).toBe(401);
    await send("enableUser", { userId: account.id }, "actor { id }");
    expect((await elsewhere.send("{ viewer { role } }")).status).toBe(200);
  });

  it("closes the sockets of those who lose something, who may connect again, and of no one else", async () => {
    const id = await project(`open-${randomUUID()}`);
    const workspaceId = await workspaceIn(id);
    const [account, beside] = [await machine(), await machine(["READER", organizationId])];
    const grantId = await grant(account.id, "READER", id);
    const query = "subscription ($id: ID!) { workspaceEvents(workspaceId: $id) { __typename } }";
    const open = async (api: Api) => {
      const items = api.subscribe(query, { id: workspaceId });
      await items.next();
      return { next: items.next(), end: () => items[Symbol.asyncDispose]() };
    };
    const [lost, kept] = [await open(account), await open(beside)];
    await send("revokeGrant", { grantId }, "revokedId");
    await expect(lost.next).rejects.toMatchObject({ code: 1013, reason: "Rights have changed" });
    await scene.send("updateWorkspace", { workspaceId, description: "news" });
    expect((await kept.next).value).toBeDefined();
    await kept.end();
    const again = account.subscribe(query, { id: workspaceId });
    await expect(again.next()).rejects.toThrow("does not exist, or you may not read it");
  });

  it("closes the sockets on a workspace that is moved out of sight", async () => {
    const id = await project(`from-${randomUUID()}`);
    const workspaceId = await workspaceIn(id);
    const account = await machine(["READER", id]);
    const query = "subscription ($id: ID!) { workspaceEvents(workspaceId: $id) { __typename } }";
    const items = account.subscribe(query, { id: workspaceId });
    await items.next();
    const next = items.next();
    const toProjectId = await project(`to-${randomUUID()}`);
    await send("moveWorkspace", { workspaceId, toProjectId }, "workspace { id }");
    await expect(next).rejects.toMatchObject({ code: 1013 });
  });

  it("ends by itself when a grant or a membership has reached its end", async () => {
    const id = await project(`ends-${randomUUID()}`);
    const workspaceId = await workspaceIn(id);
    const account = await machine();
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 60_000).toISOString();
    const input = { principalId: account.id, roleId: builtInRoleId("READER"), scopeId: id, expiresAt };
    await make("createGrant", input, "grant");
    expect(await sees(account, workspaceId)).toBe(true);
    scene.server.advance(60_001);
    expect(await sees(account, workspaceId)).toBe(false);
    // The name is free again: a grant that has ended stands in no one's way.
    await make("createGrant", { ...input, expiresAt: null }, "grant");
    expect(await sees(account, workspaceId)).toBe(true);
  });
});

describe("nobody gives more than they have", () => {
  it("by a grant, a role, a team or a token", async () => {
    const id = await project(`limited-${randomUUID()}`);
    const maintainer = await machine(["MAINTAINER", id]);
    const stranger = await machine();
    const give = (role: BuiltInRole, scopeId: string | null) =>
      send(
        "createGrant",
        { principalId: stranger.id, roleId: builtInRoleId(role), scopeId },
        "grant { id }",
        maintainer,
      );
    expect(await give("WRITER", id)).toMatchObject({ __typename: "CreateGrantSuccess" });
    const has = permissionsIn(permissionsOf("MAINTAINER"));
    const lacking = permissionsIn(permissionsOf("ADMIN")).filter((permission) => !has.includes(permission));
    expect(await give("ADMIN", id)).toMatchObject({
      code: "FORBIDDEN",
      message: `You cannot give permissions that you do not have here: ${lacking.slice(0, 5).join(", ")}, and ${lacking.length - 5} more.`,
    });
    expect(await give("READER", organizationId)).toMatchObject({ code: "FORBIDDEN" });
    expect(await give("READER", null)).toMatchObject({ code: "FORBIDDEN" });

    const permissions = ["ORGANIZATION_READ", "MEMBER_READ", "MEMBER_WRITE", "ROLE_WRITE", "TOKEN_WRITE"];
    const roleId = await make("createRole", { organizationId, name: `r-${randomUUID()}`, permissions }, "role");
    const clerk = await machine();
    await make("createGrant", { principalId: clerk.id, roleId, scopeId: organizationId }, "grant");
    const admins = await make("createTeam", { organizationId, name: `t-${randomUUID()}` }, "team");
    await grant(admins, "ADMIN", organizationId);
    expect(await send("addTeamMember", { teamId: admins, actorId: clerk.id }, "team { id }", clerk)).toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await send("updateTeam", { teamId: admins, externalIds: ["all"] }, "team { id }", clerk)).toMatchObject({
      code: "FORBIDDEN",
    });
    const more = { organizationId, name: "more", permissions: [...permissions, "GRANT_WRITE"] };
    expect(await send("createRole", more, "role { id }", clerk)).toMatchObject({ code: "FORBIDDEN" });
    expect(await send("updateRole", { roleId, permissions: more.permissions }, "role { id }", clerk)).toMatchObject({
      code: "FORBIDDEN",
    });
    const powerful = await machine(["ADMIN", organizationId]);
    expect(await send("createToken", { ownerId: powerful.id, name: "mine" }, "secret", clerk)).toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await send("createToken", { ownerId: ADMIN_ACTOR_ID, name: "mine" }, "secret", powerful)).toMatchObject({
      issues: [{ path: ["ownerId"] }],
    });
  });

  it("by a token: one that is limited makes no other", async () => {
    const id = await project(`narrow-${randomUUID()}`);
    const workspaceId = await workspaceIn(id);
    const account = await machine(["WRITER", organizationId]);
    const within = await tokenOf(account.id, { scopeIds: [id] });
    const reading = await tokenOf(account.id, { permissions: ["ORGANIZATION_READ", "WORKSPACE_READ"] });
    expect(await seen(within)).toEqual([workspaceId]);
    expect((await seen(reading)).length).toBeGreaterThan(1);
    expect(await send("createRun", { workspaceId }, "run { id }", reading)).toMatchObject({ code: "FORBIDDEN" });
    expect(await send("createRun", { workspaceId }, "run { id }", within)).toMatchObject({
      __typename: "CreateRunSuccess",
    });
    for (const limited of [within, reading]) {
      expect(await send("createToken", { ownerId: account.id, name: "more" }, "secret", limited)).toMatchObject({
        code: "FORBIDDEN",
        message: "A token that is limited cannot create tokens. Use one with all of your rights.",
      });
    }
    const own = await send(
      "createToken",
      { ownerId: account.id, name: "own" },
      "token { expiresAt actor { id } permissions scopeIds } secret",
      account,
    );
    expect(own).toMatchObject({ token: { actor: { id: account.id }, permissions: null, scopeIds: null } });
    expect(Date.parse(own.token.expiresAt) - scene.server.deps.clock().getTime()).toBeGreaterThan(89 * 86_400_000);
    expect(await send("createToken", { ownerId: account.id, name: "own" }, "secret", account)).toMatchObject({
      code: "NAME_TAKEN",
    });
  });
});

describe("a refusal", () => {
  it("names the permission that is missing, and where", async () => {
    const id = await project(`refused-${randomUUID()}`);
    const reader = await machine(["READER", id]);
    const workspaceId = await workspaceIn(id);
    const refused = async (name: string, input: object) => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const document = `mutation ($input: ${type}!) { ${name}(input: $input) {
        ... on ForbiddenError { permission scopeId } } }`;
      return (await reader.ask(document, { input }))[name];
    };
    expect(await refused("createRun", { workspaceId })).toEqual({ permission: "RUN_DEPLOY", scopeId: workspaceId });
    expect(await refused("updateProject", { projectId: id })).toEqual({ permission: "PROJECT_WRITE", scopeId: id });
    expect(await refused("createTeam", { organizationId, name: "t" })).toEqual({
      permission: "MEMBER_WRITE",
      scopeId: organizationId,
    });
    const grantToAll = { principalId: reader.id, roleId: builtInRoleId("READER") };
    expect(await refused("createGrant", grantToAll)).toEqual({ permission: "GRANT_WRITE", scopeId: null });
  });
});

describe("explain", () => {
  const explain = async (input: Record<string, unknown>, api: Api) => {
    const document = `query ($permission: Permission!, $subjectId: ID, $actorId: ID) { viewer {
      explain(permission: $permission, subjectId: $subjectId, actorId: $actorId) {
        allowed permission by { role { name } project { name } team { name } } limitedBy reason } } }`;
    return (await api.ask(document, input)).viewer.explain;
  };

  it("names the grant that gives a permission, or says what is missing", async () => {
    const name = `explained-${randomUUID()}`;
    const id = await project(name);
    const subjectId = await workspaceIn(id);
    const api = await machine(["WRITER", id]);
    expect(await explain({ permission: "RUN_DEPLOY", subjectId }, api)).toEqual({
      allowed: true,
      permission: "RUN_DEPLOY",
      by: [{ role: { name: "WRITER" }, project: { name }, team: null }],
      limitedBy: [],
      reason: `The actor has the role WRITER on ${id}.`,
    });
    expect(await explain({ permission: "APPLY_APPROVE", subjectId }, api)).toEqual({
      allowed: false,
      permission: "APPLY_APPROVE",
      by: [],
      limitedBy: [],
      reason: "No grant gives APPLY_APPROVE here. It needs one of a role such as APPROVER.",
    });
    expect(await explain({ permission: "ORGANIZATION_READ", subjectId: organizationId }, api)).toMatchObject({
      allowed: true,
      by: [{ role: { name: "WRITER" } }],
    });
    expect(await explain({ permission: "RUN_READ" }, api)).toMatchObject({ allowed: false, by: [] });
  });

  it("names teams, limits of the token, isolation and a disabled actor", async () => {
    const id = await project(`explained-${randomUUID()}`);
    const subjectId = await workspaceIn(id);
    const account = await machine();
    const team = `t-${randomUUID()}`;
    const teamId = await make("createTeam", { organizationId, name: team }, "team");
    await grant(teamId, "WRITER", organizationId);
    await send("addTeamMember", { teamId, actorId: account.id }, "team { id }");
    const ofAccount = { permission: "RUN_DEPLOY", subjectId, actorId: account.id };
    expect(await explain(ofAccount, scene.api)).toMatchObject({
      allowed: true,
      by: [{ team: { name: team } }],
      reason: `A team of the actor has the role WRITER on ${organizationId}.`,
    });
    const question = { permission: "RUN_DEPLOY", subjectId };
    const reading = await tokenOf(account.id, { permissions: ["WORKSPACE_READ"] });
    expect(await explain(question, reading)).toMatchObject({
      allowed: false,
      reason: "The token is limited to permissions without RUN_DEPLOY.",
    });
    const elsewhere = await tokenOf(account.id, { scopeIds: [await project(`e-${randomUUID()}`)] });
    expect(await explain({ permission: "RUN_DEPLOY", subjectId: organizationId }, elsewhere)).toMatchObject({
      allowed: false,
      reason: "The token is limited to other places.",
    });
    await grant(ADMIN_ACTOR_ID, "ADMIN", id);
    await send("updateProject", { projectId: id, isolated: true }, "project { id }");
    const cut = `The project ${id} is isolated: grants from above do not reach into it.`;
    expect(await explain(ofAccount, scene.api)).toMatchObject({
      allowed: false,
      by: [],
      limitedBy: [cut],
      reason: cut,
    });
    await send("updateProject", { projectId: id, isolated: false }, "project { id }");
    await send("disableUser", { userId: account.id }, "actor { id }");
    expect(await explain(ofAccount, scene.api)).toMatchObject({ allowed: false, reason: "The actor is disabled." });
  });

  it("says nothing about places and people that the caller may not read", async () => {
    const id = await project(`hidden-${randomUUID()}`);
    const [other, mine] = [await workspaceIn(id), await project(`mine-${randomUUID()}`)];
    const api = await machine(["READER", mine]);
    const account = await machine(["READER", mine]);
    const ofProject = { permission: "RUN_READ", subjectId: mine };
    expect(await explain({ permission: "RUN_READ", subjectId: other }, api)).toBeNull();
    expect(await explain({ permission: "RUN_READ", subjectId: "run_1" }, api)).toBeNull();
    expect(await explain({ ...ofProject, actorId: account.id }, api)).toBeNull();
    // One who may read the people of the project, and not those above it.
    const maintainer = await machine(["MAINTAINER", mine]);
    await grant(account.id, "WRITER", organizationId);
    expect(await explain({ ...ofProject, actorId: account.id }, maintainer)).toMatchObject({
      allowed: true,
      by: [{ role: { name: "READER" }, project: { name: expect.stringMatching(/^mine/) } }],
    });
    expect(await explain({ ...ofProject, permission: "RUN_DEPLOY", actorId: account.id }, maintainer)).toMatchObject({
      allowed: true,
      by: [],
      reason: "Grants in other places give it.",
    });
    expect(await explain({ ...ofProject, actorId: "usr_00000000000000000000000zzz" }, maintainer)).toBeNull();
  });
});

describe("a person or a machine user by its id", () => {
  const find = async (id: string, api: Api) =>
    (await api.ask("query ($id: ID!) { node(id: $id) { id } }", { id })).node !== null;

  it("is found by itself, and with MEMBER_READ in an organization that both share", async () => {
    const slug = `o-${randomUUID().slice(0, 8)}`;
    const home = await make("createOrganization", { slug, name: "Home" }, "organization");
    const person = (await scene.login("READER")).actorId;
    await grant(person, "READER", home);
    const account = await make("createServiceAccount", { organizationId: home, name: "ci" }, "actor");
    const auditor = await machine(["AUDITOR", organizationId]);
    const reader = await machine(["READER", organizationId]);
    expect(await find(reader.id, reader)).toBe(true);
    expect(await find(auditor.id, reader)).toBe(false);
    expect(await find(reader.id, auditor)).toBe(true);
    expect([await find(person, auditor), await find(account, auditor)]).toEqual([false, false]);
    await grant(person, "READER", organizationId);
    expect(await find(person, auditor)).toBe(true);
    expect([await find(person, scene.api), await find(account, scene.api)]).toEqual([true, true]);
    expect(await find("mch_00000000000000000000000zzz", scene.api)).toBe(false);
  });
});

describe("the members of an organization", () => {
  it("are those with a grant, a team or a home there, with what happened to them", async () => {
    const slug = `o-${randomUUID().slice(0, 8)}`;
    const home = await make("createOrganization", { slug, name: "Home" }, "organization");
    const granted = await scene.login("READER");
    const inTeam = await scene.login("READER");
    const account = await make("createServiceAccount", { organizationId: home, name: "ci" }, "actor");
    await grant(granted.actorId, "AUDITOR", home);
    const teamId = await make("createTeam", { organizationId: home, name: "t" }, "team");
    await send("addTeamMember", { teamId, actorId: inTeam.actorId }, "team { id }");
    await send("disableUser", { userId: account }, "actor { id }");
    const list = async (api: Api): Promise<Data[]> => {
      const document =
        "query ($slug: String!) { organization(slug: $slug) { members { actor { id } disabledAt email } } }";
      return (await api.ask(document, { slug })).organization.members;
    };
    const members = await list(scene.api);
    expect(new Set(members.map(({ actor }) => actor.id))).toEqual(new Set([granted.actorId, inTeam.actorId, account]));
    const disabled = members.filter(({ disabledAt }) => disabledAt !== null);
    expect(disabled.map(({ actor }) => actor.id)).toEqual([account]);
    expect(await list(await machineOf(home, "READER"))).toEqual([]);
    expect(await list(await machineOf(home, "AUDITOR"))).toHaveLength(5);
  });

  async function machineOf(home: string, role: BuiltInRole): Promise<Api> {
    const id = await make("createServiceAccount", { organizationId: home, name: `m-${randomUUID()}` }, "actor");
    await grant(id, role, home);
    return tokenOf(id);
  }
});

describe("moving a project", () => {
  const move = (projectId: string, toProjectId: string | null, api: Api = scene.api) =>
    send("moveProject", { projectId, toProjectId }, "project { path parent { id } }", api);

  it("takes along what is in it, and the grants that reach into it change on every server", async () => {
    const [from, to] = [await project(`from-${randomUUID()}`), await project(`to-${randomUUID()}`)];
    const moved = await project("moved", from);
    const below = await project("below", moved);
    const workspaceId = await workspaceIn(below);
    const [atOld, atNew, inside] = [
      await machine(["READER", from]),
      await machine(["READER", to]),
      await machine(["READER", moved]),
    ];
    const seenBy = () =>
      Promise.all([atOld, atNew, inside].map(({ token }) => sees(createApi(other.url, token), workspaceId)));
    expect(await seenBy()).toEqual([true, false, true]);
    expect(await move(moved, to)).toMatchObject({ project: { path: expect.stringMatching(/^to-.*\/moved$/) } });
    expect(await seenBy()).toEqual([false, true, true]);
    const { node } = await scene.api.ask("query ($id: ID!) { node(id: $id) { ... on Project { path } } }", {
      id: below,
    });
    expect(node.path).toMatch(/^to-.*\/moved\/below$/);
    expect(await move(moved, null)).toMatchObject({ project: { path: "moved", parent: null } });
    expect(await seenBy()).toEqual([false, false, true]);
    expect(await move(moved, null)).toMatchObject({ project: { path: "moved" } });
  });

  it("refuses cycles, six levels, a name that is taken, the default project and other organizations", async () => {
    const top = await project(`top-${randomUUID()}`);
    const inner = await project("inner", top);
    const cycle = { issues: [{ path: ["toProjectId"], message: "must not be the project, or below it." }] };
    expect(await move(top, top)).toMatchObject(cycle);
    expect(await move(top, inner)).toMatchObject(cycle);
    let deep = await project(`deep-${randomUUID()}`);
    for (const name of ["2", "3", "4"]) deep = await project(name, deep);
    expect(await move(top, deep)).toMatchObject({
      issues: [{ path: ["toProjectId"], message: "would make 6 levels of projects, and 5 are the limit." }],
    });
    const twin = await project(`twin-${randomUUID()}`);
    await project("inner", twin);
    expect(await move(inner, twin)).toMatchObject({ code: "NAME_TAKEN" });
    expect(await move(organizationId.replace("org_", "prj_"), top)).toMatchObject({
      issues: [{ path: ["projectId"] }],
    });
    const slug = `o-${randomUUID().slice(0, 8)}`;
    const home = await make("createOrganization", { slug, name: "Home" }, "organization");
    expect(await move(top, home.replace("org_", "prj_"))).toMatchObject({ code: "NOT_FOUND" });
    expect(await move("prj_00000000000000000000000zzz", top)).toMatchObject({ code: "NOT_FOUND" });
    expect(await move(top, "ws_1")).toMatchObject({ code: "NOT_FOUND" });
  });

  it("takes the rights on both sides, and gives the caller no more than it has", async () => {
    const [from, to] = [await project(`f-${randomUUID()}`), await project(`t-${randomUUID()}`)];
    const moved = await project(`m-${randomUUID()}`, from);
    expect(await move(moved, to, await machine(["MAINTAINER", from]))).toMatchObject({ code: "NOT_FOUND" });
    expect(await move(moved, to, await machine(["MAINTAINER", from], ["READER", to]))).toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await move(moved, to, await machine(["READER", from], ["MAINTAINER", to]))).toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await move(moved, null, await machine(["MAINTAINER", from]))).toMatchObject({ code: "FORBIDDEN" });
    const permissions = ["PROJECT_READ", "PROJECT_WRITE", "MEMBER_READ", "GRANT_WRITE"];
    const roleId = await make("createRole", { organizationId, name: `r-${randomUUID()}`, permissions }, "role");
    const mover = await machine(["MAINTAINER", to]);
    await make("createGrant", { principalId: mover.id, roleId, scopeId: from }, "grant");
    expect(await move(moved, to, mover)).toMatchObject({ code: "FORBIDDEN" });
    expect(await move(moved, to, await machine(["MAINTAINER", from], ["MAINTAINER", to]))).toMatchObject({
      __typename: "MoveProjectSuccess",
    });
  });

  it("is for workspaces as it is for projects: no one gains rights by a move", async () => {
    const [from, to] = [await project(`f-${randomUUID()}`), await project(`t-${randomUUID()}`)];
    const workspaceId = await workspaceIn(from);
    const moveThere = (api: Api) =>
      send("moveWorkspace", { workspaceId, toProjectId: to }, "workspace { project { id } }", api);
    const permissions = ["WORKSPACE_READ", "WORKSPACE_DELETE"];
    const roleId = await make("createRole", { organizationId, name: `r-${randomUUID()}`, permissions }, "role");
    const mover = await machine(["MAINTAINER", to]);
    await make("createGrant", { principalId: mover.id, roleId, scopeId: from }, "grant");
    expect(await moveThere(mover)).toMatchObject({ code: "FORBIDDEN" });
    expect(await moveThere(await machine(["MAINTAINER", from]))).toMatchObject({ code: "NOT_FOUND" });
    expect(await moveThere(await machine(["WRITER", from], ["MAINTAINER", to]))).toMatchObject({ code: "FORBIDDEN" });
    expect(await moveThere(await machine(["MAINTAINER", from], ["ADMIN", to]))).toMatchObject({
      workspace: { project: { id: to } },
    });
  });

  it("is refused without a word about a live run that the caller may not read", async () => {
    const workspaceId = await scene.createWorkspace({ name: `w-${randomUUID()}` });
    await scene.createRun(workspaceId);
    const permissions = ["WORKSPACE_READ", "WORKSPACE_DELETE"];
    const roleId = await make("createRole", { organizationId, name: `r-${randomUUID()}`, permissions }, "role");
    const cleaner = await machine();
    await make("createGrant", { principalId: cleaner.id, roleId, scopeId: workspaceId }, "grant");
    const refused = await send("deleteWorkspace", { workspaceId }, "deletedId", cleaner);
    expect(refused).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringMatching(/^A run that you may not read/),
    });
    expect(await send("deleteWorkspace", { workspaceId }, "deletedId")).toMatchObject({ code: "RUN_STATE_CONFLICT" });
  });

  it("makes no cycle by two moves at once", async () => {
    for (const round of [1, 2, 3]) {
      const [one, two] = [await project(`1-${round}-${randomUUID()}`), await project(`2-${round}-${randomUUID()}`)];
      const moves = await Promise.all([move(one, two), move(two, one, createApi(other.url, scene.api.token))]);
      expect(new Set(moves.map(({ __typename: type }) => type))).toEqual(
        new Set(["InvalidInputError", "MoveProjectSuccess"]),
      );
    }
  });
});

describe("a token", () => {
  it("is listed and revoked by its owner, and those of machine users by who may", async () => {
    const account = await machine(["READER", organizationId]);
    const second = await tokenOf(account.id, { name: "second" });
    const { viewer } = await account.ask("{ viewer { tokens { id name } } }");
    expect(viewer.tokens).toHaveLength(2);
    expect(viewer.tokens[0]).toMatchObject({ name: "second" });
    const [{ id: tokenId }] = viewer.tokens;
    const stranger = await machine(["MAINTAINER", organizationId]);
    const refused = await send("revokeToken", { tokenId }, "revokedId", stranger);
    expect(refused).toMatchObject({ code: "FORBIDDEN" });
    const elsewhere = await make(
      "createOrganization",
      { slug: `o-${randomUUID().slice(0, 8)}`, name: "E" },
      "organization",
    );
    const theirs = await make("createServiceAccount", { organizationId: elsewhere, name: "ci" }, "actor");
    await grant(theirs, "ADMIN", elsewhere);
    const person = await tokenOf(theirs);
    expect(await send("revokeToken", { tokenId }, "revokedId", person)).toMatchObject({ code: "NOT_FOUND" });
    const admin = await machine(["ADMIN", organizationId]);
    expect(await send("revokeToken", { tokenId }, "revokedId", admin)).toMatchObject({ revokedId: tokenId });
    expect((await second.send("{ viewer { role } }")).status).toBe(401);
    const own = viewer.tokens[1].id;
    expect(await send("revokeToken", { tokenId: own }, "revokedId", account)).toMatchObject({ revokedId: own });
    expect((await account.send("{ viewer { role } }")).status).toBe(401);
  });

  it("with a wrong checksum is refused without a statement", async () => {
    const account = await machine();
    const wrong = account.token.slice(0, -1) + (account.token.endsWith("x") ? "y" : "x");
    const { database } = scene.server.deps;
    const asked = vi.spyOn<{ read(): unknown }, "read">(database as never, "read");
    try {
      expect((await account.as(wrong).send("{ viewer { role } }")).status).toBe(401);
      expect(asked).not.toHaveBeenCalled();
      expect((await account.as(account.token).send("{ viewer { role } }")).status).toBe(200);
      expect(asked).toHaveBeenCalled();
    } finally {
      asked.mockRestore();
    }
  });
});

describe("who may approve", () => {
  const approvers = async (runId: string): Promise<string[]> => {
    const query = "query ($id: ID!) { run(id: $id) { approvalRequirements { eligibleActors { id } } } }";
    const { run } = await scene.api.ask(query, { id: runId });
    return run.approvalRequirements.flatMap(({ eligibleActors }: Data) => eligibleActors.map(({ id }: Data) => id));
  };

  it("is said by the grants that reach the run, of teams too, and by no others", async () => {
    const [here, apart] = [await project(`here-${randomUUID()}`), await project(`apart-${randomUUID()}`, null, true)];
    await grant(ADMIN_ACTOR_ID, "ADMIN", apart);
    const [open, isolated] = [await workspaceIn(here), await workspaceIn(apart)];
    const approvalRules = [{ name: "machines", gate: "PLAN", machinesCount: true }];
    for (const workspaceId of [open, isolated]) await scene.quick("updateWorkspace", { workspaceId, approvalRules });
    const people = {
      here: await machine(["APPROVER", here]),
      workspace: await machine(["APPROVER", open]),
      elsewhere: await machine(["APPROVER", isolated]),
      above: await machine(["APPROVER", organizationId]),
      reader: await machine(["READER", here]),
      member: await machine(),
    };
    const teamId = await make("createTeam", { organizationId, name: `t-${randomUUID()}` }, "team");
    await grant(teamId, "APPROVER", apart);
    await send("addTeamMember", { teamId, actorId: people.member.id }, "team { id }");
    const named = async (runId: string): Promise<string[]> => {
      const ids = await approvers(runId);
      return Object.entries(people).flatMap(([name, { id }]) => (ids.includes(id) ? [name] : []));
    };
    expect(await named(await scene.createRun(open))).toEqual(["here", "workspace", "above"]);
    expect(await named(await scene.createRun(isolated))).toEqual(["elsewhere", "member"]);
  });

  it("decides which rules can be met: a workspace's by those who reach it, an organization's by all in it", async () => {
    const apart = await project(`rules-${randomUUID()}`, null, true);
    await grant(ADMIN_ACTOR_ID, "ADMIN", apart);
    const workspaceId = await workspaceIn(apart);
    const outside = await machine(["APPROVER", organizationId]);
    const rule = (approverIds: string[]) => ({
      approvalRules: [{ name: "two", gate: "PLAN", minimum: 1, approverIds, machinesCount: true }],
    });
    expect(await send("updateWorkspace", { workspaceId, ...rule([outside.id]) }, "workspace { id }")).toMatchObject({
      issues: [{ path: ["approvalRules", "0", "approverIds", "0"] }],
    });
    const inside = await machine(["APPROVER", apart]);
    for (const [name, input] of [
      ["updateWorkspace", { workspaceId, ...rule([inside.id]) }],
      ["updateOrganization", { organizationId, ...rule([inside.id]) }],
      ["updateOrganization", { organizationId, approvalRules: [] }],
    ] as const) {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Success`;
      expect(await send(name, input, "__typename")).toMatchObject({ __typename: type });
    }
  });
});

describe("the last administrator", () => {
  it("of the installation stays, also of two that revoke each other by two servers", async () => {
    const rows = await scene.rows(
      "select id from access_grant where principal_id = $1 and scope_id is null and revoked_at is null",
      ADMIN_ACTOR_ID,
    );
    const first: string = rows[0]?.["id"];
    const last = { code: "LAST_ADMINISTRATOR", message: expect.stringMatching(/^The installation would have no/) };
    expect(await send("revokeGrant", { grantId: first }, "revokedId")).toMatchObject(last);
    // One with an end is no other administrator: it would lapse.
    const person = await scene.login("READER");
    const input = { principalId: person.actorId, roleId: builtInRoleId("ADMIN"), scopeId: null };
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 60_000).toISOString();
    const ending = await make("createGrant", { ...input, expiresAt }, "grant");
    expect(await send("revokeGrant", { grantId: first }, "revokedId")).toMatchObject(last);
    await send("revokeGrant", { grantId: ending }, "revokedId");
    const second = await make("createGrant", input, "grant");
    const elsewhere = createApi(other.url, scene.api.token);
    const going = await Promise.all([
      send("revokeGrant", { grantId: second }, "revokedId"),
      send("revokeGrant", { grantId: first }, "revokedId", elsewhere),
    ]);
    expect(going.filter(({ __typename: type }) => type === "RevokeGrantSuccess")).toHaveLength(1);
    const [left] = await scene.rows(
      "select count(*)::int as count from access_grant where role_id = $1 and scope_id is null and revoked_at is null",
      builtInRoleId("ADMIN"),
    );
    expect(left).toEqual({ count: 1 });
    // The tests beside this one act as the first administrator.
    await scene.rows("update access_grant set revoked_at = null, revoked_by = null where id = $1", first);
  });

  it("stays, by whatever way it would go, also of two that go at once", async () => {
    const slug = `o-${randomUUID().slice(0, 8)}`;
    const home = await make("createOrganization", { slug, name: "Home" }, "organization");
    const people = await Promise.all([1, 2].map(async () => (await scene.login("READER")).actorId));
    const grants: string[] = [];
    for (const id of people) grants.push(await grant(id, "ADMIN", home));
    const going = await Promise.all(grants.map((grantId) => send("revokeGrant", { grantId }, "revokedId")));
    expect(new Set(going.map(({ __typename: type }) => type))).toEqual(
      new Set(["LastAdministratorError", "RevokeGrantSuccess"]),
    );
    const left = going[0].__typename === "RevokeGrantSuccess" ? 1 : 0;
    expect(await send("revokeGrant", { grantId: grants[left] }, "revokedId")).toMatchObject({
      code: "LAST_ADMINISTRATOR",
      message:
        "The organization would have no administrator any more. Give the role ADMIN to another person first, without an end.",
    });
    expect(await send("disableUser", { userId: people[left] }, "actor { id }")).toMatchObject({
      code: "LAST_ADMINISTRATOR",
    });
    const teamId = await make("createTeam", { organizationId: home, name: "admins" }, "team");
    await grant(teamId, "ADMIN", home);
    await send("addTeamMember", { teamId, actorId: people[1 - left] }, "team { id }");
    expect(await send("revokeGrant", { grantId: grants[left] }, "revokedId")).toMatchObject({
      __typename: "RevokeGrantSuccess",
    });
    expect(await send("removeTeamMember", { teamId, actorId: people[1 - left] }, "team { id }")).toMatchObject({
      code: "LAST_ADMINISTRATOR",
    });
    expect(await send("deleteTeam", { teamId }, "deletedId")).toMatchObject({ code: "LAST_ADMINISTRATOR" });
    // An administrator by the team alone.
    expect(await send("disableUser", { userId: people[1 - left] }, "actor { id }")).toMatchObject({
      code: "LAST_ADMINISTRATOR",
    });
  });
});

describe("bad input", () => {
  const absent = (prefix: string) => `${prefix}_00000000000000000000000zzz`;

  it("of grants names the field", async () => {
    const account = await machine();
    const input = { principalId: account.id, roleId: builtInRoleId("READER"), scopeId: organizationId };
    const refused = async (changes: object) => {
      const answer = await send("createGrant", { ...input, ...changes }, "grant { id }");
      return answer.issues?.map(({ path }: Data) => path.join(".")) ?? answer.code;
    };
    expect(await refused({ expiresAt: "2020-01-01T00:00:00Z" })).toEqual(["expiresAt"]);
    expect(await refused({ roleId: absent("role") })).toEqual(["roleId"]);
    expect(await refused({ principalId: absent("usr") })).toEqual(["principalId"]);
    expect(await refused({ scopeId: absent("prj") })).toBe("NOT_FOUND");
    expect(await refused({ scopeId: "prj_1" })).toBe("NOT_FOUND");
    const home = await make(
      "createOrganization",
      { slug: `o-${randomUUID().slice(0, 8)}`, name: "Home" },
      "organization",
    );
    const theirs = await make(
      "createRole",
      { organizationId: home, name: "theirs", permissions: ["RUNNER_READ"] },
      "role",
    );
    expect(await refused({ roleId: theirs })).toEqual(["roleId"]);
    expect(await refused({ scopeId: home })).toEqual(["principalId"]);
    expect(await refused({})).toBeUndefined();
    expect(await refused({})).toEqual(["roleId"]);
  });

  it("of roles names what is missing", async () => {
    const create = (name: string, permissions: readonly string[]) =>
      send("createRole", { organizationId, name, permissions }, "role { permissions }");
    expect(await create("deployer", ["RUN_DEPLOY"])).toMatchObject({
      issues: [{ path: ["permissions"], message: "must also have RUN_READ, which the others need." }],
    });
    expect(await create("none", [])).toMatchObject({ issues: [{ path: ["permissions"] }] });
    expect(await create("admin", ["RUNNER_READ"])).toMatchObject({ code: "NAME_TAKEN" });
    expect((await create("everything", PERMISSIONS)).role.permissions).toEqual([...PERMISSIONS]);
    expect(await create("Everything", PERMISSIONS)).toMatchObject({ code: "NAME_TAKEN" });
    const ownId = await make("createRole", { organizationId, name: "own", permissions: ["RUNNER_READ"] }, "role");
    expect(await send("updateRole", { roleId: ownId, name: "ADMIN" }, "role { id }")).toMatchObject({
      code: "NAME_TAKEN",
    });
    const roleId = builtInRoleId("READER");
    expect(await send("deleteRole", { roleId }, "deletedId")).toMatchObject({ code: "FORBIDDEN" });
  });

  it("of projects: depth, content, names, the default one", async () => {
    let parentId: string | null = null;
    for (const name of ["1", "2", "3", "4", "5"]) parentId = await project(`${name}-${randomUUID()}`, parentId);
    expect(await send("createProject", { organizationId, parentId, name: "6" }, "project { id }")).toMatchObject({
      issues: [{ path: ["parentId"], message: "is 5 levels deep, which is the limit. Choose a project above it." }],
    });
    const id = await project("same");
    expect(await send("createProject", { organizationId, name: "same" }, "project { id }")).toMatchObject({
      code: "NAME_TAKEN",
    });
    expect(await send("createProject", { organizationId, name: "a/b" }, "project { id }")).toMatchObject({
      code: "INVALID_INPUT",
    });
    await project("inner", id);
    expect(await send("deleteProject", { projectId: id }, "deletedId")).toMatchObject({
      issues: [{ path: ["projectId"], message: 'holds "inner". Move or delete what is in it first.' }],
    });
    const isDefault = organizationId.replace("org_", "prj_");
    expect(await send("deleteProject", { projectId: isDefault }, "deletedId")).toMatchObject({ code: "INVALID_INPUT" });
    expect(await send("updateProject", { projectId: isDefault, isolated: true }, "project { id }")).toMatchObject({
      code: "INVALID_INPUT",
    });
  });

  it("of tokens names the field", async () => {
    const account = await machine();
    const refused = async (input: object) => {
      const answer = await send("createToken", { name: "t", ...input }, "secret");
      return answer.issues?.map(({ path }: Data) => path.join(".")) ?? answer.code;
    };
    expect(await refused({})).toEqual(["ownerId"]);
    expect(await refused({ role: "READER", ownerId: account.id })).toEqual(["ownerId"]);
    expect(await refused({ role: "READER", permissions: ["RUN_READ"] })).toEqual(["ownerId"]);
    expect(await refused({ ownerId: account.id, permissions: [] })).toEqual(["permissions"]);
    expect(await refused({ ownerId: account.id, scopeIds: [] })).toEqual(["scopeIds"]);
    expect(await refused({ ownerId: account.id, scopeIds: [absent("ws"), "x"] })).toEqual(["scopeIds.0", "scopeIds.1"]);
    expect(await refused({ ownerId: account.id, expiresAt: "2020-01-01T00:00:00Z" })).toEqual(["expiresAt"]);
    expect(await refused({ ownerId: account.id, expiresAt: "2200-01-01T00:00:00Z" })).toEqual(["expiresAt"]);
    expect(await refused({ ownerId: absent("mch") })).toEqual(["ownerId"]);
  });
});
