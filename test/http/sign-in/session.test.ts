/** What a session may do, from which pages, and how it ends. */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createClient } from "graphql-ws";
import type { CookieBrowser } from "../../support/cookie-browser.ts";
import { type InProcess, startInProcess } from "../../support/in-process.ts";
import { send as sendHttp } from "../../support/send.ts";
import { openSignInScene, SESSION_COOKIE, SITE, type SignInScene } from "../../support/sign-in.ts";

const WHO = "{ viewer { actor { id } credential } }";

let scene: SignInScene;
let made = 0;
beforeAll(async () => {
  scene = await openSignInScene({ adminGroup: "platform" });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function signedIn(claims: object = {}): Promise<{ name: string; browser: CookieBrowser; secret: string }> {
  made += 1;
  const name = `person-${made}`;
  scene.provider.people.set(name, { name, ...claims });
  const browser = scene.browser();
  await scene.signIn(browser, name);
  return { name, browser, secret: browser.cookie(SITE, SESSION_COOKIE) ?? "" };
}

const post = async (headers: Record<string, string>, query = WHO): Promise<{ status: number; body: string }> => {
  const answer = await fetch(`${scene.server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query }),
  });
  return { status: answer.status, body: await answer.text() };
};

describe("a request with the cookie", () => {
  it.each([
    [SITE, 200],
    ["https://evil.example.com", 401],
    ["http://evil.holdpoint.localhost", 401],
    ["https://holdpoint.localhost", 401],
    ["http://holdpoint.localhost:8080", 401],
    ["null", 401],
    ["", 401],
    [undefined, 401],
  ])("from a page of %j gets %i", async (origin, status) => {
    const { secret } = await signedIn();
    const headers = { cookie: `a=b; ${SESSION_COOKIE}=${secret}; c=d`, ...(origin !== undefined && { origin }) };
    expect((await post(headers)).status).toBe(status);
  });

  it("cannot send a query by GET", async () => {
    const { secret } = await signedIn();
    const cookie = `${SESSION_COOKIE}=${secret}`;
    for (const headers of [{ cookie }, { cookie, "sec-fetch-site": "same-origin" }, { cookie, origin: SITE }]) {
      const answer = await fetch(`${scene.server.url}/graphql?query=${encodeURIComponent("{__typename}")}`, {
        headers,
      });
      expect(answer.status).toBe(401);
    }
  });

  it.each([
    ["same-origin", 404],
    ["same-site", 401],
    ["cross-site", 401],
    ["none", 401],
    [undefined, 401],
  ])("reads an export where the browser says %j: %i", async (site, status) => {
    const { secret } = await signedIn();
    const headers = { cookie: `${SESSION_COOKIE}=${secret}`, ...(site !== undefined && { "sec-fetch-site": site }) };
    const answer = await fetch(`${scene.server.url}/runs/run_00000000000000000000000000/log`, { headers });
    expect(answer.status).toBe(status);
  });

  it("and a token counts as the token alone", async () => {
    const { secret } = await signedIn();
    const headers = { cookie: `${SESSION_COOKIE}=${secret}`, origin: SITE };
    expect((await post({ ...headers, authorization: "Bearer wrong" })).status).toBe(401);
    const both = await post({ ...headers, authorization: `Bearer ${scene.server.api.token}` });
    expect(JSON.parse(both.body).data.viewer.credential).toBe("TOKEN");
  });

  it("is refused where the secret comes as a token", async () => {
    const { secret } = await signedIn();
    expect((await post({ authorization: `Bearer ${secret}` })).status).toBe(401);
    const basic = Buffer.from(`x:${secret}`).toString("base64");
    const answer = await fetch(`${scene.server.url}/state/a/b`, { headers: { authorization: `Basic ${basic}` } });
    expect(answer.status).toBe(401);
  });

  it.each([["hps_"], ["hps_unknown"], ["x".repeat(9000)], ["hps_\u00e9"]])(
    "and the value %j is none",
    async (value) => {
      expect((await post({ cookie: `${SESSION_COOKIE}=${value}`, origin: SITE })).status).toBe(401);
    },
  );
});

/** Opens a socket as a page would, and gives the code with which it was closed; null if it was accepted. */
function openSocket(headers: Record<string, string>): Promise<{ code: number | null; closed: Promise<number> }> {
  const socket = new WebSocket(`${scene.server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
    headers,
  });
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  return new Promise((resolve) => {
    socket.once("open", () => socket.send(JSON.stringify({ type: "connection_init" })));
    socket.once("message", () => resolve({ code: null, closed }));
    socket.once("close", (code) => resolve({ code, closed }));
  });
}

describe("a socket", () => {
  it.each([
    [SITE, null],
    ["https://evil.example.com", 4401],
    ["null", 4401],
    [undefined, 4401],
  ])("from a page of %j ends with %j", async (origin, code) => {
    const { secret } = await signedIn();
    const cookie = `${SESSION_COOKIE}=${secret}`;
    const opened = await openSocket({ cookie, ...(origin !== undefined && { origin }) });
    expect(opened.code).toBe(code);
  });

  it("of the published client needs no token in a page of the site", async () => {
    const { secret } = await signedIn();
    class PageSocket extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { headers: { cookie: `${SESSION_COOKIE}=${secret}`, origin: SITE } });
      }
    }
    const client = createClient({
      url: `${scene.server.url.replace("http", "ws")}/graphql`,
      webSocketImpl: PageSocket,
    });
    const items = client.iterate({ query: WHO });
    expect((await items.next()).value).toMatchObject({ data: { viewer: { credential: "SESSION" } } });
    await client.dispose();
  });
});

