/** Whether single keys are commands. A person who dictates, or types by accident, switches them off (WCAG 2.1.4). */
import { keep, readKept } from "./kept.ts";

const NAME = "holdpoint-single-keys";
const OFF = "off";

/** Reads the choice of this browser. Without storage, keys are on. */
export function areSingleKeysOn(): boolean {
  return readKept(NAME) !== OFF;
}

/** Switches single keys on or off, in all tabs. Gives whether the browser keeps the choice. */
export function setSingleKeys(isOn: boolean): boolean {
  return keep(NAME, isOn ? null : OFF);
}
