import { LIMITS } from "../model/kit/limits.ts";
import type { Reader } from "../persistence/database/database.ts";
import { type FeedScope, findFeedHead } from "../persistence/feed/feed-store.ts";
import { createFeedReads } from "./feed-reads.ts";
import type { Topic } from "../persistence/database/notifier.ts";
import type { Hub } from "./hub.ts";
import { createTail } from "./tail.ts";
import type { Admit, FeedItem, FeedTail, OnIdle, Tails } from "./tails.ts";
import type { TailTiming } from "./tail-timing.ts";

/** Creates tails of the feeds of organizations, workspaces and changesets. */
export function createFeedTails(
  reader: Reader,
  hub: Hub,
  { clock, pollMs, quietReads }: TailTiming,
): Pick<Tails, "workspaceFeed" | "changesetFeed" | "organizationFeed" | "feedNow"> {
  const look = createFeedReads(reader);
  const now = (): string => clock().toISOString();

  function tail(
    scope: FeedScope,
    topic: Topic,
    after: { epoch: string; position: number },
    resumed: boolean,
    { onIdle, admit }: { onIdle: OnIdle; admit: Admit },
  ): FeedTail {
    const { epoch } = after;
    let { position } = after;
    return createTail<FeedItem>({
      watch: hub.watch(topic),
      pollMs,
      onIdle: () => onIdle?.(position),
      admit,
      async read() {
        const page = await look({ ...scope, after: position });
        // Checked for every page: a reader may be slower than retention, and a database may be restored under a server.
        const expired = page === null || page.epoch !== epoch || position > page.head || position < page.oldest - 1;
        if (expired) return { items: [{ type: "EXPIRED" }], ended: true };
        const { entries, head, accessVersion } = page;
        // Behind the last entry of a workspace only entries of others remain, up to the head: they need no second read.
        position = entries.length < LIMITS.streamPageEvents ? head : (entries.at(-1)?.position ?? head);
        return { items: [...entries], ended: false, accessVersion };
      },
      quiet: {
        reads: quietReads,
        atOnce: resumed,
        toItem: () => ({ type: "QUIET", epoch, position, at: now() }),
      },
    });
  }

  return {
    workspaceFeed: ({ id, organizationId }, after, resumed, onIdle, admit) =>
      tail({ organizationId, workspaceId: id }, `ws:${id}`, after, resumed, { onIdle, admit }),
    changesetFeed: ({ id, organizationId }, after, resumed, onIdle, admit) =>
      tail({ organizationId, workspaceId: null, changesetId: id }, `cs:${id}`, after, resumed, { onIdle, admit }),
    organizationFeed: (organizationId, after, resumed, onIdle, admit) =>
      tail({ organizationId, workspaceId: null }, `org:${organizationId}`, after, resumed, {
        onIdle,
        admit,
      }),
    async feedNow(organizationId) {
      const head = await findFeedHead(reader, organizationId);
      if (head === null) throw new Error(`The organization ${organizationId} has no feed.`);
      return { type: "QUIET", ...head, at: now() };
    },
  };
}
