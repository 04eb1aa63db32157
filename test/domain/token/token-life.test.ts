/** What bounds a token over the API: its networks, its end, its use, and the rotation of its secret. */
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { ADMIN_TOKEN_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { type BuiltInRole, builtInRoleId } from "../../../src/model/people/role.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const OFFICE = "203.0.113.7";
const ELSEWHERE = "198.51.100.1";
const WHO = "{ viewer { actor { id } } }";
const STREAM = `subscription { organizationEvents(organizationId: "${organizationId}") { __typename } }`;

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene(1000, { isBehindProxy: true });
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...other.reported.splice(0)]).toEqual([]));

const now = (): number => scene.server.deps.clock().getTime();
const at = (ms: number): string => new Date(now() + ms).toISOString();

/** Sends a mutation; gives the fields of its success, or the error. */
async function send(name: string, input: object, fields: string, api: Api = scene.api): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
    ... on ${type}Success { ${fields} }
    ... on UserError { code message ... on InvalidInputError { issues { path message } } } } }`;
  return (await api.ask(document, { input }))[name];
}

const TOKEN =
  "token { id name networks permissions scopeIds expiresAt idleEndsAt lastUsedAt lastUsedFrom rotatedAt actor { id } }";
interface Made {
  api: Api;
  id: string;
  token: Data;
}

async function create(input: object = {}, by: Api = scene.api): Promise<Made> {
  const owned = "ownerId" in input ? {} : { role: "READER" };
  const made = await send("createToken", { name: `t-${randomUUID()}`, ...owned, ...input }, `${TOKEN} secret`, by);
  expect(made.code, JSON.stringify(made)).toBeUndefined();
  return { api: createApi(scene.server.url, made.secret), id: made.token.id, token: made.token };
}

async function machine(role: BuiltInRole): Promise<string> {
  const made = await send("createServiceAccount", { organizationId, name: `m-${randomUUID()}` }, "actor { id }");
  await send(
    "createGrant",
    { principalId: made.actor.id, roleId: builtInRoleId(role), scopeId: organizationId },
    "grant { id }",
  );
  return made.actor.id;
}

const read = async (id: string): Promise<Data> =>
  (await scene.api.ask(`query ($id: ID!) { node(id: $id) { ... on Token { ${TOKEN.slice(8, -2)} } } }`, { id })).node;

interface Init {
  body?: string;
  headers?: Record<string, string>;
}

/** A request as the proxy passes it on. */
async function from(address: string | null, api: Api, path = "/graphql", init: Init = {}): Promise<Response> {
  return fetch(`${api.url}${path}`, {
    ...(path === "/graphql" && { method: "POST", body: JSON.stringify({ query: WHO }) }),
    ...init,
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${api.token}`,
      ...(address !== null && { "x-forwarded-for": address }),
      ...init.headers,
    },
  });
}

const statusFrom = async (address: string | null, api: Api): Promise<number> => (await from(address, api)).status;

/** A socket with a subscription that has begun, or the code with which it was closed. */
async function socketFrom(address: string | null, api: Api): Promise<WebSocket | number> {
  const headers = address === null ? {} : { "x-forwarded-for": address };
  const socket = new WebSocket(`${api.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { headers });
  await once(socket, "open");
  const closed = once(socket, "close").then(([code]): number => code);
  socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${api.token}` } }));
  const first = await Promise.race([once(socket, "message"), closed]);
  if (typeof first === "number") return first;
  socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query: STREAM } }));
  await once(socket, "message");
  return socket;
}

async function open(address: string | null, api: Api): Promise<WebSocket> {
  const socket = await socketFrom(address, api);
  return typeof socket === "number" ? expect.fail(`The socket was closed with ${socket}.`) : socket;
}

const closeCode = async (socket: WebSocket): Promise<unknown> => (await once(socket, "close"))[0];

