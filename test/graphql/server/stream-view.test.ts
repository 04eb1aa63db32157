/** The views of an item: who shares an execution, and what that execution may see. */
import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../../src/graphql/server/schema.ts";
import { type DocumentFacts, factsOf } from "../../../src/graphql/server/document-facts.ts";
import { ReaderGroups } from "../../../src/graphql/server/reader-groups.ts";
import { type View, viewOf } from "../../../src/graphql/server/stream-view.ts";
import type { Grant, Scope } from "../../../src/model/people/grant.ts";
import { type ActorCaller, can } from "../../../src/model/people/permission.ts";
import { includes, PERMISSIONS, permissionSet, permissionsIn } from "../../../src/model/people/permission-set.ts";
import { INSTALLATION, type Place } from "../../../src/model/people/place.ts";
import { projectTree } from "../../../src/model/people/project-tree.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { BUILT_IN } from "../../../src/model/people/role.ts";
import { fakeActor, fakeCaller, fakeId } from "../../support/fake-domain.ts";
import { createRandom, type Random } from "../../support/random.ts";

const TREE = projectTree([
  { id: "prj_1", organizationId: "org_1", parentId: null, isolated: false },
  { id: "prj_2", organizationId: "org_1", parentId: "prj_1", isolated: true },
  { id: "prj_3", organizationId: "org_2", parentId: null, isolated: false },
]);
const WORKSPACES: readonly Place[] = [
  { organizationId: "org_1", projectId: "prj_1", workspaceId: "ws_1" },
  { organizationId: "org_1", projectId: "prj_1", workspaceId: "ws_2" },
  { organizationId: "org_1", projectId: "prj_2", workspaceId: "ws_3" },
  { organizationId: "org_2", projectId: "prj_3", workspaceId: "ws_4" },
];
const ABOVE: readonly Place[] = [
  INSTALLATION,
  ...["org_1", "org_2"].map((organizationId) => ({ organizationId, projectId: null, workspaceId: null })),
  { organizationId: "org_1", projectId: "prj_1", workspaceId: null },
  { organizationId: "org_1", projectId: "prj_2", workspaceId: null },
  { organizationId: "org_2", projectId: "prj_3", workspaceId: null },
];

function scopeAt({ organizationId, projectId, workspaceId }: Place): Scope {
  if (organizationId === null) return { type: "installation" };
  if (projectId === null) return { type: "organization", organizationId };
  if (workspaceId === null) return { type: "project", organizationId, projectId };
  return { type: "workspace", organizationId, projectId, workspaceId };
}

function randomCaller(random: Random): ActorCaller {
  const grants = Array.from({ length: random.below(4) }, (): Grant => {
    const permissions = random.pick(BUILT_IN)?.permissions ?? permissionSet([]);
    return { permissions, scope: scopeAt(random.pick([...WORKSPACES, ...ABOVE]) ?? INSTALLATION) };
  });
  return { ...fakeCaller, rights: rightsOf(grants, TREE) };
}

const about = (selected: string) =>
  `subscription { runEvents(runId: "1") { ... on RunEvent { run { ${selected} } } } }`;
const factsOfRun = (selected: string): DocumentFacts => factsOf(schema, parse(about(selected)));

function view(caller: ActorCaller, facts: DocumentFacts, place: Place): View | null {
  return viewOf(new ReaderGroups().enter(caller), { permission: "RUN_READ", place }, facts, fakeActor);
}

const organizationOf = ({ organizationId }: Place): Place => ({ organizationId, projectId: null, workspaceId: null });

/** What a caller may do, of these permissions, at these places. */
function abilities(caller: ActorCaller, facts: DocumentFacts, places: readonly Place[]): string {
  const asked = permissionsIn(facts.permissions);
  return places.map((place) => asked.filter((one) => can(caller, one, place)).join()).join("|");
}

