/**
 * Converts the limits of runs between the API, in whole seconds, and the model. 0 means no limit, where that is
 * allowed.
 */
import {
  type ApprovalTimeoutAction,
  EMPTY_RULES,
  effectiveRules,
  type RunRules,
  type RunLimits,
} from "../approval/run-rules.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const YEAR = 366 * DAY;

/**
 * Limits that are always set, with their bounds. A runner sends three heartbeats per lease, at least three seconds
 * apart.
 */
export const RUN_DURATIONS = [
  { field: "leaseSeconds", of: "leaseMs", least: 10, most: HOUR },
  { field: "forceStopAfterSeconds", of: "forceStopAfterMs", least: 0, most: DAY },
  { field: "planSeconds", of: "planMs", least: 10, most: 30 * DAY },
  { field: "applySeconds", of: "applyMs", least: 10, most: 30 * DAY },
  { field: "silenceSeconds", of: "silenceMs", least: 60, most: 30 * DAY },
] as const satisfies readonly { field: string; of: keyof RunLimits; least: number; most: number }[];

/** Limits that may be 0 for none. */
export const WAIT_DURATIONS = [
  { field: "planApprovalSeconds", of: "planApprovalMs", least: 10, most: YEAR },
  { field: "applyApprovalSeconds", of: "applyApprovalMs", least: 10, most: YEAR },
  { field: "queueSeconds", of: "queueMs", least: 10, most: YEAR },
] as const satisfies readonly { field: string; of: keyof RunLimits; least: number; most: number }[];

export const ATTEMPTS_PER_LEG = { least: 1, most: 10 } as const;

type DurationField = (typeof RUN_DURATIONS | typeof WAIT_DURATIONS)[number]["field"];

export type WrittenRunLimits = Record<DurationField, number> & {
  attemptsPerLeg: number;
  approvalTimeoutAction: ApprovalTimeoutAction;
};
/** The limits that are set; an absent one is not. */
export type WrittenLimits = Partial<WrittenRunLimits>;
/** A change of limits: an absent field stays, `null` removes it. */
export type LimitsChange = { [Field in keyof WrittenRunLimits]?: WrittenRunLimits[Field] | null | undefined };

const SECOND = 1000;

export function writtenLimits(limits: RunLimits): WrittenRunLimits;
export function writtenLimits(limits: Partial<RunLimits>): WrittenLimits;
export function writtenLimits(limits: Partial<RunLimits>): WrittenLimits {
  const written: WrittenLimits = {};
  for (const { field, of } of RUN_DURATIONS) {
    const ms = limits[of];
    if (ms !== undefined) written[field] = ms / SECOND;
  }
  for (const { field, of } of WAIT_DURATIONS) {
    const ms = limits[of];
    if (ms !== undefined) written[field] = ms === null ? 0 : ms / SECOND;
  }
  if (limits.attemptsPerLeg !== undefined) written.attemptsPerLeg = limits.attemptsPerLeg;
  if (limits.approvalTimeoutAction !== undefined) written.approvalTimeoutAction = limits.approvalTimeoutAction;
  return written;
}

/** Returns the limits after a change. */
export function changedLimits(before: Partial<RunLimits>, change: LimitsChange): Partial<RunLimits> {
  const after = { ...before };
  for (const { field, of } of RUN_DURATIONS) {
    const seconds = change[field];
    if (seconds === null) delete after[of];
    else if (seconds !== undefined) after[of] = seconds * SECOND;
  }
  for (const { field, of } of WAIT_DURATIONS) {
    const seconds = change[field];
    if (seconds === null) delete after[of];
    else if (seconds !== undefined) after[of] = seconds === 0 ? null : seconds * SECOND;
  }
  const { attemptsPerLeg, approvalTimeoutAction } = change;
  if (attemptsPerLeg === null) delete after.attemptsPerLeg;
  else if (attemptsPerLeg !== undefined) after.attemptsPerLeg = attemptsPerLeg;
  if (approvalTimeoutAction === null) delete after.approvalTimeoutAction;
  else if (approvalTimeoutAction !== undefined) after.approvalTimeoutAction = approvalTimeoutAction;
  return after;
}

/**
 * Returns the limits that apply to a workspace; without `workspace`, to those of the organization without limits of
 * their own.
 */
export function effectiveLimits(organization: RunRules, workspace: RunRules = EMPTY_RULES): WrittenRunLimits {
  return writtenLimits(effectiveRules(organization, workspace).limits);
}
