/** Feeds of two servers on one database, whichever bus carries their hints. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordWorkspaceChange } from "../../src/domain/lifecycle/record-workspace-change.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { findFeedHead } from "../../src/persistence/feed/feed-store.ts";
import type { Data } from "../support/api.ts";
import { openEventSource } from "../support/event-source.ts";
import { claim, type FakeJob } from "../support/fake-runner.ts";
import { Follower } from "../support/follower.ts";
import type { InProcess } from "../support/in-process.ts";
import { approve, createRun, createWorkspace, unlock } from "../support/run-steps.ts";
import { waitUntil } from "../support/eventually.ts";

let server: InProcess;
let second: InProcess;

const WORKSPACE = `subscription ($id: ID!, $after: String) { stream: workspaceEvents(workspaceId: $id, after: $after) {
  __typename ... on StreamItem { cursor }
  ... on WorkspaceSnapshot { workspace { name } }
  ... on WorkspaceChanged { fields actor { name } workspace { deploymentStatus lock { reason } currentRun { id } } }
  ... on RunEvent { version run { id } } ... on RunStatusChanged { to } } }`;

let names = 0;
async function addWorkspace(): Promise<string> {
  names += 1;
  const name = `feed-${names}`;
  return createWorkspace(server.api, name, await server.makeSource(name, { "main.tf": "" }));
}

async function claimed(): Promise<FakeJob> {
  const job = await claim(server.url, server.runnerToken);
  if (job === null) throw new Error("There is no work.");
  return job;
}

/** Takes a new run of the workspace to its end, each server doing a part of it. */
async function deploy(workspace: string): Promise<string> {
  const run = await createRun(server.api, workspace);
  await (await claimed()).plan();
  await approve(second.api, run, "PLAN");
  await approve(server.api, run, "APPLY");
  await (await claimed()).apply(1);
  return run;
}

async function eventsOf(run: string): Promise<{ version: number; __typename: string }[]> {
  const { run: found } = await server.api.ask(
    "query ($id: ID!) { run(id: $id) { events(first: 100) { edges { node { version __typename } } } } }",
    { id: run },
  );
  return found.events.edges.map(({ node }: Data) => node);
}

const isEnd = ({ fields }: Data): boolean => fields?.includes("end") === true;

function tell(workspace: string, field: string, on: InProcess = server): Promise<void> {
  const subject = { id: workspace, organizationId: DEFAULT_ORGANIZATION_ID };
  return on.deps.database.transaction((tx) => recordWorkspaceChange(tx, on.deps, subject, SYSTEM_ACTOR_ID, [field]));
}

