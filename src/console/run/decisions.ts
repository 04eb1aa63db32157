/** The commands that a page offers about a run, as the API names them. */
import type { RunPageFragment } from "../generated/graphql.ts";

export type DecisionName = "approvePlan" | "approveApply" | "reject" | "replan" | "discard" | "cancel";

export interface DecisionOffer {
  readonly name: DecisionName;
  /** The action of the API that allows it. */
  readonly action: string;
  /** The key that opens its dialog. */
  readonly key: string;
  readonly tone: "primary" | "danger" | "";
  readonly label: (run: RunPageFragment) => string;
}

export const DECISIONS: readonly DecisionOffer[] = [
  {
    name: "approvePlan",
    action: "APPROVE_PLAN",
    key: "a",
    tone: "primary",
    label: ({ plan }) => `Approve plan v${plan?.version ?? "?"}…`,
  },
  { name: "approveApply", action: "APPROVE_APPLY", key: "a", tone: "primary", label: () => "Approve apply…" },
  { name: "reject", action: "REJECT", key: "r", tone: "danger", label: () => "Reject…" },
  { name: "replan", action: "REPLAN", key: "R", tone: "", label: () => "Plan again…" },
  { name: "discard", action: "DISCARD", key: "d", tone: "", label: () => "Discard…" },
  { name: "cancel", action: "CANCEL", key: "c", tone: "", label: () => "Cancel…" },
];
