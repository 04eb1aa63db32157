import { builder } from "../kit/builder.ts";

/** Items of streams are tagged with the name of their type, or are events, which their own interface resolves. */
export const StreamItemRef = builder.interfaceRef<{ cursor: string }>("StreamItem").implement({
  description:
    "An item from which a client can resume. A client ignores items of types that it does not know, but keeps their cursor.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", {
      description: "The position in the stream. Pass it as `after` to continue after this item.",
    }),
  }),
});

/** A stream item that has a cursor and no change. */
export interface Checkpoint {
  type: "StreamCheckpoint";
  cursor: string;
  at: string;
}

export const StreamCheckpointRef = builder.objectRef<Checkpoint>("StreamCheckpoint").implement({
  description:
    "An item without a change: the first item of a quiet stream, and one from time to time, so that the cursor does not expire.",
  interfaces: [StreamItemRef],
  fields: (t) => ({ at: t.expose("at", { type: "DateTime", description: "When the item was sent." }) }),
});

/** The item that ends a stream which cannot resume from the client's cursor. */
export interface Expired {
  type: "CursorExpired";
  message: string;
}

export const CursorExpiredRef = builder.objectRef<Expired>("CursorExpired").implement({
  description:
    "The cursor is too old, or not one of this stream. The stream completes, and the client subscribes again without `after`.",
  fields: (t) => ({ message: t.exposeString("message", { description: "The reason and the remedy in words." }) }),
});

export function expired(): Expired {
  return {
    type: "CursorExpired",
    message: "The cursor is too old, or not one of this stream. Subscribe again without `after`.",
  };
}
