/** The stream of an inbox over real sockets: what happens while one is gone, and what its reader may not see. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import { type Api, createApi, type Data } from "../support/api.ts";
import { openEventSource } from "../support/event-source.ts";
import { waitUntil } from "../support/eventually.ts";
import { addPerson, type Person, watch, type Watcher } from "../support/watchers.ts";

const QUERY = `subscription ($after: String) { stream: inboxEvents(after: $after) {
  __typename ... on StreamItem { cursor } ... on InboxChanged { at } } }`;

let scene: Scene;
const watchers: Watcher[] = [];
beforeAll(async () => {
  scene = await openScene();
});
afterEach(async () => {
  await Promise.all(watchers.splice(0).map((one) => one.stop()));
  await waitUntil(() => scene.server.hub.size === 0);
  expect(scene.server.reported).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

function open(api: Api, after: string | null = null): Watcher {
  const watcher = watch(api, QUERY, { after });
  watchers.push(watcher);
  return watcher;
}
const typesOf = ({ items }: Watcher): string[] => items.map(({ stream }: Data) => stream.__typename);
const changesOf = (watcher: Watcher): number => typesOf(watcher).filter((type) => type === "InboxChanged").length;
const cursorOf = ({ items }: Watcher): string => items.at(-1)?.stream.cursor;

/** Opens a stream and waits for its first item. */
async function opened(api: Api, after: string | null = null): Promise<Watcher> {
  const watcher = open(api, after);
  await waitUntil(() => watcher.items.length > 0 || watcher.isOver);
  return watcher;
}
/** Opens a stream behind a cursor, and returns the type of its first item and its cursor. */
async function resume(api: Api, after: string): Promise<{ type: string | undefined; cursor: string }> {
  const watcher = await opened(api, after);
  const [type] = typesOf(watcher);
  const cursor = cursorOf(watcher);
  await watcher.stop();
  return { type, cursor };
}
const countOf = async (api: Api): Promise<number> => (await api.ask("{ viewer { inboxCount } }")).viewer.inboxCount;

describe("the stream of an inbox", () => {
  it("begins with a checkpoint, and has an item when a run comes, when it changes and when it goes", async () => {
    const watcher = await opened(scene.api);
    expect(typesOf(watcher)).toEqual(["StreamCheckpoint"]);
    const before = await countOf(scene.api);
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    await waitUntil(() => changesOf(watcher) === 1);
    expect(await countOf(scene.api)).toBe(before + 1);
    await scene.send("commentOnRun", { runId, text: "Is this right?" });
    await waitUntil(() => changesOf(watcher) === 2);
    await scene.quick("discardRun", { runId });
    await waitUntil(() => changesOf(watcher) === 3);
    expect(await countOf(scene.api)).toBe(before);
  });

  it("has no item for a run at work", async () => {
    const watcher = await opened(scene.api);
    const { runId } = await scene.reach("PLANNING");
    // A cursor has the inbox that it was made of: nothing has changed since.
    expect((await resume(scene.api, cursorOf(watcher))).type).toBe("StreamCheckpoint");
    expect(typesOf(watcher)).toEqual(["StreamCheckpoint"]);
    await scene.quick("cancelRun", { runId });
  });

  it("loses nothing while its socket is gone: all that happened is one item, and then it is quiet", async () => {
    const watcher = await opened(scene.api);
    const cursor = cursorOf(watcher);
    await watcher.stop();
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    await scene.reach("AWAITING_PLAN_APPROVAL");
    const again = await resume(scene.api, cursor);
    expect(again.type).toBe("InboxChanged");
    expect((await resume(scene.api, again.cursor)).type).toBe("StreamCheckpoint");
    await scene.quick("discardRun", { runId });
    expect((await resume(scene.api, again.cursor)).type).toBe("InboxChanged");
  });

  it("continues from the inbox that a client has read, also where it was read between two looks of the stream", async () => {
    const read = async () =>
      (await scene.api.ask("{ viewer { inbox { streamCursor } yours: inbox(reasons: [YOUR_RUN]) { streamCursor } } }"))
        .viewer;
    const watcher = await opened(scene.api);
    const { inbox: before, yours } = await read();
    expect(yours.streamCursor).toBeNull();
    expect(before.streamCursor).toBe(cursorOf(watcher));
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const { inbox: between } = await read();
    await scene.quick("discardRun", { runId });
    const { inbox: after } = await read();
    expect(after.streamCursor).toBe(before.streamCursor);
    // The first one has the inbox as it is, and hears nothing of what came and went.
    expect((await resume(scene.api, after.streamCursor)).type).toBe("StreamCheckpoint");
    expect(await resume(scene.api, between.streamCursor)).toEqual({
      type: "InboxChanged",
      cursor: after.streamCursor,
    });
  });

  it("has an item for locks, for rules and for failures that a newer run follows", async () => {
    const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const failed = await scene.reach("FAILED");
    const watcher = await opened(scene.api);
    const { actorId } = await scene.person("APPROVER");
    const rule = { name: "others", gate: "PLAN", kinds: ["DEPLOY"], approverIds: [actorId], excludeRequester: true };
    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [rule] });
    await waitUntil(() => changesOf(watcher) === 1);
    await scene.createRun(failed.workspaceId);
    await waitUntil(() => changesOf(watcher) === 2);
    await scene.rows(
      "update workspace set lock_reason = 'APPLY_INTERRUPTED', locked_at = now(), lock_run_id = $2 where id = $1",
      workspaceId,
      runId,
    );
    await scene.quick("updateWorkspace", { workspaceId, description: "locked" });
    await waitUntil(() => changesOf(watcher) === 3);
  });

  it("expires a cursor that is none, or that of another reader, and completes", async () => {
    const other = await addPerson(scene, DEFAULT_ORGANIZATION_ID, [["READER", DEFAULT_ORGANIZATION_ID]]);
    const cursor = cursorOf(await opened(other.api));
    for (const after of ["nonsense", cursor]) {
      const watcher = open(scene.api, after);
      await waitUntil(() => watcher.isOver);
      expect(typesOf(watcher)).toEqual(["CursorExpired"]);
    }
  });

  it("is read once for the tabs of one credential, and apart for another credential of the same person", async () => {
    const person = await addPerson(scene, DEFAULT_ORGANIZATION_ID, [["READER", DEFAULT_ORGANIZATION_ID]]);
    const tabs = [await opened(person.api), await opened(person.api)];
    await waitUntil(() => scene.server.hub.size === 1);
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    await waitUntil(() => tabs.every((tab) => changesOf(tab) === 1));
    const { viewer } = await scene.api.ask("{ viewer { actor { id } } }");
    const limited = await scene.send("createToken", {
      name: "limited",
      ownerId: viewer.actor.id,
      scopeIds: [await scene.createWorkspace()],
    });
    const [whole, part] = [await opened(scene.api), await opened(scene.api.as(limited.secret))];
    await waitUntil(() => scene.server.hub.size === 3);
    await scene.quick("discardRun", { runId });
    await waitUntil(() => [...tabs, whole].every((one) => changesOf(one) > 0));
    expect((await resume(scene.api.as(limited.secret), cursorOf(part))).type).toBe("StreamCheckpoint");
    expect(changesOf(part)).toBe(0);
  });

  it("comes by server-sent events too", async () => {
    await using source = await openEventSource(scene.api, QUERY, {});
    expect((await source.next())?.data?.stream.__typename).toBe("StreamCheckpoint");
    await scene.reach("AWAITING_PLAN_APPROVAL");
    expect((await source.next())?.data?.stream.__typename).toBe("InboxChanged");
  });

  it("ends with its token", async () => {
    const person = await addPerson(scene, DEFAULT_ORGANIZATION_ID, [["READER", DEFAULT_ORGANIZATION_ID]]);
    const watcher = await opened(person.api);
    await scene.send("revokeToken", { tokenId: person.tokenId });
    await waitUntil(() => watcher.code !== null);
    expect(watcher.code).toBe(4403);
  });
});

