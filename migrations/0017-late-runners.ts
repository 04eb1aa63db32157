import { type Kysely, sql } from "kysely";

/**
 * What runners were refused, so many rows a job and a count of all; states that came from a runner after its lease, kept
 * beside the line of versions until somebody decides. A version that was one of those names its run and its job like any
 * other, and who adopted it as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refused_count (
      job_id text primary key references job,
      run_id text not null references run,
      count integer not null
    ) with (fillfactor = 50);
    create index refused_count_run on refused_count (run_id);
    create table refused_request (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null,
      organization_id text not null references organization,
      workspace_id text not null references workspace,
      run_id text not null references run,
      job_id text not null references job,
      runner_id text not null references runner,
      request text not null,
      code text not null,
      message text not null
    );
    create index refused_request_run on refused_request (run_id, id);
    create table recovered_state (
      id text primary key,
      workspace_id text not null references workspace,
      run_id text not null references run,
      job_id text not null references job,
      runner_id text not null references runner,
      blob_id text not null references blob,
      digest text not null,
      size bigint not null,
      serial bigint not null,
      lineage text not null,
      outputs jsonb not null,
      resource_count integer not null,
      received_at timestamptz(3) not null,
      decision text check (decision in ('ADOPTED', 'DISCARDED')),
      decided_by text references actor,
      decided_at timestamptz(3),
      note text,
      unique (job_id, digest),
      check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null))
    );
    create index recovered_state_undecided on recovered_state (workspace_id, id) where decision is null;
    create index recovered_state_run on recovered_state (run_id, id);
  `.execute(db);
}
