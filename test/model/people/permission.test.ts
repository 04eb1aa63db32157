import { expect, test } from "vitest";
import { isWithin, type Scope } from "../../../src/model/people/grant.ts";
import { can, scopeOf } from "../../../src/model/people/permission.ts";
import { PERMISSIONS, type Permission, permissionSet } from "../../../src/model/people/permission-set.ts";
import {
  INSTALLATION,
  organizationPlace,
  type Place,
  projectPlace,
  workspacePlace,
} from "../../../src/model/people/place.ts";
import { projectTree } from "../../../src/model/people/project-tree.ts";
import {
  fingerprint,
  grantableAt,
  keepsAll,
  narrowed,
  restricted,
  rightsOf,
} from "../../../src/model/people/rights.ts";
import {
  BUILT_IN_ROLES,
  type BuiltInRole,
  permissionsOf,
  TOKEN_ROLES,
  tokenRoleIn,
} from "../../../src/model/people/role.ts";
import { rightsOfRole } from "../../support/rights.ts";

/** Every permission, with the roles that include it. */
const ROLES_OF = {
  ORGANIZATION_READ: ["READER", "PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  PROJECT_READ: ["READER", "PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  WORKSPACE_READ: ["READER", "PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  RUN_READ: ["READER", "PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  RUNNER_READ: ["READER", "PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  FIGURES_READ: ["READER", "PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  POLICY_READ: ["READER", "PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  SOURCE_UPLOAD: ["PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  RUN_PLAN: ["PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  RUN_COMMENT: ["PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  WORKSPACE_CREATE: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  WORKSPACE_UPDATE: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  POLICY_EXCEPT: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  WORKSPACE_LOCK: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  VARIABLE_WRITE: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  RUN_DEPLOY: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  RUN_DESTROY: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  RUN_TASK: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  RUN_CANCEL: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  RUN_DISCARD: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  STATE_READ: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  STATE_LOCK: ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"],
  GATE_WRITE: ["APPROVER", "MAINTAINER", "ADMIN"],
  PLAN_APPROVE: ["APPROVER", "MAINTAINER", "ADMIN"],
  APPLY_APPROVE: ["APPROVER", "MAINTAINER", "ADMIN"],
  WORKSPACE_FORCE_UNLOCK: ["OPERATOR", "MAINTAINER", "ADMIN"],
  RUN_FORCE_STOP: ["OPERATOR", "MAINTAINER", "ADMIN"],
  BULK_OTHERS: ["OPERATOR", "MAINTAINER", "ADMIN"],
  STATE_LOCK_FORCE: ["OPERATOR", "MAINTAINER", "ADMIN"],
  MEMBER_READ: ["OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  RUNNER_COMMAND: ["OPERATOR", "ADMIN"],
  GRANT_WRITE: ["MAINTAINER", "ADMIN"],
  PROJECT_WRITE: ["MAINTAINER", "ADMIN"],
  WORKSPACE_DELETE: ["MAINTAINER", "ADMIN"],
  HOOK_WRITE: ["MAINTAINER", "ADMIN"],
  RUNNER_CHOOSE: ["MAINTAINER", "ADMIN"],
  STATE_WRITE: ["MAINTAINER", "ADMIN"],
  STATE_ROLLBACK: ["MAINTAINER", "ADMIN"],
  WEBHOOK_WRITE: ["MAINTAINER", "ADMIN"],
  ORGANIZATION_UPDATE: ["ADMIN"],
  POLICY_WRITE: ["ADMIN"],
  CHECK_WRITE: ["ADMIN"],
  MEMBER_WRITE: ["ADMIN"],
  ROLE_WRITE: ["ADMIN"],
  TOKEN_WRITE: ["ADMIN"],
  RUNNER_POOL_WRITE: ["ADMIN"],
} as const satisfies Record<Permission, readonly BuiltInRole[]>;

/**
 * org_1 has the projects a, with b below it, and c, which is isolated and has d below it; org_2 has e. Each project has a
 * workspace of its name.
 */
const PARENTS = { a: null, b: "a", c: null, d: "c", e: null } as const;
type Project = keyof typeof PARENTS;
const PROJECTS: readonly Project[] = ["a", "b", "c", "d", "e"];
const organizationOf = (project: Project) => (project === "e" ? "org_2" : "org_1");
const TREE = projectTree(
  PROJECTS.map((project) => {
    const parent = PARENTS[project];
    return {
      id: `prj_${project}`,
      organizationId: organizationOf(project),
      parentId: parent === null ? null : `prj_${parent}`,
      isolated: project === "c",
    };
  }),
);

const ONE = organizationPlace({ id: "org_1" });
const TWO = organizationPlace({ id: "org_2" });
const project = (name: Project): Place => projectPlace({ id: `prj_${name}`, organizationId: organizationOf(name) });
const workspace = (name: Project): Place =>
  workspacePlace({ id: `ws_${name}`, organizationId: organizationOf(name), projectId: `prj_${name}` });
const PLACES = new Map<string, Place>([
  ["installation", INSTALLATION],
  ["org_1", ONE],
  ["org_2", TWO],
  ...PROJECTS.map((name) => [name, project(name)] as const),
  ...PROJECTS.map((name) => [`ws_${name}`, workspace(name)] as const),
]);

const EVERYWHERE: Scope = { type: "installation" };
const inOrganization = (organizationId: string): Scope => ({ type: "organization", organizationId });
const inProject = (name: Project): Scope => ({
  type: "project",
  organizationId: organizationOf(name),
  projectId: `prj_${name}`,
});
const inWorkspace = (name: Project): Scope => ({
  type: "workspace",
  organizationId: organizationOf(name),
  projectId: `prj_${name}`,
  workspaceId: `ws_${name}`,
});
const grant = (role: BuiltInRole, scope: Scope) => ({ permissions: permissionsOf(role), scope });

/** The names of the places at which rights include a permission. */
function placesOf(rights: ReturnType<typeof rightsOf>, permission: Permission): string[] {
  return [...PLACES].flatMap(([name, place]) => (can({ rights }, permission, place) ? [name] : []));
}

test.each(PERMISSIONS)("%s, by each role on the installation", (permission) => {
  const roles: readonly string[] = ROLES_OF[permission];
  for (const place of PLACES.values()) {
    const allowed = BUILT_IN_ROLES.filter((role) => can({ rights: rightsOfRole(role) }, permission, place));
    expect(allowed).toEqual(roles);
  }
  const scopes = BUILT_IN_ROLES.map((role) => scopeOf({ rights: rightsOfRole(role) }, permission).type);
  expect(scopes).toEqual(BUILT_IN_ROLES.map((role) => (roles.includes(role) ? "everything" : "nothing")));
});

test.each(TOKEN_ROLES)("rights of the role %s are those of that role", (role) => {
  expect(tokenRoleIn(rightsOfRole(role).everywhere)).toBe(role);
});

test("rights that include no role of tokens are shown as the least one", () => {
  expect(tokenRoleIn(permissionSet(["RUN_READ"]))).toBe("READER");
  expect(tokenRoleIn(permissionsOf("OPERATOR"))).toBe("WRITER");
});

test("rights flow down from an organization, not up, aside or into an isolated project", () => {
  const rights = rightsOf([grant("WRITER", inOrganization("org_1"))], TREE);
  expect(placesOf(rights, "RUN_DEPLOY")).toEqual(["org_1", "a", "b", "ws_a", "ws_b"]);
  expect(placesOf(rights, "APPLY_APPROVE")).toEqual([]);
  expect(scopeOf({ rights }, "RUN_DEPLOY")).toEqual({
    type: "some",
    organizationIds: ["org_1"],
    hiddenProjectIds: ["prj_c", "prj_d"],
    projectIds: [],
    workspaceIds: [],
  });
  expect(scopeOf({ rights }, "APPLY_APPROVE")).toEqual({ type: "nothing" });
});

test("rights flow down from a project to those below it", () => {
  const rights = rightsOf([grant("WRITER", inProject("a"))], TREE);
  expect(placesOf(rights, "RUN_DEPLOY")).toEqual(["a", "b", "ws_a", "ws_b"]);
  expect(scopeOf({ rights }, "RUN_DEPLOY")).toMatchObject({ organizationIds: [], projectIds: ["prj_a", "prj_b"] });
  expect(placesOf(rightsOf([grant("WRITER", inProject("b"))], TREE), "RUN_DEPLOY")).toEqual(["b", "ws_b"]);
});

test("a grant on a workspace reaches nothing else; several grants add up", () => {
  const rights = rightsOf(
    [grant("APPROVER", inWorkspace("a")), grant("READER", inProject("b")), grant("WRITER", inOrganization("org_2"))],
    TREE,
  );
  expect(placesOf(rights, "APPLY_APPROVE")).toEqual(["ws_a"]);
  expect(placesOf(rights, "RUN_READ")).toEqual(["org_2", "b", "e", "ws_a", "ws_b", "ws_e"]);
  expect(placesOf(rights, "RUN_DEPLOY")).toEqual(["org_2", "e", "ws_a", "ws_e"]);
  expect(scopeOf({ rights }, "RUN_READ")).toEqual({
    type: "some",
    organizationIds: ["org_2"],
    // Of another organization: they change nothing.
    hiddenProjectIds: ["prj_c", "prj_d"],
    projectIds: ["prj_b"],
    workspaceIds: ["ws_a"],
  });
});

test("who may see anything in an organization sees the organization, and nothing else of it", () => {
  for (const scope of [inProject("b"), inWorkspace("b")]) {
    const rights = rightsOf([grant("ADMIN", scope)], TREE);
    expect(can({ rights }, "ORGANIZATION_READ", ONE)).toBe(true);
    expect(can({ rights }, "ORGANIZATION_READ", TWO)).toBe(false);
    expect(PERMISSIONS.filter((permission) => can({ rights }, permission, ONE))).toEqual(["ORGANIZATION_READ"]);
  }
});

test("an isolated project is cut off; who may grant sees that it exists, and may grant", () => {
  const writer = rightsOf([grant("WRITER", EVERYWHERE)], TREE);
  expect(placesOf(writer, "WORKSPACE_READ")).not.toContain("c");
  expect(scopeOf({ rights: writer }, "RUN_READ")).toEqual({
    type: "some",
    organizationIds: "ALL",
    hiddenProjectIds: ["prj_c", "prj_d"],
    projectIds: [],
    workspaceIds: [],
  });
  const admin = rightsOf([grant("ADMIN", EVERYWHERE)], TREE);
  for (const name of ["c", "d", "ws_c", "ws_d"]) {
    const place = PLACES.get(name) ?? INSTALLATION;
    const left = PERMISSIONS.filter((permission) => can({ rights: admin }, permission, place));
    expect(left).toEqual(["GRANT_WRITE", "PROJECT_READ"]);
  }
  const inside = rightsOf([grant("READER", inProject("c")), grant("WRITER", inOrganization("org_1"))], TREE);
  expect(placesOf(inside, "RUN_READ")).toEqual(["org_1", "a", "b", "c", "d", "ws_a", "ws_b", "ws_c", "ws_d"]);
  expect(placesOf(inside, "RUN_DEPLOY")).toEqual(["org_1", "a", "b", "ws_a", "ws_b"]);
});

test("without a grant there are no rights", () => {
  const rights = rightsOf([], TREE);
  for (const permission of PERMISSIONS) {
    expect(placesOf(rights, permission)).toEqual([]);
    expect(scopeOf({ rights }, permission)).toEqual({ type: "nothing" });
  }
});

test("a token that is limited to parts of the tree has the rights of its owner there, and none elsewhere", () => {
  const owned = [grant("WRITER", EVERYWHERE), grant("APPROVER", inWorkspace("b")), grant("ADMIN", inProject("d"))];
  const rights = (...to: Scope[]) => rightsOf(narrowed(owned, to, TREE), TREE);
  expect(placesOf(rights(inProject("a")), "RUN_DEPLOY")).toEqual(["a", "b", "ws_a", "ws_b"]);
  expect(placesOf(rights(inProject("a")), "APPLY_APPROVE")).toEqual(["ws_b"]);
  expect(placesOf(rights(inWorkspace("b")), "APPLY_APPROVE")).toEqual(["ws_b"]);
  expect(placesOf(rights(inWorkspace("a"), inWorkspace("e")), "RUN_DEPLOY")).toEqual(["ws_a", "ws_e"]);
  expect(placesOf(rights(inOrganization("org_1")), "RUN_DEPLOY")).toEqual([
    "org_1",
    "a",
    "b",
    "d",
    "ws_a",
    "ws_b",
    "ws_d",
  ]);
  // The limit reaches into no isolated project that the owner's rights do not reach.
  expect(placesOf(rights(inProject("c")), "RUN_DEPLOY")).toEqual(["d", "ws_d"]);
  expect(placesOf(rights(), "RUN_READ")).toEqual([]);
});

test("rights are reduced to some permissions everywhere", () => {
  const rights = rightsOf(
    [grant("ADMIN", EVERYWHERE), grant("ADMIN", inProject("c")), grant("ADMIN", inWorkspace("d"))],
    TREE,
  );
  const less = restricted(rights, permissionSet(["RUN_READ"]));
  expect(placesOf(less, "RUN_READ")).toEqual([...PLACES.keys()]);
  expect(PERMISSIONS.filter((permission) => placesOf(less, permission).length > 0)).toEqual(["RUN_READ"]);
  const apart = restricted(rightsOf([grant("READER", EVERYWHERE)], TREE), permissionSet(["RUN_READ"]));
  expect(placesOf(apart, "RUN_READ")).not.toContain("c");
});

test("equal rights have equal fingerprints, in whatever order their grants come; others differ", () => {
  const grants = [grant("READER", inProject("a")), grant("WRITER", inWorkspace("e")), grant("READER", inProject("c"))];
  const print = (list: typeof grants) => fingerprint(rightsOf(list, TREE));
  expect(print(grants)).toBe(print(grants.toReversed()));
  expect(print(grants)).not.toBe(print(grants.slice(1)));
  expect(print([grant("READER", inProject("b"))])).not.toBe(print([grant("READER", inWorkspace("b"))]));
  for (const scope of [inOrganization("org_1"), inProject("a"), inWorkspace("a")]) {
    expect(print([grant("READER", scope)])).not.toBe(print([grant("WRITER", scope)]));
  }
  expect(print([grant("READER", EVERYWHERE)])).not.toBe(print([grant("READER", inOrganization("org_1"))]));
});

test("rights that were taken away are noticed; those that were added are not", () => {
  const writer = grant("WRITER", inProject("a"));
  const approver = grant("APPROVER", inWorkspace("e"));
  const of = (...grants: ReturnType<typeof grant>[]) => rightsOf(grants, TREE);
  expect(keepsAll(of(writer, approver), of(writer))).toBe(true);
  expect(keepsAll(of(writer), of(writer, approver))).toBe(false);
  expect(keepsAll(of(grant("READER", inProject("a"))), of(writer))).toBe(false);
  expect(keepsAll(of(grant("WRITER", inOrganization("org_1"))), of(grant("WRITER", EVERYWHERE)))).toBe(false);
  expect(keepsAll(of(grant("WRITER", EVERYWHERE)), of(grant("WRITER", inOrganization("org_1")), writer))).toBe(true);
  expect(keepsAll(of(), of(grant("READER", inOrganization("org_2"))))).toBe(false);
  // The project c was isolated since.
  const before = rightsOf([grant("READER", inOrganization("org_1"))]);
  expect(keepsAll(of(grant("READER", inOrganization("org_1"))), before)).toBe(false);
});

test("permissions can be granted by those who have them at the place or above, also into an isolated project", () => {
  const rights = rightsOf([grant("MAINTAINER", inOrganization("org_1")), grant("WRITER", inWorkspace("d"))], TREE);
  const has = (place: Place, permission: Permission) => can({ rights: onlyAt(place) }, permission, INSTALLATION);
  const onlyAt = (place: Place) =>
    rightsOf([{ permissions: grantableAt(rights, place, TREE), scope: { type: "installation" } }]);
  expect(has(workspace("d"), "STATE_ROLLBACK")).toBe(true);
  expect(has(project("c"), "APPLY_APPROVE")).toBe(true);
  expect(has(project("c"), "TOKEN_WRITE")).toBe(false);
  expect(has(project("e"), "RUN_READ")).toBe(false);
});

test.each([
  ["the installation", EVERYWHERE, [...PLACES.keys()]],
  ["an organization", inOrganization("org_2"), ["org_2", "e", "ws_e"]],
  ["a project", inProject("a"), ["a", "b", "ws_a", "ws_b"]],
  ["a workspace", inWorkspace("b"), ["ws_b"]],
])("%s covers itself and what is below it", (_name, scope, covered) => {
  expect([...PLACES].flatMap(([name, place]) => (isWithin(place, scope, TREE) ? [name] : []))).toEqual(covered);
});

test("places name the nodes above them", () => {
  expect(INSTALLATION).toEqual({ organizationId: null, projectId: null, workspaceId: null });
  expect(ONE).toEqual({ organizationId: "org_1", projectId: null, workspaceId: null });
  expect(project("b")).toEqual({ organizationId: "org_1", projectId: "prj_b", workspaceId: null });
  expect(workspace("b")).toEqual({ organizationId: "org_1", projectId: "prj_b", workspaceId: "ws_b" });
});
