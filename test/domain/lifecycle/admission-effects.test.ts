import { expect, test } from "vitest";
import { admissionEffects } from "../../../src/domain/lifecycle/transition-changes.ts";
import type { RunStatus } from "../../../src/model/lifecycle/run-status.ts";
import { aRun } from "../../support/decided-run.ts";

type At = readonly [status: RunStatus, holdsWorkspace: boolean];

function effects([before, held]: At, [after, holds]: At) {
  return admissionEffects(
    aRun({ status: before, holdsWorkspace: held }),
    aRun({ status: after, holdsWorkspace: holds }),
  );
}

test.each<[string, At, At, boolean]>([
  ["its admission", ["QUEUED", false], ["READY", true], true],
  ["the admission of a speculative plan", ["QUEUED", false], ["READY", false], true],
  ["the end in the queue", ["QUEUED", false], ["CANCELED", false], true],
  ["the claim of a speculative plan", ["READY", false], ["PREPARING", false], false],
  ["the end of a speculative plan that waits", ["READY", false], ["CANCELED", false], false],
  ["a claim that takes the workspace", ["CONFIRMED", false], ["PREPARING", true], true],
  ["an approval", ["AWAITING_APPLY_APPROVAL", true], ["CONFIRMED", true], true],
  ["an approval without the workspace", ["AWAITING_APPLY_APPROVAL", false], ["CONFIRMED", false], true],
  ["a lost lease", ["PLANNING", true], ["READY", true], true],
  ["a taken back approval", ["CONFIRMED", true], ["AWAITING_APPLY_APPROVAL", true], false],
  ["its end", ["APPLYING", true], ["FINISHED", false], true],
  ["a gate that releases the workspace", ["PLANNING", true], ["AWAITING_APPLY_APPROVAL", false], true],
  ["a gate that takes the workspace", ["AWAITING_APPLY_APPROVAL", false], ["APPLYING", true], true],
])("other runs are looked at after %s", (_name, before, after, blockersChanged) => {
  expect(effects(before, after)).toEqual({ fresh: ["run_1"], blockersChanged });
});

test("a waiting run that only changes its time is not fresh", () => {
  expect(effects(["CONFIRMED", true], ["CONFIRMED", true])).toEqual({ fresh: [], blockersChanged: true });
});

test.each<[string, At, At]>([
  ["the claim of the holder", ["READY", true], ["PREPARING", true]],
  ["the claim of an approved holder", ["CONFIRMED", true], ["PREPARING", true]],
  ["a step of a runner", ["PREPARING", true], ["INITIALIZING", true]],
  ["the end of a speculative plan", ["PLANNING", false], ["FINISHED", false]],
  ["a change of a queued run", ["QUEUED", false], ["QUEUED", false]],
  ["a gate that keeps the workspace", ["PLANNING", true], ["AWAITING_PLAN_APPROVAL", true]],
])("nothing follows for other runs from %s", (_name, before, after) => {
  expect(effects(before, after)).toBeNull();
});
