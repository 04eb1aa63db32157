/** The exchanges by which browsers make and use passkeys, as JSON. */
import { z } from "zod";
import type { Begun, Passkeys, Registrant } from "../../domain/sign-in/passkeys.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { answerJson } from "../kit/json-answer.ts";
import { senderAddress } from "../kit/client-address.ts";
import { cookieName, isOfOwnPage, readCookie, sessionSecret, writeCookie } from "../kit/site.ts";
import { HttpError } from "../route/failure.ts";
import { type HttpExchange, openRoute, type Route } from "../route/route.ts";
import { readJson } from "./body.ts";
import { browserOf, sessionCookie } from "./session-cookie.ts";
import type { SignInDeps } from "./sign-in-deps.ts";

const CHALLENGE_COOKIE = "holdpoint-passkey";
const CODE_LENGTH = 100;

const begin = z.object({ code: z.string().max(CODE_LENGTH).optional() });
const finish = begin.extend({ credential: z.unknown(), name: z.string().max(LIMITS.nameLength).optional() });

type PasskeyDeps = SignInDeps & { passkeys: Passkeys };
type Limit = (exchange: HttpExchange, work: () => Promise<void>) => Promise<void>;

export function createPasskeyRoutes(deps: PasskeyDeps, limit: Limit): Route[] {
  const { passkeys, signIns } = deps;
  const steps = {
    "/auth/passkey/register/begin": async (exchange: HttpExchange) => {
      const { code } = await inputOf(exchange, begin);
      answerBegun(deps, exchange, await passkeys.beginRegistration(await registrantOf(deps, exchange, code)));
    },
    "/auth/passkey/register/finish": async (exchange: HttpExchange) => {
      const { code, credential, name } = await inputOf(exchange, finish);
      const registrant = await registrantOf(deps, exchange, code);
      const answer = { challenge: challengeOf(deps, exchange), credential, ...(name !== undefined && { name }) };
      const opened = await passkeys.finishRegistration(registrant, answer, ownBrowser(deps, exchange));
      answerFinished(deps, exchange, opened?.secret ?? null);
    },
    "/auth/passkey/login/begin": async (exchange: HttpExchange) => {
      answerBegun(deps, exchange, await passkeys.beginSignIn());
    },
    "/auth/passkey/login/finish": async (exchange: HttpExchange) => {
      const { credential } = await inputOf(exchange, finish);
      const answer = { challenge: challengeOf(deps, exchange), credential };
      const { secret } = await passkeys.finishSignIn(answer, ownBrowser(deps, exchange));
      answerFinished(deps, exchange, secret);
    },
  };
  return Object.entries(steps).map(([path, step]) =>
    openRoute({
      path,
      methods: ["POST"],
      cors: false,
      handler: (exchange) => limit(exchange, () => refusing(deps, exchange, () => step(exchange))),
    }),
  );

  function challengeOf({ site }: SignInDeps, { request }: HttpExchange): string {
    const challenge = signIns.open("challenge", readCookie(request, cookieName(site, CHALLENGE_COOKIE)));
    if (challenge === null) throw new HttpError(400, "SIGN_IN_REFUSED", "It took too long. Try again.");
    return challenge;
  }
}

/** Only pages of this site may begin. What the person can act on is shown, and the reason is logged. */
async function refusing(deps: SignInDeps, { request }: HttpExchange, step: () => Promise<void>): Promise<void> {
  if (!isOfOwnPage(deps.site, request)) {
    throw new HttpError(403, "FORBIDDEN", `Only a page of ${deps.site.origin} can sign in. Open that address.`);
  }
  try {
    await step();
  } catch (error) {
    if (!(error instanceof Error && error.name === "SignInRefused")) throw error;
    deps.onRefused(error, "passkey");
    throw new HttpError(400, "SIGN_IN_REFUSED", error.message);
  }
}

async function inputOf<Form extends z.ZodType>({ request }: HttpExchange, form: Form): Promise<z.output<Form>> {
  const { data } = form.safeParse(await readJson(request));
  if (data === undefined) throw new HttpError(400, "INVALID_INPUT", "The body is not as this page sends it.");
  return data;
}

/** The code of an invitation counts before a session: it is for another person. */
async function registrantOf(
  { site, enter }: SignInDeps,
  { request }: HttpExchange,
  code: string | undefined,
): Promise<Registrant> {
  if (code !== undefined) return { code };
  const secret = sessionSecret(site, request);
  const caller = secret === "" ? null : await enter(secret, request);
  if (caller === null) throw new HttpError(401, "UNAUTHENTICATED", "You are not signed in. Sign in first.");
  return { caller };
}

function ownBrowser({ site, trustedProxies }: SignInDeps, { request }: HttpExchange) {
  return browserOf(site, request, senderAddress(request, trustedProxies));
}

function answerBegun({ site, signIns }: SignInDeps, { response }: HttpExchange, { options, challenge }: Begun): void {
  const cookie = writeCookie(
    site,
    cookieName(site, CHALLENGE_COOKIE),
    signIns.seal("challenge", challenge),
    LIMITS.signInMs / 1000,
  );
  response.setHeader("set-cookie", cookie);
  response.setHeader("cache-control", "no-store");
  answerJson(response, 200, { options });
}

function answerFinished({ site }: SignInDeps, { response }: HttpExchange, secret: string | null): void {
  const noChallenge = writeCookie(site, cookieName(site, CHALLENGE_COOKIE), "", 0);
  response.setHeader("set-cookie", secret === null ? [noChallenge] : [noChallenge, sessionCookie(site, secret)]);
  response.setHeader("cache-control", "no-store");
  answerJson(response, 200, {});
}
