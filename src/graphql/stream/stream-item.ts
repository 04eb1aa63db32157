import { builder } from "../kit/builder.ts";

/** Items of streams are tagged with the name of their type, or are events, which their own interface resolves. */
export const StreamItemRef = builder.interfaceRef<{ cursor: string }>("StreamItem").implement({
  description:
    "What a client can resume from. Clients ignore members of a stream that they do not know, after they noted the cursor.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", {
      description: "The place in the stream: `after` it comes everything that follows this item.",
    }),
  }),
});

/** A place in a stream where nothing happened. */
export interface Checkpoint {
  type: "StreamCheckpoint";
  cursor: string;
  at: string;
}

export const StreamCheckpointRef = builder.objectRef<Checkpoint>("StreamCheckpoint").implement({
  description:
    "First item of a quiet stream, and now and then in one where nothing happens, so that the cursor does not grow old.",
  interfaces: [StreamItemRef],
  fields: (t) => ({ at: t.expose("at", { type: "DateTime", description: "When it was sent." }) }),
});

/** Says that a stream cannot be resumed from the cursor that the client has. */
export interface Expired {
  type: "CursorExpired";
  message: string;
}

export const CursorExpiredRef = builder.objectRef<Expired>("CursorExpired").implement({
  description:
    "The cursor is too old or not one of this stream; the stream completes, and the client starts over without it.",
  fields: (t) => ({ message: t.exposeString("message", { description: "The same for a person." }) }),
});

export function expired(): Expired {
  return {
    type: "CursorExpired",
    message: "This cursor is not one of this stream, or is too old. Start over without it.",
  };
}
