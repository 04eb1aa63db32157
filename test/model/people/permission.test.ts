import { expect, test } from "vitest";
import {
  INSTALLATION,
  organizationPlace,
  type Place,
  rightsOf,
  rightsOfRole,
  workspacePlace,
} from "../../../src/model/people/grant.ts";
import { can, canJob, type JobAction, scopeOf } from "../../../src/model/people/permission.ts";
import { PERMISSIONS, type Permission } from "../../../src/model/people/permission-set.ts";
import { rolesThatMay } from "../../../src/model/people/role.ts";
import type { RunKind, RunLeg } from "../../../src/model/lifecycle/run-kind.ts";
import { TOKEN_ROLES, type TokenRole } from "../../../src/model/people/token.ts";

/** Every permission, with the roles that include it. */
const ROLES_OF = {
  "organization:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "workspace:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "run:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "figures:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "workspace:create": ["WRITER", "APPROVER", "ADMIN"],
  "variable:write": ["WRITER", "APPROVER", "ADMIN"],
  "source:upload": ["WRITER", "APPROVER", "ADMIN"],
  "run:create": ["WRITER", "APPROVER", "ADMIN"],
  "run:replan": ["WRITER", "APPROVER", "ADMIN"],
  "run:cancel": ["WRITER", "APPROVER", "ADMIN"],
  "run:discard": ["WRITER", "APPROVER", "ADMIN"],
  "run:retry": ["WRITER", "APPROVER", "ADMIN"],
  "workspace:unlock": ["WRITER", "APPROVER", "ADMIN"],
  "workspace:update": ["WRITER", "APPROVER", "ADMIN"],
  "workspace:lock": ["WRITER", "APPROVER", "ADMIN"],
  "workspace:setGates": ["APPROVER", "ADMIN"],
  "workspace:setHooks": ["ADMIN"],
  "workspace:delete": ["ADMIN"],
  "organization:write": ["ADMIN"],
  "run:approve": ["APPROVER", "ADMIN"],
  "run:reject": ["APPROVER", "ADMIN"],
  "run:comment": ["WRITER", "APPROVER", "ADMIN"],
  "run:forceStop": ["ADMIN"],
  "workspace:forceUnlock": ["ADMIN"],
  "state:import": ["ADMIN"],
  "stateVersion:read": ["WRITER", "APPROVER", "ADMIN"],
  "stateVersion:write": ["ADMIN"],
  "stateLock:take": ["WRITER", "APPROVER", "ADMIN"],
  "stateLock:force": ["ADMIN"],
  "state:rollback": ["ADMIN"],
  "token:write": ["ADMIN"],
  "bulk:ofOthers": ["ADMIN"],
  "runner:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "runner:command": ["ADMIN"],
  "runnerPool:write": ["ADMIN"],
  "workspace:setRunner": ["ADMIN"],
  "webhook:read": ["ADMIN"],
  "webhook:write": ["ADMIN"],
} as const satisfies Record<Permission, readonly TokenRole[]>;

/** Jobs that exist: kind and leg of the run. */
const JOBS = {
  DEPLOY: ["DEPLOY", "PLAN"],
  REPLAN: ["DEPLOY", "REPLAN"],
  PLAN: ["PLAN", "PLAN"],
  APPLY: ["APPLY", "APPLY"],
  DESTROY: ["DESTROY", "DESTROY"],
  TASK: ["TASK", "TASK"],
  UNLOCK: ["UNLOCK", "TASK"],
} as const satisfies Record<string, readonly [RunKind, RunLeg]>;
type JobName = keyof typeof JOBS;

/** What a job may do, and which ones. */
const JOB_ACTIONS = {
  "job:work": ["DEPLOY", "REPLAN", "PLAN", "APPLY", "DESTROY", "TASK", "UNLOCK"],
  "state:read": ["DEPLOY", "REPLAN", "PLAN", "APPLY", "DESTROY", "TASK"],
  // Nothing speculative stands in the way of a run that has the workspace.
  "state:lock": ["DEPLOY", "REPLAN", "APPLY", "DESTROY", "TASK"],
  "source:read": ["DEPLOY", "REPLAN", "PLAN", "TASK"],
  "archive:write": ["DEPLOY", "REPLAN", "PLAN"],
  "archive:read": ["APPLY", "DESTROY"],
  "state:write": ["APPLY", "DESTROY", "TASK"],
  "rollback:read": ["TASK"],
  "state:break": ["UNLOCK"],
} as const satisfies Record<JobAction, readonly JobName[]>;

