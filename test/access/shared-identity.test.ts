/** What two people of one role may share: every field that streams reach gives both the same, or is marked. */
import { setImmediate } from "node:timers/promises";
import {
  execute,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
} from "graphql";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Place } from "../../src/model/people/place.ts";
import { Unchecked } from "../../src/domain/access/unchecked.ts";
import { includes } from "../../src/model/people/permission-set.ts";
import { createTails } from "../../src/bus/run-tails.ts";
import { fakeCursorKey } from "../support/fake-tails.ts";
import { Loaders } from "../../src/graphql/kit/loader.ts";
import { factsOf } from "../../src/graphql/server/document-facts.ts";
import { identityOf } from "../../src/graphql/server/operation-identity.ts";
import { ReaderGroups } from "../../src/graphql/server/reader-groups.ts";
import { type View, viewOf } from "../../src/graphql/server/stream-view.ts";
import { schema } from "../../src/graphql/server/schema.ts";
import type { ActorCaller } from "../../src/model/people/permission.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";
import type { Api, Data } from "../support/api.ts";

let scene: Scene;
let spot: Spot;
let callers: ActorCaller[] = [];
/** The place of the workspace of the scene. */
let place: Place;

/** A run that one of two approvers created, and the other may approve; whatever else can be there is there. */
beforeAll(async () => {
  scene = await openScene();
  const people = [await scene.person("APPROVER", { name: "ann" }), await scene.person("APPROVER", { name: "bob" })];
  const [ann, bob] = people;
  const approvalRules = [
    { name: "four eyes", gate: "PLAN", minimum: 2, excludeRequester: true },
    { name: "named", gate: "APPLY", approverIds: [bob?.actorId] },
  ];
  spot = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules });
  await scene.send("setVariable", {
    workspaceId: spot.workspaceId,
    key: "region",
    value: "eu",
  });
  await scene.send("commentOnRun", { runId: spot.runId, text: "Look at this." }, ann);
  await scene.send("approveRun", { runId: spot.runId, gate: "PLAN", planVersion: 1 }, bob);
  const waiting = await scene.createRun(spot.workspaceId);
  await scene.send("commentOnRun", { runId: waiting, text: "It waits." }, bob);
  // Another workspace, which a view does not reach.
  await scene.createRun(await scene.createWorkspace());
  callers = await Promise.all(people.map(callerOf));
  const [found] = await scene.rows("select organization_id, project_id from workspace where id = $1", spot.workspaceId);
  place = {
    organizationId: String(found?.["organization_id"]),
    projectId: String(found?.["project_id"]),
    workspaceId: spot.workspaceId,
  };
});
afterAll(() => scene[Symbol.asyncDispose]());

async function callerOf({ token }: Api): Promise<ActorCaller> {
  const caller = await scene.server.domain.authenticate(token);
  if (caller === null) throw new Error("The token is not valid.");
  return caller;
}

function isMarked(field: GraphQLField<unknown, unknown>): boolean {
  return field.extensions["dependsOnActor"] === true;
}

/** How to come to a type from a query: what opens, and how many braces close it. */
interface Way {
  open: string;
  depth: number;
}

function fieldsOf(type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
}

function possible(type: GraphQLNamedType): GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isAbstractType(type) ? [...schema.getPossibleTypes(type)] : [];
}

/** A field with the values of what it leads to, so that each value is asked for from each type that has it. */
function selectionOf(field: GraphQLField<unknown, unknown>, index: number, marked: boolean): string {
  const target = getNamedType(field.type);
  if (isLeafType(target)) return `f${index}: ${field.name}`;
  const leaves = (of: GraphQLObjectType): GraphQLField<unknown, unknown>[] =>
    fieldsOf(of).filter((leaf) => isLeafType(getNamedType(leaf.type)) && (marked || !isMarked(leaf)));
  const inner = possible(target).map(
    (one, at) =>
      `... on ${one.name} { ${leaves(one)
        .map(({ name }) => `t${at}_${name}: ${name}`)
        .join(" ")} __typename }`,
  );
  return `f${index}: ${field.name} { ${inner.join(" ")} }`;
}

function selection(type: GraphQLObjectType, marked: boolean): string {
  return fieldsOf(type)
    .flatMap((field, index) => (isMarked(field) && !marked ? [] : [selectionOf(field, index, marked)]))
    .join(" ");
}

/** Every type that items of streams lead to, each by its shortest way. Runs and workspaces are what items are about. */
function reachable(marked = true): Map<GraphQLObjectType, Way> {
  const found = new Map<GraphQLObjectType, Way>();
  const queue: [GraphQLObjectType, Way][] = [];
  const visit = (type: GraphQLObjectType, way: Way): void => {
    if (found.has(type)) return;
    found.set(type, way);
    queue.push([type, way]);
  };
  const begin = (name: string, field: string): void => {
    const type = schema.getType(name);
    if (isObjectType(type)) visit(type, { open: `${field} {`, depth: 1 });
  };
  begin("Run", `run(id: "${spot.runId}")`);
  begin("Workspace", `workspace(by: { id: "${spot.workspaceId}" })`);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [type, { open, depth }] = next;
    for (const field of fieldsOf(type)) {
      // What lies below a field with a mark depends on the actor as well.
      if (isMarked(field) && !marked) continue;
      for (const target of possible(getNamedType(field.type))) {
        visit(target, { open: `${open} ${field.name} { ... on ${target.name} {`, depth: depth + 2 });
      }
    }
  }
  return found;
}

