/** How a line of a log is marked. */
export type Tone = "error" | "warning" | "plain";

/** Engines begin their messages with these words, behind a bar or not. */
export function toneOf(text: string): Tone {
  const [, word] = /^(?:[│╷] *)?(Error|Warning): /.exec(text) ?? [];
  if (word === undefined) return "plain";
  return word === "Error" ? "error" : "warning";
}
