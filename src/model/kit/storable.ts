/** Replaces the characters that a text of Postgres cannot hold: U+0000, and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
