import { createListeners } from "./listeners.ts";

/** A tab that is shown gets the focus, too: both events are one return. */
const WITHIN_MS = 1000;

const listeners = createListeners();
let returnedAt = Number.NEGATIVE_INFINITY;

function note({ timeStamp }: Event): void {
  if (document.visibilityState !== "visible" || timeStamp - returnedAt < WITHIN_MS) return;
  returnedAt = timeStamp;
  listeners.notify();
}

document.addEventListener("visibilitychange", note);
addEventListener("focus", note);

/** Calls back when a person comes back to the page, until the returned function is called. */
export const onReturn = listeners.subscribe;
