/** The callers of tokens, and the errors of their commands: each names the field and what would be right. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireOwn } from "../../../src/domain/access/attenuation.ts";
import { findCurrentCaller } from "../../../src/domain/sign-in/current-caller.ts";
import { installAdminToken, retireAdminToken } from "../../../src/domain/token/authenticate.ts";
import type { CreateTokenInput } from "../../../src/domain/token/create-token.ts";
import { ADMIN_TOKEN_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { type Permission, permissionSet } from "../../../src/model/people/permission-set.ts";
import { organizationPlace } from "../../../src/model/people/place.ts";
import { type BuiltInRole, builtInRoleId } from "../../../src/model/people/role.ts";
import type { Token } from "../../../src/model/people/token.ts";
import { announced } from "../../support/announced.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const HOUR_MS = 60 * 60 * 1000;
const PAGE = { limit: 50, direction: "forward", after: null, before: null } as const;
const NOTHING = { role: null, ownerId: null, permissions: null, scopeIds: null, expiresAt: null, networks: null };

let scene: Scene;
let admin: ActorCaller;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  admin = await callerOf(scene.api.token);
});
afterAll(() => scene[Symbol.asyncDispose]());

const at = (ms: number): string => new Date(scene.server.deps.clock().getTime() + ms).toISOString();
const authenticate = (secret: string, address: string | null = null) =>
  scene.server.domain.authenticate(secret, () => address);
async function callerOf(secret: string, address: string | null = null): Promise<ActorCaller> {
  return (await authenticate(secret, address)) ?? expect.fail("The token is not known.");
}

const create = (input: Partial<CreateTokenInput>, by: ActorCaller = admin) =>
  scene.server.domain.createToken(by, { ...NOTHING, name: `t-${randomUUID()}`, actor: "MACHINE", ...input });
const update = (tokenId: string, input: object, by: ActorCaller = admin) =>
  scene.server.domain.updateToken(by, {
    tokenId,
    name: null,
    permissions: null,
    scopeIds: null,
    networks: null,
    expiresAt: null,
    ...input,
  });
const rotate = (tokenId: string, input: object = {}, by: ActorCaller = admin) =>
  scene.server.domain.rotateToken(by, { tokenId, overlapHours: null, expiresAt: null, ...input });
const revoke = (tokenId: string, by: ActorCaller = admin) => scene.server.domain.revokeToken(by, { tokenId });

/** The code and the text of an error; "accepted" without one. */
const refusal = (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => "accepted",
    ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
  );

async function grant(principalId: string, role: BuiltInRole, more: object = {}): Promise<void> {
  const input = { principalId, roleId: builtInRoleId(role), scopeId: organizationId, ...more };
  const query = "mutation ($input: CreateGrantInput!) { createGrant(input: $input) { __typename } }";
  expect((await scene.api.ask(query, { input })).createGrant.__typename).toBe("CreateGrantSuccess");
}

async function machine(role: BuiltInRole | null = null): Promise<string> {
  const query = `mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) {
    ... on CreateServiceAccountSuccess { actor { id } } } }`;
  const input = { organizationId, name: `m-${randomUUID()}` };
  const { id } = (await scene.api.ask(query, { input })).createServiceAccount.actor;
  if (role !== null) await grant(id, role);
  return id;
}

