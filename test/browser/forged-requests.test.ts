/**
 * What pages of two other origins try with the session of an administrator: 15 ways each. One is of the same site, so that
 * browsers send the cookie along, and only the server can refuse it; the other is of another site.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSignInScene, SITE, type SignInScene } from "../support/sign-in.ts";
import { openContext, startChromium } from "./chromium.ts";

const EVIL = { "the same site": "http://evil.holdpoint.localhost", "another site": "http://evil.test" };
const MUTATION = 'mutation { createOrganization(input: { slug: "evil", name: "Evil" }) { __typename } }';
const BODY = JSON.stringify({ query: MUTATION });

let scene: SignInScene;
let chromium: Browser;
let evil: Server;
let context: BrowserContext;
/** A page of the site itself. */
let own: Page;
/** The page that the other origin shows. */
let evilPage = "";
/** An answer of the provider to an attempt of the attacker. */
let attackersAnswer = "";

beforeAll(async () => {
  scene = await openSignInScene({ adminGroup: "platform" });
  evil = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(evilPage);
  });
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = evil.address() as AddressInfo;
  const hosts = Object.values(EVIL).map((origin) => [new URL(origin).hostname, `127.0.0.1:${port}`]);
  const site = [new URL(SITE).hostname, new URL(scene.server.url).host];
  chromium = await startChromium(Object.fromEntries([site, ...hosts]));
  context = await openContext(chromium);
  own = await context.newPage();
  scene.provider.people.set("admin", { name: "Admin", groups: ["platform"] });
  await own.goto(`${SITE}/auth/login`);
  await own.click("text=Sign in with localhost");
  await own.fill('input[name="login"]', "admin");
  await own.fill('input[name="password"]', "any");
  await own.click('button[type="submit"]');
  await own.waitForURL(`${SITE}/graphql`);
  scene.provider.people.set("attacker", { name: "Attacker" });
  attackersAnswer = (await scene.signIn(scene.browser(), "attacker", (url) => url.startsWith(`${SITE}/auth/callback`)))
    .url;
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await chromium.close();
  evil.close();
  await scene[Symbol.asyncDispose]();
});

const form = (action: string, enctype: string, fields: string): string =>
  `const f = document.createElement("form"); f.method = "POST"; f.action = "${SITE}${action}"; f.enctype = "${enctype}";
   const add = (name, value) => { const i = document.createElement("input"); i.name = name; i.value = value; f.append(i); };
   ${fields} document.body.append(f); f.submit();`;
const GET = `"${SITE}/graphql?query=" + encodeURIComponent(QUERY)`;

/** Scripts of the page. */
const WAYS: Readonly<Record<string, string>> = {
  "fetch with the cookie": `fetch("${SITE}/graphql", { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body: BODY })`,
  "fetch as text": `fetch("${SITE}/graphql", { method: "POST", mode: "no-cors", credentials: "include", body: BODY })`,
  "fetch of a sign-out": `fetch("${SITE}/auth/logout", { method: "POST", mode: "no-cors", credentials: "include" })`,
  "fetch of an upload": `fetch("${SITE}/sources", { method: "POST", mode: "no-cors", credentials: "include", body: new Blob(["x"]) })`,
  "a form as text": form("/graphql", "text/plain", `add(BODY.slice(0, -1) + ', "x": "', '"}');`),
  "a form": form("/graphql", "application/x-www-form-urlencoded", `add("query", QUERY);`),
  "a form of several parts": form("/graphql", "multipart/form-data", `add("operations", BODY); add("map", "{}");`),
  "a form that signs out": form("/auth/logout", "application/x-www-form-urlencoded", ""),
  "a form that signs in": form("/auth/passkey/login/finish", "text/plain", `add('{"credential":{},"x":"', '"}');`),
  "an image": `new Image().src = ${GET}`,
  "a script": `const s = document.createElement("script"); s.src = ${GET}; document.body.append(s)`,
  "a link": `location.assign(${GET})`,
  "a link to an answer of the provider": `location.assign(ANSWER)`,
  "a beacon": `navigator.sendBeacon("${SITE}/graphql", new Blob([BODY], { type: "text/plain" }))`,
  "an event source": `new EventSource(${GET}, { withCredentials: true })`,
};

