/** Lists for administrators: grants, people and machine users, sessions, tokens. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSignIns } from "../../../src/domain/sign-in/sign-ins.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { type BuiltInRole, builtInRoleId } from "../../../src/model/people/role.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { signIn: { origin: "http://holdpoint.localhost", oidc: null } });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

async function make(name: string, input: object, field: string, fields = "id"): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
    ... on ${type}Success { ${field} { ${fields} } ${name === "createToken" ? "secret" : ""} } ... on UserError { message } } }`;
  const made = (await scene.api.ask(document, { input }))[name];
  expect(made.__typename, made.message).toBe(`${type}Success`);
  return name === "createToken" ? made : made[field];
}

const project = async (name: string, isolated = false, parentId: string | null = null): Promise<string> =>
  (await make("createProject", { organizationId, parentId, name: `${name}-${randomUUID()}`, isolated }, "project")).id;
const grant = async (principalId: string, role: BuiltInRole, scopeId: string | null): Promise<string> =>
  (await make("createGrant", { principalId, roleId: builtInRoleId(role), scopeId }, "grant")).id;

async function machine(...grants: [BuiltInRole, string | null][]): Promise<Api & { id: string; tokenId: string }> {
  const { id } = await make("createServiceAccount", { organizationId, name: `m-${randomUUID()}` }, "actor");
  for (const [role, scopeId] of grants) await grant(id, role, scopeId);
  const { token, secret } = await make("createToken", { name: `t-${randomUUID()}`, ownerId: id }, "token");
  return { ...createApi(scene.server.url, secret), id, tokenId: token.id };
}

/** All nodes of a list, page by page. */
async function all(list: string, fields: string, api: Api = scene.api, args = ""): Promise<Data[]> {
  const nodes: Data[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const query: string = `{ ${list}(first: 3${after === null ? "" : `, after: "${after}"`}${args}) {
      pageInfo { hasNextPage endCursor } edges { node { ${fields} } } } }`;
    const page: Data = (await api.ask(query))[list];
    nodes.push(...page.edges.map(({ node }: Data) => node));
    ({ hasNextPage: more, endCursor: after } = page.pageInfo);
  }
  return nodes;
}

const ids = (nodes: Data[]): string[] => nodes.map(({ id }) => id);

describe("grants", () => {
  it("are those at the places whose people the caller may read, and no others", async () => {
    const [open, apart] = [await project("open"), await project("apart", true)];
    const below = await project("below", false, open);
    const workspaceId = await scene.createWorkspace();
    const holder = (await machine()).id;
    const made: Record<string, string> = {};
    for (const [name, scopeId] of Object.entries({ open, apart, below, workspaceId, organizationId })) {
      made[name] = await grant(holder, "READER", scopeId);
    }
    const seen = async (api: Api, args = ""): Promise<string[]> => {
      const listed = new Set(ids(await all("grants", "id", api, args)));
      return Object.keys(made).filter((name) => listed.has(made[name] ?? ""));
    };
    // The isolated project is cut off from the administrator, too.
    expect(await seen(scene.api)).toEqual(["open", "below", "workspaceId", "organizationId"]);
    expect(await seen(await machine(["AUDITOR", organizationId]))).toEqual([
      "open",
      "below",
      "workspaceId",
      "organizationId",
    ]);
    expect(await seen(await machine(["AUDITOR", open]))).toEqual(["open", "below"]);
    expect(await seen(await machine(["AUDITOR", apart]))).toEqual(["apart"]);
    expect(await seen(await machine(["MAINTAINER", workspaceId]))).toEqual(["workspaceId"]);
    expect(await seen(await machine(["READER", organizationId]))).toEqual([]);
    const argument = `, organizationId: "${organizationId}"`;
    expect(await seen(await machine(["AUDITOR", open]), argument)).toEqual(["open", "below"]);
    expect(await all("grants", "id", scene.api, ', organizationId: "org_none"')).toEqual([]);
    // On the installation, for who may read its people alone.
    const installation = (nodes: Data[]): Data[] => nodes.filter(({ organization }) => organization === null);
    expect(installation(await all("grants", "organization { id }"))).not.toEqual([]);
    const inOrganization = await machine(["ADMIN", organizationId]);
    expect(installation(await all("grants", "organization { id }", inOrganization))).toEqual([]);
  });

  it("come once each, newest first, without those that were revoked or have ended", async () => {
    const holder = (await machine()).id;
    const [kept, revoked] = [
      await grant(holder, "READER", organizationId),
      await grant(holder, "WRITER", organizationId),
    ];
    await scene.api.ask("mutation ($id: ID!) { revokeGrant(input: { grantId: $id }) { __typename } }", { id: revoked });
    const listed = ids(await all("grants", "id"));
    expect(listed).toEqual([...new Set(listed)].toSorted().toReversed());
    expect(listed).toContain(kept);
    expect(listed).not.toContain(revoked);
  });
});

