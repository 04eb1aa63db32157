/** The reader of drift on what real engines wrote. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { ResourceDrift } from "../../../src/model/plan/resource-drift.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { foundDrift } from "../../../src/runner/plan/plan-drift.ts";
import { parsePlanJson } from "../../../src/runner/plan/plan-json.ts";

const driftIn = (json: string): ResourceDrift[] => foundDrift(parsePlanJson(json).plan, new Masker(6)).drift ?? [];

async function driftOf(file: string): Promise<ResourceDrift[]> {
  return driftIn(await readFile(new URL(`../../fixtures/engine-drift/${file}`, import.meta.url), "utf8"));
}

it("names each resource that something else changed or deleted, and what the configuration depends on", async () => {
  const found = await driftOf("changed.json");
  expect(found.map(({ address, action, paths, relevant }) => [address, action, paths, relevant])).toEqual([
    ['aws_ssm_parameter.each["a.b"]', "UPDATE", ["tags.owner", "tags_all.owner"], true],
    ["aws_ssm_parameter.free", "UPDATE", ["version"], true],
    ["aws_ssm_parameter.gone", "DELETE", [], false],
    ["aws_ssm_parameter.size", "UPDATE", ["description", "value", "version"], false],
  ]);
});

it("shows values before and after, without those that the provider marks", async () => {
  const found = await driftOf("changed.json");
  const size = found.find(({ address }) => address === "aws_ssm_parameter.size");
  expect(size).toMatchObject({
    before: { description: "as applied", value: null, version: 1 },
    after: { description: "changed behind its back", value: null, version: 4 },
    sensitivePaths: ["value", "value_wo"],
  });
  expect(JSON.stringify(found)).not.toContain("large-and-secret");
  expect(found.find(({ action }) => action === "DELETE")).toMatchObject({ before: { id: "gone" }, after: null });
});

it("finds none in a move that no apply has recorded yet", async () => {
  expect(await driftOf("moved.json")).toEqual([]);
});

// The shape of `show-json/moved-drift` in the tests of terraform: the new address has both.
it("of a resource that moved and was changed names the new address", () => {
  const change = { actions: ["update"], before: { ami: "one", id: "x" }, after: { ami: "two", id: "x" } };
  const moved = {
    address: "test_instance.new",
    previous_address: "test_instance.old",
    mode: "managed",
    type: "test_instance",
    name: "new",
    change: { ...change, after_unknown: {}, before_sensitive: {}, after_sensitive: {} },
  };
  const relevant = [{ resource: "test_instance.new", attribute: ["ami"] }];
  const plan = { format_version: "1.0", resource_drift: [moved], relevant_attributes: relevant };
  expect(driftIn(JSON.stringify(plan))).toMatchObject([
    { address: "test_instance.new", action: "UPDATE", paths: ["ami"], relevant: true },
  ]);
});
