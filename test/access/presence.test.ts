/** Which commands ask the person of a session to be present, over all mutations, and what shows that it is. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/domain/domain.ts";
import { createSignIns } from "../../src/domain/sign-in/sign-ins.ts";
import type { Data } from "../support/api.ts";
import { addPool } from "../support/fleet.ts";
import { send } from "../support/send.ts";
import { mutations } from "../domain/operations.ts";
import { openScene, type Scene } from "../domain/scene.ts";

const SITE = "http://holdpoint.localhost";
const MINUTE = 60_000;
const RULE = { name: "one", gate: "PLAN", minimum: 1 };

/** Written by hand, apart from the commands. */
const ASKS = [
  "addTeamMember",
  "adoptRecoveredState",
  "createGrant",
  "createRole",
  "createServiceAccount",
  "createToken",
  "createTrustRule",
  "decidePolicyException",
  "deletePasskey",
  "deletePolicySet",
  "deleteProject",
  "deleteRole",
  "deleteTeam",
  "deleteTrustRule",
  "deleteWorkspace",
  "disableUser",
  "discardRecoveredState",
  "enableUser",
  "forceUnlockState",
  "inviteMember",
  "moveProject",
  "moveWorkspace",
  "removeTeamMember",
  "revokeGrant",
  "revokeSession",
  "revokeSessions",
  "revokeToken",
  "rollbackState",
  "rotateToken",
  "setPolicySetVersionState",
  "updatePolicySet",
  "updateRole",
  "updateTeam",
  "updateToken",
];

const DECLARED = Object.entries(COMMANDS).flatMap(([name, { errors }]) =>
  (errors as readonly string[]).includes("REAUTHENTICATION_REQUIRED") ? [name] : [],
);

let scene: Scene;
let examples: ReturnType<typeof mutations>;
let secret = "";
let organizationId = "";
let count = 0;

