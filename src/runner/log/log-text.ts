/** Colours, cursor movements, window titles: everything that a terminal would not show as text. */
const ANSI =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g;
/** All but the tab. Postgres cannot store NUL in text, and no reader needs the others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;

/** Text as a reader would see it, as lines: a carriage return starts a new one, as a line feed does. */
export function readableLines(text: string): string[] {
  const lines = text.replace(ANSI, "").split(/\r\n|\n|\r/);
  const readable = lines.map((line) => line.replace(CONTROL, "").toWellFormed());
  // A progress bar rewrites its line and leaves nothing but emptiness around the carriage returns.
  return text.includes("\r") ? readable.filter((line, index) => line !== "" || index === 0) : readable;
}

/** The first bytes of a text, not more than `bytes` of UTF-8, without half a character at the end. */
export function utf8Prefix(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const encoded = Buffer.from(text);
  let end = Math.max(0, bytes);
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString("utf8", 0, end);
}

/** Ends a line at `limit` bytes of UTF-8, mark included. `totalBytes` is the length that the mark tells. */
export function cutLine(text: string, totalBytes: number, wasCut: boolean, limit: number): string {
  if (!wasCut && Buffer.byteLength(text) <= limit) return text;
  const mark = ` … [cut: ${totalBytes} bytes]`;
  return utf8Prefix(text, limit - Buffer.byteLength(mark)) + mark;
}
