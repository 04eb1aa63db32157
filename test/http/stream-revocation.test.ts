/**
 * Rights are taken away at one server while streams are open at another one, which is not notified of it: nothing that was
 * committed afterwards is delivered there.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";
import { type Api, createApi, type Data } from "../support/api.ts";
import { openEventSource } from "../support/event-source.ts";
import { waitUntil } from "../support/eventually.ts";
import type { InProcess } from "../support/in-process.ts";
import { addPerson, type Person, watch, type Watcher } from "../support/watchers.ts";
import { walk } from "../support/walk.ts";

let scene: Scene;
let spot: Spot;
let second: InProcess;
let organizationId: string;
let otherProjectId: string;
let changesetId: string;
const watchers: Watcher[] = [];

beforeAll(async () => {
  scene = await openScene();
  spot = await reachInChangeset();
  second = await scene.server.second();
  const [row] = await scene.rows("select organization_id from run where id = $1", spot.runId);
  organizationId = String(row?.["organization_id"]);
  otherProjectId = scene.server.deps.newId("project");
  await scene.rows(
    "insert into project (id, organization_id, name, path, created_at) values ($1, $2, 'other', array[$1], now())",
    otherProjectId,
    organizationId,
  );
  // Hints about tokens and rights never come to the second server; those about changes do.
  const signal = second.hub.signal.bind(second.hub);
  second.hub.signal = (topic) => {
    if (!topic.startsWith("token:") && topic !== "rights") signal(topic);
  };
});
afterEach(async () => {
  await Promise.all(watchers.splice(0).map((one) => one.stop()));
  await waitUntil(() => second.hub.size === 0);
  expect([...scene.server.reported, ...second.reported]).toEqual([]);
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

/** A run of a changeset that is being planned. */
async function reachInChangeset(): Promise<Spot> {
  const workspaceId = await scene.createWorkspace();
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, title: "one", workspaceIds: [workspaceId] };
  const created = await scene.api.ask(
    "mutation ($input: CreateChangesetInput!) { createChangeset(input: $input) { ... on CreateChangesetSuccess { changeset { id } } } }",
    { input },
  );
  changesetId = created.createChangeset.changeset.id;
  await changesetRound(scene.server.deps, new AbortController().signal);
  const [run] = await scene.rows("select id from run where changeset_id = $1", changesetId);
  const job = await scene.claim(run?.["id"]);
  for (const type of ["prepared", "initialized"] as const) await job.message({ type });
  return { workspaceId, runId: run?.["id"], job };
}

const STREAMS = {
  runEvents: () => [
    "subscription ($id: ID!) { stream: runEvents(runId: $id) { __typename ... on RunSnapshot { run { version } } ... on RunEvent { version } } }",
    spot.runId,
  ],
  workspaceEvents: () => [
    "subscription ($id: ID!) { stream: workspaceEvents(workspaceId: $id) { __typename ... on RunEvent { version } } }",
    spot.workspaceId,
  ],
  changesetEvents: () => [
    "subscription ($id: ID!) { stream: changesetEvents(changesetId: $id) { __typename ... on RunEvent { version } } }",
    changesetId,
  ],
  organizationEvents: () => [
    "subscription ($id: ID!) { stream: organizationEvents(organizationId: $id) { __typename ... on RunEvent { version } } }",
    organizationId,
  ],
  runLog: () => [
    "subscription ($id: ID!) { stream: runLog(runId: $id) { ... on LogBatch { lines { text } } } }",
    spot.runId,
  ],
} as const satisfies Record<string, () => readonly [string, string]>;
type Stream = keyof typeof STREAMS;

const atSecond = ({ api }: Person): Api => createApi(second.url, api.token);

function open(stream: Stream, person: Person): Watcher {
  const [query, id] = STREAMS[stream]();
  const watcher = watch(atSecond(person), query, { id });
  watchers.push(watcher);
  return watcher;
}

let lines = 0;
/** Commits something that each of the streams shows, and gives the number that it has there. */
async function happen(): Promise<Record<Stream, number>> {
  await scene.send("commentOnRun", { runId: spot.runId, text: "Look at this." });
  lines += 1;
  await spot.job.log("PLAN", `line ${lines}`);
  const [row] = await scene.rows("select version from run where id = $1", spot.runId);
  const version = Number(row?.["version"]);
  const events = {
    runEvents: version,
    workspaceEvents: version,
    changesetEvents: version,
    organizationEvents: version,
  };
  return { ...events, runLog: lines };
}

/** The newest number that was sent: a version of the run, or a line. */
function newest({ items }: Watcher): number {
  const numbers = items.flatMap(({ stream }: Data): number[] => [
    stream.version ?? 0,
    ...(stream.lines ?? []).map(({ text }: Data) => Number(text.slice("line ".length))),
  ]);
  return Math.max(0, ...numbers);
}

const reader = (): Promise<Person> => addPerson(scene, organizationId, [["READER", spot.workspaceId]]);

