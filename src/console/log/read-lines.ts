import { FileRefusedError } from "../live/file-error.ts";
import type { LogLine } from "./pieces.ts";

/** Reads the lines from one number to another, both included. Throws where the server refuses. */
export async function readLines(runId: string, from: number, to: number): Promise<LogLine[]> {
  const query = new URLSearchParams({ from: String(from), to: String(to), format: "jsonl" });
  const answer = await fetch(`/runs/${encodeURIComponent(runId)}/log?${query}`);
  if (!answer.ok) throw new FileRefusedError("The log", answer.status);
  const text = await answer.text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map(toLine);
}

function toLine(text: string): LogLine {
  const value: unknown = JSON.parse(text);
  const field = (name: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  const textOf = (name: string): string => {
    const text = field(name);
    return typeof text === "string" ? text : "";
  };
  return {
    number: Number(field("number")),
    phase: textOf("phase"),
    attempt: Number(field("attempt") ?? 1),
    stream: textOf("stream"),
    at: textOf("at"),
    text: textOf("text"),
  };
}