describe("the caller of a token", () => {
  it("has nothing that the token has not", async () => {
    const kept = { type: "actor", credential: "TOKEN", rights: expect.anything(), accessVersion: expect.anything() };
    const own = { id: admin.actor.id, kind: admin.actor.kind, name: admin.actor.name };
    expect(admin).toEqual({ ...kept, credentialId: ADMIN_TOKEN_ID, actor: own });
    const ownerId = await machine("READER");
    const expiresAt = at(HOUR_MS);
    const { token, secret } = await create({ ownerId, expiresAt });
    const caller = { ...kept, credentialId: token.id, actor: token.actor, expiresAt };
    expect(await callerOf(secret)).toStrictEqual(caller);
    expect(await findCurrentCaller(scene.server.deps, await callerOf(secret))).toStrictEqual(caller);
  });

  it("has its networks, the person behind it, its sponsor, and the end of its rights", async () => {
    const networks = ["203.0.113.0/24"];
    const { token, secret } = await create({ actor: "USER", role: "READER", networks });
    const [rightsUntil, until] = [at(HOUR_MS), at(2 * HOUR_MS)];
    await grant(token.actor.id, "WRITER", { expiresAt: rightsUntil });
    const people = "update actor set identified_by = 'PASSKEY', sponsor_id = $2, sponsored_until = $3 where id = $1";
    await scene.rows(people, token.actor.id, admin.actor.id, until);
    const sponsor = { actorId: admin.actor.id, until };
    expect(await callerOf(secret, "203.0.113.9")).toMatchObject({
      credentialId: token.id,
      networks,
      identifiedBy: "PASSKEY",
      sponsor,
      rightsUntil,
      expiresAt: token.expiresAt,
    });
    expect(await authenticate(secret)).toBeNull();
    expect(await authenticate(secret, "203.0.114.9")).toBeNull();
  });

  it("is looked up again, with the rights of that time", async () => {
    const { token, secret } = await create({ role: "READER" });
    const key = { credential: "TOKEN", credentialId: token.id } as const;
    expect(await findCurrentCaller(scene.server.deps, key)).toEqual(await callerOf(secret));
    await revoke(token.id);
    expect(await findCurrentCaller(scene.server.deps, key)).toBeNull();
  });
});

describe("the installation's own token", () => {
  it("may have up to 512 characters, and at least one", async () => {
    const { deps, api } = scene.server;
    try {
      for (const [secret, isKnown] of [
        ["s".repeat(512), true],
        ["s".repeat(513), false],
        ["", false],
        ["s", true],
      ] as const) {
        await installAdminToken(deps, secret);
        expect([secret.length, (await authenticate(secret)) !== null]).toEqual([secret.length, isKnown]);
      }
    } finally {
      await installAdminToken(deps, api.token);
    }
  });

  it("announces its end: its connections close on every server", async () => {
    const { deps, api } = scene.server;
    const topic = `token:${ADMIN_TOKEN_ID}`;
    expect(await announced(scene.server, () => installAdminToken(deps, "another"))).toContain(topic);
    const withSite = { ...deps, publicUrl: "https://holdpoint.example.com" };
    const settings = { hasProvider: true, hasGroup: true };
    await expect(retireAdminToken({ ...deps, publicUrl: null }, settings)).rejects.toThrow(
      /^HOLDPOINT_ADMIN_TOKEN is off, but no other .* role ADMIN on the installation to a person .* HOLDPOINT_OIDC_ADMIN_GROUP\.$/,
    );
    expect(await announced(scene.server, () => retireAdminToken(withSite, settings))).toContain(topic);
    await installAdminToken(deps, api.token);
    expect(await authenticate(api.token)).not.toBeNull();
  });

  it("is changed by the configuration alone", async () => {
    const text = (verb: string): string =>
      `FORBIDDEN The installation's own admin token cannot be ${verb}. Replace it with HOLDPOINT_ADMIN_TOKEN at the next start.`;
    expect(await refusal(revoke(ADMIN_TOKEN_ID))).toBe(text("revoked"));
    expect(await refusal(rotate(ADMIN_TOKEN_ID))).toBe(text("rotated"));
    expect(await refusal(update(ADMIN_TOKEN_ID, { name: "x" }))).toBe(text("changed"));
    expect(await refusal(update(ADMIN_TOKEN_ID, { expiresAt: at(HOUR_MS) }))).toBe(text("changed"));
  });
});

it("the use of a token is noted once a minute, with its address", async () => {
  const { token, secret } = await create({ role: "READER" });
  const used = async () => {
    const [one] = await scene.server.domain.tokens(admin, [token.id]);
    return [one?.lastUsedAt, one?.lastUsedFrom];
  };
  const first = at(0);
  await callerOf(secret, "203.0.113.7");
  scene.server.advance(60_000);
  await callerOf(secret, "203.0.113.8");
  expect(await used()).toEqual([first, "203.0.113.7"]);
  scene.server.advance(1);
  await callerOf(secret, "203.0.113.9");
  expect(await used()).toEqual([at(0), "203.0.113.9"]);
});

