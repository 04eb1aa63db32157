import type { Selectable } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { AccessVersion } from "../../model/people/access-version.ts";
import { PERMISSIONS, permissionsIn, type PermissionSet, permissionSet } from "../../model/people/permission-set.ts";
import { TOKEN_ROLES } from "../../model/people/role.ts";
import type { Token } from "../../model/people/token.ts";
import { ACCESS_VERSION } from "./access-store.ts";
import { toActor } from "./actor-store.ts";
import { wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

type Row = Omit<Selectable<Tables["token"]>, Unread> & {
  actor_id: string;
  actor_kind: string;
  actor_name: string;
};

/** Columns that no entity shows. */
type Unread = "secret_hash" | "former_hash" | "former_until" | "networks" | "last_used_from" | "actor_id";

function toToken(row: Row): Token {
  return {
    id: row.id,
    name: row.name,
    role: wordOrNull(TOKEN_ROLES, row.role),
    permissions: row.permissions === null ? null : toSet(row.permissions),
    scopeIds: row.scope_ids,
    actor: toActor({ id: row.actor_id, kind: row.actor_kind, name: row.actor_name }),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** Names that no longer exist give nothing. */
function toSet(names: readonly string[]): PermissionSet {
  return permissionSet(PERMISSIONS.filter((permission) => names.includes(permission)));
}

function withActor(db: Reader["sql"]) {
  return db
    .selectFrom("token")
    .innerJoin("actor", "actor.id", "token.actor_id")
    .select([
      "token.id",
      "token.name",
      "token.role",
      "token.permissions",
      "token.scope_ids",
      "token.created_at",
      "token.last_used_at",
      "token.expires_at",
      "token.revoked_at",
      "actor.id as actor_id",
      "actor.kind as actor_kind",
      "actor.name as actor_name",
    ]);
}

type WithActor = ReturnType<typeof withActor>;
/** Without the tokens that were revoked. */
const unrevoked = (query: WithActor): WithActor => query.where("token.revoked_at", "is", null);
/** Without the tokens that nothing can be done with: they were revoked, or their owner is disabled. */
const usable = (query: WithActor): WithActor => unrevoked(query).where("actor.disabled_at", "is", null);

/** A token that can be used, with the version of rights of the moment in which it was read. */
export interface TokenInForce extends Token {
  accessVersion: AccessVersion;
}

/** `secretHash`: SHA-256 of the secret. Throws a unique violation of `token_live_name` where the name is in use. */
export async function insertToken(tx: Transaction, token: Token, secretHash: Buffer): Promise<void> {
  await tx.sql
    .insertInto("token")
    .values({
      id: token.id,
      name: token.name,
      actor_id: token.actor.id,
      role: token.role,
      permissions: token.permissions === null ? null : permissionsIn(token.permissions),
      scope_ids: token.scopeIds === null ? null : [...token.scopeIds],
      secret_hash: secretHash,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute();
}

/** Makes the secret of the installation's own admin token this one. */
export async function putAdminToken(
  tx: Transaction,
  token: { id: string; actorId: string; secretHash: Buffer; at: string },
): Promise<void> {
  await tx.sql
    .insertInto("token")
    .values({
      id: token.id,
      name: "admin",
      actor_id: token.actorId,
      role: "ADMIN",
      secret_hash: token.secretHash,
      created_at: token.at,
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ secret_hash: token.secretHash }))
    .execute();
}

function toTokenInForce(row: Row & { access_version: number; access_moves: number }): TokenInForce {
  return { ...toToken(row), accessVersion: { version: row.access_version, moves: row.access_moves } };
}

const tokensBySecret = prepared((db, slot: Slot<{ hashes: readonly Buffer[]; at: string }>) =>
  usable(withActor(db))
    .select(["token.secret_hash", ...ACCESS_VERSION])
    .where("token.secret_hash", "=", isAnyOf(slot("hashes"), "bytea"))
    .where((eb) => eb.or([eb("token.expires_at", "is", null), eb("token.expires_at", ">", slot("at"))])),
);

/** The token with each of these secrets, unless it was revoked or had expired at `at`. `hashes`: SHA-256 of them. */
export async function findTokensBySecret(
  reader: Reader,
  hashes: readonly Buffer[],
  at: string,
): Promise<(TokenInForce | null)[]> {
  const rows = await tokensBySecret(reader, { hashes, at });
  const found = new Map(rows.map((row) => [row.secret_hash.toString("hex"), toTokenInForce(row)]));
  return hashes.map((hash) => found.get(hash.toString("hex")) ?? null);
}

/** Revoked and expired tokens included. */
export async function findTokens(reader: Reader, ids: readonly string[]): Promise<(Token | null)[]> {
  const rows = await withActor(reader.sql).where("token.id", "in", ids).execute();
  return inOrder(ids, rows.map(toToken), (token) => token.id);
}

/** The token, or null if it was revoked or has expired by `at`. */
export async function findTokenInForce(reader: Reader, id: string, at: string): Promise<TokenInForce | null> {
  const row = await usable(withActor(reader.sql))
    .select(ACCESS_VERSION)
    .where("token.id", "=", id)
    .where((eb) => eb.or([eb("token.expires_at", "is", null), eb("token.expires_at", ">", at)]))
    .executeTakeFirst();
  return row === undefined ? null : toTokenInForce(row);
}

/** Lists tokens, newest first; positions are ids. `revoked`: only the revoked ones, or only the others; null: all. */
export async function listTokens(
  reader: Reader,
  revoked: boolean | null,
  page: PageRequest<string>,
): Promise<Page<Token>> {
  const { after, before } = page;
  const rows = await withActor(reader.sql)
    .$if(revoked === true, (q) => q.where("token.revoked_at", "is not", null))
    .$if(revoked === false, unrevoked)
    .$if(after !== null, (q) => q.where("token.id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("token.id", ">", before ?? ""))
    .orderBy("token.id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toToken));
}

/** The owner of a token, with the organization that it belongs to if it is a machine user of one. */
export interface TokenOwner {
  actorId: string;
  organizationId: string | null;
}

export async function findTokenOwner(reader: Reader, id: string): Promise<TokenOwner | null> {
  const row = await reader.sql
    .selectFrom("token")
    .innerJoin("actor", "actor.id", "token.actor_id")
    .select(["actor.id", "actor.organization_id"])
    .where("token.id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : { actorId: row.id, organizationId: row.organization_id };
}

/** The tokens of an actor that were not revoked, newest first. */
export async function listTokensOfActor(reader: Reader, actorId: string, limit: number): Promise<Token[]> {
  const rows = await unrevoked(withActor(reader.sql))
    .where("token.actor_id", "=", actorId)
    .orderBy("token.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toToken);
}

/** Ids of the tokens of an actor that were not revoked. */
export async function listTokenIds(reader: Reader, actorId: string): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("token")
    .select("id")
    .where("actor_id", "=", actorId)
    .where("revoked_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether there was such a live token. */
export async function revokeToken(tx: Transaction, id: string, at: string): Promise<boolean> {
  const result = await tx.sql
    .updateTable("token")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Notes that a token is in use; at most once in `everyMs`, so that reads do not turn into writes. */
export async function touchToken(reader: Reader, id: string, at: Date, everyMs: number): Promise<void> {
  const before = new Date(at.getTime() - everyMs).toISOString();
  await reader.sql
    .updateTable("token")
    .set({ last_used_at: at.toISOString() })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", before)]))
    .execute();
}
