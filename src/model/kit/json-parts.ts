const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,`, `[` and `{`. */
const PARTS = new Set([0x2c, 0x5b, 0x7b]);

/**
 * Counts the values of a JSON text before it is parsed: a parser that runs out of memory ends the whole process, not its
 * thread.
 */
export function countJsonParts(bytes: Uint8Array): number {
  let count = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte !== undefined && PARTS.has(byte)) count += 1;
  }
  return count;
}
