/** Identities of people at an identity provider, with the memberships that it confirms. */
import { sql } from "kysely";
import type { Actor } from "../../model/people/actor.ts";
import type { Profile } from "../../model/people/profile.ts";
import type { SignInMethod } from "../../model/people/session.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { toActor } from "./actor-store.ts";

/** An actor that signs in; `disabled`: it may not. */
export interface IdentifiedActor {
  actor: Actor;
  disabled: boolean;
}

/** The person with an identity; its row stays locked. */
export async function lockIdentity(
  tx: Transaction,
  { issuer, subject }: Pick<Profile, "issuer" | "subject">,
): Promise<IdentifiedActor | null> {
  const row = await tx.sql
    .selectFrom("identity")
    .innerJoin("actor", "actor.id", "identity.actor_id")
    .select(["actor.id", "actor.kind", "actor.name", "actor.disabled_at"])
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { actor: toActor(row), disabled: row.disabled_at !== null };
}

/** The ways in which an actor can sign in. */
export async function listSignInMethods(reader: Reader, actorId: string): Promise<SignInMethod[]> {
  const byIdentity = reader.sql
    .selectFrom("identity")
    .select(sql<SignInMethod>`'OIDC'`.as("method"))
    .where("actor_id", "=", actorId);
  const byPasskey = reader.sql
    .selectFrom("passkey")
    .select(sql<SignInMethod>`'PASSKEY'`.as("method"))
    .where("actor_id", "=", actorId);
  const rows = await byIdentity.union(byPasskey).orderBy("method").execute();
  return rows.map(({ method }) => method);
}

/** Throws a unique violation of `identity_pkey` if another sign-in has just added it. */
export async function insertIdentity(
  tx: Transaction,
  { issuer, subject, email }: Pick<Profile, "issuer" | "subject" | "email">,
  actorId: string,
  at: string,
): Promise<void> {
  await tx.sql
    .insertInto("identity")
    .values({ issuer, subject, email, actor_id: actorId, created_at: at, last_login_at: at })
    .execute();
}

/** Notes a sign-in, and the name and address that the provider has of the person now. */
export async function noteSignIn(tx: Transaction, profile: Profile, actorId: string, at: string): Promise<void> {
  const { issuer, subject, name, email } = profile;
  await tx.sql
    .updateTable("identity")
    .set({ last_login_at: at, email })
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();
  await tx.sql
    .updateTable("actor")
    .set({ name, email })
    .where("id", "=", actorId)
    .where((eb) => eb.or([eb("name", "!=", name), eb(sql`email`, "is distinct from", email)]))
    .execute();
}

/** The teams that name one of these groups. */
export async function listTeamIdsOfGroups(reader: Reader, groups: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from team where deleted_at is null and external_ids && ${groups}::text[] order by id
  `.execute(reader.sql);
  return rows.map(({ id }) => id);
}

/** A membership that a sign-in confirmed. */
export interface ConfirmedMembership {
  teamId: string;
  lapsesAt: string | null;
}

/** The memberships of an actor that came by a sign-in, lapsed ones included. */
export async function listConfirmedMemberships(reader: Reader, actorId: string): Promise<ConfirmedMembership[]> {
  const rows = await reader.sql
    .selectFrom("team_member")
    .select(["team_id", "lapses_at"])
    .where("actor_id", "=", actorId)
    .where("source", "=", "LOGIN")
    .execute();
  return rows.map((row) => ({ teamId: row.team_id, lapsesAt: row.lapses_at }));
}

/** Adds memberships, or confirms them until `lapsesAt`. */
export async function confirmMemberships(
  tx: Transaction,
  actorId: string,
  teamIds: readonly string[],
  { at, lapsesAt }: { at: string; lapsesAt: string },
): Promise<void> {
  await tx.sql
    .insertInto("team_member")
    .values(
      teamIds.map((teamId) => ({
        team_id: teamId,
        actor_id: actorId,
        source: "LOGIN",
        added_at: at,
        confirmed_at: at,
        lapses_at: lapsesAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["team_id", "actor_id", "source"]).doUpdateSet({ confirmed_at: at, lapses_at: lapsesAt }),
    )
    .execute();
}

/** Removes memberships that the provider does not confirm any more. */
export async function removeConfirmedMemberships(
  tx: Transaction,
  actorId: string,
  teamIds: readonly string[],
): Promise<void> {
  await tx.sql
    .deleteFrom("team_member")
    .where("actor_id", "=", actorId)
    .where("source", "=", "LOGIN")
    .where("team_id", "in", teamIds)
    .execute();
}

/** Notes that something was used for a sign-in; `false` if it had been used before. `digest`: SHA-256 of it. */
export async function spendAttempt(tx: Transaction, digest: Buffer, until: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("spent_attempt")
    .values({ digest, until })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Removes what could not be used any more by an instant, at most `limit`; gives their number. */
export async function removeSpentAttempts(tx: Transaction, at: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("spent_attempt")
    .where("digest", "in", (eb) =>
      eb.selectFrom("spent_attempt").select("digest").where("until", "<", at).orderBy("until").limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
