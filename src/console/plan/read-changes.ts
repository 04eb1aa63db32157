import { FileRefusedError } from "../live/file-error.ts";
import type { PlannedChange } from "./pattern.ts";

/** Reads all changes of a plan, and passes them on as they come. Throws where the server refuses, or breaks off. */
export async function readChanges(
  planId: string,
  { signal, onChanges }: { signal: AbortSignal; onChanges: (changes: readonly PlannedChange[]) => void },
): Promise<void> {
  const answer = await fetch(`/plans/${encodeURIComponent(planId)}/changes`, { signal });
  if (!answer.ok || answer.body === null) throw new FileRefusedError("The plan", answer.status);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of answer.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    onChanges(lines.filter((line) => line !== "").map(readChange));
  }
}

/** Reads one line of the file of changes. */
function readChange(line: string): PlannedChange {
  const value: unknown = JSON.parse(line);
  const field = (name: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  const text = (name: string): string | null => {
    const found = field(name);
    return typeof found === "string" ? found : null;
  };
  const texts = (name: string): string[] => {
    const found = field(name);
    return Array.isArray(found) ? found.filter((entry) => typeof entry === "string") : [];
  };
  const createBeforeDestroy = field("createBeforeDestroy");
  return {
    address: text("address") ?? "",
    digest: text("digest") ?? "",
    action: text("action") ?? "",
    type: text("type") ?? "",
    previousAddress: text("previousAddress"),
    imported: field("imported") === true,
    createBeforeDestroy: typeof createBeforeDestroy === "boolean" ? createBeforeDestroy : null,
    before: field("before"),
    after: field("after"),
    unknownPaths: texts("unknownPaths"),
    sensitivePaths: texts("sensitivePaths"),
    replacePaths: texts("replacePaths"),
    dependsOn: texts("dependsOn"),
    reason: text("reason"),
  };
}
