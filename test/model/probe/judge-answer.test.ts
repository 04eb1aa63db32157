import { expect, test } from "vitest";
import {
  certificateProblem,
  graphqlProblem,
  httpProblem,
  latencySample,
  type ProbeAnswer,
} from "../../../src/model/probe/judge-answer.ts";
import type { ProbeExpectation } from "../../../src/model/probe/probe.ts";
import { expectation } from "../../support/probe-targets.ts";

const answer = (changed: Partial<ProbeAnswer> = {}): ProbeAnswer => ({
  status: 200,
  headers: {},
  body: "",
  latencyMs: 5,
  ...changed,
});

test.each<[number, string[], string | null]>([
  [200, [], null],
  [304, [], null],
  [404, [], "STATUS"],
  [500, [], "STATUS"],
  [404, ["404"], null],
  [204, ["200", "4xx"], "STATUS"],
  [499, ["200", "4xx"], null],
])("status %s with %o", (status, statuses, failure) => {
  expect(httpProblem(expectation({ statuses }), answer({ status }))?.failure ?? null).toBe(failure);
});

test("the body must contain the text, and a reason never shows the body", () => {
  const expected = expectation({ bodyContains: "ready" });
  expect(httpProblem(expected, answer({ body: "all ready" }))).toBeNull();
  const problem = httpProblem(expected, answer({ body: "canary" }));
  expect(problem?.failure).toBe("BODY");
  expect(problem?.reason).not.toContain("canary");
});

test.each<[string, Partial<ProbeAnswer>, string | null]>([
  ["data", { body: '{"data":{"a":1}}' }, null],
  ["data and no errors", { body: '{"data":{},"errors":[]}' }, null],
  ["errors", { body: '{"data":null,"errors":[{"message":"canary"}]}' }, "GRAPHQL_ERRORS"],
  ["no data", { body: '{"data":null}' }, "BODY"],
  ["a list", { body: "[]" }, "BODY"],
  ["no JSON", { body: "<html>" }, "BODY"],
  ["another status", { status: 201, body: '{"data":{}}' }, "STATUS"],
])("GRAPHQL with %s", (_name, changed, failure) => {
  expect(graphqlProblem(expectation(), answer(changed))?.failure ?? null).toBe(failure);
});

test("latency is judged last, and fails a good answer", () => {
  const slow: ProbeExpectation = expectation({ maxLatencyMs: 100 });
  expect(latencySample(slow, 100)).toMatchObject({ ok: true, latencyMs: 100 });
  expect(latencySample(slow, 101)).toMatchObject({ ok: false, latencyMs: 101, failure: "LATENCY" });
  expect(latencySample(expectation(), 9999).ok).toBe(true);
});

test("a certificate must be valid for some days more", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const after = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
  const expected = expectation({ certificateDays: 14 });
  expect(certificateProblem(expected, after(14), now)).toBeNull();
  expect(certificateProblem(expected, after(13.9), now)?.reason).toBe(
    "The certificate is valid for 13 more days; expected are 14.",
  );
  expect(certificateProblem(expectation(), after(-1), now)).toBeNull();
});