async function ask(query: string, caller: ActorCaller): Promise<Data> {
  const { database, clock } = scene.server.deps;
  const { domain, hub } = scene.server;
  const contextValue = {
    caller,
    domain,
    tails: createTails(database, hub, { clock }),
    cursorKeyOf: fakeCursorKey,
    loaders: new Loaders(domain, caller),
  };
  const { data, errors } = await execute({ schema, document: parse(query), contextValue });
  expect(errors, query).toBeUndefined();
  return data;
}

async function answers(marked: boolean): Promise<Map<string, Data[]>> {
  const all = new Map<string, Data[]>();
  for (const [type, { open, depth }] of reachable(marked)) {
    const query = `{ ${open} ${selection(type, marked)} ${"}".repeat(depth)} }`;
    const both: Data[] = [];
    for (const caller of callers) both.push(await ask(query, caller));
    all.set(type.name, both);
    await setImmediate();
  }
  return all;
}

it("each field gives two people of one role the same, unless it is marked", async () => {
  const plain = await answers(false);
  expect(plain.size).toBeGreaterThan(30);
  for (const [type, [first, second]] of plain) expect(second, type).toEqual(first);
  // The two would see different things, were it not for the marks.
  const full = await answers(true);
  const different = [...full].filter(([, [first, second]]) => JSON.stringify(first) !== JSON.stringify(second));
  expect(different.map(([type]) => type)).toEqual(expect.arrayContaining(["Run", "ApprovalRequirement"]));
});

/** The view that a stream has of an item at the workspace of the scene. */
function viewAt(query: string, caller: ActorCaller, at: Place = place): View | null {
  const group = new ReaderGroups().enter(caller);
  return viewOf(group, { permission: "RUN_READ", place: at }, factsOf(schema, parse(query)), caller.actor);
}

function sharedCaller(query: string, caller: ActorCaller): ActorCaller {
  return viewAt(query, caller)?.caller ?? expect.fail("It may not see the item.");
}

it("each type shows a stream as much as an administrator, by the permissions that its fields declare", async () => {
  const admin = await callerOf(scene.api);
  const staying: string[] = [];
  for (const [type, { open, depth }] of reachable()) {
    const queryOf = (selected: string): string => `{ ${open} ${selected} ${"}".repeat(depth)} }`;
    const fields = fieldsOf(type).map((field, index) => selectionOf(field, index, true));
    const stays = (selected: string): boolean => !factsOf(schema, parse(queryOf(selected))).leavesWorkspace;
    // One field that leaves the workspace gives the whole document all rights: the others are asked for without it.
    const kept = fields.filter(stays);
    if (kept.length > 0) staying.push(type.name);
    for (const part of [fields, kept]) {
      if (part.length === 0) continue;
      const query = queryOf(part.join(" "));
      expect(await ask(query, sharedCaller(query, admin)), type.name).toEqual(await ask(query, admin));
    }
    await setImmediate();
  }
  expect(staying).toEqual(expect.arrayContaining(["Run", "Workspace", "Plan", "Phase", "StateVersion", "Approval"]));
});

it("each field declares every permission that its reads ask for", async () => {
  const admin = await callerOf(scene.api);
  using permit = vi.spyOn(Unchecked.prototype, "permit");
  const undeclared = new Set<string>();
  let asked = 0;
  for (const [type, { open, depth }] of reachable()) {
    for (const [index, field] of fieldsOf(type).entries()) {
      const query = `{ ${open} ${selectionOf(field, index, true)} ${"}".repeat(depth)} }`;
      permit.mockClear();
      await ask(query, admin);
      const { permissions } = factsOf(schema, parse(query));
      const missing = permit.mock.calls.filter(([, name]) => !includes(permissions, name));
      for (const [, name] of missing) undeclared.add(`${type.name}.${field.name} asks for ${name}`);
      asked += permit.mock.calls.length;
    }
    await setImmediate();
  }
  expect([...undeclared]).toEqual([]);
  expect(asked).toBeGreaterThan(500);
});

it("an item is executed once for readers with other roles, where its document asks for nothing that one lacks", async () => {
  const roles = ["READER", "WRITER", "APPROVER", "ADMIN"] as const;
  const people = await Promise.all(roles.map(async (role) => callerOf(await scene.login(role))));
  const keysOf = (selected: string): number => {
    const query = `subscription { runEvents(runId: "${spot.runId}") { ... on RunEvent { run { ${selected} } } } }`;
    return new Set(people.map((caller) => viewAt(query, caller)?.key)).size;
  };
  expect(keysOf("status plan { additions } workspace { name organization { name } }")).toBe(1);
  // Webhooks are the administrators' alone.
  expect(keysOf("workspace { webhooks { id } }")).toBe(2);
  expect(keysOf("actions { allowed }")).toBe(4);
});

it.each([
  ["status", true],
  ["actions { allowed }", false],
  ["approvalRequirements { stage missing }", true],
  ["approvalRequirements { viewerReason }", false],
])("a stream of runs with %s is shared by two people: %s", (selected, shared) => {
  const query = `subscription ($id: ID!, $after: String) {
    runEvents(runId: $id, after: $after) { ... on StreamItem { cursor } ... on RunEvent { run { ...Part } } } }
    fragment Part on Run { ${selected} }`;
  const keys = callers.map(({ actor }, index) => {
    const variables = { id: spot.runId, after: `${index}` };
    return identityOf(factsOf(schema, parse(query)), { query, variables }, actor);
  });
  expect(new Set(keys).size).toBe(shared ? 1 : 2);
  const shown = callers.map((caller) => sharedCaller(query, caller));
  expect(shown.map(({ actor }) => actor.name)).toEqual(shared ? ["anonymous", "anonymous"] : ["ann", "bob"]);
  expect(shown.map(({ credentialId }) => credentialId)).toEqual(["", ""]);
});
