/** Whether long lines of a log are wrapped, as the person has chosen in this browser. */
import { keep, readKept } from "../parts/kept.ts";

const NAME = "holdpoint-log-wrap";
/** Screens on which a line of a log is wider than the view. */
const NARROW = "(max-width: 640px)";

/** Reads the choice. Where there is none, lines are wrapped on narrow screens alone. */
export function readWraps(): boolean {
  const kept = readKept(NAME);
  return kept === null ? matchMedia(NARROW).matches : kept === "on";
}

export function keepWraps(wraps: boolean): void {
  keep(NAME, wraps ? "on" : "off");
}