const NAME = "name: must have 1 to 90 characters, without white space around them.";
const LABEL = "name: must have 1 to 90 characters on one line.";
const SCOPES = "scopeIds: must be 1 to 100, or absent.";
const UNSEEN = "must be the id of an organization, a project or a workspace that you may read.";
const ABSENT_TOKEN = "NOT_FOUND The token does not exist, or you may not read it.";

describe("a token with a role", () => {
  it("makes a person or a machine user, of the name of the token", async () => {
    const { token } = await create({ role: "READER", name: "n".repeat(90) });
    expect(token.actor).toEqual({ id: expect.stringMatching(/^mch_/), kind: "MACHINE", name: "n".repeat(90) });
    const person = await create({ role: "READER", actor: "USER" });
    expect(person.token.actor).toMatchObject({ id: expect.stringMatching(/^usr_/), kind: "USER" });
  });

  it("is refused with its field and what would be right", async () => {
    const one = (input: Partial<CreateTokenInput>) => refusal(create({ role: "READER", ...input }));
    for (const name of ["", "a ", " a", "a\tb", "n".repeat(91)]) {
      expect(await one({ name })).toBe(`INVALID_INPUT ${NAME}`);
    }
    expect(await one({ actor: "SYSTEM" })).toBe("INVALID_INPUT actor: must be USER or MACHINE.");
    const either =
      "INVALID_INPUT ownerId: must be given with permissions and scopeIds, or role instead of all three: role makes a new actor.";
    expect(await one({ ownerId: admin.actor.id })).toBe(either);
    expect(await one({ permissions: ["RUN_READ"] })).toBe(either);
    expect(await one({ scopeIds: [organizationId] })).toBe(either);
    expect(await one({ role: null })).toBe(either);
    const { token } = await create({ role: "READER" });
    const taken = `NAME_TAKEN A token "${token.name}" already exists. Revoke it, or choose another name.`;
    expect(await one({ name: token.name })).toBe(taken);
    const other = await create({ role: "READER" });
    expect(await refusal(update(other.token.id, { name: token.name }))).toBe(taken);
  });
});

