import { RecentFiguresDocument, type RecentFiguresQuery } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { useNow } from "../parts/time.tsx";

export type Figures = NonNullable<NonNullable<RecentFiguresQuery["organization"]>["statistics"]>;

export const RECENT_DAYS = 14;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Reads the figures of the last days until now, and those of the day to come when they are read again. */
export function useRecentFigures(organization: string): [figures: Figures | null, reload: () => void] {
  // To the hour: a page that stays open reads another window then.
  const now = Math.floor(useNow() / HOUR_MS) * HOUR_MS;
  const at = (ms: number): string => new Date(ms).toISOString();
  const window = { from: at(now - RECENT_DAYS * DAY_MS), to: at(now + DAY_MS) };
  const [read, reload] = useDocument(RecentFiguresDocument, { organization, ...window });
  return [read.data?.organization?.statistics ?? null, reload];
}
