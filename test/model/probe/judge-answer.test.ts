import { expect, test } from "vitest";
import {
  certificateProblem,
  graphqlProblem,
  httpProblem,
  isStatusPattern,
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

test("a reason has the status and those that are expected", () => {
  expect(httpProblem(expectation(), answer({ status: 500 }))?.reason).toBe(
    "It answered with status 500; expected is 2xx, 3xx.",
  );
  expect(httpProblem(expectation({ statuses: ["200", "4xx"] }), answer({ status: 500 }))?.reason).toBe(
    "It answered with status 500; expected is 200, 4xx.",
  );
  expect(graphqlProblem(expectation(), answer({ status: 201, body: '{"data":{}}' }))?.reason).toBe(
    "It answered with status 201; expected is 200.",
  );
});

test.each<[string, string]>([
  ["[]", "The answer is not a JSON object of at most 64 KiB."],
  ['{"data":null}', "The answer has no data."],
  ['{"data":{},"errors":[{},{}]}', "The answer has 2 errors."],
  ['{"data":{}}', "The answer does not contain the expected text in its first 64 KiB."],
])("the answer %s to GRAPHQL has a reason", (body, reason) => {
  expect(graphqlProblem(expectation({ bodyContains: "ready" }), answer({ body }))?.reason).toBe(reason);
});

test("an answer to GRAPHQL may have to contain a text", () => {
  const body = '{"data":{"a":"ready"},"errors":null}';
  expect(graphqlProblem(expectation({ bodyContains: "ready" }), answer({ body }))).toBeNull();
});

test.each([
  ["200", true],
  ["599", true],
  ["2xx", true],
  ["5xx", true],
  ["0xx", false],
  ["6xx", false],
  ["099", false],
  ["600", false],
  ["2x0", false],
  ["20", false],
  ["2000", false],
  ["2xxx", false],
  ["a200", false],
  ["2XX", false],
  ["", false],
])("%j is a status or a class of them: %s", (text, is) => {
  expect(isStatusPattern(text)).toBe(is);
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
  expect(latencySample(slow, 101)).toEqual({
    ok: false,
    latencyMs: 101,
    failure: "LATENCY",
    reason: "It took 101 ms; at most 100 ms are expected.",
  });
  expect(latencySample(expectation(), 9999).ok).toBe(true);
});

test("a certificate must be valid for some days more", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const after = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
  const expected = expectation({ certificateDays: 14 });
  expect(certificateProblem(expected, after(14), now)).toBeNull();
  expect(certificateProblem(expected, after(13.9), now)).toEqual({
    failure: "CERTIFICATE_ENDS",
    reason: "The certificate is valid for 13 more days; expected are 14.",
  });
  expect(certificateProblem(expectation(), after(-1), now)).toBeNull();
});
