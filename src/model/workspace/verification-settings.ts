/** How the apply of a workspace is verified. */
import { VERIFICATION_LIMITS } from "./verification-limits.ts";

/** The consequence of a verification without a result. ASK: a person judges. */
export const INCONCLUSIVE_ACTIONS = ["ASK", "FAIL", "PASS"] as const;
export type InconclusiveAction = (typeof INCONCLUSIVE_ACTIONS)[number];

/** The verification of a DESTROY. EXPECT_GONE: its targets must not answer any more. */
export const DESTROY_VERIFICATIONS = ["NONE", "EXPECT_GONE"] as const;
export type DestroyVerification = (typeof DESTROY_VERIFICATIONS)[number];

export interface VerificationSettings {
  /** The pause between the apply and the first probes. */
  initialDelaySeconds: number;
  intervalSeconds: number;
  /** From the first probes to the end. */
  windowSeconds: number;
  /** How often each required probe must pass in a row, all of them at the same time. */
  successesInARow: number;
  /** Failures in a row of one required probe that end the verification early; `null`: none do. */
  failFastAfter: number | null;
  onInconclusive: InconclusiveAction;
  afterDestroy: DestroyVerification;
}

export const DEFAULT_VERIFICATION: VerificationSettings = {
  initialDelaySeconds: 10,
  intervalSeconds: 10,
  windowSeconds: 300,
  successesInARow: 3,
  failFastAfter: null,
  onInconclusive: "ASK",
  afterDestroy: "NONE",
};

/** A problem with one field of the settings. */
export interface SettingsProblem {
  field: keyof VerificationSettings;
  message: string;
}

/** Returns what is wrong with settings; empty if nothing is. */
export function verificationProblems(settings: VerificationSettings): SettingsProblem[] {
  const { initialDelaySeconds, intervalSeconds, windowSeconds, successesInARow, failFastAfter } = settings;
  const limits = VERIFICATION_LIMITS;
  const problems: SettingsProblem[] = [
    ...outside("initialDelaySeconds", initialDelaySeconds, limits.initialDelaySeconds),
    ...outside("intervalSeconds", intervalSeconds, limits.intervalSeconds),
    ...outside("windowSeconds", windowSeconds, limits.windowSeconds),
    ...outside("successesInARow", successesInARow, limits.successesInARow),
    ...(failFastAfter === null ? [] : outside("failFastAfter", failFastAfter, limits.failFastAfter)),
  ];
  if (problems.length > 0 || windowSeconds >= intervalSeconds * successesInARow) return problems;
  const least = intervalSeconds * successesInARow;
  const message = `must be at least intervalSeconds × successesInARow, which is ${least}, not ${windowSeconds}.`;
  return [{ field: "windowSeconds", message }];
}

function outside(
  field: keyof VerificationSettings,
  value: number,
  { least, most }: { least: number; most: number },
): SettingsProblem[] {
  if (Number.isInteger(value) && value >= least && value <= most) return [];
  return [{ field, message: `must be a whole number from ${least} to ${most}, not ${value}.` }];
}
