import { FileRefusedError } from "../live/file-error.ts";
import type { LineSpan } from "./colored-parts.ts";
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
  const spans = fieldOf(value, "spans");
  return {
    number: Number(fieldOf(value, "number")),
    phase: textOf(value, "phase"),
    attempt: Number(fieldOf(value, "attempt") ?? 1),
    stream: textOf(value, "stream"),
    at: textOf(value, "at"),
    text: textOf(value, "text"),
    ...(Array.isArray(spans) && { spans: spans.map(toSpan) }),
  };
}

function toSpan(value: unknown): LineSpan {
  return {
    from: Number(fieldOf(value, "from")),
    to: Number(fieldOf(value, "to")),
    color: textOf(value, "color") || null,
    bold: fieldOf(value, "bold") === true,
  };
}

function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : "";
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
