/** The statuses of a run in order, for its history. */
import { isTerminal, type RunStatus } from "../lifecycle/run-status.ts";
import { FIRST_LEG, type RunKind, type RunLeg } from "../lifecycle/run-kind.ts";
import type { Run } from "./run.ts";
import type { RunEvent } from "./run-event.ts";
import { legalChanges } from "../lifecycle/legal-changes.ts";

export type StatusChanged = Extract<RunEvent, { type: "STATUS_CHANGED" }>;

/** One status of a run, with its duration. */
export interface TimelineEntry {
  status: RunStatus;
  leg: RunLeg;
  at: string;
  /** The actor of the transition. */
  actorId: string;
  reason: string | null;
  /** The time until the next status; `null` for the current one and for the end. */
  durationMs: number | null;
}

/**
 * The legs that may follow a change of status. Events name no legs. Most changes determine one; two do not: an end,
 * which keeps the leg of the run, and an approved run that is taken back.
 */
const LEGS_AFTER: ReadonlyMap<string, ReadonlySet<RunLeg>> = new Map(
  [...Map.groupBy(legalChanges(), ({ kind, from, to }) => changeKey(kind, from, to.status))].map(([key, changes]) => [
    key,
    new Set(changes.map(({ to }) => to.leg)),
  ]),
);

function changeKey(kind: RunKind, from: { status: RunStatus; leg: RunLeg } | null, to: RunStatus): string {
  return [kind, from?.status ?? "", from?.leg ?? "", to].join();
}

/** Builds the timeline from all status changes of a run, oldest first. */
export function timelineOf(run: Pick<Run, "kind" | "leg">, changes: readonly StatusChanged[]): TimelineEntry[] {
  const legs: RunLeg[] = [FIRST_LEG[run.kind]];
  return changes.map(({ from, to, at, actorId, reason }, index) => {
    const next = changes[index + 1];
    const before = legs.at(-1) ?? run.leg;
    const after = LEGS_AFTER.get(changeKey(run.kind, from === null ? null : { status: from, leg: before }, to));
    // A run that is taken back returns to its earlier leg.
    const [only = before] = after?.size === 1 ? after : legs.filter((each) => after?.has(each) === true).slice(-1);
    const leg = next === undefined ? run.leg : only;
    if (leg !== before) legs.push(leg);
    const durationMs = next === undefined || isTerminal(to) ? null : Date.parse(next.at) - Date.parse(at);
    return { status: to, leg, at, actorId, reason, durationMs };
  });
}
