/** Invitations and passkeys, with an authenticator in software. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Browser, OpenedSession } from "../../../src/domain/sign-in/open-session.ts";
import { createPasskeys, type Passkeys, type Registrant } from "../../../src/domain/sign-in/passkeys.ts";
import type { Data } from "../../support/api.ts";
import { type InProcess, startInProcess } from "../../support/in-process.ts";
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
