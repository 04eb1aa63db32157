/** Decides which workspaces a change of a ref starts a run in. */

export const TRIGGER_OUTCOMES = ["RUN_CREATED", "SKIPPED", "WAITING_FOR_OK"] as const;
export type TriggerOutcome = (typeof TRIGGER_OUTCOMES)[number];

export const TRIGGER_REASONS = [
  "AFFECTED",
  "ALREADY_RUN",
  "COMMIT_MISSING",
  "INPUTS_UNCHANGED",
  "MESSAGE_SAYS_SKIP",
  "NOT_TRACKED",
  "REF_DELETED",
  "SOURCE_UNREADABLE",
  "SUPERSEDED",
  "TAG_MOVED",
  "TOO_MANY",
] as const;
export type TriggerReason = (typeof TRIGGER_REASONS)[number];

/** The result of a change of a ref for one workspace. */
export interface TriggerVerdict {
  outcome: TriggerOutcome;
  reason: TriggerReason;
  /** For people. */
  message: string;
}

/** A verdict that is stored. */
export interface TriggerDecision extends TriggerVerdict {
  refChangeId: string;
  workspaceId: string;
  /** The digest of the inputs at the new commit; `null` if they were not read. */
  inputsDigest: string | null;
  /** The paths that differ from what was compared; `[]` if that is not known. */
  changed: readonly string[];
  at: string;
}

/** A commit with this in its message starts no run. */
const SKIP = /\[(?:skip holdpoint|holdpoint skip)\]/i;

/** Whether the message of a commit asks for no run. */
export function asksToSkip(message: string): boolean {
  return SKIP.test(message);
}

/** The inputs of a workspace at a commit: their digest, or why they cannot be read. */
export type FoundInputs = { digest: string } | { problem: string };

/** The facts by which a workspace is judged. */
export interface TriggerFacts {
  /** Why the workspace does not follow the ref, as a sentence; `null` if it does. */
  notFollowed: string | null;
  isTag: boolean;
  /** Whether the ref is not there any more. */
  isDeleted: boolean;
  /** Whether the ref was there before, and something was decided about it. */
  isMoved: boolean;
  skips: boolean;
  after: FoundInputs;
  /** Those of the newest run that was made for the ref; `null` if there is none. */
  done: string | null;
  /** Those of the commit before; `null` if they are not known. */
  before: string | null;
}

/** Returns a verdict by which no run is made. */
export function skipped(reason: TriggerReason, message: string): TriggerVerdict {
  return { outcome: "SKIPPED", reason, message };
}

/**
 * Judges a workspace. A branch that it follows starts a run if the inputs differ from those of the newest run that was made
 * for it, and in a workspace without one if they differ from those of the commit before. A new tag always starts one; a
 * tag that was decided before and moves never does.
 */
export function judgeTrigger(facts: TriggerFacts): TriggerVerdict {
  const { notFollowed, isTag, isMoved, isDeleted, skips, after, done, before } = facts;
  if (notFollowed !== null) return skipped("NOT_TRACKED", notFollowed);
  if (isDeleted) return skipped("REF_DELETED", `The ${isTag ? "tag" : "branch"} was deleted, which starts no run.`);
  if (isTag && isMoved)
    return skipped("TAG_MOVED", "The tag was there before. Only a new tag starts a run: create one.");
  if ("problem" in after) return skipped("SOURCE_UNREADABLE", `The source cannot be read: it ${after.problem}`);
  if (!isTag && after.digest === done) return skipped("ALREADY_RUN", "The newest run was made from the same inputs.");
  if (!isTag && done === null && after.digest === before) {
    return skipped("INPUTS_UNCHANGED", "The change does not concern files that the workspace reads.");
  }
  if (skips) return skipped("MESSAGE_SAYS_SKIP", "The message of the commit contains [skip holdpoint].");
  const message = isTag ? "The tag is new." : "The change concerns files that the workspace reads.";
  return { outcome: "RUN_CREATED", reason: "AFFECTED", message };
}

/** Holds the runs of a change back if there are more than `most`: a person lets them begin. */
export function withBrake<Judged extends { verdict: TriggerVerdict }>(
  judged: readonly Judged[],
  most: number,
): Judged[] {
  const count = judged.filter(({ verdict }) => verdict.outcome === "RUN_CREATED").length;
  if (count <= most) return [...judged];
  const message = `The change starts more than ${most} runs. They begin when a person continues the changeset.`;
  const held: TriggerVerdict = { outcome: "WAITING_FOR_OK", reason: "TOO_MANY", message };
  return judged.map((one) => (one.verdict.outcome === "RUN_CREATED" ? { ...one, verdict: held } : one));
}

/** The reasons that are not stored: they are the rule, and follow from the repository (`explainTrigger`). */
const DERIVED: ReadonlySet<TriggerReason> = new Set([
  "ALREADY_RUN",
  "COMMIT_MISSING",
  "INPUTS_UNCHANGED",
  "NOT_TRACKED",
  "REF_DELETED",
  "SUPERSEDED",
]);

/** Whether a verdict is stored. */
export function isStored({ reason }: TriggerVerdict): boolean {
  return !DERIVED.has(reason);
}

const TITLE_LENGTH = 200;

/** Returns the first line of a commit's message. */
export function titleOf(message: string, commit: string): string {
  const line = (message.split("\n", 1)[0] ?? "").replace(/\p{Cc}/gu, " ").trim();
  return line === "" ? commit.slice(0, 12) : line.slice(0, TITLE_LENGTH).toWellFormed();
}
