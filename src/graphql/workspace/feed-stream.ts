import type { Admit, FeedItem, FeedTail, OnIdle, QuietFeed } from "../../bus/tails.ts";
import type { FeedPosition } from "../../model/run/feed.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { type FeedCursors, feedCursors } from "../stream/feed-cursor.ts";
import { audienceOf } from "../stream/audience.ts";
import { type FirstItem, itemStream } from "../stream/item-stream.ts";
import { type AnyRunEventItem, toEventItem } from "../run/run-event.ts";
import { type Broken, broken } from "../stream/stream-failure.ts";
import { idleListener, type RowAccess } from "../kit/stream-position.ts";
import { type Checkpoint, type Expired, expired } from "../stream/stream-item.ts";
import type { ChangesetChanged } from "./changeset-event.ts";
import type { HealthChanged, WorkspaceChanged } from "./workspace-event.ts";

/** The parts that the streams of workspaces, changesets and organizations share. */
export type AnyFeedItem = AnyRunEventItem | WorkspaceChanged | HealthChanged | ChangesetChanged | Checkpoint | Expired;

/** The stream that a cursor belongs to. */
export interface FeedStream<First, Item extends AnyFeedItem> {
  /** The id of the workspace, the changeset or the organization: a cursor is valid for its own subject only. */
  subjectId: string;
  /** Whether items of this type are in the stream. */
  has: (item: AnyFeedItem) => item is Item;
  tail: (after: FeedPosition, resumed: boolean, onIdle: OnIdle, admit: Admit) => FeedTail;
  /** Reads the position and the first item of a stream without a cursor. */
  begin: (cursors: FeedCursors) => Promise<{ from: FeedPosition; first: FirstItem<First> }>;
}

/** Makes an item that has a cursor and no change. */
export function toCheckpoint(cursors: FeedCursors, quiet: QuietFeed): Checkpoint {
  return { type: "StreamCheckpoint", cursor: cursors.write(quiet, quiet.at), at: quiet.at };
}

/** Streams the items of a workspace, a changeset or an organization, from now or from the client's cursor. */
export async function openFeed<First, Item extends AnyFeedItem>(
  context: GraphqlContext,
  after: string | null,
  stream: FeedStream<First, Item>,
): Promise<AsyncIterableIterator<First | Item | Expired | Broken>> {
  const { streamPosition } = context;
  const cursors = feedCursors(context.cursorKeyOf, stream.subjectId);
  const open = { ...stream, cursors };
  if (streamPosition?.start) return follow<First, Item>(context, open, null, streamPosition.start, false);
  if (after === null) {
    const { from, first } = await stream.begin(cursors);
    return follow<First, Item>(context, open, first, from, false);
  }
  const from = cursors.read(after);
  return follow<First, Item>(context, open, from === null ? { item: expired(), access: null } : null, from, true);
}

function follow<First, Item extends AnyFeedItem>(
  context: GraphqlContext,
  { cursors, tail, has }: Pick<FeedStream<First, Item>, "tail" | "has"> & { cursors: FeedCursors },
  first: FirstItem<First | Expired> | null,
  from: FeedPosition | null,
  resumed: boolean,
): AsyncIterableIterator<First | Item | Expired | Broken> {
  const { streamPosition } = context;
  const epoch = from?.epoch ?? "";
  const audience = audienceOf(context);
  if (streamPosition !== undefined) streamPosition.current = from;
  return itemStream<FeedItem, First | Item | Expired | Broken>({
    first: first === null ? [] : [first],
    tail: from === null ? null : tail(from, resumed, idleListener(streamPosition, epoch), audience.admit),
    accessOf,
    audience,
    toItem: (row) => {
      const item = toFeedItem(cursors, epoch, row);
      return has(item) ? item : null;
    },
    streamPosition,
    positionOf: (item) => (item.type === "EXPIRED" ? null : { epoch, position: item.position }),
    toFailure: broken,
    beforeItem: audience.enter,
  });
}

/** An event takes the permission to read what it is about, at the place where that was when the event was read. */
function accessOf(item: FeedItem): RowAccess | null {
  switch (item.type) {
    case "RUN":
    case "CHANGESET":
      return { permission: "RUN_READ", place: item.place };
    case "WORKSPACE":
      return { permission: "WORKSPACE_READ", place: item.place };
    case "QUIET":
    case "EXPIRED":
      return null;
  }
}

function toFeedItem(cursors: FeedCursors, epoch: string, item: FeedItem): AnyFeedItem {
  switch (item.type) {
    case "QUIET":
      return toCheckpoint(cursors, item);
    case "EXPIRED":
      return expired();
    case "RUN":
      return toEventItem(item.event, cursors.write({ epoch, position: item.position }));
    case "CHANGESET": {
      const cursor = cursors.write({ epoch, position: item.position });
      return { type: "ChangesetChanged", cursor, change: item.event };
    }
    case "WORKSPACE": {
      const cursor = cursors.write({ epoch, position: item.position });
      const { health } = item.event;
      if (health !== null) return { type: "HealthChanged", cursor, change: { ...item.event, health } };
      return { type: "WorkspaceChanged", cursor, change: item.event };
    }
  }
}
