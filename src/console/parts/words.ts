/** Writes a name of the API for people: `AWAITING_PLAN_APPROVAL` is "awaiting plan approval". */
export function wordsOf(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}

export type Tone = "asks" | "busy" | "good" | "bad" | "quiet";

/** The parts of a run that its mark shows. */
export interface Marked {
  readonly status: string;
  readonly isTerminal: boolean;
  readonly outcome?: string | null;
  readonly requiredAction: string;
}

/** Actions that a person must take; a later release may have more, which are shown as work. */
const ASKS = ["REVIEW_PLAN", "CONFIRM_APPLY", "OVERRIDE_POLICY", "JUDGE_VERIFICATION", "RELEASE_LOCK"];

/** Gives the tone of a run: whether it asks for someone, is at work, or how it ended. */
export function toneOf({ isTerminal, outcome, requiredAction }: Marked): Tone {
  if (ASKS.includes(requiredAction)) return "asks";
  if (!isTerminal) return "busy";
  if (outcome != null) return "good";
  return requiredAction === "FIX_AND_RERUN" ? "bad" : "quiet";
}
