/** Rights over random trees are those that a naive evaluation of the grants gives, place by place. */
import { describe, expect, test } from "vitest";
import { type Grant, isWithin, placeOfScope, type Scope, scopesReaching } from "../../../src/model/people/grant.ts";
import { can, scopeOf } from "../../../src/model/people/permission.ts";
import {
  covers,
  includes,
  intersection,
  isEmpty,
  NO_PERMISSIONS,
  type Permission,
  PERMISSIONS,
  type PermissionSet,
  permissionSet,
  permissionsIn,
  union,
} from "../../../src/model/people/permission-set.ts";
import { INSTALLATION, type Place } from "../../../src/model/people/place.ts";
import {
  defaultProjectId,
  lineOf,
  type ProjectNode,
  type ProjectTree,
  projectTree,
  subtrees,
} from "../../../src/model/people/project-tree.ts";
import { fingerprint, keepsAll, narrowed, restricted, rightsOf, setAt } from "../../../src/model/people/rights.ts";
import { BUILT_IN, lackingPermissions, permissionsOf } from "../../../src/model/people/role.ts";
import { createRandom, type Random } from "../../support/random.ts";

const ROUNDS = 400;
const ASKED = ["RUN_READ", "APPLY_APPROVE", "GRANT_WRITE", "PROJECT_READ", "WEBHOOK_WRITE"] as const;
const ACROSS = permissionSet(["PROJECT_READ", "GRANT_WRITE"]);

interface World {
  nodes: ProjectNode[];
  tree: ProjectTree;
  places: Place[];
  scopes: Scope[];
}

function worldOf(random: Random): World {
  const nodes: ProjectNode[] = [];
  const count = 1 + random.below(9);
  for (let index = 0; index < count; index += 1) {
    const organizationId = random.chance(0.7) ? "org_1" : "org_2";
    const parents = nodes.filter((node) => node.organizationId === organizationId && depthOf(nodes, node) < 5);
    const parentId = random.chance(0.7) ? (random.pick(parents)?.id ?? null) : null;
    nodes.push({ id: `prj_${index}`, organizationId, parentId, isolated: random.chance(0.25) });
  }
  const workspaces = nodes.map(({ id, organizationId }): Place => {
    return { organizationId, projectId: id, workspaceId: id.replace("prj", "ws") };
  });
  const projects = workspaces.map((place): Place => ({ ...place, workspaceId: null }));
  const organizations = ["org_1", "org_2"].map((organizationId): Place => {
    return { organizationId, projectId: null, workspaceId: null };
  });
  const places = [INSTALLATION, ...organizations, ...projects, ...workspaces];
  return { nodes, tree: projectTree(nodes), places, scopes: places.map(scopeAt) };
}

function depthOf(nodes: readonly ProjectNode[], { parentId }: ProjectNode): number {
  const parent = nodes.find(({ id }) => id === parentId);
  return parent === undefined ? 1 : 1 + depthOf(nodes, parent);
}

function scopeAt({ organizationId, projectId, workspaceId }: Place): Scope {
  if (organizationId === null) return { type: "installation" };
  if (projectId === null) return { type: "organization", organizationId };
  if (workspaceId === null) return { type: "project", organizationId, projectId };
  return { type: "workspace", organizationId, projectId, workspaceId };
}

function grantsOf(random: Random, { scopes }: World): Grant[] {
  return Array.from({ length: random.below(5) }, () => {
    const role = random.pick(BUILT_IN) ?? BUILT_IN[0];
    return { permissions: role?.permissions ?? NO_PERMISSIONS, scope: random.pick(scopes) ?? { type: "installation" } };
  });
}

