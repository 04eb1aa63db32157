import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { RouteLimit } from "./caller-limits.ts";
import { type ErrorForm, plainErrors, type RouteAuth } from "./failure.ts";
import { parseQuery } from "./query.ts";

/** A request that a route serves, and its answer. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Gives the part of the path for `:name` of the route. */
  readonly parameter: (name: string) => string;
}

interface RouteSettings {
  /** A part `:name` matches any text without a slash, a last part `*` any rest. The path is the label in metrics. */
  path: string;
  /** Other methods get 405. OPTIONS is answered for every route. null: the handler answers all methods. */
  methods: readonly string[] | null;
  /** Whether pages of allowed origins may use the route. */
  cors: boolean;
  /** How errors are written; absent: `plainErrors`. */
  errors?: ErrorForm;
  /** Whether the route is for this request; absent: it is for all. The next route of the path is tried otherwise. */
  accepts?: (request: IncomingMessage) => boolean;
}

/** A row of the table of routes. */
export interface Route extends Required<RouteSettings> {
  /** null: the route needs no token. */
  readonly auth: RouteAuth | null;
  readonly limit: RouteLimit;
  /** Serves a request with a method of the route. `caller` is null for a route without `auth`. */
  serve(exchange: HttpExchange, caller: ActorCaller | null): void | Promise<void>;
}

type OpenRoute = RouteSettings & {
  handler: (exchange: HttpExchange) => void | Promise<void>;
};

type TokenRoute<Query extends z.ZodObject> = RouteSettings & {
  auth: RouteAuth;
  /** The cost of a request for its caller; absent: none, or the handler takes it. */
  limit?: RouteLimit;
  /** The parameters behind `?`; absent: the route has none, or reads them itself. */
  query?: Query;
  /** `query` parses the parameters. It throws INVALID_INPUT that names each that cannot be used. */
  handler: (exchange: HttpExchange, caller: ActorCaller, query: () => z.output<Query>) => void | Promise<void>;
};

const DEFAULTS = { errors: plainErrors, accepts: () => true, limit: null };

/** Makes a route that needs no token. */
export function openRoute({ handler, ...settings }: OpenRoute): Route {
  return { ...DEFAULTS, ...settings, auth: null, serve: handler };
}

/** Makes a route that needs a valid token. */
export function tokenRoute<Query extends z.ZodObject = z.ZodObject>({
  handler,
  query,
  ...settings
}: TokenRoute<Query>): Route {
  return {
    ...DEFAULTS,
    ...settings,
    serve(exchange, caller) {
      if (caller === null) throw new Error(`A caller is missing at ${settings.path}.`);
      return handler(exchange, caller, () => {
        if (query === undefined) throw new Error(`The route ${settings.path} has no query.`);
        return parseQuery(query, exchange.request.url);
      });
    },
  };
}
