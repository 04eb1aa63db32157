import type { Actor } from "./actor.ts";

/** What a token may do; each role includes the ones before it. */
export const TOKEN_ROLES = ["READER", "WRITER", "APPROVER", "ADMIN"] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

export interface Token {
  id: string;
  name: string;
  role: TokenRole;
  actor: Actor;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}
