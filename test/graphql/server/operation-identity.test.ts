/** The identity of a subscription: what makes two of them one, and with which rights that one is executed. */
import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { type OperationIdentity, identityOf } from "../../../src/graphql/server/operation-identity.ts";
import { schema } from "../../../src/graphql/server/schema.ts";
import { fingerprint, rightsOf, rightsOfRole } from "../../../src/model/people/rights.ts";
import { includes } from "../../../src/model/people/permission-set.ts";
import { fakeActor, fakeCaller, fakeId } from "../../support/fake-domain.ts";

const LOG = `subscription Log($id: ID!, $after: String = null, $tail: Int, $streams: [LogStream!]) {
  runLog(runId: $id, after: $after, tail: $tail, streams: $streams) { ... on LogBatch { cursor } } }`;
const OTHER = { ...fakeCaller, actor: { ...fakeActor, id: fakeId("usr", 2), name: "Bob" } };

interface Asked {
  query?: string;
  operationName?: string | null;
  variables?: Record<string, unknown>;
}

function identity({ query = LOG, ...asked }: Asked, caller = fakeCaller): OperationIdentity {
  return identityOf(schema, parse(query), { query, ...asked }, caller);
}

const keyOf = (asked: Asked, caller = fakeCaller): string => identity(asked, caller).key;

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
    const first = identityOf(schema, document, request, fakeCaller);
    const again = identityOf(schema, document, { ...request, variables: { id: "1", after: "b" } }, fakeCaller);
    expect(again).toEqual(first);
    expect(first.key).toBe(keyOf(request));
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

describe("a subscription is executed", () => {
  it("for no person in particular, where its fields depend on none", () => {
    const { caller } = identity({ variables: { id: "1" } });
    expect(caller).toMatchObject({
      type: "actor",
      credential: "TOKEN",
      credentialId: "",
      accessVersion: { version: 1, moves: 1 },
      actor: { id: "", kind: "SYSTEM", name: "anonymous" },
    });
    expect(keyOf({}, OTHER)).toBe(keyOf({}));
  });

  it("for each person apart, where a field depends on the person, in a fragment too", () => {
    const query = `subscription { runEvents(runId: "1") { ... on RunEvent { run { ...Part } } } }
      fragment Part on Run { actions { allowed } }`;
    expect(identity({ query }, OTHER).caller.actor).toEqual(OTHER.actor);
    expect(keyOf({ query }, OTHER)).not.toBe(keyOf({ query }));
  });

  it("with those of the caller's rights that its fields ask for", () => {
    const { everywhere } = identity({}).caller.rights;
    expect(includes(everywhere, "RUN_READ")).toBe(true);
    expect(includes(everywhere, "APPLY_APPROVE")).toBe(false);
    const webhooks = `subscription { runEvents(runId: "1") { ... on RunEvent { run { status workspace { webhooks { id } } } } } }`;
    expect(includes(identity({ query: webhooks }).caller.rights.everywhere, "RUN_READ")).toBe(true);
    expect(fingerprint(identity({ query: webhooks }).caller.rights)).not.toBe(fingerprint(identity({}).caller.rights));
  });

  it("apart for callers who may see different parts of it", () => {
    const reader = { ...fakeCaller, rights: rightsOfRole("READER") };
    const stranger = { ...fakeCaller, rights: rightsOf([]) };
    expect(keyOf({}, reader)).toBe(keyOf({}));
    expect(keyOf({}, stranger)).not.toBe(keyOf({}));
  });
});
