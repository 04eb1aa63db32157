import type { IncomingMessage, ServerResponse } from "node:http";
import { requestPath } from "../kit/request-path.ts";
import type { HttpExchange, Route } from "./route.ts";

/** A route and the request that it is for. */
export interface FoundRoute {
  route: Route;
  exchange: HttpExchange;
}

interface Pattern {
  readonly route: Route;
  readonly expression: RegExp;
}

/** Finds the route of a request. */
export type FindRoute = (request: IncomingMessage, response: ServerResponse) => FoundRoute;

/**
 * Tries routes of the same path in their order. A path without parameters wins over one with parameters. `unknown` is
 * the route of a request that no other one is for.
 */
export function createFindRoute(routes: readonly Route[], unknown: Route): FindRoute {
  const isExact = ({ path }: Route): boolean => !/[:*]/.test(path);
  const exact = Map.groupBy(routes.filter(isExact), ({ path }) => path);
  const patterns = Map.groupBy(
    routes
      .filter((route) => !isExact(route))
      .map((route): Pattern => ({ route, expression: expressionOf(route.path) })),
    ({ route }) => firstPart(route.path),
  );
  return (request, response) => {
    const path = requestPath(request.url);
    const found = (route: Route, parameters = {}): FoundRoute => ({
      route,
      exchange: toExchange(request, response, parameters),
    });
    if (path === null) return found(unknown);
    const route = exact.get(path)?.find(({ accepts }) => accepts(request));
    if (route !== undefined) return found(route);
    for (const pattern of patterns.get(firstPart(path)) ?? []) {
      const match = pattern.expression.exec(path);
      if (match !== null && pattern.route.accepts(request)) return found(pattern.route, match.groups);
    }
    return found(unknown);
  };
}

function firstPart(path: string): string {
  return path.split("/", 2)[1] ?? "";
}

function expressionOf(path: string): RegExp {
  const source = path.replace(/:(\w+)/g, "(?<$1>[^/]+)").replace(/\*$/, ".*");
  return new RegExp(`^${source}$`);
}

function toExchange(
  request: IncomingMessage,
  response: ServerResponse,
  parameters: Record<string, string>,
): HttpExchange {
  return {
    request,
    response,
    parameter(name) {
      const value = parameters[name];
      if (value === undefined) throw new Error(`The path of the route has no part :${name}.`);
      return value;
    },
  };
}
