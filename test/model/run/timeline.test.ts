import { expect, test } from "vitest";
import type { RunKind, RunLeg } from "../../../src/model/lifecycle/run-kind.ts";
import { legalChanges } from "../../../src/model/lifecycle/legal-changes.ts";
import { isTerminal, type RunStatus, STATUS_TRAITS } from "../../../src/model/lifecycle/run-status.ts";
import { type StatusChanged, timelineOf } from "../../../src/model/run/timeline.ts";

function changes(...statuses: RunStatus[]): StatusChanged[] {
  return statuses.map((to, index) => ({
    type: "STATUS_CHANGED",
    runId: "run_1",
    version: index + 1,
    at: new Date(index * index * 1000).toISOString(),
    actorId: `usr_${index}`,
    from: statuses[index - 1] ?? null,
    to,
    reason: index === 0 ? null : `why ${index}`,
  }));
}

const shown = (kind: RunKind, leg: RunLeg, ...statuses: RunStatus[]) =>
  timelineOf({ kind, leg }, changes(...statuses)).map((entry) => `${entry.status}/${entry.leg}`);

test("each status has its leg, actor, reason and length; the last one has no length", () => {
  expect(timelineOf({ kind: "DEPLOY", leg: "PLAN" }, changes("QUEUED", "READY", "PREPARING"))).toEqual([
    { status: "QUEUED", leg: "PLAN", at: expect.any(String), actorId: "usr_0", reason: null, durationMs: 1000 },
    { status: "READY", leg: "PLAN", at: expect.any(String), actorId: "usr_1", reason: "why 1", durationMs: 3000 },
    { status: "PREPARING", leg: "PLAN", at: expect.any(String), actorId: "usr_2", reason: "why 2", durationMs: null },
  ]);
});

test("legs follow the run through a replan and a destroy", () => {
  const begin = ["QUEUED", "READY", "PREPARING", "INITIALIZING", "PLANNING", "AWAITING_PLAN_APPROVAL"] as const;
  const again = ["REPLAN_REQUESTED", "PREPARING", "INITIALIZING", "PLANNING", "AWAITING_APPLY_APPROVAL"] as const;
  const destroy = ["CONFIRMED", "PREPARING", "CONFIRMED", "PREPARING", "APPLYING", "FAILED"] as const;
  expect(shown("DESTROY", "DESTROY", ...begin, ...again, ...destroy)).toEqual([
    ...begin.map((status) => `${status}/PLAN`),
    ...again.map((status) => `${status}/REPLAN`),
    ...destroy.map((status) => `${status}/DESTROY`),
  ]);
});

test("a skipped apply ends on the leg of the apply", () => {
  const statuses = ["QUEUED", "READY", "PREPARING", "INITIALIZING", "PLANNING", "FINISHED"] as const;
  expect(shown("DEPLOY", "APPLY", ...statuses).slice(-2)).toEqual(["PLANNING/PLAN", "FINISHED/APPLY"]);
  expect(shown("DEPLOY", "PLAN", ...statuses).slice(-2)).toEqual(["PLANNING/PLAN", "FINISHED/PLAN"]);
});

test("an approved run that is taken back returns to the leg that made its plan", () => {
  const begin = ["QUEUED", "READY", "PREPARING", "INITIALIZING", "PLANNING", "AWAITING_APPLY_APPROVAL"] as const;
  const replan = ["REPLAN_REQUESTED", "PREPARING", "INITIALIZING", "PLANNING", "AWAITING_APPLY_APPROVAL"] as const;
  const back = ["CONFIRMED", "AWAITING_APPLY_APPROVAL"] as const;
  expect(shown("DEPLOY", "REPLAN", ...begin, ...back, ...replan, ...back, "DISCARDED")).toEqual([
    ...begin.map((status) => `${status}/PLAN`),
    "CONFIRMED/APPLY",
    "AWAITING_APPLY_APPROVAL/PLAN",
    ...replan.map((status) => `${status}/REPLAN`),
    "CONFIRMED/APPLY",
    "AWAITING_APPLY_APPROVAL/REPLAN",
    "DISCARDED/REPLAN",
  ]);
});

test("a change of status has one leg to go to, but for an end and for what is taken back", () => {
  const legs = new Map<string, Set<RunLeg>>();
  for (const { kind, from, to } of legalChanges()) {
    if (isTerminal(to.status)) continue;
    const back = STATUS_TRAITS[from?.status ?? "QUEUED"].approved && STATUS_TRAITS[to.status].gate !== null;
    if (back) expect(["PLAN", "REPLAN", from?.leg]).toContain(to.leg);
    if (back) continue;
    const key = `${kind} ${from?.status}/${from?.leg} ${to.status}`;
    legs.set(key, (legs.get(key) ?? new Set()).add(to.leg));
  }
  expect([...legs].filter(([, found]) => found.size > 1)).toEqual([]);
});
