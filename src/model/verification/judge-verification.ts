/** Decides whether a verification has a result. Pure. */
import type { EnforcementLevel } from "../policy/policy-set.ts";
import { isFresh, type ProbeProgress } from "./verification.ts";
import type { VerificationSettings } from "../workspace/verification-settings.ts";

/** The answer of an external check after the apply. */
export interface CheckAnswer {
  name: string;
  /** It has not ended. */
  open: boolean;
  level: EnforcementLevel;
  /** The level of its failure; `null` if it passed, or is open. */
  failure: EnforcementLevel | null;
  message: string | null;
}

export interface VerificationInput {
  settings: Pick<VerificationSettings, "intervalSeconds" | "successesInARow" | "failFastAfter">;
  probes: readonly ProbeProgress[];
  checks: readonly CheckAnswer[];
  at: string;
  /** The end of the window. */
  endsAt: string;
  /** Why no runner sends probes; `null` if one does, or it does not matter. */
  missingProber: string | null;
  /** Which required probe is another one than at the start; `null` if none is. */
  changedProbe: string | null;
}

export type VerificationVerdict =
  | { verdict: "CONTINUE" }
  | { verdict: "PASSED" }
  | { verdict: "FAILED"; reason: string }
  /** `needsPerson`: no setting may take it as passed. Absent: one may. */
  | { verdict: "INCONCLUSIVE"; reason: string; needsPerson?: true };

const CONTINUE: VerificationVerdict = { verdict: "CONTINUE" };

/**
 * Judges a verification. It passes once all required probes pass often enough at the same time and no check is open. It
 * fails for what was seen to be bad, and is inconclusive for what was not seen at all, or was made easier meanwhile.
 */
export function judgeVerification(input: VerificationInput): VerificationVerdict {
  const { probes, settings, checks, at, endsAt, changedProbe } = input;
  const denied = checks.find(({ failure }) => failure === "MANDATORY");
  if (denied !== undefined) return { verdict: "FAILED", reason: sentence(denied, "failed") };
  const required = probes.filter(({ weight }) => weight === "REQUIRED");
  const failed = required.find((probe) => isFailedFast(probe, settings));
  if (failed !== undefined) return { verdict: "FAILED", reason: failureOf(failed) };
  if (changedProbe !== null) return { verdict: "INCONCLUSIVE", reason: changedProbe, needsPerson: true };
  const isOver = at >= endsAt;
  const missing = required.filter((probe) => !isPassing(probe, settings, at));
  if (missing.length > 0) return isOver ? verdictAtEnd(missing, input) : CONTINUE;
  // Probes that decide nothing are shown, so they get the time in which required ones would have passed.
  const isShown =
    required.length > 0 ||
    probes.every(({ attempts, final }) => final === true || attempts >= settings.successesInARow);
  if (!isOver && !isShown) return CONTINUE;
  // A check has limits of its own, which may end after the window.
  if (checks.some(({ open, level }) => open && level !== "ADVISORY")) return CONTINUE;
  const asking = checks.find(({ failure }) => failure === "SOFT_MANDATORY");
  return asking === undefined ? { verdict: "PASSED" } : { verdict: "INCONCLUSIVE", reason: sentence(asking, "asks") };
}

/** Whether a required probe passes often enough, and did so lately. */
function isPassing(
  { passesInARow, sampledAt, final = false }: ProbeProgress,
  settings: VerificationInput["settings"],
  at: string,
): boolean {
  if (final) return passesInARow > 0;
  return passesInARow >= settings.successesInARow && isFresh(sampledAt, settings, at);
}

function isFailedFast(
  { failuresInARow, final = false }: ProbeProgress,
  { failFastAfter }: Pick<VerificationSettings, "failFastAfter">,
): boolean {
  if (final) return failuresInARow > 0;
  return failFastAfter !== null && failuresInARow >= failFastAfter;
}

/** The window is over, and these required probes do not pass. */
function verdictAtEnd(
  missing: readonly ProbeProgress[],
  { settings, endsAt, missingProber }: VerificationInput,
): VerificationVerdict {
  const bad = missing.find((probe) => isSeen(probe, settings, endsAt) && probe.lastFailure !== null);
  if (bad !== undefined) return { verdict: "FAILED", reason: failureOf(bad) };
  const [first] = missing;
  const reason = first === undefined ? "It has no result." : unseenReason(first, settings, missingProber);
  return { verdict: "INCONCLUSIVE", reason };
}

/** Whether there are enough samples of a probe, until the end of the window. */
function isSeen(
  { samples, sampledAt, unknown }: ProbeProgress,
  settings: VerificationInput["settings"],
  endsAt: string,
): boolean {
  return !unknown && samples >= settings.successesInARow && isFresh(sampledAt, settings, endsAt);
}

function failureOf({ name, lastFailure }: ProbeProgress): string {
  return `The probe ${name} does not pass. ${lastFailure ?? ""}`.trim();
}

function unseenReason(
  { name, from, unknown, samples, lastFailure }: ProbeProgress,
  settings: { successesInARow: number },
  missingProber: string | null,
): string {
  if (unknown) return `Nothing is known about the probe ${name}. ${lastFailure ?? ""}`.trim();
  const absent = from === "RUNNERS" && missingProber !== null ? missingProber : null;
  if (samples === 0) return `The probe ${name} was never sent. ${absent ?? "No prober was there."}`;
  const few = `The probe ${name} has ${samples} results of this window; ${settings.successesInARow} recent ones are needed.`;
  return absent === null ? few : `${few} ${absent}`;
}

function sentence({ name, message }: CheckAnswer, word: "failed" | "asks"): string {
  const text = word === "failed" ? `The check ${name} failed.` : `The check ${name} asks for a judgement.`;
  return message === null ? text : `${text} ${message}`;
}
