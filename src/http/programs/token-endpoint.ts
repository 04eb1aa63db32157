/** The endpoints at which programs begin a request and fetch a token. */
import type { BegunRequest, GrantError, GrantResult } from "../../domain/programs/program-requests.ts";
import type { IssuedToken } from "../../domain/programs/issue-token.ts";
import { isVerifier, shownUserCode } from "../../model/people/program.ts";
import { senderAddress } from "../kit/client-address.ts";
import { answerJson } from "../kit/json-answer.ts";
import type { HttpExchange } from "../route/route.ts";
import { DEVICE_PATH } from "./device-page.ts";
import { OAuthError } from "./oauth-answer.ts";
import { clientIn, type Parameters, permissionsIn, readParameters } from "./parameters.ts";
import type { PageDeps, ProgramDeps } from "./program-deps.ts";

export const TOKEN_PATH = "/auth/token";
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
export const CODE_GRANT = "authorization_code";
export const EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
const TOKEN_TYPE = "urn:ietf:params:oauth:token-type:";
const ACCESS_TOKEN = `${TOKEN_TYPE}access_token`;

const GRANT_ERRORS: Readonly<Record<GrantError, string>> = {
  authorization_pending: "The person has not answered yet.",
  slow_down: "Ask less often: add 5 s to the interval.",
  access_denied: "The person denied the request, or may not have tokens.",
  expired_token: "The person did not answer in time. Begin again.",
  invalid_grant: "The code is not valid for this program, was used, or has expired.",
};

/** Begins a request that a person answers on another device. */
export async function beginDevice(deps: PageDeps, { request, response }: HttpExchange): Promise<void> {
  const parameters = await readParameters(request);
  const sender = senderAddress(request, deps.trustedProxies);
  const asked = {
    client: clientIn(parameters),
    permissions: permissionsIn(parameters),
    address: sender === "unknown" ? null : sender,
  };
  answerJson(response, 200, deviceAnswer(await deps.requests.begin(asked), deps.signIn.site.origin));
}

/** Without `verification_uri_complete`: who gets a link with the code would allow what another person began. */
function deviceAnswer({ deviceCode, userCode, expiresInS, intervalS }: BegunRequest, origin: string): object {
  return {
    device_code: deviceCode,
    user_code: shownUserCode(userCode),
    verification_uri: `${origin}${DEVICE_PATH}`,
    expires_in: expiresInS,
    interval: intervalS,
  };
}

type Grant = (deps: ProgramDeps, parameters: Parameters) => Promise<object>;

const GRANTS: ReadonlyMap<string, Grant> = new Map([
  [DEVICE_GRANT, byDevice],
  [CODE_GRANT, byCode],
  [EXCHANGE_GRANT, byExchange],
]);

/** Gives a program its token. */
export async function answerToken(deps: ProgramDeps, { request, response }: HttpExchange): Promise<void> {
  const parameters = await readParameters(request);
  const grant = GRANTS.get(parameters.required("grant_type"));
  if (grant === undefined) {
    throw new OAuthError("unsupported_grant_type", `The grant_type must be one of ${[...GRANTS.keys()].join(", ")}.`);
  }
  answerJson(response, 200, await grant(deps, parameters));
}

async function byDevice({ requests }: ProgramDeps, parameters: Parameters): Promise<object> {
  return tokenAnswer(await requests.fetchByDevice(clientIn(parameters), parameters.required("device_code")));
}

async function byCode({ requests }: ProgramDeps, parameters: Parameters): Promise<object> {
  const client = clientIn(parameters);
  const proof = {
    code: parameters.required("code"),
    redirectUri: parameters.required("redirect_uri"),
    verifier: parameters.required("code_verifier"),
  };
  if (!isVerifier(proof.verifier)) return tokenAnswer({ error: "invalid_grant" });
  return tokenAnswer(await requests.fetchByCode(client, proof));
}

const SUBJECT_TYPES = ["jwt", "id_token"].map((type) => TOKEN_TYPE + type);

/** Exchanges a token of another issuer (RFC 8693). What is wrong with it is in the log alone. */
async function byExchange({ exchange, onRefused }: ProgramDeps, parameters: Parameters): Promise<object> {
  if (!SUBJECT_TYPES.includes(parameters.required("subject_token_type"))) {
    throw new OAuthError("invalid_request", `The subject_token_type must be ${SUBJECT_TYPES.join(" or ")}.`);
  }
  const asked = parameters.optional("requested_token_type");
  if (asked !== "" && asked !== ACCESS_TOKEN) {
    throw new OAuthError("invalid_request", `The requested_token_type must be ${ACCESS_TOKEN}, or absent.`);
  }
  const actorId = parameters.optional("audience");
  const result = await exchange({
    subjectToken: parameters.required("subject_token"),
    actorId: actorId === "" ? null : actorId,
    permissions: permissionsIn(parameters),
  });
  if ("token" in result) return { ...bearerAnswer(result.token), issued_token_type: ACCESS_TOKEN };
  if (result.error === "ambiguous") {
    const ids = result.actorIds.join(", ");
    throw new OAuthError("invalid_target", `Several machine users trust this token. Name one as audience: ${ids}.`);
  }
  onRefused(result.reason);
  throw new OAuthError("invalid_request", NOT_TRUSTED);
}

const NOT_TRUSTED =
  "The subject_token is not trusted here, was used before, or could not be verified. The log of the server has the reason.";

function tokenAnswer(result: GrantResult): object {
  if ("error" in result) throw new OAuthError(result.error, GRANT_ERRORS[result.error]);
  return bearerAnswer(result.token);
}

/** The answer with a token (RFC 6749, 5.1). */
function bearerAnswer({ secret, seconds, permissions }: IssuedToken): object {
  return {
    access_token: secret,
    token_type: "Bearer",
    expires_in: seconds,
    ...(permissions !== null && { scope: permissions.join(" ") }),
  };
}
