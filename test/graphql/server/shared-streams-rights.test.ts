/** Readers of one stream with different rights: what each gets, and what happens when rights change. */
import { setImmediate } from "node:timers/promises";
import { type ExecutionResult, GraphQLError, parse } from "graphql";
import { describe, expect, it, vi } from "vitest";
import type { RowAccess, StreamPosition } from "../../../src/graphql/kit/stream-position.ts";
import { ReaderGroups } from "../../../src/graphql/server/reader-groups.ts";
import { schema } from "../../../src/graphql/server/schema.ts";
import { createSharedStreams } from "../../../src/graphql/server/shared-streams.ts";
import type { StreamReader } from "../../../src/graphql/server/stream-source.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import type { Place } from "../../../src/model/people/place.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { fakeCaller, fakeId } from "../../support/fake-domain.ts";
import { onWorkspace } from "../../support/rights.ts";

const query = `subscription ($id: ID!) { organizationEvents(organizationId: $id) {
  ... on RunEvent { run { workspace { viewerPermissions } } } } }`;
const request = { query, variables: { id: fakeId("org", 1) } };
const document = parse(query);
const EPOCH = "first";

const placeOf = (workspaceId: string): Place => ({
  organizationId: fakeId("org", 1),
  projectId: fakeId("prj", 1),
  workspaceId,
});
const at = (workspaceId: string): RowAccess => ({ permission: "RUN_READ", place: placeOf(workspaceId) });

interface Reader {
  credential: string;
  received: unknown[];
  ended: string;
  isReady: boolean;
}

/** Lets everything happen that can. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await setImmediate();
}

/** A caller with these grants, which were checked at a version. */
function caller(version: number, ...grants: Parameters<typeof onWorkspace>[]): ActorCaller {
  const rights = rightsOf(grants.map((grant) => onWorkspace(...grant)));
  return { ...fakeCaller, rights, accessVersion: { version, moves: 1 } };
}

/** An execution whose rows the test gives. */
class Execution {
  readonly start: StreamPosition["start"];
  readonly opener: ActorCaller;
  readonly position: StreamPosition;
  readonly executed: ActorCaller[] = [];
  returned = false;
  #asked: PromiseWithResolvers<IteratorResult<ExecutionResult>>[] = [];

  constructor(position: StreamPosition, opener: ActorCaller) {
    this.start = position.start;
    this.position = position;
    this.opener = opener;
  }

  next(): Promise<IteratorResult<ExecutionResult>> {
    const asked = Promise.withResolvers<IteratorResult<ExecutionResult>>();
    this.#asked.push(asked);
    return asked.promise;
  }

  async idle(position: number): Promise<void> {
    this.position.current = { epoch: EPOCH, position };
    this.position.onIdle();
    await settle();
  }

  /** Takes a row: finds who may see it. */
  take(position: number, access: RowAccess | null): readonly ActorCaller[] {
    this.position.current = { epoch: EPOCH, position };
    return this.position.audience(access);
  }

  /** Gives the result of a row for one of its callers. */
  async result(item: string): Promise<void> {
    const asked = this.#asked.shift() ?? expect.fail("Nothing was asked of the execution.");
    asked.resolve({ done: false, value: { data: { item } } });
    await settle();
  }

  /** Takes a row and gives its results: the text, with the number of the view. */
  async give(item: string, position: number, access: RowAccess | null): Promise<number> {
    const callers = this.take(position, access);
    this.executed.push(...callers);
    for (const [index] of callers.entries()) await this.result(`${item}/${index}`);
    return callers.length;
  }
}

