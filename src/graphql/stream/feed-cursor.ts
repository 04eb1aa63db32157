import { createCipheriv, createDecipheriv } from "node:crypto";
import type { FeedPosition } from "../../model/run/feed.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { type ReadPosition, readCursor, writeCursor } from "../kit/cursor.ts";

/** The cursors of the stream of one workspace or one organization. */
export interface FeedCursors {
  /** `at`: when the cursor was made, for a cursor without a change; else two quiet items would show whether the feed moved. */
  write(position: FeedPosition, at?: string): string;
  /** Returns the position; `null` for a cursor that is not one of this stream. */
  read(cursor: string): FeedPosition | null;
}

/** One block of AES: the epoch, the position, and the low bits of the time of a quiet item. */
const BLOCK = 16;
const EPOCH = 6;
const POSITION = 6;
const SEALED = /^[\w-]{22}$/;

/**
 * Seals positions in a feed. The positions of an organization count the changes of all of its workspaces, so that a
 * reader of one of them could count those of the others. An invented cursor opens to an epoch that the feed does not
 * have, and expires as an old one does.
 */
export function feedCursors(keyOf: GraphqlContext["cursorKeyOf"], subjectId: string): FeedCursors {
  const list = `feed of ${subjectId}`;
  // One block at a time under a key of its own: the mode without chaining is the block cipher itself.
  const sealing = createCipheriv("aes-256-ecb", keyOf(subjectId), null);
  const sealed: ReadPosition<FeedPosition> = (value) => {
    if (typeof value !== "string" || !SEALED.test(value)) return null;
    const opening = createDecipheriv("aes-256-ecb", keyOf(subjectId), null).setAutoPadding(false);
    const block = opening.update(value, "base64url");
    return { epoch: block.toString("hex", 0, EPOCH), position: block.readUIntBE(EPOCH, POSITION) };
  };
  return {
    write({ epoch, position }, at) {
      const block = Buffer.alloc(BLOCK);
      block.write(epoch, "hex");
      block.writeUIntBE(position, EPOCH, POSITION);
      if (at !== undefined) block.writeUInt32BE(Date.parse(at) % 2 ** 32, EPOCH + POSITION);
      return writeCursor(list, sealing.update(block).toString("base64url"));
    },
    read: (cursor) => readCursor(list, cursor, sealed),
  };
}
