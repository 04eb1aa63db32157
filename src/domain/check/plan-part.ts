/** Reads the plan out of the stored document of a plan, piece by piece: a document may have 64 MiB. */
import { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** Returns the JSON of the key `plan`. `document`: an object of JSON, compressed by zstd. */
export async function* planPart(document: Uint8Array): AsyncGenerator<Buffer> {
  const scan = createScan();
  for await (const piece of Readable.from([document]).pipe(createZstdDecompress())) {
    const found = scan(Buffer.from(piece));
    if (found.length > 0) yield found;
  }
}

/** Creates a scan over the pieces of an object: it returns the part of each that belongs to the value of `plan`. */
function createScan(): (piece: Buffer) => Buffer {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  /** The bytes of the key that is read, or was read last; `null` within a value. */
  let key: number[] | null = null;
  let isPlan = false;
  return (piece) => {
    const kept: Buffer[] = [];
    let from = isPlan ? 0 : -1;
    const end = (at: number): void => {
      if (from >= 0) kept.push(piece.subarray(from, at));
      from = -1;
      isPlan = false;
    };
    // An iterator over the bytes takes ten times as long.
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        if (isText && depth === 1) key?.push(byte);
      } else if (byte === QUOTE) isText = true;
      else if (OPENING.has(byte)) {
        depth += 1;
        if (depth === 1) key = [];
        // The values of both keys are objects.
        else if (depth === 2 && key !== null) {
          isPlan = Buffer.from(key).toString() === "plan";
          key = null;
          if (isPlan) from = at;
        }
      } else if (CLOSING.has(byte)) {
        depth -= 1;
        if (depth === 1 && isPlan) end(at + 1);
      } else if (byte === COMMA && depth === 1) key = [];
    }
    if (from >= 0) kept.push(piece.subarray(from));
    return Buffer.concat(kept);
  };
}
