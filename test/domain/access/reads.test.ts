/** Reads of rows that the test makes up: which statements they take, and at which place their values are checked. */
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { queryLists, queryOrNull, queryPlacedLists } from "../../../src/domain/access/query.ts";
import { batched, createReads, type Reads } from "../../../src/domain/access/reads.ts";
import type { Unchecked } from "../../../src/domain/access/unchecked.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { organizationPlace, type Place, workspacePlace } from "../../../src/model/people/place.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { fakeCaller, fakeRun } from "../../support/fake-domain.ts";
import { recordedDatabase } from "../../support/recorded-database.ts";
import { onWorkspace } from "../../support/rights.ts";

interface Row {
  id: string;
  workspaceId: string;
  related?: string;
}

const place = ({ workspaceId }: Pick<Row, "workspaceId">): Place =>
  workspacePlace({ id: workspaceId, organizationId: "org_1", projectId: "prj_1" });
/** May read what is in the workspace ws_1. */
const caller: ActorCaller = { ...fakeCaller, rights: rightsOf([onWorkspace("READER", "ws_1")]) };
/** The value; null: hidden; undefined: it does not exist. */
const seen = <Value>(found: Unchecked<Value> | null | undefined): Value | null | undefined =>
  found?.permit(caller, "RUN_READ");
const [HERE, THERE]: [Row, Row] = [
  { id: "run_1", workspaceId: "ws_1" },
  { id: "run_2", workspaceId: "ws_2" },
];
const PAGE = { hasNextPage: true, hasPreviousPage: false };

let reads: Reads;
let move: () => void;
let asked: string[];
beforeEach(() => {
  asked = [];
  const { database } = recordedDatabase();
  reads = createReads(database, { onMoved: (listener) => void (move = () => listener()) } as Parameters<
    typeof createReads
  >[1]);
});

/** A read that keeps what it was asked for. */
function reading<Value>(name: string, valueOf: (id: string) => Value) {
  return async (ids: readonly string[]): Promise<Value[]> => {
    asked.push(`${name} ${ids.join()}`);
    return ids.map(valueOf);
  };
}
const rowOf = (id: string): Row | null => [HERE, THERE].find((row) => row.id === id) ?? null;
const parents = () => reads.byId<Row>(reading("parents", rowOf), place);

