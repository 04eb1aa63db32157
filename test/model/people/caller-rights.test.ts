import { describe, expect, it, test } from "vitest";
import { placeOfScope, type Scope } from "../../../src/model/people/grant.ts";
import { type ActorCaller, keepsRights, permissionsOfRun, scopeOf } from "../../../src/model/people/permission.ts";
import {
  NO_PERMISSIONS,
  type Permission,
  PERMISSIONS,
  permissionSet,
  permissionsIn,
} from "../../../src/model/people/permission-set.ts";
import { INSTALLATION, organizationPlace, placeOf, workspacePlace } from "../../../src/model/people/place.ts";
import { projectTree } from "../../../src/model/people/project-tree.ts";
import { grantableAt, rightsOf, rightsWithin, setAt } from "../../../src/model/people/rights.ts";
import { permissionsOf, withSights } from "../../../src/model/people/role.ts";

/** org_1 has the project a, and below it b, which is isolated. */
const TREE = projectTree([
  { id: "prj_a", organizationId: "org_1", parentId: null, isolated: false },
  { id: "prj_b", organizationId: "org_1", parentId: "prj_a", isolated: true },
]);
const ORGANIZATION = organizationPlace({ id: "org_1" });
const IN_B = workspacePlace({ id: "ws_b", organizationId: "org_1", projectId: "prj_b" });
const PROJECT_A: Scope = { type: "project", organizationId: "org_1", projectId: "prj_a" };

const caller: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: "tok_1",
  actor: { id: "usr_1", kind: "USER", name: "ann" },
  rights: rightsOf([{ permissions: permissionsOf("WRITER"), scope: PROJECT_A }], TREE),
  accessVersion: { version: 1, moves: 3 },
};

describe("a caller keeps its rights", () => {
  it("while they are the same or more", () => {
    expect(keepsRights(caller, caller)).toBe(true);
    const more = rightsOf([{ permissions: permissionsOf("ADMIN"), scope: PROJECT_A }], TREE);
    expect(keepsRights({ ...caller, rights: more, accessVersion: { version: 2, moves: 3 } }, caller)).toBe(true);
  });

  it("not with less of them", () => {
    const less = rightsOf([{ permissions: permissionsOf("READER"), scope: PROJECT_A }], TREE);
    expect(keepsRights({ ...caller, rights: less }, caller)).toBe(false);
  });

  it("not after something went to another place", () => {
    expect(keepsRights({ ...caller, accessVersion: { version: 1, moves: 4 } }, caller)).toBe(false);
  });

  it.each([
    [undefined, undefined, true],
    [["10.0.0.0/8"], ["10.0.0.0/8"], true],
    [["10.0.0.0/8"], undefined, false],
    [undefined, ["10.0.0.0/8"], false],
    [["10.0.0.0/8", "::1/128"], ["10.0.0.0/8"], false],
  ])("with the networks %j after %j: %s", (now, before, expected) => {
    const bound = (networks: string[] | undefined) => (networks === undefined ? caller : { ...caller, networks });
    expect(keepsRights(bound(now), bound(before))).toBe(expected);
  });
});

test("the rights of a run that may change the state leave out approvals, gates and tokens", () => {
  const without: Permission[] = [
    "PLAN_APPROVE",
    "APPLY_APPROVE",
    "GATE_WRITE",
    "POLICY_WRITE",
    "POLICY_EXCEPT",
    "CHECK_WRITE",
    "TOKEN_WRITE",
  ];
  const others = PERMISSIONS.filter((permission) => !without.includes(permission));
  expect(permissionsIn(permissionsOfRun({ kind: "APPLY", leg: "APPLY" }))).toEqual(others);
  expect(permissionsIn(permissionsOfRun({ kind: "TASK", leg: "TASK" }))).toEqual(others);
});

test("a run whose plan was not approved only reads", () => {
  expect(permissionsIn(permissionsOfRun({ kind: "DEPLOY", leg: "PLAN" }))).toEqual([
    "ORGANIZATION_READ",
    "MEMBER_READ",
    "PROJECT_READ",
    "WORKSPACE_READ",
    "RUN_READ",
    "POLICY_READ",
    "STATE_READ",
    "RUNNER_READ",
    "FIGURES_READ",
  ]);
});

test("rights within a place are those at its workspace and its organization, and none at its project or elsewhere", () => {
  const rights = rightsWithin(IN_B, permissionSet(["RUN_READ"]), permissionSet(["ORGANIZATION_READ", "RUNNER_READ"]));
  expect(permissionsIn(setAt(rights, IN_B))).toEqual(["RUN_READ"]);
  expect(permissionsIn(setAt(rights, ORGANIZATION))).toEqual(["ORGANIZATION_READ", "RUNNER_READ"]);
  expect(setAt(rights, { ...IN_B, workspaceId: null })).toEqual(NO_PERMISSIONS);
  expect(setAt(rights, { ...IN_B, workspaceId: "ws_c" })).toEqual(NO_PERMISSIONS);
  expect(setAt(rights, organizationPlace({ id: "org_2" }))).toEqual(NO_PERMISSIONS);
  expect(setAt(rights, INSTALLATION)).toEqual(NO_PERMISSIONS);
});

test("rights within the installation are nowhere", () => {
  const all = permissionSet(PERMISSIONS);
  const nowhere = { everywhere: NO_PERMISSIONS, organizations: new Map(), projects: new Map(), workspaces: new Map() };
  expect(rightsWithin(INSTALLATION, all, all)).toEqual(nowhere);
});

test("who may grant at a project may grant all that it has there into an isolated project below it", () => {
  const rights = rightsOf([{ permissions: permissionsOf("ADMIN"), scope: PROJECT_A }], TREE);
  expect(permissionsIn(setAt(rights, IN_B))).toEqual(["GRANT_WRITE", "PROJECT_READ"]);
  expect(permissionsIn(grantableAt(rights, IN_B, TREE))).toEqual([...PERMISSIONS]);
  expect(permissionsIn(grantableAt(rights, ORGANIZATION, TREE))).toEqual(["ORGANIZATION_READ"]);
});

test("rights in no whole organization hide none of its projects", () => {
  expect(scopeOf(caller, "RUN_READ")).toEqual({
    type: "some",
    organizationIds: [],
    hiddenProjectIds: [],
    projectIds: ["prj_a"],
    workspaceIds: [],
  });
});

test("a permission brings the sight of its object, and of all above it", () => {
  const sights = (...permissions: Permission[]) => permissionsIn(withSights(permissionSet(permissions)));
  expect(sights("RUN_DEPLOY")).toEqual(["ORGANIZATION_READ", "WORKSPACE_READ", "RUN_READ", "RUN_DEPLOY"]);
  expect(sights("RUNNER_READ")).toEqual(["ORGANIZATION_READ", "RUNNER_READ"]);
  expect(sights()).toEqual(["ORGANIZATION_READ"]);
});

test("a scope begins at its node", () => {
  expect(placeOfScope({ type: "installation" })).toEqual(INSTALLATION);
  expect(placeOfScope({ type: "organization", organizationId: "org_1" })).toEqual(ORGANIZATION);
  expect(placeOfScope(PROJECT_A)).toEqual({ organizationId: "org_1", projectId: "prj_a", workspaceId: null });
  const workspace = { type: "workspace", organizationId: "org_1", projectId: "prj_b", workspaceId: "ws_b" } as const;
  expect(placeOfScope(workspace)).toEqual(IN_B);
});

test("a place is kept without the rest of an entity", () => {
  expect(placeOf({ ...IN_B, name: "b" } as typeof IN_B)).toEqual(IN_B);
});
