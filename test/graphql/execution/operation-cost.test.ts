import fc from "fast-check";
import { parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { operationCost } from "../../../src/graphql/execution/operation-cost.ts";
import { schema } from "../../../src/graphql/server/schema.ts";

function costOf(text: string, variables?: Record<string, unknown>, operationName?: string) {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  return operationCost(schema, document, { variables, operationName });
}

const points = (text: string, variables?: Record<string, unknown>) => costOf(text, variables)?.points;

describe("the cost of a query", () => {
  test.each([
    ["{ viewer { role } }", 1],
    ["{ a: viewer { role } b: viewer { role } }", 2],
    ["{ __typename }", 1],
    ["{ organizations(first: 50) { edges { node { id } } } }", 50],
    ["{ organizations(last: 7) { edges { node { id } } } }", 7],
    ["{ organizations { edges { node { id } } } }", 20],
    ["{ organizations(first: null) { edges { node { id } } } }", 20],
    ["{ organizations(first: 0) { edges { node { id } } } }", 1],
    ["{ organizations(first: -5) { edges { node { id } } } }", 1],
    ["{ organizations(first: 1000000) { edges { node { id } } } }", 100],
    ['{ nodes(ids: ["a", "b", "c"]) { id } }', 3],
    ['{ nodes(ids: "a") { id } }', 1],
    ["{ organizations(first: 10) { edges { node { workspaces(first: 30) { edges { node { id } } } } } } }", 310],
  ])("%s: %i", (text, expected) => {
    expect(points(text)).toBe(expected);
    expect(costOf(text)?.nodes).toBe(expected);
  });

  test("counts variables and their defaults, once for both ends of a list", () => {
    const text = "query($n: Int = 40, $l: Int) { organizations(first: $n, last: $l) { edges { node { id } } } }";
    expect(points(text, { n: 3 })).toBe(3);
    expect(points(text)).toBe(40);
    expect(points(text, { n: null })).toBe(20);
    expect(points(text, { n: null, l: 90 })).toBe(90);
    expect(points(text, { n: "3", l: true })).toBe(1);
    expect(points(text, { n: -4 })).toBe(1);
    expect(points("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids: ["a", "b"] })).toBe(2);
  });

  test("counts a field once that several fragments select, with what all of them select below it", () => {
    const text = `
      { ...A ...B organization(slug: "o") { name } }
      fragment A on Query {
        organization(slug: "o") { workspaces(first: 10) { edges { node { runs(first: 2) { edges { cursor } } } } } }
      }
      fragment B on Query {
        organization(slug: "o") { workspaces(first: 10) { edges { node { stateVersions(first: 3) { edges { cursor } } } } } }
      }`;
    expect(points(text)).toBe(10 + 10 * 2 + 10 * 3);
  });

  test("counts a search of a log as twenty points, whatever its matches", () => {
    const text = 'query($t: String!, $n: Int) { run(id: "run_1") { logMatches(text: $t, first: $n) { searchedTo } } }';
    expect(points(text, { t: "Error", n: 100 })).toBe(20);
    expect(points(text, { t: "", n: 1 })).toBe(20);
    expect(points('{ run(id: "run_1") { logMatches(text: "Error") { edges { cursor } } } }')).toBe(20);
    expect(points('{ runs(first: 3) { edges { node { logMatches(text: "a") { searchedTo } } } } }')).toBe(3 + 3 * 20);
  });

  test("counts a hundred lines of a log as one point", () => {
    const text = 'query($n: Int) { run(id: "run_1") { log(first: $n) { edges { node { text } } } } }';
    expect(points(text, { n: 5000 })).toBe(50);
    expect(points(text, { n: 1 })).toBe(1);
    expect(points(text)).toBe(10);
  });

  test("is that of the operation that is asked for", () => {
    const text = "query A { organizations { edges { cursor } } } query B { viewer { role } }";
    expect(costOf(text, {}, "B")?.points).toBe(1);
    expect(costOf(text, {}, "A")?.points).toBe(20);
    expect(costOf(text, {}, "C")).toBeNull();
  });
});

test("a mutation costs ten a field, and a subscription five", () => {
  const cancel = 'cancelRun(input: { runId: "r" }) { __typename }';
  const lock = 'lockWorkspace(input: { workspaceId: "w" }) { __typename }';
  expect(costOf(`mutation { ${lock} }`)).toEqual({ points: 10, nodes: 1 });
  expect(costOf(`mutation { ${lock} b: ${lock} }`)).toEqual({ points: 20, nodes: 2 });
  expect(costOf(`mutation { ${cancel} }`)).toEqual({ points: 10, nodes: 1, urgent: true });
  expect(costOf(`mutation { ${cancel} ${lock} }`)).toEqual({ points: 20, nodes: 2 });
  expect(costOf(`mutation { cancelRun: ${lock} }`)).toEqual({ points: 10, nodes: 1 });
  expect(costOf('subscription { runEvents(runId: "r") { __typename } }')).toEqual({ points: 5, nodes: 0 });
});

test("a subscription costs the lists of one item too", () => {
  const text = `subscription { organizationEvents(organizationId: "o") { ... on RunChanged {
    run { workspace { organization { workspaces(first: 100) { edges { node { runs(first: 100) { edges { node { id } } } } } } } } } } } }`;
  expect(points(text)).toBe(5 + 100 + 100 * 100);
});

describe("a list without an argument", () => {
  const ORGANIZATION = (selection: string) => `{ organization(slug: "o") { ${selection} } }`;

  test.each([
    // Each holds what there is, and is counted with its parent.
    ["teams { name members { actor { id } } grants { id } }", 1],
    ["projects { id name } roles { name } grants { id }", 1],
    ["projects { projects { projects { projects { name } } } }", 1],
    ["workspaces(first: 10) { edges { node { variables { key } hooks { stage } } } }", 10],
    [
      "workspaces(first: 10) { edges { node { runs(first: 5) { edges { node { phases { kind } plans { version } } } } } } }",
      60,
    ],
    // Ways back.
    ["teams { organization { name } }", 1],
    ["teams { organization { teams { name } } }", 1000],
    ["teams { organization { roles { name } } }", 1000],
    ["teams { organization { workspaces(first: 10) { edges { node { id } } } } }", 11_000],
    ["teams { organization { roles { organization { projects { name } } } } }", 1_001_000],
    ["projects { organization { projects { name } } }", 1000],
  ])("%s: %i", (selection, expected) => {
    expect(points(ORGANIZATION(selection))).toBe(expected);
  });

  test("of a run multiplies by ten on each way back", () => {
    expect(points('{ run(id: "r") { blockers { run { id status } } } }')).toBe(1);
    expect(points('{ run(id: "r") { blockers { run { phases { kind } } } } }')).toBe(10);
    const nested = (depth: number): string => (depth === 0 ? "id" : `plans { run { ${nested(depth - 1)} } }`);
    expect(points(`{ run(id: "r") { ${nested(6)} } }`)).toBeGreaterThan(100_000);
  });
});

test("nested lists multiply, as a naive count of the objects does", () => {
  const size = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(size, size, size, (organizations, workspaces, runs) => {
      const text = `query($o: Int, $w: Int) { organizations(first: $o) { edges { node {
        workspaces(first: $w) { edges { node { runs(last: ${runs}) { edges { node { id } } } } } } } } } }`;
      let objects = 0;
      for (let o = 0; o < organizations; o += 1) {
        objects += 1;
        for (let w = 0; w < workspaces; w += 1) objects += 1 + runs;
      }
      expect(points(text, { o: organizations, w: workspaces })).toBe(Math.max(1, objects));
    }),
  );
});