/** `start` opens the first server; `stack` ends it. */
export function describeFeedStreams(bus: string, start: (stack: AsyncDisposableStack) => Promise<InProcess>): void {
  describe(`hints over ${bus}`, () => {
    beforeAll(async () => {
      server = await start(stack);
      second = stack.use(await server.second());
    });
    afterAll(async () => {
      await waitUntil(() => server.hub.size + second.hub.size === 0);
      expect([...server.reported, ...second.reported]).toEqual([]);
      await stack.disposeAsync();
    });
    const stack = new AsyncDisposableStack();

    describe("a stream of a workspace", () => {
      test("tells a whole change, and what it moved in the workspace", async () => {
        const workspace = await addWorkspace();
        const stream = server.api.subscribe(WORKSPACE, { id: workspace });
        const items: Data[] = [(await stream.next()).value.stream];
        expect(items[0]).toMatchObject({ __typename: "WorkspaceSnapshot", workspace: { name: `feed-${names}` } });
        const run = await deploy(workspace);
        await tell(workspace, "end");
        while (!isEnd(items.at(-1))) items.push((await stream.next()).value.stream);
        await stream.return?.();
        const events = await eventsOf(run);
        const ofRun = items.filter((item) => item.run?.id === run);
        expect(ofRun.map(({ version, __typename }) => ({ version, __typename }))).toEqual(events);
        const told = items.flatMap(({ to, fields }) => to ?? fields ?? []);
        expect(told).toEqual(expect.arrayContaining(["outputs", "READY", "FINISHED"]));
        const after = (status: string): Data => items[items.findIndex(({ to }) => to === status) + 1]?.fields;
        expect(after("READY")).toContain("currentRun");
        expect(after("AWAITING_PLAN_APPROVAL")).toEqual(["deploymentStatus"]);
        expect(after("CONFIRMED")).toEqual(["deploymentStatus"]);
        expect(after("FINISHED")).toEqual(["currentRun", "deploymentStatus"]);
        const last = items.findLast(({ fields }) => fields?.includes("deploymentStatus"));
        expect(last.workspace).toMatchObject({ deploymentStatus: "RUNNING", currentRun: null });
      });

      test("tells of locks, variables and the workspace itself", async () => {
        const all = new Follower("organizationEvents", DEFAULT_ORGANIZATION_ID);
        const following = all.connect(second.api);
        await all.until(({ __typename }) => __typename === "StreamCheckpoint");
        const workspace = await addWorkspace();
        await server.api.ask(
          `mutation ($id: ID!) { setVariable(input: { workspaceId: $id, key: "size", value: "1" }) { __typename } }`,
          { id: workspace },
        );
        await createRun(server.api, workspace);
        const planning = await claimed();
        await planning.plan();
        const run = planning.job.run.id;
        await approve(server.api, run, "PLAN");
        await approve(server.api, run, "APPLY");
        const applying = await claimed();
        await applying.message({ type: "prepared" });
        await applying.message({
          type: "failed",
          failure: { code: "STATE_NOT_SAVED", summary: "s", message: "m", evidence: [], stateUncertain: true },
        });
        await unlock(server.api, workspace, true);
        await tell(workspace, "end");
        await all.until(isEnd);
        await all.leave();
        await following;
        const told = all.items.flatMap(({ fields, workspace: subject }) => (subject?.id === workspace ? fields : []));
        expect(told.filter((field) => ["created", "variables", "lock", "end"].includes(field))).toEqual([
          "created",
          "variables",
          "lock",
          "lock",
          "end",
        ]);
      });

      test("tells of its end, and leaves out what cannot be read any more", async () => {
        const workspace = await addWorkspace();
        const query =
          "subscription ($id: ID!) { organizationEvents(organizationId: $id) { ... on StreamItem { cursor } } }";
        const all = server.api.subscribe(query, { id: DEFAULT_ORGANIZATION_ID });
        const { cursor } = (await all.next()).value.organizationEvents;
        await all.return?.();
        await deploy(workspace);
        await server.api.ask(
          `mutation ($id: ID!) { deleteWorkspace(input: { workspaceId: $id, force: true }) { __typename } }`,
          { id: workspace },
        );
        const resumed = new Follower("organizationEvents", DEFAULT_ORGANIZATION_ID);
        resumed.cursor = cursor;
        const following = resumed.connect(second.api);
        await resumed.until(({ fields }) => fields?.includes("deleted"));
        await resumed.leave();
        await following;
        expect(resumed.errors).toEqual([]);
        expect(new Set(resumed.items.map(({ __typename }) => __typename))).toEqual(new Set(["WorkspaceChanged"]));
        expect(resumed.items.at(-1)).toMatchObject({ fields: ["deleted"], workspace: { id: workspace } });
        const refused = new Follower("workspaceEvents", workspace);
        await refused.connect(server.api);
        expect(refused.errors).toMatchObject([{ extensions: { code: "NOT_FOUND" } }]);
      });

      test("can be resumed over server-sent events, and leaves nothing behind when it is closed", async () => {
        const workspace = await addWorkspace();
        const seen: Data[] = [];
        let after: string | null = null;
        for (const field of ["a", "b", "c", "end"]) {
          await using source = await openEventSource(server.api, WORKSPACE, { id: workspace, after });
          if (after === null) after = (await source.next()).data.stream.cursor;
          await tell(workspace, field, second);
          const { stream } = (await source.next()).data;
          // A stream that is resumed before anything happened says so first.
          const item = stream.__typename === "StreamCheckpoint" ? (await source.next()).data.stream : stream;
          seen.push(item.fields);
          after = item.cursor;
          await tell(workspace, `${field} while away`);
          await source[Symbol.asyncDispose]();
          await using back = await openEventSource(second.api, WORKSPACE, { id: workspace, after });
          const { cursor, fields } = (await back.next()).data.stream;
          seen.push(fields);
          after = cursor;
        }
        expect(seen.flat()).toEqual(["a", "b", "c", "end"].flatMap((field) => [field, `${field} while away`]));
        await waitUntil(() => server.hub.size + second.hub.size === 0);
      });

      test("says at once that a resumed reader missed nothing", async () => {
        const workspace = await addWorkspace();
        const first = server.api.subscribe(WORKSPACE, { id: workspace });
        const { cursor } = (await first.next()).value.stream;
        await first.return?.();
        const resumed = second.api.subscribe(WORKSPACE, { id: workspace, after: cursor });
        expect((await resumed.next()).value.stream).toEqual({
          __typename: "StreamCheckpoint",
          cursor: expect.stringMatching(/^[\w-]+$/),
        });
        await resumed.return?.();
      });
    });

    test("readers of two servers that are cut at random have the table, each in its order", async () => {
      const workspaces = await Promise.all([addWorkspace(), addWorkspace()]);
      const script = fc.record({
        writes: fc.array(fc.record({ which: fc.nat(1), onSecond: fc.boolean() }), { minLength: 5, maxLength: 25 }),
        readers: fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }), { minLength: 2, maxLength: 3 }),
      });
      await fc.assert(
        fc.asyncProperty(script, async ({ writes, readers }) => {
          const followers = readers.flatMap((cuts, index) => {
            const workspace = workspaces[index % 2] ?? "";
            return [
              { cuts, ends: 1, id: workspace, follower: new Follower("workspaceEvents", workspace) },
              { cuts, ends: 2, id: null, follower: new Follower("organizationEvents", DEFAULT_ORGANIZATION_ID) },
            ];
          });
          // What is there by now has a position.
          const start = (await findFeedHead(server.deps.database, DEFAULT_ORGANIZATION_ID))?.position ?? Number.NaN;
          const reading = followers.map(async ({ cuts, ends, follower }, index) => {
            const isOver = (): boolean => follower.items.filter(isEnd).length === ends;
            for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
              const api = index % 2 === 0 ? server.api : second.api;
              const connection = follower.connect(api, cut);
              await Promise.race([connection, follower.until(isOver)]);
              if (isOver()) await follower.leave();
              await connection;
              if (isOver()) return;
            }
          });
          await Promise.all(followers.map(({ follower }) => follower.until(() => true)));
          await Promise.all(
            writes.map(({ which, onSecond }, index) =>
              tell(workspaces[which] ?? "", `n${index}`, onSecond ? second : server),
            ),
          );
          for (const workspace of workspaces) await tell(workspace, "end");
          await Promise.all(reading);
          const table = await server.deps.database.sql
            .selectFrom("feed_entry")
            .innerJoin("workspace_event", "workspace_event.id", "feed_entry.workspace_event_id")
            .select(["feed_entry.workspace_id", "fields"])
            .where("position", ">", start)
            .orderBy("position")
            .execute();
          for (const { id, follower } of followers) {
            const own = table.filter((row) => id === null || row.workspace_id === id);
            expect(follower.items.flatMap(({ fields }) => fields ?? [])).toEqual(own.flatMap(({ fields }) => fields));
          }
        }),
        { numRuns: 6 },
      );
    });
  });
}
