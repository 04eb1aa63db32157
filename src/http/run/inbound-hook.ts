/** `POST /hooks/in/<id>`: another system makes the runs of an inbound hook. */
import type { IncomingMessage } from "node:http";
import type { InboundHooks } from "../../domain/schedule/receive-hook.ts";
import { readBody } from "../../ingestion/body.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { createRateLimiter } from "../../model/limit/gcra.ts";
import type { Json } from "../../model/plan/plan.ts";
import { senderAddress, type TrustedNetwork } from "../kit/client-address.ts";
import { answerJson } from "../kit/json-answer.ts";
import { HttpError, unauthenticated } from "../route/failure.ts";
import { openRoute, type Route } from "../route/route.ts";

export interface InboundRouteDeps {
  hooks: InboundHooks;
  clock: () => Date;
  trustedProxies: readonly TrustedNetwork[];
}

/**
 * Creates the route. Deliveries that prove nothing are counted by their address, and beyond a limit none of it is looked
 * up.
 */
export function createInboundHookRoute({ hooks, clock, trustedProxies }: InboundRouteDeps): Route {
  const failures = createRateLimiter(LIMITS.inboundFailures, LIMITS.addressesKnown);
  return openRoute({
    path: "/hooks/in/:id",
    methods: ["POST"],
    cors: false,
    async handler({ request, response, parameter }) {
      const address = senderAddress(request, trustedProxies);
      const { remaining, retryAfterMs } = failures.take(address, 0, clock().getTime());
      if (remaining === 0) throw tooMany(retryAfterMs);
      const body = await readBody(request, LIMITS.inboundBytes, { silenceMs: LIMITS.transferSilenceMs });
      const id = header(request, "webhook-id") || header(request, "idempotency-key");
      const hook = await hooks.authenticate(parameter("id"), proofOf(request), body);
      if (hook === null) {
        failures.take(address, 1, clock().getTime());
        throw unauthenticated();
      }
      if (!/^[\x21-\x7e]{1,255}$/.test(id)) {
        throw new HttpError(400, "INVALID_INPUT", "The header webhook-id must have 1 to 255 visible characters.");
      }
      answerJson(response, 202, await hooks.accept(hook, id, parse(body)));
    },
  });
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}

function proofOf(request: IncomingMessage) {
  const [, bearer = ""] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header(request, "authorization")) ?? [];
  return {
    id: header(request, "webhook-id"),
    timestamp: header(request, "webhook-timestamp"),
    signature: header(request, "webhook-signature"),
    bearer,
  };
}

/** A body that is no JSON gives no metadata. */
function parse(body: Buffer): Json {
  try {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- what JSON.parse gives is JSON
    return JSON.parse(body.toString("utf8")) as Json;
  } catch {
    return null;
  }
}

function tooMany(retryAfterMs: number): HttpError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const message = `Too many deliveries from your address were not signed by the secret. Try again in ${seconds} s.`;
  return new HttpError(429, "RATE_LIMITED", message, { "retry-after": `${seconds}` });
}
