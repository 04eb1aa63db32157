import { type ExpressionBuilder, type RawBuilder, type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { permissionsIn } from "../../model/people/permission-set.ts";
import { ADMIN_TOKEN_ID } from "../../model/people/actor.ts";
import { TOKEN_ROLES } from "../../model/people/role.ts";
import type { Token } from "../../model/people/token.ts";
import { toActor } from "./actor-store.ts";
import { wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { IN_FORCE, type InForceColumns, type InForceFacts, toInForceFacts } from "./in-force.ts";
import { inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import { toPermissionSet } from "./permission-names.ts";

type Row = Omit<Selectable<Tables["token"]>, Unread> & {
  actor_id: string;
  actor_kind: string;
  actor_name: string;
};

/** Columns that no entity shows. */
type Unread = "trust_rule_id" | "secret_hash" | "former_hash" | "former_until" | "actor_id";

function toToken(row: Row): Token {
  return {
    id: row.id,
    name: row.name,
    role: wordOrNull(TOKEN_ROLES, row.role),
    permissions: row.permissions === null ? null : toPermissionSet(row.permissions),
    scopeIds: row.scope_ids,
    actor: toActor({ id: row.actor_id, kind: row.actor_kind, name: row.actor_name }),
    createdAt: row.created_at,
    networks: row.networks,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    rotatedAt: row.rotated_at,
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
      "token.permissions",
      "token.scope_ids",
      "token.created_at",
      "token.networks",
      "token.last_used_at",
      "token.last_used_from",
      "token.rotated_at",
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

/** An instant, and the time since which a token must have been in use to be in force at it. */
export interface TokenTime {
  at: string;
  idleSince: string;
}

/** A token that can be used, with the version of rights of the moment in which it was read. */
export interface TokenInForce extends Token, InForceFacts {}

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
      networks: [...token.networks],
      secret_hash: secretHash,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute();
}

/**
 * Sets the secret of the installation's own admin token, and returns whether it had another one before. The row of its actor
 * is locked: servers that start in the same moment set it one after the other.
 */
export async function putAdminToken(
  tx: Transaction,
  token: { id: string; actorId: string; secretHash: Buffer; at: string },
): Promise<boolean> {
  await tx.sql.selectFrom("actor").select("id").where("id", "=", token.actorId).forNoKeyUpdate().execute();
  const former = await tx.sql
    .selectFrom("token")
    .select("secret_hash")
    .where("id", "=", token.id)
    .forUpdate()
    .executeTakeFirst();
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
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ secret_hash: token.secretHash, revoked_at: null }))
    .execute();
  return former !== undefined && !former.secret_hash.equals(token.secretHash);
}

type InForceRow = Row & InForceColumns;

function toTokenInForce(row: InForceRow): TokenInForce {
  return { ...toToken(row), ...toInForceFacts(row) };
}

/** The last time at which something showed that a token is needed. */
const IN_USE = sql<string>`greatest(token.last_used_at, token.rotated_at, token.created_at)`;

/**
 * Whether a token has neither expired nor gone unused for too long. Neither holds for the admin token of the installation,
 * which the configuration alone replaces.
 */
const isInForce = (
  eb: ExpressionBuilder<Tables, "token">,
  { at, idleSince }: Record<keyof TokenTime, RawBuilder<string>>,
) =>
  eb.or([
    eb("token.id", "=", ADMIN_TOKEN_ID),
    eb.and([eb.or([eb("token.expires_at", "is", null), eb("token.expires_at", ">", at)]), eb(IN_USE, ">", idleSince)]),
  ]);

const tokensBySecret = prepared((db, slot: Slot<TokenTime & { hashes: readonly Buffer[] }>) =>
  usable(withActor(db))
    .select(["token.secret_hash", ...IN_FORCE])
    .where("token.secret_hash", "=", isAnyOf(slot("hashes"), "bytea"))
    .where((eb) => isInForce(eb, { at: slot("at"), idleSince: slot("idleSince") })),
);

/** By the secrets from before a rotation. */
const tokensByFormerSecret = prepared((db, slot: Slot<TokenTime & { hashes: readonly Buffer[] }>) =>
  usable(withActor(db))
    .select([
      sql<Buffer>`token.former_hash`.as("secret_hash"),
      sql<string>`token.former_until`.as("former_until"),
      ...IN_FORCE,
    ])
    .where("token.former_hash", "=", isAnyOf(slot("hashes"), "bytea"))
    .where("token.former_until", ">", slot("at"))
    .where((eb) => isInForce(eb, { at: slot("at"), idleSince: slot("idleSince") })),
);

/**
 * The token with each of these secrets, unless it has ended. `hashes`: SHA-256 of the secrets. Secrets from before a
 * rotation take a second statement, so that others do not pay for them; their token ends when they do.
 */
export async function findTokensBySecret(
  reader: Reader,
  hashes: readonly Buffer[],
  time: TokenTime,
): Promise<(TokenInForce | null)[]> {
  const rows = await tokensBySecret(reader, { hashes, ...time });
  const found = new Map(rows.map((row) => [row.secret_hash.toString("hex"), toTokenInForce(row)]));
  const missing = hashes.filter((hash) => !found.has(hash.toString("hex")));
  const former = missing.length === 0 ? [] : await tokensByFormerSecret(reader, { hashes: missing, ...time });
  for (const row of former) {
    const token = toTokenInForce(row);
    const ends = [row.former_until, ...(token.expiresAt === null ? [] : [token.expiresAt])].toSorted();
    found.set(row.secret_hash.toString("hex"), { ...token, expiresAt: ends[0] ?? null });
  }
  return hashes.map((hash) => found.get(hash.toString("hex")) ?? null);
}

/** A token, and the organization of its owner if that is a machine user of one. */
export type OwnedToken = Token & Pick<TokenOfOwner, "organizationId">;

/** Revoked and expired tokens included. */
export async function findTokens(reader: Reader, ids: readonly string[]): Promise<(OwnedToken | null)[]> {
  const rows = await withActor(reader.sql).select("actor.organization_id").where("token.id", "in", ids).execute();
  const tokens = rows.map((row) => ({ ...toToken(row), organizationId: row.organization_id }));
  return inOrder(ids, tokens, (token) => token.id);
}

/** The token, or null if it has ended. */
export async function findTokenInForce(reader: Reader, id: string, time: TokenTime): Promise<TokenInForce | null> {
  const row = await usable(withActor(reader.sql))
    .select(IN_FORCE)
    .where("token.id", "=", id)
    .where((eb) => isInForce(eb, { at: sql`${time.at}`, idleSince: sql`${time.idleSince}` }))
    .executeTakeFirst();
  return row === undefined ? null : toTokenInForce(row);
}

export interface TokenFilter {
  /** Only the revoked ones, or only the others; `null`: all. */
  revoked: boolean | null;
  /** Only those of the machine users of this organization; `null`: all. */
  organizationId: string | null;
}

/** Lists tokens, newest first; positions are ids. */
export async function listTokens(
  reader: Reader,
  { revoked, organizationId }: TokenFilter,
  page: PageRequest<string>,
): Promise<Page<Token>> {
  const { after, before } = page;
  const rows = await withActor(reader.sql)
    .$if(revoked === true, (q) => q.where("token.revoked_at", "is not", null))
    .$if(revoked === false, unrevoked)
    .$if(organizationId !== null, (q) => q.where("actor.organization_id", "=", organizationId))
    .$if(after !== null, (q) => q.where("token.id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("token.id", ">", before ?? ""))
    .orderBy("token.id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toToken));
}

/** A token with the organization that its owner belongs to if it is a machine user of one. */
export interface TokenOfOwner {
  token: Token;
  organizationId: string | null;
}

/** Locks a token, also one that has ended; `null` if it does not exist. */
export async function lockToken(tx: Transaction, id: string): Promise<TokenOfOwner | null> {
  const row = await withActor(tx.sql)
    .select("actor.organization_id")
    .where("token.id", "=", id)
    .forUpdate("token")
    .executeTakeFirst();
  return row === undefined ? null : { token: toToken(row), organizationId: row.organization_id };
}

/** Replaces the secret of a token. `formerUntil`: when the one that it had ends; `null`: at once. */
export async function putRotatedSecret(
  tx: Transaction,
  token: { id: string; secretHash: Buffer; formerUntil: string | null; expiresAt: string | null; at: string },
): Promise<void> {
  await tx.sql
    .updateTable("token")
    .set((eb) => ({
      secret_hash: token.secretHash,
      former_hash: token.formerUntil === null ? null : eb.ref("secret_hash"),
      former_until: token.formerUntil,
      expires_at: token.expiresAt,
      rotated_at: token.at,
    }))
    .where("id", "=", token.id)
    .execute();
}

/** Writes the name, the limits and the end of a token. Throws a unique violation where the name is in use. */
export async function putToken(tx: Transaction, token: Token): Promise<void> {
  await tx.sql
    .updateTable("token")
    .set({
      name: token.name,
      permissions: token.permissions === null ? null : permissionsIn(token.permissions),
      scope_ids: token.scopeIds === null ? null : [...token.scopeIds],
      networks: [...token.networks],
      expires_at: token.expiresAt,
    })
    .where("id", "=", token.id)
    .execute();
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

/**
 * Notes that a token is in use, and from which address (`null`: not known), of IPv6 the first 64 bits; at most once in
 * `everyMs`, so that reads do not turn into writes.
 */
export async function touchToken(
  reader: Reader,
  { id, from }: { id: string; from: string | null },
  at: Date,
  everyMs: number,
): Promise<void> {
  const before = new Date(at.getTime() - everyMs).toISOString();
  const address = sql`${from}::inet`;
  await reader.sql
    .updateTable("token")
    .set({
      last_used_at: at.toISOString(),
      last_used_from: sql`network(set_masklen(${address}, case family(${address}) when 4 then 32 else 64 end))::inet`,
    })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", before)]))
    .execute();
}
