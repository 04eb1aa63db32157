/** Retention at its borders: what is exactly as old as the limit is still kept. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Run } from "../../src/model/run/run.ts";
import type { RunEvent } from "../../src/model/run/run-event.ts";
import { RETENTION_KINDS, type RetentionKind } from "../../src/model/workspace/retention.ts";
import type { Transaction } from "../../src/persistence/database/database.ts";
import { settleFeeds } from "../../src/persistence/feed/feed-store.ts";
import {
  listDue,
  listEndedRuns,
  removeFeed,
  removeRunEvents,
} from "../../src/persistence/installation/retention-store.ts";
import { removeArchives } from "../../src/persistence/plan/archive-store.ts";
import { updateRun } from "../../src/persistence/run/run-change-store.ts";
import { listRunEvents } from "../../src/persistence/run/run-event-store.ts";
import { appendWorkspaceEvent } from "../../src/persistence/feed/workspace-event-store.ts";
import { AT, openStores, statusChanged, type Stores } from "../support/store-fixtures.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST = { finishedAt: "1970-01-01T00:00:00.000Z", runId: "" };
const organizationId = DEFAULT_ORGANIZATION_ID;
const afterAt = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();
/** Everything here is of AT: a limit of BORDER keeps it, one of PAST does not. */
const [BORDER, PAST] = [AT, afterAt(1)];

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());
beforeEach(emptyFeed);

/** Entries of the feed are in their place only once it is settled. */
const settle = (): Promise<void> => settleFeeds(stores.database, [organizationId]);

async function emptyFeed(): Promise<void> {
  await settle();
  await stores.database.sql.deleteFrom("feed_entry").execute();
}

const write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => stores.database.transaction(work);

/** A run that ended, and whose last event is no change of its status; it may have applied the plan of another one. */
async function endedRun(finishedAt = AT, planRunId: string | null = null): Promise<Run> {
  const run = await stores.addRun(await stores.addWorkspace());
  await stores.database.sql.updateTable("run").set({ plan_run_id: planRunId }).where("id", "=", run.id).execute();
  const changed = (version: number): RunEvent => {
    return { type: "CHANGED", runId: run.id, version, at: AT, actorId: SYSTEM_ACTOR_ID, fields: ["blockers"] };
  };
  const set = { status: { to: "CANCELED", version: 3, at: AT }, finishedAt, holdsWorkspace: false } as const;
  return write((tx) =>
    updateRun(tx, run, set, [changed(2), statusChanged(run.id, 3, "QUEUED", "CANCELED"), changed(4)]),
  );
}

const versionsOf = async ({ id }: Run): Promise<number[]> => {
  const page = { limit: 10, direction: "forward", after: null, before: null } as const;
  return (await listRunEvents(stores.database, id, page)).items.map(({ version }) => version);
};

test("an organization is due once its oldest run, or the oldest entry of its feed, is older than its limit", async () => {
  await endedRun();
  const keep = (days: object) => stores.database.sql.updateTable("organization").set(days).execute();
  const due = async (kind: RetentionKind, at: string) => (await listDue(stores.database, kind, at)).length;
  await keep({ log_days: 1, archive_days: 1, event_days: 1 });
  await emptyFeed();
  for (const kind of RETENTION_KINDS) {
    expect([kind, await due(kind, afterAt(DAY_MS)), await due(kind, afterAt(DAY_MS + 1))]).toEqual([kind, 0, 1]);
  }
  // Without any run it is the feed alone.
  const { id: workspaceId } = await stores.addWorkspace();
  const event = { workspaceId, at: afterAt(-DAY_MS), actorId: SYSTEM_ACTOR_ID, fields: ["name"] };
  await write((tx) => appendWorkspaceEvent(tx, organizationId, event));
  await settle();
  expect([await due("EVENTS", AT), await due("EVENTS", afterAt(1)), await due("LOGS", afterAt(1))]).toEqual([0, 1, 0]);
  await keep({ log_days: null, archive_days: null, event_days: null });
  expect(await due("EVENTS", afterAt(DAY_MS + 1))).toBe(0);
});

test("a run that ended at the limit is not listed", async () => {
  const { id } = await endedRun();
  const listed = async (before: string) => {
    const runs = await write((tx) => listEndedRuns(tx, { organizationId, before }, FIRST, 1000));
    return runs.map(({ runId }) => runId);
  };
  expect(await listed(BORDER)).toEqual([]);
  expect(await listed(PAST)).toContain(id);
});

test("events of a run at the limit stay, and its newest one always, as do changes of its status", async () => {
  const run = await endedRun();
  expect(await write((tx) => removeRunEvents(tx, [run.id], BORDER))).toBe(0);
  expect(await write((tx) => removeRunEvents(tx, [run.id], PAST))).toBe(1);
  expect(await versionsOf(run)).toEqual([1, 3, 4]);
});

test("entries of a feed at the limit stay", async () => {
  await endedRun();
  await settle();
  const remove = (before: string) => write((tx) => removeFeed(tx, { organizationId, before }, 1000));
  expect(await remove(BORDER)).toBe(0);
  expect(await remove(PAST)).toBe(4);
});

test("archives of a run that ended at the limit stay, as do those of a plan whose apply ended there", async () => {
  const archived = async (): Promise<string> => {
    const run = await stores.addRun(await stores.addWorkspace());
    const job = { archive_blob_id: await stores.addBlob(run.workspaceId), ended_at: AT };
    const jobId = await stores.addJob(run);
    await stores.database.sql.updateTable("job").set(job).where("id", "=", jobId).execute();
    await stores.move(run, "CANCELED");
    return run.id;
  };
  const remove = (runId: string, before: string) => write((tx) => removeArchives(tx, [runId], before, AT));
  const alone = await archived();
  expect([await remove(alone, BORDER), await remove(alone, PAST)]).toEqual([0, 1]);
  const applied = await archived();
  await endedRun(PAST, applied);
  expect([await remove(applied, PAST), await remove(applied, afterAt(2))]).toEqual([0, 1]);
});
