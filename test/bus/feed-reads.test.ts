/** Reads of feeds that share a statement. */
import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFeedReads } from "../../src/bus/feed-reads.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Reader } from "../../src/persistence/database/database.ts";
import type { FeedRead } from "../../src/persistence/feed/feed-store.ts";
import { appendWorkspaceEvent } from "../../src/persistence/feed/workspace-event-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

const organizationId = DEFAULT_ORGANIZATION_ID;

/** Counts statements; each of them fails if there is an error. */
function counting(error: Error | null = null): { reader: Reader; count: () => number } {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      statements += 1;
      return error === null ? Promise.resolve(result) : Promise.reject(error);
    },
  };
  return { reader: { sql: stores.database.sql.withPlugin(plugin) }, count: () => statements };
}

describe("reads at one time", () => {
  it("get the page of their own feed and position, equal ones the same", async () => {
    const [one, other] = [await stores.addWorkspace(), await stores.addWorkspace()];
    for (const { id: workspaceId } of [one, other]) {
      await stores.database.transaction((tx) =>
        appendWorkspaceEvent(tx, organizationId, { workspaceId, at: AT, actorId: SYSTEM_ACTOR_ID, fields: ["name"] }),
      );
    }
    const read = createFeedReads(stores.database);
    const all = await read({ organizationId, workspaceId: null, after: 0 });
    const head = all?.head ?? expect.fail("There is no feed.");
    const asked: FeedRead[] = [
      { organizationId, workspaceId: null, after: 0 },
      { organizationId, workspaceId: null, after: head },
      { organizationId, workspaceId: one.id, after: 0 },
      { organizationId, workspaceId: other.id, after: 0 },
      { organizationId, workspaceId: null, changesetId: "cs_none", after: 0 },
      { organizationId: "org_none", workspaceId: null, after: 0 },
      { organizationId, workspaceId: one.id, after: 0 },
    ];
    const pages = await Promise.all(asked.map(read));
    const alone = [];
    for (const each of asked) alone.push(await read(each));
    expect(pages).toEqual(alone);
    expect(pages.map((page) => page?.entries.length ?? null).slice(1, 5)).toEqual([0, 1, 1, 0]);
    expect(pages[2]?.entries).not.toEqual(pages[3]?.entries);
    expect(pages[5]).toBeNull();
    expect(pages[6]).toBe(pages[2]);
  });
});

describe("a read that fails", () => {
  const some = (count: number): FeedRead[] =>
    Array.from({ length: count }, (_, after) => ({ organizationId, workspaceId: null, after }));
  const outcomes = async (reader: Reader, count: number) => {
    const settled = await Promise.allSettled(some(count).map(createFeedReads(reader)));
    return settled.map((one) => (one.status === "rejected" ? (one.reason as Error).message : one.value));
  };

  it("is not tried again alone where it was alone", async () => {
    const { reader, count } = counting(new Error("broken"));
    expect([await outcomes(reader, 1), count()]).toEqual([["broken"], 1]);
  });

  it("is tried again alone where others shared its statement", async () => {
    const { reader, count } = counting(new Error("broken"));
    expect(await outcomes(reader, 2)).toEqual(["broken", "broken"]);
    expect(count()).toBe(3);
  });

  it("fails with all of its statement where the connection was lost", async () => {
    const { reader, count } = counting(new Error("Connection terminated"));
    expect(await outcomes(reader, 2)).toEqual(["Connection terminated", "Connection terminated"]);
    expect(count()).toBe(1);
  });
});
