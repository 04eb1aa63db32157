/** Escape sequences of terminals: colors, cursor movements, window titles. */
export const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g;
/** Control characters except the tab. Postgres cannot store NUL in text, and no reader needs the others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
export const LINE_BREAK = /\r\n|\n|\r/;

/** Splits text into readable lines. A carriage return starts a new line, as a line feed does. */
export function readableLines(text: string): string[] {
  const lines = text.replace(ESCAPE, "").split(LINE_BREAK);
  const readable = lines.map((line) => line.replace(CONTROL, "").toWellFormed());
  // A progress bar that rewrites its line leaves empty lines around the carriage returns.
  return text.includes("\r") ? readable.filter((line, index) => line !== "" || index === 0) : readable;
}

/** Gives at most `bytes` of a text in UTF-8, without a part of a character at the end. */
export function utf8Prefix(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const encoded = Buffer.from(text);
  let end = Math.max(0, bytes);
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString("utf8", 0, end);
}

/** Cuts a line at `limit` bytes of UTF-8, mark included. The mark shows `totalBytes`. */
export function cutLine(text: string, totalBytes: number, wasCut: boolean, limit: number): string {
  if (!wasCut && Buffer.byteLength(text) <= limit) return text;
  const mark = ` … [cut: ${totalBytes} bytes]`;
  return utf8Prefix(text, limit - Buffer.byteLength(mark)) + mark;
}
