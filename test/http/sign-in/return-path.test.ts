import { expect, it } from "vitest";
import { returnPath } from "../../../src/http/sign-in/return-path.ts";

const SITE = "https://holdpoint.example.com";

it.each([
  ["/", "/"],
  ["/graphql?query={a}#part", "/graphql?query={a}"],
  ["/runs/run_1", "/runs/run_1"],
  ["/%2f%2fevil.com", "/%2f%2fevil.com"],
  ["/a//b", "/a//b"],
])("keeps %j", (asked, path) => {
  expect(returnPath(asked, SITE)).toBe(path);
});

it.each([
  [null],
  [""],
  ["graphql"],
  ["//evil.com"],
  ["/\\evil.com"],
  ["\\/evil.com"],
  ["/\t/evil.com"],
  ["/\n/evil.com"],
  ["https://evil.com"],
  ["https://holdpoint.example.com.evil.com"],
  ["https:evil.com"],
  ["javascript:alert(1)"],
  ["%2f%2fevil.com"],
  ["/..//evil.com"],
  ["/.//evil.com"],
  [" //evil.com"],
])("leads to the start page in place of %j", (asked) => {
  expect(returnPath(asked, SITE)).toBe("/graphql");
});
