import { useMemo, useState } from "react";
import { keepSeen, readSeen } from "./seen-changes.ts";
import type { SeenChanges } from "./seen-mark.tsx";

/** The marks of a run, which are kept at each change of them. */
export function useSeen(runId: string): SeenChanges {
  const [seen, setSeen] = useState(() => readSeen(runId));
  return useMemo(
    () => ({
      seen,
      set(digests, isSeen) {
        const next = new Set(seen);
        for (const digest of digests)
          if (isSeen) next.add(digest);
          else next.delete(digest);
        setSeen(next);
        keepSeen(runId, next);
      },
    }),
    [runId, seen],
  );
}
