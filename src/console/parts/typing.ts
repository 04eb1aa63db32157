/** Whether a key goes into a field or belongs to a dialog, so that it is no command of the page. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
}

/** Whether a key comes with another one that makes it a command of the browser or of the system. */
export function isCombined({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}
