/** The data of ended runs that an organization can let expire. States, plan texts and runs are always stored. */

export const RETENTION_KINDS = ["LOGS", "EVENTS", "ARCHIVES"] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Days after the end of a run; `null` for ever. */
export interface Retention {
  logDays: number | null;
  /** Also for the feeds of the organization and its workspaces, counted from each entry. */
  eventDays: number | null;
  /** The files that applying a saved plan needs. */
  archiveDays: number | null;
}

/**
 * The retention of new organizations. Logs and events stay, because people search them; an archive of this age belongs
 * to a stale plan.
 */
export const DEFAULT_RETENTION: Readonly<Retention> = { logDays: null, eventDays: null, archiveDays: 90 };

export const RETENTION_FIELDS = ["logDays", "eventDays", "archiveDays"] as const satisfies (keyof Retention)[];

/** Absent fields stay unchanged; `null` for ever. */
export type RetentionChange = { [Field in keyof Retention]?: number | null | undefined };

export function changedRetention(before: Retention, change: RetentionChange): Retention {
  const { logDays, eventDays, archiveDays } = change;
  return {
    logDays: logDays === undefined ? before.logDays : logDays,
    eventDays: eventDays === undefined ? before.eventDays : eventDays,
    archiveDays: archiveDays === undefined ? before.archiveDays : archiveDays,
  };
}
