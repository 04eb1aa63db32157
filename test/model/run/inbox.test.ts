import { expect, it } from "vitest";
import type { RunStatus } from "../../../src/model/lifecycle/run-status.ts";
import { concernsInboxes, type InboxFacts, inboxEntry, type InboxReason } from "../../../src/model/run/inbox.ts";

const [GATE, ESCALATED, LOCK, STATE, FAILURE] = [1, 2, 3, 4, 5].map((day) => `2026-06-0${day}T00:00:00.000Z`);
const NOTHING: InboxFacts = {
  runId: "run_1",
  atGate: null,
  escalatedAt: null,
  interruptedAt: null,
  recoveredAt: null,
  failedAt: null,
  createdById: "usr_other",
};
const atGate = { atGate: { gate: "PLAN", since: GATE ?? "" } } as const;
const mine = { createdById: "usr_me" };

it.each<[InboxReason, Partial<InboxFacts>, boolean, string | undefined]>([
  ["YOUR_APPROVAL", { ...atGate, escalatedAt: ESCALATED ?? "", interruptedAt: LOCK ?? "", ...mine }, true, GATE],
  ["ESCALATED", { ...atGate, escalatedAt: ESCALATED ?? "", interruptedAt: LOCK ?? "", ...mine }, false, ESCALATED],
  ["STATE_UNKNOWN", { ...atGate, interruptedAt: LOCK ?? "", recoveredAt: STATE ?? "" }, false, LOCK],
  ["STATE_UNKNOWN", { interruptedAt: LOCK ?? "", recoveredAt: STATE ?? "", failedAt: FAILURE ?? "" }, false, LOCK],
  ["RECOVERED_STATE", { ...atGate, recoveredAt: STATE ?? "", ...mine }, false, STATE],
  ["RECOVERED_STATE", { recoveredAt: STATE ?? "", failedAt: FAILURE ?? "", ...mine }, false, STATE],
  ["YOUR_RUN", { ...atGate, ...mine }, false, GATE],
  ["YOUR_RUN", { failedAt: FAILURE ?? "", ...mine }, false, FAILURE],
  ["OTHERS_APPROVAL", atGate, false, GATE],
  ["FAILED", { failedAt: FAILURE ?? "" }, false, FAILURE],
])("%s is the first reason of %j", (reason, facts, mayApprove, since) => {
  expect(inboxEntry({ ...NOTHING, ...facts }, "usr_me", mayApprove)).toEqual({ runId: "run_1", reason, since });
});

it("is nothing for a run that needs no person", () => {
  expect(inboxEntry(NOTHING, "usr_me", true)).toBeNull();
});

it.each<[RunStatus, RunStatus, boolean]>([
  ["QUEUED", "READY", false],
  ["PLANNING", "POLICY_CHECKING", false],
  ["PLANNING", "AWAITING_PLAN_APPROVAL", true],
  ["AWAITING_PLAN_APPROVAL", "AWAITING_PLAN_APPROVAL", true],
  ["AWAITING_APPLY_APPROVAL", "CONFIRMED", true],
  ["AWAITING_PLAN_APPROVAL", "DISCARDED", true],
  ["APPLYING", "FINISHED", false],
  ["APPLYING", "FAILED", true],
  ["PLANNING", "TIMED_OUT", true],
  ["APPLYING", "STOPPED", true],
])("a run that was %s and is %s may change an inbox: %s", (before, after, may) => {
  expect(concernsInboxes(before, after)).toBe(may);
});
