import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { workspacePlace } from "../../src/model/people/place.ts";
import type { FeedEntry } from "../../src/model/run/feed.ts";
import { settleAllFeeds } from "../../src/domain/rounds/settle-feeds.ts";
import { openDatabase, type Transaction } from "../../src/persistence/database/database.ts";
import {
  type FeedPage,
  findFeedHead,
  listUnsettledFeeds,
  readFeed,
  readFeeds,
  renewFeedEpochs,
  settleFeeds,
} from "../../src/persistence/feed/feed-store.ts";
import type { Notifier } from "../../src/persistence/database/notifier.ts";
import { updateRun } from "../../src/persistence/run/run-change-store.ts";
import { appendWorkspaceEvent } from "../../src/persistence/feed/workspace-event-store.ts";
import { AT, openStores, statusChanged, type Stores } from "../support/store-fixtures.ts";
import { waitUntil } from "../support/eventually.ts";

const ALL = { organizationId: DEFAULT_ORGANIZATION_ID, workspaceId: null };
const EVERYTHING = 1_000_000;
const SILENT: Notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

async function read(after = 0, scope: { organizationId: string; workspaceId: string | null } = ALL): Promise<FeedPage> {
  const page = await readFeed(stores.database, scope, after, EVERYTHING);
  if (page === null) throw new Error("There is no feed.");
  return page;
}

async function head(): Promise<number> {
  return (await read(EVERYTHING)).head;
}

function change(tx: Transaction, workspaceId: string, field: string): Promise<void> {
  const event = { workspaceId, at: AT, actorId: SYSTEM_ACTOR_ID, fields: [field] };
  return appendWorkspaceEvent(tx, DEFAULT_ORGANIZATION_ID, event);
}

/** An entry of a feed whose event is nobody's. */
async function enter(tx: Transaction, organizationId: string, workspaceId: string): Promise<void> {
  const row = { organization_id: organizationId, workspace_id: workspaceId, workspace_event_id: 1 };
  await tx.sql.insertInto("feed_pending").values(row).execute();
}

/** So many questions long, while others go on. */
async function dawdle(tx: Transaction, questions: number): Promise<void> {
  for (let asked = 0; asked < questions; asked += 1) await sql`select 1`.execute(tx.sql);
}

