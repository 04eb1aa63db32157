/** The page to which a program of the person's own machine sends the browser (RFC 8252), as `terraform login` does. */
import { isChallenge, isLoopbackRedirect } from "../../model/people/program.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import type { HttpExchange } from "../route/route.ts";
import { senderAddress } from "../kit/client-address.ts";
import { readForm } from "../sign-in/body.ts";
import { escapeHtml } from "../sign-in/page.ts";
import { OAuthError } from "./oauth-answer.ts";
import { clientIn, type Parameters, parametersIn, permissionsIn } from "./parameters.ts";
import {
  answerButtons,
  answerPage,
  answerProblem,
  answerSignIn,
  describePermissions,
  describeRequest,
  personOf,
  personOfForm,
} from "./person.ts";
import type { PageDeps } from "./program-deps.ts";
import { openRequest, sealRequest } from "./sealed-request.ts";

export const AUTHORIZE_PATH = "/auth/authorize";

const STATE_LENGTH = 1024;
const AGAIN = "Start the program again.";
const NOT_LOOPBACK =
  "The address at which the program waits is missing or not on this machine: redirect_uri must be http://localhost or http://127.0.0.1 with a port from 10000 to 10010.";

/** Where the browser brings the answer. */
interface Return {
  redirectUri: string;
  state: string;
}

/** Shows the person which program asks for what. */
export async function showAuthorize(deps: PageDeps, exchange: HttpExchange): Promise<void> {
  const url = new URL(exchange.request.url ?? "/", deps.signIn.site.origin);
  const parameters = parametersIn(url.searchParams);
  const to = returnOf(parameters);
  if (to === null) return answerProblem(exchange, 400, NOT_LOOPBACK);
  const asked = askedFor(parameters);
  if (asked instanceof OAuthError)
    return bring(deps, exchange, to, { error: asked.code, error_description: asked.message });
  const person = await personOf(deps, exchange);
  if (person === null) return answerSignIn(exchange, `${url.pathname}${url.search}`);
  const { client, permissions } = asked;
  const { host, origin } = new URL(to.redirectUri);
  const facts = describeRequest(person, [
    ["Program", client],
    ["It waits at", host],
    ["It may do", describePermissions(permissions)],
  ]);
  const sealed = sealRequest(deps, person, { ...asked, ...to, type: "redirect" });
  const body = `<p>The program <strong>${escapeHtml(client)}</strong> on this machine, as it calls itself, asks for a token of yours.
        Deny it if you have not just started it yourself.</p>
      ${facts}
      ${answerButtons(AUTHORIZE_PATH, sealed)}`;
  answerPage(exchange, { title: "Let a program in", body, formTarget: origin });
}

/** Takes the answer of the person and brings it to the program. */
export async function takeAuthorize(deps: PageDeps, exchange: HttpExchange): Promise<void> {
  const person = await personOfForm(deps, exchange);
  const form = await readForm(exchange.request);
  const shown = person === null ? null : openRequest(deps, person, form.get("request") ?? "");
  if (person === null || shown?.type !== "redirect") return answerProblem(exchange, 403, AGAIN);
  const { client, permissions, redirectUri, challenge, state } = shown;
  if (form.get("decision") !== "allow") {
    return bring(deps, exchange, { redirectUri, state }, { error: "access_denied" });
  }
  const sender = senderAddress(exchange.request, deps.trustedProxies);
  const request = { client, permissions, address: sender === "unknown" ? null : sender };
  const code = await deps.requests.allow(person, request, { redirectUri, challenge });
  bring(deps, exchange, { redirectUri, state }, { code });
}

/** Returns where the program waits; `null` if that is no address of the person's own machine. No other gets an answer. */
function returnOf(parameters: Parameters): Return | null {
  try {
    const redirectUri = parameters.optional("redirect_uri");
    const state = parameters.optional("state");
    return isLoopbackRedirect(redirectUri) && state.length <= STATE_LENGTH ? { redirectUri, state } : null;
  } catch {
    return null;
  }
}

/** Reads what the program asks for; gives its error, which the program gets. */
function askedFor(
  parameters: Parameters,
): { client: string; permissions: Permission[] | null; challenge: string } | OAuthError {
  try {
    const client = clientIn(parameters);
    if (parameters.required("response_type") !== "code") {
      throw new OAuthError("unsupported_response_type", "The parameter response_type must be code.");
    }
    const challenge = parameters.required("code_challenge");
    if (parameters.required("code_challenge_method") !== "S256" || !isChallenge(challenge)) {
      throw new OAuthError("invalid_request", "The code_challenge must be that of a verifier by the method S256.");
    }
    const permissions = permissionsIn(parameters);
    return { client, challenge, permissions: permissions === null ? null : [...permissions] };
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

/** Sends the browser to the program. The issuer keeps it from taking the answer for one of another server (RFC 9207). */
function bring(
  { signIn }: PageDeps,
  { response }: HttpExchange,
  { redirectUri, state }: Return,
  answer: Record<string, string>,
): void {
  const url = new URL(redirectUri);
  url.search = new URLSearchParams({ ...answer, ...(state !== "" && { state }), iss: signIn.site.origin }).toString();
  const headers = { location: url.href, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  response.writeHead(303, headers).end();
}