function setup() {
  const executions: Execution[] = [];
  const failures: unknown[] = [];
  const refused: string[] = [];
  const asked: string[] = [];
  /** The callers of credentials, as they are now. */
  const now = new Map<string, ActorCaller | null | Promise<ActorCaller | null>>();
  let payloads = 0;
  const waiting: (() => void)[] = [];
  const streams = createSharedStreams<Reader, unknown>({
    schema,
    transport: {
      credentialOf: ({ credential }) => credential,
      refuse: ({ credential }, how) => void refused.push(`${credential} ${how}`),
      toPayload: ({ data }) => {
        payloads += 1;
        return data?.["item"];
      },
      isReady: ({ isReady }) => isReady,
      ready: ({ isReady }) => (isReady ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
      opened: () => undefined,
      next: ({ received }, payload) => received.push(payload),
      complete: (reader) => (reader.ended += "complete"),
      toError: (error) => {
        failures.push(error);
        return new GraphQLError(String(error));
      },
      fail: (reader) => (reader.ended += "failed"),
    },
    authenticate: async ({ credential }) => {
      asked.push(credential);
      return (await now.get(credential)) ?? null;
    },
    open: async ({ streamPosition, caller: opener }) => {
      if (streamPosition === undefined) return expect.fail("A stream has a position.");
      const execution = new Execution(streamPosition, opener);
      executions.push(execution);
      const items: AsyncIterableIterator<ExecutionResult> = {
        next: () => execution.next(),
        return: () => {
          execution.returned = true;
          return Promise.resolve({ done: true, value: undefined });
        },
        [Symbol.asyncIterator]: () => items,
      };
      return items;
    },
    runAs: (_facts, work) => work(),
  });
  const handles = new Map<Reader, StreamReader<Reader>>();
  return {
    streams,
    executions,
    failures,
    refused,
    asked,
    now,
    payloads: () => payloads,
    recover: (reader: Reader) => {
      reader.isReady = true;
      for (const wake of waiting.splice(0)) wake();
      return settle();
    },
    subscribe: async (credential: string, by: ActorCaller): Promise<Reader> => {
      const reader: Reader = { credential, received: [], ended: "", isReady: true };
      handles.set(reader, streams.subscribe({ request, document, caller: by }, reader));
      await settle();
      return reader;
    },
    leave: (reader: Reader): void => {
      const handle = handles.get(reader);
      if (handle !== undefined) streams.leave(handle);
    },
    execution: (index: number): Execution => executions[index] ?? expect.fail(`There is no execution ${index}.`),
  };
}

/** Readers of one source, which has given everything up to 1. */
async function shared(...callers: ActorCaller[]) {
  const scene = setup();
  const readers: Reader[] = [];
  for (const [index, by] of callers.entries()) {
    readers.push(await scene.subscribe(`c${index}`, by));
    await scene.execution(index).idle(1);
  }
  expect(scene.streams.sources).toBe(1);
  const [a, b, c] = readers;
  if (a === undefined || b === undefined) expect.fail("There are two readers.");
  return { ...scene, readers, a, b, c: c ?? b, source: scene.execution(0) };
}

describe("a row is executed", () => {
  it("once for all who have one view of it, and given to no one who may not see it", async () => {
    const { a, b, c, source, payloads } = await shared(
      caller(1, ["READER", "ws_1"]),
      caller(1, ["READER", "ws_1"], ["ADMIN", "ws_2"]),
      caller(1, ["READER", "ws_3"]),
    );
    expect(await source.give("first", 2, at("ws_1"))).toBe(1);
    expect([a.received, b.received, c.received]).toEqual([["first/0"], ["first/0"], []]);
    expect(await source.give("second", 3, at("ws_2"))).toBe(1);
    expect([a.received, b.received, c.received]).toEqual([["first/0"], ["first/0", "second/0"], []]);
    expect(payloads()).toBe(2);
    expect(source.executed.map(({ actor }) => actor.name)).toEqual(["anonymous", "anonymous"]);
  });

  it("once for each view, and each reader gets its own", async () => {
    const { a, b, c, source } = await shared(
      caller(1, ["READER", "ws_1"]),
      caller(1, ["ADMIN", "ws_1"]),
      caller(1, ["READER", "ws_1"], ["READER", "ws_2"]),
    );
    expect(await source.give("row", 2, at("ws_1"))).toBe(2);
    expect([a.received, b.received, c.received]).toEqual([["row/0"], ["row/1"], ["row/0"]]);
    const [reader, admin] = source.executed;
    expect(reader?.rights.workspaces.get("ws_1")).not.toEqual(admin?.rights.workspaces.get("ws_1"));
    // Nothing is sent before all views are there.
    source.take(3, at("ws_1"));
    await source.result("next/0");
    expect(a.received).toEqual(["row/0"]);
    await source.result("next/1");
    expect([a.received.at(-1), b.received.at(-1)]).toEqual(["next/0", "next/1"]);
  });

  it("once for all, where it shows nothing, by a caller without rights", async () => {
    const { a, b, source } = await shared(caller(1, ["READER", "ws_1"]), caller(1, ["READER", "ws_2"]));
    expect(await source.give("quiet", 2, null)).toBe(1);
    expect([a.received, b.received]).toEqual([["quiet/0"], ["quiet/0"]]);
    expect(source.executed[0]).toEqual({
      type: "actor",
      credential: "TOKEN",
      credentialId: "",
      actor: { id: "", kind: "SYSTEM", name: "anonymous" },
      rights: rightsOf([]),
      accessVersion: { version: 0, moves: 0 },
    });
  });

  it("for those who are readers then: the groups of those who left are forgotten, and of those who came known", async () => {
    const scene = await shared(caller(1, ["READER", "ws_1"]), caller(1, ["READER", "ws_2"]));
    const { a, b, source } = scene;
    expect(await source.give("one", 2, at("ws_2"))).toBe(1);
    scene.leave(b);
    expect(source.take(3, at("ws_2"))).toEqual([]);
    const late = await scene.subscribe("c2", caller(1, ["READER", "ws_3"]));
    await source.idle(3);
    await scene.execution(2).idle(3);
    expect(scene.streams.sources).toBe(1);
    expect(await source.give("two", 4, at("ws_3"))).toBe(1);
    expect([a.received, b.received, late.received]).toEqual([[], ["one/0"], ["two/0"]]);
  });

  it("and not shared, where the stream does not ask who may see it", async () => {
    const { a, b, source, failures, streams } = await shared(
      caller(1, ["READER", "ws_1"]),
      caller(1, ["READER", "ws_1"]),
    );
    await source.give("row", 2, at("ws_1"));
    source.position.current = { epoch: EPOCH, position: 3 };
    await source.result("unasked");
    expect([a.received, a.ended, b.ended]).toEqual([["row/0"], "failed", "failed"]);
    expect(failures).toEqual([new Error("A stream did not ask who may see its item.")]);
    expect(streams.sources).toBe(0);
  });

  it("for the readers that the source had when it was taken: one that comes during that stays alone", async () => {
    const scene = await shared(caller(1, ["READER", "ws_1"]), caller(1, ["READER", "ws_1"]));
    const { a, source } = scene;
    const late = await scene.subscribe("c2", caller(1, ["READER", "ws_2"]));
    source.take(2, at("ws_1"));
    // It has less than the row that is executed.
    await scene.execution(2).idle(1);
    expect(scene.streams.sources).toBe(2);
    await source.result("row");
    await source.idle(2);
    expect([a.received, late.received]).toEqual([["row"], []]);
    await scene.execution(2).idle(2);
    expect(scene.streams.sources).toBe(1);
    await source.give("next", 3, at("ws_2"));
    expect([a.received, late.received]).toEqual([["row"], ["next/0"]]);
  });
});

describe("the place of a subject", () => {
  it("is the one that was read last, for all executions of a subscription", async () => {
    const { source, execution } = await shared(caller(1, ["READER", "ws_1"]), caller(1, ["READER", "ws_1"]));
    expect(source.position.place).toBeNull();
    execution(1).position.place = placeOf("ws_1");
    expect(source.position.place).toEqual(placeOf("ws_1"));
  });
});

describe("a page with a newer version of rights", () => {
  const reads = (version: number) => caller(version, ["READER", "ws_1"]);

  it("is handed out after the readers were checked for it, those who were checked before alone", async () => {
    const { source, now, asked, a, b, c } = await shared(reads(1), reads(2), reads(3));
    now.set("c0", reads(2));
    expect(await source.position.admit(2)).toBe(true);
    expect(asked).toEqual(["c0"]);
    now.set("c0", reads(3));
    now.set("c1", reads(3));
    expect(await source.position.admit(3)).toBe(true);
    expect(asked).toEqual(["c0", "c0", "c1"]);
    await source.give("row", 2, at("ws_1"));
    expect([a, b, c].map(({ received }) => received)).toEqual([["row/0"], ["row/0"], ["row/0"]]);
    expect(await source.position.admit(3)).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it("is asked about once for a credential, and gives its readers what it is now", async () => {
    const { a, b, source, now, asked, subscribe, execution, leave } = await shared(reads(1), reads(1));
    const twin = await subscribe("c0", reads(1));
    await execution(2).idle(1);
    await source.give("before", 2, at("ws_1"));
    using left = vi.spyOn(ReaderGroups.prototype, "leave");
    const grown = caller(2, ["READER", "ws_1"], ["READER", "ws_2"]);
    now.set("c0", grown);
    now.set("c1", reads(2));
    expect(await source.position.admit(2)).toBe(true);
    expect(asked.toSorted()).toEqual(["c0", "c1"]);
    expect(await source.give("row", 3, at("ws_2"))).toBe(1);
    expect(a.received).toEqual(["before/0", "row/0"]);
    expect([b.received, twin.received]).toEqual([["before/0"], ["before/0", "row/0"]]);
    // Each left the group of its earlier rights, and a reader that leaves leaves its group.
    expect(left).toHaveBeenCalledTimes(3);
    leave(twin);
    expect(left).toHaveBeenCalledTimes(4);
  });

  it("is not handed out to one whose credential has ended, who lost a right, or whose things have moved", async () => {
    const moved = { ...reads(2), accessVersion: { version: 2, moves: 2 } };
    const scene = await shared(reads(1), reads(1), reads(1));
    const { a, b, c, source, now, refused, executions } = scene;
    const stays = await scene.subscribe("c3", reads(2));
    await scene.execution(3).idle(1);
    now.set("c0", null);
    now.set("c1", caller(2, ["READER", "ws_2"]));
    now.set("c2", moved);
    expect(await source.position.admit(2)).toBe(true);
    expect(refused.toSorted()).toEqual(["c0 ENDED", "c1 LESS_RIGHTS", "c2 LESS_RIGHTS"]);
    await source.give("row", 2, at("ws_1"));
    expect([a, b, c, stays].map(({ received }) => received)).toEqual([[], [], [], ["row/0"]]);
    // The transport closes their connections: nothing more is sent to them.
    expect([a, b, c].map(({ ended }) => ended)).toEqual(["", "", ""]);
    expect([executions.length, scene.streams.sources]).toEqual([4, 1]);
  });

  it("ends a source that has no reader left", async () => {
    const { source, now, streams, a } = await shared(reads(1), reads(1));
    for (const credential of ["c0", "c1"]) now.set(credential, null);
    expect(await source.position.admit(2)).toBe(false);
    expect([source.returned, streams.sources, a.received]).toEqual([true, 0, []]);
  });

  it("is not checked for one who leaves meanwhile", async () => {
    const { a, leave, source, now, refused } = await shared(reads(1), reads(2));
    const answer = Promise.withResolvers<ActorCaller | null>();
    now.set("c0", answer.promise);
    const admitted = source.position.admit(2);
    await settle();
    leave(a);
    answer.resolve(null);
    expect(await admitted).toBe(true);
    expect(refused).toEqual([]);
  });

  it("fails where the check fails", async () => {
    const { source, now } = await shared(reads(1), reads(1));
    now.set("c0", Promise.reject(new Error("The database is away.")));
    now.set("c1", reads(2));
    await expect(source.position.admit(2)).rejects.toThrow("The database is away.");
  });

  it("is not given to one that joined within it and was checked for an older one: it reads alone", async () => {
    const scene = await shared(reads(2), reads(2));
    const { a, source, asked } = scene;
    await source.position.admit(2);
    await source.give("one", 2, at("ws_1"));
    const late = await scene.subscribe("c2", reads(1));
    await scene.execution(2).idle(2);
    expect(scene.streams.sources).toBe(1);
    await source.give("two", 3, at("ws_1"));
    expect([a.received, late.received, asked]).toEqual([["one/0", "two/0"], [], []]);
    const alone = scene.execution(3);
    expect([alone.start, alone.opener.accessVersion.version]).toEqual([{ epoch: EPOCH, position: 2 }, 1]);
    scene.now.set("c2", reads(2));
    expect(await alone.position.admit(2)).toBe(true);
    expect(asked).toEqual(["c2"]);
    await alone.give("two", 3, at("ws_1"));
    expect([late.received, scene.streams.sources]).toEqual([["two/0"], 1]);
    await source.give("three", 4, at("ws_1"));
    expect(late.received).toEqual(["two/0", "three/0"]);
  });

  it("is read with the rights that were checked last, by one that resumes alone", async () => {
    const { a, b, source, now, execution, recover } = await shared(reads(1), reads(1));
    for (const credential of ["c0", "c1"]) now.set(credential, reads(2));
    await source.position.admit(2);
    a.isReady = false;
    await source.give("row", 2, at("ws_1"));
    expect([a.received, b.received]).toEqual([[], ["row/0"]]);
    await recover(a);
    expect([execution(2).start, execution(2).opener.accessVersion.version]).toEqual([{ epoch: EPOCH, position: 1 }, 2]);
  });
});
