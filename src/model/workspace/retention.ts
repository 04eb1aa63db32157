/** How long an organization keeps what its ended runs leave behind. States, plans as people read them, and runs stay. */

export const RETENTION_KINDS = ["LOGS", "EVENTS", "ARCHIVES"] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Days after the end of a run; null: for ever. */
export interface Retention {
  logDays: number | null;
  /** Also of the feeds of the organization and its workspaces, whose entries count from when they happened. */
  eventDays: number | null;
  /** The files with which a saved plan is applied. */
  archiveDays: number | null;
}

/**
 * Of new organizations; those that had runs before there was retention keep everything. Logs and events are what people
 * look things up in; an archive that is this old is of a plan that is stale.
 */
export const DEFAULT_RETENTION: Readonly<Retention> = { logDays: null, eventDays: null, archiveDays: 90 };

export const RETENTION_FIELDS = ["logDays", "eventDays", "archiveDays"] as const satisfies (keyof Retention)[];

/** An absent field stays; null: for ever. */
export type RetentionChange = { [Field in keyof Retention]?: number | null | undefined };

export function changedRetention(before: Retention, change: RetentionChange): Retention {
  const { logDays, eventDays, archiveDays } = change;
  return {
    logDays: logDays === undefined ? before.logDays : logDays,
    eventDays: eventDays === undefined ? before.eventDays : eventDays,
    archiveDays: archiveDays === undefined ? before.archiveDays : archiveDays,
  };
}
