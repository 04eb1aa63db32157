import { Cron } from "croner";
import { LIMITS } from "../../model/kit/limits.ts";
import type { FreezeWindow } from "../../model/approval/run-rules.ts";
import type { InputCheck } from "../kit/input.ts";
import { CRON_WORDS } from "../kit/cron-words.ts";

export interface FreezeWindowInput {
  name: string;
  cron: string;
  durationMinutes: number;
  timeZone: string;
}

const MINUTE = 60_000;

export function toFreezeWindows(inputs: readonly FreezeWindowInput[]): FreezeWindow[] {
  return inputs.map(({ durationMinutes, ...window }) => ({ ...window, durationMs: durationMinutes * MINUTE }));
}

/** Checks that freeze windows open and close again; `path` names their list. */
export function checkFreezeWindows(
  check: InputCheck,
  path: string,
  windows: readonly FreezeWindowInput[],
  at: Date,
): void {
  const most = LIMITS.freezeWindows;
  check.require(windows.length <= most, path, `must have at most ${most} windows.`);
  for (const [index, window] of windows.slice(0, most).entries()) {
    const own = `${path}.${index}`;
    check.label(`${own}.name`, window.name);
    const first = windows.find(({ name }) => name === window.name) === window;
    check.require(first, `${own}.name`, "must be unique among the windows.");
    const longest = LIMITS.freezeWindowMinutes;
    const bounded = window.durationMinutes >= 1 && window.durationMinutes <= longest;
    check.require(bounded, `${own}.durationMinutes`, `must be from 1 to ${longest}.`);
    const known = isTimeZone(window.timeZone);
    check.require(known, `${own}.timeZone`, "must be the name of a time zone, such as Europe/Berlin.");
    if (known && bounded) checkOpenings(check, own, window, at);
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "" && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** The number of openings to check for one that comes after the window was closed. */
const OPENINGS = 100;

function checkOpenings(check: InputCheck, path: string, window: FreezeWindowInput, at: Date): void {
  const openings = nextOpenings(window, at);
  if (openings === null) {
    check.refuse(`${path}.cron`, CRON_WORDS);
  } else if (openings.length === 0) check.refuse(`${path}.cron`, "must match some time: this window would never open.");
  else if (neverCloses(openings, window.durationMinutes * MINUTE)) {
    check.refuse(`${path}.durationMinutes`, "must be shorter than the time between two openings.");
  }
}

/** Returns the next openings; `null` if the expression is invalid. */
function nextOpenings({ cron, timeZone }: FreezeWindowInput, at: Date): Date[] | null {
  if (cron.length > LIMITS.keyLength) return null;
  try {
    return new Cron(cron, { timezone: timeZone, mode: "5-part" }).nextRuns(OPENINGS, at);
  } catch {
    return null;
  }
}

function neverCloses(openings: readonly Date[], durationMs: number): boolean {
  if (openings.length < OPENINGS) return false;
  return openings.every((opened, index) => {
    const next = openings[index + 1];
    return next === undefined || next.getTime() - opened.getTime() <= durationMs;
  });
}