describe("a session ends", () => {
  const isIn = async (browser: CookieBrowser): Promise<boolean> =>
    (await scene.ask(browser, WHO)).data?.viewer?.credential === "SESSION";

  it("by signing out, which other sites cannot do, with its sockets", async () => {
    const { browser, secret } = await signedIn();
    const socket = await openSocket({ cookie: `${SESSION_COOKIE}=${secret}`, origin: SITE });
    for (const origin of ["https://evil.example.com", "null"]) {
      const refused = await browser.open(`${SITE}/auth/logout`, { method: "POST", headers: { origin } });
      expect(refused.status).toBe(403);
    }
    expect(await isIn(browser)).toBe(true);
    const out = await browser.open(`${SITE}/auth/logout`, { method: "POST", headers: { origin: SITE } });
    expect(out).toMatchObject({ status: 200, url: `${SITE}/auth/login` });
    expect(browser.cookie(SITE, SESSION_COOKIE)).toBeUndefined();
    expect(await socket.closed).toBe(4403);
    expect((await post({ cookie: `${SESSION_COOKIE}=${secret}`, origin: SITE })).status).toBe(401);
  });

  it("by revokeSession of its person, and not of another", async () => {
    const { browser, secret } = await signedIn();
    const stranger = await signedIn();
    const { data } = await scene.ask(browser, "{ viewer { sessions { id } } }");
    const [{ id }] = data.viewer.sessions;
    const revoke = (by: CookieBrowser) =>
      scene.ask(by, "mutation($id: ID!) { revokeSession(input: { sessionId: $id }) { __typename } }", { id });
    const socket = await openSocket({ cookie: `${SESSION_COOKIE}=${secret}`, origin: SITE });
    expect((await revoke(stranger.browser)).data.revokeSession.__typename).toBe("ForbiddenError");
    expect(await isIn(browser)).toBe(true);
    expect((await revoke(browser)).data.revokeSession.__typename).toBe("RevokeSessionSuccess");
    expect(await socket.closed).toBe(4403);
    expect(await isIn(browser)).toBe(false);
  });

  it("by revokeSessions of an administrator, in all browsers of the person", async () => {
    const { name, browser } = await signedIn();
    const second = scene.browser();
    await scene.signIn(second, name);
    const { id } = (await scene.ask(browser, WHO)).data.viewer.actor;
    const revoke = "mutation($id: ID!) { revokeSessions(input: { userId: $id }) { __typename } }";
    const stranger = await signedIn();
    expect((await scene.ask(stranger.browser, revoke, { id })).data.revokeSessions.__typename).toBe("ForbiddenError");
    await scene.server.api.ask(revoke, { id });
    expect([await isIn(browser), await isIn(second)]).toEqual([false, false]);
    expect(await isIn(stranger.browser)).toBe(true);
  });

  it("with its person, by hints and on the next request", async () => {
    const { browser, secret } = await signedIn();
    const { id } = (await scene.ask(browser, WHO)).data.viewer.actor;
    const socket = await openSocket({ cookie: `${SESSION_COOKIE}=${secret}`, origin: SITE });
    await scene.server.api.ask("mutation($id: ID!) { disableUser(input: { userId: $id }) { __typename } }", { id });
    expect(await socket.closed).toBe(4403);
    expect(await isIn(browser)).toBe(false);
  });
});