describe("a token of an owner", () => {
  it("is for machine users and for oneself, not for another person", async () => {
    const ann = await create({ role: "READER", actor: "USER" });
    const self = ann.token.actor.id;
    const caller = await callerOf(ann.secret);
    const other = "FORBIDDEN A token is made for oneself or for a machine user, not for another person.";
    expect(await refusal(create({ ownerId: self }))).toBe(other);
    const own = await create({ ownerId: self }, caller);
    expect(own.token).toMatchObject({ actor: { id: self }, role: null, permissions: null, scopeIds: null });
    expect((await scene.server.domain.ownTokens(caller)).map(({ id }) => id)).toEqual([own.token.id, ann.token.id]);
    const absent = "INVALID_INPUT ownerId: must be your own id, or that of a machine user that you may read.";
    const nobody = ["usr_00000000000000000000000009", "mch_00000000000000000000000009", organizationId, "", "a\0b"];
    for (const ownerId of nobody) expect(await refusal(create({ ownerId }))).toBe(absent);
  });

  it("is refused with its field and what would be right", async () => {
    const ownerId = await machine("READER");
    const one = (input: Partial<CreateTokenInput>) => refusal(create({ ownerId, ...input }));
    expect(await one({ name: "" })).toBe(`INVALID_INPUT ${LABEL}`);
    expect(await one({ permissions: [] })).toBe("INVALID_INPUT permissions: must have at least one, or be absent.");
    expect(await one({ scopeIds: [] })).toBe(`INVALID_INPUT ${SCOPES}`);
    expect(await one({ scopeIds: Array.from({ length: 101 }, () => organizationId) })).toBe(`INVALID_INPUT ${SCOPES}`);
    expect(await one({ scopeIds: Array.from({ length: 100 }, () => organizationId) })).toBe("accepted");
    const absent = "ws_00000000000000000000000009";
    for (const id of [absent, "", "a\0b", ownerId]) {
      expect(await one({ scopeIds: [organizationId, id] })).toBe(`INVALID_INPUT scopeIds.1: ${UNSEEN}`);
    }
    const { token } = await create({ ownerId });
    const taken = `NAME_TAKEN The owner already has a token "${token.name}". Revoke it, or choose another name.`;
    expect(await one({ name: token.name })).toBe(taken);
  });

  it("is reduced to an organization, a project or a workspace that the caller sees", async () => {
    const ownerId = await machine("ADMIN");
    const workspaceId = await scene.createWorkspace();
    const [{ project }] = await scene.rows("select project_id as project from workspace where id = $1", workspaceId);
    for (const id of [organizationId, project, workspaceId]) {
      const { token } = await create({ ownerId, scopeIds: [id], permissions: ["RUN_READ", "WORKSPACE_READ"] });
      expect(token).toMatchObject({ scopeIds: [id], permissions: permissionSet(["RUN_READ", "WORKSPACE_READ"]) });
    }
    const { secret } = await create({ ownerId: await machine() });
    const stranger = await callerOf(secret);
    for (const id of [organizationId, project, workspaceId]) {
      const sent = create({ ownerId: stranger.actor.id, scopeIds: [id] }, stranger);
      expect(await refusal(sent)).toBe(`INVALID_INPUT scopeIds.0: ${UNSEEN}`);
    }
  });

  it("is made with all rights of its owner, and not with a token that was exchanged", async () => {
    const [reader, writer] = [await machine("READER"), await machine("WRITER")];
    const [one, two] = [await create({ ownerId: reader }), await create({ ownerId: writer })];
    // Under one version of the rights: those of one owner are never those of the other.
    for (const [ownerId, { secret }] of [[reader, one] as const, [writer, two] as const]) {
      expect(await refusal(create({ ownerId }, await callerOf(secret)))).toBe("accepted");
    }
    const rule = `insert into trust_rule (id, actor_id, issuer, audience, subject, claims, max_seconds, created_at)
      values ('trr_1', $1, 'https://ci.example.com', 'a', 's', '{}', 600, now())`;
    await scene.rows(rule, reader);
    await scene.rows("update token set trust_rule_id = 'trr_1' where id = $1", one.token.id);
    const exchanged = await callerOf(one.secret);
    const cannot = (doing: string): string =>
      `FORBIDDEN A token that was exchanged for another cannot ${doing}: it ends with its trust rule.`;
    expect(await refusal(create({ ownerId: reader }, exchanged))).toBe(cannot("create tokens"));
    const later = rotate(one.token.id, { expiresAt: at(HOUR_MS) }, exchanged);
    expect(await refusal(later)).toBe(cannot("rotate other tokens, or give itself a later end"));
  });
});

