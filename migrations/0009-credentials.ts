import { type Kysely, sql } from "kysely";

/** The credential of an operation on many runs may be a session, which is removed after its end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bulk_operation drop constraint bulk_operation_token_id_fkey`.execute(db);
  await sql`comment on column bulk_operation.token_id is 'The token or the session that started it.'`.execute(db);
}
