import { expect, test } from "vitest";
import { namedHolder } from "../../../src/model/workspace/lock-holder.ts";

const INFO = {
  ID: "4711",
  Who: "alice@host",
  Operation: "OperationTypePlan",
  Info: "run 12",
  Created: "2026-01-02T03:04:05Z",
  Path: "x",
};

test("the id of a holder names the owner of the lock, and the plain id is beside it", () => {
  expect(namedHolder(INFO)).toEqual({
    ...INFO,
    ID: "4711 (held by alice@host, OperationTypePlan, run 12, since 2026-01-02T03:04:05Z)",
    HolderID: "4711",
  });
});

test("what a holder did not name is left out", () => {
  expect(namedHolder({ ID: "1", Who: "bob" })).toMatchObject({ ID: "1 (held by bob)" });
  expect(namedHolder({})).toEqual({ ID: " (held by an unnamed client)", HolderID: "" });
  expect(namedHolder({ ID: "1", Who: "bob", Operation: "", Info: "", Created: "" })["ID"]).toBe("1 (held by bob)");
});

test("a long text is cut off", () => {
  expect(namedHolder({ ID: "1", Who: "x".repeat(1000) })["ID"]).toBe(`1 (held by ${"x".repeat(292)})`);
});
