import type { Actor } from "./actor.ts";

/** The roles of tokens; each includes the ones before it. */
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
