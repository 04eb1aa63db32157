/**
 * Each subscription for each caller: it opens for those whom the oracle lets see its subject, and ends for all others as if
 * there were none. Cursors are places in streams and lists, and give no right.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCursor } from "../../src/graphql/kit/cursor.ts";
import { schema } from "../../src/graphql/server/schema.ts";
import type { Permission } from "../../src/model/people/permission-set.ts";
import { type Api, createApi, type Data } from "../support/api.ts";
import { openEventSource } from "../support/event-source.ts";
import { waitUntil } from "../support/eventually.ts";
import { createPrincipals, createRefused, DIFFERING, has, type Principal } from "./principals.ts";
import { absentOf, openWalkScene, type WalkScene, withoutIds } from "./walk-scene.ts";
import { createWorld, readPlaces, type World } from "./world.ts";

interface StreamLine {
  /** The kind of its subject, and the permission that shows it. */
  kind: "run" | "ws" | "cs" | "org";
  sight: Permission;
  document: string;
}

const stream = (kind: StreamLine["kind"], sight: Permission, field: string, item: string): StreamLine => ({
  kind,
  sight,
  document: `subscription ($id: ID!, $after: String) { stream: ${field}, after: $after) { __typename ... on ${item} { cursor } } }`,
});

/** Written apart from the resolvers. */
const STREAMS: Readonly<Record<string, StreamLine>> = {
  runEvents: stream("run", "RUN_READ", "runEvents(runId: $id", "RunSnapshot"),
  runLog: stream("run", "RUN_READ", "runLog(runId: $id", "LogBatch"),
  workspaceEvents: stream("ws", "WORKSPACE_READ", "workspaceEvents(workspaceId: $id", "WorkspaceSnapshot"),
  changesetEvents: stream("cs", "RUN_READ", "changesetEvents(changesetId: $id", "ChangesetSnapshot"),
  organizationEvents: stream("org", "ORGANIZATION_READ", "organizationEvents(organizationId: $id", "StreamCheckpoint"),
};

/** Streams without a subject, which show each caller its own. */
const OWN = ["inboxEvents"];

let walk: WalkScene;
let world: World;
let principals: Principal[];
/** A run with lines in each workspace, and a changeset over it alone. */
const runOf = new Map<string, string>();
const changesetOf = new Map<string, string>();
beforeAll(async () => {
  walk = await openWalkScene();
  world = await createWorld(walk);
  principals = await createPrincipals(walk, world, [], DIFFERING);
  world = { ...world, ...(await readPlaces(walk)) };
  for (const { id } of world.workspaces) {
    const [run] = await walk.scene.rows("select id from run where workspace_id = $1 order by number limit 1", id);
    runOf.set(id, run?.["id"]);
    const [member] = await walk.scene.rows(
      "select changeset_id as id from changeset_member where workspace_id = $1",
      id,
    );
    changesetOf.set(id, member?.["id"]);
  }
}, 300_000);
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

function subjectsOf({ kind }: StreamLine): string[] {
  if (kind === "org") return world.organizations.map(({ id }) => id);
  const of = { ws: new Map<string, string>(), run: runOf, cs: changesetOf }[kind];
  return world.workspaces.map(({ id }) => (kind === "ws" ? id : (of.get(id) ?? "")));
}

const isSeen = (principal: Principal, { sight }: StreamLine, id: string): boolean => {
  const place = world.places.get(id);
  return place !== undefined && has(principal, sight, place);
};

/** The same stream by server-sent events. */
async function firstOfEvents(api: Api, document: string, variables: Record<string, unknown>): Promise<Data> {
  const source = await openEventSource(api, document, variables).catch((error: unknown) => String(error));
  if (typeof source === "string") return { error: source };
  const item = await source.next();
  await source[Symbol.asyncDispose]();
  return item?.data?.stream ?? { error: item?.errors };
}

/** What comes first: an item, or the error by which the stream ends. */
async function firstOf(api: Api, document: string, variables: Record<string, unknown>): Promise<Data> {
  await using items = api.subscribe(document, variables);
  return await items.next().then(
    ({ value }: Data) => value?.stream ?? { isOver: true },
    // A socket that was closed has a code.
    (error: Data) => ({ error: error instanceof Error ? error.message : `${error.code} ${JSON.stringify(error)}` }),
  );
}

