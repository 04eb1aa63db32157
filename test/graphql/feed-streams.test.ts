import { describe, expect, test } from "vitest";
import { writeCursor } from "../../src/graphql/kit/cursor.ts";
import { feedCursors } from "../../src/graphql/stream/feed-cursor.ts";
import { workspacePlace } from "../../src/model/people/place.ts";
import type { Data } from "../support/api.ts";
import {
  createFakeDomain,
  fakeActor,
  fakeId,
  fakeOrganization,
  fakeRun,
  fakeStatusEvent,
  fakeWorkspace,
} from "../support/fake-domain.ts";
import { createFakeTails, fakeCursorKey, FAKE_FEED } from "../support/fake-tails.ts";
import { createTestGraphql } from "../support/graphql.ts";

const AT = "2026-11-20T16:07:25.447Z";
const workspace = fakeWorkspace();
const organization = fakeOrganization();
const run = fakeRun(1, { status: "PLANNING", version: 5 });
const { epoch, position } = FAKE_FEED;

const ITEM = `
  __typename
  ... on StreamItem { cursor }
  ... on StreamCheckpoint { at }
  ... on HealthChanged { at previousHealth runtimeHealth reason workspace { name paused } }
  ... on WorkspaceChanged { at actor { name } workspace { name paused } fields }
  ... on RunEvent { version actor { name } run { status } }
  ... on RunStatusChanged { to }
  ... on CursorExpired { message }`;
const WORKSPACE = `subscription ($id: ID!, $after: String) {
  stream: workspaceEvents(workspaceId: $id, after: $after) { ${ITEM} ... on WorkspaceSnapshot { workspace { name paused } } }
}`;
const ORGANIZATION = `subscription ($id: ID!, $after: String) {
  stream: organizationEvents(organizationId: $id, after: $after) { ${ITEM} }
}`;
const STREAMS = [
  ["workspaceEvents", WORKSPACE, workspace.id],
  ["organizationEvents", ORGANIZATION, organization.id],
] as const;

/** `quiet`: that of an item without a change, which has a time. */
function cursorOf(id: string, at: number, { inEpoch = epoch, quiet = false } = {}): string {
  return feedCursors(fakeCursorKey, id).write({ epoch: inEpoch, position: at }, quiet ? AT : undefined);
}

function setup() {
  const fake = createFakeDomain({ organizations: [organization], workspaces: [workspace], runs: [run] });
  const fed = createFakeTails();
  const graphql = createTestGraphql({ domain: fake.domain, tails: fed.tails });
  const open = async (query: string, variables: Record<string, unknown>) => {
    const stream = await graphql.subscribe(query, variables);
    return {
      next: async (): Promise<Data> => {
        const result = await stream.next();
        return result.done === true ? "done" : (result.value.data?.["stream"] ?? result.value);
      },
      close: () => stream.return?.(),
    };
  };
  return { ...fake, ...fed, ...graphql, open };
}

const change = (fields: string[], at = position + 1) =>
  ({
    type: "WORKSPACE",
    position: at,
    place: workspacePlace(workspace),
    event: { workspaceId: workspace.id, at: AT, actorId: fakeActor.id, fields, health: null },
  }) as const;

test("workspaceEvents begins with the workspace", async () => {
  const { open, feeds } = setup();
  const stream = await open(WORKSPACE, { id: workspace.id });
  expect(await stream.next()).toEqual({
    __typename: "WorkspaceSnapshot",
    cursor: cursorOf(workspace.id, position, { quiet: true }),
    workspace: { name: workspace.name, paused: false },
  });
  expect(feeds[0]?.after).toBe(position);
  await stream.close();
  expect(feeds[0]?.returned).toBe(true);
});

test("organizationEvents begins with a place to come back to", async () => {
  const { open, feeds } = setup();
  const stream = await open(ORGANIZATION, { id: organization.id });
  const cursor = cursorOf(organization.id, position, { quiet: true });
  expect(await stream.next()).toEqual({ __typename: "StreamCheckpoint", cursor, at: AT });
  expect(feeds[0]?.after).toBe(position);
  await stream.close();
});

