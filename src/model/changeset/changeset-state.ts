/** The state of a changeset, as its members have it. The database has a copy for lists by state: `changeset_state`. */
import type { ChangesetFigures, SeenChangeset } from "./changeset.ts";

export const CHANGESET_STATES = [
  "APPLIED",
  "APPLYING",
  "DISCARDED",
  "FAILED",
  "NO_CHANGES",
  "PARTLY_APPLIED",
  "PLANNED",
  "PLANNING",
  "SUPERSEDED",
] as const;
export type ChangesetState = (typeof CHANGESET_STATES)[number];

type StateFigures = Pick<
  ChangesetFigures,
  "workspaces" | "ended" | "failed" | "unwanted" | "applied" | "planned" | "waiting" | "approved" | "supersededById"
>;

/** Derives the state of a changeset from the standings of its members. */
export function stateOf({
  discardedAt,
  figures,
}: {
  discardedAt: string | null;
  figures: StateFigures;
}): ChangesetState {
  const { workspaces, ended, failed, unwanted, applied, planned, waiting, approved, supersededById } = figures;
  if (ended < workspaces) {
    if (approved + applied > 0) return "APPLYING";
    return ended + waiting < workspaces ? "PLANNING" : "PLANNED";
  }
  if (applied > 0) return failed + unwanted > 0 ? "PARTLY_APPLIED" : "APPLIED";
  if (failed > 0) return "FAILED";
  if (discardedAt !== null) return "DISCARDED";
  if (planned > 0) return "PLANNED";
  if (unwanted > 0) return supersededById === null ? "DISCARDED" : "SUPERSEDED";
  return "NO_CHANGES";
}

/** When all members that a caller sees were applied, as far as they had changes; `null` if they were not. */
export function appliedAtOf(changeset: SeenChangeset): string | null {
  return stateOf(changeset) === "APPLIED" ? changeset.figures.lastEndedAt : null;
}
