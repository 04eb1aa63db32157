/** What a session of a token may do to the credentials of its owner: as much as the token with its header. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSignIns } from "../../../src/domain/sign-in/sign-ins.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { openScene, type Scene } from "../../domain/scene.ts";
import type { Data } from "../../support/api.ts";
import { invited, must, SITE } from "../../support/people-steps.ts";

const BROWSER = { address: null, userAgent: null, formerSecret: null };
const LIMITED = { code: "FORBIDDEN", message: expect.stringContaining("A token that is limited cannot") };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true, signIn: { origin: SITE, oidc: null } });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

type Ask = (name: string, input: object) => Promise<Data>;

async function send(headers: Record<string, string>, name: string, input: object): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const answer = await fetch(`${scene.server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      query: `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename ... on UserError { code message } } }`,
      variables: { input },
    }),
  });
  return (await answer.json()).data[name];
}

/** A person with a passkey and a session, and a token of it by both of its ways. */
async function person(input: object = {}) {
  const owner = await invited(scene, scene.api, "WRITER");
  const make = async (name: string, more: object = {}) =>
    must(owner, "createToken", { ownerId: owner.id, name, ...more }, "secret token { id }");
  const made = await make("own", input);
  const twin = await make("twin");
  const opened = await createSignIns(scene.server.deps).byToken(made.secret, BROWSER);
  const bearer: Ask = (command, given) => send({ authorization: `Bearer ${made.secret}` }, command, given);
  const cookie: Ask = (command, given) => send({ cookie: `holdpoint=${opened.secret}`, origin: SITE }, command, given);
  const [session] = await scene.rows("select id from session where actor_id = $1 and token_id is null", owner.id);
  const [ownSession] = await scene.rows("select id from session where token_id = $1", made.token.id);
  const [passkey] = await scene.rows("select id from passkey where actor_id = $1", owner.id);
  const ids = { person: owner.id, own: made.token.id, twin: twin.token.id };
  return {
    owner,
    ids: { ...ids, session: session["id"], ownSession: ownSession["id"], passkey: passkey["id"] },
    ways: { bearer, cookie },
  };
}

describe.each(["bearer", "cookie"] as const)("by its %s a token that is limited", (way) => {
  it("changes no other session, token or passkey of its owner", async () => {
    const { ids, ways } = await person({ permissions: ["RUN_READ"] });
    const ask = ways[way];
    const commands: [string, object][] = [
      ["revokeToken", { tokenId: ids.twin }],
      ["updateToken", { tokenId: ids.twin, permissions: ["RUN_READ"] }],
      ["rotateToken", { tokenId: ids.twin }],
      ["revokeSession", { sessionId: ids.session }],
      ["revokeSessions", { userId: ids.person }],
      ["createToken", { ownerId: ids.person, name: "another" }],
      ["renamePasskey", { passkeyId: ids.passkey, name: "mine" }],
      ["deletePasskey", { passkeyId: ids.passkey }],
    ];
    for (const [name, input] of commands) expect(await ask(name, input), name).toMatchObject(LIMITED);
  });

  it("changes itself, and ends itself", async () => {
    const { ids, ways } = await person({ permissions: ["RUN_READ", "WORKSPACE_READ"] });
    const ask = ways[way];
    expect(await ask("updateToken", { tokenId: ids.own, permissions: ["RUN_READ"] })).toEqual({
      __typename: "UpdateTokenSuccess",
    });
    expect(await ask("revokeToken", { tokenId: ids.own })).toEqual({ __typename: "RevokeTokenSuccess" });
  });

  it("rotates itself, and gives itself no later end", async () => {
    const { ids, ways } = await person({ permissions: ["RUN_READ"] });
    const ask = ways[way];
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 1000).toISOString();
    expect(await ask("rotateToken", { tokenId: ids.own, expiresAt })).toMatchObject(LIMITED);
    expect(await ask("rotateToken", { tokenId: ids.own })).toEqual({ __typename: "RotateTokenSuccess" });
  });
});

it.each(["bearer", "cookie"] as const)(
  "by its %s a token with all rights ends other sessions and tokens",
  async (way) => {
    const { ids, ways } = await person();
    const ask = ways[way];
    expect(await ask("revokeToken", { tokenId: ids.twin })).toEqual({ __typename: "RevokeTokenSuccess" });
    expect(await ask("revokeSession", { sessionId: ids.session })).toEqual({ __typename: "RevokeSessionSuccess" });
  },
);

it("a limited token ends its own session", async () => {
  const { ids, ways } = await person({ permissions: ["RUN_READ"] });
  expect(await ways.cookie("revokeSession", { sessionId: ids.ownSession })).toEqual({
    __typename: "RevokeSessionSuccess",
  });
});

it("explains what the token takes away, also in its session", async () => {
  const { ids, owner } = await person({ permissions: ["RUN_READ"] });
  const { secret } = await must(
    owner,
    "createToken",
    { ownerId: ids.person, name: "more", permissions: ["RUN_READ"] },
    "secret",
  );
  const opened = await createSignIns(scene.server.deps).byToken(secret, BROWSER);
  const of = async (text: string) => scene.server.domain.authenticate(text, () => null);
  const [token, session] = [await of(secret), await of(opened.secret)];
  if (token === null || session === null) return expect.fail("They are valid.");
  const asked = { permission: "RUN_DEPLOY", scopeId: DEFAULT_ORGANIZATION_ID, actorId: ids.person } as const;
  const explained = await scene.server.domain.explainAccess(token, asked);
  expect(JSON.stringify(explained)).toContain("The token is limited to permissions without RUN_DEPLOY.");
  expect(await scene.server.domain.explainAccess(session, asked)).toEqual(explained);
});
