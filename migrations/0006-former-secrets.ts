import { type Kysely, sql } from "kysely";

/** Sensitive values that were replaced or deleted: the state may still hold them, so they are masked all the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table former_secret (
      id bigint generated always as identity primary key,
      workspace_id text not null references workspace,
      value_sealed bytea not null,
      hcl boolean not null
    );
    create index former_secret_workspace on former_secret (workspace_id, id desc);
  `.execute(db);
}
