import { LIMITS } from "../kit/limits.ts";
import { type Actor, ADMIN_TOKEN_ID } from "./actor.ts";
import type { PermissionSet } from "./permission-set.ts";
import type { TokenRole } from "./role.ts";

/** A part of the rights of its owner to which a token is limited. */
export interface TokenCap {
  /** `null`: no role. */
  role: TokenRole | null;
  /** `null`: all. */
  permissions: PermissionSet | null;
  /** Ids of organizations, projects and workspaces; `null`: everywhere. */
  scopeIds: readonly string[] | null;
}

export interface Token extends TokenCap {
  id: string;
  name: string;
  actor: Actor;
  /** Networks in CIDR notation from which it may be used; empty: any. */
  networks: readonly string[];
  createdAt: string;
  lastUsedAt: string | null;
  /** The address of the last use, the first 64 bits of IPv6; `null` if it is not known. */
  lastUsedFrom: string | null;
  /** When the secret was last replaced; `null` if it never was. */
  rotatedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns when a token ends unless it is used before; `null`: it does not. */
export function idleEndOf({ id, createdAt, lastUsedAt, rotatedAt }: Token): string | null {
  if (id === ADMIN_TOKEN_ID) return null;
  const times = [createdAt, lastUsedAt ?? createdAt, rotatedAt ?? createdAt].map((time) => Date.parse(time));
  return new Date(Math.max(...times) + LIMITS.tokenIdleDays * DAY_MS).toISOString();
}

/** Whether a token has neither been revoked nor expired, nor ended for want of use. */
export function isLive(token: Token, at: string): boolean {
  const idleEnd = idleEndOf(token);
  const isBefore = (end: string | null): boolean => end === null || at < end;
  return token.revokedAt === null && isBefore(token.expiresAt) && isBefore(idleEnd);
}
