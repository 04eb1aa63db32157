import {
  ATTEMPTS_PER_LEG,
  type LimitsChange,
  RUN_DURATIONS,
  WAIT_DURATIONS,
} from "../../model/workspace/run-limits.ts";
import type { InputCheck } from "../kit/input.ts";

/** Checks that each given limit is within its bounds. */
export function checkLimits(check: InputCheck, path: string, change: LimitsChange): void {
  const bounded = (field: keyof LimitsChange, value: unknown, least: number, most: number, words: string) => {
    if (typeof value !== "number" || (value >= least && value <= most)) return;
    check.refuse(`${path}.${field}`, `must be ${words} ${least} to ${most}.`);
  };
  for (const { field, least, most } of RUN_DURATIONS) bounded(field, change[field], least, most, "from");
  for (const { field, least, most } of WAIT_DURATIONS) {
    if (change[field] !== 0) bounded(field, change[field], least, most, "0 (none), or from");
  }
  bounded("attemptsPerLeg", change.attemptsPerLeg, ATTEMPTS_PER_LEG.least, ATTEMPTS_PER_LEG.most, "from");
}
