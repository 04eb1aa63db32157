import { expect, it } from "vitest";
import { noticeKindOf, readKinds, writeKinds } from "../../../src/console/inbox/notice-kinds.ts";

const AT = "2026-11-29T10:00:00.000Z";

it.each([
  ["YOUR_APPROVAL", {}, "ASKED"],
  ["YOUR_APPROVAL", { escalatedAt: AT }, "ESCALATED"],
  ["ESCALATED", {}, "ESCALATED"],
  ["YOUR_RUN", { isTerminal: true }, "FAILED"],
  ["YOUR_RUN", { isTerminal: false }, null],
  ["STATE_UNKNOWN", { isTerminal: true }, "STATE_UNKNOWN"],
  ["RECOVERED_STATE", {}, "STATE_UNKNOWN"],
  ["OTHERS_APPROVAL", {}, null],
  ["A_LATER_REASON", {}, null],
] as const)("takes %s of a run with %j as %s", (reason, run, kind) => {
  expect(noticeKindOf({ reason, run: { isTerminal: false, ...run } })).toBe(kind);
});

it("keeps a choice, without what it does not know", () => {
  expect(readKinds(writeKinds(["ASKED", "FAILED"]))).toEqual(["ASKED", "FAILED"]);
  expect(readKinds("FAILED,LATER,ASKED,on")).toEqual(["ASKED", "FAILED"]);
  expect(readKinds(null)).toEqual([]);
});
