import { type Kysely, sql } from "kysely";

/** Uploads, whose blobs belong to no workspace yet; and states that no run made, but a person brought. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table blob alter column workspace_id drop not null;
    create index blob_uploaded on blob (digest) where workspace_id is null;
    create table upload (
      id text primary key,
      blob_id text not null references blob,
      digest text not null,
      size bigint not null,
      created_by text not null references actor,
      created_at timestamptz(3) not null
    );
    create index upload_age on upload (created_at);
    create index upload_blob on upload (blob_id);
    create index workspace_upload on workspace ((source ->> 'uploadId')) where source ->> 'uploadId' is not null;
    create index run_source on run (source_blob_id);
    alter table state_version
      alter column run_id drop not null,
      alter column job_id drop not null,
      add column imported_by text references actor,
      add check ((run_id is null) = (job_id is null) and (run_id is null) = (imported_by is not null));
  `.execute(db);
}
