import { type Kysely, sql } from "kysely";

/**
 * What happened in a workspace and in an organization, in the order of the commits. A position is taken from the
 * head's counter by the last statement of a transaction, and the row stays locked until the commit: whoever sees a
 * position sees every lower one. What a database of an older release holds comes before position 1.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspace_event (
      id bigint generated always as identity primary key,
      workspace_id text not null references workspace,
      at timestamptz(3) not null,
      actor_id text not null references actor,
      fields text[] not null
    );
    create table feed_head (
      organization_id text primary key references organization,
      epoch text not null default left(replace(gen_random_uuid()::text, '-', ''), 12),
      position bigint not null default 0
    ) with (fillfactor = 50);
    insert into feed_head (organization_id) select id from organization;
    create function feed_open() returns trigger language plpgsql as $$
    begin
      insert into feed_head (organization_id) values (new.id);
      return null;
    end $$;
    create trigger feed_open after insert on organization for each row execute function feed_open();
  `.execute(db);
  // No foreign keys: entries are written while everybody else of the organization waits for the head, in the
  // transaction that wrote what they point to, and that is never deleted.
  await sql`
    create table feed_entry (
      organization_id text not null,
      position bigint not null,
      workspace_id text not null,
      run_id text,
      version integer,
      workspace_event_id bigint,
      primary key (organization_id, position),
      check ((run_id is null) = (version is null)),
      check ((run_id is null) <> (workspace_event_id is null))
    );
    create index feed_entry_workspace on feed_entry (workspace_id, position);
    create function feed_append(
      organization text, workspace_ids text[], run_ids text[], versions integer[], event_ids bigint[]
    ) returns void language plpgsql as $$
    declare
      newest bigint;
    begin
      update feed_head set position = position + cardinality(workspace_ids)
        where organization_id = organization returning position into newest;
      if not found then
        raise exception 'the organization % has no feed', organization using errcode = 'HP002';
      end if;
      insert into feed_entry (organization_id, position, workspace_id, run_id, version, workspace_event_id)
        select organization, newest - cardinality(workspace_ids) + place, workspace_id, run_id, version, event_id
        from unnest(workspace_ids, run_ids, versions, event_ids)
          with ordinality as entry (workspace_id, run_id, version, event_id, place);
    end $$;
  `.execute(db);
}
