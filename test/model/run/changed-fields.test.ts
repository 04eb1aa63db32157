import { expect, test } from "vitest";
import { RUN_KINDS, type RunKind } from "../../../src/model/lifecycle/run-kind.ts";
import type { RunStatus } from "../../../src/model/lifecycle/run-status.ts";
import { changedWorkspaceFields } from "../../../src/model/run/changed-fields.ts";

/** The fields that a change from one status to another may have moved. */
const moved = (from: RunStatus | null, to: RunStatus, kind: RunKind = "DEPLOY"): string[] => {
  const run = (status: RunStatus) => ({ kind, status, holdsWorkspace: true });
  return changedWorkspaceFields(from === null ? null : run(from), run(to)).filter((field) => field !== "currentRun");
};

test.each<[RunStatus | null, RunStatus, boolean]>([
  [null, "QUEUED", true],
  ["QUEUED", "READY", false],
  ["PLANNING", "AWAITING_PLAN_APPROVAL", true],
  ["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL", false],
  ["AWAITING_APPLY_APPROVAL", "CONFIRMED", true],
  ["AWAITING_APPLY_APPROVAL", "DISCARDED", true],
  ["APPLYING", "FINISHED", true],
  ["FINISHED", "FINISHED", false],
  [null, "SKIPPED", true],
])("from %s to %s the deployment status may have moved: %s", (from, to, expected) => {
  expect(moved(from, to)).toEqual(expected ? ["deploymentStatus"] : []);
});

test("runs of some kinds alone deploy", () => {
  const deploying = RUN_KINDS.filter((kind) => moved("APPLYING", "FINISHED", kind).length > 0);
  expect(deploying).toEqual(["DEPLOY", "DESTROY", "APPLY"]);
});

test("the current run moves with the hold on the workspace", () => {
  const run = (holdsWorkspace: boolean) => ({ kind: "PLAN", status: "PLANNING", holdsWorkspace }) as const;
  expect(changedWorkspaceFields(run(false), run(true))).toEqual(["currentRun"]);
  expect(changedWorkspaceFields(run(true), run(false))).toEqual(["currentRun"]);
  expect(changedWorkspaceFields(run(true), run(true))).toEqual([]);
  expect(changedWorkspaceFields(null, run(true))).toEqual(["currentRun"]);
  expect(changedWorkspaceFields(null, run(false))).toEqual([]);
});
