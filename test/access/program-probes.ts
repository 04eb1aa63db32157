/** Programs that a person lets in, by a code or by a redirect: each step by the wrong one, too late, or a second time. */
import { createHash } from "node:crypto";
import { createProgramRequests } from "../../src/domain/programs/program-requests.ts";
import type { CookieBrowser } from "../support/cookie-browser.ts";
import { createApi } from "../support/api.ts";
import {
  answerProgram,
  beginDevice,
  DEVICE_GRANT,
  fetchToken,
  loopbackProgram,
  type OAuthAnswer,
  poll,
  sendForm,
  signedInPerson,
  signInAgain,
  typeCode,
} from "../support/program-steps.ts";
import { SITE, type SignInScene } from "../support/sign-in.ts";
import type { Probe } from "./walk-scene.ts";

const MINUTE_MS = 60_000;
const ALLOW = { decision: "allow" };
const DENY = { decision: "deny" };

/** What came of it: a status with the error of OAuth, or with the page. */
type Outcome = string;

const outcomeOf = ({ status, body }: OAuthAnswer): Outcome =>
  `${status} ${typeof body["error"] === "string" ? body["error"] : "token"}`;

/** People with a browser each, and what programs and they do. */
interface Cast {
  scene: SignInScene;
  ann: CookieBrowser;
  ben: CookieBrowser;
}

/** A probe of steps, of which each has an outcome. */
function steps({ scene }: Cast, name: string, wanted: readonly Outcome[], take: () => Promise<Outcome[]>): Probe {
  return {
    name,
    async run() {
      // Addresses and people are limited by the minute, and people must have signed in lately.
      scene.server.advance(2 * MINUTE_MS);
      await signInAgain(scene);
      const found = await take();
      return found.join(", ") === wanted.join(", ") ? null : `${found.join(", ")} instead of ${wanted.join(", ")}`;
    },
  };
}

export async function programProbes(scene: SignInScene): Promise<Probe[]> {
  const cast: Cast = { scene, ann: await signedInPerson(scene, "ann"), ben: await signedInPerson(scene, "ben") };
  return [...deviceProbes(cast), ...pageProbes(cast), ...redirectProbes(cast), ...formProbes(cast), ...ownProbes(cast)];
}

/** A request that a person has answered on the page. */
async function answered({ scene, ann }: Cast, decision: { decision: string }) {
  const begun = await beginDevice(scene);
  await ann.submit(await typeCode(ann, begun.userCode), decision);
  return begun;
}

/** Lets all requests of programs end. */
async function endAll({ scene }: Cast): Promise<void> {
  const { sql } = scene.server.deps.database;
  await sql.updateTable("program_request").set({ expires_at: "2000-01-01T00:00:00.000Z" }).execute();
}

