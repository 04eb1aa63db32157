import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Data } from "../support/api.ts";
import { send } from "../support/send.ts";
import { openScene, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
let spot: Spot;

beforeAll(async () => {
  scene = await openScene(1000);
  spot = await scene.reach("PLANNING");
  await spot.job.log("INIT", "Initializing", "Done: 50%");
  await spot.job.log("PLAN", "Error: quota", "no ERROR here", "last");
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const LOG = `query ($id: ID!, $from: Int, $first: Int, $after: String, $last: Int) {
  run(id: $id) { log(from: $from, first: $first, after: $after, last: $last) {
    edges { cursor node { number text } } pageInfo { hasNextPage hasPreviousPage } } } }`;
const MATCHES = `query ($id: ID!, $text: String!, $first: Int, $after: String) {
  run(id: $id) { logMatches(text: $text, first: $first, after: $after) { searchedTo
    edges { cursor node { line { number phase } spans { from to } } } pageInfo { hasNextPage endCursor } } } }`;
const issuesOf = async (query: string, variables: object): Promise<unknown> =>
  (await scene.api.send(query, { id: spot.runId, ...variables })).errors?.[0]?.extensions?.["issues"];
const log = async (args: object): Promise<Data> => (await scene.api.ask(LOG, { id: spot.runId, ...args })).run.log;
const search = async (args: object): Promise<Data> =>
  (await scene.api.ask(MATCHES, { id: spot.runId, ...args })).run.logMatches;
const numbers = ({ edges }: Data): number[] => edges.map(({ node }: Data) => (node.line ?? node).number);

test("a run counts its lines, and a phase names its first and last one", async () => {
  const query = `query ($id: ID!) { run(id: $id) { logLineCount phases { kind firstLine lastLine } } }`;
  const { run } = await scene.api.ask(query, { id: spot.runId });
  expect(run.logLineCount).toBe(5);
  const byKind = new Map(run.phases.map(({ kind, ...lines }: Data) => [kind, lines]));
  expect(byKind.get("INIT")).toEqual({ firstLine: 1, lastLine: 2 });
  expect(byKind.get("PLAN")).toEqual({ firstLine: 3, lastLine: 5 });
  const silent = await scene.reach("READY");
  expect((await scene.api.ask(query, { id: silent.runId })).run.logLineCount).toBe(0);
});

test("lines are read from a number on, in whichever direction, and behind the end there are none", async () => {
  expect(numbers(await log({ from: 1, first: 2 }))).toEqual([1, 2]);
  const middle = await log({ from: 3, first: 2 });
  expect(numbers(middle)).toEqual([3, 4]);
  expect(middle.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: true });
  expect(numbers(await log({ from: 4, last: 10 }))).toEqual([4, 5]);
  expect(numbers(await log({ from: 6 }))).toEqual([]);
  expect(numbers(await log({ from: 2 ** 31 - 1 }))).toEqual([]);
  const [, second] = (await log({})).edges;
  expect(numbers(await log({ after: second.cursor }))).toEqual([3, 4, 5]);
  expect(await issuesOf(LOG, { from: 0 })).toEqual([{ path: ["from"], message: "Must be 1 or more." }]);
  expect(await issuesOf(LOG, { from: -5 })).toMatchObject([{ path: ["from"] }]);
  expect(await issuesOf(LOG, { from: 2, after: second.cursor })).toMatchObject([{ path: ["from"] }]);
});

describe("colors of a line", () => {
  const at = "2026-11-20T16:07:25.447Z";
  const red = { from: 0, to: 4, color: "RED", bold: true } as const;
  const bold = { from: 5, to: 7, color: null, bold: true } as const;

  test("are beside its text in the log, in its stream and in its export, and a repeated post is stored once", async () => {
    const colored = await scene.reach("PLANNING");
    const lines = [
      { at, text: "fail at once", spans: [red, bold] },
      { at, text: "plain" },
    ];
    const post = { phase: "PLAN", firstLine: 1, lines };
    expect((await colored.job.sendLog(post)).status).toBe(200);
    expect((await colored.job.sendLog(post)).body).toMatchObject({ nextLine: 3 });
    const fields = "text spans { from to color bold }";
    const shown = [
      { text: "fail at once", spans: [red, bold] },
      { text: "plain", spans: [] },
    ];
    const { run } = await scene.api.ask(
      `query ($id: ID!) { run(id: $id) { log { edges { node { ${fields} } } } logMatches(text: "fail at") { edges { node { line { ${fields} } } } } } }`,
      { id: colored.runId },
    );
    expect(run.log.edges.map(({ node }: Data) => node)).toEqual(shown);
    expect(run.logMatches.edges.map(({ node }: Data) => node.line)).toEqual(shown.slice(0, 1));
    await using items = scene.api.subscribe(
      `subscription ($id: ID!) { runLog(runId: $id) { ... on LogBatch { lines { ${fields} } } } }`,
      { id: colored.runId },
    );
    expect((await items.next()).value).toEqual({ runLog: { lines: shown } });
    const file = async (query: string): Promise<string> => {
      const headers = { authorization: `Bearer ${scene.api.token}` };
      return (await send(`${scene.server.url}/runs/${colored.runId}/log${query}`, { method: "GET", headers })).text;
    };
    expect(await file("")).toBe("fail at once\nplain\n");
    const objects = (await file("?format=jsonl")).trimEnd().split("\n");
    expect(objects.map((object) => JSON.parse(object).spans)).toEqual([[red, bold], undefined]);
  });

  test("behind its end are refused", async () => {
    const { job } = await scene.reach("PLANNING");
    const lines = [{ at, text: "fai", spans: [red] }];
    expect(await job.sendLog({ phase: "PLAN", firstLine: 1, lines })).toMatchObject({
      status: 400,
      body: { code: "MALFORMED", message: "The body line 1 must not have a color behind its end." },
    });
  });
});

test("a phase reads its log from a number of the run's log on", async () => {
  const query = `query ($id: ID!) { run(id: $id) { phases { kind log(from: 4) { edges { node { number } } } } } }`;
  const { phases } = (await scene.api.ask(query, { id: spot.runId })).run;
  const byKind = Object.fromEntries(phases.map(({ kind, log: lines }: Data) => [kind, numbers(lines)]));
  expect(byKind).toMatchObject({ INIT: [], PLAN: [4, 5] });
});

test("a text is found in all phases, page by page", async () => {
  const first = await search({ text: "error", first: 1 });
  expect(first).toMatchObject({
    searchedTo: 3,
    edges: [{ node: { line: { number: 3, phase: "PLAN" }, spans: [{ from: 0, to: 5 }] } }],
    pageInfo: { hasNextPage: true },
  });
  const second = await search({ text: "error", first: 5, after: first.pageInfo.endCursor });
  expect(numbers(second)).toEqual([4]);
  // The end of the search, not the last match: the lines behind it need not be searched again.
  expect(second).toMatchObject({ searchedTo: 5, pageInfo: { hasNextPage: false } });
  expect(numbers(await search({ text: "error", after: second.pageInfo.endCursor }))).toEqual([]);
  expect(numbers(await search({ text: "0%" }))).toEqual([2]);
  expect(numbers(await search({ text: "_" }))).toEqual([]);
  expect(numbers(await search({ text: "error", first: 0 }))).toEqual([]);
  const [line] = (await log({ first: 3 })).edges.slice(-1);
  expect(numbers(await search({ text: "error", after: line.cursor }))).toEqual([4]);
});

test("what cannot be searched for is refused by its name", async () => {
  for (const text of ["", "a".repeat(201), "two\nlines", "\0", "\ud800"]) {
    expect(await issuesOf(MATCHES, { text })).toEqual([{ path: ["text"], message: expect.any(String) }]);
  }
  expect(await issuesOf(MATCHES, { text: "a", first: 101 })).toMatchObject([{ path: ["first"] }]);
  const other = await scene.reach("PLANNING");
  await other.job.log("PLAN", "one");
  const foreign = (await scene.api.ask(LOG, { id: other.runId })).run.log.edges[0].cursor;
  expect(await issuesOf(MATCHES, { text: "a", after: foreign })).toMatchObject([{ path: ["after"] }]);
  const many = `query ($id: ID!) { run(id: $id) {
    ${["a", "b", "c"].map((text) => `${text}: logMatches(text: "${text}") { searchedTo }`).join(" ")} } }`;
  expect(await issuesOf(many, {})).toMatchObject([{ path: ["logMatches"] }]);
  const deep = `query ($id: ID!) { run(id: $id) {
    a: logMatches(text: "a") { searchedTo } b: logMatches(text: "b") { searchedTo }
    workspace { run(number: 1) { c: logMatches(text: "c") { searchedTo } } } } }`;
  expect(await issuesOf(deep, {})).toMatchObject([{ path: ["logMatches"] }]);
});
