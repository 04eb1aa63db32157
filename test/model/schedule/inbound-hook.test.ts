import { expect, test } from "vitest";
import { inboundMetadata, isPointer } from "../../../src/model/schedule/inbound-hook.ts";

const BODY = JSON.parse(`{ "ticket": { "id": 42, "a/b": "slash", "m~n": true, "list": ["zero", { "deep": "one" }] },
  "many": [${Array.from({ length: 12 }, (_, index) => index).join()}],
  "__proto__": { "polluted": "no" }, "none": null, "long": "${"x".repeat(50)}", "nul": "a\\u0000b" }`);
const at = (pointer: string, most = 20) => inboundMetadata([{ key: "k", pointer }], BODY, most)["k"];

test("values are found by pointers", () => {
  expect(at("/ticket/id")).toBe("42");
  expect(at("/ticket/a~1b")).toBe("slash");
  expect(at("/ticket/m~0n")).toBe("true");
  expect(at("/ticket/list/0")).toBe("zero");
  expect(at("/ticket/list/1/deep")).toBe("one");
  expect(at("/many/10")).toBe("10");
});

test("what is no text, number or boolean, or is not there, is left out", () => {
  for (const pointer of [
    "/ticket",
    "/ticket/list",
    "/none",
    "/absent",
    "/ticket/id/deeper",
    "/ticket/list/9",
    "/ticket/list/01",
    "/ticket/list/0.0",
    "/ticket/list/-0",
    "/ticket/list/0 ",
    "/ticket/list/ 0",
    "/toString",
    "/ticket/constructor/name",
    "/ticket/list/length",
  ]) {
    expect(at(pointer), pointer).toBeUndefined();
  }
  expect(inboundMetadata([{ key: "k", pointer: "/a" }], null, 20)).toEqual({});
});

test("texts are cut, and have no character that Postgres cannot store", () => {
  expect(at("/long")).toBe("x".repeat(20));
  expect(at("/nul")).toBe("ab");
});

test("pointers begin with a slash and escape ~", () => {
  for (const text of ["/a", "/a/b", "/", "/a~1b/~0"]) expect(isPointer(text), text).toBe(true);
  for (const text of ["", "a", "a/b", "/~", "/a~2"]) expect(isPointer(text), text).toBe(false);
});
