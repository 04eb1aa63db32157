/** The stream of a changeset over real sockets, of two servers. */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bulkRound } from "../../src/domain/bulk/bulk-round.ts";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { openChangeset } from "../../src/domain/changeset/open-changeset.ts";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { openScene, type Scene } from "../domain/scene.ts";
import { type Api, createApi, type Data } from "../support/api.ts";
import { waitUntil } from "../support/eventually.ts";
import { Follower } from "../support/follower.ts";
import type { InProcess } from "../support/in-process.ts";
import { addPerson, type Person, watch, type Watcher } from "../support/watchers.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const never = new AbortController().signal;

let scene: Scene;
let second: InProcess;
const watchers: Watcher[] = [];
beforeAll(async () => {
  scene = await openScene();
  second = await scene.server.second();
});
afterEach(async () => {
  await Promise.all(watchers.splice(0).map((one) => one.stop()));
  await waitUntil(() => scene.server.hub.size + second.hub.size === 0);
  expect([...scene.server.reported.splice(0), ...second.reported.splice(0)]).toEqual([]);
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

const FIELDS = `__typename ... on StreamItem { cursor }
  ... on ChangesetSnapshot { changeset { id version state } }
  ... on ChangesetChanged { change gate changesetId actor { id } changeset { state appliedAt version } }
  ... on RunEvent { version run { id changeset { version planDigest } } } ... on RunStatusChanged { to }`;
const STREAM = `subscription ($id: ID!, $after: String) { stream: changesetEvents(changesetId: $id, after: $after) { ${FIELDS} } }`;
const ALL = `subscription ($id: ID!) { stream: organizationEvents(organizationId: $id) {
  __typename ... on ChangesetChanged { change changesetId } } }`;

const atSecond = ({ token }: Pick<Api, "token">): Api => createApi(second.url, token);

function follow(api: Api, id: string, query = STREAM, after: string | null = null): Watcher {
  const watcher = watch(api, query, { id, after });
  watchers.push(watcher);
  return watcher;
}
const streamOf = ({ items }: Watcher): Data[] => items.map(({ stream }) => stream);
const changesOf = (watcher: Watcher): string[] => streamOf(watcher).flatMap(({ change }) => change ?? []);
const runsOf = (watcher: Watcher): string[] => [...new Set(streamOf(watcher).flatMap(({ run }) => run?.id ?? []))];

async function mutate(field: string, type: string, input: object, fields: string, api: Api = scene.api): Promise<Data> {
  const document = `mutation ($input: ${type}Input!) { done: ${field}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  return (await api.ask(document, { input })).done;
}

/** A changeset over new workspaces, with its runs. */
async function create(count: number, input: object = {}): Promise<{ id: string; workspaceIds: string[] }> {
  const workspaceIds: string[] = [];
  for (let index = 0; index < count; index += 1) workspaceIds.push(await scene.createWorkspace());
  const { changeset } = await mutate(
    "createChangeset",
    "CreateChangeset",
    { organizationId, title: "one", workspaceIds, ...input },
    "changeset { id }",
  );
  await changesetRound(scene.server.deps, never);
  return { id: changeset.id, workspaceIds };
}

async function runIn(changesetId: string, workspaceId: string): Promise<string> {
  const text = "select run_id as id from changeset_member where changeset_id = $1 and workspace_id = $2";
  return (await scene.rows(text, changesetId, workspaceId))[0]?.["id"];
}

/** All events of the runs of a changeset and of itself, in the order of the feed. */
async function feedOf(changesetId: string): Promise<Data[]> {
  await scene.rows("select feed_settle(array[$1])", organizationId);
  return scene.rows(
    `select f.run_id, f.version, c.change from feed_entry f left join changeset_event c on c.id = f.changeset_event_id
      where f.changeset_id = $1 order by f.position`,
    changesetId,
  );
}

const reader = (...workspaceIds: string[]): Promise<Person> =>
  addPerson(
    scene,
    organizationId,
    workspaceIds.map((id) => ["READER", id] as const),
  );

describe("a stream of a changeset", () => {
  it("begins with a snapshot, and has every change of its life in order, each with the changeset of then or later", async () => {
    const { id, workspaceIds } = await create(2);
    const [one = "", other = ""] = await Promise.all(workspaceIds.map((workspaceId) => runIn(id, workspaceId)));
    const from = (await feedOf(id)).length;
    const stream = follow(scene.api, id);
    await waitUntil(() => stream.items.length === 1);
    expect(streamOf(stream)[0]).toMatchObject({ __typename: "ChangesetSnapshot", changeset: { id, version: 4 } });
    for (const runId of [one, other]) await (await scene.claim(runId)).plan();
    const { changeset } = await scene.api.ask("query ($id: ID!) { changeset(id: $id) { version planDigest } }", { id });
    const reviewed = { changesetId: id, gate: "PLAN", ...changeset };
    await mutate("approveChangeset", "ApproveChangeset", reviewed, "operation { id }", atSecond(scene.api));
    await bulkRound(scene.server.deps, never);
    for (const runId of [one, other]) {
      await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 });
      await (await scene.claim(runId)).apply(1);
    }
    await scene.send("retryRun", { runId: one });
    await waitUntil(() => changesOf(stream).includes("REOPENED"));
    await mutate("discardChangeset", "DiscardChangeset", { changesetId: id }, "operation { id }");
    await waitUntil(() => changesOf(stream).includes("DISCARDED"));
    expect(changesOf(stream)).toEqual(["APPROVED", "APPLIED", "REOPENED", "DISCARDED"]);
    const table = (await feedOf(id)).slice(from);
    const sent = streamOf(stream).slice(1);
    expect(sent.map((item) => item.change ?? `${item.run.id} ${item.version}`)).toEqual(
      table.slice(0, sent.length).map((row) => row.change ?? `${row.run_id} ${row.version}`),
    );
    const ready = sent.filter(({ __typename }) => __typename === "PlanReady");
    expect(ready.map(({ run }) => run.changeset.planDigest)).toContain(changeset.planDigest);
    expect(sent.find(({ change }) => change === "APPROVED")).toMatchObject({
      gate: "PLAN",
      changesetId: id,
      actor: { id: expect.stringMatching(/^usr_/) },
    });
    expect(sent.find(({ change }) => change === "APPLIED")).toMatchObject({
      gate: null,
      actor: { id: SYSTEM_ACTOR_ID },
    });
    expect(sent.map(({ cursor }) => cursor)).toEqual([...new Set(sent.map(({ cursor }) => cursor))]);
  });

  it("shows what is held back, and that it continues", async () => {
    const workspaceIds = [await scene.createWorkspace(), await scene.createWorkspace()];
    const everything = follow(scene.api, organizationId, ALL);
    await waitUntil(() => everything.items.length === 1);
    const { deps } = scene.server;
    const { id } = await deps.database.transaction((tx) =>
      openChangeset(tx, deps, {
        organizationId,
        source: "PUSH",
        title: "Merge",
        commit: null,
        kind: "PLAN",
        trigger: "PUSH",
        members: workspaceIds.map((workspaceId) => ({ workspaceId })),
        createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
        holdAbove: 1,
      }),
    );
    const stream = follow(scene.api, id);
    await waitUntil(() => stream.items.length === 1);
    await mutate("continueChangeset", "ContinueChangeset", { changesetId: id }, "changeset { id }");
    // Nothing changes any more.
    await mutate("continueChangeset", "ContinueChangeset", { changesetId: id }, "changeset { id }");
    await changesetRound(deps, never);
    await waitUntil(() => runsOf(stream).length === 2);
    expect(changesOf(stream)).toEqual(["CONTINUED"]);
    await waitUntil(() => streamOf(everything).some(({ change }) => change === "CONTINUED"));
    const mine = streamOf(everything).filter(({ changesetId }) => changesetId === id);
    expect(mine.map(({ change }) => change)).toEqual(["CREATED", "HELD", "CONTINUED"]);
  });

  it("tells that runs could not be created, once for those of a batch", async () => {
    const workspaceIds = [await scene.createWorkspace(), await scene.createWorkspace(), await scene.createWorkspace()];
    const input = { organizationId, title: "one", workspaceIds };
    const { changeset } = await mutate("createChangeset", "CreateChangeset", input, "changeset { id }");
    const stream = follow(scene.api, changeset.id);
    await waitUntil(() => stream.items.length === 1);
    for (const lost of workspaceIds.slice(1)) {
      await scene.rows(`update workspace set source = '{"type": "directory", "path": "/nowhere"}' where id = $1`, lost);
    }
    await changesetRound(scene.server.deps, never);
    await waitUntil(() => changesOf(stream).length > 0 && runsOf(stream).length > 0);
    expect(changesOf(stream)).toEqual(["RUN_NOT_CREATED"]);
  });

  it("misses nothing between its first item and a query that follows", async () => {
    const { id, workspaceIds } = await create(4);
    const runs = await Promise.all(workspaceIds.map((workspaceId) => runIn(id, workspaceId)));
    const planning = Promise.all(runs.map(async (runId) => (await scene.claim(runId)).plan({ hasChanges: false })));
    const stream = follow(atSecond(scene.api), id);
    await waitUntil(() => stream.items.length > 0);
    const query = `query ($id: ID!) { changeset(id: $id) { runs(first: 10) { edges { node { id status version } } } } }`;
    const { changeset } = await scene.api.ask(query, { id });
    await planning;
    const ended = await scene.rows("select id, status, version from run where changeset_id = $1 order by id", id);
    const known = new Map<string, Data>(changeset.runs.edges.map(({ node }: Data) => [node.id, node]));
    const isCaughtUp = () => {
      for (const { run, version, to } of streamOf(stream).filter((item) => item.run !== undefined)) {
        const before = known.get(run.id);
        if ((before?.version ?? 0) < version) known.set(run.id, { id: run.id, version, status: to ?? before?.status });
      }
      return ended.every((row) => known.get(row["id"])?.version === row["version"]);
    };
    await waitUntil(isCaughtUp);
    expect(ended.map((row) => known.get(row["id"])?.status)).toEqual(ended.map((row) => row["status"]));
  });
});

describe("a reader of some of the runs", () => {
  it("gets their events and what concerns them, and nothing of the others", async () => {
    const { id, workspaceIds } = await create(2);
    const [seen = "", hidden = ""] = workspaceIds;
    const [mine, other] = [await runIn(id, seen), await runIn(id, hidden)];
    const partial = follow((await reader(seen)).api, id);
    const whole = follow((await reader(seen, hidden)).api, id);
    await waitUntil(() => partial.items.length === 1 && whole.items.length === 1);
    for (const runId of [mine, other]) await (await scene.claim(runId)).plan();
    await scene.send("approveRun", { runId: mine, gate: "PLAN", planVersion: 1 });
    const { changeset } = await scene.api.ask("query ($id: ID!) { changeset(id: $id) { version planDigest } }", { id });
    // Of the hidden one alone.
    await mutate(
      "approveChangeset",
      "ApproveChangeset",
      { changesetId: id, gate: "PLAN", ...changeset },
      "operation { id }",
    );
    await bulkRound(scene.server.deps, never);
    await scene.send("approveRun", { runId: mine, gate: "APPLY", planVersion: 1 });
    await (await scene.claim(mine)).apply(1);
    await scene.send("approveRun", { runId: other, gate: "APPLY", planVersion: 1 });
    await (await scene.claim(other)).apply(1);
    await waitUntil(() => changesOf(whole).includes("APPLIED"));
    // Shown to both, behind all that one of them may not see.
    await mutate("discardChangeset", "DiscardChangeset", { changesetId: id }, "operation { id }");
    await waitUntil(() => changesOf(partial).length > 0);
    expect(runsOf(partial)).toEqual([mine]);
    expect(changesOf(partial)).toEqual(["DISCARDED"]);
    expect(changesOf(whole).slice(0, 2)).toEqual(["APPROVED", "APPLIED"]);
    const last = streamOf(partial).findLast(({ to }) => to !== undefined);
    expect(last.run.changeset.version).toBe(3);
  });

  it("gets nothing of workspaces that were moved away from it, or deleted", async () => {
    const { id, workspaceIds } = await create(2, { kind: "PLAN" });
    const [kept = "", gone = ""] = workspaceIds;
    const person = await reader(kept, gone);
    const stream = follow(person.api, id);
    await waitUntil(() => stream.items.length === 1);
    const cursor = streamOf(stream)[0].cursor;
    await (await scene.claim(await runIn(id, gone))).plan();
    await scene.send("deleteWorkspace", { workspaceId: gone, force: true });
    await stream.stop();
    await (await scene.claim(await runIn(id, kept))).plan();
    const resumed = follow(atSecond(person.api), id, STREAM, cursor);
    await waitUntil(() => streamOf(resumed).some(({ to }) => to === "FINISHED"));
    expect(runsOf(resumed)).toEqual([await runIn(id, kept)]);
  });
});

describe("a cursor", () => {
  it("that is older than what is kept, or of another changeset, is answered by CursorExpired", async () => {
    const { id } = await create(1);
    const { id: otherId } = await create(1);
    const stream = follow(scene.api, id);
    await waitUntil(() => stream.items.length === 1);
    const { cursor } = streamOf(stream)[0];
    const foreign = follow(scene.api, otherId, STREAM, cursor);
    await waitUntil(() => foreign.isOver);
    expect(streamOf(foreign)).toMatchObject([{ __typename: "CursorExpired" }]);
    await mutate("discardChangeset", "DiscardChangeset", { changesetId: id }, "operation { id }");
    await waitUntil(() => changesOf(stream).includes("DISCARDED"));
    const days = (count: number | null) => scene.rows("update organization set event_days = $1", count);
    await days(1);
    await retentionRound(
      { ...scene.server.deps, clock: () => new Date(scene.server.deps.clock().getTime() + 3 * 86_400_000) },
      () => undefined,
    );
    await days(null);
    expect(await scene.rows("select 1 from changeset_event")).toEqual([]);
    const late = follow(scene.api, id, STREAM, cursor);
    await waitUntil(() => late.isOver);
    expect(streamOf(late)).toMatchObject([{ __typename: "CursorExpired" }]);
  });
});

describe("readers of two servers whose sockets are cut at random", () => {
  it("have the feed of the changeset, each in its order, nothing lost and nothing twice", async () => {
    const { id, workspaceIds } = await create(3, { kind: "PLAN" });
    const runs = await Promise.all(workspaceIds.map((workspaceId) => runIn(id, workspaceId)));
    const script = fc.record({
      writes: fc.array(fc.record({ which: fc.nat(3), onSecond: fc.boolean() }), { minLength: 5, maxLength: 15 }),
      readers: fc.array(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }), { minLength: 2, maxLength: 3 }),
    });
    const comment = (runId: string, onSecond: boolean): Promise<Data> =>
      scene.send("commentOnRun", { runId, text: "Look at this." }, onSecond ? atSecond(scene.api) : scene.api);
    await fc.assert(
      fc.asyncProperty(script, async ({ writes, readers }) => {
        const start = (await feedOf(id)).length;
        const followers = readers.map((cuts) => ({ cuts, follower: new Follower("changesetEvents", id) }));
        let last = Number.POSITIVE_INFINITY;
        const isOver = ({ items }: Follower): boolean =>
          items.filter((item) => item.change !== undefined || item.run !== undefined).length >= last;
        const reading = followers.map(async ({ cuts, follower }, index) => {
          for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
            const connection = follower.connect(index % 2 === 0 ? scene.api : atSecond(scene.api), cut);
            await Promise.race([connection, follower.until(() => isOver(follower))]);
            if (isOver(follower)) await follower.leave();
            await connection;
            if (isOver(follower)) return;
          }
        });
        await Promise.all(followers.map(({ follower }) => follower.until(() => true)));
        await Promise.all(
          writes.map(({ which, onSecond }) => {
            const runId = runs[which];
            if (runId !== undefined) return comment(runId, onSecond);
            return mutate("discardChangeset", "DiscardChangeset", { changesetId: id }, "operation { id }");
          }),
        );
        last = (await feedOf(id)).length - start + 1;
        await comment(runs[0] ?? "", true);
        await Promise.all(reading);
        const table = (await feedOf(id)).slice(start).map((row) => row.change ?? `${row.run_id} ${row.version}`);
        for (const { follower } of followers) {
          const sent = follower.items.flatMap(
            ({ change, run, version }) => change ?? (run ? `${run.id} ${version}` : []),
          );
          expect(sent).toEqual(table);
        }
      }),
      { numRuns: 3 },
    );
  });
});
