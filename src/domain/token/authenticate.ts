import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../model/actor.ts";
import type { TokenCaller } from "../../model/permission.ts";
import { findTokenBySecret, putAdminToken, touchToken } from "../../persistence/token-store.ts";
import type { Deps } from "../deps.ts";
import { hashSecret } from "./secret.ts";

const SECRET_LENGTH = 512;
/** The time of last use is this coarse: a write for every request would cost more than the request. */
const TOUCH_EVERY_MS = 60_000;

/** Whose token this is; null where it is unknown, revoked or expired. */
export async function authenticate(deps: Deps, secret: string): Promise<TokenCaller | null> {
  if (secret.length === 0 || secret.length > SECRET_LENGTH) return null;
  const at = deps.clock();
  const token = await findTokenBySecret(deps.database, hashSecret(secret), at.toISOString());
  if (token === null) return null;
  if (token.lastUsedAt === null || at.getTime() - Date.parse(token.lastUsedAt) > TOUCH_EVERY_MS) {
    await touchToken(deps.database, token.id, at, TOUCH_EVERY_MS);
  }
  const { id: tokenId, actor, role, expiresAt } = token;
  return { type: "token", tokenId, actor, role, ...(expiresAt !== null && { expiresAt }) };
}

/** Makes this the secret of the installation's own admin token. */
export async function installAdminToken(deps: Deps, secret: string): Promise<void> {
  const token = { id: ADMIN_TOKEN_ID, actorId: ADMIN_ACTOR_ID, secretHash: hashSecret(secret) };
  await deps.database.transaction(async (tx) => {
    await putAdminToken(tx, { ...token, at: deps.clock().toISOString() });
    // Connections that were opened with another secret are no longer anybody's.
    tx.announce(`token:${ADMIN_TOKEN_ID}`);
  });
}
