import { LIMITS } from "../../model/kit/limits.ts";
import { InputCheck } from "../kit/input.ts";
import { nextDues } from "./due-times.ts";
import { checkTimes } from "./schedule-input.ts";

export interface CronTimesInput {
  cron: string;
  timeZone: string;
  /** How many. */
  first: number;
}

/** Returns the next due times of a cron expression after an instant. Throws INVALID_INPUT, with the field that is wrong. */
export function cronTimes({ cron, timeZone, first }: CronTimesInput, at: Date): Date[] {
  const check = new InputCheck();
  const most = LIMITS.cronTimes;
  check.require(first >= 1 && first <= most, "first", `must be from 1 to ${most}.`);
  checkTimes(check, { cron, timeZone, enabled: true }, at);
  check.done();
  return nextDues({ cron, timeZone }, at, first);
}