function deviceProbes(cast: Cast): Probe[] {
  const { scene, ann, ben } = cast;
  const give = async (deviceCode: string, client?: string) => outcomeOf(await poll(scene, deviceCode, client));
  return [
    steps(cast, "a device gets one token", ["200 token", "400 invalid_grant"], async () => {
      const { deviceCode } = await answered(cast, ALLOW);
      return [await give(deviceCode), await give(deviceCode)];
    }),
    steps(cast, "a device waits for the answer", ["400 authorization_pending", "400 slow_down"], async () => {
      const { deviceCode } = await beginDevice(scene);
      return [await give(deviceCode), await give(deviceCode)];
    }),
    steps(cast, "a device that was denied", ["400 access_denied"], async () => [
      await give((await answered(cast, DENY)).deviceCode),
    ]),
    steps(cast, "a device of another program", ["400 invalid_grant", "200 token"], async () => {
      const { deviceCode } = await answered(cast, ALLOW);
      return [await give(deviceCode, "other"), await give(deviceCode)];
    }),
    steps(cast, "an unknown code of a device", ["400 invalid_grant"], async () => [
      await give(`hpd_${"x".repeat(43)}`),
    ]),
    steps(cast, "a code of a redirect for a device", ["400 invalid_grant"], async () => {
      const answer = await answerProgram(ann, loopbackProgram().url);
      return [await give(answer.searchParams.get("code") ?? "", "terraform-cli")];
    }),
    steps(cast, "a device that comes too late", ["400 expired_token"], async () => {
      const { deviceCode } = await answered(cast, ALLOW);
      await endAll(cast);
      return [await give(deviceCode)];
    }),
    steps(cast, "a device of a person who is disabled", ["400 access_denied"], async () => {
      const { deviceCode } = await answered(cast, ALLOW);
      const { sql } = scene.server.deps.database;
      const actors = (at: string | null) =>
        sql.updateTable("actor").set({ disabled_at: at }).where("name", "=", "ann").execute();
      await actors("2000-01-01T00:00:00.000Z");
      const outcome = await give(deviceCode);
      await actors(null);
      return [outcome];
    }),
    steps(cast, "an answer that comes too late or second", ["400", "200", "400"], async () => {
      const late = await beginDevice(scene);
      const page = await typeCode(ann, late.userCode);
      await endAll(cast);
      const { userCode } = await beginDevice(scene);
      const [one, two] = [await typeCode(ann, userCode), await typeCode(ben, userCode)];
      return [await ann.submit(page, ALLOW), await ann.submit(one, DENY), await ben.submit(two, ALLOW)].map(
        ({ status }) => `${status}`,
      );
    }),
  ];
}

/** Requests of pages with a header less, or another. */
function pageProbes(cast: Cast): Probe[] {
  const { scene, ann, ben } = cast;
  const send = async (browser: CookieBrowser, path: string, body: Record<string, string>, origin = SITE) => {
    const init = { method: "POST", body: new URLSearchParams(body), headers: { origin } };
    return `${(await browser.open(SITE + path, init)).status}`;
  };
  const requestIn = (text: string): string => /name="request" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const forget = async (): Promise<void> => {
    const { sql } = scene.server.deps.database;
    await sql.updateTable("session").set({ present_at: "2000-01-01T00:00:00.000Z" }).execute();
  };
  const paths = ["/auth/device/code", "/auth/device/decision", "/auth/authorize"] as const;
  /** A form that was shown to Ann, with the path that takes it. */
  const shown = async (path: (typeof paths)[number]): Promise<Record<string, string>> => {
    const { userCode } = await beginDevice(scene);
    if (path === "/auth/device/code") return { code: userCode };
    const page = path === "/auth/authorize" ? await ann.open(loopbackProgram().url) : await typeCode(ann, userCode);
    return { request: requestIn(page.text), ...DENY };
  };
  return [
    steps(cast, "pages without a session lead to the sign-in", ["/auth/login", "/auth/login"], async () => {
      const visits = [
        await scene.browser().open(`${SITE}/auth/device`),
        await scene.browser().open(loopbackProgram().url),
      ];
      return visits.map(({ url }) => new URL(url).pathname);
    }),
    steps(
      cast,
      "pages for a person who signed in long ago lead there too",
      ["/auth/login", "/auth/login"],
      async () => {
        await forget();
        const visits = [await ann.open(`${SITE}/auth/device`), await ann.open(loopbackProgram().url)];
        return visits.map(({ url }) => new URL(url).pathname);
      },
    ),
    ...paths.flatMap((path) => [
      steps(cast, `${path} without a session`, ["403"], async () => [
        await send(scene.browser(), path, await shown(path)),
      ]),
      steps(cast, `${path} by a person who signed in long ago`, ["403"], async () => {
        const form = await shown(path);
        await forget();
        return [await send(ann, path, form)];
      }),
      steps(cast, `${path} from a page of another site`, ["403"], async () => [
        await send(ann, path, await shown(path), "https://evil.example.com"),
      ]),
    ]),
    steps(cast, "forms that were shown to another person", ["400", "403"], async () => [
      await send(ben, "/auth/device/decision", await shown("/auth/device/decision")),
      await send(ben, "/auth/authorize", await shown("/auth/authorize")),
    ]),
    steps(cast, "forms of the other page", ["400", "403"], async () => [
      await send(ann, "/auth/device/decision", await shown("/auth/authorize")),
      await send(ann, "/auth/authorize", await shown("/auth/device/decision")),
    ]),
    steps(cast, "forged forms", ["400", "403"], async () => [
      await send(ann, "/auth/device/decision", { request: "AQ", ...ALLOW }),
      await send(ann, "/auth/authorize", { request: "AQ", ...ALLOW }),
    ]),
    steps(cast, "a code that is none, and one that is not known", ["400", "400"], async () => [
      await send(ben, "/auth/device/code", { code: "no code" }),
      await send(ben, "/auth/device/code", { code: "BBBB-BBBB" }),
    ]),
    steps(cast, "guesses of codes", ["429"], async () => {
      let status = "";
      for (let tries = 0; tries < 8; tries += 1) status = await send(ben, "/auth/device/code", { code: "CCCC-CCCC" });
      // Others come later.
      scene.server.advance(30 * MINUTE_MS);
      return [status];
    }),
  ];
}

