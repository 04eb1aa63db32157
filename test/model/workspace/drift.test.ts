import { expect, test } from "vitest";
import { type Drift, driftAfter } from "../../../src/model/workspace/drift.ts";

const AT = "2026-03-01T00:00:00.000Z";
const LATER = "2026-03-02T00:00:00.000Z";
const found: Drift = { foundAt: AT, runId: "run_1", resources: 1, outputs: 0, fingerprint: "a", isReported: true };
const check = { at: LATER, runId: "run_2", resources: 1, outputs: 0, fingerprint: "a", isAcknowledged: false };

test("a finding begins with the first check that shows something", () => {
  expect(driftAfter(null, { ...check, at: AT, runId: "run_1" })).toEqual({ drift: found, change: "FOUND" });
  const outputs = { ...check, resources: 0, outputs: 2 };
  expect(driftAfter(null, outputs)).toMatchObject({ drift: { resources: 0, outputs: 2 }, change: "FOUND" });
});

test("it stays the same while checks show the same, and names the newest", () => {
  expect(driftAfter(found, check)).toEqual({ drift: { ...found, runId: "run_2" }, change: null });
});

test("it changes with what differs, and not with how many alone", () => {
  const other = { ...check, fingerprint: "b" };
  expect(driftAfter(found, other)).toEqual({
    drift: { ...found, runId: "run_2", fingerprint: "b" },
    change: "CHANGED",
  });
  expect(driftAfter(found, { ...check, resources: 2 })).toMatchObject({ drift: { resources: 2 }, change: null });
});

test("it goes with a check that shows nothing", () => {
  const nothing = { ...check, resources: 0, fingerprint: "" };
  expect(driftAfter(found, nothing)).toEqual({ drift: null, change: "GONE" });
  expect(driftAfter(null, nothing)).toEqual({ drift: null, change: null });
});

test("an acknowledged one is not reported until the acknowledgement ends", () => {
  const silent = driftAfter(null, { ...check, isAcknowledged: true });
  expect(silent).toEqual({ drift: { ...found, foundAt: LATER, runId: "run_2", isReported: false }, change: null });
  expect(driftAfter(silent.drift, { ...check, isAcknowledged: true })).toEqual(silent);
  expect(driftAfter(silent.drift, check)).toMatchObject({ drift: { isReported: true }, change: "FOUND" });
});

test("an acknowledgement that comes after the message does not repeat it when it ends", () => {
  const known = driftAfter(found, { ...check, isAcknowledged: true });
  expect(known).toMatchObject({ drift: { isReported: true }, change: null });
  expect(driftAfter(known.drift, check)).toMatchObject({ change: null });
});

test("another drift is reported although one was acknowledged", () => {
  const { drift } = driftAfter(null, { ...check, isAcknowledged: true });
  expect(driftAfter(drift, { ...check, fingerprint: "b" })).toMatchObject({ change: "CHANGED" });
});