describe("a token that is bound to networks", () => {
  it("is refused from elsewhere as one that does not exist, over HTTP, events, sockets and files", async () => {
    const { api, token } = await create({ networks: ["203.0.113.0/24", "2001:db8::/32"] });
    expect(token.networks).toEqual(["203.0.113.0/24", "2001:db8::/32"]);
    const unknown = api.as("hpt_unknown");
    const requests: [string, Init][] = [
      ["/graphql", {}],
      ["/graphql", { body: JSON.stringify({ query: STREAM }), headers: { accept: "text/event-stream" } }],
      ["/runs/run_00000000000000000000000000/wait", {}],
      ["/runs/run_00000000000000000000000000/log", {}],
      [`/state/default/none`, { headers: { authorization: `Basic ${btoa(`x:${api.token}`)}` } }],
    ];
    for (const [path, init] of requests) {
      const asUnknown = path.startsWith("/state") ? { headers: { authorization: `Basic ${btoa("x:none")}` } } : init;
      const [refused, absent] = [
        await from(ELSEWHERE, api, path, init),
        await from(ELSEWHERE, unknown, path, asUnknown),
      ];
      expect([path, refused.status, await refused.text()]).toEqual([path, 401, await absent.text()]);
      const allowed = await from(OFFICE, api, path, init);
      expect(allowed.status).not.toBe(401);
      // The events would stay open.
      await allowed.body?.cancel();
    }
    expect(await socketFrom(ELSEWHERE, api)).toBe(4401);
    (await open(OFFICE, api)).close();
    expect(await statusFrom("2001:db8:1::1", api)).toBe(200);
    expect(await statusFrom("2001:db9::1", api)).toBe(401);
    // An address within IPv6, one that is forged behind the last proxy, and none but that of the proxy.
    expect(await statusFrom("::ffff:203.0.113.9", api)).toBe(200);
    expect(await statusFrom(`${OFFICE}, ${ELSEWHERE}`, api)).toBe(401);
    expect(await statusFrom(null, api)).toBe(401);
  });

  it.each([
    ["10.0.0.1/8"],
    ["10.0.0.0/33"],
    ["10.0.0/8"],
    ["010.0.0.0/8"],
    ["2001:db8::1/32"],
    ["::ffff:10.0.0.0/104"],
    ["fe80::%eth0/64"],
    ["10.0.0.0/8/8"],
    ["10.0.0.0/"],
    ["office"],
    [""],
    ["\0"],
  ])("is refused for the network %j", async (network) => {
    for (const owned of [{ role: "READER" }, { ownerId: await machine("READER") }]) {
      const input = { name: `n-${randomUUID()}`, ...owned, networks: [network] };
      const issues = [{ path: ["networks", "0"], message: expect.stringContaining("203.0.113.0/24") }];
      expect(await send("createToken", input, "secret")).toMatchObject({ code: "INVALID_INPUT", issues });
    }
  });

  it("has 1 to 20 of them, each once, an address alone as one", async () => {
    const networks = (count: number): string[] => Array.from({ length: count }, (_, index) => `10.0.${index}.0/24`);
    for (const refused of [[], networks(21)]) {
      const answer = await send("createToken", { name: "n", role: "READER", networks: refused }, "secret");
      expect(answer.issues).toEqual([{ path: ["networks"], message: "must be 1 to 20, or absent." }]);
    }
    expect((await create({ networks: networks(20) })).token.networks).toHaveLength(20);
    const { token } = await create({ networks: ["192.0.2.1", "192.0.2.1/32", "2001:DB8:0::1"] });
    expect(token.networks).toEqual(["192.0.2.1/32", "2001:db8::1/128"]);
    expect((await create()).token.networks).toEqual([]);
  });

  it("binds the tokens that are made with it", async () => {
    const { api } = await create({ role: "ADMIN", networks: ["127.0.0.0/8"] });
    expect((await create({}, api)).token.networks).toEqual(["127.0.0.0/8"]);
    expect((await create({ networks: ["127.0.0.1"] }, api)).token.networks).toEqual(["127.0.0.1/32"]);
    for (const network of ["10.0.0.0/8", "0.0.0.0/0", "::/0"]) {
      const refused = await send("createToken", { name: "n", role: "READER", networks: [network] }, "secret", api);
      const message = "must be within the networks of your own token: 127.0.0.0/8.";
      expect(refused.issues).toEqual([{ path: ["networks", "0"], message }]);
    }
    const free = await create({ ownerId: await machine("READER") });
    expect(await send("rotateToken", { tokenId: free.id }, "secret", api)).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("the use of a token", () => {
  it("is noted with its address, of IPv6 the first 64 bits", async () => {
    const { api, id } = await create();
    expect(await read(id)).toMatchObject({ lastUsedAt: null, lastUsedFrom: null });
    await from(OFFICE, api);
    expect((await read(id)).lastUsedFrom).toBe(OFFICE);
    scene.server.advance(61_000);
    await from("2001:db8:1:2:3:4:5:6", api);
    expect((await read(id)).lastUsedFrom).toBe("2001:db8:1:2::/64");
  });

  it("keeps it: after 90 days without one it ends, but for the admin token", async () => {
    const used = await create({ expiresAt: at(366 * DAY_MS) });
    const unused = await create({ expiresAt: at(366 * DAY_MS) });
    expect(Date.parse(unused.token.idleEndsAt) - now()).toBeLessThanOrEqual(90 * DAY_MS);
    scene.server.advance(60 * DAY_MS);
    expect(await statusFrom(null, used.api)).toBe(200);
    const { idleEndsAt } = await read(used.id);
    scene.server.advance(30 * DAY_MS);
    expect([await statusFrom(null, used.api), await statusFrom(null, unused.api)]).toEqual([200, 401]);
    expect(Date.parse(idleEndsAt) - now()).toBeGreaterThan(0);
    expect(await send("rotateToken", { tokenId: unused.id }, "secret")).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/token/i),
    });
    scene.server.advance(91 * DAY_MS);
    expect(await statusFrom(null, scene.api)).toBe(200);
    expect(await read(ADMIN_TOKEN_ID)).toMatchObject({ idleEndsAt: null, expiresAt: null });
  });
});

describe("the end of a token", () => {
  it("is no later than that of the token that makes it for the same owner, or rotates it", async () => {
    const ownerId = await machine("ADMIN");
    const end = at(HOUR_MS);
    const { api, id } = await create({ ownerId, expiresAt: end });
    expect((await create({ ownerId }, api)).token.expiresAt).toBe(end);
    const later = { ownerId, name: "later", expiresAt: at(DAY_MS) };
    const issues = [{ path: ["expiresAt"], message: `must not be after ${end}, when your own token ends.` }];
    expect(await send("createToken", later, "secret", api)).toMatchObject({ issues });
    expect(await rotate(id, { expiresAt: at(DAY_MS) }, api)).toMatchObject({ issues });
    expect((await rotate(id, { expiresAt: at(HOUR_MS / 2) }, api)).code).toBeUndefined();
    // For another machine user, and by one that has no end.
    const other = await create({ ownerId: await machine("READER") }, api);
    expect(other.token.expiresAt > at(DAY_MS)).toBe(true);
    expect((await rotate(id, { expiresAt: at(DAY_MS) })).code).toBeUndefined();
  });

  it("is in 90 days unless another is asked for, also with a role", async () => {
    const before = now();
    const { token } = await create();
    const inDays = (Date.parse(token.expiresAt) - before) / DAY_MS;
    expect(inDays).toBeGreaterThanOrEqual(90);
    expect(inDays).toBeLessThan(90.01);
    expect((await create({ expiresAt: at(365 * DAY_MS) })).token.expiresAt > at(364 * DAY_MS)).toBe(true);
  });
});

const rotate = (tokenId: string, input: object = {}, api?: Api): Promise<Data> =>
  send("rotateToken", { tokenId, ...input }, `${TOKEN} secret`, api);

describe("rotation", () => {
  it("gives another secret of the same token, and leaves the former one for a day", async () => {
    const ownerId = await machine("WRITER");
    const { api, id, token } = await create({ ownerId, permissions: ["RUN_READ"], networks: ["127.0.0.0/8"] });
    const made = await rotate(id);
    const kept = ({ id: same, name, networks, permissions, scopeIds, expiresAt, actor }: Data): Data => {
      return { same, name, networks, permissions, scopeIds, expiresAt, actor };
    };
    expect(kept(made.token)).toEqual(kept(token));
    expect(made.token.rotatedAt).toEqual(expect.any(String));
    expect(await read(id)).toMatchObject({ rotatedAt: made.token.rotatedAt });
    const renewed = api.as(made.secret);
    for (const one of [api, renewed]) {
      for (const url of [scene.server.url, other.url]) {
        expect((await createApi(url, one.token).ask(WHO)).viewer.actor.id).toBe(ownerId);
      }
      expect((await from(ELSEWHERE, one)).status).toBe(401);
    }
    scene.server.advance(DAY_MS + 1000);
    expect([await statusFrom(null, api), await statusFrom(null, renewed)]).toEqual([401, 200]);
  });

  it("ends the former secret at once by the next rotation and by revocation", async () => {
    const { api, id } = await create({ ownerId: await machine("READER") });
    const second = api.as((await rotate(id)).secret);
    const third = api.as((await rotate(id)).secret);
    expect([await statusFrom(null, api), await statusFrom(null, second), await statusFrom(null, third)]).toEqual([
      401, 200, 200,
    ]);
    await send("revokeToken", { tokenId: id }, "revokedId");
    expect([await statusFrom(null, second), await statusFrom(null, third)]).toEqual([401, 401]);
    expect(await rotate(id)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("without an overlap closes the connections of the former secret, and no others", async () => {
    const { api, id } = await create({ ownerId: await machine("READER") });
    const first = [await open(null, api), await open(null, createApi(other.url, api.token))];
    const renewed = api.as((await rotate(id, { overlapHours: 1 })).secret);
    // Both secrets are good, and both have sockets.
    const stays = await open(null, renewed);
    const during = await open(null, api);
    const codes = Promise.all([...first, during].map(closeCode));
    const last = api.as((await rotate(id, { overlapHours: 1 }, renewed)).secret);
    expect(await codes).toEqual([4403, 4403, 4403]);
    expect(stays.readyState).toBe(WebSocket.OPEN);
    const newest = await open(null, last);
    const ended = Promise.all([stays, newest].map(closeCode));
    expect((await rotate(id, { overlapHours: 0 }, last)).code).toBeUndefined();
    expect(await ended).toEqual([4403, 4403]);
    expect([await statusFrom(null, renewed), await statusFrom(null, last)]).toEqual([401, 401]);
    await waitUntil(() => scene.server.hub.size + other.hub.size === 0);
  });

  it("does not outlast the token, and gives it a later end only where it is asked for", async () => {
    const { api, id } = await create({ ownerId: await machine("READER"), expiresAt: at(HOUR_MS) });
    const renewed = api.as((await rotate(id)).secret);
    scene.server.advance(2 * HOUR_MS);
    expect([await statusFrom(null, api), await statusFrom(null, renewed)]).toEqual([401, 401]);
    expect(await rotate(id)).toMatchObject({ code: "NOT_FOUND" });
    const longer = await create({ ownerId: await machine("READER"), expiresAt: at(HOUR_MS) });
    const made = await rotate(longer.id, { expiresAt: at(DAY_MS) });
    scene.server.advance(2 * HOUR_MS);
    expect([await statusFrom(null, longer.api), await statusFrom(null, api.as(made.secret))]).toEqual([200, 200]);
  });

  it("is for those who may have the secret", async () => {
    const ownerId = await machine("WRITER");
    const { id } = await create({ ownerId });
    const limited = await create({ ownerId, permissions: ["RUN_READ"] });
    expect((await rotate(limited.id, {}, limited.api)).code).toBeUndefined();
    expect(await rotate(id, {}, limited.api)).toMatchObject({ code: "FORBIDDEN" });
    expect(await rotate(limited.id, { expiresAt: at(HOUR_MS) }, limited.api)).toMatchObject({ code: "FORBIDDEN" });
    // One with less rights that may write tokens, and an administrator, who would act as a person.
    const role = await send(
      "createRole",
      { organizationId, name: `r-${randomUUID()}`, permissions: ["ORGANIZATION_READ", "MEMBER_READ", "TOKEN_WRITE"] },
      "role { id }",
    );
    const clerk = await machine("READER");
    await send("createGrant", { principalId: clerk, roleId: role.role.id, scopeId: organizationId }, "grant { id }");
    expect(await rotate(id, {}, (await create({ ownerId: clerk })).api)).toMatchObject({ code: "FORBIDDEN" });
    const person = await create({ role: "APPROVER" });
    expect(await rotate(person.id)).toMatchObject({ code: "FORBIDDEN" });
    expect((await rotate(person.id, {}, person.api)).code).toBeUndefined();
    expect(await rotate(id, {}, (await create({ role: "WRITER" })).api)).toMatchObject({ code: "FORBIDDEN" });
    expect(await rotate(ADMIN_TOKEN_ID)).toMatchObject({ code: "FORBIDDEN" });
    expect(await rotate("tok_00000000000000000000000009")).toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    ["overlapHours", { overlapHours: -1 }],
    ["overlapHours", { overlapHours: 169 }],
    ["expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
    ["expiresAt", { expiresAt: "2099-01-01T00:00:00Z" }],
  ])("is refused for its %s: %j", async (field, input) => {
    const { id } = await create({ ownerId: await machine("READER") });
    expect(await rotate(id, input)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [field] }] });
  });

  it("of three at once leaves the last two secrets", async () => {
    const { api, id } = await create({ ownerId: await machine("READER") });
    const made = await Promise.all([rotate(id), rotate(id), rotate(id)]);
    const statuses = await Promise.all(made.map(({ secret }) => statusFrom(null, api.as(secret))));
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(await statusFrom(null, api)).toBe(401);
  });
});

const update = (tokenId: string, input: object, api?: Api): Promise<Data> =>
  send("updateToken", { tokenId, ...input }, TOKEN, api);

describe("a change of a token", () => {
  it("reduces it at once, and closes the connections that could do more", async () => {
    const workspaceId = await scene.createWorkspace();
    const { api, id } = await create({ ownerId: await machine("WRITER") });
    const sees = async (): Promise<boolean> =>
      (await api.ask("query ($id: ID!) { workspace(by: { id: $id }) { id } }", { id: workspaceId })).workspace !== null;
    expect(await sees()).toBe(true);
    const socket = await open(null, createApi(other.url, api.token));
    const code = closeCode(socket);
    const name = `less-${randomUUID()}`;
    const changed = await update(id, {
      name,
      permissions: ["PROJECT_READ", "ORGANIZATION_READ"],
      expiresAt: at(DAY_MS),
    });
    expect(changed.token).toMatchObject({ id, name, permissions: ["ORGANIZATION_READ", "PROJECT_READ"] });
    expect(await read(id)).toMatchObject(changed.token);
    expect(await code).toBe(1013);
    expect(await sees()).toBe(false);

    const [here, there] = [await open(null, api), await open(OFFICE, api)];
    const codes = Promise.all([here, there].map(closeCode));
    expect((await update(id, { networks: ["203.0.113.0/24"] })).token.networks).toEqual(["203.0.113.0/24"]);
    // One of them is the first of the watch: it has ended, and the other connects again.
    expect(await codes).toEqual([4403, 4403]);
    expect([await statusFrom(null, api), await statusFrom(OFFICE, api)]).toEqual([401, 200]);
  });

  it("never gives it more than it has", async () => {
    const [one, two] = [await scene.createWorkspace(), await scene.createWorkspace()];
    const { id } = await create({
      ownerId: await machine("ADMIN"),
      permissions: ["RUN_READ"],
      scopeIds: [one],
      networks: ["10.0.0.0/8"],
      expiresAt: at(DAY_MS),
    });
    const cases: [string[], object][] = [
      [["permissions", "0"], { permissions: ["RUN_DEPLOY"] }],
      [["permissions"], { permissions: [] }],
      [["scopeIds", "1"], { scopeIds: [one, two] }],
      [["scopeIds"], { scopeIds: [] }],
      [["networks", "0"], { networks: ["0.0.0.0/0"] }],
      [["networks"], { networks: [] }],
      [["expiresAt"], { expiresAt: at(2 * DAY_MS) }],
      [["expiresAt"], { expiresAt: at(-DAY_MS) }],
      [["name"], { name: "" }],
    ];
    for (const [path, input] of cases) expect(await update(id, input)).toMatchObject({ issues: [{ path }] });
    expect((await update(id, { networks: ["10.1.0.0/16"] })).token.networks).toEqual(["10.1.0.0/16"]);
    expect(await update(id, { networks: ["10.2.0.0/16"] })).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("is for its owner and those who may write tokens there, and not of the admin token", async () => {
    const ownerId = await machine("READER");
    const { api, id } = await create({ ownerId });
    const twin = await create({ ownerId });
    expect((await update(id, { name: "mine" }, api)).code).toBeUndefined();
    expect(await update(twin.id, { name: "mine" }, api)).toMatchObject({ code: "NAME_TAKEN" });
    const stranger = await create({ ownerId: await machine("WRITER") });
    expect(await update(id, { name: "theirs" }, stranger.api)).toMatchObject({ code: "FORBIDDEN" });
    expect(await update(ADMIN_TOKEN_ID, { name: "mine" })).toMatchObject({ code: "FORBIDDEN" });
    await send("revokeToken", { tokenId: id }, "revokedId");
    expect(await update(id, { name: "late" })).toMatchObject({ code: "NOT_FOUND" });
  });
});
