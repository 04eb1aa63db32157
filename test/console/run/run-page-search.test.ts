import { expect, it } from "vitest";
import { readRunPageSearch } from "../../../src/console/run/run-page-search.ts";

it.each([
  [{}, {}],
  [{ tab: "log" }, { tab: "log" }],
  [{ tab: "graph", plan: "1", compare: 0, change: 7 }, {}],
  [
    { plan: 2, compare: 1, change: 'aws_instance.web["a"]' },
    { plan: 2, compare: 1, change: 'aws_instance.web["a"]' },
  ],
  [{ plan: -1, compare: 1.5, change: "" }, {}],
])("of %j is %j", (address, search) => {
  expect(readRunPageSearch(address)).toEqual(search);
});
