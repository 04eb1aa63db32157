/** The end that every token has but the admin token of the installation. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { InputCheck } from "../kit/input.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The end of a token that is made or rotated at `at`. */
export interface NewTokenEnd {
  at: string;
  expiresAt: string;
  /** The latest end that any token may have. */
  latest: string;
  /** The end of the token that makes it; `null`: it does not matter. */
  own: string | null;
}

/**
 * Returns the end that was asked for, or that of a token for which none was. `own`: the end of the token that makes it,
 * from `endOfOwn`.
 */
export function tokenEnd(asked: string | null, at: Date, own: string | null = null): NewTokenEnd {
  const after = (days: number): string => new Date(at.getTime() + days * DAY_MS).toISOString();
  const byDefault = after(LIMITS.tokenDaysByDefault);
  const expiresAt = asked ?? (own !== null && own < byDefault ? own : byDefault);
  return { at: at.toISOString(), expiresAt, latest: after(LIMITS.tokenDays), own };
}

/**
 * Returns the end of the token by which a caller makes one for itself; `null` if it has none. No secret can prolong itself,
 * so the new token ends no later, also where a session was opened with the token. Another session may make tokens that
 * outlive it, because its person was present.
 */
export function endOfOwn({ credential, actor, expiresAt, openedBy }: ActorCaller, ownerId: string): string | null {
  if (actor.id !== ownerId) return null;
  return credential === "TOKEN" ? (expiresAt ?? null) : (openedBy?.expiresAt ?? null);
}

export function checkTokenEnd(check: InputCheck, { at, expiresAt, latest, own }: NewTokenEnd): void {
  check.require(expiresAt > at, "expiresAt", "must be in the future.");
  check.require(expiresAt <= latest, "expiresAt", `must be within ${LIMITS.tokenDays} days.`);
  const isWithinOwn = own === null || expiresAt <= own;
  check.require(isWithinOwn, "expiresAt", `must not be after ${own}, when your own token ends.`);
}

/** The state of a token that was not used yet. */
export const NEW_TOKEN = { lastUsedAt: null, lastUsedFrom: null, rotatedAt: null, revokedAt: null } as const;