const JOB_ACTION_NAMES = Object.keys(JOB_ACTIONS).filter((action): action is JobAction => action in JOB_ACTIONS);

const PLACES: readonly Place[] = [
  INSTALLATION,
  { organizationId: "org_1", workspaceId: null },
  { organizationId: "org_1", workspaceId: "ws_1" },
];

test.each(PERMISSIONS)("%s, by each role on the installation", (permission) => {
  const roles: readonly string[] = ROLES_OF[permission];
  for (const place of PLACES) {
    const allowed = TOKEN_ROLES.filter((role) => can({ rights: rightsOfRole(role) }, permission, place));
    expect(allowed).toEqual(roles);
  }
  expect(rolesThatMay(permission)).toEqual(roles);
  const scopes = TOKEN_ROLES.map((role) => scopeOf({ rights: rightsOfRole(role) }, permission).type);
  expect(scopes).toEqual(TOKEN_ROLES.map((role) => (roles.includes(role) ? "everything" : "nothing")));
});

const [INSTALLATION_PLACE, ORGANIZATION, WORKSPACE] = PLACES;
const OTHER_WORKSPACE: Place = { organizationId: "org_1", workspaceId: "ws_2" };
const OTHER_ORGANIZATION: Place = { organizationId: "org_2", workspaceId: null };
const ALL = [INSTALLATION_PLACE, ORGANIZATION, WORKSPACE, OTHER_WORKSPACE, OTHER_ORGANIZATION].flatMap(
  (place) => place ?? [],
);

test("rights flow down from an organization, never up or aside", () => {
  const rights = rightsOf([{ role: "WRITER", scope: { type: "organization", organizationId: "org_1" } }]);
  const allowed = ALL.filter((place) => can({ rights }, "run:create", place));
  expect(allowed).toEqual([ORGANIZATION, WORKSPACE, OTHER_WORKSPACE]);
  expect(ALL.some((place) => can({ rights }, "run:approve", place))).toBe(false);
  expect(scopeOf({ rights }, "run:create")).toEqual({ type: "some", organizationIds: ["org_1"], workspaceIds: [] });
  expect(scopeOf({ rights }, "run:approve")).toEqual({ type: "nothing" });
});

test("a grant on a workspace reaches nothing else; several grants add up", () => {
  const scope = { type: "workspace", workspaceId: "ws_1" } as const;
  const rights = rightsOf([
    { role: "APPROVER", scope },
    { role: "READER", scope: { type: "installation" } },
    { role: "WRITER", scope: { type: "organization", organizationId: "org_2" } },
  ]);
  expect(ALL.filter((place) => can({ rights }, "run:approve", place))).toEqual([WORKSPACE]);
  expect(ALL.filter((place) => can({ rights }, "run:read", place))).toEqual(ALL);
  expect(ALL.filter((place) => can({ rights }, "run:create", place))).toEqual([WORKSPACE, OTHER_ORGANIZATION]);
  expect(scopeOf({ rights }, "run:create")).toEqual({
    type: "some",
    organizationIds: ["org_2"],
    workspaceIds: ["ws_1"],
  });
});

test("a grant on a workspace alone is a scope of that workspace", () => {
  const rights = rightsOf([{ role: "READER", scope: { type: "workspace", workspaceId: "ws_1" } }]);
  expect(scopeOf({ rights }, "run:read")).toEqual({ type: "some", organizationIds: [], workspaceIds: ["ws_1"] });
  expect(scopeOf({ rights: rightsOf([]) }, "run:read")).toEqual({ type: "nothing" });
});

test("places name the nodes above them", () => {
  expect(INSTALLATION).toEqual({ organizationId: null, workspaceId: null });
  expect(organizationPlace({ id: "org_1" })).toEqual({ organizationId: "org_1", workspaceId: null });
  const workspace = { id: "ws_1", organizationId: "org_1" };
  expect(workspacePlace(workspace)).toEqual({ organizationId: "org_1", workspaceId: "ws_1" });
});

test.each(JOB_ACTION_NAMES)("%s, by each job", (action) => {
  const allowed = Object.entries(JOBS)
    .filter(([, [kind, leg]]) => canJob({ kind, leg }, action))
    .map(([name]) => name);
  expect(allowed).toEqual(JOB_ACTIONS[action]);
});
