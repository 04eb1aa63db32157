import { expect, test } from "vitest";
import type { ResourceChange } from "../../src/model/plan/plan.ts";
import { changeDigest } from "../../src/persistence/plan/change-digest.ts";
import { createdResource } from "../support/resource-changes.ts";

const change = createdResource("a", {
  action: "REPLACE",
  createBeforeDestroy: false,
  before: { size: 1, tags: { a: "1", bb: "2" }, secret: null },
  after: { size: 2, tags: { a: "1", bb: "2" }, secret: null },
  sensitivePaths: ["secret", "tags.c"],
  replacePaths: ["size"],
  reason: "REPLACE_CANNOT_UPDATE",
});

test("the order of keys and of hidden paths does not count", () => {
  const sorted = {
    ...change,
    before: { secret: null, tags: { bb: "2", a: "1" }, size: 1 },
    sensitivePaths: ["tags.c", "secret"],
  };
  expect(changeDigest(sorted)).toBe(changeDigest(change));
  expect(changeDigest(change)).toMatch(/^[\w-]{27}$/);
});

test.each<[string, Partial<ResourceChange>]>([
  ["address", { address: "terraform_data.b" }],
  ["action", { action: "DELETE" }],
  ["order of a replacement", { createBeforeDestroy: true }],
  ["value before", { before: { ...Object(change.before), size: 3 } }],
  ["value after", { after: { ...Object(change.after), size: "2" } }],
  ["order of a list", { after: [2, 1] }],
  ["hidden path", { sensitivePaths: ["secret"] }],
  ["unknown path", { unknownPaths: [] }],
  ["cause of a replacement", { replacePaths: ["tags"] }],
  ["reason", { reason: "REPLACE_TAINTED" }],
  ["move", { previousAddress: "terraform_data.c" }],
  ["import", { imported: true }],
  ["id of an import", { imported: true, importId: "i-1" }],
])("another %s is another digest", (_name, more) => {
  expect(changeDigest({ ...change, ...more })).not.toBe(changeDigest(change));
});

test("a key named __proto__ counts as any other", () => {
  const of = (text: string) => changeDigest({ ...change, after: JSON.parse(text) });
  expect(of('{"__proto__":1}')).not.toBe(of('{"__proto__":2}'));
  expect(of('{"__proto__":1}')).not.toBe(of("{}"));
});