describe.each(STREAMS)("%s", (_name, query, id) => {
  test("goes on after a cursor with changes of workspaces and events of runs", async () => {
    const { open, feeds, content } = setup();
    const stream = await open(query, { id, after: cursorOf(id, 3) });
    expect(feeds[0]?.after).toBe(3);
    content.workspaces = [{ ...workspace, paused: true }];
    feeds[0]?.push(change(["paused"], 4));
    expect(await stream.next()).toEqual({
      __typename: "WorkspaceChanged",
      cursor: cursorOf(id, 4),
      at: AT,
      actor: { name: "Ada" },
      workspace: { name: workspace.name, paused: true },
      fields: ["paused"],
    });
    const health = { from: "HEALTHY", to: "UNREACHABLE", reason: "The probe web: It is gone." } as const;
    const changed = change(["runtimeHealth"], 5);
    feeds[0]?.push({ ...changed, event: { ...changed.event, health } });
    expect(await stream.next()).toEqual({
      __typename: "HealthChanged",
      cursor: cursorOf(id, 5),
      at: AT,
      workspace: { name: workspace.name, paused: true },
      previousHealth: "HEALTHY",
      runtimeHealth: "UNREACHABLE",
      reason: health.reason,
    });
    feeds[0]?.push({
      type: "RUN",
      position: 5,
      place: workspacePlace(workspace),
      event: fakeStatusEvent({ ...run, status: "CONFIRMED" }, 6),
    });
    expect(await stream.next()).toEqual({
      __typename: "RunStatusChanged",
      cursor: cursorOf(id, 5),
      version: 6,
      actor: { name: "Ada" },
      run: { status: "PLANNING" },
      to: "CONFIRMED",
    });
    feeds[0]?.push({ type: "QUIET", epoch, position: 9, at: AT });
    expect(await stream.next()).toEqual({
      __typename: "StreamCheckpoint",
      cursor: cursorOf(id, 9, { quiet: true }),
      at: AT,
    });
    await stream.close();
  });

  test.each([
    ["malformed", "?"],
    ["with a position that is not sealed", writeCursor(`feed of ${id}`, `${epoch}.4`)],
    ["with too short a seal", writeCursor(`feed of ${id}`, "A".repeat(21))],
    ["with too long a seal", writeCursor(`feed of ${id}`, "A".repeat(23))],
    ["with a position of another kind", writeCursor(`feed of ${id}`, 4)],
    ["of another subject", cursorOf(fakeId("ws", 9), 4)],
    ["of a run", writeCursor(`events of ${run.id}`, 4)],
  ])("with a cursor %s says so and completes", async (_what, after) => {
    const { open, feeds } = setup();
    const stream = await open(query, { id, after });
    expect(await stream.next()).toMatchObject({ __typename: "CursorExpired" });
    expect(await stream.next()).toBe("done");
    expect(feeds).toEqual([]);
  });

  test("whose tail cannot read from a cursor says so and completes", async () => {
    const { open, feeds } = setup();
    const stream = await open(query, { id, after: cursorOf(id, 3, { inEpoch: "ffffffffffff" }) });
    feeds[0]?.push({ type: "EXPIRED" });
    feeds[0]?.end();
    expect(await stream.next()).toMatchObject({ __typename: "CursorExpired" });
    expect(await stream.next()).toBe("done");
  });

  test.each([fakeId("ws", 99), fakeId("org", 99), run.id, "nonsense", ""])(
    "of nothing is NOT_FOUND: %s",
    async (none) => {
      const { open, reported, feeds } = setup();
      const stream = await open(query, { id: none });
      expect((await stream.next()).errors?.[0]?.extensions).toEqual({ code: "NOT_FOUND" });
      expect(reported).toEqual([]);
      expect(feeds).toEqual([]);
    },
  );
});

test("a quiet runEvents sends a place to come back to", async () => {
  const { subscribe, events } = setup();
  const query = "subscription ($id: ID!) { runEvents(runId: $id) { ... on StreamItem { cursor } __typename } }";
  const stream = await subscribe(query, { id: run.id });
  await stream.next();
  events[0]?.push({ type: "QUIET", version: 5, at: AT });
  expect((await stream.next()).value.data).toEqual({
    runEvents: { __typename: "StreamCheckpoint", cursor: writeCursor(`events of ${run.id}`, 5) },
  });
  await stream.return?.();
});
