/** What members of changesets, and their changeset, are: written apart from the model, by lists of statuses. */
import type { ChangesetState } from "../../src/model/changeset/changeset-state.ts";
import type { MemberStanding } from "../../src/model/changeset/member-standing.ts";
import type { RunLeg, RunOutcome } from "../../src/model/lifecycle/run-kind.ts";
import type { RunStatus } from "../../src/model/lifecycle/run-status.ts";

/** A member with its newest run. */
export interface NaiveMember {
  problem: string | null;
  discarded: boolean;
  status: RunStatus | null;
  leg: RunLeg | null;
  outcome: RunOutcome | null;
  superseded_by: string | null;
}

const AT_WORK_OF_TASKS = ["PREPARING", "INITIALIZING", "PLANNING", "APPLYING", "PERFORMING"];

export function naiveStanding({ problem, discarded, status, leg, outcome }: NaiveMember): MemberStanding {
  if (problem !== null) return discarded ? "UNWANTED" : "FAILED";
  if (status === null) return "UNCREATED";
  if (status === "SKIPPED") return "SKIPPED";
  if (status === "FAILED" || status === "TIMED_OUT") return "FAILED";
  if (status === "STOPPED") return leg === "APPLY" || leg === "DESTROY" || leg === "TASK" ? "FAILED" : "UNWANTED";
  if (["REJECTED", "DISCARDED", "CANCELED"].includes(status)) return "UNWANTED";
  if (status === "FINISHED") {
    if (outcome === "PLANNED") return "PLANNED";
    if (outcome === "APPLY_SKIPPED") return "UNWANTED";
    return outcome === null || outcome === "NO_CHANGES" ? "NO_CHANGES" : "APPLIED";
  }
  if (status.startsWith("AWAITING")) return "WAITING";
  if (status === "CONFIRMED" || leg === "APPLY" || leg === "DESTROY") return "APPROVED";
  return leg === "TASK" && AT_WORK_OF_TASKS.includes(status) ? "APPROVED" : "UNPLANNED";
}

export function naiveState(members: readonly NaiveMember[], discardedAt: string | null): ChangesetState {
  const standings = members.map(naiveStanding);
  const some = (...asked: MemberStanding[]) => standings.some((one) => asked.includes(one));
  const isLive = some("UNCREATED", "UNPLANNED", "WAITING", "APPROVED");
  if (isLive && some("APPROVED", "APPLIED")) return "APPLYING";
  if (some("UNCREATED", "UNPLANNED")) return "PLANNING";
  if (isLive) return "PLANNED";
  if (some("APPLIED")) return some("FAILED", "UNWANTED") ? "PARTLY_APPLIED" : "APPLIED";
  if (some("FAILED")) return "FAILED";
  if (discardedAt !== null) return "DISCARDED";
  if (some("PLANNED")) return "PLANNED";
  if (!some("UNWANTED")) return "NO_CHANGES";
  return members.some((member) => member.superseded_by !== null) ? "SUPERSEDED" : "DISCARDED";
}
