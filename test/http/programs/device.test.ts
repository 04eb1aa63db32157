/** Programs without a browser: a person types their code (RFC 8628). */
import * as oauth from "openid-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSignIns } from "../../../src/domain/sign-in/sign-ins.ts";
import { createApi } from "../../support/api.ts";
import {
  beginDevice,
  type OAuthAnswer,
  poll,
  sendForm,
  signedInPerson,
  signInAgain,
  typeCode,
} from "../../support/program-steps.ts";
import { openSignInScene, SESSION_COOKIE, SITE, type SignInScene } from "../../support/sign-in.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let scene: SignInScene;
let made = 0;
beforeAll(async () => {
  scene = await openSignInScene({ adminGroup: "platform" });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const person = (claims: object = {}) => {
  made += 1;
  return signedInPerson(scene, `person-${made}`, claims);
};
const errorOf = ({ status, body }: OAuthAnswer) => [status, body["error"]];

// Before others move the clock: the provider says when a person signed in, and its own does not move.
it("the page asks to sign in first, and comes back", async () => {
  const browser = scene.browser();
  const page = await browser.open(`${SITE}/auth/device`);
  expect(page.url).toBe(`${SITE}/auth/login?return=%2Fauth%2Fdevice&fresh=1`);
  const link = /href="(\/auth\/oidc[^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  scene.provider.people.set("late", { name: "late" });
  const back = await browser.submit(await browser.open(SITE + link), { login: "late", password: "any" });
  expect([back.url, back.text]).toEqual([`${SITE}/auth/device`, expect.stringContaining("Type the code")]);
});

it("a person lets a program in, whose token is one of the person's own", async () => {
  const browser = await person({ groups: ["platform"] });
  const { deviceCode, userCode, body } = await beginDevice(scene);
  expect(body).toEqual({
    device_code: expect.stringMatching(/^hpd_[\w-]{43}$/),
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_uri: `${SITE}/auth/device`,
    expires_in: 600,
    interval: 5,
  });
  expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "authorization_pending"]);

  const page = await typeCode(browser, userCode);
  expect(page.status).toBe(200);
  for (const shown of ["holdpoint-cli", "127.0.0.1", `person-${made}`, "Everything that you may do", userCode]) {
    expect(page.text).toContain(shown);
  }
  const done = await browser.submit(page, { decision: "allow" });
  expect([done.status, done.text]).toEqual([200, expect.stringContaining("Allowed")]);

  const answer = await poll(scene, deviceCode);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^hpt_/),
    token_type: "Bearer",
    expires_in: 30 * 24 * 60 * 60,
  });
  const api = createApi(scene.server.url, String(answer.body["access_token"]));
  const { viewer } = await api.ask("{ viewer { isAdmin actor { name } tokens { name expiresAt permissions } } }");
  expect(viewer).toMatchObject({ isAdmin: true, actor: { name: `person-${made}` } });
  expect(viewer.tokens).toEqual([
    {
      name: expect.stringMatching(/^holdpoint-cli at 127\.0\.0\.1 \(\w{6}\)$/),
      expiresAt: expect.any(String),
      permissions: null,
    },
  ]);
  const daysLeft = (Date.parse(viewer.tokens[0].expiresAt) - scene.server.deps.clock().getTime()) / DAY_MS;
  expect(Math.round(daysLeft)).toBe(30);
  // The program got its token, and gets no second one.
  expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "invalid_grant"]);
  expect((await api.ask("{ viewer { tokens { id } } }")).viewer.tokens).toHaveLength(1);
});

it("the tables have no secret", async () => {
  const browser = await person();
  const { deviceCode, userCode } = await beginDevice(scene);
  await browser.submit(await typeCode(browser, userCode), { decision: "allow" });
  const { body } = await poll(scene, deviceCode);
  const { sql } = scene.server.deps.database;
  const rows = JSON.stringify([
    await sql.selectFrom("program_request").selectAll().execute(),
    await sql.selectFrom("token").selectAll().execute(),
    await sql.selectFrom("spent_attempt").selectAll().execute(),
  ]);
  for (const secret of [deviceCode, userCode, userCode.replace("-", ""), String(body["access_token"])]) {
    expect(rows).not.toContain(secret);
  }
});

it("a program gets the permissions that it asked for and the person saw, and no others", async () => {
  const browser = await person({ groups: ["platform"] });
  const { deviceCode, userCode } = await beginDevice(scene, { scope: "RUN_READ WORKSPACE_READ" });
  const page = await typeCode(browser, userCode);
  expect(page.text).toContain("WORKSPACE_READ, RUN_READ");
  await browser.submit(page, { decision: "allow" });
  const { body } = await poll(scene, deviceCode);
  expect(body["scope"]).toBe("WORKSPACE_READ RUN_READ");
  const api = createApi(scene.server.url, String(body["access_token"]));
  const { viewer } = await api.ask("{ viewer { isAdmin tokens { permissions } } }");
  expect(viewer).toEqual({ isAdmin: false, tokens: [{ permissions: ["WORKSPACE_READ", "RUN_READ"] }] });
});

