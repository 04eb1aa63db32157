/** Whether single keys are commands. A person who dictates, or types by accident, switches them off (WCAG 2.1.4). */
const NAME = "holdpoint-single-keys";
const OFF = "off";

/** Reads the choice of this browser. Without storage, keys are on. */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(NAME) !== OFF;
  } catch {
    return true;
  }
}

/** Switches single keys on or off, in all tabs. Gives whether the browser keeps the choice. */
export function setSingleKeys(isOn: boolean): boolean {
  try {
    if (isOn) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, OFF);
    return true;
  } catch {
    return false;
  }
}