/** The ways in which a reader loses the sight of the run, each with the code by which its socket is closed. */
const REVOCATIONS: Record<string, [code: number, revoke: (person: Person) => Promise<unknown>]> = {
  "its grant": [
    1013,
    ({ actorId }) =>
      scene.rows(
        "update access_grant set revoked_at = now(), revoked_by = $2 where principal_id = $1",
        actorId,
        SYSTEM_ACTOR_ID,
      ),
  ],
  "its token": [4403, ({ tokenId }) => scene.rows("update token set revoked_at = now() where id = $1", tokenId)],
  "itself, which is disabled": [
    4403,
    ({ actorId }) => scene.rows("update actor set disabled_at = now() where id = $1", actorId),
  ],
  "the reach of its token": [
    1013,
    ({ tokenId }) => scene.rows("update token set permissions = '{ORGANIZATION_READ}' where id = $1", tokenId),
  ],
};

describe.each(walk(Object.keys(STREAMS) as Stream[], 1))("%s at a server that gets no hint", (stream) => {
  it.each(walk(Object.entries(REVOCATIONS), 2))(
    "sends nothing that was committed after a reader lost %s",
    async (_what, [code, revoke]) => {
      const [loser, other] = [await reader(), await reader()];
      // Two of each, so that one source has readers of both.
      const [lost, kept] = [
        [open(stream, loser), open(stream, loser)],
        [open(stream, other), open(stream, other)],
      ];
      const all = [...lost, ...kept];
      const got = (some: readonly Watcher[], number: number) =>
        waitUntil(() => some.every((one) => newest(one) >= number));
      await waitUntil(() => all.every(({ items }) => stream === "runLog" || items.length > 0));
      await got(all, (await happen())[stream]);
      await waitUntil(() => second.hub.size === 1);
      const last = (await happen())[stream];
      await got(all, last);
      await revoke(loser);
      await got(kept, (await happen())[stream]);
      await waitUntil(() => lost.every((one) => one.code !== null));
      await got(kept, (await happen())[stream]);
      expect(lost.map((one) => one.code)).toEqual([code, code]);
      expect(lost.map(newest)).toEqual([last, last]);
      expect(kept.map((one) => one.code)).toEqual([null, null]);
    },
  );
});

describe("a stream of server-sent events at a server that gets no hint", () => {
  it.each(walk(Object.entries(REVOCATIONS), 2))(
    "breaks off before what was committed after its reader lost %s",
    async (_what, [, revoke]) => {
      const person = await reader();
      const [query, id] = STREAMS.runEvents();
      await using source = await openEventSource(atSecond(person), query, { id });
      expect(await source.next()).toMatchObject({ data: { stream: { __typename: "RunSnapshot" } } });
      await happen();
      expect(await source.next()).toMatchObject({ data: { stream: { __typename: "RunChanged" } } });
      await revoke(person);
      await happen();
      await expect(source.next()).rejects.toThrow();
    },
  );
});

describe("a stream whose readers' rights changed", () => {
  it("goes on without a reader less, where nothing was lost, and shows what was granted", async () => {
    const workspaceId = await scene.createWorkspace();
    const person = await reader();
    const watcher = open("organizationEvents", person);
    await waitUntil(() => watcher.items.length === 1);
    const lock = () => scene.send("lockWorkspace", { workspaceId });
    const seen = () => watcher.items.filter(({ stream }) => stream.__typename === "WorkspaceChanged").length;
    await lock();
    await happen();
    await waitUntil(() => watcher.items.length === 2);
    expect(seen()).toBe(0);
    await scene.rows(
      `insert into access_grant (id, organization_id, principal_id, role_id, scope_id, granted_by, created_at)
        select $1, organization_id, principal_id, role_id, $2, granted_by, created_at from access_grant where principal_id = $3`,
      scene.server.deps.newId("grant"),
      workspaceId,
      person.actorId,
    );
    await scene.send("unlockWorkspace", { workspaceId });
    await waitUntil(() => seen() === 1);
    expect(watcher.code).toBeNull();
  });

  it("ends where its run went to another project", async () => {
    const moved = await scene.reach("PLANNING");
    const person = await addPerson(scene, organizationId, [["READER", organizationId]]);
    const watcher = watch(atSecond(person), STREAMS.runEvents()[0], { id: moved.runId });
    watchers.push(watcher);
    await waitUntil(() => watcher.items.length === 1);
    await scene.rows("update workspace set project_id = $1 where id = $2", otherProjectId, moved.workspaceId);
    await scene.send("commentOnRun", { runId: moved.runId, text: "Look at this." });
    await waitUntil(() => watcher.code !== null);
    expect([watcher.code, watcher.items.length]).toEqual([1013, 1]);
  });
});

it("cursors are good at the other server, and say nothing about other workspaces", async () => {
  const person = await reader();
  const query = `subscription ($id: ID!, $after: String) { stream: workspaceEvents(workspaceId: $id, after: $after) {
    __typename ... on StreamItem { cursor } ... on RunEvent { version } } }`;
  const first = watch(person.api, query, { id: spot.workspaceId });
  watchers.push(first);
  await waitUntil(() => first.items.length === 1);
  const { cursor } = first.items[0].stream;
  await happen();
  await waitUntil(() => first.items.length === 2);
  const resumed = watch(atSecond(person), query, { id: spot.workspaceId, after: cursor });
  watchers.push(resumed);
  await waitUntil(() => resumed.items.length === 1);
  expect(resumed.items[0]).toEqual(first.items[1]);
  const epoch = await scene.rows("select epoch from feed_head where organization_id = $1", organizationId);
  expect(Buffer.from(cursor, "base64url").toString()).not.toContain(String(epoch[0]?.["epoch"]));
});