/** All permissions at a place, from the top of the tree down. */
function naive({ nodes }: World, grants: readonly Grant[], place: Place): PermissionSet {
  const at = (matches: (scope: Scope) => boolean) =>
    grants.filter(({ scope }) => matches(scope)).reduce((set, grant) => union(set, grant.permissions), NO_PERMISSIONS);
  const { organizationId, projectId, workspaceId } = place;
  const everywhere = at(({ type }) => type === "installation");
  if (organizationId === null) return everywhere;
  const own = at((scope) => scope.type === "organization" && scope.organizationId === organizationId);
  const below = at((scope) => scope.type !== "installation" && scope.organizationId === organizationId);
  const ofOrganization = union(union(everywhere, own), intersection(below, permissionSet(["ORGANIZATION_READ"])));
  const ofProject = (id: string): PermissionSet => {
    const node = nodes.find((one) => one.id === id);
    if (node === undefined) throw new Error(`There is no project ${id}.`);
    const above = node.parentId === null ? ofOrganization : ofProject(node.parentId);
    const across = includes(above, "GRANT_WRITE") ? intersection(above, ACROSS) : NO_PERMISSIONS;
    const granted = at((scope) => scope.type === "project" && scope.projectId === id);
    return union(node.isolated ? across : above, granted);
  };
  const inherited = projectId === null ? ofOrganization : ofProject(projectId);
  return union(
    inherited,
    workspaceId === null
      ? NO_PERMISSIONS
      : at((scope) => scope.type === "workspace" && scope.workspaceId === workspaceId),
  );
}

function eachRound(seed: number, work: (random: Random, world: World, grants: Grant[]) => void): void {
  const random = createRandom(seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const world = worldOf(random);
    work(random, world, grantsOf(random, world));
  }
}

const names = (set: PermissionSet) => permissionsIn(set);

describe("over random trees and grants", () => {
  test("the rights at each place are those of the naive evaluation", () => {
    eachRound(1, (_random, world, grants) => {
      const rights = rightsOf(grants, world.tree);
      for (const place of world.places) {
        const wanted = naive(world, grants, place);
        expect(names(setAt(rights, place))).toEqual(names(wanted));
        for (const permission of ASKED) expect(can({ rights }, permission, place)).toBe(includes(wanted, permission));
      }
    });
  });

  test("the scope of a permission has the places at which it holds", () => {
    eachRound(2, (_random, world, grants) => {
      const rights = rightsOf(grants, world.tree);
      for (const permission of ASKED) {
        const scope = scopeOf({ rights }, permission);
        for (const place of world.places) {
          if (place.workspaceId === null) continue;
          expect(isListed(scope, place), JSON.stringify([permission, place])).toBe(can({ rights }, permission, place));
        }
      }
    });
  });

  test("a narrowed token has what its owner has within its scopes, and nothing elsewhere", () => {
    eachRound(3, (random, world, grants) => {
      const owner = rightsOf(grants, world.tree);
      const to = world.scopes.filter(({ type }) => type !== "installation" && random.chance(0.2));
      const rights = rightsOf(narrowed(grants, to, world.tree), world.tree);
      for (const place of world.places) {
        const isIn = to.some((scope) => isWithin(place, scope, world.tree));
        const wanted = isIn ? setAt(owner, place) : NO_PERMISSIONS;
        // The organization of what is seen is seen as well.
        const got = names(setAt(rights, place)).filter((name) => name !== "ORGANIZATION_READ");
        expect(got).toEqual(names(wanted).filter((name) => name !== "ORGANIZATION_READ"));
        expect(covers(setAt(owner, place), intersection(setAt(rights, place), wanted))).toBe(true);
      }
    });
  });

  test("reduced rights are the intersection everywhere", () => {
    eachRound(4, (random, world, grants) => {
      const rights = rightsOf(grants, world.tree);
      const to = permissionSet(PERMISSIONS.filter(() => random.chance(0.4)));
      const less = restricted(rights, to);
      for (const place of world.places) {
        expect(names(setAt(less, place))).toEqual(names(intersection(setAt(rights, place), to)));
      }
      expect(keepsAll(rights, less)).toBe(true);
    });
  });

  test("a loss is always noticed", () => {
    eachRound(5, (random, world, grants) => {
      const before = rightsOf(grants, world.tree);
      const now = rightsOf(
        grants.filter(() => random.chance(0.7)),
        world.tree,
      );
      const keeps = world.places.every((place) => covers(setAt(now, place), setAt(before, place)));
      if (!keeps) expect(keepsAll(now, before)).toBe(false);
      expect(keepsAll(before, before)).toBe(true);
      expect(fingerprint(before) === fingerprint(rightsOf(grants.toReversed(), world.tree))).toBe(true);
    });
  });

  test("the grants that reach a place are those of the scopes that are named for it", () => {
    eachRound(6, (_random, world) => {
      for (const place of world.places) {
        const reaching = scopesReaching(place, world.tree);
        expect(new Set(reaching).size).toBe(reaching.length);
        for (const scope of world.scopes) {
          const { workspaceId, projectId, organizationId } = placeOfScope(scope);
          const id = workspaceId ?? projectId ?? organizationId;
          const grant = { permissions: permissionSet(["RUN_READ"]), scope };
          const reaches = can({ rights: rightsOf([grant], world.tree) }, "RUN_READ", place);
          expect(reaching.includes(id), JSON.stringify([scope, place])).toBe(reaches);
        }
      }
    });
  });
});

