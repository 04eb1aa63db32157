import type { IncomingMessage, ServerResponse } from "node:http";
import type { LogExports } from "../domain/log/export-log.ts";
import type { ChangeExports } from "../domain/run/export-changes.ts";
import type { PolicyInputs } from "../domain/policy/policy-input.ts";
import type { StateFiles } from "../domain/state/state-files.ts";
import type { Transfers } from "../domain/transfers.ts";
import { RUNNER_PATH, RUNNER_PATHS } from "../ingestion/ingestion.ts";
import type { ActorCaller } from "../model/people/permission.ts";
import { type ConsoleFolder, createConsoleRoutes } from "./console/console-routes.ts";
import { createGraphiql, isPageRequest } from "./graphiql/graphiql.ts";
import { type GraphqlEndpointDeps, serveGraphql } from "./graphql/graphql-endpoint.ts";
import { answerJson } from "./kit/json-answer.ts";
import { createLogExport, type LogExportDeps, logQuery } from "./run/log-export.ts";
import type { MetricsPage } from "./observe/metrics.ts";
import { GRAPHQL_PATH } from "./kit/request-path.ts";
import { graphqlErrors, HttpError } from "./route/failure.ts";
import { openRoute, type Route, tokenRoute } from "./route/route.ts";
import { createExportLimit } from "./transfer/export-limit.ts";
import { type ChangeExportDeps, createChangeExport } from "./transfer/plan-changes.ts";
import { downloadPolicyInput } from "./transfer/policy-input.ts";
import { BACKEND_ACTIONS, backendQuery, downloadState, LOCK_ACTIONS, serveBackend } from "./transfer/states.ts";
import { createHookRoute, type HookRouteDeps } from "./repository/hook-route.ts";
import type { ProgramDeps } from "./programs/program-deps.ts";
import { createProgramRoutes } from "./programs/program-routes.ts";
import type { SignInDeps } from "./sign-in/sign-in-deps.ts";
import { createSignInRoutes } from "./sign-in/sign-in-routes.ts";
import { importState, uploadSource } from "./transfer/transfers.ts";
import { type CheckRouteDeps, createCheckRoutes } from "./check/check-routes.ts";
import { createInboundHookRoute, type InboundRouteDeps } from "./run/inbound-hook.ts";
import { createWait, type RunWaits, waitQuery } from "./run/wait.ts";

export interface RouteDeps extends GraphqlEndpointDeps {
  /** How people sign in; absent: the server has no sign-in. */
  signIn?: SignInDeps;
  /** How programs get tokens; absent: by administrators alone. */
  programs?: ProgramDeps;
  /** Receives hooks of git hosts. */
  hooks?: HookRouteDeps;
  /** Answers everything below RUNNER_PATH. */
  ingestion: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether requests can be served now: the database answers. */
  isReady: () => Promise<boolean>;
  /** Aborts when the server closes: requests that wait are answered. */
  closing: AbortSignal;
  // Without these there are no such routes.
  console?: ConsoleFolder;
  transfers?: Transfers;
  stateFiles?: StateFiles;
  runWaits?: RunWaits;
  logExports?: LogExports;
  changeExports?: ChangeExports;
  policyInputs?: PolicyInputs;
  inboundHooks?: InboundRouteDeps;
  checks?: CheckRouteDeps;
  metrics?: (caller: ActorCaller) => Promise<MetricsPage>;
}

/** The table of all paths that this server answers over HTTP. */
export function createRoutes(deps: RouteDeps): readonly Route[] {
  const { transfers, stateFiles, runWaits, logExports, changeExports, policyInputs, inboundHooks, checks, metrics } =
    deps;
  const limit = createExportLimit();
  const graphiql = createGraphiql();
  return [
    openRoute({
      path: GRAPHQL_PATH,
      methods: ["GET"],
      cors: false,
      accepts: isPageRequest,
      handler: ({ response }) => graphiql.answerPage(response),
    }),
    tokenRoute({
      path: GRAPHQL_PATH,
      methods: ["GET", "POST"],
      auth: "bearer",
      cors: true,
      errors: graphqlErrors,
      handler: (exchange, caller) => serveGraphql(deps, exchange, caller),
    }),
    openRoute({
      path: "/graphiql/:digest/:file",
      methods: ["GET", "HEAD"],
      cors: false,
      handler: (exchange) => graphiql.answerAsset(exchange),
    }),
    ...(deps.signIn === undefined ? [] : createSignInRoutes(deps.signIn)),
    ...(deps.programs === undefined ? [] : createProgramRoutes(deps.programs)),
    ...(deps.hooks === undefined ? [] : [createHookRoute(deps.hooks)]),
    ...(transfers === undefined ? [] : transferRoutes(transfers)),
    ...(stateFiles === undefined ? [] : stateRoutes(stateFiles)),
    ...(runWaits === undefined ? [] : [waitRoute(deps, runWaits)]),
    ...(logExports === undefined ? [] : [logRoute({ ...deps, exports: logExports, limit })]),
    ...(changeExports === undefined ? [] : [changesRoute({ ...deps, exports: changeExports, limit })]),
    ...(policyInputs === undefined ? [] : [policyInputRoute(policyInputs)]),
    ...(inboundHooks === undefined ? [] : [createInboundHookRoute(inboundHooks)]),
    ...(checks === undefined ? [] : createCheckRoutes(checks)),
    ...(metrics === undefined ? [] : [metricsRoute(metrics)]),
    openRoute({
      path: "/healthz",
      methods: ["GET", "HEAD"],
      cors: false,
      handler: ({ response }) => answerJson(response, 200, { status: "ok" }),
    }),
    openRoute({
      path: "/readyz",
      methods: ["GET", "HEAD"],
      cors: false,
      handler: async ({ response }) => {
        const ready = await deps.isReady();
        const status = ready ? "ok" : "the database does not answer, or its disk is full";
        answerJson(response, ready ? 200 : 503, { status });
      },
    }),
    ...(deps.console === undefined ? [toGraphiql] : createConsoleRoutes(deps.console)),
    // The protocol of runners has its own credentials, methods and errors.
    ...[...RUNNER_PATHS, `${RUNNER_PATH}*`].map((path) =>
      openRoute({
        path,
        methods: null,
        cors: false,
        handler: ({ request, response }) => deps.ingestion(request, response),
      }),
    ),
  ];
}