describe("a code", () => {
  it("may be typed in any case with blanks", async () => {
    const browser = await person();
    const { userCode } = await beginDevice(scene);
    const page = await typeCode(browser, ` ${userCode.toLowerCase().replace("-", " ")} `);
    expect(page.text).toContain(userCode);
  });

  it("is guessed five times in ten minutes at most, by each person", async () => {
    const browser = await person();
    const other = await person();
    const { userCode } = await beginDevice(scene);
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await typeCode(browser, "BBBB-BBBB")).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    // Also where it is right.
    expect((await typeCode(browser, userCode)).status).toBe(429);
    expect((await typeCode(other, userCode)).status).toBe(200);
    // One more in two minutes.
    scene.server.advance(2 * MINUTE_MS);
    expect((await typeCode(browser, userCode)).status).toBe(200);
  });

  it("that is right does not count as a guess, and many guesses at once count as many", async () => {
    const browser = await person();
    const { userCode } = await beginDevice(scene);
    for (let tries = 0; tries < 8; tries += 1) expect((await typeCode(browser, userCode)).status).toBe(200);
    const page = await browser.open(`${SITE}/auth/device`);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => browser.submit(page, { code: "CCCC-CCCC" })));
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(5);
  });

  it("ends after ten minutes", async () => {
    const browser = await person();
    const { deviceCode, userCode } = await beginDevice(scene);
    const shown = await typeCode(browser, userCode);
    scene.server.advance(10 * MINUTE_MS + 1000);
    await signInAgain(scene);
    expect((await typeCode(browser, userCode)).status).toBe(400);
    expect((await browser.submit(shown, { decision: "allow" })).status).toBe(400);
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "expired_token"]);
  });

  it("that was allowed in time, and fetched too late, gives nothing", async () => {
    const browser = await person();
    const { deviceCode, userCode } = await beginDevice(scene);
    await browser.submit(await typeCode(browser, userCode), { decision: "allow" });
    scene.server.advance(10 * MINUTE_MS + 1000);
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "expired_token"]);
  });

  it("is answered once, and the first answer counts", async () => {
    const [first, second] = [await person(), await person()];
    const { deviceCode, userCode } = await beginDevice(scene);
    const [one, two] = [await typeCode(first, userCode), await typeCode(second, userCode)];
    expect((await first.submit(one, { decision: "deny" })).text).toContain("Denied");
    expect((await second.submit(two, { decision: "allow" })).status).toBe(400);
    expect((await typeCode(second, userCode)).status).toBe(400);
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "access_denied"]);
  });

  it("of a person who was disabled meanwhile gives nothing", async () => {
    const browser = await person();
    const { deviceCode, userCode } = await beginDevice(scene);
    await browser.submit(await typeCode(browser, userCode), { decision: "allow" });
    const { id } = (await scene.ask(browser, "{ viewer { actor { id } } }")).data.viewer.actor;
    await scene.server.api.ask("mutation($id: ID!) { disableUser(input: { userId: $id }) { __typename } }", { id });
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "access_denied"]);
  });
});

describe("the page", () => {
  it("asks a person to sign in again who did so more than ten minutes ago", async () => {
    const browser = await person();
    scene.server.advance(5 * MINUTE_MS);
    const { deviceCode, userCode } = await beginDevice(scene);
    const shown = await typeCode(browser, userCode);
    scene.server.advance(5 * MINUTE_MS + 1000);
    expect((await browser.open(`${SITE}/auth/device`)).url).toContain("/auth/login?");
    expect((await browser.submit(shown, { decision: "allow" })).status).toBe(403);
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "authorization_pending"]);
  });

  it("takes no form of another site, of no page, or without a session", async () => {
    const browser = await person();
    const { deviceCode, userCode } = await beginDevice(scene);
    const shown = await typeCode(browser, userCode);
    const request = /name="request" value="([^"]+)"/.exec(shown.text)?.[1] ?? "";
    const cookie = `${SESSION_COOKIE}=${browser.cookie(SITE, SESSION_COOKIE)}`;
    const body = new URLSearchParams({ request, decision: "allow" });
    const attempts: Record<string, string>[] = [
      { cookie, origin: "https://evil.example.com" },
      { cookie, origin: "null" },
      { cookie },
      { cookie, "sec-fetch-site": "same-origin" },
      { origin: SITE },
      { origin: SITE, cookie: `${SESSION_COOKIE}=${scene.server.api.token}` },
      { origin: SITE, authorization: `Bearer ${scene.server.api.token}` },
    ];
    for (const path of ["/auth/device/decision", "/auth/device/code"]) {
      for (const headers of attempts) {
        const answer = await fetch(scene.server.url + path, { method: "POST", headers, body });
        expect([answer.status, JSON.stringify(headers)]).toEqual([403, JSON.stringify(headers)]);
      }
    }
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "authorization_pending"]);
  });

  it("takes the answer to what it showed to this session alone", async () => {
    const [browser, other] = [await person(), await person()];
    const { deviceCode, userCode } = await beginDevice(scene);
    const shown = await typeCode(browser, userCode);
    expect((await other.submit(shown, { decision: "allow" })).status).toBe(400);
    const signIns = createSignIns(scene.server.deps);
    for (const request of [
      "",
      "x",
      "AQ",
      signIns.seal("request", "no JSON"),
      signIns.seal("request", '{"type":"device"}'),
    ]) {
      const forged = await browser.submit(shown, { decision: "allow", request });
      expect(forged.status).toBe(400);
    }
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "authorization_pending"]);
  });

  it("is shown in no frame, sends nothing elsewhere, and is stored nowhere", async () => {
    const { headers } = await (await person()).open(`${SITE}/auth/device`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self';");
    expect(policy).not.toContain("script-src");
    expect(headers.get("cache-control")).toBe("no-store");
    // Browsers name the origin of a form only where the page passes on an address to its own site.
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });
});