const STAYS = [
  "status",
  "plan { additions } phases { status } createdBy { name }",
  "workspace { name organization { name concurrencyLimit approvalRules { approvers { name } } } }",
  "workspace { variables { key } currentRun { id } runs(first: 1) { edges { node { status } } } }",
  "log(first: 1) { edges { node { text } } } events(first: 1) { edges { node { actor { name } } } }",
  "workspace { viewerPermissions }",
];
const LEAVES = [
  "workspace { organization { workspaces(first: 1) { edges { node { name } } } } }",
  "workspace { organization { ... on Organization { projects { name } } } }",
  "workspace { project { name } }",
  "workspace { webhooks { url } }",
  "workspace { runnerPool { name } }",
  "phases { runner { name } }",
  "workspace { organization { viewerPermissions } }",
  "workspace { rejectedCommands(first: 1) { edges { node { subject { id } } } } }",
  "createdByRun { number }",
  "createdBy { ... on MachineUser { workspace { name } } }",
];

describe("a document", () => {
  it.each(STAYS)("stays in the workspace of the item: %s", (selected) => {
    expect(factsOfRun(selected).leavesWorkspace).toBe(false);
  });

  it.each(LEAVES)("leaves it: %s", (selected) => {
    expect(factsOfRun(selected).leavesWorkspace).toBe(true);
  });

  it("of the whole organization stays in the workspace of each item", () => {
    const query = `subscription { organizationEvents(organizationId: "1") {
      ... on StreamItem { cursor } ... on Node { id }
      ... on WorkspaceChanged { workspace { name organization { name } } } ... on RunEvent { run { status } } } }`;
    expect(factsOf(schema, parse(query)).leavesWorkspace).toBe(false);
  });
});

describe("the view of an item", () => {
  it("is that of the caller at the workspace and its organization, and of nothing else", () => {
    const random = createRandom(1);
    let seen = 0;
    for (let round = 0; round < 300; round += 1) {
      const facts = factsOfRun(random.pick(STAYS) ?? "status");
      const caller = randomCaller(random);
      const place = random.pick(WORKSPACES) ?? expect.fail("There is no workspace.");
      const found = view(caller, facts, place);
      expect(found !== null).toBe(can(caller, "RUN_READ", place));
      if (found === null) continue;
      seen += 1;
      expect(abilities(found.caller, facts, [place])).toBe(abilities(caller, facts, [place]));
      const organization = organizationOf(place);
      const asked = permissionsIn(facts.permissions);
      const isSeen = asked.includes("ORGANIZATION_READ") && can(caller, "ORGANIZATION_READ", organization);
      expect(can(found.caller, "ORGANIZATION_READ", organization)).toBe(isSeen);
      for (const permission of PERMISSIONS) {
        const others = [...WORKSPACES, ...ABOVE].filter((other) => other !== place);
        const reached = others.filter((other) => can(found.caller, permission, other));
        // An organization that is seen is seen as a whole; nothing below it takes that permission.
        if (permission !== "ORGANIZATION_READ") expect(reached, permission).toEqual([]);
        if (!asked.includes(permission)) expect(can(found.caller, permission, place), permission).toBe(false);
      }
    }
    expect(seen).toBeGreaterThan(50);
  });

  it("is shared exactly by those who may do the same of what the document asks for there", () => {
    const random = createRandom(2);
    for (const selected of STAYS) {
      const facts = factsOfRun(selected);
      const place = WORKSPACES[0] ?? INSTALLATION;
      const byKey = new Map<string, Set<string>>();
      const keys = new Map<string, Set<string>>();
      for (let round = 0; round < 200; round += 1) {
        const caller = randomCaller(random);
        const key = view(caller, facts, place)?.key;
        if (key === undefined) continue;
        const isSeen = can(caller, "ORGANIZATION_READ", organizationOf(place));
        const able = `${abilities(caller, facts, [place])} ${includes(facts.permissions, "ORGANIZATION_READ") && isSeen}`;
        byKey.set(key, (byKey.get(key) ?? new Set()).add(able));
        keys.set(able, (keys.get(able) ?? new Set()).add(key));
      }
      for (const set of [...byKey.values(), ...keys.values()]) expect(set.size).toBe(1);
      expect(byKey.size).toBeGreaterThan(0);
    }
  });

  it("has all rights that the document asks for, where that leaves the workspace, and is shared by equal ones", () => {
    const random = createRandom(3);
    const places = [...WORKSPACES, ...ABOVE];
    const byKey = new Map<string, string>();
    for (let round = 0; round < 200; round += 1) {
      const facts = factsOfRun(LEAVES[0] ?? "");
      const caller = randomCaller(random);
      const found = view(caller, facts, WORKSPACES[0] ?? INSTALLATION);
      if (found === null) continue;
      const able = abilities(caller, facts, places);
      expect(abilities(found.caller, facts, places)).toBe(able);
      expect(byKey.get(found.key) ?? able).toBe(able);
      byKey.set(found.key, able);
      const hidden = PERMISSIONS.filter((one) => !permissionsIn(facts.permissions).includes(one));
      for (const one of hidden)
        expect(
          places.some((place) => can(found.caller, one, place)),
          one,
        ).toBe(false);
    }
    expect(byKey.size).toBeGreaterThan(5);
  });

  it("is that of no person and no credential, unless a field depends on the person", () => {
    const place = WORKSPACES[0] ?? INSTALLATION;
    const other = { ...fakeActor, id: fakeId("usr", 2) };
    const group = new ReaderGroups().enter(fakeCaller);
    const access = { permission: "RUN_READ", place } as const;
    expect(viewOf(group, access, factsOfRun("status"), other)?.caller).toMatchObject({
      type: "actor",
      credential: "TOKEN",
      credentialId: "",
      accessVersion: fakeCaller.accessVersion,
      actor: { id: "", kind: "SYSTEM", name: "anonymous" },
    });
    const depends = new ReaderGroups().enter(fakeCaller);
    expect(viewOf(depends, access, factsOfRun("actions { allowed }"), other)?.caller.actor).toBe(other);
  });

  it("is kept for the place of the last row, until the permission or the place is another one", () => {
    const facts = factsOfRun("status");
    const [one, other] = WORKSPACES;
    if (one === undefined || other === undefined) expect.fail("There are two workspaces.");
    const group = new ReaderGroups().enter({
      ...fakeCaller,
      rights: rightsOf([{ permissions: permissionSet(["RUN_READ"]), scope: scopeAt(one) }]),
    });
    const seen = viewOf(group, { permission: "RUN_READ", place: one }, facts, fakeActor);
    expect(viewOf(group, { permission: "RUN_READ", place: one }, facts, fakeActor)).toBe(seen);
    expect(viewOf(group, { permission: "WORKSPACE_READ", place: one }, facts, fakeActor)).toBeNull();
    expect(viewOf(group, { permission: "RUN_READ", place: other }, facts, fakeActor)).toBeNull();
    expect(viewOf(group, { permission: "RUN_READ", place: one }, facts, fakeActor)?.key).toBe(seen?.key);
  });
});

