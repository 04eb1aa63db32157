import { afterAll, beforeAll, expect, test } from "vitest";
import { createAnswerEvaluator } from "../../src/evaluator/answer-evaluator.ts";
import type { ProbeAnswer } from "../../src/model/probe/judge-answer.ts";
import type { AnswerEvaluator } from "../../src/model/probe/prober.ts";

const TEN = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
const loops = (depth: number): string =>
  depth === 0 ? "json.numbers.all(n, n >= 0)" : `${TEN}.all(v${depth}, ${loops(depth - 1)})`;

let evaluator: AnswerEvaluator;
beforeAll(() => {
  evaluator = createAnswerEvaluator();
});
afterAll(() => evaluator.close());

const answer = (body: unknown): ProbeAnswer => ({
  status: 200,
  headers: { "content-type": "application/json", "x-version": "7" },
  body: typeof body === "string" ? body : JSON.stringify(body),
  latencyMs: 12,
});

test.each([
  ["status == 200 && latencyMs < 100", {}, "TRUE"],
  ['headers["x-version"] == "7"', {}, "TRUE"],
  ["json.db.ready", { db: { ready: true } }, "TRUE"],
  ["json.db.ready", { db: { ready: false } }, "FALSE"],
  ["json.nodes.all(n, n.up) && size(json.nodes) == 2", { nodes: [{ up: true }, { up: true }] }, "TRUE"],
  ["data.shop.open", { data: { shop: { open: true } } }, "TRUE"],
  ["json == null", "<html>", "TRUE"],
  ["data == null", "{}", "TRUE"],
  ["json.missing", {}, "ERROR"],
  ["json.count", { count: 1 }, "ERROR"],
  ["headers.constructor == 1", {}, "ERROR"],
] as const)("%s", async (expression, body, outcome) => {
  expect(await evaluator.evaluate(expression, answer(body))).toBe(outcome);
});

test("an expression that never ends over a body is ended, and the next one is evaluated", async () => {
  const body = { numbers: Array.from({ length: 5000 }, (_, n) => n) };
  expect(await evaluator.evaluate(loops(8), answer(body))).toBe("LIMIT");
  expect(await evaluator.evaluate("json.numbers[0] == 0", answer(body))).toBe("TRUE");
});

test("mistakes are found before an expression is stored", async () => {
  expect(await evaluator.check("status == 200", "HTTP")).toBeNull();
  expect(await evaluator.check("data.a", "GRAPHQL")).toBeNull();
  expect(await evaluator.check("data.a", "HTTP")).toMatch(/no variable "data"/);
  expect(await evaluator.check("status ==", "HTTP")).not.toBeNull();
  expect(await evaluator.check("nope(status)", "HTTP")).toMatch(/no function "nope"/);
});
