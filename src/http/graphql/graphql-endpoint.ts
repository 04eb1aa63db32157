import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerContext } from "../../graphql/kit/context.ts";
import type { Graphql } from "../../graphql/server/yoga.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { CallerRates } from "../../model/limit/caller-rates.ts";
import { type ActorCaller, keepsRights } from "../../model/people/permission.ts";
import { type HttpObserver, observeEventStream } from "../observe/observe-request.ts";
import { answerPlainPost } from "./plain-post.ts";
import { readBody } from "../kit/request-body.ts";
import type { RequestScope } from "../observe/request-scope.ts";
import { createHttpMeter } from "../route/caller-limits.ts";
import { HttpError, unauthenticated } from "../route/failure.ts";
import type { HttpExchange } from "../route/route.ts";
import { endWithToken, type TokenEndDeps } from "../kit/token-end.ts";

export interface GraphqlEndpointDeps extends TokenEndDeps {
  graphql: Graphql;
  /** Absent: callers are not limited. */
  rates?: CallerRates;
  /** A body that takes longer needs a token that is still valid at its end. */
  slowBodyMs: number;
  reportError: (error: unknown) => string;
  scope: RequestScope;
  observer: HttpObserver;
}

/** Executes an operation: plain posts directly, everything else by Yoga. */
export async function serveGraphql(
  deps: GraphqlEndpointDeps,
  { request, response }: HttpExchange,
  caller: ActorCaller,
): Promise<void> {
  const meter = deps.rates && createHttpMeter(deps.rates, caller, response);
  const context: ServerContext = { caller, note: deps.scope.note, charge: meter?.charge };
  if (request.method !== "POST") {
    meter?.enter();
    await pass(deps, request, response, context);
    meter?.leave();
    return;
  }
  checkLength(request);
  // The client decides how long its body takes: the token may end meanwhile.
  const askedAt = performance.now();
  const body = await readBody(request);
  if (body === null) return;
  const isSlow = performance.now() - askedAt > deps.slowBodyMs;
  const isOver = isSlow && (await deps.authenticate(deps.secretOf(request), () => deps.addressOf(request))) === null;
  if (isOver) throw unauthenticated();
  // Behind the body: a connection whose body was not read would have to be closed.
  meter?.enter();
  if ((await answerPlainPost(deps.graphql, { request, body }, response, context)) === "answered") return;
  // Yoga takes what was read from here, as from any framework that reads bodies itself.
  Object.assign(request, { body });
  await pass(deps, request, response, context);
  meter?.leave();
}

function checkLength({ headers }: IncomingMessage): void {
  const length = headers["content-length"];
  if (length === undefined) throw new HttpError(411, "QUERY_REFUSED", "The request has no Content-Length. Send one.");
  if (Number(length) <= LIMITS.requestBytes) return;
  throw new HttpError(413, "QUERY_REFUSED", `The request is too large. Send at most ${LIMITS.requestBytes} bytes.`);
}

async function pass(
  deps: GraphqlEndpointDeps,
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const onEventStream = (): void => {
    observeEventStream(deps.observer, response);
    endWithToken(deps, request, response, context.caller).catch((error: unknown) => {
      deps.reportError(error);
      response.destroy();
    });
  };
  const renewCaller = async (before: ActorCaller): Promise<ActorCaller | null> => {
    const now = await deps.recheck(deps.secretOf(request), () => deps.addressOf(request));
    if (now !== null && keepsRights(now, before)) return now;
    response.destroy();
    return null;
  };
  await deps.graphql.handle(request, response, { ...context, onEventStream, renewCaller });
}
