import { expect, it } from "vitest";
import { lineOfMapping, mappingOfLine } from "../../../src/console/inbound-hooks/mapping-line.ts";

it.each([
  ["ticket", "/ticket/id"],
  ["=", "/a"],
  ["=ticket", "/a"],
  ["==", "/a"],
  ["=a=b=", "/a"],
  ["a=b", "/c"],
  ["a = b", "/c"],
  ["url", "/q/a=b"],
  ["=url", "/a=/b"],
  ["whole", ""],
  ["=whole", ""],
])("the key %j with the pointer %j comes back from its line", (key, pointer) => {
  expect(mappingOfLine(lineOfMapping({ key, pointer }))).toEqual({ key, pointer });
});

it("is read with other spaces than are written", () => {
  expect(mappingOfLine("ticket=/ticket/id")).toEqual({ key: "ticket", pointer: "/ticket/id" });
  expect(mappingOfLine("  =x=/a  ")).toEqual({ key: "=x", pointer: "/a" });
  expect(mappingOfLine("==/a")).toEqual({ key: "=", pointer: "/a" });
});

it("leaves a wrong pointer to the server, which names it", () => {
  expect(mappingOfLine("ticket = id")).toEqual({ key: "ticket", pointer: "id" });
  expect(mappingOfLine("=ticket = id = 1")).toEqual({ key: "=ticket", pointer: "id = 1" });
});

it.each(["", "ticket", "/ticket/id", "=", "=/a", "= /a", " = "])("is none: %j", (line) => {
  expect(mappingOfLine(line)).toBeNull();
});