describe("a right that is taken away while the stream is open", () => {
  let person: Person;
  let kept: string;
  let lost: string;
  beforeEach(async () => {
    kept = await scene.createWorkspace();
    lost = await scene.createWorkspace();
    person = await addPerson(scene, DEFAULT_ORGANIZATION_ID, [
      ["READER", kept],
      ["READER", lost],
    ]);
  });
  const atGate = async (workspaceId: string): Promise<string> => {
    const runId = await scene.createRun(workspaceId);
    const job = await scene.claim(runId);
    await job.plan();
    return runId;
  };
  const takeAway = () =>
    scene.rows(
      "update access_grant set revoked_at = now(), revoked_by = $3 where principal_id = $1 and scope_id = $2",
      person.actorId,
      lost,
      SYSTEM_ACTOR_ID,
    );

  it.each([true, false])("closes the socket before anything else is sent, with a hint or without: %s", async (hint) => {
    const second = await scene.server.second();
    try {
      const signal = second.hub.signal.bind(second.hub);
      second.hub.signal = (topic) => {
        if (hint || (topic !== "rights" && !topic.startsWith("token:"))) signal(topic);
      };
      const api = createApi(second.url, person.api.token);
      const runId = await atGate(lost);
      const watcher = await opened(api);
      const cursor = cursorOf(watcher);
      await takeAway();
      if (hint) second.hub.signal("rights");
      // A change that this reader may not see any more.
      await scene.quick("discardRun", { runId });
      await waitUntil(() => watcher.code !== null);
      expect([watcher.code, changesOf(watcher)]).toEqual([1013, 0]);
      // The client connects again: the run is gone from the inbox, and what happens to others there shows nothing.
      const first = await resume(api, cursor);
      expect(first.type).toBe("InboxChanged");
      expect(await countOf(api)).toBe(0);
      const open2 = await opened(api, first.cursor);
      await atGate(lost);
      expect((await resume(api, first.cursor)).type).toBe("StreamCheckpoint");
      await atGate(kept);
      await waitUntil(() => changesOf(open2) === 1);
      expect(typesOf(open2)).toEqual(["StreamCheckpoint", "InboxChanged"]);
      await Promise.all(watchers.splice(0).map((one) => one.stop()));
      await waitUntil(() => second.hub.size === 0);
      expect(second.reported).toEqual([]);
    } finally {
      await second[Symbol.asyncDispose]();
    }
  });

  it("and a right that is given shows the runs there", async () => {
    await takeAway();
    const watcher = await opened(person.api);
    await atGate(lost);
    expect((await resume(person.api, cursorOf(watcher))).type).toBe("StreamCheckpoint");
    await scene.rows(
      "update access_grant set revoked_at = null, revoked_by = null where principal_id = $1",
      person.actorId,
    );
    // The next change anywhere, or half a minute, has the inbox read by the rights of now.
    scene.server.hub.signal("inbox");
    await waitUntil(() => changesOf(watcher) === 1);
    expect(await countOf(person.api)).toBe(1);
  });
});
