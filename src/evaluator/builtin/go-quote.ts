const ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
};
/** Letters, marks, numbers, punctuation, symbols and the space are shown. */
const SHOWN = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Quotes a text as Go does it. */
export function goQuote(text: string, { quote = '"', isAscii = false } = {}): string {
  const shown = Array.from(text, (character) => {
    if (character === quote) return `\\${quote}`;
    const escape = ESCAPES[character];
    if (escape !== undefined) return escape;
    const code = character.codePointAt(0) ?? 0;
    if (SHOWN.test(character) && (!isAscii || code < 0x7f)) return character;
    if (code < 0x80) return `\\x${hex(code, 2)}`;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
  return quote + shown.join("") + quote;
}

const hex = (code: number, length: number): string => code.toString(16).padStart(length, "0");
