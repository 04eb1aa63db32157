import { vi } from "vitest";
import { waitUntil } from "./eventually.ts";
import type { InProcess } from "./in-process.ts";

const MARKER = "token:tok_marker";

/** Returns the topics of the hints of a step. Hints arrive in their order, so all of them come before a last one. */
export async function announced({ hub, deps }: InProcess, step: () => Promise<unknown>): Promise<string[]> {
  const signal = vi.spyOn(hub, "signal");
  try {
    await step();
    await deps.database.transaction(async (tx) => tx.announce(MARKER));
    await waitUntil(() => signal.mock.calls.some(([topic]) => topic === MARKER));
    return signal.mock.calls.map(([topic]): string => topic).filter((topic) => topic !== MARKER);
  } finally {
    signal.mockRestore();
  }
}
