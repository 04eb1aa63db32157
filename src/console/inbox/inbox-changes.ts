/** Announces that the inbox has changed: the frame notes the items of its stream here, and views of it read again. */
import { createListeners } from "../parts/listeners.ts";

export interface InboxChanges {
  /** Notes an item of the stream of the inbox. */
  readonly note: (item: { readonly __typename: string }) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Creates the changes of one stream. What was read before the stream began may be older than its first item. */
export function createInboxChanges(): InboxChanges {
  const listeners = createListeners();
  /** Whether the views were read behind the beginning of the stream: a later checkpoint has nothing new. */
  let isFollowed = false;
  return {
    note({ __typename: type }) {
      const isNews = type !== "StreamCheckpoint" || !isFollowed;
      // A stream whose cursor has expired begins again.
      isFollowed = type !== "CursorExpired";
      if (isNews) listeners.notify();
    },
    subscribe: listeners.subscribe,
  };
}

export const inboxChanges = createInboxChanges();
