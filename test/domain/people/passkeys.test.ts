/** Invitations and passkeys, with an authenticator in software. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import { PASSKEY_COMMANDS } from "../../../src/domain/sign-in/passkey-commands.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import type { Browser, OpenedSession } from "../../../src/domain/sign-in/open-session.ts";
import { createSignIns } from "../../../src/domain/sign-in/sign-ins.ts";
import { createPasskeys, type Passkeys, type Registrant } from "../../../src/domain/sign-in/passkeys.ts";
import type { Data } from "../../support/api.ts";
import { type InProcess, startInProcess } from "../../support/in-process.ts";
import { overlapping } from "../../support/overlapping.ts";
import { type Changes, SoftPasskey } from "../../support/soft-passkey.ts";

const ORIGIN = "http://localhost";
const BROWSER: Browser = { address: "192.0.2.1", userAgent: "test", formerSecret: null };

let server: InProcess;
let other: InProcess;
let passkeys: Passkeys;
let organizationId = "";
beforeAll(async () => {
  server = await startInProcess();
  other = await server.second();
  passkeys = createPasskeys(server.deps, ORIGIN);
  const { organizations } = await server.api.ask("{ organizations(first: 1) { edges { node { id } } } }");
  organizationId = organizations.edges[0].node.id;
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
afterEach(() => expect(server.reported.splice(0)).toEqual([]));

const INVITE = `mutation($input: InviteMemberInput!) { inviteMember(input: $input) {
  __typename ... on UserError { message } ... on InvalidInputError { issues { path message } }
  ... on InviteMemberSuccess { url invitation { id expiresAt email actor { id name } teams { name } } } } }`;

const invite = async (input: object = {}, api = server.api): Promise<Data> =>
  (await api.ask(INVITE, { input: { organizationId, name: "Ann", ...input } })).inviteMember;

async function invitedCode(input: object = {}): Promise<string> {
  return new URL((await invite(input)).url).hash.slice(1);
}

async function register(registrant: Registrant, key: SoftPasskey, changes?: Changes): Promise<OpenedSession | null> {
  const { challenge } = await passkeys.beginRegistration(registrant);
  return passkeys.finishRegistration(registrant, { challenge, credential: key.create(challenge, changes) }, BROWSER);
}

async function signIn(key: SoftPasskey, changes?: Changes): Promise<OpenedSession> {
  const { challenge } = await passkeys.beginSignIn();
  return passkeys.finishSignIn({ challenge, credential: key.get(challenge, changes) }, BROWSER);
}

/** A person with a passkey. */
async function person(): Promise<{ key: SoftPasskey; opened: OpenedSession }> {
  const key = new SoftPasskey(ORIGIN);
  const opened = await register({ code: await invitedCode() }, key);
  if (opened === null) throw new Error("The invitation opened no session.");
  return { key, opened };
}

