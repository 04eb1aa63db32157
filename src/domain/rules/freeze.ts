import { Cron } from "croner";
import type { FreezeWindow } from "../../model/approval/run-rules.ts";

/** Freeze windows may follow each other without end; the search stops after this many. */
const WINDOWS_IN_A_ROW = 50;

/** Returns until when nothing may be applied; `null` if no window is open. Adjoining windows count as one. */
export function frozenUntil(windows: readonly FreezeWindow[], at: Date): string | null {
  let end = at.getTime();
  for (let count = 0; count < WINDOWS_IN_A_ROW; count++) {
    const next = latestEnd(windows, end);
    if (next <= end) break;
    end = next;
  }
  return end > at.getTime() ? new Date(end).toISOString() : null;
}

/** Returns when the next window opens; `null` if none does. */
export function nextFreeze(windows: readonly FreezeWindow[], at: Date): string | null {
  const openings = windows.flatMap((window) => windowAt(window, at).nextOpensAt ?? []);
  return openings.toSorted()[0] ?? null;
}

/** Returns whether a window is open, and when it opens next. */
export function windowAt(window: FreezeWindow, at: Date): { open: boolean; nextOpensAt: string | null } {
  const next = new Cron(window.cron, { timezone: window.timeZone, mode: "5-part" }).nextRun(at);
  return { open: isOpen(window, at), nextOpensAt: next?.toISOString() ?? null };
}

export function isOpen(window: FreezeWindow, at: Date): boolean {
  return latestEnd([window], at.getTime()) > at.getTime();
}

/** Returns the latest end of the windows that are open at an instant, or the instant itself. */
function latestEnd(windows: readonly FreezeWindow[], atMs: number): number {
  return windows.reduce((end, window) => Math.max(end, openedAt(window, atMs) + window.durationMs), atMs);
}

/** Returns when a window last opened, at the instant or before; `-Infinity` if never. */
function openedAt({ cron, timeZone }: FreezeWindow, atMs: number): number {
  const [opened] = new Cron(cron, { timezone: timeZone, mode: "5-part" }).previousRuns(1, new Date(atMs + 1));
  return opened?.getTime() ?? Number.NEGATIVE_INFINITY;
}