describe("a change of a token", () => {
  it("is refused with its field and what would be right", async () => {
    const workspaceId = await scene.createWorkspace();
    const expiresAt = at(HOUR_MS);
    const limits = { permissions: ["RUN_READ"] as const, scopeIds: [workspaceId], networks: ["10.0.0.0/8"], expiresAt };
    const { token } = await create({ ownerId: await machine("ADMIN"), ...limits });
    const one = (input: object) => refusal(update(token.id, input));
    const cases: [object, string][] = [
      [{ name: "" }, LABEL],
      [{ name: "n".repeat(91) }, LABEL],
      [{ permissions: [] }, "permissions: must have at least one, or be absent."],
      [{ permissions: ["RUN_READ", "RUN_DEPLOY"] }, "permissions.1: must be one that the token has."],
      [{ scopeIds: [] }, SCOPES],
      [{ scopeIds: [workspaceId, organizationId] }, "scopeIds.1: must be one that the token has."],
      [
        { networks: ["0.0.0.0/0"] },
        expect.stringMatching(/^INVALID_INPUT networks\.0: must be within the networks of the token: /) as never,
      ],
      [{ expiresAt: at(0) }, "expiresAt: must be in the future."],
      [{ expiresAt: at(HOUR_MS + 1) }, `expiresAt: must not be after ${expiresAt}. Rotate the token for a later end.`],
    ];
    for (const [input, text] of cases) {
      expect(await one(input)).toEqual(typeof text === "string" ? `INVALID_INPUT ${text}` : text);
    }
    expect(await one({ expiresAt })).toBe("accepted");
    expect(await update(token.id, { expiresAt: at(1), scopeIds: [workspaceId] })).toEqual({
      ...token,
      expiresAt: at(1),
    });
  });

  it("keeps what is not named, and frees a token of no limit", async () => {
    const { token } = await create({ ownerId: await machine("ADMIN") });
    expect(await update(token.id, { name: "only-named" })).toEqual({ ...token, name: "only-named" });
    const changed = { permissions: permissionSet(["RUN_READ"]), scopeIds: [organizationId] };
    const input = { permissions: ["RUN_READ"], scopeIds: [organizationId] };
    const reduced: Token = await update(token.id, input);
    expect(reduced).toEqual({ ...token, name: "only-named", ...changed });
    expect((await scene.server.domain.tokens(admin, [token.id]))[0]).toMatchObject(reduced);
    expect(await update(token.id, { networks: ["10.0.0.0/8"] })).toEqual({ ...reduced, networks: ["10.0.0.0/8"] });
  });

  it("announces it, as a rotation and a revocation do", async () => {
    const { token } = await create({ ownerId: await machine("READER") });
    const topic = `token:${token.id}`;
    for (const step of [() => update(token.id, { name: "x" }), () => rotate(token.id), () => revoke(token.id)]) {
      expect(await announced(scene.server, step)).toContain(topic);
    }
    for (const step of [() => update(token.id, { name: "y" }), () => rotate(token.id), () => revoke(token.id)]) {
      expect(await refusal(step())).toBe(ABSENT_TOKEN);
    }
    for (const tokenId of ["tok_00000000000000000000000009", organizationId, "", "a\0b"]) {
      expect(await refusal(revoke(tokenId))).toBe(ABSENT_TOKEN);
    }
  });
});

it("a command about the token of another is refused by its name", async () => {
  const { token } = await create({ ownerId: await machine("READER") });
  const reader = await callerOf((await create({ ownerId: await machine("READER") })).secret);
  const needs = (action: string) => expect.stringContaining(`FORBIDDEN Your rights do not allow ${action} here.`);
  expect(await refusal(revoke(token.id, reader))).toEqual(needs("revoking tokens"));
  expect(await refusal(rotate(token.id, {}, reader))).toEqual(needs("rotating tokens of machine users"));
  expect(await refusal(update(token.id, { name: "x" }, reader))).toEqual(needs("changing tokens of machine users"));
});

