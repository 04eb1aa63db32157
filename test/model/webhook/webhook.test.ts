import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { attemptResult, DELIVERY_EVENTS, pauseAfter, WEBHOOK_EVENTS } from "../../../src/model/webhook/webhook.ts";

it.each([
  [null, "FAILED"],
  [199, "FAILED"],
  [200, "DELIVERED"],
  [299, "DELIVERED"],
  [300, "FAILED"],
  [304, "FAILED"],
  [404, "FAILED"],
  [409, "FAILED"],
  [410, "GONE"],
  [411, "FAILED"],
  [500, "FAILED"],
])("an attempt that was answered with %s is %s", (statusCode, result) => {
  expect(attemptResult(statusCode)).toBe(result);
});

it("pauses as the limits say, a fifth more or less, and ends after the last try", () => {
  const limits = { retryMs: [1000, 60_000] };
  const pauses = (tries: number): (number | null)[] => [0, 0.5, 1].map((random) => pauseAfter(tries, limits, random));
  expect(pauses(1)).toEqual([800, 1000, 1200]);
  expect(pauses(2)).toEqual([48_000, 60_000, 72_000]);
  expect(pauses(3)).toEqual([null, null, null]);
});

it("sends events by the names that targets know", () => {
  expect(DELIVERY_EVENTS).toEqual([
    "run.gate.waiting",
    "run.gate.escalated",
    "run.ended",
    "run.policy.denied",
    "run.verification.failed",
    "run.rollback.proposed",
    "policy.errored",
    "workspace.locked",
    "workspace.unlocked",
    "workspace.health.changed",
    "changeset.applied",
    "drift.found",
    "workspace.expiring",
    "workspace.expiry.failed",
    "repository.hook.missing",
    "policy.exception.expiring",
    "webhook.test",
  ]);
});

it.each(WEBHOOK_EVENTS)("%s can be subscribed to", (event) => {
  const schema = readFileSync(new URL("../../../schema/schema.graphql", import.meta.url), "utf8");
  const [, values] = /^enum WebhookEvent \{\n([\s\S]*?)^\}/m.exec(schema) ?? [];
  expect(values).toContain(`\`${event}\`: `);
});
