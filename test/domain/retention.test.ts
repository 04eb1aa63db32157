import { zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProgramRequests } from "../../src/domain/programs/program-requests.ts";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

const DAY = 24 * 60 * 60 * 1000;
const FOR_EVER = { logDays: null, eventDays: null, archiveDays: null };
const organizationId = DEFAULT_ORGANIZATION_ID;
let scene: Scene;

beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(() => keep(FOR_EVER));
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

async function keep(retention: object): Promise<void> {
  await scene.quick("updateOrganization", { organizationId, retention });
}

/** What a round removes, by kind. */
async function sweep(signal?: AbortSignal): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  const count = (kind: string, more: number): unknown => (removed[kind] = (removed[kind] ?? 0) + more);
  await retentionRound(scene.server.deps, count, signal);
  return removed;
}

async function read(id: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { logExpiredAt log(first: 10) { edges { cursor node { text } } }
    events(first: 100) { edges { node { __typename } } } timeline { status }
    approvals { counts decision } plans { id text archiveExpiredAt } } }`;
  return (await scene.api.ask(query, { id })).run;
}

const texts = ({ log }: Data): string[] => log.edges.map(({ node }: Data) => node.text);
const masks = (runId: string): Promise<Data[]> => scene.rows("select 1 from run_mask where run_id = $1", runId);
const blobs = (kind: string): Promise<Data[]> => scene.rows("select id from blob where kind = $1", kind);

test("requests of programs are removed a day after their end, and not before", async () => {
  await createProgramRequests(scene.server.deps).begin({ client: "cli", address: null, permissions: null });
  const stored = () => scene.rows("select client from program_request");
  scene.server.advance(LIMITS.deviceCodeMs + LIMITS.programKeptMs - 1000);
  await sweep();
  expect(await stored()).toHaveLength(1);
  scene.server.advance(2000);
  await sweep();
  expect(await stored()).toEqual([]);
});

describe("what an organization keeps", () => {
  const ask = `{ organization(slug: "default") { retention { logDays eventDays archiveDays } } }`;

  test("is everything, but for archives, until somebody says otherwise", async () => {
    const created = await scene.send("createOrganization", { slug: "kept", name: "Kept" });
    expect(created.__typename).toBe("CreateOrganizationSuccess");
    const { organization } = await scene.api.ask(ask.replace("default", "kept"));
    expect(organization.retention).toEqual({ logDays: null, eventDays: null, archiveDays: 90 });
  });

  test("is set field by field, by an admin, from one day on", async () => {
    await keep({ logDays: 1, archiveDays: 36_500 });
    await keep({ eventDays: 2, logDays: null });
    const { organization } = await scene.api.ask(ask);
    expect(organization.retention).toEqual({ logDays: null, eventDays: 2, archiveDays: 36_500 });
    const refused = await scene.send("updateOrganization", {
      organizationId,
      retention: { logDays: 0, eventDays: 36_501, archiveDays: 7 },
    });
    expect(refused.issues.map(({ path }: Data) => path.join("."))).toEqual([
      "retention.logDays",
      "retention.eventDays",
    ]);
    expect(await scene.send("updateOrganization", { organizationId, retention: null })).toMatchObject({
      issues: [{ path: ["retention"] }],
    });
    const writer = await scene.login("WRITER");
    const forbidden = await scene.send("updateOrganization", { organizationId, retention: { logDays: 1 } }, writer);
    expect(forbidden.__typename).toBe("ForbiddenError");
    expect((await scene.api.ask(ask)).organization.retention.archiveDays).toBe(36_500);
  });
});

describe("logs", () => {
  test("go so many days after the end of their run, and say since when; those of live runs stay", async () => {
    const ended = await scene.reach("PLANNING");
    await ended.job.log("PLAN", "one", "two");
    await ended.job.request("POST", "masks", { values: ["declared-by-output"] });
    await ended.job.message({
      type: "failed",
      failure: { code: "PLAN_FAILED", summary: "s", message: "m", evidence: [] },
    });
    const live = await scene.reach("PLANNING");
    await live.job.log("PLAN", "three");
    const silent = await scene.reach("CANCELED");
    scene.server.advance(2 * DAY);
    expect(await sweep()).toEqual({});
    await keep({ logDays: 3 });
    expect(await sweep()).toEqual({});
    const kept = await read(ended.runId);
    expect(texts(kept)).toEqual(["one", "two"]);
    expect(await masks(ended.runId)).toHaveLength(1);
    const firstLine = kept.log.edges[0].cursor;
    await keep({ logDays: 1 });
    expect(await sweep()).toEqual({ LOGS: 1 });
    const gone = await read(ended.runId);
    expect(texts(gone)).toEqual([]);
    expect(await masks(ended.runId)).toEqual([]);
    expect(gone.logExpiredAt).toBe(scene.server.deps.clock().toISOString());
    expect(await read(live.runId)).toMatchObject({ logExpiredAt: null, log: { edges: [{ node: { text: "three" } }] } });
    expect((await read(silent.runId)).logExpiredAt).toBeNull();
    expect(await sweep()).toEqual({});
    const follow = "subscription ($id: ID!, $after: String) { runLog(runId: $id, after: $after) { __typename } }";
    await using resumed = scene.api.subscribe(follow, { id: ended.runId, after: firstLine });
    expect((await resumed.next()).value.runLog).toEqual({ __typename: "CursorExpired" });
    await using lines = scene.api.subscribe("subscription ($id: ID!) { runLog(runId: $id) { __typename } }", {
      id: ended.runId,
    });
    expect(await lines.next()).toMatchObject({ done: true });
  });

  test("long ones go in steps, which two servers share and a kill interrupts, and are removed once", async () => {
    const { runId } = await scene.reach("CANCELED");
    const batches = 2 * LIMITS.retentionRows + 500;
    const insert = `insert into log_batch (run_id, last_line, first_line, phase, attempt, body, bytes, streams)
      select $1, n, n, 'PLAN', 1, $3, 5, 1 from generate_series(1, $2::int) n`;
    await scene.rows(insert, runId, batches, zstdCompressSync("0\tline"));
    await scene.rows("update log_head set last_line = $2 where run_id = $1", runId, batches);
    scene.server.advance(2 * DAY);
    await keep({ logDays: 1 });
    const stop = new AbortController();
    const first: Record<string, number> = {};
    await retentionRound(
      scene.server.deps,
      (kind, count) => {
        first[kind] = (first[kind] ?? 0) + count;
        stop.abort();
      },
      stop.signal,
    );
    expect(first).toEqual({ LOGS: LIMITS.retentionRows });
    expect((await read(runId)).logExpiredAt).not.toBeNull();
    const both = await Promise.all([sweep(), sweep()]);
    expect(both.reduce((sum, { LOGS = 0 }) => sum + LOGS, 0)).toBe(batches - LIMITS.retentionRows);
    expect(await scene.rows("select 1 from log_batch where run_id = $1", runId)).toEqual([]);
  });
});

test("a part of a round that fails keeps none of the others from being done", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  await job.log("PLAN", "one");
  await job.message({ type: "failed", failure: { code: "PLAN_FAILED", summary: "s", message: "m", evidence: [] } });
  scene.server.advance(2 * DAY);
  await keep({ logDays: 1 });
  for (const table of ["bulk_operation", "workspace"]) await scene.rows(`alter table ${table} rename to ${table}_away`);
  try {
    const absent = { code: "42P01" };
    await expect(sweep()).rejects.toMatchObject({ errors: [absent, absent] });
  } finally {
    for (const table of ["bulk_operation", "workspace"])
      await scene.rows(`alter table ${table}_away rename to ${table}`);
  }
  expect(await scene.rows("select 1 from log_batch where run_id = $1", runId)).toEqual([]);
});

describe("archives", () => {
  test("of a saved plan go, and then no run can be made of it; the plan can still be read", async () => {
    const workspaceId = await scene.createWorkspace();
    const planRunId = await scene.plan(workspaceId);
    const gated = await scene.reach("AWAITING_APPLY_APPROVAL");
    scene.server.advance(40 * DAY);
    await keep({ archiveDays: 30 });
    const { ARCHIVES = 0 } = await sweep();
    expect(ARCHIVES).toBeGreaterThan(0);
    const refused = await scene.send("createRun", { workspaceId, kind: "APPLY", planRunId });
    expect(refused.issues).toEqual([{ path: ["planRunId"], message: expect.stringContaining("still kept") }]);
    const [plan] = (await read(planRunId)).plans;
    expect(plan).toMatchObject({ archiveExpiredAt: expect.any(String), text: expect.any(String) });
    // Who waits at a gate for so long can still be approved and applied.
    await scene.quick("approveRun", { runId: gated.runId, gate: "APPLY", planVersion: 1 });
    const job = await scene.claim(gated.runId);
    const archive = await fetch(`${job.url}/runner/v1/jobs/${job.job.id}/archive`, {
      headers: { authorization: `Bearer ${job.job.token}` },
    });
    expect(await archive.text()).toBe("archive");
    expect((await job.apply(1)).status).toBe(200);
    expect((await scene.run(gated.runId, "outcome")).outcome).toBe("APPLIED");
    expect(await blobs("STATE")).toHaveLength(1);
  });

  test("stay while a run is to apply them, and go with the last of those", async () => {
    const workspaceId = await scene.createWorkspace();
    const planRunId = await scene.plan(workspaceId);
    await scene.rows("insert into run_mask values ($1, 1, '', now())", planRunId);
    const applyId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    scene.server.advance(40 * DAY);
    await keep({ archiveDays: 30, logDays: 1 });
    await sweep();
    expect(await masks(planRunId)).toHaveLength(1);
    expect((await read(planRunId)).plans[0].archiveExpiredAt).toBeNull();
    await scene.quick("discardRun", { runId: applyId });
    await sweep();
    expect((await read(planRunId)).plans[0].archiveExpiredAt).toBeNull();
    scene.server.advance(31 * DAY);
    expect(await sweep()).toEqual({ ARCHIVES: 1 });
    expect((await read(planRunId)).plans[0].archiveExpiredAt).not.toBeNull();
    expect(await masks(planRunId)).toEqual([]);
    const retried = await scene.send("retryRun", { runId: applyId });
    expect(retried.issues).toEqual([{ path: ["runId"], message: expect.stringContaining("whose files were removed") }]);
  });

  test("whoever makes a run of a plan at the same moment has it, or is told", async () => {
    const workspaceId = await scene.createWorkspace();
    const plans = await Promise.all(Array.from({ length: 8 }, () => scene.plan(workspaceId)));
    scene.server.advance(40 * DAY);
    await keep({ archiveDays: 30 });
    const create = (planRunId: string): Promise<Data> =>
      scene.send("createRun", { workspaceId, kind: "APPLY", planRunId });
    const [answers] = await Promise.all([Promise.all(plans.map(create)), sweep(), sweep()]);
    for (const [index, answer] of answers.entries()) {
      const kept = (await read(plans[index] ?? "")).plans[0].archiveExpiredAt === null;
      expect(answer.__typename).toBe(kept ? "CreateRunSuccess" : "InvalidInputError");
    }
  });
});

describe("events", () => {
  test("of ended runs go, but for statuses and decisions; feeds tell old cursors", async () => {
    const ended = await scene.reach("FINISHED");
    const live = await scene.reach("AWAITING_PLAN_APPROVAL");
    const [before, liveBefore] = [await read(ended.runId), await read(live.runId)];
    const refusals = () =>
      scene.rows("select subject_id from rejected_command where subject_id = any($1)", [
        ended.runId,
        ended.workspaceId,
        live.runId,
      ]);
    for (const { runId } of [ended, live])
      await scene.quick("discardRun", { runId, planVersion: 99 }).catch(() => null);
    await scene.send("unlockWorkspace", { workspaceId: ended.workspaceId });
    const feed = `subscription ($id: ID!, $after: String) { stream: organizationEvents(organizationId: $id, after: $after) {
      __typename ... on StreamItem { cursor } } }`;
    const next = async (after: string | null): Promise<Data> => {
      await using items = scene.api.subscribe(feed, { id: organizationId, after });
      return (await items.next()).value.stream;
    };
    const { cursor } = await next(null);
    await scene.createWorkspace();
    scene.server.advance(5 * DAY);
    await scene.createWorkspace();
    const fresh = await next(null);
    // The clock was ahead for a moment: that holds nothing up.
    const ahead =
      "update workspace_event set at = '2990-01-01' where id = (select min(workspace_event_id) from feed_entry)";
    await scene.rows(ahead);
    await keep({ eventDays: 2 });
    const { EVENTS = 0 } = await sweep();
    expect(EVENTS).toBeGreaterThan(10);
    expect((await next(cursor)).__typename).toBe("CursorExpired");
    const gone = await read(ended.runId);
    expect(gone.events.edges.length).toBeLessThan(before.events.edges.length);
    const kinds = new Set<string>(gone.events.edges.slice(0, -1).map(({ node }: Data) => node.__typename));
    expect(kinds).toEqual(new Set(["ApprovalRecorded", "RunStatusChanged"]));
    expect(gone.timeline).toEqual(before.timeline);
    expect(gone.approvals).toEqual(before.approvals);
    expect((await read(live.runId)).events).toEqual(liveBefore.events);
    expect(await refusals()).toEqual([{ subject_id: live.runId }]);
    await scene.createWorkspace();
    expect((await next(fresh.cursor)).__typename).not.toBe("CursorExpired");
    expect(await sweep()).toEqual({});
  });
});