describe("actors", () => {
  it("are found by a part of their names, page by page, and refuse a text that no name can have", async () => {
    const tag = randomUUID().slice(0, 8);
    const named = async (name: string): Promise<string> =>
      (await make("createServiceAccount", { organizationId, name }, "actor")).id;
    const made: string[] = [];
    for (const name of [`Alice ${tag}`, `mALICE ${tag}`, `bob ${tag}`, `al%e ${tag}`, `alice ${tag} 2`]) {
      made.push(await named(name));
    }
    const found = async (search: string, api?: Api): Promise<string[]> =>
      ids((await all("actors", "actor { id }", api, `, search: ${JSON.stringify(search)}`)).map(({ actor }) => actor));
    expect((await found(`alice ${tag}`)).toSorted()).toEqual(
      made.filter((_id, at) => [0, 1, 4].includes(at)).toSorted(),
    );
    expect((await found(tag.toUpperCase())).toSorted()).toEqual([...made].toSorted());
    expect(await found(`al%e ${tag}`)).toEqual([made[3]]);
    expect(await found(`carol ${tag}`)).toEqual([]);
    expect(await found(tag, await machine(["ADMIN", organizationId]))).toEqual([]);
    for (const search of ["", "a".repeat(201), "\0"]) {
      const { errors } = await scene.api.send(
        "query ($s: String) { actors(search: $s) { edges { node { email } } } }",
        {
          s: search,
        },
      );
      expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT", issues: [{ path: ["search"] }] } }]);
    }
  });

  it("are all people and machine users, for those who may read the people of the installation", async () => {
    const one = await machine(["ADMIN", organizationId]);
    const acting = await scene.createWorkspace();
    await grant(acting, "READER", acting);
    const listed = (await all("actors", "actor { __typename id } disabledAt")).map(({ actor }) => actor);
    const rows = await scene.rows("select id from actor where kind <> 'SYSTEM' and workspace_id is null");
    expect(listed.map(({ id }): string => id).toSorted()).toEqual(rows.map(({ id }): string => id).toSorted());
    expect(listed.map(({ id }) => id)).toContain(one.id);
    expect(await all("actors", "actor { id }", one)).toEqual([]);
  });
});

describe("sessions", () => {
  it("are those in force, of all or of one person, for those who may end them", async () => {
    const signIns = createSignIns(scene.server.deps);
    const open = async (subject: string): Promise<void> => {
      const profile = { issuer: "https://login.example.com", subject, name: subject, email: null, groups: ["admins"] };
      const asked = { profile, state: randomUUID(), providerSession: null, presentAt: null, adminGroup: "admins" };
      await signIns.byProvider(asked, { address: null, userAgent: null, formerSecret: null });
    };
    for (const subject of ["ann", "ann", "bob"]) await open(subject);
    const listed = await all("sessions", "id current actor { id name }");
    expect(listed.map(({ actor }) => actor.name)).toEqual(["bob", "ann", "ann"]);
    const ann = listed[1]?.actor.id;
    expect(await all("sessions", "id", scene.api, `, userId: "${ann}"`)).toHaveLength(2);
    expect(await all("sessions", "id", await machine(["ADMIN", organizationId]))).toEqual([]);
    await scene.api.ask("mutation ($id: ID!) { revokeSession(input: { sessionId: $id }) { __typename } }", {
      id: listed[0]?.id,
    });
    expect((await all("sessions", "actor { name }")).map(({ actor }) => actor.name)).toEqual(["ann", "ann"]);
  });
});

describe("tokens", () => {
  it("of the machine users of an organization are listed by those who may write them there", async () => {
    const admin = await machine(["ADMIN", organizationId]);
    const argument = `, organizationId: "${organizationId}"`;
    const listed = ids(await all("tokens", "id", admin, argument));
    expect(listed).toContain(admin.tokenId);
    expect(listed).not.toContain("tok_00000000000000000000000000");
    expect(ids(await all("tokens", "id", scene.api, argument))).toEqual(listed);
    expect(await all("tokens", "id", admin)).toEqual([]);
    expect(await all("tokens", "id", await machine(["MAINTAINER", organizationId]), argument)).toEqual([]);
    expect(await all("tokens", "id", admin, ', organizationId: "org_none"')).toEqual([]);
  });
});
