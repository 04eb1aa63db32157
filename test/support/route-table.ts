/** The table of routes of a server that has everything, without the use cases behind it. */
import type { RequestLine } from "../../src/http/observe/observe-request.ts";
import { createSecretOf } from "../../src/http/kit/site.ts";
import { createRoutes, type RouteDeps } from "../../src/http/routes.ts";
import { createRequestScope } from "../../src/http/observe/request-scope.ts";
import { fakeCaller } from "./fake-domain.ts";
import { createTestGraphql } from "./graphql.ts";

const unreached = (): never => {
  throw new Error("No use case is asked here.");
};
const files = { download: unreached, read: unreached, lock: unreached, unlock: unreached, write: unreached };
export const lines: RequestLine[] = [];
export const reported: unknown[] = [];
const signIns = {
  passkeys: null,
  byToken: unreached,
  byLink: unreached,
  createLink: unreached,
  byProvider: unreached,
  signOut: unreached,
  endProviderSessions: unreached,
  seal: unreached,
  open: unreached,
};
const requests = {
  mayAnswer: unreached,
  begin: unreached,
  find: unreached,
  decide: unreached,
  fetchByDevice: unreached,
  allow: unreached,
  fetchByCode: unreached,
};
export const programs = { requests, exchange: unreached, onRefused: unreached };
export const inboundHooks = { authenticate: unreached, accept: unreached };
export const checks = {
  authenticate: () => Promise.resolve(null),
  report: unreached,
  plan: unreached,
  source: unreached,
};
export const signIn = {
  site: { origin: "https://holdpoint.example", isSecure: true },
  provider: null,
  signIns,
  onRefused: unreached,
  onWarning: unreached,
};
export const routeDeps: Omit<RouteDeps, "inboundHooks" | "checks"> = {
  graphql: createTestGraphql().graphql,
  ingestion: (_request, response) => void response.writeHead(418).end(),
  secretOf: createSecretOf(null),
  addressOf: () => null,
  authenticate: (secret) => Promise.resolve(secret === "valid" ? fakeCaller : null),
  recheck: () => Promise.resolve(null),
  isReady: () => Promise.resolve(true),
  reportError: (error) => String(reported.push(error)),
  closing: new AbortController().signal,
  slowBodyMs: 1000,
  scope: createRequestScope(),
  observer: { request: (line) => lines.push(line), open: () => undefined, error: () => undefined },
  transfers: { uploadSource: unreached, importState: unreached },
  stateFiles: files,
  runWaits: { queries: { runs: unreached, blockers: unreached }, watch: unreached },
  logExports: { open: unreached },
  changeExports: { open: unreached },
  policyInputs: { open: unreached },
  console: { folder: "none", built: Promise.resolve("The console is not built."), site: null },
  metrics: () => Promise.resolve({ contentType: "text/plain", text: "figures" }),
};
const clock = () => new Date();
const signInDeps = { ...signIn, enter: unreached, clock, trustedProxies: [] };
export const routes = createRoutes({
  ...routeDeps,
  signIn: signInDeps,
  inboundHooks: { hooks: inboundHooks, clock, trustedProxies: [] },
  checks: { access: checks, clock, trustedProxies: [] },
  programs: { ...programs, signIn: signInDeps, clock, trustedProxies: [] },
});
