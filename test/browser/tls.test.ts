/** People who reach the server over TLS, behind a proxy that ends it: the cookie, and what it is good for. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { Data } from "../support/api.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { addAuthenticator, openContext, startChromium } from "./chromium.ts";
import { startTlsProxy, type TlsProxy } from "./tls-proxy.ts";

const HOST = "holdpoint.example.com";
const SITE = `https://${HOST}`;
const NAME = "__Host-holdpoint";
const CLIENT = "203.0.113.9";
const WHO = "{ viewer { credential actor { name } sessions { current address } } }";

let server: InProcess;
let proxy: TlsProxy;
let chromium: Browser;
beforeAll(async () => {
  server = await startInProcess({ isBehindProxy: true, signIn: { origin: SITE, oidc: null } });
  proxy = await startTlsProxy(server.url, CLIENT);
  chromium = await startChromium({ [HOST]: proxy.address, "evil.example.com": proxy.address }, proxy.keyHash);
});
afterAll(async () => {
  await chromium.close();
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await openContext(chromium);
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expect(server.reported.splice(0)).toEqual([]);
});

/** Sends an operation from the page that is open. */
function ask(query: string): Promise<Data> {
  return page.evaluate(async (text) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query: text }) });
    return answer.json();
  }, query);
}

/** Invites a person, who makes a passkey and is signed in. */
async function signIn(name: string): Promise<void> {
  const { inviteMember } = await server.api.ask(
    "mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { ... on InviteMemberSuccess { url } } }",
    { input: { organizationId: DEFAULT_ORGANIZATION_ID, name } },
  );
  expect(new URL(inviteMember.url).origin).toBe(SITE);
  await addAuthenticator(context, page);
  await page.goto(inviteMember.url);
  await page.click("#passkey");
  await page.waitForURL(`${SITE}/graphql`);
}

it("a sign-in over TLS gives a cookie of this host alone, which scripts and plain HTTP do not have", async () => {
  await signIn("Ann");
  expect(await context.cookies()).toEqual([
    expect.objectContaining({
      name: NAME,
      domain: HOST,
      path: "/",
      secure: true,
      httpOnly: true,
      sameSite: "Lax",
      value: expect.stringMatching(/^hps_/),
    }),
  ]);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  const { data } = await ask(WHO);
  expect(data.viewer).toEqual({
    credential: "SESSION",
    actor: { name: "Ann" },
    // The proxy is trusted to say where the browser is.
    sessions: [{ current: true, address: CLIENT }],
  });
  expect(await context.cookies(`http://${HOST}`)).toEqual([]);
});

it("the session counts by the name with the prefix alone, which other hosts of the domain cannot set", async () => {
  await signIn("Ben");
  const [{ value } = { value: "" }] = await context.cookies();
  await context.clearCookies();
  const own = { value, domain: HOST, path: "/", secure: true };
  await context.addCookies([{ ...own, name: "holdpoint" }]);
  expect((await ask(WHO)).data).toBeUndefined();
  // The browser refuses the prefix for a whole domain, as from another host of it.
  await page.goto("https://evil.example.com/auth/login");
  await page.evaluate(
    ([name, secret]) => {
      document.cookie = `${name}=${secret}; Path=/; Secure; Domain=example.com`;
      document.cookie = `seen=1; Path=/; Secure; Domain=example.com`;
    },
    [NAME, value] as const,
  );
  const names = (await context.cookies(SITE)).map(({ name }) => name);
  expect(names.toSorted()).toEqual(["holdpoint", "seen"]);
  await page.goto(`${SITE}/auth/login`);
  expect((await ask(WHO)).data).toBeUndefined();
});

it("signing out removes the cookie, and a socket of the page ends", async () => {
  await signIn("Cleo");
  const code = await page.evaluate(
    (url) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(url, "graphql-transport-ws");
        socket.addEventListener("open", () => socket.send('{"type":"connection_init"}'));
        socket.addEventListener("message", () => void fetch("/auth/logout", { method: "POST" }));
        socket.addEventListener("close", (event) => resolve(event.code));
      }),
    `wss://${HOST}/graphql`,
  );
  expect(code).toBe(4403);
  expect(await context.cookies()).toEqual([]);
  expect((await ask(WHO)).data).toBeUndefined();
});
