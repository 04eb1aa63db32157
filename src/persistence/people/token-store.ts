import type { Selectable } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { type Token, TOKEN_ROLES } from "../../model/people/token.ts";
import { toActor } from "./actor-store.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

type Row = Omit<Selectable<Tables["token"]>, "secret_hash" | "actor_id"> & {
  actor_id: string;
  actor_kind: string;
  actor_name: string;
};

function toToken(row: Row): Token {
  return {
    id: row.id,
    name: row.name,
    role: word(TOKEN_ROLES, row.role),
    actor: toActor({ id: row.actor_id, kind: row.actor_kind, name: row.actor_name }),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

function withActor(db: Reader["sql"]) {
  return db
    .selectFrom("token")
    .innerJoin("actor", "actor.id", "token.actor_id")
    .select([
      "token.id",
      "token.name",
      "token.role",
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

/** `secretHash`: SHA-256 of the secret. Throws a unique violation of `token_live_name` where the name is in use. */
export async function insertToken(tx: Transaction, token: Token, secretHash: Buffer): Promise<void> {
  await tx.sql
    .insertInto("token")
    .values({
      id: token.id,
      name: token.name,
      actor_id: token.actor.id,
      role: token.role,
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

const tokensBySecret = prepared((db, slot: Slot<{ hashes: readonly Buffer[]; at: string }>) =>
  unrevoked(withActor(db))
    .select("token.secret_hash")
    .where("token.secret_hash", "=", isAnyOf(slot("hashes"), "bytea"))
    .where((eb) => eb.or([eb("token.expires_at", "is", null), eb("token.expires_at", ">", slot("at"))])),
);

/** The token with each of these secrets, unless it was revoked or had expired at `at`. `hashes`: SHA-256 of them. */
export async function findTokensBySecret(
  reader: Reader,
  hashes: readonly Buffer[],
  at: string,
): Promise<(Token | null)[]> {
  const rows = await tokensBySecret(reader, { hashes, at });
  const found = new Map(rows.map((row) => [row.secret_hash.toString("hex"), toToken(row)]));
  return hashes.map((hash) => found.get(hash.toString("hex")) ?? null);
}

/** Revoked and expired tokens included. */
export async function findTokens(reader: Reader, ids: readonly string[]): Promise<(Token | null)[]> {
  const rows = await withActor(reader.sql).where("token.id", "in", ids).execute();
  return inOrder(ids, rows.map(toToken), (token) => token.id);
}

/** The token, or null if it was revoked or has expired by `at`. */
export async function findTokenInForce(reader: Reader, id: string, at: string): Promise<Token | null> {
  const row = await unrevoked(withActor(reader.sql))
    .where("token.id", "=", id)
    .where((eb) => eb.or([eb("token.expires_at", "is", null), eb("token.expires_at", ">", at)]))
    .executeTakeFirst();
  return row === undefined ? null : toToken(row);
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
