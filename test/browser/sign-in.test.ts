/** People in a real browser: the provider, invitations, passkeys, and signing in again. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Data } from "../support/api.ts";
import { openSignInScene, SITE, type SignInScene } from "../support/sign-in.ts";
import { addAuthenticator, openContext, startChromium } from "./chromium.ts";

const WHO = "{ viewer { credential actor { id name } } }";

let scene: SignInScene;
let chromium: Browser;
beforeAll(async () => {
  scene = await openSignInScene({ adminGroup: "platform" });
  chromium = await startChromium({
    [new URL(SITE).hostname]: new URL(scene.server.url).host,
  });
});
afterAll(async () => {
  await chromium.close();
  await scene[Symbol.asyncDispose]();
});

let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await openContext(chromium);
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expect(scene.server.reported.splice(0)).toEqual([]);
  scene.refusals.length = 0;
});

/** Sends an operation from the page that is open. */
function ask(query: string, on: Page = page): Promise<Data> {
  return on.evaluate(async (text) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query: text }) });
    return answer.json();
  }, query);
}

async function signInByProvider(name: string, claims: Record<string, unknown> = {}): Promise<void> {
  scene.provider.people.set(name, { name, ...claims });
  await page.goto(`${SITE}/auth/login`);
  await page.click("text=Sign in with localhost");
  await page.fill('input[name="login"]', name);
  await page.fill('input[name="password"]', "any");
  await page.click('button[type="submit"]');
  await page.waitForURL(`${SITE}/graphql`);
}

describe("the identity provider", () => {
  it("signs a person in, and GraphiQL works with the session", async () => {
    await signInByProvider("ann");
    expect((await ask(WHO)).data?.viewer).toMatchObject({ credential: "SESSION", actor: { name: "ann" } });
    expect(await page.evaluate(() => document.cookie)).toBe("");
    // GraphiQL fetched the schema, and executes what is in its editor.
    const executed = page.waitForResponse(
      (response) => response.url() === `${SITE}/graphql` && response.request().postData()?.includes("Welcome") === true,
    );
    await page.click(".graphiql-execute-button");
    expect(await (await executed).json()).toMatchObject({ data: { viewer: { actor: { name: "ann" } } } });
    await page.waitForSelector("text=Sign in", { state: "detached" });
  });
});

/** Invites a person, and gives the link. */
async function invite(name: string): Promise<string> {
  const { organizations } = await scene.server.api.ask("{ organizations(first: 1) { edges { node { id } } } }");
  const id = organizations.edges[0].node.id;
  const { inviteMember } = await scene.server.api.ask(
    "mutation($id: ID!, $name: String!) { inviteMember(input: { organizationId: $id, name: $name }) { ... on InviteMemberSuccess { url } } }",
    { id, name },
  );
  return inviteMember.url;
}

describe("an invitation", () => {
  it("makes a passkey, by which the person signs in again", async () => {
    const url = await invite("Ben");
    await addAuthenticator(context, page);
    await page.goto(url);
    await page.click("#passkey");
    await page.waitForURL(`${SITE}/graphql`);
    const made = (await ask(WHO)).data?.viewer;
    expect(made).toMatchObject({ credential: "SESSION", actor: { name: "Ben" } });
    expect([-7, -257]).toContain(await algorithmOfLastPasskey());

    await page.evaluate(() => fetch("/auth/logout", { method: "POST" }));
    expect((await ask(WHO)).data).toBeUndefined();
    await page.goto(`${SITE}/auth/login?return=%2Fgraphql%3Fa%3Db`);
    await page.click("#passkey");
    await page.waitForURL(`${SITE}/graphql?a=b`);
    expect((await ask(WHO)).data?.viewer).toEqual(made);
  });

  it("is good once", async () => {
    const url = await invite("Cleo");
    await addAuthenticator(context, page);
    await page.goto(url);
    await page.click("#passkey");
    await page.waitForURL(`${SITE}/graphql`);
    const other = await openContext(chromium);
    const second = await other.newPage();
    await addAuthenticator(other, second);
    await second.goto(url);
    await second.click("#passkey");
    await second.waitForSelector("text=The invitation is not valid any more.");
    expect((await ask(WHO, second)).data).toBeUndefined();
    await other.close();
  });

  it("that was revoked makes nothing", async () => {
    const url = await invite("Dan");
    const { organizations } = await scene.server.api.ask(
      "{ organizations(first: 1) { edges { node { invitations { id actor { name } } } } } }",
    );
    const { id } = organizations.edges[0].node.invitations.find(
      (one: { actor: { name: string } }) => one.actor.name === "Dan",
    );
    await scene.server.api.ask("mutation($id: ID!) { revokeInvitation(input: { invitationId: $id }) { __typename } }", {
      id,
    });
    await addAuthenticator(context, page);
    await page.goto(url);
    await page.click("#passkey");
    await page.waitForSelector("text=The invitation is not valid any more.");
  });
});

