/** Signing in with a token of the API, or with the link that a start prints. */
import { z } from "zod";
import { senderAddress } from "../kit/client-address.ts";
import { answerJson } from "../kit/json-answer.ts";
import { isOfOwnPage } from "../kit/site.ts";
import { HttpError } from "../route/failure.ts";
import type { HttpExchange } from "../route/route.ts";
import { readJson } from "./body.ts";
import { browserOf, sessionCookie } from "./session-cookie.ts";
import type { SignInDeps } from "./sign-in-deps.ts";

const SECRET_LENGTH = 512;
const shown = z.union([
  z.strictObject({ token: z.string().max(SECRET_LENGTH) }),
  z.strictObject({ code: z.string().max(SECRET_LENGTH) }),
]);

/** Opens a session for a page of this site. The browser keeps a cookie that scripts cannot read, and no token. */
export async function signInWithToken(deps: SignInDeps, { request, response }: HttpExchange): Promise<void> {
  const { site, signIns, trustedProxies } = deps;
  if (!isOfOwnPage(site, request)) {
    throw new HttpError(403, "FORBIDDEN", `Only a page of ${site.origin} can sign in. Open that address.`);
  }
  const { data } = shown.safeParse(await readJson(request));
  if (data === undefined) {
    throw new HttpError(400, "INVALID_INPUT", 'Send {"token": "hpt_..."}, or {"code": "..."} with the code of a link.');
  }
  const browser = browserOf(site, request, senderAddress(request, trustedProxies));
  try {
    const { actor, secret } = await ("token" in data
      ? signIns.byToken(data.token.trim(), browser)
      : signIns.byLink(data.code, browser));
    response.setHeader("set-cookie", sessionCookie(site, secret));
    response.setHeader("cache-control", "no-store");
    answerJson(response, 200, { actor: { id: actor.id, name: actor.name } });
  } catch (error) {
    if (!(error instanceof Error && error.name === "SignInRefused")) throw error;
    deps.onRefused(error, "token");
    throw new HttpError(400, "SIGN_IN_REFUSED", error.message);
  }
}
