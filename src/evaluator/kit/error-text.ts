/** Gives the text of something that was thrown. */
export function errorText(error: unknown): string {
  if (error instanceof RangeError && error.message.startsWith("Maximum call stack")) return "it nests too deep";
  return error instanceof Error ? error.message : String(error);
}