describe("a logout at the provider", () => {
  const isIn = async (browser: CookieBrowser): Promise<boolean> =>
    (await scene.ask(browser, WHO)).data?.viewer?.credential === "SESSION";

  it("ends the session here", async () => {
    const { browser } = await signedIn();
    const other = await signedIn();
    const asked = await browser.open(`${scene.provider.issuer}/session/end`);
    await browser.submit(asked, { logout: "yes" });
    await expect.poll(() => isIn(browser)).toBe(false);
    expect(await isIn(other.browser)).toBe(true);
  });

  it("that is forged or of another kind ends nothing", async () => {
    const { name, browser } = await signedIn();
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const { kid = "" } = await exportJWK(publicKey);
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const forged = await new SignJWT({ sub: name, events })
      .setProtectedHeader({ alg: "RS256", kid })
      .setIssuer(scene.provider.issuer)
      .setAudience(scene.provider.clientId)
      .setIssuedAt()
      .sign(privateKey);
    const symmetric = await new SignJWT({ sub: name, events })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(scene.provider.issuer)
      .setAudience(scene.provider.clientId)
      .setIssuedAt()
      .sign(Buffer.from(scene.provider.clientSecret));
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${forged.split(".")[1]}.`;
    for (const token of [forged, symmetric, none, "", "a.b.c"]) {
      const body = new URLSearchParams({ logout_token: token });
      const answer = await fetch(`${scene.server.url}/auth/backchannel`, { method: "POST", body });
      expect(answer.status).toBe(400);
    }
    expect(await isIn(browser)).toBe(true);
  });
});

it("sends what others wrote so that no browser takes it for a page", async () => {
  for (const path of ["/graphql", "/auth/session", "/nothing", "/auth/login", "/auth/style.css", "/runs/x/log"]) {
    const answer = await fetch(`${scene.server.url}${path}`);
    expect(answer.headers.get("x-content-type-options"), path).toBe("nosniff");
  }
});

describe("an exchange of a passkey", () => {
  const begin = (headers: Record<string, string>, path = "login/begin") =>
    fetch(`${scene.server.url}/auth/passkey/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ credential: {} }),
    });

  it.each([[undefined], ["https://evil.example.com"], ["null"]])("of a page of %j is refused", async (origin) => {
    const answer = await begin(origin === undefined ? {} : { origin });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining(`Only a page of ${SITE}`) });
  });

  it("is bound to its browser", async () => {
    const begun = await begin({ origin: SITE });
    expect(begun.headers.get("set-cookie")).toMatch(
      /^holdpoint-passkey=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const answer = await begin({ origin: SITE }, "login/finish");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: "It took too long. Try again." });
  });

  it("that makes one takes a session or an invitation", async () => {
    const answer = await begin({ origin: SITE }, "register/begin");
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ message: "You are not signed in. Sign in first." });
  });
});

describe("an address", () => {
  let standing: InProcess;
  beforeAll(async () => {
    standing = await startInProcess({ standing: true, signIn: { origin: SITE, oidc: null } });
  });
  afterAll(() => standing[Symbol.asyncDispose]());

  async function statuses(count: number, send: (index: number) => ReturnType<typeof sendHttp>): Promise<Set<number>> {
    const found = new Set<number>();
    for (let index = 0; index < count; index += 1) found.add((await send(index)).status);
    return found;
  }

  it("is limited in secrets that are not valid", async () => {
    const send = (index: number) => {
      const secret = `hps_${"x".repeat(40)}${String(index).padStart(3, "0")}`;
      const headers = { cookie: `${SESSION_COOKIE}=${secret}`, "sec-fetch-site": "same-origin" };
      return sendHttp(`${standing.url}/auth/session`, { method: "GET", headers });
    };
    expect(await statuses(300, send)).toEqual(new Set([200]));
    expect(await statuses(3, send)).toEqual(new Set([429]));
  });

  it("is limited in attempts to sign in and out", async () => {
    const send = (path: string) =>
      sendHttp(`${standing.url}${path}`, {
        method: "POST",
        headers: { origin: SITE, cookie: "holdpoint=hps_x" },
        body: "{}",
      });
    expect(await statuses(150, () => send("/auth/passkey/login/begin"))).toEqual(new Set([200]));
    expect(await statuses(150, () => send("/auth/logout"))).toEqual(new Set([303]));
    expect(await statuses(3, () => send("/auth/passkey/login/begin"))).toEqual(new Set([429]));
    expect(await statuses(3, () => send("/auth/logout"))).toEqual(new Set([429]));
    standing.advance(1000);
    expect((await send("/auth/passkey/login/begin")).status).toBe(200);
  });
});
