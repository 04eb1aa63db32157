import { type Kysely, sql } from "kysely";

/** Tables of the spine. Instants have milliseconds; ids are text with a prefix that names their kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await installation(db);
  await workspaces(db);
  await blobs(db);
  await runs(db);
  await work(db);
  await results(db);
  await firstRows(db);
}

async function installation(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table installation (
      singleton boolean primary key default true check (singleton),
      key_check bytea not null
    );
    create table actor (
      id text primary key,
      kind text not null check (kind in ('USER', 'MACHINE', 'SYSTEM')),
      name text not null,
      created_at timestamptz(3) not null
    );
    create table token (
      id text primary key,
      name text not null,
      actor_id text not null references actor,
      role text not null check (role in ('READER', 'WRITER', 'APPROVER', 'ADMIN')),
      secret_hash bytea not null unique,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3),
      expires_at timestamptz(3),
      revoked_at timestamptz(3)
    );
    create unique index token_live_name on token (name) where revoked_at is null;
    create table rejected_command (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null,
      actor_id text not null references actor,
      command text not null,
      subject_id text,
      code text not null,
      message text not null
    );
    create index rejected_command_subject on rejected_command (subject_id, id);
  `.execute(db);
}

async function workspaces(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organization (
      id text primary key,
      slug text not null unique,
      name text not null,
      concurrency_limit integer not null default 3 check (concurrency_limit > 0),
      created_at timestamptz(3) not null
    );
    create table workspace (
      id text primary key,
      organization_id text not null references organization,
      name text not null,
      description text,
      source jsonb not null,
      plan_approval text not null check (plan_approval in ('ALWAYS', 'WHEN_REQUIRED')),
      auto_apply text not null check (auto_apply in ('NEVER', 'CREATE_ONLY', 'NO_DESTROY', 'ALWAYS')),
      paused boolean not null default false,
      lock_reason text check (lock_reason in ('MANUAL', 'APPLY_INTERRUPTED')),
      lock_run_id text,
      lock_actor_id text references actor,
      lock_note text,
      locked_at timestamptz(3),
      last_run_number integer not null default 0,
      state_serial bigint not null default 0,
      state_lineage text,
      created_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      check ((lock_reason is null) = (locked_at is null))
    ) with (fillfactor = 70);
    create unique index workspace_name on workspace (organization_id, name) where deleted_at is null;
    create table variable (
      workspace_id text not null references workspace,
      category text not null check (category in ('ENGINE', 'ENVIRONMENT')),
      key text not null,
      value_sealed bytea not null,
      sensitive boolean not null,
      hcl boolean not null,
      primary key (workspace_id, category, key)
    );
  `.execute(db);
}

async function blobs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table blob (
      id text primary key,
      kind text not null check (kind in ('SOURCE', 'ARCHIVE', 'STATE')),
      workspace_id text not null references workspace,
      digest text not null,
      size bigint not null,
      created_at timestamptz(3) not null
    );
    create unique index blob_source on blob (workspace_id, digest) where kind = 'SOURCE';
    create table blob_piece (
      blob_id text not null references blob on delete cascade,
      position integer not null,
      body bytea not null,
      primary key (blob_id, position)
    );
    alter table blob_piece alter column body set storage external;
  `.execute(db);
}

async function runs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table run (
      id text primary key,
      organization_id text not null references organization,
      workspace_id text not null references workspace,
      number integer not null,
      kind text not null,
      status text not null,
      leg text not null,
      outcome text,
      trigger text not null,
      created_by text not null references actor,
      message text,
      revision text,
      source_blob_id text references blob,
      variables_sealed bytea not null,
      targets text[] not null default '{}',
      replace text[] not null default '{}',
      version integer not null,
      status_version integer not null,
      plan_version integer not null default 0,
      attempt integer not null default 0,
      cancel_requested_by text references actor,
      cancel_requested_at timestamptz(3),
      forced boolean not null default false,
      holds_workspace boolean not null default false,
      origin_id text references run,
      failure jsonb,
      reason text,
      created_at timestamptz(3) not null,
      status_at timestamptz(3) not null,
      started_at timestamptz(3),
      applying_at timestamptz(3),
      applied_at timestamptz(3),
      finished_at timestamptz(3),
      unique (workspace_id, number)
    ) with (fillfactor = 80);
    create unique index run_holder on run (workspace_id) where holds_workspace;
    create index run_in_workspace on run (workspace_id, id desc);
    create index run_by_status on run (status, id desc);
    create index run_queued on run (workspace_id, number) where status = 'QUEUED';
    create index run_claimable on run (status_at) where status in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED');
    create table run_event (
      run_id text not null references run deferrable initially deferred,
      version integer not null,
      type text not null,
      at timestamptz(3) not null,
      actor_id text not null references actor,
      to_status text,
      data jsonb not null,
      primary key (run_id, version),
      unique (run_id, version, to_status),
      check ((type = 'STATUS_CHANGED') = (to_status is not null))
    );
    create table idempotency_key (
      workspace_id text not null references workspace,
      actor_id text not null references actor,
      key text not null,
      request_digest text not null,
      run_id text not null references run deferrable initially deferred,
      created_at timestamptz(3) not null,
      primary key (workspace_id, actor_id, key)
    );
  `.execute(db);
}

async function work(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table runner (
      id text primary key,
      name text not null unique,
      version text not null,
      last_seen_at timestamptz(3) not null
    ) with (fillfactor = 50);
    create table job (
      id text primary key,
      claim_id text not null unique,
      run_id text not null references run,
      organization_id text not null references organization,
      workspace_id text not null references workspace,
      leg text not null,
      attempt integer not null,
      runner_id text not null references runner,
      claimed_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      ended_at timestamptz(3),
      message_sequence integer not null default 0,
      message_digest text,
      archive_blob_id text references blob
    ) with (fillfactor = 50);
    create unique index job_live on job (run_id) where ended_at is null;
    create index job_busy on job (organization_id) where ended_at is null;
    create index job_lease on job (expires_at) where ended_at is null;
    create table phase (
      id text primary key,
      run_id text not null references run,
      kind text not null,
      attempt integer not null,
      status text not null,
      runner_id text references runner,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      unique (run_id, kind, attempt)
    );
    create table log_head (
      run_id text primary key references run,
      last_line integer not null
    ) with (fillfactor = 50);
    create table log_batch (
      run_id text not null references run,
      last_line integer not null,
      first_line integer not null,
      phase text not null,
      attempt integer not null,
      body bytea not null,
      primary key (run_id, last_line)
    );
    alter table log_batch alter column body set storage external;
  `.execute(db);
}

async function results(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plan (
      id text primary key,
      run_id text not null references run,
      version integer not null,
      digest text not null,
      engine_name text not null,
      engine_version text not null,
      has_changes boolean not null,
      complete boolean not null,
      additions integer not null,
      changes integer not null,
      destructions integer not null,
      replacements integer not null,
      imports integer not null,
      moves integer not null,
      forgets integer not null,
      state_serial bigint not null,
      targets text[] not null,
      output_changes jsonb not null,
      text_zstd bytea not null,
      archive_blob_id text not null references blob,
      created_at timestamptz(3) not null,
      unique (run_id, version)
    );
    create table resource_change (
      plan_id text not null references plan,
      position integer not null,
      address text not null,
      type text not null,
      name text not null,
      module text,
      action text not null,
      create_before_destroy boolean,
      previous_address text,
      imported boolean not null,
      before jsonb,
      after jsonb,
      sensitive_paths text[] not null,
      unknown_paths text[] not null,
      primary key (plan_id, position)
    );
    create table approval (
      id text primary key,
      run_id text not null references run,
      gate text not null check (gate in ('PLAN', 'APPLY')),
      decision text not null check (decision in ('APPROVED', 'REJECTED')),
      actor_id text not null references actor,
      comment text,
      plan_version integer not null,
      plan_digest text not null,
      at timestamptz(3) not null
    );
    create index approval_run on approval (run_id, id);
    create table state_version (
      id text primary key,
      workspace_id text not null references workspace,
      serial bigint not null,
      lineage text not null,
      run_id text not null references run,
      job_id text not null references job,
      blob_id text not null references blob,
      outputs jsonb not null,
      created_at timestamptz(3) not null,
      unique (workspace_id, serial)
    );
    create table state_lock (
      workspace_id text primary key references workspace,
      lock_id text not null,
      info jsonb not null,
      run_id text not null references run,
      job_id text not null references job,
      created_at timestamptz(3) not null
    );
  `.execute(db);
}

/** Ids of rows that exist from the start; src/model/people/actor.ts names them. */
async function firstRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into actor (id, kind, name, created_at) values
      ('sys_00000000000000000000000000', 'SYSTEM', 'Holdpoint', now()),
      ('usr_00000000000000000000000000', 'USER', 'admin', now());
    insert into organization (id, slug, name, created_at) values
      ('org_00000000000000000000000000', 'default', 'Default', now());
  `.execute(db);
}
