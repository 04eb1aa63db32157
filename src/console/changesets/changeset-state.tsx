import type { ChangesetRowFragment } from "../generated/graphql.ts";
import { Mark } from "../parts/mark.tsx";
import { type Tone, wordsOf } from "../parts/words.ts";

/** A later release may have more states, which are shown as work. */
const TONES: Readonly<Record<string, Tone>> = {
  PLANNED: "asks",
  APPLIED: "good",
  PARTLY_APPLIED: "bad",
  FAILED: "bad",
  NO_CHANGES: "quiet",
  DISCARDED: "quiet",
  SUPERSEDED: "quiet",
};

/** Where a changeset is. */
export function ChangesetState({ changeset: { state, heldAt } }: { changeset: ChangesetRowFragment }) {
  if (heldAt != null) return <Mark tone="asks">held: many runs</Mark>;
  return <Mark tone={TONES[state] ?? "busy"}>{wordsOf(state)}</Mark>;
}

const COUNTS = [
  ["waiting", "wait for people"],
  ["failed", "failed"],
  ["applied", "applied"],
  ["noChanges", "without changes"],
  ["skipped", "skipped"],
  ["unwanted", "not wanted"],
] as const satisfies readonly (readonly [keyof ChangesetRowFragment["counts"], string])[];

/** Counts the workspaces of a changeset by what became of them. */
export function workspacesOf({ counts }: Pick<ChangesetRowFragment, "counts">): string {
  const parts = COUNTS.filter(([name]) => counts[name] > 0).map(([name, word]) => `${counts[name]} ${word}`);
  const all = `${counts.workspaces} ${counts.workspaces === 1 ? "workspace" : "workspaces"}`;
  return parts.length === 0 ? all : `${all}: ${parts.join(", ")}`;
}
