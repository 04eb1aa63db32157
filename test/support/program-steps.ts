/** Programs that ask a person for a token. */
import { createHash, randomBytes } from "node:crypto";
import type { CookieBrowser, Visit } from "./cookie-browser.ts";
import { SITE, type SignInScene } from "./sign-in.ts";

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** An answer in the form of OAuth. */
export interface OAuthAnswer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Sends a form as a program does. */
export async function sendForm(url: string, fields: Record<string, string> | URLSearchParams): Promise<OAuthAnswer> {
  const answer = await fetch(url, { method: "POST", body: new URLSearchParams(fields) });
  return { status: answer.status, body: JSON.parse(await answer.text()), headers: answer.headers };
}

/** A person who has just signed in. */
export async function signedInPerson(scene: SignInScene, name: string, claims: object = {}): Promise<CookieBrowser> {
  scene.provider.people.set(name, { name, ...claims });
  const browser = scene.browser();
  await scene.signIn(browser, name);
  await signInAgain(scene);
  return browser;
}

/** Lets all people prove to be present. The clock of the provider does not move with that of the server. */
export async function signInAgain({ server: { deps } }: SignInScene): Promise<void> {
  const { sql } = deps.database;
  await sql.updateTable("session").set({ present_at: deps.clock().toISOString() }).execute();
}

export interface Device {
  deviceCode: string;
  userCode: string;
  body: Record<string, unknown>;
}

/** Begins a request as a program without a browser. */
export async function beginDevice(scene: SignInScene, more: Record<string, string> = {}): Promise<Device> {
  const { status, body } = await sendForm(`${scene.server.url}/auth/device`, { client_id: "holdpoint-cli", ...more });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { deviceCode: String(body["device_code"]), userCode: String(body["user_code"]), body };
}

export function poll(scene: SignInScene, deviceCode: string, client = "holdpoint-cli"): Promise<OAuthAnswer> {
  const fields = { grant_type: DEVICE_GRANT, client_id: client, device_code: deviceCode };
  return sendForm(`${scene.server.url}/auth/token`, fields);
}

/** Types a code into the page. Gives the page with the question, or the one that says what is wrong. */
export async function typeCode(browser: CookieBrowser, code: string): Promise<Visit> {
  return browser.submit(await browser.open(`${SITE}/auth/device`), { code });
}

/** A program that waits for the browser on a port of this machine. */
export interface LoopbackProgram {
  verifier: string;
  redirectUri: string;
  /** The address that the program opens in the browser. */
  url: string;
}

export function loopbackProgram(more: Record<string, string | null> = {}): LoopbackProgram {
  const verifier = randomBytes(32).toString("base64url");
  const redirectUri = "http://localhost:10000/login";
  const parameters: Record<string, string | null> = {
    client_id: "terraform-cli",
    response_type: "code",
    redirect_uri: redirectUri,
    state: "a-state",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  };
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const url = `${SITE}/auth/authorize?${new URLSearchParams(given).toString()}`;
  return { verifier, redirectUri: parameters["redirect_uri"] ?? "", url };
}

const isLoopback = (url: string): boolean => url.startsWith("http://localhost:100");

/** Opens the page of a program and answers it. Gives the address to which the browser is sent. */
export async function answerProgram(browser: CookieBrowser, url: string, decision = "allow"): Promise<URL> {
  const page = await browser.open(url, {}, isLoopback);
  const answered = isLoopback(page.url) ? page : await browser.submit(page, { decision }, isLoopback);
  return new URL(answered.url);
}

/** Fetches the token of a code. `more` replaces what is sent. */
export function fetchToken(
  scene: SignInScene,
  { verifier, redirectUri }: LoopbackProgram,
  code: string,
  more: Record<string, string> = {},
): Promise<OAuthAnswer> {
  return sendForm(`${scene.server.url}/auth/token`, {
    grant_type: "authorization_code",
    client_id: "terraform-cli",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...more,
  });
}

/** The text of a page as a person reads it: its body without marks, each run of white space as one blank. */
export function readText({ text }: Visit): string {
  const [, body = ""] = text.split("</header>");
  return body
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
