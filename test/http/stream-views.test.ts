/** How often an event is executed for readers with many different grants, over real sockets. */
import { isObjectType } from "graphql";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { schema } from "../../src/graphql/server/schema.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import { waitUntil } from "../support/eventually.ts";
import { addPerson, type GivenRole, type Person, watch, type Watcher } from "../support/watchers.ts";

/** Sets of grants; each has its own set of workspaces beside the one that all may read. */
const SETS = 48;
const WORKSPACES = 6;
const ROLES = ["READER", "WRITER", "APPROVER"] as const;

let scene: Scene;
let spot: Spot;
let organizationId: string;
const workspaceIds: string[] = [];
const people: Person[] = [];
/** The workspaces that each may read. */
const granted: string[][] = [];
let executions = 0;
const watchers: Watcher[] = [];

/** Counts the executions of items of a type, by its field `fields`. It is compiled later. */
function count(typeName: string): void {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no type of objects.`);
  const field = type.getFields()["fields"];
  const resolve = field?.resolve;
  if (field === undefined || resolve === undefined) throw new Error(`${typeName} has no such field.`);
  field.resolve = (...given) => {
    executions += 1;
    return resolve(...given);
  };
}

beforeAll(async () => {
  count("RunChanged");
  count("WorkspaceChanged");
  scene = await openScene();
  spot = await scene.reach("PLANNING");
  const [row] = await scene.rows("select organization_id from run where id = $1", spot.runId);
  organizationId = String(row?.["organization_id"]);
  for (let index = 0; index < WORKSPACES; index += 1) workspaceIds.push(await scene.createWorkspace());
  for (let index = 0; index < SETS; index += 1) {
    const others = workspaceIds.filter((_, bit) => ((index + 1) >> bit) % 2 === 1);
    const role = ROLES[index % ROLES.length] ?? "READER";
    granted.push([spot.workspaceId, ...others]);
    const given = [spot.workspaceId, ...others].map((id): GivenRole => [role, id]);
    people.push(await addPerson(scene, organizationId, given));
  }
});
afterEach(async () => {
  await Promise.all(watchers.splice(0).map((one) => one.stop()));
  await waitUntil(() => scene.server.hub.size === 0);
  expect(scene.server.reported).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

async function watchAll(query: string, id: string): Promise<Watcher[]> {
  watchers.push(...people.map(({ api }) => watch(api, query, { id })));
  await waitUntil(() => watchers.every(({ items }) => items.length === 1));
  // All of them are readers of one source.
  await waitUntil(() => scene.server.hub.size === 1);
  return watchers;
}

async function createChangeset(members: readonly string[]): Promise<string> {
  const { createChangeset: created } = await scene.api.ask(
    "mutation ($input: CreateChangesetInput!) { createChangeset(input: $input) { ... on CreateChangesetSuccess { changeset { id } } } }",
    { input: { organizationId, title: "one", kind: "PLAN", workspaceIds: members } },
  );
  await changesetRound(scene.server.deps, new AbortController().signal);
  return created.changeset.id;
}

const RUN = (selected: string): string => `subscription ($id: ID!) { stream: runEvents(runId: $id) {
  __typename ... on RunChanged { fields run { ${selected} } } } }`;
const FEED = (
  field: string,
): string => `subscription ($id: ID!) { stream: ${field}(${field.replace("Events", "Id")}: $id) {
  __typename ... on StreamItem { cursor }
  ... on RunChanged { fields run { workspace { id viewerPermissions } } }
  ... on WorkspaceChanged { fields workspace { id viewerPermissions } } } }`;

async function comment(): Promise<void> {
  await scene.send("commentOnRun", { runId: spot.runId, text: "Look at this." });
}

describe("48 readers with 48 sets of grants", () => {
  it("of one run share one execution of what all may see", async () => {
    const readers = await watchAll(RUN("status workspace { name organization { name } }"), spot.runId);
    executions = 0;
    await comment();
    await waitUntil(() => readers.every(({ items }) => items.length === 2));
    expect(executions).toBe(1);
    expect(new Set(readers.map(({ items }) => JSON.stringify(items[1]))).size).toBe(1);
  });

  it("of one run have an execution for each of their three roles there, where the document shows it", async () => {
    const readers = await watchAll(RUN("workspace { viewerPermissions }"), spot.runId);
    executions = 0;
    await comment();
    await waitUntil(() => readers.every(({ items }) => items.length === 2));
    expect(executions).toBe(3);
    const shown = readers.map(({ items }): string => items[1].stream.run.workspace.viewerPermissions.join());
    expect(shown.slice(3)).toEqual(shown.slice(0, -3));
    expect(new Set(shown).size).toBe(3);
  });

  it("of one workspace have an execution for each of their roles there", async () => {
    const readers = await watchAll(FEED("workspaceEvents"), spot.workspaceId);
    executions = 0;
    await comment();
    await scene.send("lockWorkspace", { workspaceId: spot.workspaceId });
    await waitUntil(() => readers.every(({ items }) => items.length === 3));
    expect(executions).toBe(6);
    await scene.send("unlockWorkspace", { workspaceId: spot.workspaceId });
  });

  it("of one changeset share one execution of what all may see, and have one each of its figures", async () => {
    // Each of them may read another part of it.
    const members = [spot.workspaceId, ...workspaceIds];
    const changesetId = await createChangeset(members);
    const query = (selected: string): string => `subscription ($id: ID!) { stream: changesetEvents(changesetId: $id) {
      __typename ... on RunChanged { fields run { workspace { name } ${selected} } } } }`;
    const [run] = await scene.rows(
      "select id from run where changeset_id = $1 and workspace_id = $2",
      changesetId,
      spot.workspaceId,
    );
    for (const [selected, expected] of [
      ["", 1],
      ["changeset { counts { workspaces } }", SETS],
    ] as const) {
      const readers = await watchAll(query(selected), changesetId);
      executions = 0;
      await scene.send("commentOnRun", { runId: run?.["id"], text: "Look at this." });
      await waitUntil(() => readers.every(({ items }) => items.length === 2));
      expect(executions).toBe(expected);
      const counts = readers.map(({ items }) => items[1].stream.run.changeset?.counts.workspaces);
      expect(counts).toEqual(selected === "" ? counts.map(() => undefined) : granted.map(({ length }) => length));
      await Promise.all(watchers.splice(0).map((one) => one.stop()));
      await waitUntil(() => scene.server.hub.size === 0);
    }
  });

  it("of an organization have one for each role at the item's workspace, and each gets what it may see", async () => {
    const readers = await watchAll(FEED("organizationEvents"), organizationId);
    executions = 0;
    for (const workspaceId of workspaceIds) await scene.send("lockWorkspace", { workspaceId });
    await comment();
    await waitUntil(() => readers.every(({ items }, index) => items.length === 1 + (granted[index]?.length ?? 0)));
    expect(executions).toBe(3 * (WORKSPACES + 1));
    for (const [index, { items, errors }] of readers.entries()) {
      const seen = items.slice(1).map(({ stream }: Data) => (stream.workspace ?? stream.run.workspace).id);
      // The comment came last.
      const [first, ...others] = granted[index] ?? [];
      expect(seen).toEqual([...others, first]);
      expect(errors).toEqual([]);
    }
  });
});
