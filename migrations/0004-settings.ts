import { type Kysely, sql } from "kysely";

/**
 * Locks that end by themselves, runs that only refresh the state, how large a resource of a plan is, how many of them a
 * state has, and indexes for the filters of runs and for what is deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table workspace
      add column lock_expires_at timestamptz(3),
      add constraint workspace_lock_expires check (lock_expires_at is null or lock_reason = 'MANUAL');
    create index workspace_lock_end on workspace (lock_expires_at) where lock_expires_at is not null;
    create index workspace_deleted on workspace (id) where deleted_at is not null;

    alter table run add column refresh_only boolean not null default false;
    create index run_of_organization on run (organization_id, id desc);
    create index run_by_kind on run (kind, id desc);
    create index run_by_trigger on run (trigger, id desc);
    create index run_by_creation on run (created_at, id desc);

    -- null: stored before anybody counted.
    alter table state_version add column resource_count integer;

    alter table resource_change add column bytes integer not null default 0;
    update resource_change set bytes = coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0);
  `.execute(db);
}
