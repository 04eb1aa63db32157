/** Id tokens and logout tokens that a sign-in must not believe, from a provider that sends anything. */
import { createHmac } from "node:crypto";
import pino from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CookieBrowser } from "../../support/cookie-browser.ts";
import { type InProcess, startInProcess } from "../../support/in-process.ts";
import { type Claims, CLIENT, type LyingProvider, startLyingProvider } from "../../support/lying-provider.ts";
import { SESSION_COOKIE, SITE } from "../../support/sign-in.ts";
import { walk } from "../../support/walk.ts";

let provider: LyingProvider;
let server: InProcess;
const refusals: unknown[] = [];
const warnings: string[] = [];

beforeAll(async () => {
  provider = await startLyingProvider();
  const oidc = { ...CLIENT, issuer: provider.issuer, scopes: "openid", groupsClaim: "groups", adminGroup: null };
  server = await startInProcess({
    signIn: {
      origin: SITE,
      oidc: { ...oidc, domains: [] },
      onRefused: (error) => refusals.push(error),
      onWarning: (message) => warnings.push(message),
    },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
afterEach(() => {
  vi.useRealTimers();
  provider.answer = (claims) => provider.sign(claims);
  refusals.length = 0;
  warnings.length = 0;
  expect(server.reported.splice(0)).toEqual([]);
});

/** Signs in; the code of the provider is the nonce. */
async function signIn(
  browser = new CookieBrowser({ [SITE]: server.url }),
): Promise<{ status: number; text: string; cookie: string | undefined }> {
  const begun = await browser.open(`${SITE}/auth/oidc`, {}, (url) => url.startsWith(provider.issuer));
  const asked = new URL(begun.url).searchParams;
  const answer = new URLSearchParams({ code: asked.get("nonce") ?? "", state: asked.get("state") ?? "" });
  const visit = await browser.open(`${SITE}/auth/callback?${answer}`);
  return { status: visit.status, text: visit.text, cookie: browser.cookie(SITE, SESSION_COOKIE) };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = (): number => Math.floor(Date.now() / 1000);
const signed = (change: (claims: Claims) => object) => (claims: Claims) =>
  provider.sign({ ...claims, ...change(claims) });

function byHmac(secret: string) {
  return async (claims: Claims): Promise<string> => {
    const input = `${encoded({ alg: "HS256" })}.${encoded(claims)}`;
    return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
  };
}

it("signs in with a token as it should be", async () => {
  expect(await signIn()).toMatchObject({ status: 200, cookie: expect.stringMatching(/^hps_/) });
});

describe("an id token is refused", () => {
  it.each<[string, (claims: Claims) => Promise<string>]>([
    ["without a signature", async (claims) => `${encoded({ alg: "none" })}.${encoded(claims)}.`],
    ["signed with the secret of the client", byHmac(CLIENT.clientSecret)],
    ["signed with the public key as a secret", async (claims) => byHmac(JSON.stringify(provider.publicKey))(claims)],
    [
      "with a signature of another text",
      async (claims) => {
        const [header, , signature] = (await provider.sign(claims)).split(".");
        return `${header}.${encoded({ ...claims, sub: "admin" })}.${signature}`;
      },
    ],
    ["of another issuer", signed(() => ({ iss: "https://other.example.com" }))],
    ["for another client", signed(() => ({ aud: "other" }))],
    ["for several clients without azp", signed(() => ({ aud: [CLIENT.clientId, "other"] }))],
    ["for several clients, used by another", signed(() => ({ aud: [CLIENT.clientId, "other"], azp: "other" }))],
    ["for this client, used by another", signed(() => ({ azp: "other" }))],
    ["with another nonce", signed(() => ({ nonce: "x" }))],
    ["without a nonce", signed(() => ({ nonce: undefined }))],
    ["that has expired", signed(() => ({ exp: now() - 120 }))],
    ["without an end", signed(() => ({ exp: undefined }))],
    ["issued in ten minutes", signed(() => ({ iat: now() + 600, exp: now() + 900 }))],
    ["issued ten minutes ago", signed(() => ({ iat: now() - 600 }))],
    ["that is not valid yet", signed(() => ({ nbf: now() + 600 }))],
    ["without a subject", signed(() => ({ sub: undefined }))],
    ["with an unknown key", (claims) => provider.sign(claims, { kid: "other" })],
    ["that is none", async () => "a.b.c"],
  ])("%s", async (_name, answer) => {
    provider.answer = answer;
    const { status, text, cookie } = await signIn();
    expect({ status, cookie }).toEqual({ status: 400, cookie: undefined });
    expect(text).toContain("Signing in did not succeed. Try again.");
    expect(refusals).toHaveLength(1);
  });
});

describe("an id token is accepted", () => {
  it.each(
    walk(
      [
        ["of a clock that is 45 s ahead", signed(() => ({ iat: now() + 45, nbf: now() + 45 }))],
        ["of a clock that is 45 s behind", signed(() => ({ iat: now() - 45, exp: now() - 45 }))],
        [
          "for several clients, used by this",
          signed(() => ({ aud: [CLIENT.clientId, "other"], azp: CLIENT.clientId })),
        ],
      ],
      6,
    ),
  )("%s", async (_name, answer) => {
    provider.answer = answer;
    expect((await signIn()).status).toBe(200);
  });

  it("signed with a key that is new, and the former key is not any more", async () => {
    await signIn();
    const former = await provider.sign(provider.claims("nonce"));
    await provider.rollOver();
    // The keys were just read; half a minute later they are read again.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    expect((await signIn()).status).toBe(200);
    provider.answer = async () => former;
    expect((await signIn()).status).toBe(400);
  });
});

it("sends the secret as the provider takes it", async () => {
  provider.secrets.length = 0;
  await signIn();
  expect(provider.secrets).toEqual(["header"]);
});

it("warns of groups that are too many, and takes the first", async () => {
  const groups = Array.from({ length: 10_000 }, (_, index) => `group-${index}`);
  provider.answer = signed(() => ({ groups }));
  expect((await signIn()).status).toBe(200);
  expect(warnings).toEqual(["9000 groups of a person were ignored: they are too many"]);
});

it("logs no token and no code of a sign-in that was refused", async () => {
  let idToken = "";
  provider.answer = async (claims) =>
    (idToken = await provider.sign({ ...claims, nonce: "x", email: "ann@example.com" }));
  await signIn();
  const lines: string[] = [];
  pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }).warn({ err: refusals[0] }, "refused");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("nonce");
  expect(lines[0]).not.toContain(idToken.split(".")[2]);
  expect(lines[0]).not.toContain(CLIENT.clientSecret);
});

describe("a logout token", () => {
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  let count = 0;
  const logout = (more: object = {}) => {
    count += 1;
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: provider.issuer,
      aud: CLIENT.clientId,
      iat: now,
      exp: now + 120,
      jti: `jti-${count}`,
      sub: "ann",
      events,
      ...more,
    };
  };
  const send = async (token: string): Promise<number> => {
    const body = new URLSearchParams({ logout_token: token });
    return (await fetch(`${server.url}/auth/backchannel`, { method: "POST", body })).status;
  };
  const isIn = async (cookie: string | undefined) => (await server.domain.authenticate(cookie ?? "")) !== null;

  async function signedIn(claims: object = {}): Promise<string | undefined> {
    provider.answer = signed(() => claims);
    return (await signIn()).cookie;
  }

  it.each(
    walk(
      [
        ["with events of another kind", () => logout({ events: { "http://example.com/other": {} } })],
        ["without events", () => logout({ events: undefined })],
        ["with events as a text", () => logout({ events: "http://schemas.openid.net/event/backchannel-logout" })],
        ["with a nonce", () => logout({ nonce: "n" })],
        ["without sub and sid", () => logout({ sub: undefined })],
        ["without jti", () => logout({ jti: undefined })],
        ["without iat", () => logout({ iat: undefined })],
        ["of another issuer", () => logout({ iss: "https://other.example.com" })],
        ["for another client", () => logout({ aud: "other" })],
        ["that has expired", () => logout({ exp: now() - 120 })],
        ["issued an hour ago", () => logout({ iat: now() - 3600 })],
        ["issued in ten minutes", () => logout({ iat: now() + 600 })],
      ],
      3,
    ),
  )("%s ends nothing", async (_name, claims) => {
    const cookie = await signedIn();
    expect(await send(await provider.sign(claims(), { typ: "logout+jwt" }))).toBe(400);
    expect(await isIn(cookie)).toBe(true);
  });

  it("that is an id token ends nothing", async () => {
    const cookie = await signedIn();
    expect(await send(await provider.sign(provider.claims("n")))).toBe(400);
    expect(await isIn(cookie)).toBe(true);
  });

  it("with sub ends all sessions of the person, and no later one when it is sent again", async () => {
    const [first, second, other] = [await signedIn(), await signedIn(), await signedIn({ sub: "ben" })];
    const token = await provider.sign(logout(), { typ: "logout+jwt" });
    expect(await send(token)).toBe(200);
    expect([await isIn(first), await isIn(second), await isIn(other)]).toEqual([false, false, true]);
    const later = await signedIn();
    expect(await send(token)).toBe(400);
    expect(await isIn(later)).toBe(true);
  });

  it("with sid ends that session alone; with both, both must be meant", async () => {
    const [one, two] = [await signedIn({ sid: "s1" }), await signedIn({ sid: "s2" })];
    expect(await send(await provider.sign(logout({ sub: "ben", sid: "s1" })))).toBe(200);
    expect(await isIn(one)).toBe(true);
    expect(await send(await provider.sign(logout({ sub: undefined, sid: "s1" })))).toBe(200);
    expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
  });
});

it("takes a challenge for a passkey for no attempt to sign in, and no error of the server", async () => {
  const browser = new CookieBrowser({ [SITE]: server.url });
  await browser.open(`${SITE}/auth/passkey/login/begin`, {
    method: "POST",
    headers: { origin: SITE, "content-type": "application/json" },
    body: "{}",
  });
  const sealed = browser.cookie(SITE, "holdpoint-passkey") ?? expect.fail("There is no challenge.");
  browser.cookies.get(new URL(SITE).host)?.set("holdpoint-sign-in", sealed);
  expect((await browser.open(`${SITE}/auth/callback?code=x&state=y`)).status).toBe(400);
});
