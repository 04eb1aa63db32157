import { useState } from "react";
import { RecentFiguresDocument, type RecentFiguresQuery } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";

export type Figures = NonNullable<NonNullable<RecentFiguresQuery["organization"]>["statistics"]>;

export const RECENT_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads the figures of the last days until now, and those of the day to come when they are read again. */
export function useRecentFigures(organization: string): [figures: Figures | null, reload: () => void] {
  const [window] = useState(() => {
    const now = Date.now();
    const at = (ms: number): string => new Date(ms).toISOString();
    return { from: at(now - RECENT_DAYS * DAY_MS), to: at(now + DAY_MS) };
  });
  const [read, reload] = useDocument(RecentFiguresDocument, { organization, ...window });
  return [read.data?.organization?.statistics ?? null, reload];
}
