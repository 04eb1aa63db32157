import { expect, it } from "vitest";
import { selectorOf } from "../../../src/console/policies/selector.ts";

const all = { names: [], labels: [], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] };

it("names all workspaces where nothing is selected", () => {
  expect(selectorOf({ selector: all })).toBe("all workspaces");
});

it("names each part, with marks that turn texts around made visible", () => {
  const selector = { ...all, names: ["net-*", "a\u202eb"], kinds: ["DEPLOY" as const], excludedWorkspaceIds: ["ws_1"] };
  expect(selectorOf({ selector })).toBe("names net-*, a\\u202eb; without 1; runs of the kind deploy");
});