describe("an invitation", () => {
  it("has a link with the code where browsers do not send it, and is listed without it", async () => {
    const made = await invite({ email: "ann@example.com" });
    expect(made.url).toMatch(/^http:\/\/localhost\/invite#hpi_[\w-]{43}$/);
    const { node } = await server.api.ask(
      "query($id: ID!) { node(id: $id) { ... on Organization { invitations { id email actor { name } expiresAt } } } }",
      { id: organizationId },
    );
    expect(node.invitations).toContainEqual({
      id: made.invitation.id,
      email: "ann@example.com",
      actor: { name: "Ann" },
      expiresAt: made.invitation.expiresAt,
    });
  });

  it("makes a member of its teams", async () => {
    const { createTeam } = await server.api.ask(
      'mutation($id: ID!) { createTeam(input: { organizationId: $id, name: "ops" }) { ... on CreateTeamSuccess { team { id } } } }',
      { id: organizationId },
    );
    const teamId = createTeam.team.id;
    const opened = await register({ code: await invitedCode({ teamIds: [teamId, teamId] }) }, new SoftPasskey(ORIGIN));
    const { node } = await server.api.ask(
      "query($id: ID!) { node(id: $id) { ... on Team { members { actor { id } source } } } }",
      { id: teamId },
    );
    expect(node.members).toEqual([{ actor: { id: opened?.actor.id }, source: "MANUAL" }]);
  });

  it.each<[object, string, string]>([
    [{ name: "" }, "name", ""],
    [{ email: "ann" }, "email", "must be an e-mail address, or absent."],
    [{ teamIds: ["team_x"] }, "teamIds.0", "must be the id of a team of the organization."],
    [{ expiresAt: "2020-01-01T00:00:00.000Z" }, "expiresAt", "must be in the future."],
    [{ expiresAt: "2999-01-01T00:00:00.000Z" }, "expiresAt", "must be within 7 days."],
  ])("with %j is refused at %s", async (input, path, message) => {
    const { issues } = await invite(input);
    expect(issues[0].path.join(".")).toBe(path);
    expect(issues[0].message).toContain(message);
  });

  it("takes MEMBER_WRITE, and itself what the teams have", async () => {
    const { createToken } = await server.api.ask(
      'mutation { createToken(input: { name: "reader", role: READER }) { ... on CreateTokenSuccess { secret } } }',
    );
    expect((await invite({}, server.api.as(createToken.secret))).__typename).toBe("ForbiddenError");
  });

  it("is accepted by one of two at the same time, on two servers", async () => {
    const registrant = { code: await invitedCode() };
    const ways = [passkeys, createPasskeys(other.deps, ORIGIN)].map(async (way) => {
      const { challenge } = await way.beginRegistration(registrant);
      return { way, answer: { challenge, credential: new SoftPasskey(ORIGIN).create(challenge) } };
    });
    const begun = await Promise.all(ways);
    const results = await Promise.allSettled(
      begun.map(({ way, answer }) => way.finishRegistration(registrant, answer, BROWSER)),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    expect(refused?.reason).toMatchObject({ name: "SignInRefused" });
  });

  it("has ended after its time", async () => {
    const expiresAt = new Date(server.deps.clock().getTime() + 60_000).toISOString();
    const code = await invitedCode({ expiresAt });
    await passkeys.beginRegistration({ code });
    server.advance(60_001);
    await expect(passkeys.beginRegistration({ code })).rejects.toThrow("The invitation is not valid any more.");
  });

  it.each([[""], ["hpi_"], ["x".repeat(10_000)], ["a\0b"]])("with the code %j is none", async (code) => {
    await expect(passkeys.beginRegistration({ code })).rejects.toThrow("The invitation is not valid any more.");
  });
});

describe("an invitation ends", () => {
  const run = (name: string, input: object): Promise<Data> =>
    server.api.ask(
      `mutation($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { done: ${name}(input: $input) { __typename } }`,
      { input },
    );

  it("by being revoked, also for who has begun", async () => {
    const { url, invitation } = await invite();
    const registrant = { code: new URL(url).hash.slice(1) };
    const { challenge } = await passkeys.beginRegistration(registrant);
    expect((await run("revokeInvitation", { invitationId: invitation.id })).done.__typename).toBe(
      "RevokeInvitationSuccess",
    );
    const answer = { challenge, credential: new SoftPasskey(ORIGIN).create(challenge) };
    await expect(passkeys.finishRegistration(registrant, answer, BROWSER)).rejects.toThrow("not valid any more");
    expect((await run("revokeInvitation", { invitationId: invitation.id })).done.__typename).toBe("NotFoundError");
  });

  it("by being accepted", async () => {
    const code = await invitedCode();
    await register({ code }, new SoftPasskey(ORIGIN));
    await expect(register({ code }, new SoftPasskey(ORIGIN))).rejects.toThrow("not valid any more");
  });

  it("with the person who was invited, and with the one who invited", async () => {
    const { url, invitation } = await invite();
    await run("disableUser", { userId: invitation.actor.id });
    const registrant = { code: new URL(url).hash.slice(1) };
    await expect(register(registrant, new SoftPasskey(ORIGIN))).rejects.toThrow("not valid any more");

    const { createToken } = await server.api.ask(
      'mutation { createToken(input: { name: "boss", role: ADMIN }) { ... on CreateTokenSuccess { secret token { actor { id } } } } }',
    );
    const kept = { code: new URL((await invite({}, server.api.as(createToken.secret))).url).hash.slice(1) };
    await passkeys.beginRegistration(kept);
    await run("disableUser", { userId: createToken.token.actor.id });
    await expect(register(kept, new SoftPasskey(ORIGIN))).rejects.toThrow("not valid any more");
  });
});

describe("a new passkey", () => {
  it.each<[string, Changes]>([
    ["another challenge", { challenge: "AAAA" }],
    ["another origin", { origin: "http://evil.localhost" }],
    ["another site", { rpId: "evil.localhost" }],
    ["no verification of the person", { verified: false }],
    ["the type of a sign-in", { type: "webauthn.get" }],
  ])("with %s is refused, and the invitation stays open", async (_name, changes) => {
    const registrant = { code: await invitedCode() };
    await expect(register(registrant, new SoftPasskey(ORIGIN), changes)).rejects.toMatchObject({
      name: "SignInRefused",
    });
    expect(await register(registrant, new SoftPasskey(ORIGIN))).not.toBeNull();
  });

  it("is asked for with ECDSA and RSA alone", async () => {
    const { options } = await passkeys.beginRegistration({ code: await invitedCode() });
    expect(options).toMatchObject({
      pubKeyCredParams: [
        { alg: -7, type: "public-key" },
        { alg: -257, type: "public-key" },
      ],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      rp: { id: "localhost" },
    });
  });

  it.each([["ES256"], ["RS256"]] as const)("with the algorithm %s signs in", async (algorithm) => {
    const key = new SoftPasskey(ORIGIN, algorithm);
    const opened = await register({ code: await invitedCode() }, key);
    expect((await signIn(key)).actor).toEqual(opened?.actor);
  });

  it("with another algorithm is refused", async () => {
    const key = new SoftPasskey(ORIGIN, "EdDSA");
    await expect(register({ code: await invitedCode() }, key)).rejects.toMatchObject({ name: "SignInRefused" });
  });

  it("is not for a person of the identity provider, which could not end it", async () => {
    const now = server.deps.clock().toISOString();
    const profile = { issuer: "https://login.example.com", subject: "ann", name: "Ann", email: null, groups: [] };
    const opened = await createSignIns(server.deps).byProvider(
      { profile, state: "state", providerSession: null, presentAt: now, adminGroup: null },
      BROWSER,
    );
    const caller = (await server.domain.authenticate(opened.secret)) ?? expect.fail("There is no session.");
    await expect(register({ caller }, new SoftPasskey(ORIGIN))).rejects.toThrow(
      "You sign in with the identity provider.",
    );
  });

  it("that is known already is refused", async () => {
    const { key } = await person();
    await expect(register({ code: await invitedCode() }, key)).rejects.toThrow("This passkey is known already.");
  });

  it.each([[null], [{}], [{ id: "a", rawId: "a", type: "public-key", response: {} }], ["text"], [[]]])(
    "that is %j is refused",
    async (credential) => {
      const registrant = { code: await invitedCode() };
      const { challenge } = await passkeys.beginRegistration(registrant);
      await expect(passkeys.finishRegistration(registrant, { challenge, credential }, BROWSER)).rejects.toMatchObject({
        name: "SignInRefused",
      });
    },
  );

  it("of a person who is signed in takes a sign-in of the last ten minutes", async () => {
    const { opened } = await person();
    const callerNow = async () => {
      const caller = await server.domain.authenticate(opened.secret);
      if (caller === null) throw new Error("The session has ended.");
      return caller;
    };
    expect(await register({ caller: await callerNow() }, new SoftPasskey(ORIGIN))).toBeNull();
    server.advance(10 * 60_000 + 1000);
    await expect(register({ caller: await callerNow() }, new SoftPasskey(ORIGIN))).rejects.toThrow(
      "Sign in again to add a passkey.",
    );
  });
});

describe("a sign-in by a passkey", () => {
  it("opens a session of its person", async () => {
    const { key, opened } = await person();
    const again = await signIn(key);
    expect(again.actor).toEqual(opened.actor);
    expect(await server.domain.authenticate(again.secret)).toMatchObject({
      credential: "SESSION",
      actor: opened.actor,
    });
  });

  it.each<[string, Changes]>([
    ["another challenge", { challenge: "AAAA" }],
    ["another origin", { origin: "http://evil.localhost" }],
    ["another site", { rpId: "evil.localhost" }],
    ["no verification of the person", { verified: false }],
    ["the type of a registration", { type: "webauthn.create" }],
    ["the signature of another key", { forged: true }],
  ])("with %s is refused", async (_name, changes) => {
    const { key } = await person();
    await expect(signIn(key, changes)).rejects.toMatchObject({ name: "SignInRefused" });
  });

  it("cannot be repeated, also not on another server", async () => {
    const { key } = await person();
    const { challenge } = await passkeys.beginSignIn();
    const answer = { challenge, credential: key.get(challenge) };
    await passkeys.finishSignIn(answer, BROWSER);
    for (const deps of [server.deps, other.deps]) {
      await expect(createPasskeys(deps, ORIGIN).finishSignIn(answer, BROWSER)).rejects.toMatchObject({
        name: "SignInRefused",
      });
    }
  });

  it("is refused once the count of signatures does not go up", async () => {
    const { key } = await person();
    await signIn(key, { counter: 5 });
    await signIn(key, { counter: 6 });
    for (const counter of [6, 5, 0]) {
      await expect(signIn(key, { counter })).rejects.toMatchObject({ name: "SignInRefused" });
    }
    await signIn(key, { counter: 7 });
  });

  it("is refused for a disabled person, a deleted passkey and one that is not known", async () => {
    const { key, opened } = await person();
    const id = opened.actor.id;
    await server.api.ask("mutation($id: ID!) { disableUser(input: { userId: $id }) { __typename } }", { id });
    await expect(signIn(key)).rejects.toThrow("You are disabled here.");
    await server.api.ask("mutation($id: ID!) { enableUser(input: { userId: $id }) { __typename } }", { id });
    await signIn(key);
    const [row] = await server.deps.database.sql
      .selectFrom("passkey")
      .select("id")
      .where("credential_id", "=", key.id)
      .execute();
    const deleted = await server.api.ask(
      "mutation($id: ID!) { deletePasskey(input: { passkeyId: $id }) { __typename } }",
      { id: row?.id },
    );
    expect(deleted.deletePasskey.__typename).toBe("DeletePasskeySuccess");
    await expect(signIn(key)).rejects.toThrow("This passkey is not known here.");
    await expect(signIn(new SoftPasskey(ORIGIN))).rejects.toThrow("This passkey is not known here.");
  });
});

describe("one's own passkeys", () => {
  const idsOf = async ({ actor }: OpenedSession): Promise<string[]> => {
    const { sql } = server.deps.database;
    const rows = await sql.selectFrom("passkey").select("id").where("actor_id", "=", actor.id).orderBy("id").execute();
    return rows.map(({ id }) => id);
  };
  const callerOf = async ({ secret }: OpenedSession) =>
    (await server.domain.authenticate(secret)) ?? expect.fail("The session has ended.");

  it("can be deleted, but for the last one", async () => {
    const { opened } = await person();
    const caller = await callerOf(opened);
    await register({ caller }, new SoftPasskey(ORIGIN));
    const [first = "", second = ""] = await idsOf(opened);
    await server.domain.deletePasskey(caller, { passkeyId: first });
    await expect(server.domain.deletePasskey(caller, { passkeyId: second })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "passkeyId: is your only way to sign in. Make another passkey first.",
    });
    expect(await idsOf(opened)).toEqual([second]);
  });

  const deletion = (caller: ActorCaller, passkeyId: string) => (deps: Deps) =>
    PASSKEY_COMMANDS.deletePasskey.run(deps, caller, { passkeyId });

  it("are not all deleted by two deletions at the same time, on two servers", async () => {
    const { opened } = await person();
    const caller = await callerOf(opened);
    await register({ caller }, new SoftPasskey(ORIGIN));
    const [first = "", second = ""] = await idsOf(opened);
    const refused = await overlapping(server.deps, deletion(caller, first), () => deletion(caller, second)(other.deps));
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "INVALID_INPUT" } });
    expect(await idsOf(opened)).toEqual([second]);
  });

  it("are deleted by one of two deletions of the same at the same time", async () => {
    const { opened } = await person();
    const caller = await callerOf(opened);
    await register({ caller }, new SoftPasskey(ORIGIN));
    const [first = "", second = ""] = await idsOf(opened);
    const refused = await overlapping(server.deps, deletion(caller, first), () => deletion(caller, first)(other.deps));
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    expect(await idsOf(opened)).toEqual([second]);
  });

  it("are hidden from others", async () => {
    const [ann, ben] = [await person(), await person()];
    const [passkeyId = ""] = await idsOf(ann.opened);
    const caller = await callerOf(ben.opened);
    for (const id of [passkeyId, "pkey_00000000000000000000000000"]) {
      await expect(server.domain.deletePasskey(caller, { passkeyId: id })).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(server.domain.renamePasskey(caller, { passkeyId: id, name: "x" })).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    }
    expect(await idsOf(ann.opened)).toEqual([passkeyId]);
  });
});

it("sessions of a person who was disabled do not come back with it", async () => {
  const { key, opened } = await person();
  const { id } = opened.actor;
  await server.api.ask("mutation($id: ID!) { disableUser(input: { userId: $id }) { __typename } }", { id });
  expect(await server.domain.authenticate(opened.secret)).toBeNull();
  await server.api.ask("mutation($id: ID!) { enableUser(input: { userId: $id }) { __typename } }", { id });
  expect(await server.domain.authenticate(opened.secret)).toBeNull();
  expect(await server.domain.authenticate((await signIn(key)).secret)).not.toBeNull();
});