describe("a read by id", () => {
  it("gives each row at its place, and null for one that does not exist", async () => {
    const found = await parents()(["run_1", "run_2", "run_3"]);
    expect(found.map(seen)).toEqual([HERE, null, undefined]);
  });

  it("of nothing takes no statement", async () => {
    expect(await parents()([])).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe("a read of what is below", () => {
  const below = (rowsOf?: (value: string[]) => { id: string }[]) =>
    reads.below(
      parents(),
      reading("children", (id) => [`${id} a`]),
      rowsOf,
    );

  it("gives each value at the place of its parent", async () => {
    const found = await below()(["run_1", "run_2", "run_3"]);
    expect(found.map(seen)).toEqual([["run_1 a"], null, undefined]);
    expect(asked).toEqual(["children run_1,run_2,run_3", "parents run_1,run_2,run_3"]);
  });

  it("waits for the parents, which may be slower", async () => {
    const slow = Promise.withResolvers<Row[]>();
    const found = reads.below(
      reads.byId<Row>(() => slow.promise, place),
      async () => ["x"],
    )(["run_1"]);
    // The children were read by then.
    await setImmediate();
    slow.resolve([HERE]);
    expect((await found).map(seen)).toEqual(["x"]);
  });

  it("asks only for parents whose place is not known", async () => {
    const read = below();
    await parents()(["run_1"]);
    asked.length = 0;
    expect((await read(["run_1"])).map(seen)).toEqual([["run_1 a"]]);
    expect(asked).toEqual(["children run_1"]);
    expect((await read(["run_2", "run_1"])).map(seen)).toEqual([null, ["run_1 a"]]);
    expect(asked.slice(1)).toEqual(["children run_2,run_1", "parents run_2"]);
  });

  it("asks for the parents again after something has moved", async () => {
    const read = below();
    await read(["run_1"]);
    move();
    asked.length = 0;
    await read(["run_1"]);
    expect(asked).toEqual(["children run_1", "parents run_1"]);
  });

  it("knows the places of its own rows, which have children themselves", async () => {
    await below(([first = ""]) => [{ id: first }])(["run_1"]);
    asked.length = 0;
    const found = await reads.below(
      parents(),
      reading("grandchildren", () => "x"),
    )(["run_1 a"]);
    expect([found.map(seen), asked]).toEqual([["x"], ["grandchildren run_1 a"]]);
  });

  it("of nothing takes no statement", async () => {
    expect(await below()([])).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("takes no place from before a move", async () => {
    const slow = Promise.withResolvers<Row[]>();
    const rows = reads.byId<Row>(() => slow.promise, place)(["run_1"]);
    move();
    slow.resolve([HERE]);
    await rows;
    await below()(["run_1"]);
    expect(asked).toEqual(["children run_1", "parents run_1"]);
  });
});

it("a related object has the place of the row", async () => {
  const row = { ...HERE, related: "run_7" };
  const read = (relatedIdOf: (one: Row) => string | null) =>
    reads.byId(async () => [row], place, relatedIdOf)(["run_1"]);
  await read(() => null);
  const below = reads.below(
    parents(),
    reading("children", () => "x"),
  );
  expect((await below(["run_7"])).map(seen)).toEqual([undefined]);
  await read(({ related }) => related ?? null);
  asked.length = 0;
  expect([(await below(["run_7"])).map(seen), asked]).toEqual([["x"], ["children run_7"]]);
});

it("each row of a list, of rows, and of a page has a place of its own", async () => {
  const rows = [HERE, THERE];
  const lists = reads.lists<Row>(async () => [rows, []], place);
  expect((await lists(["a", "b"])).map((list) => list.map(seen))).toEqual([[HERE, null], []]);
  expect(await lists([])).toEqual([]);
  expect((await reads.rows(async () => rows, place)).map(seen)).toEqual([HERE, null]);
  const page = await reads.page(async () => ({ items: rows, ...PAGE }), place);
  expect({ ...page, items: page.items.map(seen) }).toEqual({ items: [HERE, null], ...PAGE });
});

it.each<[string, () => Promise<unknown>]>([
  ["a list", () => reads.lists(async () => [[HERE]], place)(["a"])],
  ["rows", () => reads.rows(async () => [HERE], place)],
  ["a page", () => reads.page(async () => ({ items: [HERE], ...PAGE }), place)],
  ["one row", () => reads.row(async () => HERE, place)],
])("the place of %s is known afterwards", async (_what, read) => {
  await read();
  await reads.below(
    parents(),
    reading("children", () => "x"),
  )(["run_1"]);
  expect(asked).toEqual(["children run_1"]);
});

it("one row may not exist", async () => {
  expect(await reads.row<Row>(async () => null, place)).toBeNull();
  expect(seen(await reads.row(async () => HERE, place))).toBe(HERE);
});

describe("a page below a parent", () => {
  const shared = { id: "rnr_2", ...organizationPlace({ id: "org_1" }) };
  /** Not all of a place, which is that of the parent then. */
  const parts = [
    { id: "evt_2", organizationId: "org_2", projectId: "prj_2" },
    { id: "evt_3", workspaceId: "ws_2" },
    { id: "evt_4", projectId: "prj_2", workspaceId: "ws_2" },
  ];
  const items = [{ id: "evt_1" }, ...parts, { position: 7 }, { id: 7 }, shared];
  const page = (parentId: string) => reads.pageBelow<object>(parents(), parentId, async () => ({ items, ...PAGE }));

  it("is checked at the place of the parent, which is asked for if it is not known", async () => {
    expect(seen(await page("run_1"))).toEqual({ items, ...PAGE });
    expect(seen(await page("run_2"))).toBeNull();
    expect(asked).toEqual(["parents run_1", "parents run_2"]);
    await page("run_1");
    expect(asked).toHaveLength(2);
  });

  it("is null where there is no such parent", async () => {
    expect(await page("run_3")).toBeNull();
  });

  it("has rows whose places are known afterwards, their own if they have one", async () => {
    await page("run_1");
    asked.length = 0;
    const found = await reads.below(
      parents(),
      reading("children", (id) => id),
    )(["evt_1", "evt_2", "evt_3", "evt_4", "rnr_2"]);
    expect(found.map(seen)).toEqual(["evt_1", "evt_2", "evt_3", "evt_4", null]);
    expect(asked).toEqual(["children evt_1,evt_2,evt_3,evt_4,rnr_2"]);
  });
});

it("what is about runs is checked at their places", async () => {
  const runs = [fakeRun(1, { workspaceId: "ws_1" }), fakeRun(2, { workspaceId: "ws_2" })];
  const inDefault = runs.map((run) => ({ ...run, organizationId: "org_1", projectId: "prj_1" }));
  const read = reads.ofRuns(async (of) => [...of.map(({ number }) => number), 3]);
  const found = await read(inDefault);
  expect(found.map(seen)).toEqual([1, null]);
  const never = reads.ofRuns<number>(() => expect.fail("There is nothing to read."));
  expect(await never([])).toEqual([]);
});

it("concurrent reads share a statement", async () => {
  const { database } = recordedDatabase();
  const sent: string[][] = [];
  const read = batched(database, async (reader, keys) => {
    expect(reader).toBe(database);
    sent.push([...keys]);
    return keys.map((key) => `of ${key}`);
  });
  expect(await Promise.all([read(["a"]), read(["b"])])).toEqual([["of a"], ["of b"]]);
  expect(sent).toEqual([["a", "b"]]);
});

describe("a query", () => {
  it("gives null or nothing for what may not be seen, and asks for its permission", async () => {
    const both = reads.byId<Row>(reading("rows", rowOf), place);
    expect(await queryOrNull("RUN_READ", both)(caller, ["run_1", "run_2", "run_3"])).toEqual([HERE, null, null]);
    expect(await queryOrNull("RUN_CANCEL", both)(caller, ["run_1"])).toEqual([null]);
    const children = reads.below(
      parents(),
      reading("children", (id) => [`${id} a`]),
    );
    expect(await queryLists("RUN_READ", children)(caller, ["run_1", "run_2", "run_3"])).toEqual([["run_1 a"], [], []]);
    expect(await queryLists("RUN_CANCEL", children)(caller, ["run_1"])).toEqual([[]]);
    const lists = reads.lists(async () => [[HERE, THERE], [THERE]], place);
    expect(await queryPlacedLists("RUN_READ", lists)(caller, ["a", "b"])).toEqual([[HERE], []]);
    expect(await queryPlacedLists("RUN_CANCEL", lists)(caller, ["a"])).toEqual([[], []]);
  });
});

it("organizations, workspaces and runs are read at their places", async () => {
  const rows: Record<string, object[]> = {};
  const { database, statements } = recordedDatabase(
    (sql) => Object.entries(rows).find(([name]) => sql.includes(`"${name}"`))?.[1] ?? [],
  );
  const real = createReads(database, { onMoved: () => undefined } as unknown as Parameters<typeof createReads>[1]);
  expect(await real.organizations(["org_1"])).toEqual([null]);
  expect(await real.workspaces(["ws_1"])).toEqual([null]);
  expect(await real.runs(["run_1"])).toEqual([null]);
  expect(await real.runSummaries(["run_1"])).toEqual([null]);
  expect(statements.map(({ parameters }) => parameters.flat())).toEqual([["org_1"], ["ws_1"], ["run_1"], ["run_1"]]);
});
