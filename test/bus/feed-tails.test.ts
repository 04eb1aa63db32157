import fc from "fast-check";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { createHub, type Hub } from "../../src/bus/hub.ts";
import { createTails } from "../../src/bus/run-tails.ts";
import { createTail } from "../../src/bus/tail.ts";
import { TAIL_TIMING } from "../../src/bus/tail-timing.ts";
import type { FeedItem, FeedTail, Tails } from "../../src/bus/tails.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { Workspace } from "../../src/model/workspace/workspace.ts";
import { renewFeedEpochs } from "../../src/persistence/feed/feed-store.ts";
import { appendWorkspaceEvent } from "../../src/persistence/feed/workspace-event-store.ts";
import type { Topic } from "../../src/persistence/database/notifier.ts";
import { waitUntil } from "../support/eventually.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

const NOW = "2026-11-20T16:07:25.447Z";
const LONG_MS = 600_000;

let stores: Stores;
let listener: AsyncDisposable;
let hub: Hub;
/** These look by hints alone. */
let tails: Tails;
let one: Workspace;
let other: Workspace;
beforeAll(async () => {
  stores = await openStores();
  hub = createHub();
  listener = await startHintListener(stores.connection, hub, (error) => expect.unreachable(error.message));
  tails = createTails(stores.database, hub, { clock: () => new Date(NOW), pollMs: LONG_MS });
});
afterAll(async () => {
  expect(hub.size).toBe(0);
  await listener[Symbol.asyncDispose]();
  await stores[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [one, other] = [await stores.addWorkspace(), await stores.addWorkspace()];
});

/** One transaction with a change for each field. */
function write(workspace: Workspace, ...fields: string[]): Promise<void> {
  return stores.database.transaction(async (tx) => {
    for (const field of fields) {
      const event = { workspaceId: workspace.id, at: AT, actorId: SYSTEM_ACTOR_ID, fields: [field] };
      await appendWorkspaceEvent(tx, workspace.organizationId, event);
    }
  });
}

const here = () => tails.feedNow(DEFAULT_ORGANIZATION_ID);

async function take(tail: FeedTail, count: number): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  while (items.length < count) {
    const next = await tail.next();
    if (next.done === true) break;
    items.push(next.value);
  }
  return items;
}

function fieldsOf(items: readonly FeedItem[]): string[] {
  return items.flatMap((item) => (item.type === "WORKSPACE" ? item.event.fields : []));
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `f${index}`);