describe("a program", () => {
  it("that asks too often must wait longer", async () => {
    const { deviceCode } = await beginDevice(scene);
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "authorization_pending"]);
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "slow_down"]);
    scene.server.advance(6000);
    // Ten seconds are asked for now.
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "slow_down"]);
    scene.server.advance(15_000);
    expect(errorOf(await poll(scene, deviceCode))).toEqual([400, "authorization_pending"]);
  });

  it.each([
    ["an unknown code", { device_code: `hpd_${"x".repeat(43)}` }],
    ["no code of a device", { device_code: "hpc_x" }],
    ["the name of another program", { client_id: "other" }],
  ])("with %s gets the same answer", async (_what, more) => {
    const { deviceCode } = await beginDevice(scene);
    const fields = {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      client_id: "holdpoint-cli",
      device_code: deviceCode,
      ...more,
    };
    const answer = await sendForm(`${scene.server.url}/auth/token`, fields);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: "invalid_grant",
        error_description: "The code is not valid for this program, was used, or has expired.",
      },
    });
  });

  it.each([
    ["/auth/device", {}, 400, "invalid_request"],
    ["/auth/device", { client_id: "<b>" }, 401, "invalid_client"],
    ["/auth/device", { client_id: "a", scope: "EVERYTHING" }, 400, "invalid_scope"],
    ["/auth/token", {}, 400, "invalid_request"],
    ["/auth/token", { grant_type: "password", username: "a", password: "b" }, 400, "unsupported_grant_type"],
    ["/auth/token", { grant_type: "urn:ietf:params:oauth:grant-type:device_code" }, 400, "invalid_request"],
  ])("that sends %s %j gets %i %s", async (path, fields, status, code) => {
    const answer = await sendForm(scene.server.url + path, fields);
    expect(answer).toMatchObject({ status, body: { error: code, error_description: expect.any(String) } });
  });

  it("must send each parameter once, as a form of bounded size", async () => {
    const twice = new URLSearchParams([
      ["client_id", "a"],
      ["client_id", "b"],
    ]);
    expect(errorOf(await sendForm(`${scene.server.url}/auth/device`, twice))).toEqual([400, "invalid_request"]);
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: '{"client_id":"a"}' };
    expect((await fetch(`${scene.server.url}/auth/device`, init)).status).toBe(400);
    const large = await sendForm(`${scene.server.url}/auth/token`, { grant_type: "x".repeat(40_000) });
    expect(errorOf(large)).toEqual([413, "invalid_request"]);
  });
});

it("two that fetch at the same time get one token", async () => {
  const browser = await person();
  const { deviceCode, userCode } = await beginDevice(scene);
  await browser.submit(await typeCode(browser, userCode), { decision: "allow" });
  const answers = await Promise.all(Array.from({ length: 5 }, () => poll(scene, deviceCode)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

it("a published client finds the endpoints and gets a token", async () => {
  const reached = (url: string): string => url.replace(SITE, scene.server.url);
  const config = await oauth.discovery(new URL(SITE), "openid-client", undefined, oauth.None(), {
    algorithm: "oauth2",
    execute: [oauth.allowInsecureRequests],
    // All that it sends are forms and texts.
    [oauth.customFetch]: (url, { body, ...options }) =>
      fetch(reached(url), { ...options, ...(body instanceof URLSearchParams && { body }) }),
  });
  const begun = await oauth.initiateDeviceAuthorization(config, { scope: "RUN_READ" });
  const browser = await person();
  await browser.submit(await typeCode(browser, begun.user_code), { decision: "allow" });
  const tokens = await oauth.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 });
  expect(tokens).toMatchObject({ token_type: "bearer", scope: "RUN_READ", expires_in: 30 * 24 * 60 * 60 });
});