describe("the rotation of a token", () => {
  it("leaves the former secret 0 to 168 hours, a day unless another is asked for", async () => {
    const { token, secret } = await create({ ownerId: await machine("READER") });
    const text = "INVALID_INPUT overlapHours: must be 0 to 168. With 0 the former secret ends at once.";
    for (const overlapHours of [-1, 169]) expect(await refusal(rotate(token.id, { overlapHours }))).toBe(text);
    const until = async (overlapHours: number | null) => {
      await rotate(token.id, { overlapHours });
      return (await scene.rows("select former_until as until from token where id = $1", token.id))[0].until;
    };
    expect(new Date(await until(168)).toISOString()).toBe(at(168 * HOUR_MS));
    expect(new Date(await until(null)).toISOString()).toBe(at(24 * HOUR_MS));
    expect(new Date(await until(1)).toISOString()).toBe(at(HOUR_MS));
    expect(await until(0)).toBeNull();
    expect(await authenticate(secret)).toBeNull();
    const made = await rotate(token.id);
    expect(made.token).toEqual({ ...token, rotatedAt: at(0) });
    expect((await rotate(token.id, { expiresAt: at(HOUR_MS) })).token.expiresAt).toBe(at(HOUR_MS));
  });

  it("is for those who may have the secret", async () => {
    const person = await create({ role: "ADMIN", actor: "USER" });
    expect(await refusal(rotate(person.token.id))).toBe(
      "FORBIDDEN A token of another person is not rotated. Revoke it instead.",
    );
    const bound = await create({ role: "ADMIN", networks: ["10.0.0.0/8"] });
    const within = await callerOf(bound.secret, "10.0.0.1");
    const ownerId = await machine("READER");
    const [free, narrow] = [await create({ ownerId }), await create({ ownerId, networks: ["10.1.0.0/16"] })];
    expect(await refusal(rotate(free.token.id, {}, within))).toBe(
      "FORBIDDEN Your token is bound to networks, and this one may be used from others.",
    );
    expect(await refusal(rotate(narrow.token.id, {}, within))).toBe("accepted");
    const limited = await create({ ownerId, permissions: ["RUN_READ"] });
    const caller = await callerOf(limited.secret);
    const more =
      "FORBIDDEN A token that is limited cannot rotate other tokens, or give itself a later end. Use one with all of your rights.";
    expect(await refusal(rotate(free.token.id, {}, caller))).toBe(more);
    expect(await refusal(rotate(limited.token.id, { expiresAt: at(HOUR_MS) }, caller))).toBe(more);
    expect(await refusal(rotate(limited.token.id, {}, caller))).toBe("accepted");
  });
});

describe("the tokens of an organization", () => {
  it("are for its administrators, those of others for the installation's", async () => {
    const ownerId = await machine("ADMIN");
    const { token, secret } = await create({ ownerId });
    const elsewhere = await create({ role: "READER" });
    const caller = await callerOf(secret);
    const { domain } = scene.server;
    const list = async (by: ActorCaller, of: string | null) => {
      const { items } = await domain.listTokens(by, { revoked: null, organizationId: of }, PAGE);
      return items.map(({ id }) => id);
    };
    expect(await list(caller, organizationId)).toContain(token.id);
    expect(await list(caller, organizationId)).not.toContain(elsewhere.token.id);
    expect(await list(caller, null)).toEqual([]);
    expect(await list(admin, null)).toContain(elsewhere.token.id);
    const ids = [token.id, elsewhere.token.id];
    expect((await domain.tokens(caller, ids)).map((one) => one?.id ?? null)).toEqual([token.id, null]);
    const reader = await callerOf((await create({ ownerId: await machine("READER") })).secret);
    expect(await domain.tokens(reader, ids)).toEqual([null, null]);
    expect(await list(reader, organizationId)).toEqual([]);
    expect(await domain.actors([])).toEqual([]);
    expect(await domain.actors([ownerId])).toMatchObject([{ id: ownerId }]);
  });
});

it("an error names up to five permissions that the caller cannot give", async () => {
  const { secret } = await create({ ownerId: await machine("READER") });
  const caller = await callerOf(secret);
  const five: Permission[] = ["RUN_DEPLOY", "MEMBER_WRITE", "TOKEN_WRITE", "ROLE_WRITE", "GRANT_WRITE"];
  const give = (permissions: Permission[]) =>
    refusal(
      scene.server.deps.database.transaction((tx) =>
        requireOwn(
          tx,
          scene.server.deps,
          caller,
          permissionSet(permissions),
          organizationPlace({ id: organizationId }),
        ),
      ),
    );
  const text = /^FORBIDDEN You cannot give permissions that you do not have here: [A-Z_]+(?:, [A-Z_]+){4}/;
  expect(await give(["RUN_READ"])).toBe("accepted");
  expect(await give([...five, "RUN_READ"])).toMatch(new RegExp(`${text.source}\\.$`));
  expect(await give([...five, "PROJECT_WRITE"])).toMatch(new RegExp(`${text.source}, and 1 more\\.$`));
});
