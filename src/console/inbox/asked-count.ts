/** The number of runs that wait for the viewer, as the frame of all pages has read it. */
import { useSyncExternalStore } from "react";
import { createListeners } from "../parts/listeners.ts";

let count = 0;
const listeners = createListeners();

export function setAskedCount(next: number): void {
  if (next === count) return;
  count = next;
  listeners.notify();
}

export const useAskedCount = (): number => useSyncExternalStore(listeners.subscribe, () => count);
