import { type RawBuilder, type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { type ProviderSession, type Session, SIGN_IN_METHODS } from "../../model/people/session.ts";
import { TOKEN_ROLES } from "../../model/people/role.ts";
import type { Token, TokenCap } from "../../model/people/token.ts";
import { toActor } from "./actor-store.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { IN_FORCE, type InForceColumns, type InForceFacts, toInForceFacts } from "./in-force.ts";
import { inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import { toPermissionSet } from "./permission-names.ts";

type Row = Pick<
  Selectable<Tables["session"]>,
  "id" | "method" | "address" | "user_agent" | "created_at" | "seen_at" | "present_at" | "expires_at"
> & { actor_id: string; actor_kind: string; actor_name: string };

function toSession(row: Row): Session {
  return {
    id: row.id,
    actor: toActor({ id: row.actor_id, kind: row.actor_kind, name: row.actor_name }),
    method: word(SIGN_IN_METHODS, row.method),
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    presentAt: row.present_at,
    expiresAt: row.expires_at,
  };
}

/** Sessions that were not revoked, of actors that are not disabled. */
function usable(db: Reader["sql"]) {
  return db
    .selectFrom("session")
    .innerJoin("actor", "actor.id", "session.actor_id")
    .select([
      "session.id",
      "session.method",
      "session.address",
      "session.user_agent",
      "session.created_at",
      "session.seen_at",
      "session.present_at",
      "session.expires_at",
      "actor.id as actor_id",
      "actor.kind as actor_kind",
      "actor.name as actor_name",
    ])
    .where("session.revoked_at", "is", null)
    .where("actor.disabled_at", "is", null);
}

/** A session that can be used, with the version of rights of the moment in which it was read. */
export interface SessionInForce extends Session, InForceFacts {
  /** The token with which it was opened; `null`: with none. */
  token: TokenOfSession | null;
}

/** A token that limits a session. `expiresAt`: when it ends, or the secret of it that was shown. */
export interface TokenOfSession extends TokenCap, Pick<Token, "id" | "networks" | "expiresAt"> {}

type InForceRow = Row & InForceColumns & TokenColumns;

interface TokenColumns {
  token_id: string | null;
  token_role: string | null;
  token_permissions: readonly string[] | null;
  token_scope_ids: readonly string[] | null;
  token_networks: readonly string[] | null;
  token_expires_at: string | null;
}

function toSessionInForce(row: InForceRow): SessionInForce {
  return { ...toSession(row), ...toInForceFacts(row), token: toTokenOfSession(row) };
}

function toTokenOfSession(row: TokenColumns): TokenOfSession | null {
  if (row.token_id === null) return null;
  return {
    id: row.token_id,
    role: wordOrNull(TOKEN_ROLES, row.token_role),
    permissions: row.token_permissions === null ? null : toPermissionSet(row.token_permissions),
    scopeIds: row.token_scope_ids,
    networks: row.token_networks ?? [],
    expiresAt: row.token_expires_at,
  };
}

/** The end of the token that opened a session, or of the secret of it that was shown; `null`: it has none. */
const TOKEN_UNTIL = sql<string | null>`least(token.expires_at, session.secret_until)`;

/** Sessions that can be used. One of a token, or of a secret of it, that has ended cannot be. */
function withinToken(db: Reader["sql"], at: RawBuilder<string> | string) {
  return usable(db)
    .leftJoin("token", "token.id", "session.token_id")
    .where("token.revoked_at", "is", null)
    .where((eb) => eb.or([eb(TOKEN_UNTIL, "is", null), eb(TOKEN_UNTIL, ">", at)]));
}

/** Sessions that can be used, with the token that opened them. */
function inForce(db: Reader["sql"], at: RawBuilder<string> | string) {
  return withinToken(db, at).select([
    "session.token_id",
    "token.role as token_role",
    "token.permissions as token_permissions",
    "token.scope_ids as token_scope_ids",
    "token.networks as token_networks",
    TOKEN_UNTIL.as("token_expires_at"),
    ...IN_FORCE,
  ]);
}

/** An instant, and the time since which a session must have been in use to be in force at it. */
export interface SessionTime {
  at: string;
  idleSince: string;
}

const sessionsBySecret = prepared((db, slot: Slot<SessionTime & { hashes: readonly Buffer[] }>) =>
  inForce(db, slot("at"))
    .select("session.secret_hash")
    .where("session.secret_hash", "=", isAnyOf(slot("hashes"), "bytea"))
    .where("session.expires_at", ">", slot("at"))
    .where("session.seen_at", ">", slot("idleSince")),
);

/** The session with each of these secrets, unless it has ended. `hashes`: SHA-256 of the secrets. */
export async function findSessionsBySecret(
  reader: Reader,
  hashes: readonly Buffer[],
  time: SessionTime,
): Promise<(SessionInForce | null)[]> {
  const rows = await sessionsBySecret(reader, { hashes, ...time });
  const found = new Map(rows.map((row) => [row.secret_hash.toString("hex"), toSessionInForce(row)]));
  return hashes.map((hash) => found.get(hash.toString("hex")) ?? null);
}

/** The session with an id; `null` if it has ended. */
export async function findSessionInForce(
  reader: Reader,
  id: string,
  { at, idleSince }: SessionTime,
): Promise<SessionInForce | null> {
  const row = await inForce(reader.sql, at)
    .where("session.id", "=", id)
    .where("session.expires_at", ">", at)
    .where("session.seen_at", ">", idleSince)
    .executeTakeFirst();
  return row === undefined ? null : toSessionInForce(row);
}

/** By what a session was opened, beside a passkey. */
interface SessionOrigin {
  provider: ProviderSession | null;
  token: ShownToken | null;
}

/** A token that was shown. */
export interface ShownToken {
  id: string;
  /** When the secret that was shown ends; `null`: with the token. */
  secretUntil: string | null;
}

/** `secretHash`: SHA-256 of the secret. */
export async function insertSession(
  tx: Transaction,
  session: Session,
  secretHash: Buffer,
  { provider, token }: SessionOrigin,
): Promise<void> {
  await tx.sql
    .insertInto("session")
    .values({
      id: session.id,
      actor_id: session.actor.id,
      secret_hash: secretHash,
      method: session.method,
      token_id: token?.id ?? null,
      secret_until: token?.secretUntil ?? null,
      issuer: provider?.issuer ?? null,
      subject: provider?.subject ?? null,
      provider_session: provider?.providerSession ?? null,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      seen_at: session.seenAt,
      present_at: session.presentAt,
      expires_at: session.expiresAt,
    })
    .execute();
}

/** Notes that a session is in use; at most once in `everyMs`. */
export async function touchSession(reader: Reader, id: string, at: Date, everyMs: number): Promise<void> {
  const before = new Date(at.getTime() - everyMs).toISOString();
  await reader.sql
    .updateTable("session")
    .set({ seen_at: at.toISOString() })
    .where("id", "=", id)
    .where("seen_at", "<", before)
    .execute();
}

/** The sessions in force of an actor, newest first. */
export async function listSessionsOfActor(
  reader: Reader,
  actorId: string,
  { at, idleSince }: SessionTime,
  limit: number,
): Promise<Session[]> {
  const rows = await withinToken(reader.sql, at)
    .where("session.actor_id", "=", actorId)
    .where("session.expires_at", ">", at)
    .where("session.seen_at", ">", idleSince)
    .orderBy("session.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toSession);
}

/** Lists sessions in force, newest first; positions are ids. `actorId`: of that person alone; `null`: of all. */
export async function listSessions(
  reader: Reader,
  actorId: string | null,
  { at, idleSince }: SessionTime,
  page: PageRequest<string>,
): Promise<Page<Session>> {
  const { after, before } = page;
  const rows = await withinToken(reader.sql, at)
    .$if(actorId !== null, (q) => q.where("session.actor_id", "=", actorId ?? ""))
    .where("session.expires_at", ">", at)
    .where("session.seen_at", ">", idleSince)
    .$if(after !== null, (q) => q.where("session.id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("session.id", ">", before ?? ""))
    .orderBy("session.id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toSession));
}

/** Sessions by id, in order; `null` for one that has ended by a revocation. */
export async function findSessions(reader: Reader, ids: readonly string[]): Promise<(Session | null)[]> {
  const rows = await usable(reader.sql).where("session.id", "in", ids).execute();
  return inOrder(ids, rows.map(toSession), (session) => session.id);
}

/** The sessions that one command ends. */
export type SessionSelection =
  | { readonly id: string }
  | { readonly secretHash: Buffer }
  | { readonly actorId: string }
  | { readonly tokenId: string }
  | { readonly issuer: string; readonly subject: string | null; readonly providerSession: string | null };

/** Ends sessions; gives the ids of those that ended by it. */
export async function revokeSessions(tx: Transaction, selection: SessionSelection, at: string): Promise<string[]> {
  const query = tx.sql.updateTable("session").set({ revoked_at: at }).where("revoked_at", "is", null).returning("id");
  const rows = await query
    .$if("id" in selection, (q) => q.where("id", "=", "id" in selection ? selection.id : ""))
    .$if("secretHash" in selection, (q) =>
      q.where("secret_hash", "=", "secretHash" in selection ? selection.secretHash : Buffer.alloc(0)),
    )
    .$if("tokenId" in selection, (q) => q.where("token_id", "=", "tokenId" in selection ? selection.tokenId : ""))
    .$if("actorId" in selection, (q) => q.where("actor_id", "=", "actorId" in selection ? selection.actorId : ""))
    .$if("issuer" in selection, (q) => {
      const { issuer, subject, providerSession } = "issuer" in selection ? selection : NO_ISSUER;
      // With both, both must be meant.
      return q
        .where("issuer", "=", issuer)
        .$if(subject !== null, (named) => named.where("subject", "=", subject))
        .$if(providerSession !== null, (named) => named.where("provider_session", "=", providerSession));
    })
    .execute();
  return rows.map(({ id }) => id);
}

const NO_ISSUER = { issuer: "", subject: null, providerSession: null };

/** Removes sessions that have ended before an instant, at most `limit`; gives their number. */
export async function removeEndedSessions(tx: Transaction, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("session")
    .where("id", "in", (eb) =>
      eb.selectFrom("session").select("id").where("expires_at", "<", before).orderBy("expires_at").limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
