import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesIn, readRunQuery } from "../../../src/console/runs/run-query.ts";

const ALICES = [
  { id: "act_2", name: "Alice" },
  { id: "act_3", name: "Malice\u202e" },
];
const CONTEXT = {
  viewerId: "act_1",
  now: Date.parse("2026-11-20T12:00:00.000Z"),
  actors: new Map([
    ["alice", ALICES],
    ["a b", ALICES.slice(0, 1)],
    ["nobody", []],
  ]),
};
const filterOf = (text: string) => readRunQuery(text, CONTEXT).filter;

describe("a text that filters runs", () => {
  it.each([
    ["", {}],
    ["ws:net", { workspaceSearch: "net" }],
    ['WS:"net work"', { workspaceSearch: "net work" }],
    ["by:me", { createdByIds: ["act_1"] }],
    ["by:alice", { createdByIds: ["act_2", "act_3"] }],
    ['by:"a b" by:me', { createdByIds: ["act_2", "act_1"] }],
    ["kind:deploy", { kinds: ["DEPLOY"] }],
    ["outcome:no-changes", { outcomes: ["NO_CHANGES"] }],
    ["status:awaiting_plan_approval", { statuses: ["AWAITING_PLAN_APPROVAL"] }],
    ["blocked:lock", { blockerKinds: ["WORKSPACE_LOCKED"] }],
    ["blocked:Run blocked:runner", { blockerKinds: ["WORKSPACE_BUSY", "UPSTREAM_RUN", "NO_RUNNER"] }],
    ["label:team:net", { labels: ["team:net"] }],
    ["since:7d", { createdAfter: "2026-11-13T12:00:00.000Z" }],
    ["destroys>0", { minDestructions: 1 }],
    ["spacelift:unconfirmed", { dialect: { spacelift: ["UNCONFIRMED"] } }],
    ["smartDeploy:RUNNING", { dialect: { smartDeploy: ["RUNNING"] } }],
    ["kind:plan kind:task", { kinds: ["PLAN", "TASK"] }],
    ["ws:a ws:b", { workspaceSearch: "b" }],
    ["bump to 2.1", { search: "bump to 2.1" }],
    ['ws:net "bump to" by:me 2.1', { workspaceSearch: "net", createdByIds: ["act_1"], search: "bump to 2.1" }],
  ])("%s", (text, filter) => {
    expect(filterOf(text)).toEqual(filter);
  });

  it.each([
    ["kind:rocket", /one of APPLY/],
    ["blocked:moon", /one of check, freeze,/],
    ["blocked:constructor", /one of check, freeze,/],
    ["by:nobody", /no person or machine user/],
    ["by:bob", /being looked up/],
    ["since:yesterday", /since:7d/],
    ["color:red", /use ws:, by:/],
    ["__proto__:x", /message/],
    ["constructor:x", /use ws:/],
  ])("%s filters nothing, and the reason is shown", (text, meaning) => {
    const { terms, filter } = readRunQuery(text, CONTEXT);
    expect(terms[0]?.meaning).toMatch(meaning);
    if (!text.startsWith("__")) expect(filter).toEqual({});
  });

  it("keeps each part as it was written, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const { terms } = readRunQuery(text, CONTEXT);
        const withoutSpaces = (value: string): string => value.replaceAll(/\s/g, "");
        expect(withoutSpaces(terms.map((term) => term.text).join(""))).toBe(withoutSpaces(text));
      }),
    );
  });
});

it("finds the names of actors in a text, which a page looks up", () => {
  expect(namesIn('fix by:alice BY:"a b" by:me by:alice ws:by:x "by:no one" by:')).toEqual(["alice", "a b"]);
  expect(readRunQuery("by:alice", CONTEXT).terms[0]?.meaning).toBe("created by Alice or Malice\\u202e");
});
