/** The cursor of the newest item of the stream of the inbox, as the frame of all pages has received it. */
import { useSyncExternalStore } from "react";
import { createListeners } from "../parts/listeners.ts";

let newest: string | null = null;
const listeners = createListeners();

/** Notes an item of the stream; one that announces an expired cursor has none. */
export function noteInboxItem(item: { readonly cursor: string } | { readonly __typename: "CursorExpired" }): void {
  if (!("cursor" in item) || item.cursor === newest) return;
  newest = item.cursor;
  listeners.notify();
}

/** Gives `null` until the stream has begun. */
export const useInboxCursor = (): string | null => useSyncExternalStore(listeners.subscribe, () => newest);
