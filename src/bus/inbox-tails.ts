import { LIMITS } from "../model/kit/limits.ts";
import type { Hub } from "./hub.ts";
import { pacedWatch } from "./paced-watch.ts";
import { createTail } from "./tail.ts";
import type { InboxRow, Tails } from "./tails.ts";
import type { TailTiming } from "./tail-timing.ts";

/** Creates tails of inboxes: states that are compared, since the rights of their reader and the time change them too. */
export function createInboxTails(hub: Hub, { clock, quietReads, pollMs }: TailTiming): Pick<Tails, "inbox"> {
  return {
    inbox(read, after, resumed, onIdle, admit) {
      let digest = after;
      /** A quiet item was returned, and nothing was waited for since: the inbox is not read again for it. */
      let isQuiet = false;
      const paced = pacedWatch(hub.watch("inbox", "rights"), LIMITS.inboxPauseMs);
      // Hints since the last read are kept behind a quiet item.
      const reset = (): void => (isQuiet ? undefined : paced.reset());
      const longestMs = pollMs * (LIMITS.inboxPollMs / LIMITS.streamPollMs);
      return createTail<InboxRow>({
        watch: { ...paced, reset },
        pollMs: longestMs,
        onIdle: () => onIdle?.(digest ?? ""),
        admit,
        async read() {
          if (isQuiet) {
            isQuiet = false;
            return { items: [], ended: false };
          }
          const state = await read();
          if (state === null) return { items: [], ended: true };
          const { at, accessVersion } = state;
          const isChanged = digest !== null && state.digest !== digest;
          ({ digest } = state);
          if (!isChanged) return { items: [], ended: false };
          return { items: [{ type: "CHANGED", digest, at }], ended: false, accessVersion };
        },
        quiet: {
          reads: quietReads,
          atOnce: resumed || after === null,
          toItem: () => {
            isQuiet = true;
            return { type: "QUIET", digest: digest ?? "", at: clock().toISOString() };
          },
        },
      });
    },
  };
}