describe("the feed of an organization", () => {
  test("has events of runs and of workspaces as they were written, in one order", async () => {
    const before = await head();
    const workspace = await stores.addWorkspace();
    const run = await stores.addRun(workspace);
    await stores.database.transaction((tx) => change(tx, workspace.id, "lock"));
    await stores.move(run, "READY");
    const place = workspacePlace(workspace);
    expect((await read(before)).entries).toEqual([
      { type: "RUN", position: before + 1, place, event: statusChanged(run.id, 1, null, "QUEUED") },
      {
        type: "WORKSPACE",
        position: before + 2,
        place,
        event: { workspaceId: workspace.id, at: AT, actorId: SYSTEM_ACTOR_ID, fields: ["lock"], health: null },
      },
      { type: "RUN", position: before + 3, place, event: statusChanged(run.id, 2, "QUEUED", "READY") },
    ]);
    expect(await head()).toBe(before + 3);
  });

  test("is in the order of the commits, without gaps, whoever writes at the same time", async () => {
    const before = await head();
    const writers = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const workspace = await stores.addWorkspace(`writer-${index}`);
        return { workspace, run: await stores.addRun(workspace) };
      }),
    );
    const start = await head();
    let writing = true;
    const seen: FeedEntry[] = [];
    const reader = (async () => {
      for (let last = false; !last; ) {
        last = !writing;
        const page = await read(start);
        expect(page.entries.map(({ position }) => position)).toEqual(
          Array.from({ length: page.head - start }, (_, index) => start + index + 1),
        );
        // Nothing appears before, or in the place of, what was seen already.
        expect(page.entries.slice(0, seen.length)).toEqual(seen);
        seen.push(...page.entries.slice(seen.length));
      }
    })();
    await Promise.all(
      writers.map(async ({ workspace, run }, writer) => {
        for (let version = 2; version <= 16; version++) {
          const failing = (version + writer) % 5 === 0;
          const written = stores.database.transaction(async (tx) => {
            await dawdle(tx, (version * 7 + writer * 3) % 5);
            if (!failing) {
              const base = { runId: run.id, version, at: AT, actorId: SYSTEM_ACTOR_ID };
              const event = { ...base, type: "CHANGED" as const, fields: ["message"] };
              await updateRun(tx, { ...run, version: version - 1 }, {}, [event]);
            }
            await change(tx, workspace.id, `version ${version}`);
            await dawdle(tx, (version * 3 + writer * 5) % 7);
            if (failing) await sql`select 1 / 0`.execute(tx.sql);
          });
          if (failing) await expect(written).rejects.toMatchObject({ code: "22012" });
          else await written;
        }
      }),
    );
    writing = false;
    await reader;
    expect(before).toBeLessThan(start);
    for (const [writer, { workspace, run }] of writers.entries()) {
      const versions = Array.from({ length: 15 }, (_, index) => index + 2).filter((v) => (v + writer) % 5 !== 0);
      const own = seen.filter(({ event }) => "runId" in event && event.runId === run.id);
      expect(own.map(({ event }) => "version" in event && event.version)).toEqual(versions);
      const scoped = await read(start, { ...ALL, workspaceId: workspace.id });
      expect(scoped.entries).toEqual(
        seen.filter(({ event }) =>
          "runId" in event ? event.runId === run.id : "workspaceId" in event && event.workspaceId === workspace.id,
        ),
      );
    }
  });

  test("does not make who writes wait for who writes, nor who reads", async () => {
    const workspace = await stores.addWorkspace();
    const before = await head();
    await using other = openDatabase(stores.connection, { notifier: SILENT, onError: () => undefined });
    await stores.database.transaction(async (tx) => {
      await change(tx, workspace.id, "lock");
      // Its entry is written, and its commit is still to come.
      await other.transaction((inner) => change(inner, workspace.id, "name"));
      const page = await readFeed(other, ALL, before, EVERYTHING);
      expect(page?.entries).toMatchObject([{ position: before + 1, event: { fields: ["name"] } }]);
    });
    expect((await read(before)).entries).toMatchObject([
      { position: before + 1, event: { fields: ["name"] } },
      { position: before + 2, event: { fields: ["lock"] } },
    ]);
  });

  test("is settled by a look at it alone, or by the scheduler", async () => {
    const workspace = await stores.addWorkspace();
    await head();
    expect(await listUnsettledFeeds(stores.database)).toEqual([]);
    await stores.database.transaction((tx) => change(tx, workspace.id, "lock"));
    expect(await listUnsettledFeeds(stores.database)).toEqual([DEFAULT_ORGANIZATION_ID]);
    await settleAllFeeds(stores);
    expect(await listUnsettledFeeds(stores.database)).toEqual([]);
  });

  test("costs a look no more while somebody keeps an old snapshot, as a dump does", async () => {
    const workspace = await stores.addWorkspace();
    const dump = new Client({ ...stores.connection });
    // It needs an event after whatever was written meanwhile, also in other databases, has ended.
    const isCheap = async (): Promise<boolean> => {
      const before = await head();
      await stores.database.transaction((tx) => change(tx, workspace.id, "lock"));
      expect(await listUnsettledFeeds(stores.database)).toEqual([DEFAULT_ORGANIZATION_ID]);
      expect(await head()).toBe(before + 1);
      return (await entriesOfLook()) < 10;
    };
    await dump.connect();
    try {
      await dump.query("begin isolation level repeatable read; select from feed_pending");
      const count = 50;
      for (let event = 0; event < count; event++) {
        await stores.database.transaction((tx) => change(tx, workspace.id, `field ${event}`));
        if (event % 10 === 9) await head();
      }
      await waitUntil(isCheap);
      // As in a database that was copied from another cluster, whose transactions have higher numbers.
      await sql`update feed_head set settled_before = '9000000000'`.execute(stores.database.sql);
      expect(await entriesOfLook()).toBeGreaterThanOrEqual(count);
      await waitUntil(isCheap);
    } finally {
      await dump.end();
    }
  });

  test("loses nothing in a database that was copied from another cluster", async () => {
    const workspace = await stores.addWorkspace();
    const before = await head();
    const ahead = 30;
    await sql`update feed_head set settled_before = (pg_current_xact_id()::text::bigint + ${ahead})::text::xid8`.execute(
      stores.database.sql,
    );
    await settleAllFeeds(stores);
    await stores.database.transaction((tx) => change(tx, workspace.id, "lock"));
    // Its transactions come to where those of the other were.
    for (let count = 0; count <= ahead; count++) await sql`select pg_current_xact_id()`.execute(stores.database.sql);
    expect(await head()).toBe(before + 1);
  });

  /** What a look at a feed in which nothing is new finds in the index, dead or alive. */
  function entriesOfLook(): Promise<number> {
    return stores.database.transaction(async (tx) => {
      const before = await found(tx);
      await settleFeeds(tx, [DEFAULT_ORGANIZATION_ID]);
      return (await found(tx)) - before;
    });
  }

  /** By this connection, not yet reported. */
  async function found(tx: Transaction): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select pg_stat_get_xact_tuples_returned('feed_pending_pkey'::regclass) as count`.execute(tx.sql);
    return rows[0]?.count ?? Number.NaN;
  }

  test("of many organizations are read together, each as if alone", async () => {
    const own = stores.newId("organization");
    const row = { id: own, slug: "many", name: "many", created_at: AT };
    await stores.database.sql.insertInto("organization").values(row).execute();
    const [one, other] = [await stores.addWorkspace(), await stores.addWorkspace()];
    const before = await head();
    for (const { id } of [one, other, one]) await stores.database.transaction((tx) => change(tx, id, "lock"));
    await stores.database.transaction((tx) => enter(tx, own, one.id));
    const looks = [
      { ...ALL, after: before + 1 },
      { organizationId: "org_none", workspaceId: null, after: 0 },
      { ...ALL, workspaceId: other.id, after: 0 },
      { organizationId: own, workspaceId: null, after: 0 },
      { ...ALL, after: before },
    ];
    const pages = await readFeeds(stores.database, looks, 2);
    expect(pages[0]?.entries.map(({ position }) => position)).toEqual([before + 2, before + 3]);
    expect(pages[1]).toBeNull();
    expect(pages[2]?.entries.map(({ position }) => position)).toEqual([before + 2]);
    expect(pages[3]).toMatchObject({ head: 1, oldest: 1, entries: [{ position: 1 }] });
    expect(pages[4]?.entries.map(({ position }) => position)).toEqual([before + 1, before + 2]);
  });

  test("is told to its listeners after the commit, each topic once", async () => {
    const told: string[][] = [];
    const notifier: Notifier = {
      send: (topics) => told.push([...topics]),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    const workspace = await stores.addWorkspace();
    await using database = openDatabase(stores.connection, { notifier, onError: () => undefined });
    await database.transaction(async (tx) => {
      tx.announce("work");
      for (const field of ["lock", "paused"]) await change(tx, workspace.id, field);
      expect(told).toEqual([]);
    });
    await database.transaction((tx) => change(tx, "ws_none", "lock")).catch(() => undefined);
    expect(told).toEqual([["work", `org:${DEFAULT_ORGANIZATION_ID}`, `ws:${workspace.id}`]]);
  });

  test("is read in pages of one instant, with the counter and the oldest entry that is kept", async () => {
    const [one, other] = [await stores.addWorkspace(), await stores.addWorkspace()];
    const before = await head();
    await stores.database.transaction(async (tx) => {
      for (const { id } of [one, other, one, other]) await change(tx, id, "lock");
    });
    const scope = { ...ALL, workspaceId: one.id };
    const page = await readFeed(stores.database, scope, before, 1);
    expect(page).toMatchObject({ head: before + 4, oldest: 1, entries: [{ position: before + 1 }] });
    expect((await read(before + 1, scope)).entries).toMatchObject([{ position: before + 3 }]);
    expect((await read(before + 3, scope)).entries).toEqual([]);
  });

  test("is not kept up to an entry whose event is gone", async () => {
    const before = await head();
    const workspace = await stores.addWorkspace();
    for (const field of ["lock", "name"]) await stores.database.transaction((tx) => change(tx, workspace.id, field));
    await sql`delete from workspace_event where workspace_id = ${workspace.id} and fields = '{lock}'`.execute(
      stores.database.sql,
    );
    expect(await read(before)).toMatchObject({ oldest: before + 2, entries: [] });
    expect(await read(before + 1)).toMatchObject({ entries: [{ position: before + 2 }] });
    await sql`delete from feed_entry where position = ${before + 1}`.execute(stores.database.sql);
  });
});

describe("organizations", () => {
  async function addOrganization(slug: string): Promise<string> {
    const id = stores.newId("organization");
    const row = { id, slug, name: slug, created_at: AT };
    await stores.database.sql.insertInto("organization").values(row).execute();
    return id;
  }

  test("have feeds of their own from the start", async () => {
    const id = await addOrganization("own");
    const own = await findFeedHead(stores.database, id);
    expect(own).toEqual({ epoch: expect.stringMatching(/^[0-9a-f]{12}$/), position: 0 });
    expect(own?.epoch).not.toBe((await read()).epoch);
    expect(await read(0, { organizationId: id, workspaceId: null })).toMatchObject({ head: 0, oldest: 1, entries: [] });
    expect(await findFeedHead(stores.database, "org_none")).toBeNull();
    expect(await readFeed(stores.database, { organizationId: "org_none", workspaceId: null }, 0, 1)).toBeNull();
  });

  test("that two transactions write to in different orders do not wait for each other", async () => {
    const ids = [await addOrganization("left"), await addOrganization("right")];
    const workspace = await stores.addWorkspace();
    const count = 20;
    await Promise.all(
      [ids, ids.toReversed()].map(async (order) => {
        for (let index = 0; index < count; index++) {
          await stores.database.transaction(async (tx) => {
            for (const organizationId of order) await enter(tx, organizationId, workspace.id);
            await dawdle(tx, 0.001);
          });
        }
      }),
    );
    for (const id of ids) expect(await findFeedHead(stores.database, id)).toMatchObject({ position: 2 * count });
  });

  test("without a feed lose nothing silently", async () => {
    await stores.database.transaction((tx) => enter(tx, "org_none", "ws_none"));
    await expect(findFeedHead(stores.database, "org_none")).rejects.toThrow("org_none has no feed");
    await sql`delete from feed_pending where organization_id = 'org_none'`.execute(stores.database.sql);
  });

  test("have new epochs when the database was put back", async () => {
    const before = await stores.database.sql.selectFrom("feed_head").selectAll().orderBy("organization_id").execute();
    await stores.database.transaction(renewFeedEpochs);
    const after = await stores.database.sql.selectFrom("feed_head").selectAll().orderBy("organization_id").execute();
    expect(after.map(({ epoch }) => epoch)).not.toEqual(expect.arrayContaining(before.map(({ epoch }) => epoch)));
    expect(new Set([...before, ...after].map(({ epoch }) => epoch)).size).toBe(before.length * 2);
    expect(after.map(({ position }) => position)).toEqual(before.map(({ position }) => position));
  });
});
