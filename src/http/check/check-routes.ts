/** `/check-results/<id>`: where external checks report, and read what they judge. */
import { pipeline } from "node:stream/promises";
import type { CheckAccess, OpenedResult } from "../../domain/external-check/take-report.ts";
import { readBody } from "../../ingestion/body.ts";
import { createBodyBudget } from "../../ingestion/body-budget.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { bearerSecret } from "../kit/bearer.ts";
import { senderAddress, type TrustedNetwork } from "../kit/client-address.ts";
import { type ErrorForm, HttpError, unauthenticated } from "../route/failure.ts";
import { createFailureLimit, tooManyFailures } from "../route/failure-limit.ts";
import { type HttpExchange, openRoute, type Route } from "../route/route.ts";

export interface CheckRouteDeps {
  access: CheckAccess;
  clock: () => Date;
  trustedProxies: readonly TrustedNetwork[];
}

/** Errors as JSON:API has them. */
const jsonApiErrors: ErrorForm = ({ status, code, message, errorId }) => ({
  errors: [
    {
      status: String(status),
      code,
      title: errorId === undefined ? message : `Unexpected error (${errorId}).`,
    },
  ],
});

type Serve = (exchange: HttpExchange, opened: OpenedResult) => Promise<void>;

/**
 * Creates the routes. A token opens one result. Requests with a wrong one are counted by their address, and beyond a limit
 * none of it is looked up.
 */
export function createCheckRoutes({ access, clock, trustedProxies }: CheckRouteDeps): Route[] {
  const failures = createFailureLimit(LIMITS.checkFailures, clock);
  const budget = createBodyBudget(LIMITS.checkReportsBytes);

  function route(path: string, methods: readonly string[], serve: Serve): Route {
    return openRoute({
      path,
      methods,
      cors: false,
      errors: jsonApiErrors,
      async handler(exchange) {
        const { request, parameter } = exchange;
        const address = senderAddress(request, trustedProxies);
        const waitMs = failures.waitMs(() => address);
        if (waitMs > 0) throw tooManyFailures(waitMs, tooManyRequests);
        const opened = await access.authenticate(parameter("id"), bearerSecret(request.headers.authorization));
        if (opened === null) {
          failures.count(address);
          throw unauthenticated();
        }
        await serve(exchange, opened);
      },
    });
  }

  return [
    route("/check-results/:id/callback", ["PATCH"], async ({ request, response }, opened) => {
      using reservation = budget.open();
      const take = (bytes: number): void => reservation.take(bytes);
      const silenceMs = LIMITS.transferSilenceMs;
      const body = await readBody(request, LIMITS.checkReport.bytes, { silenceMs, take });
      const taken = await access.report(opened, body).catch(refuse);
      if (!taken) throw unauthenticated();
      response.writeHead(200, { "content-length": 0, "cache-control": "no-store" }).end();
    }),
    route("/check-results/:id/plan", ["GET"], async ({ response }, opened) => {
      const plan = await access.plan(opened);
      if (plan === null) throw new HttpError(404, "NOT_FOUND", "The plan is not stored, or the result is about none.");
      response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
      await pipeline(plan, response);
    }),
    route("/check-results/:id/source", ["GET"], async ({ response }, opened) => {
      const source = await access.source(opened);
      if (source === null) throw new HttpError(404, "NOT_FOUND", "The run has no source.");
      response.writeHead(200, { "content-type": "application/gzip", "cache-control": "no-store" });
      await pipeline(source, response);
    }),
  ];
}

/** Answers a report that is none with 422. The error of the domain is known by its name: only types come from there. */
function refuse(error: unknown): never {
  if (error instanceof Error && error.name === "ReportRefused") {
    const pointer = "pointer" in error && typeof error.pointer === "string" ? error.pointer : "";
    throw new HttpError(
      422,
      "INVALID_REPORT",
      pointer === "" ? `The report ${error.message}` : `${pointer} ${error.message}`,
    );
  }
  throw error;
}

function tooManyRequests(seconds: number): string {
  return `Too many requests from your address had no valid token. Try again in ${seconds} s.`;
}
