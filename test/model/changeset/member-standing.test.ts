import { describe, expect, it } from "vitest";
import type { SeenChangeset } from "../../../src/model/changeset/changeset.ts";
import { appliedAtOf } from "../../../src/model/changeset/changeset-state.ts";
import { standingOf, type StandingRun } from "../../../src/model/changeset/member-standing.ts";

const run = (status: StandingRun["status"], more: Partial<StandingRun> = {}): StandingRun => {
  return { status, leg: "PLAN", outcome: null, overtaken: false, ...more };
};

describe("the standing of a member", () => {
  it.each([
    ["UNCREATED", null, null],
    ["UNWANTED", null, "DISCARDED"],
    ["FAILED", null, "OTHER"],
    ["UNPLANNED", run("QUEUED"), null],
    ["UNPLANNED", run("PLANNING", { leg: "REPLAN" }), null],
    ["WAITING", run("AWAITING_PLAN_APPROVAL"), null],
    ["APPROVED", run("CONFIRMED", { leg: "APPLY" }), null],
    ["APPROVED", run("PREPARING", { leg: "TASK" }), null],
    ["UNPLANNED", run("QUEUED", { leg: "TASK" }), null],
    ["SKIPPED", run("SKIPPED"), null],
    ["APPLIED", run("FINISHED", { leg: "APPLY", outcome: "APPLIED" }), null],
    ["UNWANTED", run("FINISHED", { leg: "APPLY", outcome: "APPLY_SKIPPED" }), null],
    ["PLANNED", run("FINISHED", { outcome: "PLANNED" }), null],
    ["NO_CHANGES", run("FINISHED", { outcome: "NO_CHANGES" }), null],
    ["UNWANTED", run("DISCARDED"), null],
    ["UNWANTED", run("STOPPED"), null],
    ["FAILED", run("STOPPED", { leg: "APPLY" }), null],
    ["FAILED", run("FAILED"), null],
    ["SKIPPED", run("STOPPED", { overtaken: true }), null],
    ["SKIPPED", run("CANCELED", { overtaken: true }), null],
    ["SKIPPED", run("FINISHED", { outcome: "PLANNED", overtaken: true }), null],
    ["UNPLANNED", run("PLANNING", { overtaken: true }), null],
  ] as const)("is %s of %j with the problem %s", (standing, newest, problem) => {
    expect(standingOf({ run: newest, problem })).toBe(standing);
  });
});

it("a changeset is applied when its last member ended, if all are applied", () => {
  const figures = { workspaces: 1, ended: 1, failed: 0, unwanted: 0, applied: 1, planned: 0, waiting: 0, approved: 0 };
  const seen = (more: object) =>
    ({
      discardedAt: null,
      figures: { ...figures, supersededById: null, lastEndedAt: "2026-11-26T00:00:00.000Z", ...more },
    }) as unknown as SeenChangeset;
  expect(appliedAtOf(seen({}))).toBe("2026-11-26T00:00:00.000Z");
  expect(appliedAtOf(seen({ applied: 0, failed: 1 }))).toBeNull();
});
