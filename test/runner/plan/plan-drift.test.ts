/** What a plan says about changes that something else made. */
import { expect, it } from "vitest";
import { DRIFT_PATHS } from "../../../src/model/plan/resource-drift.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { foundDrift } from "../../../src/runner/plan/plan-drift.ts";
import { parsePlanJson } from "../../../src/runner/plan/plan-json.ts";

interface Change {
  actions?: string[];
  before?: unknown;
  after?: unknown;
  before_sensitive?: unknown;
}
const drifted = (address: string, { actions = ["update"], before = {}, after = {}, ...more }: Change = {}) => ({
  address,
  mode: "managed",
  type: address.split(".")[0] ?? "",
  name: "a",
  change: { actions, before, after, ...more },
});
function driftOf(resources: object[], relevant?: object[], masker = new Masker(6)) {
  const plan = { format_version: "1.2", resource_drift: resources, relevant_attributes: relevant };
  return foundDrift(parsePlanJson(JSON.stringify(plan)).plan, masker).drift;
}

it("names what differs, and what it was and is", () => {
  const change = { before: { ami: "one", tags: { a: 1 } }, after: { ami: "two", tags: { a: 1 } } };
  expect(driftOf([drifted("test_instance.a", change)])).toEqual([
    {
      address: "test_instance.a",
      type: "test_instance",
      action: "UPDATE",
      paths: ["ami"],
      relevant: false,
      before: change.before,
      after: change.after,
      sensitivePaths: [],
    },
  ]);
});

it("is absent where nothing differs, or a resource only moved", () => {
  expect(driftOf([])).toBeUndefined();
  expect(driftOf([drifted("test_instance.a", { actions: ["no-op"] })])).toBeUndefined();
  expect(foundDrift(parsePlanJson('{"format_version":"1.2"}').plan, new Masker(6))).toEqual({});
});

it.each([
  [[], false],
  [[{ resource: "test_instance.a", attribute: ["size"] }], true],
  [[{ resource: "test_instance.a", attribute: [] }], true],
  [[{ resource: "test_instance.a", attribute: ["size", "more"] }], true],
  [[{ resource: "test_instance.a", attribute: ["sizes"] }], false],
  [[{ resource: "test_instance.b", attribute: ["size"] }], false],
  [[{ resource: "test_instance.a", attribute: ["disks", 0, "name"] }], false],
  [[{ resource: "test_instance.a", attribute: ["disks", 1] }], true],
  [[{ resource: "test_instance.a", attribute: ["tags", "a.b"] }], true],
] as const)("with the relevant attributes %j is relevant: %s", (relevant, expected) => {
  const before = { size: 1, disks: [{ name: "x" }, { name: "y" }], tags: { "a.b": 1 } };
  const after = { size: 2, disks: [{ name: "x" }, { name: "z" }], tags: { "a.b": 2 } };
  expect(driftOf([drifted("test_instance.a", { before, after })], [...relevant])).toMatchObject([
    { relevant: expected },
  ]);
});

it("is relevant for an instance whose resource is, and for one that is gone if anything needs it", () => {
  const relevant = [{ resource: "test_instance.a", attribute: ["id"] }];
  const instance = drifted('test_instance.a["x[0].y"]', { before: { id: 1 }, after: { id: 2 } });
  const gone = drifted("test_instance.a[0]", { actions: ["delete"], before: { size: 1 }, after: null });
  expect(driftOf([instance, gone], relevant)).toMatchObject([
    { relevant: true, paths: ["id"] },
    { relevant: true, action: "DELETE", paths: [], after: null },
  ]);
  expect(driftOf([gone])).toMatchObject([{ relevant: false }]);
});

it("shows no sensitive value, but that it differs, and masks what is declared", () => {
  const masker = new Masker(6);
  masker.add(["declared-secret"]);
  const change = {
    before: { password: "canary-before", note: "declared-secret" },
    after: { password: "canary-after", note: "plain", ["declared-secret"]: 1 },
    before_sensitive: { password: true },
  };
  const drift = driftOf([drifted("test_instance.a", change)], [], masker);
  expect(drift).toMatchObject([
    { sensitivePaths: ["password"], before: { password: null }, after: { password: null } },
  ]);
  expect(drift?.[0]?.paths).toContain("password");
  expect(JSON.stringify(drift)).not.toMatch(/canary|declared-secret/);
});

it("of 50,000 attributes that differ names those above", () => {
  const many = (value: number) => Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`t${at}`, value]));
  const change = { before: { tags: many(1), size: 1 }, after: { tags: many(2), size: 2 } };
  expect(driftOf([drifted("test_instance.a", change)])?.[0]?.paths).toEqual(["tags", "size"]);
  const flat = driftOf([drifted("test_instance.a", { before: many(1), after: many(2) })]);
  expect(flat?.[0]?.paths).toEqual([""]);
  expect(DRIFT_PATHS).toBeLessThan(50_000);
});