function isListed(scope: ReturnType<typeof scopeOf>, { organizationId, projectId, workspaceId }: Place): boolean {
  if (scope.type !== "some") return scope.type === "everything";
  const ofOrganization = scope.organizationIds === "ALL" || scope.organizationIds.includes(organizationId ?? "");
  return (
    (ofOrganization && !scope.hiddenProjectIds.includes(projectId ?? "")) ||
    scope.projectIds.includes(projectId ?? "") ||
    scope.workspaceIds.includes(workspaceId ?? "")
  );
}

describe("a tree of projects", () => {
  const node = (id: string, parentId: string | null) => ({ id, organizationId: "org_1", parentId, isolated: false });
  const tree = projectTree([node("a", null), node("b", "a"), node("c", "a"), node("d", "b"), node("x", "gone")]);

  test("has lines from the top down, and subtrees with each project once, parents first", () => {
    expect(lineOf(tree, "d").map(({ id }) => id)).toEqual(["a", "b", "d"]);
    expect(lineOf(tree, "x").map(({ id }) => id)).toEqual(["x"]);
    expect(lineOf(tree, "none")).toEqual([]);
    expect(subtrees(tree, ["d", "b", "none"]).map(({ id }) => id)).toEqual(["b", "d"]);
    expect(subtrees(tree, ["a", "d", "c"]).map(({ id }) => id)).toEqual(["a", "b", "d", "c"]);
  });

  test("ends a line that goes in a circle", () => {
    expect(lineOf(projectTree([node("p", "q"), node("q", "p")]), "p")).toHaveLength(5);
  });

  test("has a default project for each organization", () => {
    expect(defaultProjectId("org_0123")).toBe("prj_0123");
  });
});

describe("sets of permissions", () => {
  test("are compared in both of their words", () => {
    const [low, high]: [Permission, Permission] = ["ORGANIZATION_READ", "FIGURES_READ"];
    expect(covers(permissionSet([low]), permissionSet([high]))).toBe(false);
    expect(covers(permissionSet([high]), permissionSet([low]))).toBe(false);
    expect(covers(permissionSet([low, high]), permissionSet([high]))).toBe(true);
    expect(isEmpty(NO_PERMISSIONS)).toBe(true);
    expect([low, high].map((permission) => isEmpty(permissionSet([permission])))).toEqual([false, false]);
    expect(permissionsIn(permissionSet([high, low]))).toEqual([low, high]);
  });

  test("of a role lack what the others need, each once and in the order of need", () => {
    expect(lackingPermissions(["RUN_DEPLOY", "RUN_CANCEL"])).toEqual(["RUN_READ"]);
    expect(lackingPermissions(["RUN_READ", "STATE_LOCK"])).toEqual(["WORKSPACE_READ"]);
    expect(lackingPermissions([])).toEqual([]);
    for (const { name, permissions } of BUILT_IN)
      expect([name, lackingPermissions(permissionsIn(permissions))]).toEqual([name, []]);
    const readable = PERMISSIONS.filter((permission) => permission.endsWith("_READ") && permission !== "STATE_READ");
    for (const permission of PERMISSIONS) {
      const lacking = lackingPermissions([permission]);
      for (const needed of lacking) expect(readable).toContain(needed);
    }
  });

  test("of built-in roles have a purpose that is shown", () => {
    expect(BUILT_IN.map(({ name, organizationId }) => [name, organizationId])).toEqual(
      ["READER", "PLANNER", "WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"].map((name) => [
        name,
        null,
      ]),
    );
    for (const { description, name, permissions } of BUILT_IN) {
      expect(description, name).toMatch(/^[A-Z].*\.$/);
      expect(isEmpty(permissions)).toBe(false);
    }
    expect(BUILT_IN[0]?.permissions).toEqual(permissionsOf("READER"));
  });
});
