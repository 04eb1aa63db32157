/** Replaces the serial in the text of a state file. Everything else stays exact, to the last digit. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);

/** Replaces the serial of a state; `null` if it has none. */
export function withSerial(state: Buffer, serial: number): Buffer | null {
  const place = findSerial(state);
  if (place === null) return null;
  return Buffer.concat([state.subarray(0, place.start), Buffer.from(String(serial)), state.subarray(place.end)]);
}

/** Finds the digits after the key `serial` of the outermost object. */
function findSerial(state: Buffer): { start: number; end: number } | null {
  let depth = 0;
  for (let at = 0; at < state.length; at++) {
    const byte = state[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfText(state, at);
      const key = depth === 1 ? /^"serial"\s*:\s*(?=-?\d)/.exec(state.toString("latin1", at, end + 200)) : null;
      if (key !== null) return digits(state, at + key[0].length);
      at = end;
    } else if (OPEN.has(byte)) depth += 1;
    else if (CLOSE.has(byte)) depth -= 1;
  }
  return null;
}

/** Returns the position of the quote that closes a text. */
function endOfText(state: Buffer, start: number): number {
  let at = start + 1;
  while (at < state.length && state[at] !== QUOTE) at += state[at] === BACKSLASH ? 2 : 1;
  return at;
}

function digits(state: Buffer, start: number): { start: number; end: number } {
  const length = /^-?[\d.eE+-]*/.exec(state.toString("latin1", start, start + 40))?.[0].length ?? 0;
  return { start, end: start + length };
}
