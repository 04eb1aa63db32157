import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Api, Data } from "../support/api.ts";
import { EVERY_PART, openScene, type Scene } from "./scene.ts";

const ROLES = ["READER", "WRITER", "APPROVER", "ADMIN"] as const;

let scene: Scene;
const by = new Map<string, Api & { tokenId: string; actorId: string }>();
beforeAll(async () => {
  scene = await openScene();
  for (const role of ROLES) by.set(role, await scene.login(role));
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const whoAmI = (api: Api | undefined) => api?.send("{ viewer { actor { id } } }");

it.each(ROLES)("a %s reads everything but tokens", async (role) => {
  const { runId, workspaceId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  const api = by.get(role);
  const data = await api?.ask(
    `query ($run: ID!, $workspace: ID!, $token: ID!) {
      viewer { role isAdmin actor { id } } run(id: $run) { id plan { text } } node(id: $token) { id }
      workspace(by: { id: $workspace }) { id variables { key } } organization(slug: "default") { slug }
      runs(first: 1) { totalCount } }`,
    { run: runId, workspace: workspaceId, token: api.tokenId },
  );
  expect(data.viewer).toEqual({ role, isAdmin: role === "ADMIN", actor: { id: api?.actorId } });
  expect(data).toMatchObject({ run: { id: runId }, workspace: { id: workspaceId }, organization: { slug: "default" } });
  expect(data.run.plan.text).toContain("terraform_data.a");
  expect(data.node).toEqual(role === "ADMIN" ? { id: api?.tokenId } : null);
});

const listTokens = async (args: string, by: Api | undefined = scene.api) =>
  (
    await by.ask(`{ tokens${args} { pageInfo { hasNextPage endCursor }
      edges { node { id name role createdAt lastUsedAt expiresAt revokedAt actor { __typename id name } } } } }`)
  ).tokens;
const nodesOf = (page: Data): Data[] => page.edges.map(({ node }: Data) => node);

it("tokens are found again by admins, newest first, and their secrets nowhere", async () => {
  const expiresAt = new Date(scene.server.deps.clock().getTime() + 3_600_000).toISOString();
  const api = await scene.login("WRITER", { name: "listed", actor: "MACHINE", expiresAt });
  const newer = await scene.login("READER", { name: "newer" });
  await whoAmI(api);
  const [first, second] = nodesOf(await listTokens("(first: 2)"));
  expect(first).toMatchObject({ id: newer.tokenId, name: "newer", lastUsedAt: null });
  expect(second).toEqual({
    id: api.tokenId,
    name: "listed",
    role: "WRITER",
    createdAt: expect.any(String),
    lastUsedAt: expect.any(String),
    expiresAt,
    revokedAt: null,
    actor: { __typename: "MachineUser", id: api.actorId, name: "listed" },
  });

  const all: Data[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: Data = await listTokens(`(first: 3${after === null ? "" : `, after: "${after}"`})`);
    all.push(...nodesOf(page));
    ({ hasNextPage: more, endCursor: after } = page.pageInfo);
  }
  const ids = all.map(({ id }): string => id);
  expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
  expect(await scene.rows("select count(*)::int as count from token")).toEqual([{ count: ids.length }]);
  expect(all.at(-1)).toMatchObject({ id: "tok_00000000000000000000000000", name: "admin", role: "ADMIN" });
  const backward = nodesOf(await listTokens("(last: 2)"));
  expect(backward).toEqual(all.slice(-2));

  const type = await scene.api.ask('{ __type(name: "Token") { fields { name } } }');
  expect(type.__type.fields.map(({ name }: Data) => name).toSorted()).toEqual(
    [
      "id",
      "name",
      "role",
      "actor",
      "createdAt",
      "lastUsedAt",
      "expiresAt",
      "revokedAt",
      "permissions",
      "scopeIds",
      "networks",
      "lastUsedFrom",
      "idleEndsAt",
      "rotatedAt",
    ].toSorted(),
  );
});

it("a revoked token stays in the list and is marked", async () => {
  const api = await scene.login("READER", { name: "leaver" });
  await scene.send("revokeToken", { tokenId: api.tokenId });
  const [newest] = nodesOf(await listTokens("(first: 1)"));
  expect(newest).toMatchObject({ id: api.tokenId, name: "leaver", revokedAt: expect.any(String) });
  expect(newest.revokedAt >= newest.createdAt).toBe(true);
  const { node } = await scene.api.ask("query ($id: ID!) { node(id: $id) { ... on Token { name revokedAt } } }", {
    id: api.tokenId,
  });
  expect(node).toEqual({ name: "leaver", revokedAt: newest.revokedAt });
  const inForce = nodesOf(await listTokens("(first: 100, revoked: false)"));
  expect(inForce.length).toBeGreaterThan(0);
  expect(inForce.every(({ revokedAt }) => revokedAt === null)).toBe(true);
  const revoked = nodesOf(await listTokens("(first: 100, revoked: true)"));
  expect(revoked.map(({ id }) => id)).toContain(api.tokenId);
  expect(revoked.every(({ revokedAt }) => revokedAt !== null)).toBe(true);
});

it.each(["READER", "WRITER", "APPROVER"])("a %s sees no token in the list", async (role) => {
  expect(await listTokens("", by.get(role))).toEqual({
    edges: [],
    pageInfo: { hasNextPage: false, endCursor: null },
  });
});

it("runs of people are MANUAL, of programs API", async () => {
  for (const [actor, typename, trigger] of [
    ["USER", "User", "MANUAL"],
    ["MACHINE", "MachineUser", "API"],
  ] as const) {
    const api = await scene.login("WRITER", { actor, name: `who-${actor}` });
    const workspaceId = await scene.createWorkspace();
    const { run } = await scene.send("createRun", { workspaceId }, api, EVERY_PART);
    expect(run).toMatchObject({ trigger, createdBy: { __typename: typename, id: api.actorId, name: `who-${actor}` } });
  }
});

it("a secret is shown once, and only its SHA-256 is kept", async () => {
  const { secret, token } = await scene.send("createToken", { name: "once", role: "READER" });
  expect(secret).toMatch(/^hpt_[0-9A-Za-z]{49}$/);
  const [{ hash, row }] = await scene.rows(
    "select secret_hash as hash, to_jsonb(token)::text as row from token where id = $1",
    token.id,
  );
  expect(hash).toEqual(createHash("sha256").update(secret).digest());
  expect(row).not.toContain(secret);
  const { node } = await scene.api.ask(`query ($id: ID!) { node(id: $id) { ... on Token { name role } } }`, {
    id: token.id,
  });
  expect(node).toEqual({ name: "once", role: "READER" });
});

it("a token ends when it expires, and not before", async () => {
  const expiresAt = new Date(scene.server.deps.clock().getTime() + 3_600_000).toISOString();
  const api = await scene.login("READER", { expiresAt });
  scene.server.advance(3_590_000);
  expect(await whoAmI(api)).toMatchObject({ status: 200, errors: undefined });
  scene.server.advance(10_000);
  const late = await whoAmI(api);
  expect(late?.status).toBe(401);
  expect(late?.errors?.[0]?.extensions).toEqual({ code: "UNAUTHENTICATED" });
});

it("a token that is revoked lets nobody in from then on, and its name is free", async () => {
  const api = await scene.login("WRITER", { name: "renewed" });
  expect(await scene.send("createToken", { name: "renewed", role: "READER" })).toMatchObject({ code: "NAME_TAKEN" });
  expect((await scene.send("revokeToken", { tokenId: api.tokenId })).revokedId).toBe(api.tokenId);
  expect((await whoAmI(api))?.status).toBe(401);
  expect((await scene.send("revokeToken", { tokenId: api.tokenId })).code).toBe("NOT_FOUND");
  const again = await scene.login("READER", { name: "renewed" });
  expect((await whoAmI(again))?.data.viewer.actor.id).toBe(again.actorId);
  expect(again.token).not.toBe(api.token);
});

it("each token has an actor of its own: an identity is not taken over with a name", async () => {
  const alice = await scene.login("APPROVER", { name: "alice" });
  const bob = await scene.login("APPROVER");
  const workspaceId = await scene.createWorkspace({
    approvalRules: [
      { name: "alice", gate: "PLAN", approverIds: [alice.actorId, bob.actorId], minimum: 2, machinesCount: true },
    ],
  });
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  const approval = { runId, gate: "PLAN", planVersion: 1 };
  expect((await scene.send("approveRun", approval, alice)).__typename).toBe("ApproveRunSuccess");

  // An administrator takes the name over, as a person and as a program.
  await scene.send("revokeToken", { tokenId: alice.tokenId });
  const forged = await scene.login("APPROVER", { name: "alice" });
  expect(await scene.send("approveRun", approval, forged)).toMatchObject({ code: "FORBIDDEN" });
  await scene.send("revokeToken", { tokenId: forged.tokenId });
  const machine = await scene.login("APPROVER", { name: "alice", actor: "MACHINE" });
  expect(new Set([alice.actorId, forged.actorId, machine.actorId]).size).toBe(3);

  // What alice did stays hers, under the name that she had.
  const { run } = await scene.api.ask("query ($id: ID!) { run(id: $id) { status approvals { actor { id name } } } }", {
    id: runId,
  });
  expect(run).toEqual({
    status: "AWAITING_PLAN_APPROVAL",
    approvals: [{ actor: { id: alice.actorId, name: "alice" } }],
  });
});

it("a name is taken once, also by several at once", async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => scene.send("createToken", { name: "race", role: "READER" })),
  );
  expect(answers.map(({ __typename }): string => __typename).toSorted()).toEqual([
    "CreateTokenSuccess",
    ...Array.from({ length: 4 }, () => "NameTakenError"),
  ]);
});

