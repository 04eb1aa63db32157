/** People in a real browser: the provider, invitations, passkeys, and pages of other sites. */
import { createServer, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Data } from "../support/api.ts";
import { openSignInScene, SITE, type SignInScene } from "../support/sign-in.ts";
import { addAuthenticator, startChromium } from "./chromium.ts";

/** Another origin of the same site: browsers send the cookie along, so that only the server can refuse it. */
const EVIL = `http://evil.${new URL(SITE).hostname}`;
const WHO = "{ viewer { credential actor { id name } } }";

let scene: SignInScene;
let chromium: Browser;
let evil: Server;
/** The page that the other site shows. */
let evilPage = "";
beforeAll(async () => {
  scene = await openSignInScene({ adminGroup: "platform" });
  evil = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(evilPage);
  });
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  const address = evil.address();
  const evilPort = typeof address === "object" && address !== null ? address.port : 0;
  chromium = await startChromium({
    [new URL(SITE).hostname]: new URL(scene.server.url).host,
    [new URL(EVIL).hostname]: `127.0.0.1:${evilPort}`,
  });
});
afterAll(async () => {
  await chromium.close();
  evil.close();
  await scene[Symbol.asyncDispose]();
});

let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await chromium.newContext();
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
    const other = await chromium.newContext();
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

describe("a page of another site", () => {
  const MUTATION = 'mutation { createOrganization(input: { slug: "evil", name: "evil" }) { __typename } }';
  const attempts: [string, string][] = [
    [
      "fetch with cookies",
      `fetch("${SITE}/graphql", { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body: BODY })`,
    ],
    [
      "fetch without CORS",
      `fetch("${SITE}/graphql", { method: "POST", mode: "no-cors", credentials: "include", body: BODY })`,
    ],
    [
      "a form as text",
      `const f = document.createElement("form"); f.method = "POST"; f.action = "${SITE}/graphql"; f.enctype = "text/plain"; const i = document.createElement("input"); i.name = BODY.slice(0, -1) + ', "x": "'; i.value = '"}'; f.append(i); document.body.append(f); f.submit()`,
    ],
    [
      "a form",
      `const f = document.createElement("form"); f.method = "POST"; f.action = "${SITE}/graphql"; const i = document.createElement("input"); i.name = "query"; i.value = QUERY; f.append(i); document.body.append(f); f.submit()`,
    ],
    [
      "a form that signs out",
      `const f = document.createElement("form"); f.method = "POST"; f.action = "${SITE}/auth/logout"; document.body.append(f); f.submit()`,
    ],
    ["an image", `new Image().src = "${SITE}/graphql?query=" + encodeURIComponent(QUERY)`],
    ["a navigation", `location.assign("${SITE}/graphql?query=" + encodeURIComponent(QUERY))`],
    [
      "an event source",
      `new EventSource("${SITE}/graphql?query=" + encodeURIComponent("subscription { organizationEvents { __typename } }"), { withCredentials: true })`,
    ],
    ["a beacon", `navigator.sendBeacon("${SITE}/graphql", new Blob([BODY], { type: "text/plain" }))`],
  ];

  it.each(attempts)("changes nothing by %s", async (_name, script) => {
    await signInByProvider("admin", { groups: ["platform"] });
    evilPage = `<!doctype html><body><script>const QUERY = ${JSON.stringify(MUTATION)}; const BODY = JSON.stringify({ query: QUERY });
      window.onload = () => { ${script} };</script>`;
    const other = await context.newPage();
    const answered = other
      .waitForEvent("requestfinished", { predicate: (request) => request.url().startsWith(SITE), timeout: 5000 })
      .catch(() => null);
    const failed = other
      .waitForEvent("requestfailed", { predicate: (request) => request.url().startsWith(SITE), timeout: 5000 })
      .catch(() => null);
    await other.goto(EVIL);
    await Promise.race([answered, failed]);
    const { organizations } = await scene.server.api.ask("{ organizations(first: 50) { edges { node { slug } } } }");
    expect(organizations.edges.map((edge: { node: { slug: string } }) => edge.node.slug)).not.toContain("evil");
    // The same from a page of the site itself does act: the session was good for it.
    expect((await ask(WHO)).data?.viewer?.credential).toBe("SESSION");
  });

  it("opens no socket with the session", async () => {
    await signInByProvider("victim");
    evilPage = "<!doctype html>";
    const other = await context.newPage();
    await other.goto(EVIL);
    const closed = (from: Page) =>
      from.evaluate(
        (url) =>
          new Promise<string>((resolve) => {
            const socket = new WebSocket(url, "graphql-transport-ws");
            socket.onopen = () => socket.send(JSON.stringify({ type: "connection_init" }));
            socket.onmessage = () => resolve("accepted");
            socket.onclose = ({ code }) => resolve(`closed ${code}`);
          }),
        `${SITE.replace("http", "ws")}/graphql`,
      );
    expect(await closed(other)).toBe("closed 4401");
    expect(await closed(page)).toBe("accepted");
  });

  it.each(["/graphql", "/auth/login", "/invite", "/auth/passkey"])("shows no frame of %s", async (path) => {
    evilPage = `<!doctype html><iframe src="${SITE}${path}"></iframe>`;
    await page.goto(EVIL);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    const text = await frame?.evaluate(() => document.body.textContent).catch(() => "");
    expect(text ?? "").not.toMatch(/passkey|Sign in|GraphiQL/i);
  });
});
