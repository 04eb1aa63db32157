import { type Kysely, sql } from "kysely";

/**
 * Counts the end of a credential, and a change of its networks, among the changes of rights. Streams compare the counter with each page that they read,
 * so that they notice the end of a token or a session without a hint.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger token_ended after update of revoked_at, former_hash, former_until, networks on token
      for each statement execute function count_rights()
  `.execute(db);
  await sql`
    create trigger session_ended after update of revoked_at on session
      for each statement execute function count_rights()
  `.execute(db);
}
