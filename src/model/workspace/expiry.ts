/** Ephemeral workspaces: when they expire, what they manage is destroyed, and then they are deleted. */
import { instantAfter } from "../kit/instant-after.ts";

const HOUR_MS = 60 * 60 * 1000;

/** The times before the expiry at which it is announced, the longest first. */
const REMINDERS_MS = [24 * HOUR_MS, HOUR_MS] as const;
/** Destroy runs of one expiry: they fit into a day. */
export const EXPIRY_TRIES = 3;
const RETRY_MS = 8 * HOUR_MS;
/** The pause between two checks of a workspace that is in use. */
const BUSY_MS = 60_000;

/** The progress of an expiry. Instants are RFC 3339 with milliseconds and Z. */
export interface Expiry {
  expiresAt: string;
  /** The actor that set it: its runs count as requested by that actor. */
  setById: string;
  /** The reminders that are due no more. */
  reminded: number;
  tries: number;
  triedAt: string | null;
}

/** EMPTY: it can be deleted. BUSY: a run is live, or it is locked. FULL: its state has resources. */
export type ExpiryUse = "EMPTY" | "BUSY" | "FULL";

export type ExpiryStep = "WAIT" | "REMIND" | "DESTROY" | "DELETE" | "GIVE_UP";

/** Begins an expiry. Reminders whose time has passed are dropped. */
export function newExpiry(expiresAt: string, setById: string, at: Date): Expiry {
  const leftMs = Date.parse(expiresAt) - at.getTime();
  const reminded = REMINDERS_MS.filter((ms) => leftMs <= ms).length;
  return { expiresAt, setById, reminded, tries: 0, triedAt: null };
}

/** Returns when the next step is due. */
export function expiryDueAt({ expiresAt, reminded }: Expiry): string {
  return instantAfter(expiresAt, -(REMINDERS_MS[reminded] ?? 0));
}

/** Decides the step that is due, the expiry after it, and when the next one is due; `null`: never. */
export function decideExpiry(
  expiry: Expiry,
  use: ExpiryUse,
  at: Date,
): { step: ExpiryStep; after: Expiry; dueAt: string | null } {
  const now = at.getTime();
  const later = (ms: number): string => new Date(now + ms).toISOString();
  if (now < Date.parse(expiryDueAt(expiry))) return { step: "WAIT", after: expiry, dueAt: expiryDueAt(expiry) };
  if (expiry.reminded < REMINDERS_MS.length) {
    const leftMs = Date.parse(expiry.expiresAt) - now;
    const reminded = Math.max(expiry.reminded + 1, REMINDERS_MS.filter((ms) => leftMs <= ms).length);
    const after = { ...expiry, reminded };
    return { step: leftMs > 0 ? "REMIND" : "WAIT", after, dueAt: expiryDueAt(after) };
  }
  if (use === "BUSY") return { step: "WAIT", after: expiry, dueAt: later(BUSY_MS) };
  if (use === "EMPTY") return { step: "DELETE", after: expiry, dueAt: null };
  if (expiry.tries === EXPIRY_TRIES) return { step: "GIVE_UP", after: expiry, dueAt: null };
  const again = expiry.triedAt === null ? now : Date.parse(expiry.triedAt) + RETRY_MS;
  if (again > now) return { step: "WAIT", after: expiry, dueAt: new Date(again).toISOString() };
  const after = { ...expiry, tries: expiry.tries + 1, triedAt: at.toISOString() };
  return { step: "DESTROY", after, dueAt: later(BUSY_MS) };
}