/** The start page of a server without a console. */
const toGraphiql = openRoute({
  path: "/",
  methods: ["GET", "HEAD"],
  cors: false,
  handler: ({ response }) => void response.writeHead(302, { location: GRAPHQL_PATH }).end(),
});

/** The route of requests that no other one is for. */
export const UNKNOWN_ROUTE: Route = openRoute({
  path: "other",
  methods: null,
  cors: false,
  errors: graphqlErrors,
  handler() {
    throw new HttpError(404, "NOT_FOUND", "There is no such path. GraphQL is at /graphql.");
  },
});

function transferRoutes(transfers: Transfers): Route[] {
  const common = { methods: ["POST"], auth: "bearer", cors: true, limit: "upload" } as const;
  return [
    tokenRoute({
      ...common,
      path: "/sources",
      handler: (exchange, caller) => uploadSource(transfers, exchange, caller),
    }),
    tokenRoute({
      ...common,
      path: "/workspaces/:id/state",
      handler: (exchange, caller) => importState(transfers, exchange, caller),
    }),
  ];
}

function stateRoutes(files: StateFiles): Route[] {
  // Engines send no Origin, and know Basic authentication only.
  const backend = { auth: "basic", cors: false, query: backendQuery } as const;
  return [
    tokenRoute({
      path: "/state-versions/:id",
      methods: ["GET"],
      auth: "bearer",
      cors: true,
      limit: "point",
      handler: (exchange, caller) => downloadState(files, exchange, caller),
    }),
    tokenRoute({
      ...backend,
      path: "/state/:organization/:workspace",
      methods: Object.keys(BACKEND_ACTIONS),
      handler: (...asked) => serveBackend(files, BACKEND_ACTIONS, ...asked),
    }),
    tokenRoute({
      ...backend,
      path: "/state/:organization/:workspace/lock",
      methods: Object.keys(LOCK_ACTIONS),
      handler: (...asked) => serveBackend(files, LOCK_ACTIONS, ...asked),
    }),
  ];
}

function waitRoute(deps: RouteDeps, waits: RunWaits): Route {
  return tokenRoute({
    path: "/runs/:id/wait",
    methods: ["GET"],
    auth: "bearer",
    cors: true,
    limit: "point",
    query: waitQuery,
    handler: createWait({ ...deps, ...waits }),
  });
}

function logRoute(deps: LogExportDeps): Route {
  return tokenRoute({
    path: "/runs/:id/log",
    methods: ["GET", "HEAD"],
    auth: "bearer",
    cors: true,
    limit: "point",
    query: logQuery,
    handler: createLogExport(deps),
  });
}

function changesRoute(deps: ChangeExportDeps): Route {
  return tokenRoute({
    path: "/plans/:id/changes",
    methods: ["GET", "HEAD"],
    auth: "bearer",
    cors: true,
    limit: "point",
    handler: createChangeExport(deps),
  });
}

function policyInputRoute(inputs: PolicyInputs): Route {
  return tokenRoute({
    path: "/plans/:id/policy-input",
    methods: ["GET", "HEAD"],
    auth: "bearer",
    cors: true,
    limit: "point",
    handler: (exchange, caller) => downloadPolicyInput(inputs, exchange, caller),
  });
}

/** Makes the route of metrics. They show how much each organization does, so they need a token. */
function metricsRoute(page: (caller: ActorCaller) => Promise<MetricsPage>): Route {
  return tokenRoute({
    path: "/metrics",
    methods: ["GET", "HEAD"],
    auth: "bearer",
    cors: false,
    errors: graphqlErrors,
    async handler({ response }, caller) {
      const { contentType, text } = await page(caller);
      response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text);
    },
  });
}