describe("a passkey", () => {
  async function withPasskey(name: string) {
    const url = await invite(name);
    const authenticator = await addAuthenticator(context, page);
    await page.goto(url);
    await page.click("#passkey");
    await page.waitForURL(`${SITE}/graphql`);
    return authenticator;
  }

  it("that was copied is not accepted", async () => {
    const authenticator = await withPasskey("Eve");
    for (const url of ["/graphql?a", "/graphql?b"]) {
      await page.goto(`${SITE}/auth/login?return=${encodeURIComponent(url)}`);
      await page.click("#passkey");
      await page.waitForURL(`${SITE}${url}`);
    }
    await authenticator.copied(0);
    await page.goto(`${SITE}/auth/login`);
    await page.click("#passkey");
    await page.waitForSelector("#problem:not(:empty)");
    expect(scene.refusals).toHaveLength(1);
  });

  it("of a person whom the authenticator did not verify is not accepted", async () => {
    const authenticator = await withPasskey("Fay");
    await authenticator.verifies(false);
    await page.goto(`${SITE}/auth/login`);
    await page.click("#passkey");
    await page.waitForSelector("#problem:not(:empty)");
    expect(page.url()).toBe(`${SITE}/auth/login`);
  });

  it("can be made beside another by a person who is present", async () => {
    await withPasskey("Gus");
    const other = await context.newPage();
    await page.close();
    await addAuthenticator(context, other);
    await other.goto(`${SITE}/auth/passkey`);
    await other.click("#passkey");
    await other.waitForURL(`${SITE}/graphql`);
    const { data } = await ask("{ viewer { passkeys { name } } }", other);
    expect(data.viewer.passkeys).toHaveLength(2);
  });
});

/** The algorithm in the COSE key of a passkey: a map, in which 3 has it. */
async function algorithmOfLastPasskey(): Promise<number> {
  const { sql } = scene.server.deps.database;
  const { public_key: key } = await sql
    .selectFrom("passkey")
    .select("public_key")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const at = key.indexOf(3, 1) + 1;
  // Negative numbers of CBOR: -7 takes one byte, -257 three.
  return key[at] === 0x39 ? -1 - key.readUInt16BE(at + 1) : 0x1f - (key[at] ?? 0);
}

describe("a person whose sign-in is older than ten minutes", () => {
  const DISABLE =
    'mutation { disableUser(input: { userId: "usr_00000000000000000000000099" }) { __typename ... on ReauthenticationRequiredError { url methods } } }';

  it("signs in again at the provider, and the session gets a new secret", async () => {
    await signInByProvider("present", { groups: ["platform"] });
    // Not by the clock of this server: that of the provider would be behind.
    const before = new Date(Date.now() - 11 * 60_000).toISOString();
    await scene.server.deps.database.sql.updateTable("session").set({ present_at: before }).execute();
    const { disableUser: asked } = (await ask(DISABLE)).data;
    expect(asked).toEqual({
      __typename: "ReauthenticationRequiredError",
      url: `${SITE}/auth/login?fresh=1`,
      methods: ["OIDC"],
    });
    const secret = async () => (await context.cookies(SITE)).find(({ name }) => name === "holdpoint")?.value;
    const former = await secret();
    await page.goto(`${asked.url}&return=%2Fgraphql%3Fback`);
    await page.click("text=Sign in with localhost");
    // The provider knows the person, and asks all the same.
    await page.fill('input[name="login"]', "present");
    await page.fill('input[name="password"]', "any");
    await page.click('button[type="submit"]');
    await page.waitForURL(`${SITE}/graphql?back`);
    expect(await secret()).not.toBe(former);
    expect((await ask(DISABLE)).data.disableUser).toMatchObject({ __typename: "NotFoundError" });
  });

  it("signs in again by its passkey", async () => {
    await addAuthenticator(context, page);
    await page.goto(await invite("Hal"));
    await page.click("#passkey");
    await page.waitForURL(`${SITE}/graphql`);
    const { actor } = (await ask(WHO)).data.viewer;
    const token = `mutation { createToken(input: { name: "t", ownerId: "${actor.id}" }) { __typename ... on ReauthenticationRequiredError { url methods } } }`;
    scene.server.advance(11 * 60_000);
    const { createToken: asked } = (await ask(token)).data;
    expect(asked).toMatchObject({ __typename: "ReauthenticationRequiredError", methods: ["PASSKEY"] });
    await page.goto(`${asked.url}&return=%2Fgraphql%3Fback`);
    await page.click("#passkey");
    await page.waitForURL(`${SITE}/graphql?back`);
    expect((await ask(WHO)).data.viewer.actor).toEqual(actor);
    expect((await ask(token)).data.createToken.__typename).toBe("CreateTokenSuccess");
  });
});

it("a person sees its name in GraphiQL, and signs out there", async () => {
  await signInByProvider("leaving");
  await page.click("text=Sign out");
  await page.waitForURL(`${SITE}/auth/login`);
  expect((await ask(WHO)).errors[0].extensions.code).toBe("UNAUTHENTICATED");
  await page.goto(`${SITE}/graphql`);
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${SITE}/auth/login`);
});

it("the pages break no rule of their own content security policy", async () => {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (/content security policy|refused to/i.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  for (const path of [
    "/auth/login",
    "/auth/login?fresh=1",
    "/invite",
    "/auth/passkey",
    "/auth/callback",
    "/auth/device",
    "/graphql",
  ]) {
    const answer = await page.goto(`${SITE}${path}`, { waitUntil: "networkidle" });
    const headers = answer?.headers() ?? {};
    expect(headers, path).toMatchObject({
      "content-security-policy": expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
      "x-content-type-options": "nosniff",
      "referrer-policy": expect.stringMatching(/^(no-referrer|same-origin)$/),
    });
    expect(headers["content-security-policy"], path).not.toMatch(/script-src[^;]*unsafe/);
  }
  expect(problems).toEqual([]);
  scene.refusals.length = 0;
});
