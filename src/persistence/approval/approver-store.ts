import type { TokenRole } from "../../model/people/token.ts";
import type { Reader } from "../database/database.ts";

/** Ids of the actors with a token of one of these roles that is good at an instant, at most so many, by id. */
export async function listActorIdsByRole(
  reader: Reader,
  roles: readonly TokenRole[],
  at: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("token")
    .select("actor_id")
    .distinct()
    .where("role", "in", roles)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", at)]))
    .orderBy("actor_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.actor_id);
}
