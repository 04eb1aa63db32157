/** The commands that a page offers about a run, as the API names them. */
import type { RunPageFragment } from "../generated/graphql.ts";

export type DecisionName =
  | "approvePlan"
  | "approveApply"
  | "override"
  | "works"
  | "failed"
  | "reject"
  | "replan"
  | "planPicked"
  | "replacePicked"
  | "planAll"
  | "discard"
  | "withdraw"
  | "cancel"
  | "forceStop";

export interface DecisionOffer {
  readonly name: DecisionName;
  /** The action of the API that allows it, or the action that is asked for where it has no other name. */
  readonly action: string;
  readonly needsComment?: true;
  /** The key that opens its dialog; absent if there is none. */
  readonly key?: string;
  readonly tone: "primary" | "danger" | "";
  readonly label: (run: RunPageFragment) => string;
}

/** Gives the commands that a run takes from the viewer now. */
export function offersOf(run: RunPageFragment): DecisionOffer[] {
  return DECISIONS.filter(
    ({ action }) =>
      run.actions.some((known) => known.action === action && known.allowed) || run.requiredAction === action,
  );
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
  {
    name: "override",
    action: "OVERRIDE_POLICIES",
    key: "o",
    tone: "danger",
    needsComment: true,
    label: () => "Override policies…",
  },
  {
    name: "works",
    action: "JUDGE_VERIFICATION",
    key: "w",
    tone: "primary",
    needsComment: true,
    label: () => "It works…",
  },
  {
    name: "failed",
    action: "JUDGE_VERIFICATION",
    key: "f",
    tone: "danger",
    needsComment: true,
    label: () => "It does not work…",
  },
  { name: "reject", action: "REJECT", key: "r", tone: "danger", label: () => "Reject…" },
  { name: "replan", action: "REPLAN", key: "R", tone: "", label: () => "Plan again…" },
  { name: "discard", action: "DISCARD", key: "d", tone: "", label: () => "Discard…" },
  { name: "withdraw", action: "WITHDRAW_APPROVAL", tone: "", label: () => "Withdraw your approval…" },
  { name: "cancel", action: "CANCEL", key: "C", tone: "", label: () => "Cancel…" },
  { name: "forceStop", action: "FORCE_STOP", tone: "danger", label: () => "Stop by force…" },
];
