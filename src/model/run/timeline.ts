/** The statuses that a run went through, as a person reads its history. */
import { isTerminal, type RunStatus } from "../lifecycle/run-status.ts";
import { FIRST_LEG, type RunLeg } from "../lifecycle/run-kind.ts";
import type { Run } from "./run.ts";
import type { RunEvent } from "./run-event.ts";
import { legalChanges } from "../lifecycle/run-reach.ts";

export type StatusChanged = Extract<RunEvent, { type: "STATUS_CHANGED" }>;

/** A stretch of a run in one status. */
export interface TimelineEntry {
  status: RunStatus;
  leg: RunLeg;
  at: string;
  /** Who brought the run there. */
  actorId: string;
  reason: string | null;
  /** Until the next status; null while it is the current one, and for the end. */
  durationMs: number | null;
}

/** Events name no legs: what the machine allows does, because a change of status has one leg to go to. */
const LEG_AFTER: ReadonlyMap<string, RunLeg> = new Map(
  // An apply that is skipped goes from a plan to the end of the apply: that is the last entry, whose leg is the run's.
  legalChanges()
    .filter(({ to }) => to.outcome !== "APPLY_SKIPPED")
    .map(({ kind, from, to }) => [[kind, from?.status ?? "", from?.leg ?? "", to.status].join(), to.leg]),
);

/** `changes`: all of the run's, oldest first. */
export function timelineOf(run: Pick<Run, "kind" | "leg">, changes: readonly StatusChanged[]): TimelineEntry[] {
  let leg: RunLeg = FIRST_LEG[run.kind];
  return changes.map(({ from, to, at, actorId, reason }, index) => {
    const next = changes[index + 1];
    const fromLeg = from === null ? "" : leg;
    leg = next === undefined ? run.leg : (LEG_AFTER.get([run.kind, from ?? "", fromLeg, to].join()) ?? leg);
    const durationMs = next === undefined || isTerminal(to) ? null : Date.parse(next.at) - Date.parse(at);
    return { status: to, leg, at, actorId, reason, durationMs };
  });
}
