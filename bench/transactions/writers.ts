/** Sixteen writers that change runs, each its own: with an event for listeners, and without. */
import { Client, type PoolConfig } from "pg";
import { createHub } from "../../src/bus/hub.ts";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { createTails } from "../../src/bus/run-tails.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { lockForChange } from "../../src/domain/lifecycle/locked-run.ts";
import { recordTransition } from "../../src/domain/lifecycle/record-transition.ts";
import { ADMIN_ACTOR_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { readFeed } from "../../src/persistence/feed/feed-store.ts";
import { prepared, type Slot } from "../../src/persistence/database/prepared.ts";
import { RUN_COLUMNS } from "../../src/persistence/run/run-row.ts";

export const WRITERS = 16;
const PAGE = 10_000;

const organizationOf = (writer: number, organizations: number): string => orgId((writer % organizations) + 1);
const orgId = (number: number): string => `org_${String(number).padStart(26, "0")}`;
const runId = (writer: number): string => `run_${String(writer).padStart(26, "0")}`;

/** A run for each writer, in so many organizations. */
export async function seedRuns(connection: PoolConfig, organizations: number): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    const organization = `'org_' || lpad((n % ${organizations} + 1)::text, 26, '0')`;
    const id = (prefix: string): string => `'${prefix}_' || lpad(n::text, 26, '0')`;
    const writers = `generate_series(0, ${WRITERS - 1}) n`;
    await client.query(`
      insert into organization (id, slug, name, created_at)
        select ${organization}, 'o' || n, 'o' || n, now() from generate_series(0, ${organizations - 1}) n;
      insert into workspace (id, organization_id, name, source, plan_approval, auto_apply, created_at)
        select ${id("ws")}, ${organization}, 'w' || n, '{"type": "directory", "path": "/nowhere"}', 'ALWAYS', 'NEVER',
          now() from ${writers};
      begin;
      insert into run (id, organization_id, workspace_id, number, kind, status, leg, trigger, created_by,
          variables_sealed, version, status_version, created_at, status_at)
        select ${id("run")}, ${organization}, ${id("ws")}, 1, 'DEPLOY', 'QUEUED', 'PLAN', 'API', '${ADMIN_ACTOR_ID}',
          '', 1, 1, now(), now() from ${writers};
      insert into run_event (run_id, version, type, at, actor_id, to_status, data)
        select ${id("run")}, 1, 'STATUS_CHANGED', now(), '${ADMIN_ACTOR_ID}', 'QUEUED',
          '{"from": null, "to": "QUEUED", "reason": null}' from ${writers};
      commit`);
    // A disk that takes 2 ms to flush; fsync is on, and commits that wait at the same time are flushed together.
    for (const setting of ["commit_delay = 2000", "commit_siblings = 0"]) {
      await client.query(`alter database ${client.escapeIdentifier(String(connection.database))} set ${setting}`);
    }
  } finally {
    await client.end();
  }
}

const STAYS = { accepted: true, name: "prioritize", change: null } as const;
const CHANGED = { type: "CHANGED" as const, fields: ["priority"] };

/** Writes the columns of `updateRun`, without the version and the event. */
const setPriority = prepared((db, slot: Slot<{ id: string; priority: number }>) =>
  db
    .updateTable("run")
    .set({ priority: slot("priority") })
    .where("id", "=", slot("id"))
    .returning(RUN_COLUMNS),
);

/**
 * Locks a run with its workspace, as every change does, and gives it another priority, as prioritizeRun does. `withEvents`:
 * with an event, feed and hint. Both write the same column: it is in an index, which is a good part of what a write costs.
 */
export function change(deps: Deps, writer: number, withEvents: boolean): Promise<void> {
  return deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, runId(writer));
    if (locked === null) throw new Error(`There is no ${runId(writer)}.`);
    const { run } = locked;
    const priority = run.priority + 1;
    if (!withEvents) await setPriority(tx, { id: run.id, priority });
    else
      await recordTransition(tx, deps, locked, STAYS, {
        actorId: SYSTEM_ACTOR_ID,
        set: { priority },
        events: [CHANGED],
      });
  });
}

const organizationsOf = (organizations: number): string[] => [
  ...new Set(Array.from({ length: WRITERS }, (_, writer) => organizationOf(writer, organizations))),
];

/** Reads the feed of every organization from now on, as a server with one subscriber to each does. */
export async function startReaders(
  deps: Deps,
  connection: PoolConfig,
  organizations: number,
  onError: (error: unknown) => void,
): Promise<AsyncDisposable> {
  const hub = createHub();
  const listener = await startHintListener(connection, hub, onError);
  const tails = createTails(deps.database, hub);
  const open = await Promise.all(
    organizationsOf(organizations).map(async (id) => tails.organizationFeed(id, await tails.feedNow(id), false)),
  );
  const done = open.map(async (tail) => {
    for await (const item of tail) if (item.type === "EXPIRED") throw new Error("A feed expired.");
  });
  for (const one of done) one.catch(onError);
  return {
    async [Symbol.asyncDispose]() {
      for (const tail of open) await tail.return?.();
      await Promise.allSettled(done);
      await listener[Symbol.asyncDispose]();
    },
  };
}

/** Reads all feeds; throws where a change is missing, comes twice or out of order. */
export async function checkFeeds(deps: Deps, organizations: number, changes: number): Promise<void> {
  const versions = new Map<string, number>();
  let count = 0;
  for (const organizationId of organizationsOf(organizations)) {
    for (let position = 0, last = false; !last; ) {
      const page = await readFeed(deps.database, { organizationId, workspaceId: null }, position, PAGE);
      if (page === null) throw new Error(`${organizationId} has no feed.`);
      for (const { type, event, position: at } of page.entries) {
        if (type !== "RUN" || at !== position + 1) throw new Error(`${organizationId}: ${at} follows ${position}.`);
        const before = versions.get(event.runId) ?? 1;
        if (event.version !== before + 1) throw new Error(`${event.runId}: ${event.version} follows ${before}.`);
        versions.set(event.runId, event.version);
        position = at;
        count += 1;
      }
      last = page.entries.length < PAGE;
    }
  }
  if (count !== changes) throw new Error(`The feeds have ${count} changes, not of ${changes}.`);
}
