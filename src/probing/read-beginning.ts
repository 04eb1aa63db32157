import type { Readable } from "node:stream";

/**
 * Reads at most so many bytes of a stream, and then closes it. Throws if the stream breaks off before. By events, since the iterator
 * of a stream costs as much as the rest of a probe.
 */
export function readBeginning(
  stream: Readable,
  atMost: number,
  isEnough?: (bytes: Buffer) => boolean,
): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  return new Promise((done, fail) => {
    stream.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk.subarray(0, atMost - bytes.length)]);
      if (bytes.length < atMost && isEnough?.(bytes) !== true) return;
      done(bytes);
      stream.destroy();
    });
    stream.once("end", () => done(bytes));
    stream.once("error", fail);
    // After its end, or an error, this has no effect.
    stream.once("close", () => fail(new Error("The connection was closed before the end.")));
  });
}
