/**
 * What each route of the HTTP server takes, written by hand and apart from the handlers. A route or a method without a line
 * fails.
 */
import type { Permission } from "../../src/model/people/permission-set.ts";

/** What a request is about. */
export interface RouteSubject {
  runId: string;
  planId: string;
  stateId: string;
  workspaceId: string;
  slug: string;
  name: string;
}

export interface RouteLine {
  /** The permission to see the subject; `null`: the route is about the caller, or the installation. */
  sight: Permission | null;
  /** Beside it; `null`: nothing. */
  needs: Permission | null;
  path: (subject: RouteSubject) => string;
  /** The statuses for a caller with the rights. */
  ok: readonly number[];
  /** Whether a caller with `sight` nowhere is refused before anything is looked up. */
  isCommand?: boolean;
  /** Whether the permission is needed at some place alone. */
  isAnywhere?: boolean;
  body?: object;
  auth?: "Basic";
}

/** The answer does not depend on the credential of a person or a machine user. */
type Line = RouteLine | "OPEN";

/** Needs no more than a valid token. */
const live = (path: string, body?: object): RouteLine => ({
  sight: null,
  needs: null,
  path: () => path,
  ok: [200],
  ...(body && { body }),
});
const ofRun = (path: (subject: RouteSubject) => string): RouteLine => ({
  sight: "RUN_READ",
  needs: null,
  path,
  ok: [200, 202],
});
const backend = (needs: Permission, ok: readonly number[], more: Partial<RouteLine> = {}): RouteLine => ({
  sight: "WORKSPACE_READ",
  needs,
  path: ({ slug, name }) => `/state/${slug}/${name}`,
  ok,
  isCommand: true,
  auth: "Basic",
  ...more,
});
/** Its runner may have sent no document. */
const ofPlan: RouteLine = {
  sight: "RUN_READ",
  needs: "PLAN_APPROVE",
  isCommand: true,
  path: ({ planId }) => `/plans/${planId}/policy-input`,
  ok: [200],
};
const lockPath = ({ slug, name }: RouteSubject): string => `/state/${slug}/${name}/lock`;

/** Of a plan, which takes no permission to write. */
const LOCK = { ID: "walk", Operation: "OperationTypePlan", Who: "x", Info: "", Version: "", Created: "", Path: "" };
const OTHER_LOCK = { ...LOCK, ID: "another" };
const STATE = { version: 4, terraform_version: "1.9.0", serial: 1, lineage: "other", outputs: {}, resources: [] };
/** Granted, or another caller of the walk has it. */
const LOCKED = [200, 423];
const UNLOCKED = [200, 409];

export const ROUTES: Readonly<Record<string, Line>> = {
  "GET /graphql": live("/graphql?query=%7B__typename%7D"),
  "POST /graphql": live("/graphql", { query: "{ __typename }" }),
  "POST /sources": {
    sight: null,
    needs: "SOURCE_UPLOAD",
    isAnywhere: true,
    path: () => "/sources",
    // The body is no archive.
    ok: [400, 415],
  },
  "POST /workspaces/:id/state": {
    sight: "WORKSPACE_READ",
    needs: "STATE_WRITE",
    isCommand: true,
    path: ({ workspaceId }) => `/workspaces/${workspaceId}/state`,
    // A run is live.
    ok: [409],
    body: STATE,
  },
  "GET /state-versions/:id": {
    sight: "WORKSPACE_READ",
    needs: "STATE_READ",
    isCommand: true,
    path: ({ stateId }) => `/state-versions/${stateId}`,
    ok: [200],
  },
  "GET /state/:organization/:workspace": backend("STATE_READ", [200]),
  "POST /state/:organization/:workspace": backend("STATE_WRITE", [409, 423], {
    path: ({ slug, name }) => `/state/${slug}/${name}?ID=another`,
    body: STATE,
  }),
  "LOCK /state/:organization/:workspace": backend("STATE_LOCK", LOCKED, { body: LOCK }),
  "UNLOCK /state/:organization/:workspace": backend("STATE_LOCK", UNLOCKED, { body: OTHER_LOCK }),
  "POST /state/:organization/:workspace/lock": backend("STATE_LOCK", LOCKED, { path: lockPath, body: LOCK }),
  "LOCK /state/:organization/:workspace/lock": backend("STATE_LOCK", LOCKED, { path: lockPath, body: LOCK }),
  "DELETE /state/:organization/:workspace/lock": backend("STATE_LOCK", UNLOCKED, { path: lockPath, body: OTHER_LOCK }),
  "UNLOCK /state/:organization/:workspace/lock": backend("STATE_LOCK", UNLOCKED, { path: lockPath, body: OTHER_LOCK }),
  "GET /runs/:id/wait": ofRun(({ runId }) => `/runs/${runId}/wait?until=end&seconds=0`),
  "GET /runs/:id/log": ofRun(({ runId }) => `/runs/${runId}/log`),
  "HEAD /runs/:id/log": ofRun(({ runId }) => `/runs/${runId}/log`),
  "GET /plans/:id/changes": ofRun(({ planId }) => `/plans/${planId}/changes`),
  "HEAD /plans/:id/changes": ofRun(({ planId }) => `/plans/${planId}/changes`),
  "GET /plans/:id/policy-input": ofPlan,
  "HEAD /plans/:id/policy-input": ofPlan,
  "GET /metrics": { sight: null, needs: "FIGURES_READ", path: () => "/metrics", ok: [200] },
  "HEAD /metrics": { sight: null, needs: "FIGURES_READ", path: () => "/metrics", ok: [200] },

  // Its deliveries prove that they have the secret of the hook.
  "POST /hooks/in/:id": "OPEN",
  // They take the token of one result, which no one else has.
  "PATCH /check-results/:id/callback": "OPEN",
  "GET /check-results/:id/plan": "OPEN",
  "GET /check-results/:id/source": "OPEN",
  "GET /": "OPEN",
  "HEAD /": "OPEN",
  "GET /healthz": "OPEN",
  "HEAD /healthz": "OPEN",
  "GET /readyz": "OPEN",
  "HEAD /readyz": "OPEN",
  "GET /graphiql/:digest/:file": "OPEN",
  "HEAD /graphiql/:digest/:file": "OPEN",
  // One document for all pages of the console, without any data.
  ...Object.fromEntries(
    ["/login", "/inbox", "/me", "/r/:id", "/o/:organization", "/o/:organization/*", "/assets/:file"].flatMap(
      (path): [string, "OPEN"][] => [
        [`GET ${path}`, "OPEN"],
        [`HEAD ${path}`, "OPEN"],
      ],
    ),
  ),
};
