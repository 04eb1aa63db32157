import type { Readable } from "node:stream";

/** Reads at most so many bytes of a stream, and then closes it. Throws if the stream breaks off before. */
export async function readBeginning(
  stream: Readable,
  atMost: number,
  isEnough?: (bytes: Buffer) => boolean,
): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  // The iterator destroys the stream when the loop ends early.
  for await (const chunk of stream) {
    const piece = Buffer.from(chunk);
    bytes = Buffer.concat([bytes, piece.subarray(0, atMost - bytes.length)]);
    if (bytes.length >= atMost || isEnough?.(bytes) === true) break;
  }
  return bytes;
}
