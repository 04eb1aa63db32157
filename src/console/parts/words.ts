/** Writes a name of the API for people: `AWAITING_PLAN_APPROVAL` is "awaiting plan approval". */
export function wordsOf(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}

/** Gives the words of a choice; those of its name if a later release has added it. */
export const choiceText = (choices: Readonly<Record<string, string>>, name: string): string =>
  choices[name] ?? wordsOf(name);

/** Gives the choices of a field, with the one that is chosen: a later release may have added it. */
export function choicesWith(choices: Readonly<Record<string, string>>, chosen: string): (readonly [string, string])[] {
  const known = Object.entries(choices);
  return Object.hasOwn(choices, chosen) ? known : [[chosen, wordsOf(chosen)], ...known];
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
