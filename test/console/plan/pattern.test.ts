import { expect, it } from "vitest";
import { describeChange, type PlannedChange, patternsOf as group } from "../../../src/console/plan/pattern.ts";

const patternsOf = (changes: readonly PlannedChange[]) => group(changes.map(describeChange));

const planned = (address: string, change: Partial<PlannedChange>): PlannedChange => ({
  address,
  digest: address,
  action: "UPDATE",
  type: "aws_instance",
  imported: false,
  before: {},
  after: {},
  unknownPaths: [],
  sensitivePaths: [],
  ...change,
});
const tagged = (index: number, extra: object = {}): PlannedChange =>
  planned(`aws_instance.web[${index}]`, {
    before: { id: `i-${index}`, tags: { version: "2.0" }, ...extra },
    after: { id: `i-${index}`, tags: { version: "2.1" } },
  });

it("finds the one change that differs among a thousand", () => {
  const changes = Array.from({ length: 1000 }, (_, index) => tagged(index, index === 417 ? { user_data: "old" } : {}));
  const patterns = patternsOf(changes);
  expect(patterns.map(({ changes: { length } }) => length)).toEqual([1, 999]);
  expect(patterns[0]?.changes[0]?.change.address).toBe("aws_instance.web[417]");
});

it("puts first what takes something away", () => {
  const actions = ["NO_OP", "CREATE", "UPDATE", "READ", "FORGET", "REPLACE", "DELETE"];
  const changes = actions.map((action) => planned(`a.${action}`, { action }));
  expect(patternsOf(changes).map(({ action }) => action)).toEqual([
    "DELETE",
    "REPLACE",
    "FORGET",
    "UPDATE",
    "CREATE",
    "READ",
    "NO_OP",
  ]);
});

it("takes an action that it does not know for the most dangerous", () => {
  const changes = [planned("a.b", { action: "UPDATE" }), planned("a.c", { action: "EXPLODE" })];
  expect(patternsOf(changes)[0]?.action).toBe("EXPLODE");
});

it("keeps apart what is moved or imported, and other types", () => {
  const changes = [
    tagged(1),
    { ...tagged(2), previousAddress: "aws_instance.old" },
    { ...tagged(3), imported: true },
    { ...tagged(4), type: "aws_lb" },
  ];
  expect(patternsOf(changes)).toHaveLength(4);
});

it("does not tell changes apart by values that are known after the apply", () => {
  const changes = [1, 2].map((index) => ({ ...tagged(index), unknownPaths: ["arn"] }));
  expect(patternsOf(changes)).toHaveLength(1);
});
