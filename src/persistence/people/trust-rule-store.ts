/** Trust rules of machine users, and the tokens that they gave. */
import { type Selectable, sql } from "kysely";
import type { Actor } from "../../model/people/actor.ts";
import type { TrustRule } from "../../model/people/trust-rule.ts";
import { toActor } from "./actor-store.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

type Row = Selectable<Tables["trust_rule"]> & { organization_id: string | null };

function toTrustRule(row: Row): TrustRule {
  return {
    id: row.id,
    actorId: row.actor_id,
    organizationId: row.organization_id,
    issuer: row.issuer,
    audience: row.audience,
    subject: row.subject,
    claims: row.claims,
    maxSeconds: row.max_seconds,
    createdAt: row.created_at,
  };
}

/** Rules that were not deleted. */
function kept(reader: Reader) {
  return reader.sql
    .selectFrom("trust_rule")
    .innerJoin("actor", "actor.id", "trust_rule.actor_id")
    .selectAll("trust_rule")
    .select("actor.organization_id")
    .where("trust_rule.deleted_at", "is", null);
}

/**
 * A machine user that is not disabled, with its organization, and none of the runs of a workspace. Its row stays locked:
 * its rules are counted.
 */
export async function lockServiceAccount(
  tx: Transaction,
  id: string,
): Promise<{ actor: Actor; organizationId: string | null } | null> {
  const row = await tx.sql
    .selectFrom("actor")
    .select(["id", "kind", "name", "organization_id"])
    .where("id", "=", id)
    .where("kind", "=", "MACHINE")
    .where("workspace_id", "is", null)
    .where("disabled_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { actor: toActor(row), organizationId: row.organization_id };
}

export async function insertTrustRule(tx: Transaction, rule: TrustRule): Promise<void> {
  await tx.sql
    .insertInto("trust_rule")
    .values({
      id: rule.id,
      actor_id: rule.actorId,
      issuer: rule.issuer,
      audience: rule.audience,
      subject: rule.subject,
      claims: JSON.stringify(rule.claims),
      max_seconds: rule.maxSeconds,
      created_at: rule.createdAt,
    })
    .execute();
}

export async function lockTrustRule(tx: Transaction, id: string): Promise<TrustRule | null> {
  const row = await kept(tx).where("trust_rule.id", "=", id).forNoKeyUpdate("trust_rule").executeTakeFirst();
  return row === undefined ? null : toTrustRule(row);
}

export async function markTrustRuleDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("trust_rule").set({ deleted_at: at }).where("id", "=", id).execute();
}

/** Revokes the tokens in force that a rule gave; gives their ids. */
export async function revokeTokensOfTrustRule(tx: Transaction, id: string, at: string): Promise<string[]> {
  const rows = await tx.sql
    .updateTable("token")
    .set({ revoked_at: at })
    .where("trust_rule_id", "=", id)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

/** Rules by id, without deleted ones. */
export async function findTrustRules(reader: Reader, ids: readonly string[]): Promise<(TrustRule | null)[]> {
  const rows = await kept(reader).where("trust_rule.id", "in", ids).execute();
  return inOrder(ids, rows.map(toTrustRule), (rule) => rule.id);
}

/** The rules of machine users, oldest first. */
export async function listTrustRules(reader: Reader, actorIds: readonly string[]): Promise<TrustRule[][]> {
  const rows = await kept(reader).where("actor_id", "in", actorIds).orderBy("trust_rule.id").execute();
  return grouped(actorIds, rows.map(toTrustRule), (rule) => rule.actorId);
}

/** Whether a rule names an issuer. */
export async function isIssuerTrusted(reader: Reader, issuer: string): Promise<boolean> {
  const row = await kept(reader)
    .clearSelect()
    .select("trust_rule.id")
    .where("issuer", "=", issuer)
    .where("actor.disabled_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A token for which rules are asked. `actorId`: the machine user; `null`: any that is not disabled. */
export interface TrustedToken {
  issuer: string;
  audiences: readonly string[];
  actorId: string | null;
}

/** The rules about an issuer and some audiences, oldest first. */
export async function listTrustRulesOfIssuer(
  reader: Reader,
  { issuer, audiences, actorId }: TrustedToken,
  limit: number,
): Promise<TrustRule[]> {
  const rows = await kept(reader)
    .where("issuer", "=", issuer)
    .where("audience", "=", sql<string>`any(${audiences}::text[])`)
    .where("actor.disabled_at", "is", null)
    .$if(actorId !== null, (query) => query.where("actor_id", "=", actorId ?? ""))
    .orderBy("trust_rule.id")
    .limit(limit)
    .execute();
  return rows.map(toTrustRule);
}

/** Notes that a rule gave a token. */
export async function noteTrustRule(tx: Transaction, tokenId: string, trustRuleId: string): Promise<void> {
  await tx.sql.updateTable("token").set({ trust_rule_id: trustRuleId }).where("id", "=", tokenId).execute();
}

/** Whether a trust rule gave a token. */
export async function isExchangedToken(reader: Reader, tokenId: string): Promise<boolean> {
  const row = await reader.sql
    .selectFrom("token")
    .select("id")
    .where("id", "=", tokenId)
    .where("trust_rule_id", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes tokens of trust rules that ended before an instant, at most `limit`; gives their number. */
export async function removeExchangedTokens(tx: Transaction, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from token where id in (
      select id from token
      where trust_rule_id is not null and expires_at < ${before}
      order by expires_at limit ${limit}
    )
  `.execute(tx.sql);
  return Number(numAffectedRows ?? 0);
}
