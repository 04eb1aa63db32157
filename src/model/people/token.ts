import type { Actor } from "./actor.ts";
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
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}
