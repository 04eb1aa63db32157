import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listLogMatches, type LogMatches } from "../../src/persistence/log/log-match-store.ts";
import { appendLog, findLogExtents } from "../../src/persistence/log/log-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

const ALL = 1024 ** 3;
let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

/** A run with these batches of lines, each a phase and attempt of its own word. */
async function logOf(batches: readonly (readonly string[])[]): Promise<string> {
  const { id } = await stores.addRun(await stores.addWorkspace());
  let firstLine = 1;
  for (const texts of batches) {
    const lines = texts.map((text) => ({ at: AT, text }));
    const batch = { phase: "PLAN", attempt: 1, firstLine, lines } as const;
    expect(await stores.database.transaction((tx) => appendLog(tx, id, batch, AT))).toMatchObject({ ok: true });
    firstLine += texts.length;
  }
  return id;
}

function find(runId: string, text: string, more: { after?: number; limit?: number; maxBytes?: number } = {}) {
  return listLogMatches(stores.database, { runId, text, after: 0, limit: 100, maxBytes: ALL, ...more });
}
const numbers = ({ items }: LogMatches): number[] => items.map(({ line }) => line.number);

/** Pages of a search until there is none left. */
async function findAll(runId: string, text: string, limit: number, maxBytes: number) {
  const found: number[] = [];
  let pages = 0;
  for (let after = 0; ; pages += 1) {
    const page = await find(runId, text, { after, limit, maxBytes });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    expect(page.searchedTo).toBeGreaterThanOrEqual(after);
    found.push(...numbers(page));
    if (!page.hasNextPage) return { found, pages: pages + 1 };
    expect(page.searchedTo).toBeGreaterThan(after);
    after = page.searchedTo;
  }
}

test("a text is found literally, without regard to case, in the text of lines alone", async () => {
  const runId = await logOf([
    ["a.c", "ABC", "100%", "x_y", String.raw`C:\tmp`],
    ["tab\there", "Straße ÄRGER", "plain"],
  ]);
  expect(numbers(await find(runId, "a.C"))).toEqual([1]);
  expect(numbers(await find(runId, "abc"))).toEqual([2]);
  expect(numbers(await find(runId, "%"))).toEqual([3]);
  expect(numbers(await find(runId, "_"))).toEqual([4]);
  expect(numbers(await find(runId, "\\"))).toEqual([5]);
  expect(numbers(await find(runId, "\t"))).toEqual([6]);
  expect(numbers(await find(runId, "ärger"))).toEqual([7]);
  // The instant before each stored line is no part of its text.
  expect(numbers(await find(runId, String(Date.parse(AT))))).toEqual([]);
  expect(numbers(await find(runId, String(Date.parse(AT)).slice(-3)))).toEqual([]);
});

test("a match shows its places, and no more of them than fit", async () => {
  const runId = await logOf([["ab 🟢 AB aB"], ["x".repeat(1000)]]);
  const [match] = (await find(runId, "ab")).items;
  expect(match?.spans.map(({ from, to }) => match.line.text.slice(from, to))).toEqual(["ab", "AB", "aB"]);
  expect((await find(runId, "X")).items[0]?.spans).toHaveLength(100);
});

test("pages by matches and by bytes together have each line once", async () => {
  const word = fc.constantFrom("yes", "no", "YES and yes", "n");
  const log = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      log,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 60 }),
      async (batches, limit, bytes) => {
        const runId = await logOf(batches);
        const expected = batches.flat().flatMap((text, index) => (/yes/i.test(text) ? [index + 1] : []));
        expect((await findAll(runId, "Yes", limit, bytes)).found).toEqual(expected);
      },
    ),
    { numRuns: 15 },
  );
});

test("a search stops at its budget, without a match, and says how far it came", async () => {
  const runId = await logOf(Array.from({ length: 40 }, (_, index) => [index === 39 ? "needle" : "x".repeat(99)]));
  const page = await find(runId, "needle", { maxBytes: 1000 });
  expect(page).toEqual({ items: [], searchedTo: 10, hasNextPage: true, hasPreviousPage: false });
  expect(await findAll(runId, "needle", 5, 1000)).toEqual({ found: [40], pages: 4 });
});

test("behind the end there is nothing, and a log that grows is searched on from there", async () => {
  const runId = await logOf([["needle"]]);
  expect(await find(runId, "needle", { after: 1 })).toMatchObject({ items: [], searchedTo: 1, hasNextPage: false });
  expect(await find(runId, "needle")).toMatchObject({ searchedTo: 1, hasNextPage: false });
  const lines = [{ at: AT, text: "Needle" }];
  await stores.database.transaction((tx) =>
    appendLog(tx, runId, { phase: "APPLY", attempt: 2, firstLine: 2, lines }, AT),
  );
  expect(numbers(await find(runId, "needle", { after: 1 }))).toEqual([2]);
  const [extent, none] = await findLogExtents(stores.database, [runId, "run_none"]);
  expect(extent).toMatchObject({ lineCount: 2 });
  expect([extent?.rangeOf("PLAN", 1), extent?.rangeOf("APPLY", 2), extent?.rangeOf("APPLY", 1)]).toEqual([
    [1, 1],
    [2, 2],
    null,
  ]);
  expect(none?.lineCount).toBe(0);
});
