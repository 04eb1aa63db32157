import { useEffect, useEffectEvent } from "react";
import { areSingleKeysOn } from "./single-keys.ts";

/**
 * Calls back with each key that is a command of the page, as long as the part is drawn: none that goes into a field, is pressed
 * while a dialog is open, is combined with Ctrl, Meta or Alt, or was taken by another part (`preventDefault`); and none where a person
 * has switched single keys off.
 */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKey);
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const { defaultPrevented, ctrlKey, metaKey, altKey, target } = event;
      const isFree = !defaultPrevented && !ctrlKey && !metaKey && !altKey && !isTyping(target);
      if (areSingleKeysOn() && isFree && document.querySelector("dialog[open]") === null) press(event);
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
}