it.each([
  ["name", { name: "" }],
  ["name", { name: " a" }],
  ["name", { name: "a\nb" }],
  ["name", { name: "a\0" }],
  ["name", { name: "x".repeat(91) }],
  ["expiresAt", { name: "late", expiresAt: "2020-01-01T00:00:00Z" }],
  ["expiresAt", { name: "far", expiresAt: new Date(Date.now() + 367 * 86_400_000).toISOString() }],
])("a token is refused for its %s: %j", async (field, input) => {
  const answer = await scene.send("createToken", { role: "READER", ...input });
  expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [field] }] });
});

it("the installation's own token is not revoked here, nor is one that does not exist", async () => {
  const own = await scene.send("revokeToken", { tokenId: "tok_00000000000000000000000000" });
  expect(own.code).toBe("FORBIDDEN");
  expect((await whoAmI(scene.api))?.status).toBe(200);
  for (const tokenId of ["tok_00000000000000000000000009", "", "a\0b", "run_00000000000000000000000000"]) {
    expect((await scene.send("revokeToken", { tokenId })).code).toBe("NOT_FOUND");
  }
});

it.each(["", "Bearer", "Bearer ", "Bearer x", "Basic aHB0OmE=", `Bearer ${"x".repeat(600)}`, "Bearer hpt_ä"])(
  "no other credential lets anybody in: %s",
  async (authorization) => {
    const response = await fetch(`${scene.server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: Buffer.from(authorization).toString("latin1") },
      body: JSON.stringify({ query: "{ viewer { role } }" }),
    });
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("at ");
  },
);

it("its last use is noted, at most once a minute", async () => {
  const api = await scene.login("READER");
  const usedAt = async () =>
    (await scene.rows("select last_used_at as at from token where id = $1", api.tokenId))[0].at;
  expect(await usedAt()).toBeNull();
  await whoAmI(api);
  const first = await usedAt();
  expect(first).not.toBeNull();
  await whoAmI(api);
  expect(await usedAt()).toBe(first);
  scene.server.advance(61_000);
  await whoAmI(api);
  expect((await usedAt()) > first).toBe(true);
});
