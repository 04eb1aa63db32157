/** Tokens of GitHub Apps: each may read the contents of one repository, for an hour. They are kept in memory alone. */
import { createHash, createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { type AppCredential, githubApi } from "../../model/repository/git-host.ts";
import { AppTokenRefused, type AppTokens } from "../kit/app-tokens.ts";
import type { Resolve } from "../../network/guarded-lookup.ts";
import { TargetRefused } from "../../network/guarded-lookup.ts";
import { type GuardedAnswer, guardedRequest } from "../../network/guarded-request.ts";
import { failureText } from "../../network/untrusted-request.ts";

export interface AppTokensOptions {
  clock: () => Date;
  limits: { appRequestMs: number; appAnswerBytes: number };
  /** Hosts that are allowed although their addresses are not public. */
  allowed: readonly AllowedTarget[];
  resolve?: Resolve | undefined;
  /** Certificates of authorities in place of those of Node. */
  ca?: Buffer | undefined;
}

interface Token {
  token: string;
  expiresAtMs: number;
}

const MAX_KEPT = 1000;
/** A token is used for a fetch of some minutes. */
const LEAST_LEFT_MS = 10 * 60 * 1000;
/** GitHub takes at most ten minutes, and its clock may be another one. */
const PROOF_SECONDS = 9 * 60;
const SKEW_SECONDS = 60;
const REASON_LENGTH = 200;
const HEADERS = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
  "user-agent": "holdpoint",
};

const installationAnswer = z.object({ id: z.int().positive() });
const tokenAnswer = z.object({
  token: z
    .string()
    .min(1)
    .max(REASON_LENGTH * 5),
  expires_at: z.iso.datetime(),
});

export function createAppTokens(options: AppTokensOptions): AppTokens {
  const kept = new LRUCache<string, Promise<Token>>({ max: MAX_KEPT });
  const isUsable = ({ expiresAtMs }: Token): boolean => expiresAtMs - options.clock().getTime() > LEAST_LEFT_MS;
  return {
    async of(app, { name, url }) {
      const parts = [app.appId, app.privateKey, url, name];
      const key = createHash("sha256").update(JSON.stringify(parts)).digest("base64");
      for (;;) {
        const known = kept.get(key);
        const asked = known ?? askToken(options, app, { name, url });
        if (known === undefined) kept.set(key, asked);
        const forget = (): boolean => kept.peek(key) === asked && kept.delete(key);
        try {
          const token = await asked;
          // A new token is used in any case.
          if (known === undefined || isUsable(token)) return token.token;
          forget();
        } catch (error) {
          forget();
          throw error;
        }
      }
    },
  };
}

/** Asks for a token by two requests. Throws AppTokenRefused. */
async function askToken(
  options: AppTokensOptions,
  app: AppCredential,
  { name, url }: { name: string; url: string },
): Promise<Token> {
  const api = githubApi(url);
  const { host } = new URL(api);
  const ask = createAsk(options, await prove(app, options.clock()), AbortSignal.timeout(options.limits.appRequestMs));
  const found = await ask(new URL(`${api}/repos/${name}/installation`));
  if (found.status === 404) {
    throw new AppTokenRefused(`The app ${app.appId} is not installed for ${name}. Install it there.`);
  }
  const { id } = read(installationAnswer, found, 200, host);
  const answer = await ask(new URL(`${api}/app/installations/${id}/access_tokens`), {
    repositories: [name.split("/").at(-1)],
    permissions: { contents: "read" },
  });
  if (answer.status === 422) {
    throw new AppTokenRefused(
      `The app ${app.appId} may not read ${name}: give it the permission Contents, and accept that for its installation.`,
    );
  }
  const { token, expires_at: expiresAt } = read(tokenAnswer, answer, 201, host);
  return { token, expiresAtMs: Date.parse(expiresAt) };
}

/** Signs that a request is of the app. */
async function prove({ appId, privateKey }: AppCredential, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  return await new SignJWT()
    .setProtectedHeader({ alg: "RS256" })
    .setIssuer(appId)
    .setIssuedAt(seconds - SKEW_SECONDS)
    .setExpirationTime(seconds + PROOF_SECONDS)
    .sign(createPrivateKey(privateKey));
}

type Ask = (url: URL, body?: object) => Promise<GuardedAnswer>;

function createAsk({ allowed, resolve, ca, limits }: AppTokensOptions, proof: string, signal: AbortSignal): Ask {
  return async (url, body) => {
    const bodyText = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      ...HEADERS,
      authorization: `Bearer ${proof}`,
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": `${Buffer.byteLength(bodyText)}`,
      }),
    };
    const method = body === undefined ? "GET" : "POST";
    const settings = {
      method,
      headers,
      body: bodyText,
      allowed,
      resolve,
      ca,
      signal,
      bytes: limits.appAnswerBytes,
    } as const;
    return guardedRequest(url, settings).catch((error: unknown) => {
      throw new AppTokenRefused(reasonOf(error, url.host, signal), { cause: error });
    });
  };
}

function reasonOf(error: unknown, host: string, signal: AbortSignal): string {
  if (signal.aborted) return `The host ${host} did not answer in time.`;
  if (error instanceof TargetRefused) {
    return `The host ${host} has an internal address, which HOLDPOINT_GIT_ALLOW does not name.`;
  }
  return `The host ${host} cannot be reached: ${failureText(error, REASON_LENGTH)}`;
}

/** Reads an answer of the expected status. */
function read<Answer>(
  form: z.ZodType<Answer>,
  { status, body }: GuardedAnswer,
  expected: number,
  host: string,
): Answer {
  if (status === 401) {
    throw new AppTokenRefused(
      `The host ${host} refuses the app (status 401). Replace appId and privateKey, or set the clock of this server.`,
    );
  }
  if (status >= 300 && status < 400) {
    throw new AppTokenRefused(`The host ${host} redirects, which is not followed. Was the repository renamed?`);
  }
  if (status !== expected) throw new AppTokenRefused(`The host ${host} answered with status ${status}.`);
  const parsed = form.safeParse(parse(body));
  if (!parsed.success) throw new AppTokenRefused(`The host ${host} gave an answer that is none of GitHub's API.`);
  return parsed.data;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
