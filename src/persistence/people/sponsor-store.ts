/** The sponsors of people who were invited. */
import { sql } from "kysely";
import type { Sponsor } from "../../model/people/sponsor.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** The columns of an actor. */
export const SPONSOR = ["actor.sponsor_id", "actor.sponsored_until"] as const;

export interface SponsorRow {
  sponsor_id: string | null;
  sponsored_until: string | null;
}

export function toSponsor({ sponsor_id: actorId, sponsored_until: until }: SponsorRow): Sponsor | null {
  return actorId === null || until === null ? null : { actorId, until };
}

/**
 * Makes the one that invited a person its sponsor, or the sponsor of that one if it has one itself: else two who were invited
 * one after the other would be two people at once.
 */
export async function setSponsor(
  tx: Transaction,
  actorId: string,
  { inviterId, at, until }: { inviterId: string; at: string; until: string },
): Promise<void> {
  await sql`
    update actor set sponsored_until = ${until}, sponsor_id = (
      select case when inviter.sponsored_until > ${at}::timestamptz then inviter.sponsor_id else inviter.id end
      from actor inviter where inviter.id = ${inviterId})
    where id = ${actorId}
  `.execute(tx.sql);
}

/** The sponsors as which some of these actors count at an instant. */
export async function listSponsorIds(reader: Reader, actorIds: readonly string[], at: string): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("actor")
    .select("sponsor_id")
    .where("id", "in", actorIds)
    .where("sponsored_until", ">", at)
    .orderBy("sponsor_id")
    .execute();
  return rows.flatMap(({ sponsor_id: id }) => id ?? []);
}
