/** Enumerates everything that the transition table can reach, for the checks in the database and the documentation. */
import { FIRST_LEG, RUN_KINDS, type RunKind, type RunLeg, type RunOutcome } from "./run-kind.ts";
import { nextLeg } from "./run-machine.ts";
import type { RunStatus } from "./run-status.ts";
import { TRANSITIONS } from "./run-transitions.ts";

export interface RunPosition {
  kind: RunKind;
  status: RunStatus;
  leg: RunLeg;
  outcome: RunOutcome | null;
}

export interface StatusChange {
  kind: RunKind;
  /** `null`: the run is created. */
  from: { status: RunStatus; leg: RunLeg } | null;
  to: { status: RunStatus; leg: RunLeg; outcome: RunOutcome | null };
}

/** Returns every status change that some run can make, once each, in the order of discovery. */
export function legalChanges(): StatusChange[] {
  const found = new Map<string, StatusChange>();
  for (const kind of RUN_KINDS) {
    for (const row of TRANSITIONS.filter((r) => r.from === null && r.kinds.includes(kind))) {
      if (row.to !== null)
        add(found, { kind, from: null, to: { status: row.to, leg: FIRST_LEG[kind], outcome: null } });
    }
  }
  // The map grows during the iteration, which visits added entries too.
  for (const { kind, to } of found.values()) {
    for (const row of TRANSITIONS) {
      if (row.to === null || !row.kinds.includes(kind)) continue;
      if (row.from?.includes(to.status) !== true || !row.legs.includes(to.leg)) continue;
      const target = { status: row.to, leg: nextLeg(row, kind, to.leg), outcome: row.outcome ?? null };
      add(found, { kind, from: { status: to.status, leg: to.leg }, to: target });
    }
  }
  return [...found.values()];
}

/** Returns every position that a run can have. */
export function reachablePositions(): RunPosition[] {
  const positions = new Map<string, RunPosition>();
  for (const { kind, to } of legalChanges()) positions.set(positionKey({ kind, ...to }), { kind, ...to });
  return [...positions.values()];
}

function positionKey(position: RunPosition): string {
  return [position.kind, position.status, position.leg, position.outcome ?? ""].join(",");
}

function add(found: Map<string, StatusChange>, change: StatusChange): void {
  const key = `${change.from === null ? "" : `${change.from.status},${change.from.leg}`}>${positionKey({ kind: change.kind, ...change.to })}`;
  if (!found.has(key)) found.set(key, change);
}
