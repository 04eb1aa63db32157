import { vi } from "vitest";
import { waitUntil } from "./eventually.ts";
import type { InProcess } from "./in-process.ts";

const MARKER = "token:tok_marker";

/** Returns the topics of the hints of a step. Hints arrive in their order, so all of them come between two others. */
export async function announced({ hub, deps }: InProcess, step: () => Promise<unknown>): Promise<string[]> {
  const signal = vi.spyOn(hub, "signal");
  const topics = (): string[] => signal.mock.calls.map(([topic]) => topic);
  const marked = async (): Promise<void> => {
    await deps.database.transaction(async (tx) => tx.announce(MARKER));
    await waitUntil(() => topics().includes(MARKER));
  };
  try {
    await marked();
    signal.mockClear();
    await step();
    await marked();
    return topics().filter((topic) => topic !== MARKER);
  } finally {
    signal.mockRestore();
  }
}
