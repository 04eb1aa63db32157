import { expect, it } from "vitest";
import { DECISIONS } from "../../../src/console/run/decisions.ts";
import { TAB_KEYS } from "../../../src/console/run/run-page-search.ts";

/** The keys of all pages, of plans and of logs. */
const OTHERS = ["?", "/", "g", "j", "k", "x", "v", "e", "]", "[", "G", "n", "N", "y"];

it("gives no key of the page of a run two meanings", () => {
  const keys = [...new Set(DECISIONS.flatMap(({ key = [] }) => key)), ...Object.values(TAB_KEYS), ...OTHERS];
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});
