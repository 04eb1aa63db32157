/** The end that every token has but the admin token of the installation. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { InputCheck } from "../kit/input.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The end of a token that is made or rotated at `at`. */
export interface NewTokenEnd {
  at: string;
  expiresAt: string;
  /** The latest end that it may have. */
  latest: string;
}

/** Returns the end that was asked for, or that of a token for which none was. */
export function tokenEnd(asked: string | null, at: Date): NewTokenEnd {
  const after = (days: number): string => new Date(at.getTime() + days * DAY_MS).toISOString();
  return {
    at: at.toISOString(),
    expiresAt: asked ?? after(LIMITS.tokenDaysByDefault),
    latest: after(LIMITS.tokenDays),
  };
}

export function checkTokenEnd(check: InputCheck, { at, expiresAt, latest }: NewTokenEnd): void {
  check.require(expiresAt > at, "expiresAt", "must be in the future.");
  check.require(expiresAt <= latest, "expiresAt", `must be within ${LIMITS.tokenDays} days.`);
}

/** The state of a token that was not used yet. */
export const NEW_TOKEN = { lastUsedAt: null, lastUsedFrom: null, rotatedAt: null, revokedAt: null } as const;
