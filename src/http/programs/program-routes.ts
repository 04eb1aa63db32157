import { LIMITS } from "../../model/kit/limits.ts";
import { createRateLimiter } from "../../model/limit/gcra.ts";
import { PERMISSIONS } from "../../model/people/permission-set.ts";
import { LOOPBACK_PORTS } from "../../model/people/program.ts";
import { senderAddress } from "../kit/client-address.ts";
import { answerJson } from "../kit/json-answer.ts";
import { HttpError } from "../route/failure.ts";
import { type HttpExchange, openRoute, type Route } from "../route/route.ts";
import { AUTHORIZE_PATH, showAuthorize, takeAuthorize } from "./authorize-page.ts";
import { CODE_PATH, createDevicePages, DECISION_PATH, DEVICE_PATH } from "./device-page.ts";
import { forPrograms, oauthErrors } from "./oauth-answer.ts";
import type { PageDeps, ProgramDeps } from "./program-deps.ts";
import { answerToken, beginDevice, CODE_GRANT, DEVICE_GRANT, EXCHANGE_GRANT, TOKEN_PATH } from "./token-endpoint.ts";

type Serve = (exchange: HttpExchange) => void | Promise<void>;

/** The name under which Terraform asks. */
const TERRAFORM = "terraform-cli";

/** Creates the routes by which programs get a token. */
export function createProgramRoutes(deps: ProgramDeps): Route[] {
  const limited = createLimit(deps);
  const token = openRoute({
    path: TOKEN_PATH,
    methods: ["POST"],
    cors: false,
    errors: oauthErrors,
    handler: limited(forPrograms((exchange) => answerToken(deps, exchange))),
  });
  const { signIn } = deps;
  return signIn === null ? [token] : [token, ...pageRoutes({ ...deps, signIn }, limited)];
}

function pageRoutes(deps: PageDeps, limited: (serve: Serve) => Serve): Route[] {
  const device = createDevicePages(deps);
  const begin = forPrograms((exchange) => beginDevice(deps, exchange));
  const page = (path: string, methods: readonly string[], handler: Serve, form = {}): Route =>
    openRoute({ path, methods, cors: false, handler: limited(handler), ...form });
  return [
    // Programs begin a request where people answer it.
    page(
      DEVICE_PATH,
      ["GET", "HEAD", "POST"],
      (exchange) => (exchange.request.method === "POST" ? begin(exchange) : device.show(exchange)),
      { errors: oauthErrors },
    ),
    page(CODE_PATH, ["POST"], (exchange) => device.takeCode(exchange)),
    page(DECISION_PATH, ["POST"], (exchange) => device.takeDecision(exchange)),
    page(AUTHORIZE_PATH, ["GET", "HEAD", "POST"], (exchange) =>
      exchange.request.method === "POST" ? takeAuthorize(deps, exchange) : showAuthorize(deps, exchange),
    ),
    page("/.well-known/terraform.json", ["GET", "HEAD"], ({ response }) =>
      answerJson(response, 200, TERRAFORM_SERVICES),
    ),
    page("/.well-known/oauth-authorization-server", ["GET", "HEAD"], ({ response }) =>
      answerJson(response, 200, describeServer(deps.signIn.site.origin)),
    ),
  ];
}

/** Describes the sign-in of `terraform login`. Terraform resolves the paths at the host that it was given. */
const TERRAFORM_SERVICES = {
  "login.v1": {
    client: TERRAFORM,
    grant_types: ["authz_code"],
    authz: AUTHORIZE_PATH,
    token: TOKEN_PATH,
    ports: LOOPBACK_PORTS,
  },
};

/** Describes the endpoints (RFC 8414). */
function describeServer(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: origin + AUTHORIZE_PATH,
    token_endpoint: origin + TOKEN_PATH,
    device_authorization_endpoint: origin + DEVICE_PATH,
    response_types_supported: ["code"],
    grant_types_supported: [CODE_GRANT, DEVICE_GRANT, EXCHANGE_GRANT],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: PERMISSIONS,
  };
}

/** Limits how often an address may ask: each request takes statements, and those of programs have no caller yet. */
function createLimit({ clock, trustedProxies }: ProgramDeps): (serve: Serve) => Serve {
  const requests = createRateLimiter(LIMITS.programRequests, LIMITS.addressesKnown);
  return (serve) => (exchange) => {
    const address = senderAddress(exchange.request, trustedProxies);
    const { allowed, retryAfterMs } = requests.take(address, 1, clock().getTime());
    if (allowed) return serve(exchange);
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    const message = `Too many requests from your address. Try again in ${seconds} s.`;
    throw new HttpError(429, "RATE_LIMITED", message, { "retry-after": `${seconds}` });
  };
}
