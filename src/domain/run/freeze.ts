import { Cron } from "croner";
import type { FreezeWindow } from "../../model/policy.ts";

/** Until when nothing may be applied, as an instant; null where no window is open. Windows that follow each other count as one. */
export function frozenUntil(windows: readonly FreezeWindow[], at: Date): string | null {
  let end = at.getTime();
  for (let next = latestEnd(windows, end); next > end; next = latestEnd(windows, end)) end = next;
  return end > at.getTime() ? new Date(end).toISOString() : null;
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
