import type { InboxRow } from "../../bus/tails.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { FeedPosition } from "../../model/run/feed.ts";
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { type ReadPosition, readCursor, writeCursor } from "../kit/cursor.ts";
import { audienceOf } from "../stream/audience.ts";
import { itemStream } from "../stream/item-stream.ts";
import { type Broken, broken, unbroken } from "../stream/stream-failure.ts";
import {
  type Checkpoint,
  CursorExpiredRef,
  type Expired,
  expired,
  StreamCheckpointRef,
  StreamItemRef,
} from "../stream/stream-item.ts";

interface InboxChanged {
  type: "InboxChanged";
  cursor: string;
  at: string;
}

const InboxChangedRef = builder.objectRef<InboxChanged>("InboxChanged").implement({
  description:
    "The inbox of the caller has changed: a run came or went, or a run in it is another version, or is there for another reason. Read `Viewer.inbox` again.",
  interfaces: [StreamItemRef],
  fields: (t) => ({ at: t.expose("at", { type: "DateTime", description: "When the change was found." }) }),
});

type InboxStreamItem = InboxChanged | Checkpoint | Expired;

const InboxStreamItemRef = builder.unionType("InboxStreamItem", {
  description: "An item of the stream of an inbox.",
  types: [InboxChangedRef, StreamCheckpointRef, CursorExpiredRef],
  resolveType: ({ type }) => type,
});

const DIGEST = /^[\w-]{43}$/;
const digestPosition: ReadPosition<string> = (value) =>
  typeof value === "string" && DIGEST.test(value) ? value : null;

/** The streams of one credential at one digest are at one position, and can share a source. */
const positionOf = ({ credentialId }: ActorCaller, digest: string): FeedPosition => {
  return { epoch: `${credentialId} ${digest}`, position: 0 };
};
const digestOf = ({ epoch }: FeedPosition): string => epoch.split(" ").at(-1) ?? "";

function openInbox(context: GraphqlContext, after: string | null): AsyncIterableIterator<InboxStreamItem | Broken> {
  const { caller, streamPosition } = context;
  const list = `inbox of ${caller.actor.id}`;
  if (streamPosition?.start) {
    return follow(context, list, { first: null, from: digestOf(streamPosition.start), resumed: false });
  }
  const from = after === null ? null : readCursor(list, after, digestPosition);
  const isExpired = after !== null && from === null;
  return follow(context, list, { first: isExpired ? expired() : null, from, resumed: after !== null });
}

interface Beginning {
  /** The only item. */
  first: Expired | null;
  /** `null`: from now on. */
  from: string | null;
  resumed: boolean;
}

function follow(
  context: GraphqlContext,
  list: string,
  { first, from, resumed }: Beginning,
): AsyncIterableIterator<InboxStreamItem | Broken> {
  const { caller, domain, tails, streamPosition } = context;
  const audience = audienceOf(context);
  const read = () => domain.inboxState(caller);
  const onIdle = (digest: string): void => {
    if (streamPosition === undefined) return;
    streamPosition.current = positionOf(caller, digest);
    streamPosition.onIdle();
  };
  if (streamPosition !== undefined && from !== null) streamPosition.current = positionOf(caller, from);
  return itemStream<InboxRow, InboxStreamItem | Broken>({
    first: first === null ? [] : [{ item: first, access: null }],
    tail: first !== null ? null : tails.inbox(read, from, resumed, onIdle, audience.admit),
    // An item shows nothing of a run: its reader reads the inbox, by its own rights.
    accessOf: () => null,
    audience,
    streamPosition,
    positionOf: ({ digest }) => positionOf(caller, digest),
    toItem: ({ type, digest, at }) => {
      const cursor = writeCursor(list, digest);
      return type === "QUIET" ? { type: "StreamCheckpoint", cursor, at } : { type: "InboxChanged", cursor, at };
    },
    toFailure: broken,
    beforeItem: audience.enter,
  });
}

builder.subscriptionField("inboxEvents", (t) =>
  t.field({
    type: InboxStreamItemRef,
    extensions: ACTOR_DEPENDENT,
    description:
      "Streams the changes of the inbox of the caller, over all organizations. It has states, not events: changes within a second, and all those between two subscriptions, are one item, or none if they left it as it was. A reader may have seen what was between: compare `InboxConnection.streamCursor` with the newest item. Without `after` it begins with a StreamCheckpoint: read `Viewer.inbox` behind it. With the cursor of an earlier item, or of an inbox that was read, it continues with an InboxChanged if the inbox differs from what it was then, else with a StreamCheckpoint. Such a cursor does not become too old. Changes that follow from time alone, or from rights that were given, are found within half a minute.",
    args: {
      after: t.arg.string({
        description: "The cursor of an earlier item of this stream, or `InboxConnection.streamCursor`.",
      }),
    },
    subscribe: (_root, { after }, context) => openInbox(context, after ?? null),
    resolve: unbroken,
  }),
);