function redirectProbes(cast: Cast): Probe[] {
  const { scene, ann } = cast;
  const codeFor = async (more: Record<string, string | null> = {}) => {
    const program = loopbackProgram(more);
    return { program, code: (await answerProgram(ann, program.url)).searchParams.get("code") ?? "" };
  };
  const good = "200 token";
  const bad = "400 invalid_grant";
  const wrong: [string, Record<string, string>][] = [
    ["another verifier", { code_verifier: "a".repeat(43) }],
    ["another program", { client_id: "other" }],
    ["another address", { redirect_uri: "http://localhost:10001/login" }],
    ["an unknown code", { code: `hpc_${"x".repeat(43)}` }],
    ["a code of another kind", { code: "hpd_x" }],
  ];
  return [
    ...wrong.map(([what, more]) =>
      steps(cast, `a code with ${what}`, [bad, good], async () => {
        const { program, code } = await codeFor();
        return [
          outcomeOf(await fetchToken(scene, program, code, more)),
          outcomeOf(await fetchToken(scene, program, code)),
        ];
      }),
    ),
    steps(cast, "a code that is used twice", [good, bad, "401"], async () => {
      const { program, code } = await codeFor();
      const first = await fetchToken(scene, program, code);
      const second = await fetchToken(scene, program, code);
      const api = createApi(scene.server.url, String(first.body["access_token"]));
      return [outcomeOf(first), outcomeOf(second), `${(await api.send("{ viewer { isAdmin } }")).status}`];
    }),
    steps(cast, "a code that comes too late", [bad], async () => {
      const { program, code } = await codeFor();
      await endAll(cast);
      return [outcomeOf(await fetchToken(scene, program, code))];
    }),
    steps(cast, "a verifier that is too short to be one", [bad], async () => {
      const code_challenge = createHash("sha256").update("short").digest("base64url");
      const { program, code } = await codeFor({ code_challenge });
      return [outcomeOf(await fetchToken(scene, program, code, { code_verifier: "short" }))];
    }),
    steps(cast, "a program that waits on another machine", ["400", "400", "400"], async () => {
      const urls = [
        loopbackProgram({ redirect_uri: "https://evil.example.com/login" }).url,
        loopbackProgram({ state: "s".repeat(2000) }).url,
        `${loopbackProgram().url}&redirect_uri=http://localhost:10001/`,
      ];
      const visits = await Promise.all(urls.map((url) => ann.open(url, {}, (to) => to.includes("evil"))));
      return visits.map(({ status }) => `${status}`);
    }),
    ...(
      [
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ client_id: "<script>" }, "invalid_client"],
        [{ code_challenge: null }, "invalid_request"],
        [{ code_challenge: "short" }, "invalid_request"],
        [{ code_challenge_method: "plain" }, "invalid_request"],
        [{ scope: "openid" }, "invalid_scope"],
      ] satisfies [Record<string, string | null>, string][]
    ).map(([more, error]) =>
      steps(cast, `a program that asks with ${JSON.stringify(more)}`, [error], async () => {
        const { searchParams } = await answerProgram(ann, loopbackProgram(more).url);
        return [searchParams.get("error") ?? "a code"];
      }),
    ),
    steps(cast, "a program that is denied", ["access_denied"], async () => {
      const { searchParams } = await answerProgram(ann, loopbackProgram().url, "deny");
      return [searchParams.get("error") ?? "a code"];
    }),
  ];
}

