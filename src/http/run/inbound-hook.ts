/** `POST /hooks/in/<id>`: another system makes the runs of an inbound hook. */
import type { IncomingMessage } from "node:http";
import type { InboundHooks } from "../../domain/schedule/receive-hook.ts";
import { readBody } from "../../ingestion/body.ts";
import { createBodyBudget } from "../../ingestion/body-budget.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { isJson } from "../../model/kit/exact-json.ts";
import type { Json } from "../../model/plan/json.ts";
import { senderAddress, type TrustedNetwork } from "../kit/client-address.ts";
import { answerJson } from "../kit/json-answer.ts";
import { HttpError, unauthenticated } from "../route/failure.ts";
import { createFailureLimit, tooManyFailures } from "../route/failure-limit.ts";
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
  const failures = createFailureLimit(LIMITS.inboundFailures, clock);
  const budget = createBodyBudget(LIMITS.inboundBodiesBytes);
  return openRoute({
    path: "/hooks/in/:id",
    methods: ["POST"],
    cors: false,
    async handler({ request, response, parameter }) {
      const address = senderAddress(request, trustedProxies);
      const waitMs = failures.waitMs(() => address);
      if (waitMs > 0) throw tooManyFailures(waitMs, tooManyDeliveries);
      using reservation = budget.open();
      const take = (bytes: number): void => reservation.take(bytes);
      const body = await readBody(request, LIMITS.inboundBytes, { silenceMs: LIMITS.transferSilenceMs, take });
      const id = header(request, "webhook-id") || header(request, "idempotency-key");
      const hook = await hooks.authenticate(parameter("id"), proofOf(request), body);
      if (hook === null) {
        failures.count(address);
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
    const value: unknown = JSON.parse(body.toString("utf8"));
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}

function tooManyDeliveries(seconds: number): string {
  return `Too many deliveries from your address were not signed by the secret. Try again in ${seconds} s.`;
}
