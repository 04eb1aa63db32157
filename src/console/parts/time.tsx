/** Instants and durations, in the words of the browser's language. */
import { useSyncExternalStore } from "react";
import { createListeners } from "./listeners.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const TICK_MS = 10_000;
let now = Date.now();
const listeners = createListeners();
setInterval(() => {
  now = Date.now();
  listeners.notify();
}, TICK_MS);

/** The time to the next ten seconds: all relative times of a page change at once. */
export const useNow = (): number => useSyncExternalStore(listeners.subscribe, () => now);

/** How long ago an instant is. The whole instant is shown over it. */
export function Ago({ at }: { at: string }) {
  const current = useNow();
  return (
    <time dateTime={at} title={absolute.format(new Date(at))}>
      {agoOf(Date.parse(at), current)}
    </time>
  );
}

function agoOf(at: number, current: number): string {
  const distance = at - current;
  // The clock of the page moves every ten seconds: what happened meanwhile is now, and not in the future.
  const seconds = distance > 0 && distance <= TICK_MS ? 0 : Math.round(distance / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS[3];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** A duration in at most two units: `9 s`, `6 min 2 s`, `3 h 12 min`. */
export function durationOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}
