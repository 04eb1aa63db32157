/** Receives hooks of git hosts. */
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { HookResult, ReceiveHook } from "../../domain/repository/receive-hook.ts";
import { readBody } from "../../ingestion/body.ts";
import { createBodyBudget } from "../../ingestion/body-budget.ts";
import { atMost } from "../../model/kit/entry-limit.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { senderAddress, type TrustedNetwork } from "../kit/client-address.ts";
import { answerJson } from "../kit/json-answer.ts";
import { HttpError } from "../route/failure.ts";
import { createFailureLimit, tooManyFailures } from "../route/failure-limit.ts";
import { openRoute, type Route } from "../route/route.ts";

/** The result of a request: that of a delivery, or LIMITED, if it was refused unread. */
export type HookOutcome = HookResult | "LIMITED";

export interface HookRouteDeps {
  receive: ReceiveHook;
  onResult: (outcome: HookOutcome) => void;
  clock: () => Date;
  trustedProxies: readonly TrustedNetwork[];
}

/**
 * Creates the route of hooks. An address whose deliveries are not authentic is soon refused unread, but for the hosts that
 * sent authentic ones from there lately: a stranger behind the same proxy must not shut them out.
 */
export function createHookRoute({ receive, onResult, clock, trustedProxies }: HookRouteDeps): Route {
  const failures = createFailureLimit(LIMITS.unauthenticHooks, clock);
  const authentic = new LRUCache<string, true>(atMost(LIMITS.hookSendersKnown));
  const budget = createBodyBudget(LIMITS.hookBodiesBytes);

  function limit(address: string, sender: string): void {
    const waitMs = authentic.has(sender) ? 0 : failures.waitMs(() => address);
    if (waitMs === 0) return;
    onResult("LIMITED");
    throw tooManyFailures(waitMs, tooManyDeliveries);
  }

  return openRoute({
    path: "/hooks/:path",
    methods: ["POST"],
    cors: false,
    async handler({ request, response, parameter }) {
      const hookPath = parameter("path");
      const address = senderAddress(request, trustedProxies);
      const sender = `${address} ${hookPath}`;
      limit(address, sender);
      using reservation = budget.open();
      const body = await readDelivery(request, (bytes) => reservation.take(bytes));
      const result = await receive({ hookPath, headers: request.headers, body });
      onResult(result);
      if (result === "UNAUTHENTIC") {
        failures.count(address);
        throw new HttpError(401, "UNAUTHENTICATED", "The delivery is not signed with the secret of a git host here.");
      }
      authentic.set(sender, true);
      answerJson(response, 202, { status: "accepted" });
    },
  });
}

function tooManyDeliveries(seconds: number): string {
  return `Too many deliveries from your address were not authentic. Try again in ${seconds} s.`;
}

function readDelivery(request: IncomingMessage, take: (bytes: number) => void): Promise<Buffer> {
  return readBody(request, LIMITS.hookBytes, { silenceMs: LIMITS.transferSilenceMs, take });
}
