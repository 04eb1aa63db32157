/** The identity of a subscription: what makes two of them one. */
import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { factsOf } from "../../../src/graphql/server/document-facts.ts";
import { identityOf } from "../../../src/graphql/server/operation-identity.ts";
import { schema } from "../../../src/graphql/server/schema.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { fakeActor, fakeCaller, fakeId } from "../../support/fake-domain.ts";

const LOG = `subscription Log($id: ID!, $after: String = null, $tail: Int, $streams: [LogStream!]) {
  runLog(runId: $id, after: $after, tail: $tail, streams: $streams) { ... on LogBatch { cursor } } }`;
const OTHER = { ...fakeCaller, actor: { ...fakeActor, id: fakeId("usr", 2), name: "Bob" } };

interface Asked {
  query?: string;
  operationName?: string | null;
  variables?: Record<string, unknown>;
}

function keyOf({ query = LOG, ...asked }: Asked, { actor } = fakeCaller): string {
  return identityOf(factsOf(schema, parse(query)), { query, ...asked }, actor);
}

describe("two subscriptions are one", () => {
  it("wherever they begin, by a variable of the stream itself", () => {
    const [one, other] = [
      { id: "1", after: "a", tail: 1 },
      { id: "1", after: "b", tail: 2 },
    ];
    expect(keyOf({ variables: one })).toBe(keyOf({ variables: other }));
    expect(keyOf({ variables: { id: "1" } })).toBe(keyOf({ variables: other }));
  });

  it("in whatever order their variables come, also below one", () => {
    const query = "subscription ($id: ID!, $x: JSON) { runLog(runId: $id) { __typename @include(if: $x) } }";
    const one = { id: "1", x: { b: [{ d: 1, c: 2 }], a: null } };
    const other = { x: { a: null, b: [{ c: 2, d: 1 }] }, id: "1" };
    expect(keyOf({ query, variables: one })).toBe(keyOf({ query, variables: other }));
  });

  it("with no name of an operation, however it is left out", () => {
    expect(keyOf({ operationName: null })).toBe(keyOf({}));
    expect(keyOf({ variables: {} })).toBe(keyOf({}));
  });

  it("with one document, each time that it comes", () => {
    const document = parse(LOG);
    const request = { query: LOG, variables: { id: "1", after: "a" } };
    const facts = factsOf(schema, document);
    expect(factsOf(schema, document)).toBe(facts);
    const first = identityOf(facts, request, fakeActor);
    expect(identityOf(facts, { ...request, variables: { id: "1", after: "b" } }, fakeActor)).toBe(first);
    expect(first).toBe(keyOf(request));
  });
});

describe("two subscriptions are different", () => {
  it("by their text, the name of their operation, and every other variable", () => {
    const keys = [
      keyOf({ variables: { id: "1" } }),
      keyOf({ variables: { id: "2" } }),
      keyOf({ variables: { id: "1", streams: ["STDOUT", "STDERR"] } }),
      keyOf({ variables: { id: "1", streams: ["STDERR", "STDOUT"] } }),
      keyOf({ variables: { id: "1" }, operationName: "Log" }),
      keyOf({ variables: { id: "1" }, query: `${LOG} ` }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("by a list and an object that has its entries", () => {
    const [list, object] = [{ streams: ["STDOUT"] }, { streams: { 0: "STDOUT" } }];
    expect(keyOf({ variables: list })).not.toBe(keyOf({ variables: object }));
  });

  it("by a beginning that their texts name", () => {
    const from = (after: string): string =>
      `subscription { runLog(runId: "1", after: "${after}") { ... on LogBatch { cursor } } }`;
    expect(keyOf({ query: from("a") })).not.toBe(keyOf({ query: from("b") }));
  });

  it("by a variable that is a beginning and something else as well", () => {
    const query = `subscription ($after: ID!) { runLog(runId: $after, after: $after) { __typename } }`;
    expect(keyOf({ query, variables: { after: "a" } })).not.toBe(keyOf({ query, variables: { after: "b" } }));
  });

  it("by where a list below the stream begins", () => {
    const query = `subscription ($id: ID!, $after: String) { runEvents(runId: $id) {
      ... on RunEvent { run { events(first: 1, after: $after) { totalCount } } } } }`;
    expect(keyOf({ query, variables: { after: "a" } })).not.toBe(keyOf({ query, variables: { after: "b" } }));
  });

  it("by a variable that is a part of a beginning's value", () => {
    const query = `subscription ($id: ID!, $after: String) { runLog(runId: $id, streams: [$after]) { __typename } }`;
    expect(keyOf({ query, variables: { after: "a" } })).not.toBe(keyOf({ query, variables: { after: "b" } }));
  });
});

describe("a subscription of two people is", () => {
  it("one, where its fields depend on no person, whatever rights they have", () => {
    expect(keyOf({}, OTHER)).toBe(keyOf({}));
    expect(keyOf({}, { ...OTHER, rights: rightsOf([]) })).toBe(keyOf({}));
  });

  it("different, where a field depends on the person, in a fragment too", () => {
    const query = `subscription { runEvents(runId: "1") { ... on RunEvent { run { ...Part } } } }
      fragment Part on Run { actions { allowed } }`;
    expect(keyOf({ query }, OTHER)).not.toBe(keyOf({ query }));
  });
});