describe("a tail over a feed", () => {
  test("is not disturbed by a feed that cannot be read, and is looked at together with it", async () => {
    const from = await here();
    const pending = { organization_id: "org_none", workspace_id: one.id, workspace_event_id: 1 };
    await stores.database.sql.insertInto("feed_pending").values(pending).execute();
    const broken = tails.organizationFeed("org_none", from, false);
    const sound = tails.workspaceFeed(one, from, false);
    await write(one, "a");
    const both = await Promise.allSettled([broken.next(), sound.next()]);
    expect(both).toMatchObject([
      { status: "rejected", reason: { message: "the organization org_none has no feed" } },
      { status: "fulfilled", value: { value: { event: { fields: ["a"] } } } },
    ]);
    await sound.return?.();
    await stores.database.sql.deleteFrom("feed_pending").where("organization_id", "=", "org_none").execute();
  });

  test("does not wait for looks at other feeds that hang", async () => {
    const from = await here();
    const ids = Array.from({ length: LIMITS.feedReadsAtOnce }, () => stores.newId("organization"));
    const hanging: Promise<unknown>[] = [];
    await stores.database.transaction(async (tx) => {
      for (const id of ids) {
        const row = { id, slug: `hangs-${hanging.length}`, name: "hangs", created_at: AT };
        await stores.database.sql.insertInto("organization").values(row).execute();
        const pending = { organization_id: id, workspace_id: one.id, workspace_event_id: 1 };
        await stores.database.sql.insertInto("feed_pending").values(pending).execute();
        await tx.sql.selectFrom("feed_head").where("organization_id", "=", id).forUpdate().execute();
        const tail = tails.organizationFeed(id, from, false);
        hanging.push(tail.next().then(() => tail.return?.()));
        await turnOfTheLoop();
      }
      const sound = tails.workspaceFeed(one, from, false);
      await write(one, "a");
      expect(fieldsOf(await take(sound, 1))).toEqual(["a"]);
      await sound.return?.();
    });
    await Promise.all(hanging);
  });

  test("of a workspace has its own entries, that of an organization everybody's", async () => {
    const from = await here();
    const own = tails.workspaceFeed(one, from, false);
    const all = tails.organizationFeed(one.organizationId, from, false);
    const waiting = own.next();
    await write(other, "a");
    await write(one, "b", "c");
    expect(await waiting).toMatchObject({ value: { type: "WORKSPACE", position: from.position + 2 } });
    expect(fieldsOf(await take(own, 1))).toEqual(["c"]);
    expect(fieldsOf(await take(all, 3))).toEqual(["a", "b", "c"]);
    await Promise.all([own.return?.(), all.return?.()]);
  });

  test("says at once that a resumed reader missed nothing, and where it may come again", async () => {
    const from = await here();
    await write(other, "a", "b");
    const resumed = tails.workspaceFeed(one, from, true);
    const { epoch, position } = from;
    // What others did is behind it: the reader's cursor does not grow old.
    expect(await take(resumed, 1)).toEqual([{ type: "QUIET", epoch, position: position + 2, at: NOW }]);
    await write(one, "c");
    expect(fieldsOf(await take(resumed, 1))).toEqual(["c"]);
    await resumed.return?.();
    const busy = tails.workspaceFeed(one, from, true);
    expect(fieldsOf(await take(busy, 1))).toEqual(["c"]);
    await busy.return?.();
  });

  test("tells where a reader stands who has everything", async () => {
    const from = await here();
    const organizationId = one.organizationId;
    const changeset = { id: stores.newId("changeset"), organizationId };
    const feeds: [Topic, (onIdle: (position: number) => void) => FeedTail][] = [
      [`ws:${one.id}`, (onIdle) => tails.workspaceFeed(one, from, false, onIdle)],
      [`cs:${changeset.id}`, (onIdle) => tails.changesetFeed(changeset, from, false, onIdle)],
      [`org:${organizationId}`, (onIdle) => tails.organizationFeed(organizationId, from, false, onIdle)],
    ];
    for (const [topic, open] of feeds) {
      const positions: number[] = [];
      const tail = open((position) => void positions.push(position));
      const next = tail.next();
      await waitUntil(() => positions.length === 1);
      // A hint with nothing behind it: it is read again, and the reader stands where it stood.
      hub.signal(topic);
      await waitUntil(() => positions.length === 2);
      expect(positions).toEqual([from.position, from.position]);
      await tail.return?.();
      expect(await next).toEqual({ done: true, value: undefined });
    }
  });

  test("asks for the admission of each page of any feed", async () => {
    const from = await here();
    const { id, organizationId } = one;
    const changeset = { id: stores.newId("changeset"), organizationId };
    const refuse = () => Promise.resolve(false);
    await write(one, "a");
    expect(await take(tails.workspaceFeed({ id, organizationId }, from, false, undefined, refuse), 1)).toEqual([]);
    expect(await take(tails.organizationFeed(organizationId, from, false, undefined, refuse), 1)).toEqual([]);
    // Nothing of it is handed out, so that there is nothing to admit.
    const empty = tails.changesetFeed(changeset, from, true, undefined, refuse);
    expect(await take(empty, 1)).toMatchObject([{ type: "QUIET" }]);
    await empty.return?.();
  });

  test("has expired where the organization is gone", async () => {
    const gone = tails.organizationFeed("org_gone", await here(), false);
    expect(await take(gone, 2)).toEqual([{ type: "EXPIRED" }]);
    await expect(tails.feedNow("org_gone")).rejects.toThrow("org_gone has no feed");
  });

  test("is marked as often as a checkpoint is due", () => {
    expect(TAIL_TIMING.pollMs * TAIL_TIMING.quietReads).toBe(LIMITS.checkpointMs);
  });

  test("says now and then that nothing happened", async () => {
    const often = createTails(stores.database, hub, { clock: () => new Date(NOW), pollMs: 1, quietReads: 3 });
    const quiet = often.workspaceFeed(one, await here(), false);
    await write(other, "a");
    const { epoch, position } = await here();
    expect((await take(quiet, 2)).at(-1)).toEqual({ type: "QUIET", epoch, position, at: NOW });
    await quiet.return?.();
    const run = await stores.addRun(one);
    const events = often.runEvents(run.id, run.version, true);
    const marks = [await events.next(), await events.next()].map(({ value }) => value);
    expect(marks).toEqual([1, 2].map(() => ({ type: "QUIET", version: run.version, at: NOW })));
    await events.return?.();
  });

  test("cannot begin at a position of another epoch, of the future, or older than what is kept", async () => {
    await write(one, "a", "b", "c");
    const { epoch, position } = await here();
    const oldest = position - 1;
    for (const from of [
      { epoch: "000000000000", position },
      { epoch, position: position + 1 },
    ]) {
      expect(await take(tails.workspaceFeed(one, from, true), 2)).toEqual([{ type: "EXPIRED" }]);
      expect(await take(tails.organizationFeed(one.organizationId, from, false), 2)).toEqual([{ type: "EXPIRED" }]);
    }
    await stores.database.sql.deleteFrom("feed_entry").where("position", "<", oldest).execute();
    expect(await take(tails.workspaceFeed(one, { epoch, position: oldest - 2 }, true), 2)).toEqual([
      { type: "EXPIRED" },
    ]);
    const kept = tails.workspaceFeed(one, { epoch, position: oldest - 1 }, true);
    expect(fieldsOf(await take(kept, 2))).toEqual(["b", "c"]);
    await kept.return?.();
  });

  test("does not grow old by what others did behind its last entry", async () => {
    const from = await here();
    expect(from).toMatchObject({ type: "QUIET", at: NOW });
    await write(one, "a");
    await write(other, "b", "c", "d");
    const slow = tails.workspaceFeed(one, from, false);
    expect(fieldsOf(await take(slow, 1))).toEqual(["a"]);
    const { position } = await here();
    await stores.database.sql.deleteFrom("feed_entry").where("position", "<", position).execute();
    await write(one, "e");
    expect(fieldsOf(await take(slow, 1))).toEqual(["e"]);
    await slow.return?.();
  });

  test("ends where the database was put back under it", async () => {
    const tail = tails.workspaceFeed(one, await here(), true);
    await take(tail, 1);
    await stores.database.transaction(renewFeedEpochs);
    await write(one, "a");
    expect(await take(tail, 2)).toEqual([{ type: "EXPIRED" }]);
  });

  test("holds one page for a reader that is slow, and reads on from there", async () => {
    const count = LIMITS.streamPageEvents * 2 + 50;
    const from = await here();
    await write(one, "first");
    const slow = tails.workspaceFeed(one, from, false);
    expect(fieldsOf(await take(slow, 1))).toEqual(["first"]);
    await write(one, ...numbered(count));
    const rest = [];
    for (let index = 0; index < count; index++) {
      rest.push(...(await take(slow, 1)));
      if (index % 50 === 0) await write(other, "in between");
    }
    expect(fieldsOf(rest)).toEqual(numbered(count));
    await slow.return?.();
  });

  test("that is closed while it waits wakes its reader", async () => {
    const tail = tails.organizationFeed(one.organizationId, await here(), false);
    const waiting = tail.next();
    await tail.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(hub.size).toBe(0);
  });

  test("gives every reader the table, however it is cut and however slow it is", async () => {
    const reader = fc.record({ scope: fc.constantFrom("one", "other", "all"), lengths: fc.array(fc.nat(9)) });
    const script = fc.record({
      writes: fc.array(fc.record({ toOne: fc.boolean(), count: fc.integer({ min: 1, max: 4 }) }), { maxLength: 30 }),
      readers: fc.array(reader, { minLength: 1, maxLength: 4 }),
      turns: fc.infiniteStream(fc.nat(3)),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ writes, readers, turns }) => {
        const start = await here();
        const turn = async (): Promise<void> => {
          for (let left = turns.next().value ?? 0; left > 0; left--) await new Promise(setImmediate);
        };
        const written = (async () => {
          for (const { toOne, count } of writes) {
            await write(toOne ? one : other, ...numbered(count));
            await turn();
          }
          await stores.database.transaction(async (tx) => {
            for (const { id: workspaceId, organizationId } of [one, other]) {
              const event = { workspaceId, at: AT, actorId: SYSTEM_ACTOR_ID, fields: ["end"] };
              await appendWorkspaceEvent(tx, organizationId, event);
            }
          });
        })();
        const results = readers.map(async ({ scope, lengths }) => {
          const ends = scope === "all" ? 2 : 1;
          const got: FeedItem[] = [];
          let from = { epoch: start.epoch, position: start.position };
          const isOver = (): boolean => fieldsOf(got).filter((field) => field === "end").length === ends;
          for (const cut of [...lengths, Number.POSITIVE_INFINITY]) {
            const tail =
              scope === "all"
                ? tails.organizationFeed(DEFAULT_ORGANIZATION_ID, from, got.length > 0)
                : tails.workspaceFeed(scope === "one" ? one : other, from, got.length > 0);
            for (let left = cut; left > 0 && !isOver(); left--) {
              const [item] = await take(tail, 1);
              if (item === undefined || item.type === "EXPIRED") throw new Error("The tail ended.");
              got.push(item);
              from = { epoch: start.epoch, position: item.position };
              await turn();
            }
            await tail.return?.();
          }
          const events = got.filter(({ type }) => type === "WORKSPACE");
          return { scope, events };
        });
        await written;
        const table = tails.organizationFeed(DEFAULT_ORGANIZATION_ID, start, false);
        const all = await take(table, (await here()).position - start.position);
        await table.return?.();
        for (const { scope, events } of await Promise.all(results)) {
          const id = scope === "one" ? one.id : other.id;
          expect(events).toEqual(
            scope === "all" ? all : all.filter((item) => item.type === "WORKSPACE" && item.event.workspaceId === id),
          );
        }
      }),
      { numRuns: 25 },
    );
  });
});

test("a tail reads only when it is asked, whatever happens meanwhile", async () => {
  const own = createHub();
  let reads = 0;
  const tail = createTail<number>({
    watch: own.watch("ws:1"),
    pollMs: LONG_MS,
    read: async () => ({ items: [++reads, reads, reads], ended: false }),
  });
  expect(await tail.next()).toEqual({ done: false, value: 1 });
  for (let hint = 0; hint < 1000; hint++) own.signal("ws:1");
  await new Promise(setImmediate);
  expect(reads).toBe(1);
  await tail.return?.();
  expect(own.size).toBe(0);
});
