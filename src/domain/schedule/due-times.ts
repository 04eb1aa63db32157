/** The instants that a cron expression names in a time zone. */
import { Cron } from "croner";
import { LRUCache } from "lru-cache";
import type { Misfire, Schedule } from "../../model/schedule/schedule.ts";

type Timing = Pick<Schedule, "cron" | "timeZone">;

const HOUR_MS = 60 * 60 * 1000;
/** No zone sets its clocks back by more. */
const LONGEST_OVERLAP_MS = 3 * HOUR_MS;
/** Instants in a row that a change of the clock can repeat: one a minute. */
const MOST_REPEATED = 200;
/** By time zone. One takes longer to make than to find a due time, and some 10 KB. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** Whether a name is one of an IANA zone. Offsets such as +01:00 are none: they know no daylight saving time. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "" && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** Returns whether an expression has five valid fields. */
export function isCron(text: string): boolean {
  try {
    new Cron(text, { timezone: "UTC", mode: "5-part" }).stop();
    // Names such as @daily are not of this form.
    return !text.startsWith("@");
  } catch {
    return false;
  }
}

/**
 * Returns the first due time after an instant; `null` if there is none. A time of day that the zone skips is due when its
 * clocks are set forward, if minute and hour are fixed. One that comes twice is due once, unless the hour is `*`.
 */
export function nextDue(timing: Timing, after: Date): Date | null {
  return nextDueOf(cronOf(timing), timing, after);
}

/** Returns the due times after an instant, so many or as many as there are. */
export function nextDues(timing: Timing, after: Date, most: number): Date[] {
  const cron = cronOf(timing);
  const times: Date[] = [];
  let next = nextDueOf(cron, timing, after);
  while (next !== null && times.length < most) {
    times.push(next);
    next = nextDueOf(cron, timing, next);
  }
  return times;
}

const cronOf = ({ cron, timeZone }: Timing): Cron => new Cron(cron, { timezone: timeZone, mode: "5-part" });

function nextDueOf(cron: Cron, timing: Timing, after: Date): Date | null {
  let next = cron.nextRun(after);
  for (let count = 0; next !== null && count < MOST_REPEATED && isRepeated(timing, next); count++) {
    next = cron.nextRun(next);
  }
  return next;
}

/** Returns the last due time at an instant or before, but not before `least`, which is one. */
function lastDue(timing: Timing, least: Date, at: Date): Date {
  const cron = cronOf(timing);
  let [last = least] = cron.previousRuns(1, new Date(at.getTime() + 1));
  for (let count = 0; last > least && count < MOST_REPEATED && isRepeated(timing, last); count++) {
    [last = least] = cron.previousRuns(1, last);
  }
  return last > least ? last : least;
}

/** The due time that counts at an instant, and the one after it. */
export interface DueTimes {
  /** `null`: it was missed, and misfires are skipped. */
  dueAt: Date | null;
  /** The last due time that has passed. */
  passedAt: Date;
  /** `null`: there is none. */
  nextAt: Date | null;
}

/**
 * Decides what is due of a schedule whose next due time has passed. Only the last of several due times counts. It is missed
 * if it is older than `graceMs`.
 */
export function dueTimes(
  { nextAt, misfire, ...timing }: Timing & { nextAt: Date; misfire: Misfire },
  at: Date,
  graceMs: number,
): DueTimes {
  const passedAt = lastDue(timing, nextAt, at);
  const isMissed = at.getTime() - passedAt.getTime() > graceMs;
  return {
    dueAt: isMissed && misfire === "SKIP" ? null : passedAt,
    passedAt,
    nextAt: nextDue(timing, passedAt > at ? passedAt : at),
  };
}

/** Whether the time of day at an instant came already, before the clocks of the zone were set back. */
function isRepeated({ cron, timeZone }: Timing, at: Date): boolean {
  const [, hour = ""] = cron.trim().split(/\s+/);
  if (hour.startsWith("*")) return false;
  const ms = at.getTime();
  const offsetAt = offsetsOf(timeZone);
  const now = offsetAt(ms);
  const setBackMs = offsetAt(ms - LONGEST_OVERLAP_MS) - now;
  return setBackMs > 0 && offsetAt(ms - setBackMs) === now + setBackMs;
}

/** Returns a function that gives by how much the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetsOf(timeZone: string): (ms: number) => number {
  const format = formatOf(timeZone);
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return shown - (ms - (ms % 1000));
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
}
