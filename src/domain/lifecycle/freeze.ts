import { Cron } from "croner";
import type { FreezeWindow } from "../../model/approval/run-rules.ts";

/** Windows can follow each other for ever: so many are looked at, and what comes then is looked at then. */
const WINDOWS_IN_A_ROW = 50;

/** Until when nothing may be applied, as an instant; null where no window is open. Windows that follow each other count as one. */
export function frozenUntil(windows: readonly FreezeWindow[], at: Date): string | null {
  let end = at.getTime();
  for (let count = 0; count < WINDOWS_IN_A_ROW; count++) {
    const next = latestEnd(windows, end);
    if (next <= end) break;
    end = next;
  }
  return end > at.getTime() ? new Date(end).toISOString() : null;
}

/** When the next window opens after an instant; null: none does. */
export function nextFreeze(windows: readonly FreezeWindow[], at: Date): string | null {
  const openings = windows.flatMap((window) => windowAt(window, at).nextOpensAt ?? []);
  return openings.toSorted()[0] ?? null;
}

/** Whether a window is open, and when it opens next. */
export function windowAt(window: FreezeWindow, at: Date): { open: boolean; nextOpensAt: string | null } {
  const next = new Cron(window.cron, { timezone: window.timeZone, mode: "5-part" }).nextRun(at);
  return { open: latestEnd([window], at.getTime()) > at.getTime(), nextOpensAt: next?.toISOString() ?? null };
}

/** The latest end of the windows that are open at an instant; the instant itself where none is. */
function latestEnd(windows: readonly FreezeWindow[], atMs: number): number {
  return windows.reduce((end, window) => Math.max(end, openedAt(window, atMs) + window.durationMs), atMs);
}

/** When a window opened last, the instant itself included; -Infinity where it never did. */
function openedAt({ cron, timeZone }: FreezeWindow, atMs: number): number {
  const [opened] = new Cron(cron, { timezone: timeZone, mode: "5-part" }).previousRuns(1, new Date(atMs + 1));
  return opened?.getTime() ?? Number.NEGATIVE_INFINITY;
}