describe("a subscription", () => {
  it("has a line", () => {
    expect([...Object.keys(STREAMS), ...OWN].toSorted()).toEqual(
      Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).toSorted(),
    );
  });

  it("opens for whom the oracle lets see its subject", async () => {
    const failures: string[] = [];
    for (const principal of principals) {
      for (const [name, line] of Object.entries(STREAMS)) {
        for (const id of subjectsOf(line)) {
          const first = await firstOf(principal.api, line.document, { id });
          const isOpen = typeof first.__typename === "string";
          if (isOpen !== isSeen(principal, line, id))
            failures.push(`${principal.name}: ${name} ${JSON.stringify(first)}`);
          const event = await firstOfEvents(principal.api, line.document, { id });
          // Both ends are one to a client: an item, or an error.
          if ((typeof event.__typename === "string") !== isOpen)
            failures.push(`${principal.name}: ${name} by events ${JSON.stringify(event)}`);
        }
      }
    }
    expect(failures).toEqual([]);
  }, 120_000);

  it("of something hidden ends like one of what does not exist, after the same statements, with a cursor too", async () => {
    const failures: string[] = [];
    let asked = 0;
    for (const [name, line] of Object.entries(STREAMS)) {
      for (const id of subjectsOf(line)) {
        // Of a caller who sees it.
        const { cursor } = await firstOf(walk.scene.api, line.document, { id });
        // Streams that were open still read.
        await waitUntil(() => walk.scene.server.hub.size === 0);
        await walk.scene.api.ask("{ viewer { role } }");
        for (const principal of principals.filter((one) => !isSeen(one, line, id))) {
          for (const after of [null, cursor]) {
            const observe = async (of: string) => {
              let first: Data;
              const trace = await walk.traceOf(async () => {
                first = await firstOf(principal.api, line.document, { id: of, after });
              });
              return JSON.stringify([withoutIds(JSON.stringify(first)), trace.toSorted()]);
            };
            const [one, two] = [await observe(id), await observe(absentOf(id))];
            asked += 1;
            if (one !== two) failures.push(`${principal.name}: ${name} after ${after}: ${one} is not ${two}`);
          }
        }
      }
    }
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(50);
  }, 120_000);
});

describe("a credential that has ended, or never was", () => {
  it("opens no stream, by a socket or by events", async () => {
    for (const [name, token] of Object.entries(await createRefused(walk))) {
      for (const [stream, line] of Object.entries(STREAMS)) {
        const [id = ""] = subjectsOf(line);
        const api = { ...walk.scene.api, ...createApi(walk.scene.server.url, token) };
        expect((await firstOf(api, line.document, { id })).error, `${name}: ${stream}`).toContain("4401");
        expect((await firstOfEvents(api, line.document, { id })).error, `${name}: ${stream}`).toContain("401");
      }
      const api = { ...walk.scene.api, ...createApi(walk.scene.server.url, token) };
      const inbox = "subscription { stream: inboxEvents { __typename } }";
      expect((await firstOf(api, inbox, {})).error, name).toContain("4401");
    }
  });
});

describe("a cursor", () => {
  it("of a stream is as long whatever happened, and shows no position", async () => {
    const cursors: string[] = [];
    for (const name of ["workspaceEvents", "changesetEvents", "organizationEvents"]) {
      const line = STREAMS[name];
      if (line === undefined) throw new Error(`There is no ${name}.`);
      for (const id of subjectsOf(line)) {
        const { cursor } = await firstOf(walk.scene.api, line.document, { id });
        cursors.push(Buffer.from(cursor, "base64url").toString().replace(id, "ID"));
      }
    }
    const sealed = cursors.map((text) => JSON.parse(text).at(-1) as string);
    expect(new Set(sealed.map((text) => text.length)).size, sealed.join()).toBe(1);
    expect(new Set(sealed).size).toBe(sealed.length);
  });

  it("of another caller's list gives what the own list has behind that place, and nothing of the other's", async () => {
    const query = `query ($after: String!) { runs(first: 50, after: $after) {
      edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    const { runs } = await walk.scene.api.ask("{ runs(first: 50) { edges { cursor node { id } } } }");
    const failures: string[] = [];
    for (const { api, name, ...principal } of principals) {
      const own: string[] = (await api.ask("{ runs(first: 50) { edges { node { id } } } }")).runs.edges.map(
        ({ node }: Data) => node.id,
      );
      for (const { cursor, node } of runs.edges) {
        if (own.includes(node.id)) continue;
        const observe = async (after: string) => {
          let ids: string[] = [];
          const trace = await walk.traceOf(async () => {
            ids = (await api.ask(query, { after })).runs.edges.map((edge: Data) => edge.node.id);
          });
          return { ids, trace: trace.toSorted() };
        };
        const absentId = absentOf(node.id);
        const absent = writeCursor("runs", absentId);
        expect(absent.length).toBe(cursor.length);
        const [hidden, other] = [await observe(cursor), await observe(absent)];
        // Newest first: ids sort by time.
        expect(hidden.ids, name).toEqual(own.filter((id) => id < node.id));
        expect(other.ids, name).toEqual(own.filter((id) => id < absentId));
        if (hidden.trace.join() !== other.trace.join()) failures.push(`${name}: ${node.id}`);
        const place = world.places.get(node.id);
        if (place !== undefined && has({ api, name, ...principal }, "RUN_READ", place))
          failures.push(`${name} lacks one`);
      }
    }
    expect(failures).toEqual([]);
  }, 60_000);
});
