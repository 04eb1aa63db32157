/** Programs of the machine of the browser: the person allows them on a page (RFC 8252). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApi } from "../../support/api.ts";
import type { CookieBrowser } from "../../support/cookie-browser.ts";
import { answerProgram, fetchToken, loopbackProgram, signedInPerson } from "../../support/program-steps.ts";
import { openSignInScene, SITE, type SignInScene } from "../../support/sign-in.ts";
import { startEngineLogin } from "../../support/engine-login.ts";
import { walk } from "../../support/walk.ts";

let scene: SignInScene;
let made = 0;
beforeAll(async () => {
  scene = await openSignInScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const person = (): Promise<CookieBrowser> => {
  made += 1;
  return signedInPerson(scene, `person-${made}`);
};
const INVALID = [400, "invalid_grant"];

it("the server describes itself to Terraform", async () => {
  const answer = await fetch(`${scene.server.url}/.well-known/terraform.json`);
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(await answer.json()).toEqual({
    "login.v1": {
      client: "terraform-cli",
      grant_types: ["authz_code"],
      authz: "/auth/authorize",
      token: "/auth/token",
      ports: [10_000, 10_010],
    },
  });
});

// Before others move the clock: the provider says when a person signed in, and its own does not move.
it("the page asks to sign in first, and comes back to the same program", async () => {
  const browser = scene.browser();
  const program = loopbackProgram({ state: "a&b=c" });
  const page = await browser.open(program.url);
  expect(page.url.startsWith(`${SITE}/auth/login?return=`)).toBe(true);
  const link = /href="(\/auth\/oidc[^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  scene.provider.people.set("late", { name: "late" });
  const back = await browser.submit(await browser.open(SITE + link), { login: "late", password: "any" });
  expect(back.url).toBe(program.url);
  expect(back.text).toContain("terraform-cli");
  const { searchParams } = new URL(
    (await browser.submit(back, { decision: "allow" }, (url) => url.includes(":10000"))).url,
  );
  expect(searchParams.get("state")).toBe("a&b=c");
});

it("`terraform login` stores a token of the person", async () => {
  const browser = await person();
  await using login = await startEngineLogin(scene.server.url);
  const page = await browser.open(await login.address);
  expect(page.text).toContain("terraform-cli");
  const isEngine = (url: string): boolean => url.startsWith("http://localhost:100");
  const { url } = await browser.submit(page, { decision: "allow" }, isEngine);
  expect(url).toMatch(/^http:\/\/localhost:100\d\d\/login\?code=/);
  // The engine has what it needs, and may end before it has answered.
  await fetch(url).catch(() => undefined);
  const { code, output } = await login.ended;
  expect([code, output]).toEqual([0, expect.stringContaining("Success!")]);
  const { viewer } = await createApi(scene.server.url, await login.storedToken()).ask(
    "{ viewer { credential actor { name } tokens { name expiresAt } } }",
  );
  expect(viewer).toEqual({
    credential: "TOKEN",
    actor: { name: `person-${made}` },
    tokens: [
      { name: expect.stringMatching(/^terraform-cli at 127\.0\.0\.1 \(\w{6}\)$/), expiresAt: expect.any(String) },
    ],
  });
});

describe("the answer of the person", () => {
  it("is brought to the program with its state and the name of the server", async () => {
    const browser = await person();
    const program = loopbackProgram();
    const answer = await answerProgram(browser, program.url);
    expect(`${answer.origin}${answer.pathname}`).toBe("http://localhost:10000/login");
    expect(Object.fromEntries(answer.searchParams)).toEqual({
      code: expect.stringMatching(/^hpc_[\w-]{43}$/),
      state: "a-state",
      iss: SITE,
    });
    const { status, body, headers } = await fetchToken(scene, program, answer.searchParams.get("code") ?? "");
    expect([status, body["token_type"], headers.get("cache-control")]).toEqual([200, "Bearer", "no-store"]);
  });

  it("that denies is brought too", async () => {
    const answer = await answerProgram(await person(), loopbackProgram().url, "deny");
    expect(Object.fromEntries(answer.searchParams)).toEqual({ error: "access_denied", state: "a-state", iss: SITE });
  });

  it("is taken from a page of this site in the session that it was shown to", async () => {
    const [browser, other] = [await person(), await person()];
    const page = await browser.open(loopbackProgram().url);
    const request = /name="request" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const body = new URLSearchParams({ request, decision: "allow" });
    const send = (by: CookieBrowser, origin?: string) =>
      by.open(`${SITE}/auth/authorize`, { method: "POST", body, ...(origin !== undefined && { headers: { origin } }) });
    expect((await send(other, SITE)).status).toBe(403);
    for (const origin of ["https://evil.example.com", "null", undefined]) {
      expect((await send(browser, origin)).status).toBe(403);
    }
    expect((await send(scene.browser(), SITE)).status).toBe(403);
    expect((await browser.submit(page, { request: `${request.slice(0, -2)}AA`, decision: "allow" })).status).toBe(403);
    scene.server.advance(10 * 60_000 + 1000);
    expect((await send(browser, SITE)).status).toBe(403);
  });

  it("of the page of a device is none here", async () => {
    const browser = await person();
    const page = await browser.open(loopbackProgram().url);
    const request = /name="request" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const answer = await browser.submit(
      { ...page, text: '<form action="/auth/device/decision">' },
      { request, decision: "allow" },
    );
    expect(answer.status).toBe(400);
  });
});

describe("a program that waits elsewhere", () => {
  it.each(
    walk(
      [
        null,
        "",
        "http://localhost:9999/login",
        "http://localhost.evil:10000/login",
        "https://evil.example.com/login",
        "//evil.example.com",
        "javascript:alert(1)",
      ],
      2,
    ),
  )("at %j gets no answer, and the page says so", async (redirectUri) => {
    const answer = await (await person()).open(loopbackProgram({ redirect_uri: redirectUri }).url);
    expect([answer.status, new URL(answer.url).origin]).toEqual([400, SITE]);
    expect(answer.text).toContain("redirect_uri must be");
  });

  it("or at two places gets none either", async () => {
    const answer = await (await person()).open(`${loopbackProgram().url}&redirect_uri=http://localhost:10001/`);
    expect(answer.status).toBe(400);
  });
});

it.each(
  walk(
    [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_type: null }, "invalid_request"],
      [{ client_id: null }, "invalid_request"],
      [{ client_id: "<script>" }, "invalid_client"],
      [{ code_challenge: null }, "invalid_request"],
      [{ code_challenge: "short" }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge_method: null }, "invalid_request"],
      [{ scope: "openid" }, "invalid_scope"],
    ],
    3,
  ),
)("a program that asks with %j is told %s", async (more, error) => {
  const answer = await answerProgram(await person(), loopbackProgram(more).url);
  expect(Object.fromEntries(answer.searchParams)).toEqual({
    error,
    error_description: expect.any(String),
    state: "a-state",
    iss: SITE,
  });
});

it("the page leads nowhere but to the program", async () => {
  const { headers } = await (await person()).open(loopbackProgram().url);
  expect(headers.get("content-security-policy")).toContain("form-action 'self' http://localhost:10000;");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

describe("a code", () => {
  async function codeFor(more: Record<string, string | null> = {}) {
    const program = loopbackProgram(more);
    const answer = await answerProgram(await person(), program.url);
    return { program, code: answer.searchParams.get("code") ?? "" };
  }
  const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body["error"]];

  it.each(
    walk(
      [
        ["another verifier", { code_verifier: "a".repeat(43) }],
        ["the challenge as the verifier", { code_verifier: "" }],
        ["another program", { client_id: "other" }],
        ["another address", { redirect_uri: "http://localhost:10001/login" }],
        ["the same address by another name", { redirect_uri: "http://127.0.0.1:10000/login" }],
        ["an unknown code", { code: `hpc_${"x".repeat(43)}` }],
        ["a code of another kind", { code: "hpd_x" }],
      ],
      2,
    ),
  )("with %s gives nothing, and stays good for its program", async (_what, more) => {
    const { program, code } = await codeFor();
    const given: Record<string, string> = { ...more };
    if (given["code_verifier"] === "")
      given["code_verifier"] = new URL(program.url).searchParams.get("code_challenge") ?? "";
    expect(outcome(await fetchToken(scene, program, code, given))).toEqual(INVALID);
    expect((await fetchToken(scene, program, code)).status).toBe(200);
  });

  it("is good for one minute", async () => {
    const { program, code } = await codeFor();
    scene.server.advance(61_000);
    expect(outcome(await fetchToken(scene, program, code))).toEqual(INVALID);
  });

  it("is good once: a second use ends the token of the first", async () => {
    const { program, code } = await codeFor();
    const first = String((await fetchToken(scene, program, code)).body["access_token"]);
    const api = createApi(scene.server.url, first);
    expect((await api.ask("{ viewer { credential } }")).viewer.credential).toBe("TOKEN");
    // Without the verifier a stranger cannot end it.
    expect(outcome(await fetchToken(scene, program, code, { code_verifier: "a".repeat(43) }))).toEqual(INVALID);
    expect((await api.ask("{ viewer { credential } }")).viewer.credential).toBe("TOKEN");
    expect(outcome(await fetchToken(scene, program, code))).toEqual(INVALID);
    expect((await api.send("{ viewer { credential } }")).status).toBe(401);
  });

  it("that two fetch at the same time gives one token at most", async () => {
    const { program, code } = await codeFor();
    const answers = await Promise.all(Array.from({ length: 5 }, () => fetchToken(scene, program, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("gives the permissions that the page showed", async () => {
    const { program, code } = await codeFor({ scope: "RUN_READ" });
    expect((await fetchToken(scene, program, code)).body["scope"]).toBe("RUN_READ");
  });
});

it("limits the requests of an address", async () => {
  const statuses = new Set<number>();
  // Points come back meanwhile: 5 a second.
  for (let count = 0; count < 3000 && !statuses.has(429); count += 1) {
    const answer = await fetch(`${scene.server.url}/auth/token`, { method: "POST", body: new URLSearchParams() });
    statuses.add(answer.status);
    if (answer.status !== 429) continue;
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await answer.json()).toEqual({ error: "temporarily_unavailable", error_description: expect.any(String) });
  }
  expect(statuses).toEqual(new Set([400, 429]));
});