/** Forms that are no proper request. */
function formProbes(cast: Cast): Probe[] {
  const { scene } = cast;
  const { url } = scene.server;
  const twice = new URLSearchParams("client_id=a&client_id=b");
  const forms: [string, Record<string, string> | URLSearchParams, Outcome][] = [
    ["device", {}, "400 invalid_request"],
    ["device", { client_id: "<b>" }, "401 invalid_client"],
    ["device", { client_id: "a", scope: "EVERYTHING" }, "400 invalid_scope"],
    ["device", twice, "400 invalid_request"],
    ["token", { grant_type: "password" }, "400 unsupported_grant_type"],
    ["token", { grant_type: DEVICE_GRANT }, "400 invalid_request"],
  ];
  return [
    ...forms.map(([path, form, wanted]) =>
      steps(cast, `${path} with ${new URLSearchParams(form).toString()}`, [wanted], async () => [
        outcomeOf(await sendForm(`${url}/auth/${path}`, form)),
      ]),
    ),
    steps(cast, "a form that is none", ["400"], async () => {
      const headers = { "content-type": "text/plain" };
      const answer = await fetch(`${url}/auth/device`, { method: "POST", headers, body: "client_id=a" });
      return [`${answer.status}`];
    }),
    steps(cast, "a form that is too large", ["413"], async () => [
      `${(await sendForm(`${url}/auth/token`, { grant_type: "x".repeat(40_000) })).status}`,
    ]),
  ];
}

/** The requests themselves, as if no page had looked at the person. */
function ownProbes(cast: Cast): Probe[] {
  const { scene, ann } = cast;
  const { deps, domain, api } = scene.server;
  const requests = createProgramRequests(deps);
  const request = { client: "cli", address: null, permissions: null };
  const redirect = { redirectUri: "http://localhost:10000/", challenge: "c".repeat(43) };
  const codeOf = (work: Promise<unknown>): Promise<Outcome> =>
    work.then(
      (value) => (value === false ? "false" : "done"),
      (error: unknown) => String(error),
    );
  const callers = async () => {
    const secret = ann.cookie(SITE, "holdpoint") ?? "";
    const [token, session] = [await domain.authenticate(api.token), await domain.authenticate(secret)];
    if (token === null || session === null) throw new Error("The credentials are not in force.");
    return { token, session, stale: { ...session, presentAt: "2000-01-01T00:00:00.000Z" } };
  };
  const byToken = "Error: A token answers no program.";
  return [
    steps(cast, "a token answers programs", [byToken, byToken], async () => {
      const { token } = await callers();
      const { userCode } = await requests.begin(request);
      return [
        await codeOf(requests.decide(token, userCode, true)),
        await codeOf(requests.allow(token, request, redirect)),
      ];
    }),
    steps(cast, "a person who signed in long ago answers programs", ["true", "true"], async () => {
      const { stale } = await callers();
      const { userCode } = await requests.begin(request);
      const codes = [
        await codeOf(requests.decide(stale, userCode, true)),
        await codeOf(requests.allow(stale, request, redirect)),
      ];
      return codes.map((code) => `${code.startsWith("UserError")}`);
    }),
    steps(cast, "a person answers to what is no code", ["false"], async () => [
      await codeOf(requests.decide((await callers()).session, "no code", true)),
    ]),
  ];
}
