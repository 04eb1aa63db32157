/** How far a workspace of a changeset is. */
import type { RunLeg, RunOutcome } from "../lifecycle/run-kind.ts";
import { type RunStatus, STATUS_TRAITS } from "../lifecycle/run-status.ts";

/** The standings of a member: those that end, behind those that do not. The database has a copy: `changeset_standing`. */
export const MEMBER_STANDINGS = [
  "UNCREATED",
  "UNPLANNED",
  "WAITING",
  "APPROVED",
  "APPLIED",
  "PLANNED",
  "NO_CHANGES",
  "SKIPPED",
  "UNWANTED",
  "FAILED",
] as const;
export type MemberStanding = (typeof MEMBER_STANDINGS)[number];

/** The newest run of a member, as far as its standing depends on it. */
export interface StandingRun {
  status: RunStatus;
  leg: RunLeg;
  outcome: RunOutcome | null;
  /** Whether it is a check for drift that an apply has overtaken. */
  overtaken: boolean;
}

export interface StandingMember {
  /** `null`: it has none yet, or cannot have one. */
  run: StandingRun | null;
  /** Why it gets no run: a person discarded the changeset before, or the run could not be created. */
  problem: "DISCARDED" | "OTHER" | null;
}

const OF_OUTCOME = {
  APPLIED: "APPLIED",
  DESTROYED: "APPLIED",
  PERFORMED: "APPLIED",
  UNLOCKED: "APPLIED",
  PLANNED: "PLANNED",
  NO_CHANGES: "NO_CHANGES",
  APPLY_SKIPPED: "UNWANTED",
} as const satisfies Record<RunOutcome, MemberStanding>;

/** Decides the standing of a member. */
export function standingOf({ run, problem }: StandingMember): MemberStanding {
  if (run === null) {
    if (problem === null) return "UNCREATED";
    return problem === "DISCARDED" ? "UNWANTED" : "FAILED";
  }
  const { gate, terminal } = STATUS_TRAITS[run.status];
  if (terminal) return endOf(run);
  if (gate !== null) return "WAITING";
  return isApproved(run) ? "APPROVED" : "UNPLANNED";
}

function endOf({ status, leg, outcome, overtaken }: StandingRun): MemberStanding {
  // What an overtaken check finds is not needed any more.
  if (status === "SKIPPED" || overtaken) return "SKIPPED";
  switch (STATUS_TRAITS[status].end) {
    case "WELL":
      return OF_OUTCOME[outcome ?? "NO_CHANGES"];
    case "UNWANTED":
      return "UNWANTED";
    // Stopped before anything could change: a person or a newer commit did not want it.
    case "STOPPED":
      return isPlanLeg(leg) ? "UNWANTED" : "FAILED";
    case "BADLY":
    case null:
      return "FAILED";
  }
}

/** An approved run waits for a runner, and is fetched by one, before it changes anything. */
function isApproved({ status, leg }: StandingRun): boolean {
  const { approved, runnerBusy } = STATUS_TRAITS[status];
  if (approved) return true;
  return leg === "TASK" ? runnerBusy : !isPlanLeg(leg);
}

function isPlanLeg(leg: RunLeg): boolean {
  return leg === "PLAN" || leg === "REPLAN";
}
