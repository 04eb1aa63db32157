import type { FeedItem, FeedTail, OnIdle, QuietFeed } from "../../bus/tails.ts";
import type { FeedPosition } from "../../model/run/feed.ts";
import { type ReadPosition, readCursor, writeCursor } from "../kit/cursor.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { itemStream } from "../stream/item-stream.ts";
import { type AnyRunEventItem, toEventItem } from "../run/run-event.ts";
import { type Broken, broken } from "../stream/stream-failure.ts";
import { idleListener } from "../kit/stream-position.ts";
import { type Checkpoint, type Expired, expired } from "../stream/stream-item.ts";
import type { WorkspaceChanged } from "./workspace-event.ts";

/** The parts that the streams of a workspace and of an organization share. */
export type AnyFeedItem = AnyRunEventItem | WorkspaceChanged | Checkpoint | Expired;

/** The stream that a cursor belongs to. */
export interface FeedStream<First> {
  /** The id of the workspace or the organization: a cursor is valid for its own subject only. */
  subjectId: string;
  tail: (after: FeedPosition, resumed: boolean, onIdle: OnIdle) => FeedTail;
  /** Reads the position and the first items of a stream without a cursor. */
  begin: () => Promise<{ from: FeedPosition; first: First }>;
}

const POSITION = /^([0-9a-f]{12})\.(\d{1,15})$/;

const feedPosition: ReadPosition<FeedPosition> = (value) => {
  const [, epoch, position] = (typeof value === "string" && POSITION.exec(value)) || [];
  return epoch === undefined ? null : { epoch, position: Number(position) };
};

function listOf(subjectId: string): string {
  return `feed of ${subjectId}`;
}

/** Writes the cursor of a position in the feed of a workspace or an organization. */
export function feedCursor(subjectId: string, { epoch, position }: FeedPosition): string {
  return writeCursor(listOf(subjectId), `${epoch}.${position}`);
}

/** Makes an item that has a cursor and no change. */
export function toCheckpoint(subjectId: string, quiet: QuietFeed): Checkpoint {
  return { type: "StreamCheckpoint", cursor: feedCursor(subjectId, quiet), at: quiet.at };
}

/** Streams the items of a workspace or an organization, from now or from the client's cursor. */
export async function openFeed<First>(
  context: GraphqlContext,
  after: string | null,
  stream: FeedStream<First>,
): Promise<AsyncIterableIterator<First | AnyFeedItem | Broken>> {
  const { streamPosition } = context;
  if (streamPosition?.start) return follow(context, stream, null, streamPosition.start, false);
  if (after === null) {
    const { from, first } = await stream.begin();
    return follow(context, stream, first, from, false);
  }
  const from = readCursor(listOf(stream.subjectId), after, feedPosition);
  return follow(context, stream, from === null ? expired() : null, from, true);
}

function follow<First>(
  { loaders, streamPosition }: GraphqlContext,
  { subjectId, tail }: FeedStream<First>,
  first: First | Expired | null,
  from: FeedPosition | null,
  resumed: boolean,
): AsyncIterableIterator<First | AnyFeedItem | Broken> {
  const epoch = from?.epoch ?? "";
  if (streamPosition !== undefined) streamPosition.current = from;
  return itemStream<FeedItem, First | AnyFeedItem | Broken>({
    first: first === null ? [] : [first],
    tail: from === null ? null : tail(from, resumed, idleListener(streamPosition, epoch)),
    toItem: (item) => toFeedItem(subjectId, epoch, item),
    streamPosition,
    positionOf: (item) => (item.type === "EXPIRED" ? null : { epoch, position: item.position }),
    toFailure: broken,
    beforeItem: () => loaders.clear(),
  });
}

function toFeedItem(subjectId: string, epoch: string, item: FeedItem): AnyFeedItem {
  switch (item.type) {
    case "QUIET":
      return toCheckpoint(subjectId, item);
    case "EXPIRED":
      return expired();
    case "RUN":
      return toEventItem(item.event, feedCursor(subjectId, { epoch, position: item.position }));
    case "WORKSPACE": {
      const cursor = feedCursor(subjectId, { epoch, position: item.position });
      return { type: "WorkspaceChanged", cursor, change: item.event };
    }
  }
}
