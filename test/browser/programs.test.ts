/** People who let programs in, in a real browser: `terraform login`, codes of devices, and pages of other sites. */
import { createServer, type Server } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createApi } from "../support/api.ts";
import { startEngineLogin } from "../support/engine-login.ts";
import { beginDevice, loopbackProgram, poll } from "../support/program-steps.ts";
import { openSignInScene, SITE, type SignInScene } from "../support/sign-in.ts";
import { openContext, startChromium } from "./chromium.ts";

/** Another origin of the same site: browsers send the cookie along, so that only the server can refuse it. */
const EVIL = `http://evil.${new URL(SITE).hostname}`;

let scene: SignInScene;
let chromium: Browser;
let evil: Server;
let evilPage = "";
beforeAll(async () => {
  scene = await openSignInScene();
  evil = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(evilPage);
  });
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  const address = evil.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  chromium = await startChromium({
    [new URL(SITE).hostname]: new URL(scene.server.url).host,
    [new URL(EVIL).hostname]: `127.0.0.1:${port}`,
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
  context = await openContext(chromium);
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expect(scene.server.reported.splice(0)).toEqual([]);
});

/** Opens a page that asks to sign in first, and signs in. */
async function openSignedIn(url: string, name: string): Promise<void> {
  scene.provider.people.set(name, { name });
  await page.goto(url);
  await page.click("text=Sign in with localhost");
  await page.fill('input[name="login"]', name);
  await page.fill('input[name="password"]', "any");
  await page.click('button[type="submit"]');
  await page.waitForURL((reached) => reached.href.startsWith(SITE) && !reached.pathname.startsWith("/auth/callback"));
}

it("`terraform login` gets a token of the person, from the sign-in on", async () => {
  await using login = await startEngineLogin(scene.server.url);
  await openSignedIn(await login.address, "ann");
  expect(await page.textContent("main")).toContain("terraform-cli");
  // The browser follows the answer to the port of the engine.
  const brought = page.waitForRequest((request) => request.url().startsWith("http://localhost:100"));
  await page.click('button[value="allow"]');
  expect((await brought).url()).toContain("code=hpc_");
  const { code, output } = await login.ended;
  expect([code, output]).toEqual([0, expect.stringContaining("Success!")]);
  const api = createApi(scene.server.url, await login.storedToken());
  expect((await api.ask("{ viewer { credential actor { name } } }")).viewer).toEqual({
    credential: "TOKEN",
    actor: { name: "ann" },
  });
});

it("the answer leaves the page for the port of the program alone, also where it denies", async () => {
  const program = loopbackProgram({ redirect_uri: "http://127.0.0.1:10007/done" });
  await openSignedIn(program.url, "ben");
  const brought = page.waitForRequest((request) => request.url().startsWith("http://127.0.0.1:10007/done"));
  await page.click('button[value="deny"]');
  expect((await brought).url()).toContain("error=access_denied");
});

it("a code of a device is typed, and its program is allowed", async () => {
  const { deviceCode, userCode } = await beginDevice(scene);
  await openSignedIn(`${SITE}/auth/device`, "cleo");
  await page.fill('input[name="code"]', userCode.toLowerCase());
  await page.click("button.action");
  await page.waitForSelector(`text=${userCode}`);
  await page.click('button[value="allow"]');
  await page.waitForSelector("text=Allowed");
  const { body } = await poll(scene, deviceCode);
  const api = createApi(scene.server.url, String(body["access_token"]));
  expect((await api.ask("{ viewer { actor { name } } }")).viewer.actor.name).toBe("cleo");
});

it("a page of another site cannot answer", async () => {
  const { deviceCode, userCode } = await beginDevice(scene);
  await openSignedIn(`${SITE}/auth/device`, "dan");
  await page.fill('input[name="code"]', userCode);
  await page.click("button.action");
  // The strongest case: the other site even has what the page of the person holds.
  const sealed = await page.inputValue('input[name="request"]');
  const other = await context.newPage();
  evilPage = `<!doctype html><form method="post" action="${SITE}/auth/device/decision">
    <input name="request" value="${sealed}"><input name="decision" value="allow"></form>
    <script>document.forms[0].submit()</script>`;
  const answered = other.waitForResponse(`${SITE}/auth/device/decision`);
  await other.goto(EVIL).catch(() => undefined);
  expect((await answered).status()).toBe(403);
  expect((await poll(scene, deviceCode)).body["error"]).toBe("authorization_pending");
  await page.click('button[value="allow"]');
  await page.waitForSelector("text=Allowed");
});

it.each([
  ["for a code", "/auth/device"],
  ["of a program", loopbackProgram().url.slice(SITE.length)],
])("no frame shows the page %s", async (_what, path) => {
  await openSignedIn(`${SITE}/auth/device`, "eve");
  const other = await context.newPage();
  evilPage = `<!doctype html><iframe src="${SITE}${path}"></iframe>`;
  await other.goto(EVIL);
  const frame = other.frames().find((one) => one !== other.mainFrame());
  const text = await frame?.evaluate(() => document.body.textContent).catch(() => "");
  expect(text ?? "").not.toMatch(/program|token/i);
});
