/** Decides why a run is in the inbox of a person. */
import type { Gate } from "../approval/approval.ts";
import { type RunStatus, STATUS_TRAITS } from "../lifecycle/run-status.ts";

/** In the order in which they are tried: a run has the first that applies. */
export const INBOX_REASONS = [
  "YOUR_APPROVAL",
  "ESCALATED",
  "STATE_UNKNOWN",
  "RECOVERED_STATE",
  "YOUR_RUN",
  "OTHERS_APPROVAL",
  "FAILED",
] as const;
export type InboxReason = (typeof INBOX_REASONS)[number];

/** The facts about a run that decide whether it needs a person. */
export interface InboxFacts {
  runId: string;
  /** The gate at which it waits, and since when; `null` if it waits at none. */
  atGate: { gate: Gate; since: string } | null;
  /** Since when it has exceeded the limit of that gate. */
  escalatedAt: string | null;
  /** Since when its workspace is locked because its apply was interrupted. */
  interruptedAt: string | null;
  /** When the first of its recovered states came about which no person has decided. */
  recoveredAt: string | null;
  /** When it failed, if that is recent and it is the newest run of its workspace. */
  failedAt: string | null;
  createdById: string;
}

export interface InboxEntry {
  runId: string;
  reason: InboxReason;
  since: string;
}

/** Whether a change of a run from one status to another, or within one, may change an inbox. */
export function concernsInboxes(before: RunStatus, after: RunStatus): boolean {
  const { gate, end } = STATUS_TRAITS[after];
  return STATUS_TRAITS[before].gate !== null || gate !== null || end === "BADLY" || end === "STOPPED";
}

/** Returns the entry of a run in the inbox of an actor; `null` if it needs no person. `mayApprove`: the actor can add an approval now. */
export function inboxEntry(facts: InboxFacts, actorId: string, mayApprove: boolean): InboxEntry | null {
  const { runId, atGate, escalatedAt, interruptedAt, recoveredAt, failedAt } = facts;
  const isOwn = facts.createdById === actorId;
  const entry = (reason: InboxReason, since: string): InboxEntry => ({ runId, reason, since });
  if (atGate !== null) {
    if (mayApprove) return entry("YOUR_APPROVAL", atGate.since);
    if (escalatedAt !== null) return entry("ESCALATED", escalatedAt);
  }
  if (interruptedAt !== null) return entry("STATE_UNKNOWN", interruptedAt);
  if (recoveredAt !== null) return entry("RECOVERED_STATE", recoveredAt);
  if (atGate !== null) return entry(isOwn ? "YOUR_RUN" : "OTHERS_APPROVAL", atGate.since);
  return failedAt === null ? null : entry(isOwn ? "YOUR_RUN" : "FAILED", failedAt);
}
