import { expect, it } from "vitest";
import { DEPLOYMENT_STATUSES } from "../../../src/model/workspace/workspace.ts";
import { readWorkspaceSearch, STATUSES } from "../../../src/console/workspace/workspace-search.ts";

it.each([
  [{}, {}],
  [
    { search: 12, status: "FAILED", after: "x" },
    { search: "12", status: "FAILED", after: "x" },
  ],
  [{ search: "net", status: "" }, { search: "net" }],
  [{ status: "ROCKET", after: 1 }, {}],
])("%o is read as %o", (address, search) => {
  expect(readWorkspaceSearch(address)).toEqual(search);
});

it("every status can be chosen", () => {
  expect(STATUSES.toSorted()).toEqual(DEPLOYMENT_STATUSES.toSorted());
});
