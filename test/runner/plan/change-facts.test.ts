import { expect, test } from "vitest";
import { REPLACE_PATHS } from "../../../src/model/plan/plan.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { describePlan } from "../../../src/runner/plan/plan-content.ts";
import { parsePlanJson } from "../../../src/runner/plan/plan-json.ts";

function factsOf(about: object, change: object = {}, masker = new Masker(6)) {
  const resource = { address: "a.b", mode: "managed", type: "a", name: "b", ...about };
  const text = JSON.stringify({
    format_version: "1.2",
    resource_changes: [{ ...resource, change: { actions: ["delete", "create"], ...change } }],
  });
  return describePlan(parsePlanJson(text).plan, false, masker).resourceChanges[0];
}

test.each([
  [undefined, null],
  ["replace_because_tainted", "REPLACE_TAINTED"],
  ["replace_by_request", "REPLACE_BY_REQUEST"],
  ["replace_because_cannot_update", "REPLACE_CANNOT_UPDATE"],
  ["replace_by_triggers", "REPLACE_BY_TRIGGERS"],
  ["delete_because_no_resource_config", "DELETE_NO_CONFIG"],
  ["delete_because_count_index", "DELETE_COUNT_INDEX"],
  ["delete_because_each_key", "DELETE_EACH_KEY"],
  ["delete_because_no_module", "DELETE_NO_MODULE"],
  ["read_because_config_unknown", "READ_UNKNOWN"],
  ["read_because_dependency_pending", "READ_DEPENDENCY"],
  ["delete_because_wrong_repetition", "OTHER"],
  ["constructor", "OTHER"],
])("reason %s", (action_reason, reason) => {
  expect(factsOf({ action_reason })?.reason).toBe(reason);
});

test("paths that force a replacement, in the format of all paths, once each and bounded", () => {
  const replace_paths = [["ami"], ["disks", 0, "key"], ["tags", "a.b"], ["ami"], []];
  expect(factsOf({}, { replace_paths })?.replacePaths).toEqual(["ami", "disks[0].key", 'tags["a.b"]', ""]);
  const many = Array.from({ length: REPLACE_PATHS + 1 }, (_, n) => ["disks", n]);
  expect(factsOf({}, { replace_paths: many })?.replacePaths).toHaveLength(REPLACE_PATHS);
  expect(factsOf({})?.replacePaths).toEqual([]);
});

test("the key of an instance, the provider, what was left behind, and the id of an import", () => {
  const about = { provider_name: "registry.terraform.io/hashicorp/aws", deposed: "1a2b3c4d" };
  expect(factsOf({ ...about, index: 3 }, { importing: { id: "i-123" } })).toMatchObject({
    provider: "registry.terraform.io/hashicorp/aws",
    index: "3",
    deposed: "1a2b3c4d",
    importId: "i-123",
    imported: true,
  });
  expect(factsOf({ index: "eu" }, { importing: { unknown: true } })).toMatchObject({
    index: "eu",
    importId: null,
    imported: true,
  });
  expect(factsOf({})).toMatchObject({ provider: null, index: null, deposed: null, importId: null });
});

test("declared secrets are masked in keys, paths and ids", () => {
  const masker = new Masker(6);
  masker.add(["secret-key"]);
  const change = { importing: { id: "x/secret-key" }, replace_paths: [["tags", "secret-key"]] };
  expect(factsOf({ address: 'a.b["secret-key"]', index: "secret-key" }, change, masker)).toMatchObject({
    address: 'a.b["(sensitive value)"]',
    index: "(sensitive value)",
    importId: "x/(sensitive value)",
    replacePaths: ["tags.(sensitive value)"],
  });
});