describe("the readers of a stream", () => {
  const reader = (grants: readonly Grant[], version = 1): ActorCaller => ({
    ...fakeCaller,
    rights: rightsOf(grants),
    accessVersion: { version, moves: 1 },
  });
  const grant: Grant = { permissions: permissionSet(["RUN_READ"]), scope: { type: "installation" } };

  it("are one group with equal rights, however they got them, and leave it one by one", () => {
    const groups = new ReaderGroups();
    const group = groups.enter(reader([grant]));
    expect(groups.enter(reader([grant, grant]))).toBe(group);
    expect(groups.enter(reader([]))).not.toBe(group);
    expect(group.readers).toBe(2);
    groups.leave(group);
    expect(groups.enter(reader([grant]))).toBe(group);
    groups.leave(group);
    groups.leave(group);
    expect(groups.enter(reader([grant]))).not.toBe(group);
  });

  it("have views by the newest version at which one of them was checked", () => {
    const groups = new ReaderGroups();
    const group = groups.enter(reader([grant], 5));
    const access = { permission: "RUN_READ", place: WORKSPACES[0] ?? INSTALLATION } as const;
    const facts = factsOfRun("status");
    expect(viewOf(group, access, facts, fakeActor)?.caller.accessVersion.version).toBe(5);
    const view = viewOf(group, access, facts, fakeActor);
    for (const version of [4, 5]) {
      groups.enter(reader([grant], version));
      expect(viewOf(group, access, facts, fakeActor)).toBe(view);
    }
    groups.enter(reader([grant], 6));
    expect(viewOf(group, access, facts, fakeActor)?.caller.accessVersion.version).toBe(6);
  });
});