const isOfSite = (request: { url: () => string }): boolean => request.url().startsWith(SITE);

async function tryFrom(origin: string, script: string): Promise<number[]> {
  evilPage = `<!doctype html><body><script>
    const QUERY = ${JSON.stringify(MUTATION)}, BODY = ${JSON.stringify(BODY)}, ANSWER = ${JSON.stringify(attackersAnswer)};
    window.onload = () => { ${script} };</script>`;
  const page = await context.newPage();
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (response.url().startsWith(SITE)) statuses.push(response.status());
  });
  const ended = Promise.race([
    page.waitForEvent("requestfinished", { predicate: isOfSite }),
    page.waitForEvent("requestfailed", { predicate: isOfSite }),
  ]);
  await page.goto(origin);
  await ended;
  await page.waitForLoadState();
  await page.close();
  return statuses;
}

/** What an attack could have changed. */
async function facts() {
  const { organizations } = await scene.server.api.ask("{ organizations(first: 50) { edges { node { slug } } } }");
  const viewer = await own.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({
      query: "{ viewer { actor { name } sessions { id } tokens { id } passkeys { id } } }",
    });
    return (await (await fetch("/graphql", { method: "POST", headers, body })).json()).data?.viewer ?? null;
  });
  const [sources] = await scene.server.deps.database.sql
    .selectFrom("blob")
    .select(({ fn }) => fn.countAll().as("count"))
    .execute();
  return { slugs: organizations.edges.map((edge: { node: { slug: string } }) => edge.node.slug), viewer, sources };
}

describe.each(Object.entries(EVIL))("a page of %s", (_name, origin) => {
  it.each(Object.entries(WAYS))("changes nothing by %s", async (_way, script) => {
    const before = await facts();
    expect(before.viewer.actor.name).toBe("Admin");
    await tryFrom(origin, script);
    scene.refusals.length = 0;
    expect(await facts()).toEqual(before);
  });

  it("opens no socket with the session", async () => {
    evilPage = "<!doctype html>";
    const page = await context.newPage();
    await page.goto(origin);
    expect(await openSocket(page)).toBe("closed 4401");
    expect(await openSocket(own)).toBe("accepted");
    await page.close();
  });

  it.each(["/graphql", "/auth/login", "/invite", "/auth/passkey", "/auth/device"])(
    "shows no frame of %s",
    async (path) => {
      evilPage = `<!doctype html><iframe src="${SITE}${path}"></iframe>`;
      const page = await context.newPage();
      const refused = page.waitForEvent("requestfailed", { predicate: isOfSite });
      await page.goto(origin);
      // The answer has come, and the browser does not show it, by the headers that it has.
      expect((await refused).failure()?.errorText).toMatch(/^net::ERR_BLOCKED_BY_(RESPONSE|CSP)$/);
      const frame = page.frames().find((one) => one !== page.mainFrame());
      expect(frame?.url()).toBe("chrome-error://chromewebdata/");
      await page.close();
    },
  );
});

it("the same request acts from a page of the site itself", async () => {
  const before = await facts();
  await own.evaluate(async (body) => {
    await fetch("/graphql", { method: "POST", headers: { "content-type": "application/json" }, body });
  }, BODY);
  expect(new Set((await facts()).slugs)).toEqual(new Set([...before.slugs, "evil"]));
});

it("there are thirty forged requests", () => {
  expect(Object.keys(WAYS).length * Object.keys(EVIL).length).toBe(30);
});

function openSocket(page: Page): Promise<string> {
  return page.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(url, "graphql-transport-ws");
        socket.onopen = () => socket.send(JSON.stringify({ type: "connection_init" }));
        socket.onmessage = () => resolve("accepted");
        socket.onclose = ({ code }) => resolve(`closed ${code}`);
      }),
    `${SITE.replace("http", "ws")}/graphql`,
  );
}