beforeAll(async () => {
  scene = await openScene(1000, { standing: true, signIn: { origin: SITE, oidc: null } });
  organizationId = (await scene.api.ask('{ organization(slug: "default") { id } }')).organization.id;
  examples = mutations(scene, organizationId, await addPool(scene.server, "presence"));
  secret = await signIn(null);
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

/** A session of an administrator who proved to be present at this time. */
async function signIn(presentAt: string | null): Promise<string> {
  count += 1;
  const profile = { issuer: "https://login.example.com", subject: "boss", name: "Boss", email: null };
  const opened = await createSignIns(scene.server.deps).byProvider(
    {
      profile: { ...profile, groups: ["admins"] },
      state: `boss-${count}`,
      providerSession: null,
      presentAt,
      adminGroup: "admins",
    },
    { address: null, userAgent: null, formerSecret: null },
  );
  return opened.secret;
}

const agoMs = (ms: number): string => new Date(scene.server.deps.clock().getTime() - ms).toISOString();

async function ask(name: string, input: object, cookie = secret): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const how = DECLARED.includes(name) ? "... on ReauthenticationRequiredError { url methods }" : "";
  const query = `mutation ($input: ${type}!) { done: ${name}(input: $input) { __typename ... on UserError { code message } ${how} } }`;
  const answer = await send(`${scene.server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: SITE, cookie: `holdpoint=${cookie}` },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = JSON.parse(answer.text);
  // An error that the command does not declare would be one of these.
  expect(errors, name).toBeUndefined();
  return data.done;
}

const REQUIRED = {
  __typename: "ReauthenticationRequiredError",
  code: "REAUTHENTICATION_REQUIRED",
  url: `${SITE}/auth/login?fresh=1`,
  methods: ["OIDC"],
};

describe("a session whose person was not lately present", () => {
  it("is asked by exactly these commands", async () => {
    const asked: string[] = [];
    for (const name of Object.keys(COMMANDS).toSorted()) {
      const example = examples[name] ?? expect.fail(`${name} has no example.`);
      const done = await ask(name, await example());
      if (done.__typename !== REQUIRED.__typename) continue;
      asked.push(name);
      expect(done, name).toMatchObject(REQUIRED);
    }
    expect(asked).toEqual(ASKS);
  });

  it.each([
    ["updateProject", async () => ({ ...(await examples["updateProject"]?.()), isolated: true })],
    ["unlockWorkspace", async () => ({ ...(await examples["unlockWorkspace"]?.()), force: true })],
    ["updateWorkspace", async () => ({ workspaceId: await withRule(), approvalRules: [] })],
    ["updateWorkspace", async () => ({ workspaceId: await withRule(), approvalRules: [{ ...RULE, gate: "APPLY" }] })],
    ["updateWorkspace", async () => ({ workspaceId: await strict(), planApproval: "WHEN_REQUIRED" })],
    ["updateWorkspace", async () => ({ workspaceId: await scene.createWorkspace(), autoApply: "ALWAYS" })],
    ["updateOrganization", async () => ({ organizationId: await organizationWithRule(), approvalRules: [] })],
  ])("is asked by %s where the input is sensitive (%#)", async (name, input) => {
    expect(await ask(name, await input())).toMatchObject(REQUIRED);
  });

  it.each([
    ["updateProject", async () => ({ ...(await examples["updateProject"]?.()) })],
    ["updateWorkspace", async () => ({ workspaceId: await strict(), autoApply: "NEVER", planApproval: "ALWAYS" })],
    ["unlockWorkspace", async () => ({ ...(await examples["unlockWorkspace"]?.()) })],
    [
      "updateWorkspace",
      async () => ({ workspaceId: await withRule(), approvalRules: [RULE, { ...RULE, name: "more" }] }),
    ],
    ["updateOrganization", async () => ({ organizationId: await organizationWithRule(), approvalRules: [RULE] })],
  ])("is not asked by %s otherwise (%#)", async (name, input) => {
    expect((await ask(name, await input())).__typename).not.toBe(REQUIRED.__typename);
  });

  it("ends its own sessions and tokens", async () => {
    const other = await signIn(null);
    const { viewer } = await view(other);
    expect(viewer.sessions.length).toBeGreaterThan(0);
    const { token } = (await create(await signIn(agoMs(0)), viewer.actor.id)).done;
    expect((await ask("revokeToken", { tokenId: token.id }, other)).__typename).toBe("RevokeTokenSuccess");
    const current = viewer.sessions.find((session: Data) => session.current);
    expect((await ask("revokeSession", { sessionId: current.id }, other)).__typename).toBe("RevokeSessionSuccess");
  });

  it("does not import a state", async () => {
    const workspaceId = await scene.createWorkspace();
    const answer = await send(`${scene.server.url}/workspaces/${workspaceId}/state`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: SITE, cookie: `holdpoint=${secret}` },
      body: JSON.stringify({ version: 4, serial: 1, lineage: "l", resources: [], outputs: {} }),
    });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    expect(await scene.rows("select id from state_version where workspace_id = $1", workspaceId)).toEqual([]);
  });

  it("learns nothing about what it may not see", async () => {
    const hidden = { roleId: "role_00000000000000000000000099", name: "x" };
    expect((await ask("updateRole", hidden)).code).toBe("NOT_FOUND");
  });
});

describe("the person of a session", () => {
  const input = () => ({ organizationId, name: `role-${(count += 1)}`, permissions: ["WORKSPACE_READ"] });

  it.each([
    [0, "CreateRoleSuccess"],
    [10 * MINUTE - 1, "CreateRoleSuccess"],
    [10 * MINUTE, "CreateRoleSuccess"],
    [10 * MINUTE + 1, "ReauthenticationRequiredError"],
  ])("is present for ten minutes: after %i ms %s", async (ms, type) => {
    expect((await ask("createRole", input(), await signIn(agoMs(ms)))).__typename).toBe(type);
  });

  it("is recorded as refused", async () => {
    await ask("createRole", input());
    const [row] = await scene.rows(
      "select code from rejected_command where command = 'createRole' order by at desc limit 1",
    );
    expect(row).toEqual({ code: "REAUTHENTICATION_REQUIRED" });
  });
});

it("each command that asks declares it, and no other", () => {
  const byInput = [
    "approveRun",
    "overridePolicies",
    "pushPolicySetVersion",
    "unlockWorkspace",
    "updateOrganization",
    "updateProject",
    "updateWorkspace",
  ];
  expect(DECLARED.toSorted()).toEqual([...ASKS, ...byInput].toSorted());
});

async function strict(): Promise<string> {
  return scene.createWorkspace({ autoApply: "CREATE_ONLY", planApproval: "ALWAYS" });
}

async function withRule(): Promise<string> {
  return scene.createWorkspace({ approvalRules: [RULE] });
}

async function organizationWithRule(): Promise<string> {
  const slug = `ruled-${(count += 1)}`;
  const id = await scene.quick("createOrganization", { slug, name: "Ruled" });
  await scene.quick("updateOrganization", { organizationId: id, approvalRules: [RULE] });
  return id;
}

async function view(cookie: string): Promise<Data> {
  return (await post(cookie, "{ viewer { actor { id } sessions { id current } } }", {})).data;
}

async function create(cookie: string, ownerId: string): Promise<Data> {
  const query =
    "mutation ($input: CreateTokenInput!) { done: createToken(input: $input) { ... on CreateTokenSuccess { token { id } } } }";
  return (await post(cookie, query, { input: { name: `t-${(count += 1)}`, ownerId } })).data;
}

async function post(cookie: string, query: string, variables: object): Promise<Data> {
  const answer = await send(`${scene.server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: SITE, cookie: `holdpoint=${cookie}` },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(answer.text);
}
